"""What the memories of a scope may share with each other, all of them at once, and no words (K8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select, union_all

from omoide.domain.model import Status
from omoide.stores.tables import evidence, memories, memory_people, memory_scopes, observations, scores

if TYPE_CHECKING:
    from sqlalchemy import Column, Executable, Select, Table

    from omoide.stores.unit import Unit


@dataclass(frozen=True, kw_only=True, slots=True)
class Ground:
    """What one memory may share with others: event, place by its tag, people, feelings, messages."""

    number: int
    importance: float
    event: int | None
    place: bytes | None
    people: tuple[int | None, ...]
    scores: tuple[tuple[str, float], ...]
    messages: tuple[int, ...]


def grounds(unit: Unit) -> list[Ground]:
    """What every memory of the scope that can be recalled may share with others, the earliest first."""
    rows = unit.connection.execute(_EVERY, {"scope": unit.scope.id}).all()
    people, felt, rests = (_several(unit, query) for query in (_PEOPLE, _SCORES, _RESTS))
    return [
        Ground(
            number=row.memory_id,
            importance=row.importance,
            event=row.event_id,
            place=row.place_tag,
            people=(*(one for (one,) in people.get(row.memory_id, ())), row.subject_id),
            scores=tuple((name, value) for name, value in felt.get(row.memory_id, ())),
            messages=tuple(one for (one,) in rests.get(row.memory_id, ())),
        )
        for row in rows
    ]


def _several(unit: Unit, query: Executable) -> dict[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = {}
    for number, *values in unit.connection.execute(query, {"scope": unit.scope.id}):
        found.setdefault(int(number), []).append(tuple(values))
    return found


_RECALLABLE = (
    memory_scopes.c.scope_id == bindparam("scope"),
    memory_scopes.c.status.in_([Status.CONFIRMED.value, Status.FADED.value]),
)
_EVERY = (
    select(
        memory_scopes.c.memory_id,
        memory_scopes.c.importance,
        memory_scopes.c.event_id,
        memory_scopes.c.place_tag,
        memories.c.subject_id,
    )
    .join(memories, memories.c.id == memory_scopes.c.memory_id)
    .where(*_RECALLABLE)
    .order_by(memory_scopes.c.memory_id)
)


def _of_every(table: Table, *columns: Column[Any]) -> Select[Any]:
    return (
        select(table.c.memory_id, *columns)
        .join(memory_scopes, memory_scopes.c.memory_id == table.c.memory_id)
        .where(*_RECALLABLE)
    )


_PEOPLE = union_all(
    _of_every(memory_people, memory_people.c.person_id), _of_every(observations, observations.c.person_id)
)
_SCORES = _of_every(scores, scores.c.name, scores.c.value)
_RESTS = _of_every(evidence, evidence.c.message_id)
