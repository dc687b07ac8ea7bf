"""Shared events: written once for all who were there, and seen from every side by authors alone (K1, K6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from omoide.domain.event import EventSides, Side
from omoide.domain.instants import from_micros, zone_of
from omoide.domain.lifetime import born
from omoide.domain.model import Status
from omoide.domain.text import composed
from omoide.errors import InvalidInput, NotFound
from omoide.retain.placing import at

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date

    from sqlalchemy import Connection

    from omoide.domain.diary import Life
    from omoide.domain.event import Event
    from omoide.domain.model import Memory
    from omoide.stores.events import Events, Presence
    from omoide.stores.store import Store

CURRENT = (Status.CONFIRMED, Status.CANDIDATE, Status.FADED)
"""Memories that an author changes by writing the same id again; beside others a new one comes."""

_TOLD = (Status.CONFIRMED, Status.FADED)
"""Memories that count as a side of an event."""


class SharedEvents:
    """The events of the whole store.

    Args:
        store: where they are.
        zone: where the authors' today is.
    """

    def __init__(self, store: Store, *, zone: str) -> None:
        self._store = store
        self._zone = zone

    def put_in(
        self, connection: Connection, events: Sequence[Event], *, lives: Mapping[str, Life] | None = None
    ) -> None:
        """Write events, within a transaction that is open already; what tells of them stays as it is.

        Raises:
            InvalidInput: see `Author.add_events`.
        """
        births = {composed(name): life.birthday for name, life in (lives or {}).items()}
        rows = self._store.events(connection)
        for event in events:
            self._put(rows, event, births)

    def restore(self, events: Sequence[Event]) -> None:
        """Write the events of an export that are not here; those that are stay as they are."""
        if not events:
            return
        with self._store.database.write() as connection:
            rows = self._store.events(connection)
            for event in events:
                if rows.find(event.name) is None:
                    rows.add(event)

    def all(self) -> list[Event]:
        """Every shared event: the earliest first, those without a day last."""
        with self._store.database.read() as connection:
            return self._store.events(connection).all()

    def sides(self, name: str) -> EventSides:
        """An event with each character's side of it, for authors and tools alone (K1, K6).

        Raises:
            NotFound: no event is called so.
        """
        with self._store.database.read() as connection:
            rows = self._store.events(connection)
            found = rows.find(name)
            if found is None:
                msg = f"no event is called {name!r}; `omoide events list` shows them"
                raise NotFound(msg)
            number, event = found
            presences = rows.presences(number, event.participants)
            telling = rows.telling(number)
        told = self._told(telling)
        names = dict.fromkeys((*event.participants, *sorted(told)))
        sides = [_side(one, presences.get(one), told.get(one, {})) for one in names]
        return EventSides(event=event, sides=tuple(sides))

    def _told(self, telling: Mapping[int, Sequence[int]]) -> dict[str, dict[int, Memory]]:
        """What characters tell of an event, by their names and the memories' numbers."""
        found: dict[str, dict[int, Memory]] = {}
        for scope in self._store.all_scopes():
            if scope.user is None and scope.id in telling:
                with self._store.read(scope) as unit:
                    opened = unit.memories.open(telling[scope.id], names=self._store.names(unit), sessions={})
                current = {one.number: one.memory for one in opened if one.memory.status in _TOLD}
                if current:
                    found[scope.character] = current
        return found

    def _put(self, rows: Events, event: Event, births: Mapping[str, date | None]) -> None:
        event.check()
        known = rows.find(event.name)
        number = rows.add(event) if known is None else known[0]
        if known is not None and known[1] != event:
            presences = rows.presences(number, known[1].participants)
            told = rows.with_status([one.memory for one in presences.values()], CURRENT)
            _check_leaving(event, {name for name, one in presences.items() if one.memory in told})
            rows.change(number, event)
        today = from_micros(self._store.now()).astimezone(zone_of(self._zone)).date()
        for name, presence in rows.presences(number, event.participants).items():
            birthday, was = births.get(name), presence
            if known is not None and known[1].day != event.day:
                birthday = birthday or born(known[1].day, presence.absolute_day, today=today)
                was = replace(presence, age=None, absolute_day=None)
            placed = at(event, name, birthday, today, was)
            if placed != presence:
                rows.put(number, name, placed)


def _check_leaving(event: Event, told: Collection[str]) -> None:
    """Refuse to leave out somebody whose account of an event still stands."""
    for name in sorted(set(told) - set(event.participants)):
        msg = f"{name!r} has told of the event {event.name!r} and cannot be left out; forget the memory first"
        raise InvalidInput(msg)


def _side(character: str, presence: Presence | None, told: Mapping[int, Memory]) -> Side:
    account = None if presence is None or presence.memory is None else told.get(presence.memory)
    return Side(
        character=character,
        present=presence is not None,
        age=None if presence is None else presence.age,
        absolute_day=None if presence is None else presence.absolute_day,
        account=account,
        told=tuple(memory for memory in told.values() if memory is not account),
    )
