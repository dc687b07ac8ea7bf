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
from omoide.server.proxy.turns import reply_of

if TYPE_CHECKING:
    from omoide.recall.result import Recall
    from omoide.scope import Scope
    from omoide.server.proxy.turns import Turns
    from omoide.server.proxy.watch import Watcher

_log = logging.getLogger("omoide")
_late: set[asyncio.Task[str | None]] = set()
"""What is still being written after its turn went on; a task that nobody holds may vanish."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Minded:
    """What came to mind at a turn.

    Attributes:
        recall: the memories; None where there are none to be had.
        session: the session's name, which the log may have given it.
        note: what the response header says.
    """

    recall: Recall | None
    session: str | None
    note: str


async def mind(scope: Scope, turns: Turns, *, session: str | None, within: float) -> Minded:
    """Bring the log in line with what the client shows, and recall for its newest message.

    Args:
        scope: whose memory.
        turns: what the request shows.
        session: the client's own name for the session.
        within: seconds after which the turn goes on without memories; the log is still brought in line.
    """
    syncing = asyncio.create_task(_synced(scope, turns.talk, session))
    _late.add(syncing)
    syncing.add_done_callback(_late.discard)
    try:
        async with asyncio.timeout(within):
            known = await asyncio.shield(syncing)
            if turns.asked is None:
                return Minded(recall=None, session=known or session, note="skipped; no new message")
            recall = await scope.recall(turns.asked, session=known or session, rehearse=turns.turn)
    except TimeoutError:
        return Minded(recall=None, session=session, note="skipped; too slow")
    if recall.degraded and not recall.memories:
        return Minded(recall=recall, session=known or session, note="degraded; used=0")
    return Minded(recall=recall, session=known or session, note=f"used={recall.in_block}")


async def keep(scope: Scope, turns: Turns, watcher: Watcher, *, session: str | None) -> None:
    """Put a reply that came whole into the log, provisionally: the client may still swipe it."""
    reply = reply_of(watcher.text)
    if not turns.turn or not watcher.finished or not reply:
        return
    await _synced(scope, (*turns.talk, Message(role=Role.CHARACTER, text=reply)), session)


async def _synced(scope: Scope, talk: tuple[Message, ...], session: str | None) -> str | None:
    """The name of the session that the talk belongs to; None where it could not be written."""
    if not talk:
        return session
    try:
        return (await scope.sync(talk, session=session)).session
    except OmoideError as error:
        _log.error("the proxy could not keep what was said: %s", error)
    except Exception as error:  # noqa: BLE001 - the chat goes on, whatever is wrong with memory (F16)
        _log.error("the proxy could not keep what was said: %s", type(error).__name__)
    return None
