"""Shared events of the whole store, and who was there: sealed under a key of their own (K6, ruling 24).

An event belongs to no scope. Its rows name characters by the tag that scopes are found by, and memories by
number; what those say is opened by the key of their own scope alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select, update

from omoide.domain.event import Event
from omoide.domain.instants import to_micros
from omoide.domain.partial_date import PartialDate
from omoide.domain.text import composed, fold
from omoide.stores.chunks import chunks
from omoide.stores.scopes import new_uid
from omoide.stores.tables import events, memories, memory_scopes, participants

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection, Row

    from omoide.domain.model import Status
    from omoide.stores.scopes import EventKeys


@dataclass(frozen=True, kw_only=True, slots=True)
class Presence:
    """One participant's row: age and absolute day then, and the number of the memory that tells of it."""

    age: float | None = None
    absolute_day: int | None = None
    memory: int | None = None


class Events:
    """Reads and writes events, within one transaction."""

    def __init__(self, connection: Connection, keys: EventKeys) -> None:
        self._connection = connection
        self._keys = keys

    def find(self, name: str) -> tuple[int, Event] | None:
        """The event that is called so, with its number."""
        query = select(events).where(
            events.c.tenant == self._keys.tenant, events.c.name_tag == self._tag(composed(name), "event")
        )
        row = self._connection.execute(query).first()
        return None if row is None else (int(row.id), self._opened(row))

    def all(self) -> list[Event]:
        """Every event: the earliest first, those without a day last."""
        query = select(events).where(events.c.tenant == self._keys.tenant)
        rows = self._connection.execute(query.order_by(events.c.at.is_(None), events.c.at, events.c.id))
        return [self._opened(row) for row in rows]

    def of(self, numbers: Sequence[int]) -> dict[int, Event]:
        """The events of these numbers."""
        found: dict[int, Event] = {}
        for chunk in chunks(numbers):
            rows = self._connection.execute(select(events).where(events.c.id.in_(chunk)))
            found.update({int(row.id): self._opened(row) for row in rows})
        return found

    def add(self, event: Event) -> int:
        """Write a new event with those who were there; returns its number."""
        uid = new_uid()
        values = {"tenant": self._keys.tenant, "uid": uid, **self._values(event, uid)}
        number = self._connection.execute(insert(events).values(values).returning(events.c.id)).scalar_one()
        for character in event.participants:
            self._join(int(number), character)
        return int(number)

    def change(self, number: int, event: Event) -> None:
        """Let an event be as it is written now; whoever stays keeps their row."""
        uid = self._connection.execute(select(events.c.uid).where(events.c.id == number)).scalar_one()
        self._connection.execute(update(events).where(events.c.id == number).values(self._values(event, uid)))
        there = {self._character(name): name for name in event.participants}
        known = self._connection.execute(
            select(participants.c.character_tag).where(participants.c.event_id == number)
        )
        before = set(known.scalars())
        for tag in before - set(there):
            self._connection.execute(delete(participants).where(self._row(number, tag)))
        for tag in set(there) - before:
            self._join(number, there[tag])

    def presences(self, number: int, names: tuple[str, ...]) -> dict[str, Presence]:
        """The rows of those of these characters who were at an event."""
        rows = self._connection.execute(select(participants).where(participants.c.event_id == number)).all()
        by_tag = {row.character_tag: row for row in rows}
        found = {name: by_tag.get(self._character(name)) for name in names}
        return {
            name: Presence(age=row.age, absolute_day=row.absolute_day, memory=row.memory_id)
            for name, row in found.items()
            if row is not None
        }

    def put(self, number: int, character: str, presence: Presence) -> None:
        """Note how old a participant was, and what it tells."""
        values = {
            "age": presence.age,
            "absolute_day": presence.absolute_day,
            "memory_id": presence.memory,
        }
        row = self._row(number, self._character(character))
        self._connection.execute(update(participants).where(row).values(values))

    def presence(self, number: int, character: str) -> Presence | None:
        """A character's row at an event; None where it was not there."""
        return self.presences(number, (character,)).get(character)

    def unplaced(self, character: str) -> list[tuple[int, Event]]:
        """The events that a character was at nobody knows how old, with their numbers."""
        query = (
            select(events)
            .join(participants, participants.c.event_id == events.c.id)
            .where(
                events.c.tenant == self._keys.tenant,
                events.c.at.is_not(None),
                participants.c.character_tag == self._character(character),
                participants.c.absolute_day.is_(None),
            )
        )
        return [(int(row.id), self._opened(row)) for row in self._connection.execute(query)]

    def telling(self, number: int) -> dict[int, list[int]]:
        """The memories that tell of an event, by the number of their scope."""
        query = (
            select(memory_scopes.c.scope_id, memories.c.id)
            .join(memories, memories.c.id == memory_scopes.c.memory_id)
            .where(memories.c.event_id == number)
            .order_by(memories.c.id)
        )
        found: dict[int, list[int]] = {}
        for scope, memory in self._connection.execute(query):
            found.setdefault(int(scope), []).append(int(memory))
        return found

    def told_by(self, memory: int) -> int | None:
        """The number of the event that a memory tells of."""
        found = self._connection.execute(select(memories.c.event_id).where(memories.c.id == memory)).scalar()
        return None if found is None else int(found)

    def remove(self, number: int) -> None:
        """Take an event away; memories that told of it stay, without it."""
        self._connection.execute(update(memories).where(memories.c.event_id == number).values(event_id=None))
        self._connection.execute(delete(participants).where(participants.c.event_id == number))
        self._connection.execute(delete(events).where(events.c.id == number))

    def with_status(self, numbers: Iterable[int | None], statuses: Iterable[Status]) -> set[int]:
        """Those of these memories that have one of these statuses."""
        wanted = {number for number in numbers if number is not None}
        query = select(memories.c.id).where(memories.c.id.in_(wanted), memories.c.status.in_(statuses))
        return {int(number) for number in self._connection.execute(query).scalars()}

    def category_tag(self, category: str) -> bytes:
        """How events look up their category, however it is composed and cased."""
        return self._tag(fold(category), "category")

    def _join(self, number: int, character: str) -> None:
        values = {
            "tenant": self._keys.tenant,
            "event_id": number,
            "character_tag": self._character(character),
        }
        self._connection.execute(insert(participants).values(values))

    @staticmethod
    def _row(number: int, tag: bytes) -> ColumnElement[bool]:
        return (participants.c.event_id == number) & (participants.c.character_tag == tag)

    def _values(self, event: Event, uid: bytes) -> Mapping[str, Any]:
        body = {
            "name": event.name,
            "place": event.place,
            "category": event.category,
            "description": event.description,
            "participants": list(event.participants),
        }
        kept = json.dumps({key: value for key, value in body.items() if value}, ensure_ascii=False)
        return {
            "name_tag": self._tag(event.name, "event"),
            "category_tag": None if event.category is None else self.category_tag(event.category),
            "place_tag": None if event.place is None else self._tag(fold(event.place), "place"),
            "body_sealed": self._keys.sealer.seal_text(kept, row=uid),
            "at": None if event.day is None else to_micros(event.day.at),
            "day_precision": None if event.day is None else event.day.precision.value,
            "weight": event.weight,
        }

    def _opened(self, row: Row[Any]) -> Event:
        body = json.loads(self._keys.sealer.open_text(row.body_sealed, row=row.uid))
        return Event(
            name=body["name"],
            participants=tuple(body["participants"]),
            day=None if row.at is None else PartialDate.read(row.at, row.day_precision),
            place=body.get("place"),
            category=body.get("category"),
            weight=row.weight,
            description=body.get("description", ""),
        )

    def _tag(self, value: str, purpose: str) -> bytes:
        return self._keys.blinder.tag(value, purpose=purpose)

    def _character(self, name: str) -> bytes:
        return self._keys.characters.tag(composed(name), purpose="character")


def hand_over(connection: Connection, old: int, new: int) -> None:
    """Let one memory be the account of an event that another was."""
    connection.execute(update(participants).where(participants.c.memory_id == old).values(memory_id=new))
