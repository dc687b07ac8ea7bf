"""What is said in a chat goes into the log in order, and holds no reply up where the store is in trouble."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from omoide.domain.model import Message, Role
from omoide.domain.text import is_blank
from omoide.errors import InvalidInput, SealError, StoreError

if TYPE_CHECKING:
    from omoide.chat.ready import Ready
    from omoide.domain.session_state import SessionState
    from omoide.engine import Engine
    from omoide.retain.turns import Turns
    from omoide.scope import Scope
    from omoide.stores.scopes import ScopeRow

_log = logging.getLogger("omoide")

_WRITTEN_WITHIN: Final = 5.0
"""Seconds that the end of a turn waits until its reply is in the log; a store in trouble holds nobody up."""

Heard: TypeAlias = "asyncio.Future[tuple[ScopeRow, str | None]]"
"""A message on its way into the log: whose it is, and its id there; None where it is never kept."""


class Keeping:
    """Writes what is said. The next turn of a session waits for the reply before it.

    Args:
        engine: remembers.
        turns: writes to the log.
    """

    def __init__(self, engine: Engine, turns: Turns) -> None:
        self._engine = engine
        self._turns = turns
        self._storing: dict[tuple[str | None, str, str], asyncio.Future[bool]] = {}

    async def hear(self, ready: Ready) -> Heard | None:
        """Have the message written, and wait for that, but not for a lock that lasts: then it comes later."""

        async def written() -> tuple[ScopeRow, str | None]:
            before = self._storing.get((ready.scope.user, ready.scope.character, ready.session))
            if before is not None:  # nobody waits for it any more, but what is said stays in its order
                await asyncio.wait({before})
            return await self._engine.run(partial(self._heard, ready))

        try:
            heard = await self._engine.patience.begun(written)
        except StoreError as error:
            _log.error("a turn goes on without the store: %s", error)
            return None
        if heard is None or not heard.done():
            _log.error("a turn goes on before its message is in the store, which gives no answer")
        return heard

    def _heard(self, ready: Ready) -> tuple[ScopeRow, str | None]:
        row = self._engine.store.meet(ready.scope.user, ready.scope.character)
        return row, self._turns.hear(row, ready.said, session=ready.session)

    def reply(
        self, ready: Ready, heard: Heard | None, reply: str, state: SessionState | None
    ) -> asyncio.Future[bool] | None:
        """Write the reply after it has gone out, without a state where it broke off; tells whether it is."""
        if heard is None or is_blank(reply):
            return None
        said = Message(
            role=Role.CHARACTER,
            text=reply,
            name=ready.sheet.called,
            feeling=None if state is None else state.feeling,
        )
        key = ready.scope.user, ready.scope.character, ready.session
        stored = self._storing[key] = asyncio.get_running_loop().create_future()

        async def store(*, kept: bool = False) -> None:
            try:
                row, number = await heard
                kept = number is None or await self._engine.run(
                    lambda: self._turns.answer(row, said, to=number, session=ready.session, whole=bool(state))
                )
                self._engine.vectorise_soon(row)
                self._engine.worker.notice(row)
            except (StoreError, SealError, InvalidInput) as error:
                _log.error("a reply could not be kept: %s", error)
            finally:
                stored.set_result(kept)
                if self._storing.get(key) is stored:
                    del self._storing[key]

        self._engine.soon(store())
        return stored

    async def stored(self, scope: Scope, session: str) -> None:
        """Wait until the reply before is in the log, or the store is known to be silent."""
        storing = self._storing.get((scope.user, scope.character, session))
        if storing is not None:
            with suppress(TimeoutError):
                await self._engine.patience.spent_on(lambda: asyncio.shield(storing))

    async def written(self, stored: asyncio.Future[bool] | None) -> bool:
        """Whether a reply is in the log, after a while in which it should be."""
        if stored is None:
            return False
        with suppress(TimeoutError):
            await self._engine.patience.spent_on(lambda: asyncio.shield(stored), most=_WRITTEN_WITHIN)
        return stored.done() and stored.result()

    async def settled(self) -> None:
        """Wait until every reply that was given is in the log."""
        for storing in list(self._storing.values()):
            await asyncio.wait({storing})
