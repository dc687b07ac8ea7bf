"""A character's past as its author writes it, and what moves along with the events it tells of (K2 to K6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omoide.domain.diary import Unwritten
from omoide.domain.instants import from_micros, zone_of
from omoide.domain.model import Origin, Status
from omoide.domain.text import composed, language
from omoide.errors import InvalidInput
from omoide.retain.accounts import Accounts
from omoide.retain.circles import check_circles
from omoide.retain.drafting import draft_of
from omoide.retain.links import link
from omoide.retain.placing import at, cleaned, follow, is_same, note_of, unwritten
from omoide.retain.shared_events import CURRENT, SharedEvents
from omoide.stores.events import Presence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from sqlalchemy import Connection

    from omoide.domain.diary import Diary, Life
    from omoide.domain.event import Event
    from omoide.domain.model import Past
    from omoide.domain.records import Draft, Opened
    from omoide.domain.redaction import Redaction
    from omoide.retain.episodes import Episodes
    from omoide.retain.noted import Noted
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit


@dataclass(frozen=True, kw_only=True, slots=True)
class _Writing:
    """What one call of `write` goes by."""

    life: Life
    today: date
    accounts: Accounts
    origin: Origin
    status: Status


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    """A diary about to be written: its id where it is here already unchanged, else its draft."""

    id: str | None = None
    draft: Draft | None = None
    instead_of: int | None = None


class Author:
    """Writes characters' pasts and shared events, each call in one transaction.

    Args:
        store: where they go.
        episodes: makes them found by words.
        redact: takes out what is never kept.
        zone: where the authors' today is.

    Attributes:
        shared: the events that several pasts share.
    """

    def __init__(self, store: Store, episodes: Episodes, *, redact: Redaction, zone: str) -> None:
        self._store = store
        self.shared = SharedEvents(store, zone=zone)
        self._episodes = episodes
        self._redact = redact
        self._zone = zone

    def write(
        self,
        scope: ScopeRow,
        diaries: Sequence[Diary],
        *,
        life: Life | None = None,
        origin: Origin = Origin.AUTHORED,
        status: Status = Status.CONFIRMED,
    ) -> list[str]:
        """Write memories of a character's own past, all or none; returns their ids in the same order.

        One whose id is known already is changed; one that is as it was stays.

        Raises:
            InvalidInput: it cannot be, see `Diary.check`, `lived` and `Accounts.join`; the scope is a user's,
                an event is unknown, or two diaries have the same id.
        """
        with self._store.write(scope) as unit:
            return self.write_in(unit, diaries, life=life, origin=origin, status=status)

    def write_in(
        self,
        unit: Unit,
        diaries: Sequence[Diary],
        *,
        life: Life | None = None,
        origin: Origin = Origin.AUTHORED,
        status: Status = Status.CONFIRMED,
    ) -> list[str]:
        """The same within a transaction that is open already."""
        life = Unwritten() if life is None else life
        _check_scope(unit.scope)
        _check_ids(diaries)
        writing = _Writing(
            life=life,
            today=self._today(unit.now),
            accounts=Accounts(unit, self._store),
            origin=origin,
            status=status,
        )
        self._place_in_life(unit, life, writing.today)
        if diaries and unit.described()[0] is None:
            unit.describe(language=language(diaries[0].text))
        check_circles(diaries, lambda called: self._past_of(unit, called))
        entries = [self._entry(unit, diary, writing) for diary in diaries]
        return self._written(unit, entries, writing.accounts)

    def add_events(
        self, events: Sequence[Event], *, lives: Mapping[str, Life] | None = None
    ) -> list[ScopeRow]:
        """Write shared events, all or none; one whose name is known already is changed.

        Whoever tells of one that is moved tells of it as it is now: day, place and age that were worked out
        move along.

        Args:
            events: which.
            lives: what is known of participants, by name; their ages then are derived from it.

        Raises:
            InvalidInput: it was before a participant's birth, somebody who has told of it is left out, or
                somebody's account says otherwise.

        Returns:
            The scopes whose memories moved along.
        """
        with self._store.database.write() as connection:
            self.shared.put_in(connection, events, lives=lives)
            moved = self.follow_in(connection, events, lives=lives)
        for row in moved:
            self._store.index.settle(row)
        return moved

    def follow_in(
        self, connection: Connection, events: Sequence[Event], *, lives: Mapping[str, Life] | None = None
    ) -> list[ScopeRow]:
        """Bring what tells of events into line with them, within a transaction that is open already."""
        births = {composed(name): life.birthday for name, life in (lives or {}).items()}
        rows = self._store.events(connection)
        moved: dict[int, ScopeRow] = {}
        known = {one.id: one for one in self._store.scopes.all(connection)} if events else {}
        for found in filter(None, (rows.find(event.name) for event in events)):
            for number, memories in rows.telling(found[0]).items():
                row = known.get(number)
                if row is None:
                    continue
                self._store.database.also(connection, scope=row.id)
                unit, birthday = self._store.unit(connection, row), births.get(row.character)
                if self._brought_into_line(unit, found[1], memories, birthday):
                    moved[number] = row
        return list(moved.values())

    def follow_back(self, unit: Unit, memory: int) -> None:
        """Bring a memory that came back into line with its event, which may have been moved meanwhile.

        Raises:
            InvalidInput: its author says otherwise.
        """
        rows = self._store.events(unit.connection)
        number = rows.told_by(memory)
        for event in rows.of([] if number is None else [number]).values():
            self._brought_into_line(unit, event, [memory], None)

    def _brought_into_line(
        self, unit: Unit, event: Event, memories: Sequence[int], birthday: date | None
    ) -> bool:
        """Let one character's memories tell of an event as it is now; whether anything changed."""
        today, character = self._today(unit.now), unit.scope.character
        notes: list[tuple[Opened, Noted]] = []
        for one in self._open(unit, memories):
            if one.memory.status not in CURRENT:
                continue
            try:
                note = follow(one.memory, event, birthday=birthday, today=today)
            except InvalidInput as error:
                msg = f"what {character!r} tells of the event {event.name!r} says otherwise: {error}"
                raise InvalidInput(msg) from error
            if note is not None:
                notes.append((one, note))
        if not notes:
            return False
        accounts = Accounts(unit, self._store)
        self._written(unit, [self._moved(unit, *one, accounts) for one in notes], accounts)
        return True

    def _moved(self, unit: Unit, old: Opened, note: Noted, accounts: Accounts) -> _Entry:
        event = accounts.join(note.event, note.past, instead_of=old.number)
        draft = draft_of(unit, note, redact=self._redact, event=event)
        return _Entry(draft=replace(draft, status=old.memory.status), instead_of=old.number)

    def _place_in_life(self, unit: Unit, life: Life, today: date) -> None:
        """Note how old a character was at its events, as soon as its birthday is known."""
        if life.birthday is None:
            return
        rows, name = self._store.events(unit.connection), unit.scope.character
        for number, event in rows.unplaced(name):
            presence = rows.presence(number, name) or Presence()
            rows.put(number, name, at(event, name, life.birthday, today, presence))

    def _entry(self, unit: Unit, diary: Diary, writing: _Writing) -> _Entry:
        diary = cleaned(diary, self._redact)
        diary.check(unit.scope.character, writing.life)
        old = self._current(unit, diary.id)
        before = None if old is None else old.memory
        diary = unwritten(diary, before, birthday=writing.life.birthday)
        event = None if diary.event is None else writing.accounts.find(diary.event)
        if diary.event is not None and event is None:
            msg = f"no event is called {diary.event!r}; add it first, with those who were there"
            raise InvalidInput(msg)
        note = note_of(
            diary,
            None if event is None else event[1],
            life=writing.life,
            today=writing.today,
            origin=writing.origin,
            before=before,
        )
        joined = writing.accounts.join(
            diary.event, diary.past, instead_of=None if old is None else old.number
        )
        if old is not None and is_same(old.memory, diary, note, writing.status):
            return _Entry(id=old.memory.id)
        draft = replace(draft_of(unit, note, redact=self._redact, event=joined), status=writing.status)
        return _Entry(draft=draft, instead_of=None if old is None else old.number)

    def _written(self, unit: Unit, entries: Sequence[_Entry], accounts: Accounts) -> list[str]:
        drafts = [entry.draft for entry in entries if entry.draft is not None]
        numbers = unit.memories.add(drafts, change=unit.change()) if drafts else []
        accounts.settle(drafts, numbers)
        if numbers:
            self._episodes.index(unit, numbers)
            link(unit, drafts, numbers)
        ids = unit.memories.ids(numbers)
        new = iter(numbers)
        found = []
        for entry in entries:
            if entry.id is not None:
                found.append(entry.id)
                continue
            number = next(new)
            found.append(ids[number])
            if entry.instead_of is not None:
                old = [entry.instead_of]
                unit.memories.move(old, Status.REPLACED, change=unit.change(), replaced_by=number)
        return found

    def _current(self, unit: Unit, external_id: str | None) -> Opened | None:
        """The memory that its author calls so, where it can still be changed."""
        number = None if external_id is None else unit.memories.external(external_id)
        opened = [] if number is None else self._open(unit, [number])
        return next((one for one in opened if one.memory.status in CURRENT), None)

    def _past_of(self, unit: Unit, external_id: str) -> Past | None:
        current = self._current(unit, external_id)
        return None if current is None else current.memory.past

    def _open(self, unit: Unit, numbers: Sequence[int]) -> list[Opened]:
        return unit.memories.open(numbers, names=self._store.names(unit), sessions={})

    def _today(self, now: int) -> date:
        return from_micros(now).astimezone(zone_of(self._zone)).date()


def _check_scope(scope: ScopeRow) -> None:
    if scope.user is not None:
        msg = f"a past belongs to a character alone, got user={scope.user!r}; leave the user out"
        raise InvalidInput(msg)


def _check_ids(diaries: Sequence[Diary]) -> None:
    known: set[str] = set()
    for diary in diaries:
        if diary.id is not None and diary.id in known:
            msg = f"two diary memories are called {diary.id!r}; give each an id of its own"
            raise InvalidInput(msg)
        known.update(() if diary.id is None else (diary.id,))
