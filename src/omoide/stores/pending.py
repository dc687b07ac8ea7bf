"""What still lacks a vector or terms: a query and no queue, so that nothing can be lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, bindparam, func, or_, select, update

from omoide.domain.model import Status
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.tables import memories, memory_scopes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import BindParameter, Connection, Select

    from omoide.stores.scopes import ScopeRow


_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_RECALLABLE = (
    select(memory_scopes.c.memory_id)
    .join(memories, memories.c.id == memory_scopes.c.memory_id)
    .where(memories.c.status.in_([Status.CONFIRMED.value, Status.REPLACED.value, Status.FADED.value]))
)
# Less or greater rather than unequal: so the index leads to those that lack a vector, past all that have one.
_UNLIKE = or_(
    memory_scopes.c.embedded < bindparam("identity"), memory_scopes.c.embedded > bindparam("identity")
)
_OF_SCOPE = memory_scopes.c.scope_id == bindparam("scope")
_WITHOUT_VECTOR = Fixed(
    _RECALLABLE.where(_OF_SCOPE, _UNLIKE).order_by(memory_scopes.c.memory_id.desc()).limit(bindparam("limit"))
)
_LACKING = Fixed(_RECALLABLE.where(_OF_SCOPE, _UNLIKE, memory_scopes.c.memory_id.in_(_NUMBERS)))


def _noting(column: str) -> Fixed:
    changed = func.coalesce(bindparam("changed", type_=BigInteger()), memory_scopes.c.change)
    values = {column: bindparam("identity"), "change": changed}
    return Fixed(
        update(memory_scopes).where(_OF_SCOPE, memory_scopes.c.memory_id.in_(_NUMBERS)).values(values)
    )


_EMBEDDED, _ANALYSED = _noting("embedded"), _noting("analysed")


class Pending:
    """Finds and settles what is still to do for one scope, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def without_vector(self, identity: int, *, limit: int) -> list[int]:
        """Memories with no vector in this embedding space, newest first."""
        values = {"scope": self._scope.id, "identity": identity, "limit": limit}
        return [number for (number,) in _WITHOUT_VECTOR.run(self._connection, values)]

    def lacking(self, numbers: Sequence[int], identity: int) -> list[int]:
        """Those of these memories that may be recalled and have no vector in this embedding space."""
        values = {"scope": self._scope.id, "identity": identity}
        found: list[int] = []
        for chunk in chunks(numbers):
            rows = _LACKING.run(self._connection, {**values, "numbers": list(chunk)})
            found += [number for (number,) in rows]
        return found

    def without_terms(self, identity: int, *, limit: int) -> list[int]:
        """Memories with no terms of this analyser, newest first."""
        return self._numbers(self._query().where(memory_scopes.c.analysed != identity), limit)

    def count(self, *, embedding: int | None, analyser: int) -> tuple[int, int]:
        """How many memories lack a vector, and how many lack terms."""
        vectors = 0
        if embedding is not None:
            lacking = self._query().where(memory_scopes.c.embedded != embedding).subquery()
            vectors = self._connection.execute(select(func.count()).select_from(lacking)).scalar_one()
        lacking = self._query().where(memory_scopes.c.analysed != analyser).subquery()
        return vectors, self._connection.execute(select(func.count()).select_from(lacking)).scalar_one()

    def embedded(self, numbers: Sequence[int], identity: int, *, change: int | None) -> None:
        """Note that these memories have a vector; `change` if readers should look at them."""
        self._note(numbers, identity, _EMBEDDED, change)

    def analysed(self, numbers: Sequence[int], identity: int, *, change: int | None) -> None:
        """Note that these memories have terms; `change` if readers should look at them."""
        self._note(numbers, identity, _ANALYSED, change)

    def _note(self, numbers: Sequence[int], identity: int, noted: Fixed, change: int | None) -> None:
        values = {"scope": self._scope.id, "identity": identity, "changed": change}
        for chunk in chunks(numbers):
            noted.run(self._connection, {**values, "numbers": list(chunk)})

    def _query(self) -> Select[int]:
        return _RECALLABLE.where(memory_scopes.c.scope_id == self._scope.id).order_by(
            memory_scopes.c.memory_id.desc()
        )

    def _numbers(self, query: Select[int], limit: int) -> list[int]:
        return list(self._connection.execute(query.limit(limit)).scalars())
