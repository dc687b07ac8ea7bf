"""Into the log: one exchange more, a conversation as its client shows it, or back to an earlier message.

Each call is one transaction, memories made by rule included, so that what was just said can be recalled and
nothing is ever half-written (design section 3, rulings 1 and 2).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from omoide.domain.exchanges import Spoken, exchanges
from omoide.domain.instants import from_micros, zone_of
from omoide.domain.model import Message, MessageState, Role
from omoide.domain.text import clean, is_blank, language
from omoide.errors import InvalidInput, UnknownMessage, UnknownSession
from omoide.retain.episodes import Derived
from omoide.retain.place import place_all
from omoide.retain.session import Match, shared_session, unnamed_session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.records import Entry, Logged, Session
    from omoide.retain.episodes import Episodes
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store, Unit

SESSION = "default"
"""The session of a caller that names none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """What a call did to the log and to memories.

    Attributes:
        session: the session's name.
        added, withdrawn: messages.
        blank: messages without anything visible, which are not kept.
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
        zone: the zone of users that told none.
        quiet: microseconds after which a session's last words are settled.
    """

    def __init__(self, store: Store, episodes: Episodes, *, zone: str, quiet: int) -> None:
        self._store = store
        self._episodes = episodes
        self._zone = zone_of(zone)
        self._quiet = quiet

    def observe(self, scope: ScopeRow, said: Sequence[Message], *, session: str | None) -> Recorded:
        """Continue a session with what was just said; all of it is settled at once (ruling 2)."""
        kept = _cleaned(said)
        name = session or SESSION
        if not kept:
            return Recorded(session=name, blank=len(said))
        with self._store.write(scope) as unit:
            found = unit.log.session(name) or unit.log.start(name)
            kept = self._unknown(unit, [self._dated(unit, message) for message in kept])
            derived = self._settle(unit, besides=found.id)
            begin = unit.log.last_begin(found.id)
            own = self._settle_own(unit, found.id, begin)
            entries = self._entries(unit, found.id, kept, MessageState.SETTLED)
            logged = unit.log.add(found.id, entries)
            path = unit.log.path(found.id, since=begin)
            derived.append(self._episodes.derive(unit, found.id, path))
            self._finish(unit, found.id, logged, kept)
            return _recorded(name, unit, logged=logged, derived=[*derived, *own], blank=len(said) - len(kept))

    def sync(
        self, scope: ScopeRow, shown: Sequence[Message], *, session: str | None, live: bool = True
    ) -> Recorded:
        """Bring the log in line with the conversation as its client now shows it.

        Without a session's name the session is found by its words, and only its newest exchange may be
        replaced: an earlier departure opens a branch (ruling 1). The newest exchange stays provisional, unless
        the conversation is not live but a file.
        """
        kept = _cleaned(shown)
        if not kept:
            return Recorded(session=session or "", blank=len(shown))
        with self._store.write(scope) as unit:
            speakers = self._speakers(unit, kept)
            hashes = [self._hash(unit, message) for message in kept]
            match = self._match(unit, session, kept, hashes)
            result = self._bring(unit, match, kept, speakers, hashes, live=live)
            return replace(result, blank=len(shown) - len(kept))

    def rewind(self, scope: ScopeRow, *, to: str, session: str | None = None) -> Recorded:
        """Take back everything that a session shows after a message (P16).

        Args:
            scope: whose log.
            to: the message's id, or the id that its source gave it; what stands after it goes.
            session: where the message stands in several sessions, which of them.
        """
        with self._store.write(scope) as unit:
            message, home = self._message(unit, to)
            number = self._session_of(unit, session, message, home)
            path = unit.log.path(number)
            place = next(place for place, logged in enumerate(path) if logged.id == message.id)
            return self._take_back(unit, number, path, [logged.id for logged in path[place + 1 :]])

    def delete(self, scope: ScopeRow, message: str) -> Recorded:
        """Take one message back, and what was remembered of it with it."""
        with self._store.write(scope) as unit:
            logged, home = self._message(unit, message)
            return self._take_back(unit, home, unit.log.path(home), [logged.id])

    def settle(self, scope: ScopeRow) -> Recorded:
        """Settle what has been quiet for long enough."""
        with self._store.write(scope) as unit:
            derived = self._settle(unit, before=unit.now - self._quiet)
            return _recorded("", unit, derived=derived)

    def _dated(self, unit: Unit, message: Message) -> Message:
        if message.at is not None:
            return message
        return replace(message, at=from_micros(unit.now).astimezone(self._zone))

    def _unknown(self, unit: Unit, said: Sequence[Message]) -> list[Message]:
        """Those whose source's id is not in the log yet, so that a repeated call changes nothing."""
        return [
            message
            for message in said
            if message.external_id is None or unit.log.find_external(message.external_id) is None
        ]

    def _entries(self, unit: Unit, session: int, said: Sequence[Message], state: MessageState) -> list[Entry]:
        speakers = self._speakers(unit, said)
        last = unit.log.last_position(session)
        hashes = [self._hash(unit, message) for message in said]
        return place_all(said, speakers=speakers, hashes=hashes, after=last, now=unit.now, state=state)

    def _speakers(self, unit: Unit, said: Sequence[Message]) -> list[int]:
        known: dict[tuple[str, Role, str | None], int] = {}
        for message in said:
            key = (message.speaker, message.role, message.name)
            if key not in known:
                known[key] = unit.people.resolve(
                    message.speaker or self._own_name(unit, message.role),
                    role=message.role,
                    name=message.name,
                    now=unit.now,
                )
        return [known[message.speaker, message.role, message.name] for message in said]

    @staticmethod
    def _own_name(unit: Unit, role: Role) -> str:
        own = unit.scope.user if role is Role.USER else unit.scope.character
        if own is None:
            msg = f"the scope of {unit.scope.character!r} alone has no user; name the speaker of each message"
            raise InvalidInput(msg)
        return own

    @staticmethod
    def _hash(unit: Unit, message: Message) -> bytes:
        speaker = message.speaker if message.speaker not in (unit.scope.user, unit.scope.character) else ""
        return unit.scope.blinder.tag(
            f"{message.role.value}\x1f{speaker}\x1f{message.text}", purpose="content"
        )

    def _match(
        self, unit: Unit, name: str | None, shown: Sequence[Message], hashes: Sequence[bytes]
    ) -> Match:
        if name is None:
            return unnamed_session(unit, hashes, new_name=uuid4().hex)
        found = unit.log.session(name)
        if found is not None:
            return Match.of(found, name, unit.log.path(found.id), hashes)
        return shared_session(unit, name, shown, hashes)

    def _bring(
        self,
        unit: Unit,
        match: Match,
        shown: Sequence[Message],
        speakers: Sequence[int],
        hashes: Sequence[bytes],
        *,
        live: bool,
    ) -> Recorded:
        session, path = match.session.id, match.path
        derived = self._settle(unit, besides=session)
        if match.branch:
            kept = [path[step.logged] for step in match.alignment.steps if step.logged is not None]
            unit.log.show(session, kept)
            gone: list[Logged] = []
        else:
            gone = [path[place] for place in match.alignment.withdrawn]
        withdrawn = unit.log.withdraw(session, [message.id for message in gone])
        added = self._insert(unit, match, shown, speakers, hashes)
        now = unit.log.path(session)
        marked = self._mark(unit, now, shown=shown, hashes=hashes, live=live)
        first = min((message.position for message in (*gone, *added, *marked)), default=None)
        if first is not None:
            changed = _from(unit.log.path(session), first)
            gone_numbers = [message.id for message in gone]
            derived.append(self._episodes.derive(unit, session, changed, gone=gone_numbers))
            self._finish(unit, session, added, shown)
        if withdrawn:
            unit.start_anew()
        return _recorded(match.name, unit, logged=added, withdrawn=len(withdrawn), derived=derived)

    def _insert(
        self,
        unit: Unit,
        match: Match,
        shown: Sequence[Message],
        speakers: Sequence[int],
        hashes: Sequence[bytes],
    ) -> list[Logged]:
        """Write what is new, each at its place; what was withdrawn before and is shown again comes back."""
        entries = match.entries(shown, speakers=speakers, hashes=hashes, now=unit.now, zone=self._zone)
        back = unit.log.withdrawn(match.session.id) if match.alignment.withdrawn or match.path else {}
        new, again = [], []
        for entry in entries:
            old = back.pop((entry.hash, entry.position), None)
            if old is None:
                new.append(entry)
            else:
                again.append(old)
        unit.log.set_state([old.id for old in again], MessageState.PROVISIONAL)
        unit.log.show(match.session.id, again)
        if again:
            unit.start_anew()
        return [*unit.log.add(match.session.id, new), *again]

    def _mark(
        self,
        unit: Unit,
        path: Sequence[Logged],
        *,
        shown: Sequence[Message],
        hashes: Sequence[bytes],
        live: bool,
    ) -> list[Logged]:
        """Settle all but the newest exchange, and hide what the client hides; returns what changed."""
        hidden = {content for message, content in zip(shown, hashes, strict=True) if message.hidden}
        spans = _spans(path)
        open_from = spans[-1].start if spans and live else len(path)
        changed: dict[MessageState, list[Logged]] = {}
        for place, message in enumerate(path):
            state = _state(message, newest=place >= open_from, hidden=message.hash in hidden)
            if state is not message.state:
                changed.setdefault(state, []).append(message)
        for state, marked in changed.items():
            unit.log.set_state([message.id for message in marked], state)
        return [message for marked in changed.values() for message in marked]

    def _settle(self, unit: Unit, *, besides: int | None = None, before: int | None = None) -> list[Derived]:
        waiting = unit.log.provisional(besides=besides, before=before)
        unit.log.set_state([message.id for _, message in waiting], MessageState.SETTLED)
        derived = []
        for session in dict.fromkeys(session for session, _ in waiting):
            begin = min(message.position for number, message in waiting if number == session)
            derived.append(self._episodes.derive(unit, session, unit.log.path(session, since=begin)))
        if waiting:
            unit.change()
            unit.start_anew()
        return derived

    def _settle_own(self, unit: Unit, session: int, begin: int | None) -> list[Derived]:
        """A session that is continued settles its own newest exchange first."""
        if begin is None:
            return []
        path = unit.log.path(session, since=begin)
        waiting = [message.id for message in path if message.state is MessageState.PROVISIONAL]
        if not waiting:
            return []
        unit.log.set_state(waiting, MessageState.SETTLED)
        unit.change()
        unit.start_anew()
        return [self._episodes.derive(unit, session, unit.log.path(session, since=begin))]

    def _take_back(self, unit: Unit, session: int, path: Sequence[Logged], gone: Sequence[int]) -> Recorded:
        withdrawn = unit.log.withdraw(session, gone)
        rest = [message for message in path if message.id not in set(gone)]
        waiting = [message.id for message in rest if message.state is MessageState.PROVISIONAL]
        unit.log.set_state(waiting, MessageState.SETTLED)
        derived = self._episodes.derive(unit, session, unit.log.path(session), gone=gone)
        unit.change()
        unit.start_anew()
        name = unit.log.session_names()[session]
        return _recorded(name, unit, withdrawn=len(withdrawn), derived=[derived])

    @staticmethod
    def _message(unit: Unit, name: str) -> tuple[Logged, int]:
        try:
            found = unit.log.find(UUID(name).bytes)
        except ValueError:
            found = None
        found = found or unit.log.find_external(name)
        if found is None:
            msg = f"no message has the id {name!r} in this scope; `omoide export` lists all of them"
            raise UnknownMessage(msg)
        return found

    @staticmethod
    def _session_of(unit: Unit, name: str | None, message: Logged, home: int) -> int:
        if name is None:
            return home
        session: Session | None = unit.log.session(name)
        if session is None or session.id not in unit.log.sessions_showing([message.id]):
            msg = f"the session {name!r} does not show that message; leave the session out, or name another"
            raise UnknownSession(msg)
        return session.id

    def _finish(self, unit: Unit, session: int, logged: Sequence[Logged], said: Sequence[Message]) -> None:
        unit.change()
        unit.log.touch(session)
        last = unit.log.last_position()
        if logged and last is not None and any(message.position < last for message in logged[:-1]):
            unit.start_anew()
        spoken = next(
            (message.text for message in said if message.role is Role.USER), said[0].text if said else ""
        )
        if unit.described()[0] is None and spoken:
            unit.describe(language=language(spoken))


def _cleaned(said: Sequence[Message]) -> list[Message]:
    """What is worth keeping: spoken by somebody, with something visible in it."""
    cleaned = [
        replace(message, text=clean(message.text)) for message in said if message.role is not Role.SYSTEM
    ]
    return [message for message in cleaned if not is_blank(message.text)]


def _state(message: Logged, *, newest: bool, hidden: bool) -> MessageState:
    if hidden:
        return MessageState.HIDDEN
    if newest and message.state is MessageState.PROVISIONAL:
        return MessageState.PROVISIONAL
    return MessageState.SETTLED


def _spans(path: Sequence[Logged]) -> list[range]:
    return exchanges([Spoken(speaker=message.speaker, role=message.role) for message in path])


def _from(path: Sequence[Logged], position: int) -> Sequence[Logged]:
    """The path from the exchange on that stands before the first one that a change at a position touches."""
    starts = [span.start for span in _spans(path) if path[span.start].position <= position]
    return path[starts[-2] :] if len(starts) > 1 else path


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
        messages=tuple(str(UUID(bytes=ids[message.id])) for message in logged),
    )
