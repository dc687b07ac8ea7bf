"""The worker: reads what was said, window after window, after the replies have gone out (P2, P3).

The log is the queue: what is to be read is what no window holds, so a crash loses nothing. One worker at a
time reads a scope, under a lease; a window that was taken over meanwhile is written by nobody but its new
holder, because closing it compares the attempt in the same transaction.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol
from uuid import uuid4

from omoide.domain.chat import ChatModel, ChatModels, Task, Usage
from omoide.domain.windows import Window, next_window
from omoide.errors import (
    LeasesUnavailable,
    ModelError,
    OmoideError,
    StoreError,
    StoreLost,
    Superseded,
    TokensSpent,
    UnknownScope,
)
from omoide.stores.copies import catch_up
from omoide.stores.leases import RENEW
from omoide.stores.windows import behind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from omoide.config import Settings
    from omoide.retain.embed import Run
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

_log = logging.getLogger("omoide")

_MINUTE = 60_000_000
_FIRST_WAIT = _MINUTE
"""Microseconds before the second try of a window; each further wait is twice as long."""

_LONGEST_WAIT = 6 * 60 * _MINUTE
_BLOCKS = 3
"""Tries of a window for which later ones of its scope wait; then they go past it."""

_SOON = 0.25
"""Seconds between news and the look that they bring."""

_LOOK_EVERY = 30.0
"""Seconds between looks for work that nobody told of."""


class Extracted(Protocol):
    """What an extraction has brought."""

    @property
    def usage(self) -> Usage:
        """What reading cost."""

    @property
    def scoring(self) -> Usage:
        """What scoring by a model cost."""

    @property
    def kept(self) -> Mapping[str, int]:
        """How many items were kept, by kind."""

    @property
    def dropped(self) -> Mapping[str, int]:
        """How many were dropped, by reason."""


class Extractor(Protocol):
    """Reads one window with a model, and writes what comes of it in one transaction with its closing."""

    async def extract(self, scope: ScopeRow, window: Window, model: ChatModel) -> Extracted:
        """Read a window.

        Raises:
            ModelError: the model gave nothing that can be used; nothing was written.
            Superseded: the window was taken over meanwhile; nothing was written.
        """


class Leases(Protocol):
    """Who reads a scope now. The methods block."""

    def check(self) -> None:
        """See that leases can be had.

        Raises:
            LeasesUnavailable: they cannot.
        """

    def take(self, scope: ScopeRow, token: str) -> bool:
        """Take the lease of a scope; False while somebody else holds it."""

    def renew(self, scope: ScopeRow, token: str) -> bool:
        """Prolong it; False if it is not held any more."""

    def give_back(self, scope: ScopeRow, token: str) -> None:
        """Give it back, if it is still held."""


class Outcome(StrEnum):
    """How reading a window ended."""

    READ = "read"
    FAILED = "failed"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowRun:
    """One window that was read, or failed.

    Attributes:
        scope: whose it is.
        window: its number.
        outcome: how it ended.
        failure: why it failed, without words of the conversation.
        usage: what it cost.
        kept, dropped: items by kind, and by reason.
    """

    scope: ScopeRow
    window: int
    outcome: Outcome
    failure: str | None = None
    usage: Usage = field(default_factory=Usage)
    kept: Mapping[str, int] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)


class Worker:
    """Extracts memories from what was said, scope by scope.

    Args:
        store: where the log is.
        extractor: reads one window.
        models: which model does it, at this moment.
        leases: who reads a scope now.
        settings: window sizes, deadlines and limits.
        run: runs a blocking function in a thread.
    """

    def __init__(
        self,
        store: Store,
        extractor: Extractor,
        models: ChatModels,
        leases: Leases,
        *,
        settings: Settings,
        run: Run,
    ) -> None:
        self._store = store
        self._extractor = extractor
        self._models = models
        self._leases = leases
        self._settings = settings
        self._thread = run
        self._waiting: dict[bytes, ScopeRow] = {}
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._waits_for = ""

    def notice(self, scope: ScopeRow) -> None:
        """Note that something was said in a scope; `run` will look at it soon."""
        self._waiting[scope.uid] = scope
        self._wake.set()

    async def run(self, stop: asyncio.Event, *, told: Callable[[WindowRun], None] = lambda _: None) -> None:
        """Work until told to stop; what is under way then is finished or left for the next start.

        Nothing that goes wrong with one scope ends the work. `told` hears of each window.
        """
        self._stop = stop
        stopping = asyncio.create_task(stop.wait())
        try:
            full = True
            while not stop.is_set():
                if full:
                    await self._catch_up()
                self._note(await self._look(told, full=full))
                full = not await self._told(stopping)
        finally:
            stopping.cancel()

    async def once(self, *, told: Callable[[WindowRun], None] = lambda _: None) -> list[WindowRun]:
        """Read everything that is due in all scopes, and say how it went; `told` hears of each window.

        Raises:
            OmoideError: some of it could not be read; `told` has heard of the rest.
        """
        runs: list[WindowRun] = []

        def tell(run: WindowRun) -> None:
            runs.append(run)
            told(run)

        unread = await self._look(tell, full=True)
        if unread is not None:
            raise unread
        return runs

    async def scope(
        self, scope: ScopeRow, *, told: Callable[[WindowRun], None] = lambda _: None
    ) -> list[WindowRun]:
        """Read everything that is due in one scope; nothing if somebody else is reading it."""
        if self._settings.extraction == "off":
            return []
        async with self._leased(scope) as held:
            return await self._windows(scope, held, told) if held is not None else []

    async def _catch_up(self) -> None:
        """Bring to an index outside of the store what could not be brought there at once."""
        if self._store.index.in_process:
            return
        try:
            await self._thread(lambda: catch_up(self._store))
        except OmoideError as error:
            _log.warning("copies of vectors wait: %s", error)

    async def _told(self, stopping: asyncio.Task[bool]) -> bool:
        """Wait for news, the next look or the end; whether there were news."""
        waking = asyncio.create_task(self._wake.wait())
        await asyncio.wait({waking, stopping}, timeout=_LOOK_EVERY, return_when=asyncio.FIRST_COMPLETED)
        waking.cancel()
        told = self._wake.is_set()
        if told:  # more may be on its way, and is read together
            await asyncio.wait({stopping}, timeout=_SOON)
        self._wake.clear()
        return told

    async def _look(self, told: Callable[[WindowRun], None], *, full: bool) -> OmoideError | None:
        """Read what is due; what kept it from reading all of it, if anything did."""
        try:
            if await self._models.model(Task.EXTRACTION) is None or self._settings.extraction == "off":
                return None
            found = {scope.uid: scope for scope in await self._thread(self._behind)} if full else {}
        except OmoideError as error:
            return error
        found |= self._waiting
        self._waiting = {}
        unread: OmoideError | None = None
        for scope in found.values():
            if self._stop.is_set():
                break
            try:
                await self.scope(scope, told=told)
            except UnknownScope:
                continue  # erased meanwhile
            except OmoideError as error:
                unread = error
                if isinstance(error, TokensSpent | LeasesUnavailable | StoreLost):
                    break  # of the others none can be read either
        return unread

    def _note(self, unread: OmoideError | None) -> None:
        """Tell why something is not read; once, for it may be so all day."""
        reason = "" if unread is None else str(unread)
        if reason and reason != self._waits_for:
            _log.warning("extraction waits: %s", reason)
        self._waits_for = reason

    def _behind(self) -> list[ScopeRow]:
        with self._store.database.read() as connection:
            wanted = set(behind(connection, tenant=self._store.tenant))
            return [scope for scope in self._store.scopes.all(connection) if scope.uid in wanted]

    async def _windows(
        self, scope: ScopeRow, lost: asyncio.Event, told: Callable[[WindowRun], None]
    ) -> list[WindowRun]:
        runs: list[WindowRun] = []
        while not lost.is_set():
            # Before a window is begun: that no model can be asked is no fault of the window's.
            try:
                model = await self._models.model(Task.EXTRACTION)
            except ModelError:
                if runs:  # which are told of; the next look finds out why no more can be read
                    break
                raise
            window = None if model is None else await self._thread(lambda: self._next(scope))
            if model is None or window is None:
                break
            runs.append(await self._read(scope, window, model, lost))
            told(runs[-1])
            if runs[-1].outcome is not Outcome.READ or self._stop.is_set():
                break
        return runs

    def _next(self, scope: ScopeRow) -> Window | None:
        """The next window to read: one that failed and is due, or a new one."""
        with self._store.write(scope) as unit:
            revision = unit.windows.revision()
            window = unit.windows.again()
            if window is not None:
                return window
            if unit.windows.blocked(attempts=_BLOCKS):
                return None
            uncovered, newest = unit.windows.uncovered()
            rest = self._settings.window_quiet_minutes * _MINUTE
            quiet = newest is not None and newest + rest <= unit.now
            held = next_window(uncovered, size=self._settings.window, quiet=quiet)
            if held:
                return unit.windows.open(held)
            if not uncovered and not unit.windows.any_waiting():
                unit.windows.caught_up(revision)
            return None

    async def _read(
        self, scope: ScopeRow, window: Window, model: ChatModel, lost: asyncio.Event
    ) -> WindowRun:
        reading = asyncio.create_task(self._extract(scope, window, model))
        losing = asyncio.create_task(lost.wait())
        try:
            await asyncio.wait(
                {reading, losing},
                timeout=self._settings.window_seconds,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if reading.done():
                return reading.result()
            if lost.is_set():
                return WindowRun(scope=scope, window=window.id, outcome=Outcome.SUPERSEDED)
            return await self._failed(
                scope, window, f"it took more than {self._settings.window_seconds:g} seconds"
            )
        finally:
            losing.cancel()
            reading.cancel()
            with suppress(asyncio.CancelledError, OmoideError):
                await reading

    async def _extract(self, scope: ScopeRow, window: Window, model: ChatModel) -> WindowRun:
        try:
            found = await self._extractor.extract(scope, window, model)
        except Superseded:
            return WindowRun(scope=scope, window=window.id, outcome=Outcome.SUPERSEDED)
        except ModelError as error:
            return await self._failed(scope, window, f"{type(error).__name__}: {error}")
        except OmoideError:
            raise  # of the store, say: no fault of the window's
        except Exception as error:  # noqa: BLE001 - it stops one window, not all reading; its words may be a user's
            return await self._failed(scope, window, f"a fault of its own: {type(error).__name__}")
        return WindowRun(
            scope=scope,
            window=window.id,
            outcome=Outcome.READ,
            usage=found.usage + found.scoring,
            kept=found.kept,
            dropped=found.dropped,
        )

    async def _failed(self, scope: ScopeRow, window: Window, failure: str) -> WindowRun:
        wait = min(_FIRST_WAIT * 2 ** (window.attempts - 1), _LONGEST_WAIT)

        def note() -> None:
            with self._store.write(scope) as unit:
                unit.windows.fail(window, failure=failure, next_try=unit.now + wait)

        await self._thread(note)
        _log.warning("a window failed at attempt %d: %s", window.attempts, failure)
        return WindowRun(scope=scope, window=window.id, outcome=Outcome.FAILED, failure=failure)

    @asynccontextmanager
    async def _leased(self, scope: ScopeRow) -> AsyncIterator[asyncio.Event | None]:
        """Hold the scope's lease; gives an event that is set if it is lost, or None if it was not free."""
        token, lost = uuid4().hex, asyncio.Event()
        if not await self._thread(lambda: self._leases.take(scope, token)):
            _log.info("a scope is being read by another worker")
            yield None
            return
        beating = asyncio.create_task(self._beat(scope, token, lost))
        try:
            yield lost
        finally:
            beating.cancel()
            with suppress(asyncio.CancelledError):
                await beating
            with suppress(StoreError):  # it expires by itself
                await self._thread(lambda: self._leases.give_back(scope, token))

    async def _beat(self, scope: ScopeRow, token: str, lost: asyncio.Event) -> None:
        while not lost.is_set():
            await asyncio.sleep(RENEW)
            try:
                held = await self._thread(lambda: self._leases.renew(scope, token))
            except StoreError:
                continue  # it lives for two more beats
            if not held:
                lost.set()
