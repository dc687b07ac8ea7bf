"""Into the log: one exchange more, a conversation as its client shows it, or back to an earlier message.

Each call is one transaction, memories made by rule included, so that what was just said can be recalled and
nothing is ever half-written (design section 3, rulings 1 and 2).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from uuid import uuid4

from omoide.domain.instants import from_micros, to_micros, zone_of
from omoide.domain.model import Message, MessageState, Role
from omoide.domain.records import Entry
from omoide.errors import InvalidInput, UnknownMessage, UnknownSession
from omoide.retain.extraction.follow import follow
from omoide.retain.given import Given, content, known_by_id, note_felt, note_language, worth_keeping
from omoide.retain.links import link_felt
from omoide.retain.place import place_all
from omoide.retain.session import file_session, named_session, unnamed_session
from omoide.retain.silence import NONE, Silence, suppress_marks
from omoide.retain.sync import bring
from omoide.stores.scopes import uid_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omoide.domain.records import Logged
    from omoide.domain.redaction import Redaction
    from omoide.retain.episodes import Derived, Episodes
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

SESSION = "default"
"""The session of a caller that names none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """What a call did to the log and to memories.

    Attributes:
        session: the session's name.
        added, withdrawn: messages.
        blank: messages without anything visible, and those of the system, which are not kept.
        made, suppressed: memories that came, also those that came back, and those that went.
        messages: the ids of what was added, in order.
    """

    session: str
    added: int = 0
    withdrawn: int = 0
    blank: int = 0
    made: int = 0
    suppressed: int = 0
    messages: tuple[str, ...] = field(default=())


