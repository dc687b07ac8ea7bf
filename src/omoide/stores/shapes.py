"""Searches without their values: each shape is built into a statement once, and run with parameters only.

Every statement begins at the scope's own rows in `memory_scopes`, which hold copies of what is asked for: it
reads nobody else's memories, and none of the sealed words.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Select, and_, bindparam, exists, false, func, or_, select

from omoide.domain.model import Status
from omoide.domain.query import Key
from omoide.stores.fixed import Fixed
from omoide.stores.tables import (
    events,
    evidence,
    memories,
    memory_people,
    memory_scopes,
    messages,
    scores,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import BindParameter, ColumnElement, FromClause

_ROW: Final = memory_scopes.c
_COLUMNS: Final[dict[Key, ColumnElement[Any]]] = {
    Key.AGE: _ROW.age,
    Key.ABSOLUTE_DAY: _ROW.absolute_day,
    Key.DAY: _ROW.at,
    Key.CONFIDENCE: _ROW.confidence,
    Key.IMPORTANCE: _ROW.importance,
    Key.LAYER: _ROW.layer,
    Key.KIND: _ROW.kind,
    Key.PLACE: _ROW.place_tag,
    Key.EVENT: _ROW.event_id,
    Key.CATEGORY: _ROW.event_id,
}
NARROW: Final = frozenset({"place", "event", "category"})
"""Names, which tell more than ranges do."""

_COMPARE: Final = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}


@dataclass(frozen=True, slots=True)
class Sorted:
    """A key of the order: a column, or the place of a score; `known` where all that fit have a value."""

    by: Key | int
    down: bool
    known: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """A search without its values.

    Attributes:
        compared: columns, each with what it is compared by: ``ge``, ``gt``, ``le`` or ``lt``.
        scores: the same of each emotion score; nothing for one that is only ordered by.
        given: which other parameters there are.
        order: the keys; empty for the newest first.
        limited: whether only the first come, in order; otherwise all do, in none.
        leads: whether the rows are found by the first score, rather than by the scope.
    """

    compared: tuple[tuple[Key, str], ...]
    scores: tuple[tuple[str, ...], ...]
    given: frozenset[str]
    order: tuple[Sorted, ...]
    limited: bool
    leads: bool


@lru_cache(maxsize=512)
def statement(shape: Shape) -> Fixed:
    """Numbers of the memories that fit; with what they are ordered by, where not the database orders them."""
    tables = [scores.alias(f"s{place}") for place in range(len(shape.scores))]
    # Where a name tells more, its index is the shorter way; a database without statistics takes that of the
    # scope wherever it can.
    own = _ROW.scope_id if NARROW.isdisjoint(shape.given) else _ROW.scope_id + 0
    query: Select[Any] = select(_ROW.memory_id).where(
        own == bindparam("scope"),
        _ROW.status == Status.CONFIRMED.value,
        or_(_ROW.valid_until.is_(None), _ROW.valid_until > bindparam("now")),
    )
    query = _joined(query, shape, tables)
    for key, sign in shape.compared:
        query = query.where(_COMPARE[sign](_COLUMNS[key], bindparam(f"{key.value}_{sign}")))
    for name in sorted(shape.given):
        query = query.where(_GIVEN[name]())
    if not shape.limited:
        return Fixed(query.add_columns(*(_value(by.by, tables) for by in shape.order)))
    return Fixed(query.order_by(*_ordered(shape, tables)).limit(bindparam("limit")))


def _joined(query: Select[Any], shape: Shape, tables: Sequence[FromClause]) -> Select[Any]:
    for place, (table, signs) in enumerate(zip(tables, shape.scores, strict=True)):
        on = and_(table.c.memory_id == _ROW.memory_id, table.c.name == bindparam(f"name{place}"))
        compared = [_COMPARE[sign](table.c.value, bindparam(f"score{place}_{sign}")) for sign in signs]
        if shape.leads and place == 0:
            query = query.join(table, on).where(*compared)
        else:
            # Where the scope leads, the database must not see that the join could as well begin here: it
            # would read the scores of everybody.
            query = query.outerjoin(table, on).where(*(func.coalesce(one, false()) for one in compared))
    return query


def _ordered(shape: Shape, tables: Sequence[FromClause]) -> list[ColumnElement[Any]]:
    """What has no value comes last; what is equal stands as the last key goes, which an index may do."""
    found: list[ColumnElement[Any]] = []
    for by in shape.order:
        column = _value(by.by, tables)
        directed = column.desc() if by.down else column.asc()
        found.append(directed if by.known else directed.nulls_last())
    if not found:
        return [_ROW.position.desc(), _ROW.memory_id.desc()]
    number = tables[0].c.memory_id if shape.leads else _ROW.memory_id
    return [*found, number.desc() if shape.order[-1].down else number.asc()]


def _value(by: Key | int, tables: Sequence[FromClause]) -> ColumnElement[Any]:
    return _COLUMNS[by] if isinstance(by, Key) else tables[by].c.value


def _of_people() -> ColumnElement[bool]:
    """Whether one of the people is meant, takes part, or is heard in it."""
    people: BindParameter[int] = bindparam("people", expanding=True)
    return or_(
        exists().where(memories.c.id == _ROW.memory_id, memories.c.subject_id.in_(people)),
        exists().where(memory_people.c.memory_id == _ROW.memory_id, memory_people.c.person_id.in_(people)),
        exists().where(
            evidence.c.memory_id == _ROW.memory_id,
            messages.c.id == evidence.c.message_id,
            messages.c.speaker_id.in_(people),
        ),
    )


_GIVEN: Final[dict[str, Callable[[], ColumnElement[bool]]]] = {
    "layers": lambda: _ROW.layer.in_(bindparam("layers", expanding=True)),
    "kinds": lambda: _ROW.kind.in_(bindparam("kinds", expanding=True)),
    "place": lambda: _ROW.place_tag == bindparam("place"),
    "event": lambda: _ROW.event_id == bindparam("event"),
    "category": lambda: _ROW.event_id.in_(
        select(events.c.id).where(events.c.category_tag == bindparam("category"))
    ),
    "people": _of_people,
    "among": lambda: _ROW.memory_id.in_(bindparam("among", expanding=True)),
}
