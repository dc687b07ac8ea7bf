"""Whether a PostgreSQL database holds a store, without making anything there."""

from __future__ import annotations

from omoide.errors import OmoideError
from omoide.stores.database import version_of
from omoide.stores.postgres.database import PostgresDatabase
from omoide.stores.whole.copying import store_id


def may_hold_store(location: str) -> bool:
    """Whether a database holds a store, or it cannot be told: whoever opens it then finds out why."""
    try:
        return holds_store(location)
    except OmoideError:
        return True


def holds_store(location: str) -> bool:
    """Whether a database holds a store; tables that nobody has written to are none.

    Raises:
        InvalidInput, MissingExtra, StoreError: as for `PostgresDatabase.open`.
    """
    database = PostgresDatabase.unchanged(location)
    try:
        with database.read() as connection:
            if version_of(connection, name=database.name) is None:
                return False
            return store_id(connection, name=database.name) is not None
    finally:
        database.close()
