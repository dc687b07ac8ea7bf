"""Bringing what is known of a scope in memory up to date with the store, by what changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import bindparam, func, select

from omoide.domain.instants import NO_TIME
from omoide.domain.model import Kind, MessageState, Origin, Role, Status
from omoide.errors import UnknownScope
from omoide.stores.fixed import Fixed
from omoide.stores.index.scope_index import KINDS, LAYERS, IntArray, ScopeIndex, place_number
from omoide.stores.logged import PROVISIONAL
from omoide.stores.tables import memories, memory_scopes, messages, scopes

if TYPE_CHECKING:
    from omoide.domain.relationship import Relationship
    from omoide.stores.unit import Unit

_KIND = {kind.value: place for place, kind in enumerate(KINDS)}
_LAYER = {layer.value: place for place, layer in enumerate(LAYERS)}
_READABLE = (Status.CONFIRMED, Status.REPLACED, Status.FADED)

_STATE = Fixed(
    select(
        scopes.c.revision,
        scopes.c.epoch,
        scopes.c.language,
        scopes.c.zone,
        select(func.min(messages.c.recorded_at))
        .where(messages.c.scope_id == bindparam("scope"), PROVISIONAL)
        .scalar_subquery()
        .label("waiting_since"),
    ).where(scopes.c.id == bindparam("scope"), scopes.c.uid == bindparam("uid"))
)
_ROWS = (
    select(
        memories.c.id,
        memory_scopes.c.position,
        memories.c.session_id,
        memories.c.subject_id,
        memories.c.at,
        memories.c.recorded_at,
        memories.c.retired_at,
        memories.c.valid_until,
        memories.c.importance,
        memories.c.confidence,
        memories.c.confirmed,
        memories.c.kind,
        memories.c.layer,
        memories.c.origin,
        memories.c.pinned,
        memories.c.status,
        memory_scopes.c.embedded,
        memory_scopes.c.place_tag,
    )
    .join(memories, memories.c.id == memory_scopes.c.memory_id)
    .where(memory_scopes.c.scope_id == bindparam("scope"))
    .order_by(memory_scopes.c.memory_id)  # what is equal otherwise stands as it lies in the index
)
_READABLE_ROWS = Fixed(_ROWS.where(memories.c.status.in_([status.value for status in _READABLE])))
_CHANGED_ROWS = Fixed(_ROWS.where(memory_scopes.c.change > bindparam("after")))
_SAID = Fixed(
    select(messages.c.position)
    .where(
        messages.c.scope_id == bindparam("scope"),
        messages.c.role == Role.USER.value,
        messages.c.position > bindparam("after"),
        messages.c.state.in_([MessageState.SETTLED.value, MessageState.HIDDEN.value]),
    )
    .order_by(messages.c.position)
)


_MANY = 10
"""People from which on a name may be one of many."""

_MANY_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class State:
    """Where a scope stands.

    Attributes:
        revision: rises with each change.
        epoch: rises where a list of changes could not say what changed.
        language, zone: of its user, where they are known.
        waiting_since: when the oldest message was written that is not settled yet; None if all are.
    """

    revision: int
    epoch: int
    language: str | None
    zone: str | None
    waiting_since: int | None


@dataclass(slots=True)
class Known:
    """What is known of a scope in memory: its index, and the names of its people and sessions.

    `common` are the names that tell one memory from another no more than "you" does; `own` holds the numbers
    of the scope's user and character themselves, `cast` those of all characters; `feels` tells whether
    anything is known of feelings, `linked` whether memories lead to others, `relationship` how the two stand
    with each other, and `people` is what the names were read from.
    """

    index: ScopeIndex = field(default_factory=ScopeIndex)
    people: list[tuple[Any, ...]] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    common: tuple[str, ...] = ()
    own: dict[Role, int] = field(default_factory=dict)
    cast: frozenset[int] = frozenset()
    relationship: Relationship | None = None
    feels: bool = False
    linked: bool = False
    sessions: dict[int, str] = field(default_factory=dict)
    language: str | None = None
    zone: str | None = None

    def is_current(self, state: State) -> bool:
        """Whether nothing changed since it was read."""
        return (self.index.epoch, self.index.revision) == (state.epoch, state.revision)


def state_of(unit: Unit) -> State:
    """Where a scope stands now.

    Raises:
        UnknownScope: the scope was erased meanwhile.
    """
    rows = _STATE.run(unit.connection, {"scope": unit.scope.id, "uid": unit.scope.uid})
    if not rows:
        msg = f"the scope of {unit.scope.user!r} and {unit.scope.character!r} was erased"
        raise UnknownScope(msg)
    return State(*rows[0])


def refresh(
    known: Known,
    unit: Unit,
    state: State,
    *,
    embedding: int | None,
    analyser: int,
    large: int,
    in_process: bool,
) -> None:
    """Read what changed of a scope since it was read last, or all of it where that cannot be told.

    Args:
        known: brought up to date in place.
        unit: where to read.
        state: where the scope stands in it.
        embedding: the number of the embedding space in use, or None without an embedder.
        analyser: the number of the text analysis in use.
        large: memories from which a scope's vectors are scored in two steps.
        in_process: whether its vectors are held; otherwise another index holds them.
    """
    index = (
        ScopeIndex(large=large, in_process=in_process) if state.epoch != known.index.epoch else known.index
    )
    whole = index.revision < 0
    known.linked = (known.linked and not whole) or unit.links.any(after=index.revision)
    changed = _changed_rows(unit, index.revision)
    rows = [_index_row(row) for row in changed]
    index.apply(
        rows,
        lacking=[row[0] for row in changed if row[16] != embedding],
        postings=unit.postings.read(
            identity=analyser, numbers=None if whole else [int(row[0]) for row in rows]
        ),
        blocks=[]
        if embedding is None
        else unit.vectors(embedding).read(after=index.revision, opened=in_process),
        said=_said(unit, index.said),
    )
    index.revision, index.epoch = state.revision, state.epoch
    known.language, known.zone = state.language, state.zone
    known.feels = unit.felt.any()
    known.relationship = unit.relationships.current()
    people = unit.people.sealed()
    if people != known.people:
        _meet(known, unit, people)
    if whole or not index.session_numbers <= known.sessions.keys():
        known.sessions = unit.sessions.names()
    known.index = index
    known.common = _common(known)


def _meet(known: Known, unit: Unit, sealed: list[tuple[Any, ...]]) -> None:
    people = unit.people.open(sealed)
    known.people = sealed
    known.names = {number: person.name for number, person in people.items()}
    known.cast = frozenset(n for n, person in people.items() if person.role is Role.CHARACTER)
    known.own = {
        person.role: number
        for number, person in people.items()
        if person.id == (unit.scope.user if person.role is Role.USER else unit.scope.character)
    }


def _common(known: Known) -> tuple[str, ...]:
    """The names of those who talk, but for one of many who said less than a tenth of what one alone said.

    Where few people talk, a name says whose memories are meant; one of many is rather a word to look for, as
    the title of a document is. So is the name of somebody who is only talked about.
    """
    rows, own = known.index.snapshot().rows, set(known.own.values())
    subjects = rows["subject"][(rows["subject"] >= 0) & (rows["kind"] == _KIND[Kind.EPISODE.value])]
    people, counts = np.unique(subjects, return_counts=True)
    least = _MANY_SHARE * counts.sum() if len(own.union(people.tolist())) >= _MANY else 0
    common = own.union(people[counts >= least].tolist(), known.cast)
    return tuple(name for number, name in known.names.items() if number in common)


def _changed_rows(unit: Unit, after: int) -> list[tuple[Any, ...]]:
    query = _READABLE_ROWS if after < 0 else _CHANGED_ROWS
    return query.run(unit.connection, {"scope": unit.scope.id, "after": after})


def _index_row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    whose = tuple(-1 if value is None else value for value in row[2:4])
    times = tuple(NO_TIME if value is None else value for value in row[4:8])
    return (
        row[0],
        row[1],
        *whose,
        *times,
        place_number(row[17]),
        row[8],
        -1.0 if row[9] is None else row[9],
        row[10],
        _KIND[row[11]],
        -1 if row[12] is None else _LAYER[row[12]],
        row[13] == Origin.RULE,
        row[14],
        row[15] == Status.CONFIRMED,
        row[15] in (Status.REPLACED, Status.FADED),
    )


def _said(unit: Unit, known: IntArray) -> IntArray:
    last = int(known[-1]) if len(known) else -(2**62)
    rows = _SAID.run(unit.connection, {"scope": unit.scope.id, "after": last})
    added = np.array(rows, dtype=np.int64).reshape(-1)
    return np.concatenate((known, added)) if len(added) else known
