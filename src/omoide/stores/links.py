"""Ties between the memories of one scope: what is shared, and what was noted of it (K8).

A link is kept once and leads both ways. Both its ends are of one scope, so it never leads out of it (K1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, select, union

from omoide.domain.feeling_kinds import FELT_FROM, STRONG_FROM, names_of
from omoide.domain.links import MOST, Link, LinkKind
from omoide.domain.model import Kind, Status
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed, insert_rows
from omoide.stores.tables import (
    evidence,
    feelings,
    links,
    memories,
    memory_people,
    memory_scopes,
    people,
    scores,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import BindParameter, ColumnElement, Connection, FromClause

    from omoide.stores.scopes import ScopeRow

_NAMES: BindParameter[str] = bindparam("names", expanding=True)
_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_LOOKED_AT = 4 * MOST
"""Links to a memory that are looked at; where more lead to it, the newest. Few begin at one."""

_OF_SCOPE = (
    memory_scopes.c.scope_id == bindparam("scope"),
    memory_scopes.c.memory_id < bindparam("before"),
    memory_scopes.c.status.in_([Status.CONFIRMED.value, Status.FADED.value]),
)
_ABOUT_SOMEBODY = [kind.value for kind in (Kind.FACT, Kind.STATEMENT, Kind.PLAN)]

_FROM = Fixed(
    select(links.c.from_id, links.c.to_id, links.c.kind, links.c.weight)
    .where(links.c.from_id.in_(_NUMBERS))
    .order_by(links.c.from_id, links.c.to_id, links.c.kind)
)
_TO = Fixed(
    select(links.c.to_id, links.c.from_id, links.c.kind, links.c.weight)
    .where(links.c.to_id == bindparam("number"))
    .order_by(links.c.from_id.desc())
    .limit(_LOOKED_AT)
)

_ANY = Fixed(
    select(links.c.from_id)
    .join(memory_scopes, memory_scopes.c.memory_id == links.c.from_id)
    .where(
        memory_scopes.c.scope_id == bindparam("scope"),
        memory_scopes.c.change > bindparam("after"),
        links.c.kind != LinkKind.SIMILAR.value,
    )
    .limit(1)
)
_OWN = Fixed(
    select(people.c.id).where(
        people.c.scope_id == bindparam("scope"), people.c.tag.in_(bindparam("tags", expanding=True))
    )
)


@dataclass(slots=True)
class Sharing:
    """The memories that share one thing: how many, and the few of them that one leads to.

    Those are the weightiest ones, the first and the newest: what a thing means stands in these.

    Attributes:
        count: how many share it.
        weighty: pairs of importance and number, the weightiest first.
        first, newest: numbers; None while nothing shares it.
    """

    count: int = 0
    weighty: tuple[tuple[float, int], ...] = ()
    first: int | None = None
    newest: int | None = None

    def ends(self) -> list[int]:
        """The numbers that are led to."""
        found = (*(number for _, number in self.weighty), self.first, self.newest)
        return list(dict.fromkeys(number for number in found if number is not None))

    def join(self, number: int, importance: float) -> None:
        """Let one memory more share it, newer than the others."""
        self.count += 1
        self.weighty = tuple(sorted((*self.weighty, (importance, number)), key=lambda one: -one[0])[:WEIGHTY])
        self.first = number if self.first is None else self.first
        self.newest = number


WEIGHTY = 2
"""Weighty memories that one leads to."""


class Links:
    """Reads and writes one scope's links, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def of(self, numbers: Sequence[int]) -> list[Link]:
        """The links of memories, each with the memory asked for as its start, `MOST` of a kind at most."""
        rows: dict[int, list[Link]] = {number: [] for number in numbers}
        for chunk in chunks(numbers):
            for start, end, kind, weight in _FROM.run(self._connection, {"numbers": list(chunk)}):
                rows[start].append(Link(start, end, LinkKind(kind), weight))
        for number, found in rows.items():
            for start, end, kind, weight in _TO.run(self._connection, {"number": number}):
                found.append(Link(start, end, LinkKind(kind), weight))
        return [link for found in rows.values() for link in _strongest(found)]

    def any(self, *, after: int) -> bool:
        """Whether memories that changed after a revision have links, besides those by what they say."""
        return bool(_ANY.run(self._connection, {"scope": self._scope.id, "after": after}))

    def add(self, found: Sequence[Link]) -> None:
        """Keep new links; of the same two memories and kind there may be none yet."""
        rows = [
            {
                "tenant": self._scope.tenant,
                "from_id": link.start,
                "to_id": link.end,
                "kind": link.kind.value,
                "weight": round(link.weight, 4),
            }
            for link in found
        ]
        insert_rows(self._connection, links, rows)

    def replace(self, found: Sequence[Link], kind: LinkKind) -> None:
        """Keep new links in place of those of their kind that begin at the same memories."""
        for chunk in chunks(sorted({link.start for link in found})):
            query = delete(links).where(links.c.from_id.in_(chunk), links.c.kind == kind.value)
            self._connection.execute(query)
        self.add(found)

    def linked(self, numbers: Sequence[int], kind: LinkKind) -> set[int]:
        """Those of these memories at which links of a kind begin."""
        found: set[int] = set()
        for chunk in chunks(numbers):
            query = select(links.c.from_id).where(links.c.from_id.in_(chunk), links.c.kind == kind.value)
            found.update(self._connection.execute(query).scalars())
        return found

    def begun(self, numbers: Sequence[int]) -> set[int]:
        """Those of these memories at which links begin, besides those by what they say."""
        found: set[int] = set()
        for chunk in chunks(numbers):
            begins = links.c.from_id.in_(chunk), links.c.kind != LinkKind.SIMILAR.value
            found.update(self._connection.execute(select(links.c.from_id).where(*begins)).scalars())
        return found

    def own_people(self) -> set[int]:
        """The scope's user and character themselves, whom all its memories share."""
        tag = self._scope.blinder.tag
        names = [name for name in (self._scope.user, self._scope.character) if name is not None]
        values = {"scope": self._scope.id, "tags": [tag(name, purpose="person") for name in names]}
        return {number for (number,) in _OWN.run(self._connection, values)}

    def of_event(self, event: int, *, before: int) -> Sharing:
        """The scope's memories of an event, up to a number."""
        return self._sharing(_EVENT, {"event": event}, before)

    def of_place(self, tag: bytes, *, before: int) -> Sharing:
        """The scope's memories of a place, up to a number."""
        return self._sharing(_PLACE, {"place": tag}, before)

    def of_person(self, person: int, *, before: int) -> Sharing:
        """The scope's memories that somebody takes part in, or that are about them, up to a number."""
        # What is about somebody is looked for in talk alone: to find it takes a look at all that is known.
        queries = _LIVED_WITH if self._scope.user is None else _PERSON
        return self._sharing(queries, {"person": person}, before)

    def of_feeling(self, kind: str, *, before: int) -> Sharing:
        """The scope's memories of what felt alike, up to a number."""
        return self._sharing(_FELT, _feeling_values(kind), before)

    def felt(self, kind: str) -> list[int]:
        """All memories of the scope with a kind of feeling."""
        values = {"scope": self._scope.id, "before": 2**62, **_feeling_values(kind)}
        return [number for number, _ in _FELT.each.run(self._connection, values)]

    def feelings_of(self, messages: Sequence[int]) -> dict[int, list[str]]:
        """The emotions that are known of messages, where they were strong."""
        found: dict[int, list[str]] = {}
        for chunk in chunks(messages):
            values = {"scope": self._scope.id, "numbers": list(chunk), "strong": STRONG_FROM}
            for message, emotion in _OF_MESSAGES.run(self._connection, values):
                found.setdefault(message, []).append(emotion)
        return found

    def _sharing(self, queries: _Queries, values: dict[str, object], before: int) -> Sharing:
        given = {"scope": self._scope.id, "before": before, **values}
        ((count, first, newest),) = queries.whole.run(self._connection, given)
        if not count:
            return Sharing()
        weighty = queries.weighty.run(self._connection, given)
        return Sharing(
            count=count,
            weighty=tuple((importance, number) for number, importance in weighty),
            first=first,
            newest=newest,
        )


