"""How long a chat waits for a database: for one that is slow, and hardly at all for one that is not there."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from omoide.stores.store import Store

T = TypeVar("T")

PATIENCE: Final = 15.0
"""Seconds that somebody who talks waits for a database that is there; then the talk goes on (F16)."""

_AT_ONCE: Final = 1.0
"""Seconds after which a database that has not answered yet is asked whether it is there at all."""

_SIGN: Final = 1.0
"""Seconds that it has for a sign."""


class Patience:
    """Waits for what needs a database, on behalf of somebody who can do without.

    What takes its time, waits for a lock or works on a large scope looks from here like a network that
    carries nothing any more. So after a moment the database is asked for a sign, by a connection of its own.
    So is what holds the keys, which few need: only who waits for it goes on without it.

    Args:
        store: whose database and keyring may keep silent.
    """

    def __init__(self, store: Store) -> None:
        self._database = store.database
        self._sign = _Sign(self._database.answers)
        self._sign_of_keys = _Sign(store.keyring.answers)

    async def spent_on(self, work: Callable[[], Awaitable[T]], *, most: float = PATIENCE) -> T:
        """What comes of some work. It is cancelled where nobody waits for it any longer.

        Args:
            work: begins it.
            most: seconds at most.

        Raises:
            TimeoutError: the database keeps silent or is gone, or it took too long.
        """
        if self._database.silent or (self._database.doubted and not await self._gives_sign()):
            raise TimeoutError
        task = asyncio.ensure_future(work())
        task.add_done_callback(noted)
        try:
            await asyncio.wait({task}, timeout=min(_AT_ONCE, most))
            if task.done():
                return task.result()
            there = await self._gives_sign() and await self._sign_of_keys.given()
            if there:
                await asyncio.wait({task}, timeout=max(most - _AT_ONCE, 0.0))
            if task.done():
                return task.result()
            if there and most >= PATIENCE:  # whatever holds it up, nobody else need wait as long
                self._database.fell_silent()
            raise TimeoutError
        finally:
            task.cancel()

    async def begun(self, work: Callable[[], Awaitable[T]]) -> asyncio.Future[T] | None:
        """Begin what is to be done in any case, and wait for it as for other work; then it goes on by itself.

        Returns:
            What comes of it, maybe later; None where nothing was begun, as the database is not there.
        """
        doing: asyncio.Future[T] | None = None

        def begin() -> asyncio.Future[T]:
            nonlocal doing
            doing = asyncio.ensure_future(work())
            doing.add_done_callback(noted)
            return asyncio.shield(doing)

        with suppress(TimeoutError):
            await self.spent_on(begin)
        return doing

    async def _gives_sign(self) -> bool:
        there = await self._sign.given()
        if not there:
            self._database.fell_silent(rest=there is None)
        return bool(there)


class _Sign:
    """Whether a server is there; however many want to know, it is asked once at a time.

    Args:
        ask: waits for a sign of it.
    """

    def __init__(self, ask: Callable[[], bool]) -> None:
        self._ask = ask
        self._asking: asyncio.Future[bool] | None = None
        self._thread: ThreadPoolExecutor | None = None

    async def given(self) -> bool | None:
        """Whether it is there; None where it keeps silent."""
        asking = self._asking
        if asking is None or asking.done():
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, thread_name_prefix="omoide-sign")
            asking = self._asking = asyncio.get_running_loop().run_in_executor(self._thread, self._ask)
            asking.add_done_callback(noted)
        await asyncio.wait({asking}, timeout=_SIGN)
        return asking.result() if asking.done() else None


def noted(done: asyncio.Future[T]) -> None:
    """Take note of how it ended, also where nobody waits for it any more."""
    if not done.cancelled():
        done.exception()
