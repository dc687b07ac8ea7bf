"""The driver's own connection behind one of SQLAlchemy's, where what it alone can do is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from omoide.stores.postgres.connection import BoundedConnection


def driver_of(connection: Connection) -> BoundedConnection:
    """The connection to PostgreSQL, as it was made for the store."""
    return cast("BoundedConnection", connection.connection.driver_connection)
