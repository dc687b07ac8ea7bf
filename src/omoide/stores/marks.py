"""Which index of vectors a store keeps up to date: told by one row, since an index may have missed something.

Whoever opens the store with another index, or with none, writes what that one does not see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, insert, select

from omoide.stores.tables import meta

if TYPE_CHECKING:
    from sqlalchemy import Connection

KEY: Final = "vectors"


def marked(connection: Connection) -> str | None:
    """What `mark` wrote last, in a transaction of the tenant without a name."""
    found = connection.execute(select(meta.c.value).where(meta.c.key == KEY)).scalar()
    return None if found is None else str(found)


def mark(connection: Connection, value: str) -> None:
    """Note that an index holds everything, and misses nothing from now on."""
    unmark(connection)
    connection.execute(insert(meta).values(tenant="", key=KEY, value=value))


def unmark(connection: Connection) -> None:
    """Note that no index holds everything."""
    connection.execute(delete(meta).where(meta.c.key == KEY))
