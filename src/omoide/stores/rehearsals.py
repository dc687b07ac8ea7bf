"""How often the memories of one scope went into an exchange, and when last (H10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, insert, select, update

from omoide.stores.chunks import CHUNK
from omoide.stores.fixed import Fixed
from omoide.stores.tables import rehearsals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import BindParameter, Connection

    from omoide.stores.scopes import ScopeRow

_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_OF_SCOPE = select(rehearsals.c.memory_id, rehearsals.c.count, rehearsals.c.last_at).where(
    rehearsals.c.scope_id == bindparam("scope")
)
_ALL_REHEARSED = Fixed(_OF_SCOPE)
_REHEARSED = Fixed(_OF_SCOPE.where(rehearsals.c.memory_id.in_(_NUMBERS)))


class Rehearsals:
    """Reads and writes one scope's rehearsals, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow, *, now: int) -> None:
        self._connection = connection
        self._scope = scope
        self._now = now

    def counts(self, numbers: Sequence[int]) -> dict[int, tuple[int, int]]:
        """How often memories were recalled into an exchange, and when last."""
        if len(numbers) > CHUNK:
            rows = _ALL_REHEARSED.run(self._connection, {"scope": self._scope.id})
        else:
            wanted = {"scope": self._scope.id, "numbers": list(numbers)}
            rows = _REHEARSED.run(self._connection, wanted)
        return {row[0]: (row[1], row[2]) for row in rows}

    def note(self, numbers: Sequence[int], *, exchange: bytes) -> None:
        """Note that memories were recalled into an exchange; a second time in the same one does not count."""
        known = self._exchanges(numbers)
        new = [number for number in numbers if number not in known]
        again = [number for number in numbers if number in known and known[number] != exchange]
        if new:
            row = {"tenant": self._scope.tenant, "scope_id": self._scope.id, "count": 1}
            self._connection.execute(
                insert(rehearsals),
                [{**row, "memory_id": number, "last_at": self._now, "exchange": exchange} for number in new],
            )
        if again:
            self._connection.execute(
                update(rehearsals)
                .where(rehearsals.c.scope_id == self._scope.id, rehearsals.c.memory_id.in_(again))
                .values(count=rehearsals.c.count + 1, last_at=self._now, exchange=exchange)
            )

    def _exchanges(self, numbers: Sequence[int]) -> dict[int, bytes]:
        query = select(rehearsals.c.memory_id, rehearsals.c.exchange).where(
            rehearsals.c.scope_id == self._scope.id, rehearsals.c.memory_id.in_(numbers)
        )
        return {row[0]: row[1] for row in self._connection.execute(query)}