class Recorder:
    """Writes to the log, and lets memories follow in the same transaction.

    Args:
        store: where the log is.
        episodes: lets rule-made memories follow.
        redact: takes out what is never kept.
        zone: the zone of users that told none.
        quiet: microseconds after which a session's last words are settled.
    """

    def __init__(self, store: Store, episodes: Episodes, *, redact: Redaction, zone: str, quiet: int) -> None:
        self._store = store
        self._episodes = episodes
        self._redact = redact
        self._zone = zone_of(zone)
        self._quiet = quiet

    def observe(self, scope: ScopeRow, said: Sequence[Message], *, session: str | None) -> Recorded:
        """Continue a session with what was just said; all of it is settled at once (ruling 2)."""
        kept = self.worth_keeping(said)
        blank = len(said) - len(kept)
        name = session or SESSION
        if not kept:
            return Recorded(session=name, blank=blank)
        with self._store.write(scope) as unit:
            return replace(self.append(unit, kept, session=name), blank=blank)

    def worth_keeping(self, said: Sequence[Message]) -> list[Message]:
        """What is spoken by somebody, and has something visible in it, without what is never kept."""
        return worth_keeping(said, redact=self._redact)

    def append(
        self,
        unit: Unit,
        said: Sequence[Message],
        *,
        session: str,
        state: MessageState = MessageState.SETTLED,
        after: Logged | None = None,
    ) -> Recorded:
        """Continue a session within a transaction.

        Args:
            unit: the transaction.
            said: what is worth keeping.
            session: the session's name.
            state: provisional for words that may still be taken back, on which no memory rests. Those of the
                character leave open what they answer; all others settle what was said before.
            after: the message that it follows, where the session may have gone on since.
        """
        found = unit.sessions.find(session) or unit.sessions.start(session)
        new = self._unknown(unit, said, found.id)
        settles = state is MessageState.SETTLED or any(message.role is Role.USER for message in new)
        waiting = unit.log.provisional(besides=None if settles else found.id)
        before = None if after is None else unit.log.next_shown(found.id, after.position)
        if before is not None:  # what was said meanwhile goes on waiting for an answer of its own
            later = {message.id for message in unit.log.path(found.id, since=before.position)}
            waiting = [message for message in waiting if message.id not in later]
        if not new:
            return _recorded(session, unit, derived=self._settle(unit, waiting))
        derived = self._settle(unit, waiting, besides=found.id)
        shown = unit.sessions.showing([message.id for message in waiting]).get(found.id, set())
        changed = [message.position for message in waiting if message.id in shown]
        changed += [] if before is None else [before.position]
        since = unit.log.begin(found.id, before=min(changed, default=None))
        last = unit.log.last_settled()
        if after is None or before is None:
            entries = self._entries(unit, new, state, after=unit.log.last_position(found.id), before=None)
        else:
            entries = self._entries(unit, new, state, after=after.position, before=before.position)
        logged = unit.log.add(found.id, entries)
        note_felt(unit, zip(new, logged, strict=True))
        derived.append(self._episodes.derive(unit, found.id, unit.log.path(found.id, since=since)))
        if any(message.feeling is not None for message in new):
            link_felt(unit, derived[-1].made)
        unit.sessions.touch(found.id)
        note_language(unit, new)
        _counted(unit, logged if state is MessageState.SETTLED else (), last=last)
        return _recorded(session, unit, logged=logged, derived=derived)

    def sync(
        self,
        scope: ScopeRow,
        shown: Sequence[Message],
        *,
        session: str | None,
        live: bool = True,
        silence: Silence = NONE,
    ) -> Recorded:
        """Bring the log in line with the conversation as its client now shows it.

        Without a session's name the session is found by its words, and only its newest exchange may be
        replaced: an earlier departure opens a branch (ruling 1). The newest exchange stays provisional,
        unless the conversation is not live but a file. `silence` tells which messages of an export make no
        memory.
        """
        kept = worth_keeping(shown, redact=self._redact, marks=silence.messages)
        blank = len(shown) - len(kept)
        if not kept:
            return Recorded(session=session or "", blank=blank)
        with self._store.write(scope) as unit:
            derived = self._settle(unit, unit.log.provisional(before=unit.now - self._quiet))
            given = Given.read(unit, kept)
            if session is None:
                match = unnamed_session(unit, given, new_name=uuid4().hex)
            else:
                match = (named_session if live else file_session)(unit, session, given)
            derived += self._settle(unit, unit.log.provisional(besides=match.session.id))
            last = unit.log.last_settled()
            brought = bring(unit, match, given, live=live, zone=self._zone)
            if brought.added or brought.gone or brought.settled or brought.felt or match.branch:
                suppress_marks(unit, brought.added)
                gone = [message.id for message in brought.gone]
                back = [message.id for message in brought.settled]
                derived.append(self._episodes.derive(unit, match.session.id, brought.stretch, gone=gone))
                self._episodes.weigh(unit, brought.felt)
                silence.keep(unit, brought.added, derived[-1].made)
                derived.append(follow(unit, gone=gone, back=back, index=self._episodes.index))
                unit.sessions.touch(match.session.id)
                note_language(unit, kept)
                _counted(unit, brought.settled, last=last, gone=brought.gone)
            return _recorded(
                match.name,
                unit,
                logged=brought.added,
                withdrawn=brought.withdrawn,
                derived=derived,
                blank=blank,
            )

    def rewind(self, scope: ScopeRow, *, to: str, session: str | None = None) -> Recorded:
        """Take back everything that a session shows after a message (P16).

        Args:
            scope: whose log.
            to: the message's id, or the id that its source gave it; what stands after it goes.
            session: where the message stands in several sessions, which of them.
        """
        with self._store.write(scope) as unit:
            message, home = _message(unit, to)
            number = _session_of(unit, session, message, home)
            path = unit.log.path(number, since=message.position)
            place = next(place for place, logged in enumerate(path) if logged.id == message.id)
            return self._take_back(unit, [number], path[place + 1 :])

    def delete(self, scope: ScopeRow, message: str) -> Recorded:
        """Take one message back in every session that shows it, and what was remembered of it."""
        with self._store.write(scope) as unit:
            logged, _ = _message(unit, message)
            return self._take_back(unit, sorted(unit.sessions.showing([logged.id])), [logged])

    def settle(self, scope: ScopeRow) -> Recorded:
        """Settle what has been quiet for long enough."""
        with self._store.write(scope) as unit:
            derived = self._settle(unit, unit.log.provisional(before=unit.now - self._quiet))
            return _recorded("", unit, derived=derived)

    def _unknown(self, unit: Unit, said: Sequence[Message], session: int) -> list[Message]:
        """What is not in the log yet, so that a repeated call changes nothing (F87).

        Known is what carries an id that the log knows, in the same words, and what follows it there in the
        same words.

        Raises:
            InvalidInput: an id belongs to other words, or known words go on otherwise in the log.
        """
        new: list[Message] = []
        after: tuple[Logged, int] | None = None
        for message in said:
            known = known_by_id(unit, message, session)
            if known is None and message.external_id is None and after is not None:
                known = _going_on(unit, message, after, session)
            if known is None:
                new.append(self._dated(unit, message))
            after = known
        return new

    def _dated(self, unit: Unit, message: Message) -> Message:
        if message.at is not None:
            return message
        return replace(message, at=from_micros(unit.now).astimezone(self._zone))

    @staticmethod
    def _entries(
        unit: Unit, said: Sequence[Message], state: MessageState, *, after: int | None, before: int | None
    ) -> list[Entry]:
        given = Given.read(unit, said)
        dates = [None if message.at is None else to_micros(message.at) for message in said]
        places = place_all(dates, after=after, before=before, now=unit.now)
        return [
            Entry(message=message, speaker=speaker, position=place, hash=tag, state=_settled(message, state))
            for message, speaker, tag, place in zip(
                given.messages, given.speakers, given.hashes, places, strict=True
            )
        ]

    def _settle(self, unit: Unit, waiting: Sequence[Logged], *, besides: int | None = None) -> list[Derived]:
        """Settle messages, and remember them wherever they are shown, besides a session that goes on."""
        if not waiting:
            return []
        last = unit.log.last_settled()
        numbers = [message.id for message in waiting]
        unit.log.set_state(numbers, MessageState.SETTLED)
        position = {message.id: message.position for message in waiting}
        derived = []
        for session, shown in unit.sessions.showing(numbers).items():
            if session == besides:
                continue
            since = unit.log.begin(session, before=min(position[number] for number in shown))
            derived.append(self._episodes.derive(unit, session, unit.log.path(session, since=since)))
        derived.append(follow(unit, back=numbers, index=self._episodes.index))
        _counted(unit, waiting, last=last)
        return derived

    def _take_back(self, unit: Unit, shown_by: Sequence[int], gone: Sequence[Logged]) -> Recorded:
        numbers = [message.id for message in gone]
        derived, withdrawn = [], 0
        for session in shown_by if gone else ():
            withdrawn += len(unit.log.withdraw(session, numbers))
            since = unit.log.begin(session, before=min(message.position for message in gone))
            path = unit.log.path(session, since=since)
            derived.append(self._episodes.derive(unit, session, path, gone=numbers))
        derived.append(follow(unit, gone=numbers, index=self._episodes.index))
        _counted(unit, (), last=None, gone=gone)
        name = unit.sessions.name(shown_by[0])
        return _recorded(name, unit, withdrawn=withdrawn, derived=derived)


