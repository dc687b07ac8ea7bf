"""What an index outside the database is still owed: written with what is owed, paid after the commit.

Copies of vectors that lie elsewhere cannot be written in the store's transaction. So the transaction that
changes vectors notes the change here, and whoever can reach the index brings it there and takes the note
away. Nothing is lost with a process or with the index, and what is forgotten is known to lie there until it
is gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import bindparam, delete, func, select

from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed, insert_rows
from omoide.stores.tables import debts

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection

_OF_SCOPE = Fixed(
    select(debts.c.id, debts.c.what, debts.c.numbers)
    .where(debts.c.tenant == bindparam("tenant"), debts.c.scope_uid == bindparam("scope"))
    .order_by(debts.c.id)
    .limit(bindparam("limit"))
)
_SCOPES = Fixed(select(debts.c.scope_uid).where(debts.c.tenant == bindparam("tenant")).distinct())


class What(StrEnum):
    """What has to be done there."""

    PUT = "put"
    DROP = "drop"
    ERASE = "erase"


@dataclass(frozen=True, kw_only=True, slots=True)
class Debt:
    """One thing that is still to be done for a scope; the numbers are those of memories."""

    id: int
    what: What
    numbers: tuple[int, ...]


class Debts:
    """The debts of one tenant, within one transaction."""

    def __init__(self, connection: Connection, *, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def owe(self, scope: bytes, what: What, numbers: Collection[int] = ()) -> None:
        """Note something to be done for a scope, by its uid."""
        packed = np.asarray(sorted(numbers), dtype=np.int64).tobytes()
        row = {"tenant": self._tenant, "scope_uid": scope, "what": what.value, "numbers": packed}
        insert_rows(self._connection, debts, [row])

    def of(self, scope: bytes, *, limit: int) -> list[Debt]:
        """The oldest debts of a scope."""
        values = {"tenant": self._tenant, "scope": scope, "limit": limit}
        return [
            Debt(id=number, what=What(what), numbers=tuple(np.frombuffer(numbers, dtype=np.int64).tolist()))
            for number, what, numbers in _OF_SCOPE.run(self._connection, values)
        ]

    def scopes(self) -> list[bytes]:
        """The uids of all scopes that have debts."""
        return [bytes(uid) for (uid,) in _SCOPES.run(self._connection, {"tenant": self._tenant})]

    def paid(self, numbers: Sequence[int]) -> None:
        """Take debts away, by their numbers."""
        for chunk in chunks(numbers):
            self._connection.execute(delete(debts).where(debts.c.id.in_(chunk)))

    def waive(self, scope: bytes) -> None:
        """Take all debts of a scope away."""
        mine = (debts.c.tenant == self._tenant, debts.c.scope_uid == scope)
        self._connection.execute(delete(debts).where(*mine))


def scopes_owing(connection: Connection, *, tenant: str) -> int:
    """How many scopes of a tenant have changes that the index has not taken yet."""
    query = select(func.count(debts.c.scope_uid.distinct())).where(debts.c.tenant == tenant)
    return int(connection.execute(query).scalar_one())
