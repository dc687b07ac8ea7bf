"""What only the store can tell of memories: whom they are about, where they were, how they score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from omoide.domain.text import fold
from omoide.stores.fixed import Fixed
from omoide.stores.tables import evidence, memories, memory_people, memory_scopes, messages, scores

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy import BindParameter, Connection

    from omoide.domain.bounds import Bounds
    from omoide.stores.scopes import ScopeRow

_UIDS: BindParameter[bytes] = bindparam("uids", expanding=True)
_CALLED = Fixed(
    select(memories.c.id)
    .join(memory_scopes, memory_scopes.c.memory_id == memories.c.id)
    .where(memories.c.uid.in_(_UIDS), memory_scopes.c.scope_id == bindparam("scope"))
)


class Lookups:
    """Finds one scope's memories for a filter, within one transaction; by number."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def called(self, ids: Sequence[UUID]) -> list[int]:
        """The memories with these ids, in no order; without those that are gone, or another scope's."""
        values = {"scope": self._scope.id, "uids": [one.bytes for one in ids]}
        return [number for (number,) in _CALLED.run(self._connection, values)] if ids else []

    def of_people(self, people: Sequence[int]) -> list[int]:
        """Memories that are about these people, in which they take part, or which rest on what they said."""
        scope = memory_scopes.c.scope_id == self._scope.id
        about = (
            select(memories.c.id)
            .join(memory_scopes, memory_scopes.c.memory_id == memories.c.id)
            .where(scope, memories.c.subject_id.in_(people))
        )
        taking_part = (
            select(memory_people.c.memory_id)
            .join(memory_scopes, memory_scopes.c.memory_id == memory_people.c.memory_id)
            .where(scope, memory_people.c.person_id.in_(people))
        )
        said = (
            select(evidence.c.memory_id)
            .join(messages, messages.c.id == evidence.c.message_id)
            .where(messages.c.scope_id == self._scope.id, messages.c.speaker_id.in_(people))
        )
        return [int(number) for number in self._connection.execute(about.union(taking_part, said)).scalars()]

    def scored(self, name: str, limits: Bounds) -> list[int]:
        """Memories with a score of this name between these ends."""
        low, high, value = limits.low, limits.high, scores.c.value
        between = [] if low is None else [value > low if limits.above else value >= low]
        between += [] if high is None else [value < high if limits.below else value <= high]
        query = (
            select(scores.c.memory_id)
            .join(memory_scopes, memory_scopes.c.memory_id == scores.c.memory_id)
            .where(memory_scopes.c.scope_id == self._scope.id, scores.c.name == name, *between)
        )
        return [int(number) for number in self._connection.execute(query).scalars()]


def place_tag(scope: ScopeRow, place: str) -> bytes:
    """How a scope looks up a place, however it is composed and cased."""
    return scope.blinder.tag(fold(place), purpose="place")
