"""What a database on PostgreSQL takes on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from sqlalchemy import make_url

if TYPE_CHECKING:
    from sqlalchemy import URL

_SIZES = (
    "SELECT relname, pg_total_relation_size(oid)::float8 FROM pg_class "
    "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
)
_GROWN = "SELECT pg_database_size(current_database()) - pg_database_size('template0')"


def plain(url: URL | str) -> str:
    """A URL as psycopg itself takes it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def settle(url: str) -> None:
    """Clear away what was deleted and count values for the planner, as a server does by itself in time."""
    with psycopg.connect(plain(url), autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def table_bytes(url: str) -> dict[str, float]:
    """Bytes of each table of a store with its indexes."""
    with psycopg.connect(plain(url), autocommit=True) as connection:
        return dict(connection.execute(_SIZES).fetchall())


def database_bytes(url: str) -> int:
    """Bytes of a database but for what an empty one takes."""
    with psycopg.connect(plain(url), autocommit=True) as connection:
        ((size,),) = connection.execute(_GROWN).fetchall()
    return int(size)
