"""What still lacks a vector or terms: a query and no queue, so that nothing can be lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from omoide.domain.model import Status
from omoide.stores.log import chunks
from omoide.stores.tables import memories, memory_scopes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Select

    from omoide.stores.scopes import ScopeRow


class Pending:
    """Finds and settles what is still to do for one scope, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def without_vector(self, identity: int, *, limit: int) -> list[int]:
        """Memories with no vector in this embedding space, newest first."""
        return self._numbers(self._query().where(memory_scopes.c.embedded != identity), limit)

    def lacking(self, numbers: Sequence[int], identity: int) -> list[int]:
        """Those of these memories that may be recalled and have no vector in this embedding space."""
        query = self._query().where(memory_scopes.c.embedded != identity)
        found: list[int] = []
        for chunk in chunks(numbers):
            of_these = query.where(memory_scopes.c.memory_id.in_(chunk))
            found += self._connection.execute(of_these).scalars()
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
        self._note(numbers, {"embedded": identity}, change)

    def analysed(self, numbers: Sequence[int], identity: int, *, change: int | None) -> None:
        """Note that these memories have terms; `change` if readers should look at them."""
        self._note(numbers, {"analysed": identity}, change)

    def _note(self, numbers: Sequence[int], values: dict[str, int], change: int | None) -> None:
        if change is not None:
            values = {**values, "change": change}
        for chunk in chunks(numbers):
            self._connection.execute(
                update(memory_scopes)
                .where(memory_scopes.c.scope_id == self._scope.id, memory_scopes.c.memory_id.in_(chunk))
                .values(values)
            )

    def _query(self) -> Select[int]:
        return (
            select(memory_scopes.c.memory_id)
            .join(memories, memories.c.id == memory_scopes.c.memory_id)
            .where(
                memory_scopes.c.scope_id == self._scope.id,
                memories.c.status.in_((Status.CONFIRMED.value, Status.REPLACED.value, Status.FADED.value)),
            )
            .order_by(memory_scopes.c.memory_id.desc())
        )

    def _numbers(self, query: Select[int], limit: int) -> list[int]:
        return list(self._connection.execute(query.limit(limit)).scalars())
