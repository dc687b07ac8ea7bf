"""One turn of a chat in the log: the user's words before a model is asked, the reply when it has come (H26).

Until the reply is there, the user's words are provisional: they survive whatever happens to the process, and
are settled by what comes next, but no memory rests on them. So an exchange written in two steps becomes one
episode.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from omoide.domain.model import MessageState, Role
from omoide.errors import InvalidInput
from omoide.retain.episodes import heard
from omoide.retain.given import known_by_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from omoide.domain.affect import Feeling
    from omoide.domain.model import Message
    from omoide.domain.records import Logged
    from omoide.retain.record import Recorder
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

_TOPICS_FROM = 20
"""Messages of the user that topics are taken from."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """What a session holds before a message is said.

    Attributes:
        turns: the last turns as they were said: who, in which role, and the words.
        whole: whether that is all that the session shows.
        said: the user's last words, the oldest first, also from before these turns.
        feeling: what the character felt last; None where nothing is known.
        warm_days: how warm talk was, over all sessions, by day since 1970.
        today: that day.
        answer: the reply to this very message, where it was answered before.
    """

    turns: tuple[tuple[Role, str], ...] = ()
    whole: bool = True
    said: tuple[str, ...] = ()
    feeling: Feeling | None = None
    warm_days: Mapping[int, float]
    today: int
    answer: str | None = None


class Turns:
    """Reads and writes the log for a chat.

    Args:
        store: where the log is.
        recorder: writes to it.
    """

    def __init__(self, store: Store, recorder: Recorder) -> None:
        self._store = store
        self._recorder = recorder

    def past(self, scope: ScopeRow, *, session: str, message: Message | None, turns: int) -> Past:
        """What stands before a message, up to so many messages of the user; None means one yet to come."""
        with self._store.read(scope) as unit:
            found = unit.sessions.find(session)
            known = None if message is None else _known(unit, message, session)
            today, warm = unit.now // 86_400_000_000, unit.states.warm_days()
            if found is None:
                return Past(warm_days=warm, today=today)
            path = _path(unit, found.id, turns=turns, until=known)
            texts = unit.texts.open(logged.id for logged in path)
            said = unit.texts.last_said(found.id, limit=_TOPICS_FROM)
            return Past(
                turns=tuple(
                    (logged.role, heard(logged, texts[logged.id])) for logged in path if logged.id in texts
                ),
                whole=sum(logged.role is Role.USER for logged in path) < turns,
                said=tuple(said),
                feeling=unit.states.feeling(found.id),
                warm_days=warm,
                today=today,
                answer=None if known is None else _answer(unit, found.id, known),
            )

    def hear(self, scope: ScopeRow, message: Message, *, session: str) -> str | None:
        """Note what the user said; what was said of an answer to it that broke off is taken back.

        Returns:
            The message's id; None where nothing of it is ever kept.

        Raises:
            InvalidInput: its source's id names another message.
        """
        kept = self._recorder.worth_keeping([message])
        if not kept:
            return None
        with self._store.write(scope) as unit:
            known = _known(unit, kept[0], session)
            if known is None:
                state = MessageState.PROVISIONAL
                return self._recorder.append(unit, kept, session=session, state=state).messages[0]
            found = unit.sessions.find(session)
            if found is not None:
                _take_back_broken(unit, found.id, known)
            return str(UUID(bytes=unit.log.uids([known.id])[known.id]))

    def answer(self, scope: ScopeRow, reply: Message, *, to: str, session: str, whole: bool = True) -> bool:
        """Note the reply to a message, which settles both; one that broke off leaves both open.

        It stands right after what it answers, also where the user has said more meanwhile.

        Returns:
            Whether it was noted: not where the message was taken back or answered meanwhile.
        """
        kept = self._recorder.worth_keeping([reply])
        with self._store.write(scope) as unit:
            found, shown = unit.log.find(UUID(to).bytes), unit.sessions.find(session)
            if not kept or found is None or shown is None or found[0].state is MessageState.WITHDRAWN:
                return False
            if _answer(unit, shown.id, found[0]) is not None:
                return False
            state = MessageState.SETTLED if whole else MessageState.PROVISIONAL
            _take_back_broken(unit, shown.id, found[0])
            self._recorder.append(unit, kept, session=session, state=state, after=found[0])
            return True


def _known(unit: Unit, message: Message, session: str) -> Logged | None:
    """The message in the log that is this one by its source's id."""
    home = unit.sessions.find(session)
    found = known_by_id(unit, message, None if home is None else home.id)
    if found is None:
        return None
    if home is None or found[1] != home.id:
        msg = f"the id {message.external_id!r} belongs to another message; give each message its own"
        raise InvalidInput(msg)
    return found[0]


def _path(unit: Unit, session: int, *, turns: int, until: Logged | None) -> Sequence[Logged]:
    """The last turns that a prompt shows, up to a message."""
    since = unit.log.shown_since(session, turns=turns if until is None else turns + 1)
    if since is None or not turns:
        return []
    path = [
        logged for logged in unit.log.path(session, since=since) if logged.state is not MessageState.HIDDEN
    ]
    return path if until is None else [logged for logged in path if logged.position < until.position]


def _answer(unit: Unit, session: int, message: Logged) -> str | None:
    """The whole reply to a message."""
    following = unit.log.next_shown(session, message.position)
    if following is None or following.role is not Role.CHARACTER or _is_open_reply(following):
        return None
    return unit.texts.open([following.id]).get(following.id)


def _take_back_broken(unit: Unit, session: int, message: Logged) -> None:
    """Take back what was said of an answer that broke off; no memory rests on it."""
    following = unit.log.next_shown(session, message.position)
    if following is not None and _is_open_reply(following):
        unit.log.withdraw(session, [following.id])
        unit.change()


def _is_open_reply(logged: Logged) -> bool:
    return logged.role is Role.CHARACTER and logged.state is MessageState.PROVISIONAL