def _feeling_values(kind: str) -> dict[str, object]:
    return {"names": sorted(names_of(kind)), "felt": FELT_FROM, "strong": STRONG_FROM}


def _strongest(rows: Sequence[Link]) -> list[Link]:
    kept: dict[LinkKind, list[Link]] = {}
    for link in sorted(rows, key=lambda one: (-one.weight, one.end)):
        of_kind = kept.setdefault(link.kind, [])
        if len(of_kind) < MOST:
            of_kind.append(link)
    return [link for of_kind in kept.values() for link in of_kind]


class _Queries:
    """What is asked of the memories that share one thing: each, how many, and which are weighty."""

    def __init__(self, sharing: FromClause) -> None:
        number, importance = sharing.c.memory_id, sharing.c.importance
        self.each = Fixed(select(number, importance))
        self.whole = Fixed(select(func.count(), func.min(number), func.max(number)).select_from(sharing))
        self.weighty = Fixed(
            select(number, importance).order_by(importance.desc(), number.desc()).limit(WEIGHTY)
        )


_COLUMNS = (memory_scopes.c.memory_id, memory_scopes.c.importance)


def _in_scope(condition: ColumnElement[bool]) -> _Queries:
    return _Queries(select(*_COLUMNS).where(*_OF_SCOPE, condition).subquery())


_EVENT = _in_scope(memory_scopes.c.event_id == bindparam("event"))
_PLACE = _in_scope(memory_scopes.c.place_tag == bindparam("place"))
_TAKING_PART = (
    select(*_COLUMNS)
    .join(memory_people, memory_people.c.memory_id == memory_scopes.c.memory_id)
    .where(*_OF_SCOPE, memory_people.c.person_id == bindparam("person"))
)
_LIVED_WITH = _Queries(_TAKING_PART.subquery())
_PERSON = _Queries(
    union(
        _TAKING_PART,
        select(*_COLUMNS)
        .join(memories, memories.c.id == memory_scopes.c.memory_id)
        .where(
            *_OF_SCOPE,
            memory_scopes.c.kind.in_(_ABOUT_SOMEBODY),
            memories.c.subject_id == bindparam("person"),
        ),
    ).subquery()
)
_FELT = _Queries(
    union(
        select(*_COLUMNS)
        .join(scores, scores.c.memory_id == memory_scopes.c.memory_id)
        .where(*_OF_SCOPE, scores.c.name.in_(_NAMES), scores.c.value >= bindparam("felt")),
        select(*_COLUMNS)
        .join(evidence, evidence.c.memory_id == memory_scopes.c.memory_id)
        .join(feelings, feelings.c.message_id == evidence.c.message_id)
        .where(
            *_OF_SCOPE,
            feelings.c.scope_id == bindparam("scope"),
            feelings.c.emotion.in_(_NAMES),
            feelings.c.intensity >= bindparam("strong"),
        ),
    ).subquery()
)
_OF_MESSAGES = Fixed(
    select(feelings.c.message_id, feelings.c.emotion).where(
        feelings.c.scope_id == bindparam("scope"),
        feelings.c.message_id.in_(_NUMBERS),
        feelings.c.intensity >= bindparam("strong"),
    )
)
