"""Leases on scopes in the database: one reader at a time, also over processes (P3, ruling 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from omoide.stores.tables import leases

if TYPE_CHECKING:
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

LIFE = 60.0
"""Seconds that a lease lives unless it is renewed (P3)."""

RENEW = 20.0
"""Seconds after which its holder renews it (P3)."""

_SECOND = 1_000_000


class DatabaseLeases:
    """Leases as rows of the store: taken when free or expired, renewed and given back by their holder only.

    The time is the server's, or that of the one machine that a file is used on. Where that is set ahead, a
    lease ends early: what its holder writes then is refused, for the window has another attempt. Where it is
    set back, a lease that would live longer than any can is free.

    The others block for one short transaction.
    """

    def __init__(self, store: Store, *, life: float = LIFE) -> None:
        self._store = store
        self._life = int(life * _SECOND)

    def check(self) -> None:
        """Nothing: they can be had where the store can be written."""

    def take(self, scope: ScopeRow, token: str) -> bool:
        """Take the lease of a scope; False while somebody else holds it."""
        with self._store.write(scope) as unit:
            now = self._now(unit)
            values = {"tenant": scope.tenant, "token": token, "expires_at": now + self._life}
            dialect = sqlite if unit.connection.dialect.name == "sqlite" else postgresql
            statement = dialect.insert(leases).values(scope_id=scope.id, **values)
            free = statement.on_conflict_do_update(
                index_elements=[leases.c.scope_id],
                set_=values,
                where=or_(
                    leases.c.expires_at <= now,
                    leases.c.expires_at > now + self._life,  # the clock was set back
                    leases.c.token == token,
                ),
            )
            unit.connection.execute(free)
            holder = select(leases.c.token).where(leases.c.scope_id == scope.id)
            return unit.connection.execute(holder).scalar() == token

    def renew(self, scope: ScopeRow, token: str) -> bool:
        """Prolong a lease; False if it is not held any more."""
        with self._store.write(scope) as unit:
            now = self._now(unit)
            renewed = unit.connection.execute(
                update(leases)
                .where(
                    leases.c.scope_id == scope.id,
                    leases.c.token == token,
                    leases.c.expires_at > now,
                )
                .values(expires_at=now + self._life)
            )
            return renewed.rowcount == 1

    def give_back(self, scope: ScopeRow, token: str) -> None:
        """Give a lease back, if it is still held."""
        with self._store.write(scope) as unit:
            unit.connection.execute(
                delete(leases).where(leases.c.scope_id == scope.id, leases.c.token == token)
            )

    def _now(self, unit: Unit) -> int:
        """The time that all holders agree on, however wrong the clock of one is."""
        return self._store.database.now(unit.connection, default=unit.now)
