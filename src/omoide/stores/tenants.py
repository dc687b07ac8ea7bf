"""The tenants of a store: each is noted when it is opened first, so that a worker finds them all.

The names stand among what belongs to the store as a whole, which is of the tenant without a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import insert, select

from omoide.stores.tables import meta

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from omoide.stores.database import Database

_KEY: Final = "tenant:"


def known_tenants(database: Database) -> list[str]:
    """Every tenant that was opened ever, in order; the one without a name comes first."""
    with database.of("").read() as connection:
        return tenants_in(connection)


def tenants_in(connection: Connection) -> list[str]:
    """The same, within a transaction of the tenant without a name."""
    query = select(meta.c.key).where(meta.c.tenant == "", meta.c.key.startswith(_KEY))
    found = connection.execute(query).scalars().all()
    return ["", *sorted(key.removeprefix(_KEY) for key in found)]


def note_tenant(database: Database, tenant: str) -> None:
    """Note a tenant, unless it is known."""
    if not tenant or tenant in known_tenants(database):
        return
    row = select(meta.c.key).where(meta.c.key == _KEY + tenant)
    with database.of("").write() as connection:
        if connection.execute(row).first() is None:  # nobody else was faster
            connection.execute(insert(meta).values(tenant="", key=_KEY + tenant, value=""))
