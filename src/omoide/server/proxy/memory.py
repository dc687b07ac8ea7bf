"""Memory around a proxied turn: what comes to mind before it, and what was said after it.

Nothing here may trouble the chat: whatever goes wrong, the request goes on as the client sent it, and a
response header says so.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain.model import Message, Role
from omoide.errors import OmoideError
from omoide.recall.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from omoide.recall.result import Recall
    from omoide.scope import Scope
    from omoide.server.proxy.conversations import Conversations
    from omoide.server.proxy.turns import Turns

_log = logging.getLogger("omoide")


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """What was written before a turn.

    Attributes:
        session: the session's name, which the log may have given it.
        turn: the turn's number; None where it is none, or could not be written.
        copied: whether the user's words are a copy of what was said before, and so a quiet prompt.
    """

    session: str | None
    turn: int | None = None
    copied: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Minded:
    """What came to mind at a turn.

    Attributes:
        recall: the memories; None where there are none to be had.
        written: the log brought in line, perhaps later than the turn goes on; somebody has to wait for it.
        note: what the response header says.
        spent: milliseconds by phase.
        late: whether the memories were not there in time.
    """

    recall: Recall | None
    written: asyncio.Task[Written]
    note: str
    spent: Mapping[str, float]
    late: bool = False

    @property
    def session(self) -> str | None:
        """The session's name, as far as it is known by now."""
        return self.written.result().session if self.written.done() else None


async def mind(
    scope: Scope, turns: Turns, *, session: str | None, within: float, conversations: Conversations
) -> Minded:
    """Recall for the newest message, and bring the log in line with what the client shows.

    The log comes first, for what the client has taken back must not come to mind. Only where the talk just
    goes on it has time until after the recall.

    Args:
        scope: whose memory.
        turns: what the request shows.
        session: the client's own name for the session.
        within: seconds after which the turn goes on without memories; the log is still brought in line.
        conversations: what else goes on.
    """
    watch = Watch()
    known = conversations.goes_on(scope, session, turns.talk) if turns.turn and turns.whole else None

    def write() -> asyncio.Task[Written]:
        return asyncio.create_task(_written(scope, turns, known or session, conversations))

    writing = write() if known is None else None
    recall: Recall | None = None
    late = False
    try:
        async with asyncio.timeout(within) as limit:
            copied = False
            if writing is not None:
                written = await asyncio.shield(writing)
                known, copied = written.session, written.copied
                watch.lap("sync")
            if turns.asked is not None and not copied:
                left = (limit.when() or 0.0) - asyncio.get_running_loop().time()
                recall = await scope.recall(turns.asked, session=known, rehearse=turns.turn, within=left)
                watch.lap("recall")
            note = _note(recall)
    except TimeoutError:
        note, late = "skipped; too slow", True
    return Minded(recall=recall, written=writing or write(), note=note, spent=watch.spent, late=late)


async def keep(
    scope: Scope,
    turns: Turns,
    reply: str,
    *,
    session: str | None,
    written: Written,
    conversations: Conversations,
) -> None:
    """Put a reply that came whole into the log, provisionally: the client may still swipe it.

    Where the session has had another turn since, as after a swipe before the reply was whole, the log is
    what that one shows.

    Args:
        scope: whose memory.
        turns: what the request showed.
        reply: to it.
        session: the client's own name for the session.
        written: what was written before the turn.
        conversations: what else goes on.
    """
    if written.copied:
        return
    said = Message(role=Role.CHARACTER, text=reply)
    async with conversations.order(scope):
        name, turn = written.session, written.turn
        if name is not None and turn is not None and not conversations.is_newest(scope, name, turn):
            return
        talk = (*turns.talk, said) if turns.whole else (said,)
        name = await _write(scope, talk, name, whole=turns.whole)
        if name is not None and turn is not None and turns.whole:
            conversations.leave(scope, session, talk, name=name, turn=turn)


def _note(recall: Recall | None) -> str:
    if recall is None:
        return "skipped; no new message"
    if recall.degraded and not recall.memories:
        return "degraded; used=0"
    return f"used={recall.in_block}"


async def _written(scope: Scope, turns: Turns, session: str | None, conversations: Conversations) -> Written:
    if turns.quiet:
        return Written(session=session)
    async with conversations.order(scope):
        if turns.alone is not None and await _is_copied(scope, turns.alone):
            return Written(session=session, copied=True)
        known = await _write(scope, turns.talk, session, whole=turns.whole)
        if known is None or not turns.turn:
            return Written(session=known or session)
        return Written(session=known, turn=conversations.begin(scope, known))


async def _is_copied(scope: Scope, said: str) -> bool:
    try:
        return await scope.repeats(said)
    except OmoideError as error:
        _log.error("the proxy could not look for what was said before: %s", error)
    return False


async def _write(scope: Scope, talk: Sequence[Message], session: str | None, *, whole: bool) -> str | None:
    """The name of the session that the talk belongs to; None where it could not be written."""
    if not talk:
        return session
    try:
        if whole:
            return (await scope.sync(talk, session=session)).session
        return (await scope.observe(messages=talk, session=session)).session
    except OmoideError as error:
        _log.error("the proxy could not keep what was said: %s", error)
    except Exception as error:  # noqa: BLE001 - the chat goes on, whatever is wrong with memory (F16)
        _log.error("the proxy could not keep what was said: %s", type(error).__name__)
    return None
