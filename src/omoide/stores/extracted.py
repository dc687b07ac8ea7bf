"""Memories that a model drew from the log: what confirms, replaces and outlives what (P16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, case, func, select, update

from omoide.domain.model import MessageState, Origin, Status
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed, insert_rows
from omoide.stores.tables import evidence, memories, memory_scopes, messages, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import BindParameter, Connection

    from omoide.stores.scopes import ScopeRow

_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_RESTING = Fixed(
    select(evidence.c.memory_id)
    .join(memories, memories.c.id == evidence.c.memory_id)
    .where(
        evidence.c.message_id.in_(_NUMBERS),
        memories.c.origin == Origin.EXTRACTED.value,
        memories.c.status.in_(
            [status.value for status in (Status.CONFIRMED, Status.REPLACED, Status.FADED, Status.SUPPRESSED)]
        ),
    )
)
_STANDING_MESSAGES = (MessageState.SETTLED.value, MessageState.HIDDEN.value)


class ExtractedRows:
    """Reads and writes how one scope's memories follow each other, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow, *, now: int) -> None:
        self._connection = connection
        self._scope = scope
        self._now = now

    def resting_on(self, message_numbers: Sequence[int]) -> list[int]:
        """Numbers of the extracted memories that rest on any of these messages, forgotten ones left out."""
        found: set[int] = set()
        for chunk in chunks(message_numbers):
            rows = _RESTING.run(self._connection, {"numbers": list(chunk)})
            found.update(number for (number,) in rows)
        return sorted(found)

    def still_said(self, message_numbers: Iterable[int]) -> set[int]:
        """Those of these messages that are settled and that nobody took back."""
        found: set[int] = set()
        for chunk in chunks(list(message_numbers)):
            query = select(messages.c.id).where(
                messages.c.id.in_(chunk), messages.c.state.in_(_STANDING_MESSAGES)
            )
            found.update(self._connection.execute(query).scalars())
        return found

    def position(self, number: int) -> int:
        """The place in the log of the last message that a memory rests on; else its own time."""
        query = (
            select(func.max(messages.c.position))
            .join(evidence, evidence.c.message_id == messages.c.id)
            .where(evidence.c.memory_id == number)
        )
        found = self._connection.execute(query).scalar()
        if found is None:
            found = self._connection.execute(
                select(func.coalesce(memories.c.at, memories.c.recorded_at)).where(memories.c.id == number)
            ).scalar_one()
        return int(found)

    def rests(self, number: int) -> list[tuple[int, int, int]]:
        """The messages that a memory rests on, each with the stretch of its words that counts."""
        query = (
            select(evidence.c.message_id, evidence.c.start, evidence.c.end)
            .where(evidence.c.memory_id == number)
            .order_by(evidence.c.place)
        )
        return [(int(row[0]), int(row[1]), int(row[2])) for row in self._connection.execute(query)]

    def confirm(self, number: int, *, confidence: float, rests: Sequence[tuple[int, int, int]]) -> None:
        """Count a memory as said once more, surer by so much up to 10, with the words that say it (H12)."""
        place = self._connection.execute(
            select(func.coalesce(func.max(evidence.c.place), -1)).where(evidence.c.memory_id == number)
        ).scalar_one()
        raised = func.coalesce(memories.c.confidence, 8.0) + confidence
        self._connection.execute(
            update(memories)
            .where(memories.c.id == number)
            .values(confirmed=memories.c.confirmed + 1, confidence=case((raised > 10.0, 10.0), else_=raised))
        )
        rows = [
            {
                "tenant": self._scope.tenant,
                "memory_id": number,
                "place": place + 1 + offset,
                "message_id": message,
                "start": start,
                "end": end,
            }
            for offset, (message, start, end) in enumerate(rests)
        ]
        insert_rows(self._connection, evidence, rows)

    def tell(self, number: int, people: Sequence[int]) -> None:
        """Note whom a statement was made to, besides those who have heard it already."""
        query = select(told.c.person_id).where(told.c.memory_id == number)
        known = set(self._connection.execute(query).scalars())
        rows = [
            {"tenant": self._scope.tenant, "memory_id": number, "person_id": person, "at": self._now}
            for person in people
            if person not in known
        ]
        insert_rows(self._connection, told, rows)

    def weigh(self, numbers: Sequence[int], importance: float) -> None:
        """Let memories weigh so much, 1 to 10."""
        for chunk in chunks(numbers):
            self._connection.execute(
                update(memories).where(memories.c.id.in_(chunk)).values(importance=importance)
            )

    def replace(self, old: int, *, by: int, at: int) -> None:
        """Let one memory take another's place from an instant on; the old one stays for questions of then."""
        self._connection.execute(update(memories).where(memories.c.id == old).values(replaced_by=by))
        self.retire(old, at=at)

    def retire(self, number: int, *, at: int) -> None:
        """Let a memory be replaced from an instant on, by what had taken its place before."""
        self._connection.execute(
            update(memories)
            .where(memories.c.id == number)
            .values(status=Status.REPLACED.value, valid_until=at, retired_at=self._now)
        )

    def suppress(self, number: int) -> None:
        """Let a memory rest, and keep in mind what had taken its place."""
        self._connection.execute(
            update(memories)
            .where(memories.c.id == number)
            .values(status=Status.SUPPRESSED.value, retired_at=self._now)
        )

    def revive(self, number: int) -> None:
        """Let a memory hold again, and for good."""
        self._connection.execute(
            update(memories)
            .where(memories.c.id == number)
            .values(status=Status.CONFIRMED.value, retired_at=None, valid_until=None)
        )

    def replaced_by(self, number: int) -> list[tuple[int, Status]]:
        """What a memory had taken the place of, each with its status now."""
        query = select(memories.c.id, memories.c.status).where(memories.c.replaced_by == number)
        return [(int(row.id), Status(row.status)) for row in self._connection.execute(query)]

    def successor(self, number: int) -> tuple[int, Status] | None:
        """What had taken a memory's place, with its status now; None if nothing has."""
        successor = memories.alias()
        query = (
            select(successor.c.id, successor.c.status)
            .join(memories, memories.c.replaced_by == successor.c.id)
            .where(memories.c.id == number)
        )
        row = self._connection.execute(query).first()
        return None if row is None else (int(row.id), Status(row.status))

    def changed_since(self, numbers: Sequence[int]) -> bool:
        """Whether any extracted memory of the scope has changed since the first of these did last."""
        row = memory_scopes.alias()
        here = row.c.scope_id == self._scope.id
        changes = [
            self._connection.execute(
                select(func.min(row.c.change)).where(here, row.c.memory_id.in_(chunk))
            ).scalar_one()
            for chunk in chunks(numbers)
        ]
        later = (
            select(row.c.memory_id)
            .join(memories, memories.c.id == row.c.memory_id)
            .where(here, row.c.change > min(changes), memories.c.origin == Origin.EXTRACTED.value)
        )
        return self._connection.execute(later.limit(1)).first() is not None