def _going_on(
    unit: Unit, message: Message, after: tuple[Logged, int], session: int
) -> tuple[Logged, int] | None:
    """What follows known words in the log, if that is this message; None where the session ends with them."""
    last, home = after
    following = unit.log.next_shown(home, last.position)
    if following is not None and following.hash == content(unit, message):
        return following, home
    if following is None and home == session:
        return None
    msg = (
        "known messages go on in other words in the log, or were said in another session, "
        f"got a {message.role.value}'s message without an id behind them; give it an id, or use `sync`"
    )
    raise InvalidInput(msg)


def _settled(message: Message, state: MessageState) -> MessageState:
    return MessageState.HIDDEN if message.hidden and state is MessageState.SETTLED else state


def _message(unit: Unit, name: str) -> tuple[Logged, int]:
    found = unit.log.called(name)
    if found is None or found[0].state is MessageState.WITHDRAWN:
        msg = f"no message has the id {name!r} in this scope; `omoide export` lists all of them"
        raise UnknownMessage(msg)
    return found


def _session_of(unit: Unit, name: str | None, message: Logged, home: int) -> int:
    """The session that is meant, which shows the message: by default the one it was said in."""
    showing = unit.sessions.showing([message.id])
    if name is None:
        return home if home in showing else min(showing)
    session = unit.sessions.find(name)
    if session is None or session.id not in showing:
        msg = f"the session {name!r} does not show that message; leave the session out, or name another"
        raise UnknownSession(msg)
    return session.id


def _counted(unit: Unit, settled: Iterable[Logged], *, last: int | None, gone: Iterable[Logged] = ()) -> None:
    """Let caches follow. They count what people said, and can only count on: else they start anew."""
    unit.change()
    late = any(m.role is Role.USER and last is not None and m.position <= last for m in settled)
    fewer = any(m.role is Role.USER and m.state is not MessageState.PROVISIONAL for m in gone)
    if late or fewer:
        unit.start_anew()


def _recorded(
    name: str,
    unit: Unit,
    *,
    logged: Sequence[Logged] = (),
    withdrawn: int = 0,
    derived: Sequence[Derived] = (),
    blank: int = 0,
) -> Recorded:
    ids = unit.log.uids([message.id for message in logged])
    return Recorded(
        session=name,
        added=len(logged),
        withdrawn=withdrawn,
        blank=blank,
        made=sum(len(step.made) + len(step.revived) for step in derived),
        suppressed=sum(len(step.suppressed) for step in derived),
        messages=tuple(uid_text(ids[message.id]) for message in logged),
    )
