"""The table of copies that pgvector compares: derived from the sealed vectors, and made again at any time.

It is no part of the migrated schema, for it needs an extension that a server may not have. What is destroyed
in the store leaves it by a foreign key, also while nobody compares vectors in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import psycopg
from sqlalchemy import text

from omoide.errors import StoreError
from omoide.stores.fixed import raw
from omoide.stores.marks import unmark
from omoide.stores.migrations.isolation import protect

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from omoide.stores.database import Database

MOST: Final = 4_000
"""Numbers of a vector at most, so that a graph can be made of them."""

COVERED: Final = 1_300
"""Numbers of a vector that an index entry has room for; longer ones are scanned in the table."""

_TABLE: Final = (
    """
    CREATE TABLE embeddings (
        tenant text NOT NULL DEFAULT '',
        scope_id bigint NOT NULL,
        memory_id bigint NOT NULL,
        identity_id bigint NOT NULL,
        vector halfvec NOT NULL,
        PRIMARY KEY (scope_id, memory_id, identity_id),
        FOREIGN KEY (scope_id, memory_id) REFERENCES memory_scopes (scope_id, memory_id) ON DELETE CASCADE
    )
    """,
    # Beside the row, where a vector is stored by default, each one would cost a look-up of its own.
    "ALTER TABLE embeddings ALTER COLUMN vector SET STORAGE PLAIN",
    f"""
    CREATE INDEX embeddings_scan ON embeddings (scope_id, identity_id, memory_id) INCLUDE (tenant, vector)
    WHERE vector_dims(vector) <= {COVERED}
    """,
)
_FOUND: Final = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'embeddings'"
_TYPES: Final = """
    SELECT to_regtype('vector') IS NOT NULL AS seen, to_regtype('halfvec') IS NOT NULL AS halves,
           current_setting('search_path') AS path,
           (SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
            WHERE extname = 'vector') AS schema
"""
_WITHOUT_EXTENSION: Final = {
    "42501": "its role may not create the extension",
    "0A000": "the server does not have it; install pgvector there",
    "58P01": "the server does not have it; install pgvector there",
}


def make_table(database: Database) -> None:
    """See that the table is there, and make it if it is not.

    Raises:
        StoreError: the extension is missing, out of sight or too old, or the role lacks a right.
    """
    whole = database.of("")
    with whole.read() as connection:
        if _is_there(connection):
            _see_types(connection, name=database.name)
            return
    with whole.write() as connection:
        if _is_there(connection):  # somebody else was faster
            return
        _see_extension(connection, name=database.name)
        _create(connection, name=database.name)
        unmark(connection)


def _is_there(connection: Connection) -> bool:
    # `to_regclass` may answer from what this connection knew before it waited for the lock.
    return connection.execute(text(_FOUND)).scalar() is not None


def _see_extension(connection: Connection, *, name: str) -> None:
    driver = raw(connection)
    try:
        driver.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.Error as error:
        reason = _WITHOUT_EXTENSION.get(error.sqlstate or "")
        if reason is None:
            raise
        msg = (
            f"the store {name!r} lacks the extension 'vector': {reason}. Let a superuser run "
            "`CREATE EXTENSION vector` in this database, or choose vectors=memory"
        )
        raise StoreError(msg) from error
    _see_types(connection, name=name)


def _see_types(connection: Connection, *, name: str) -> None:
    """See that the extension's types are found, wherever it lies."""
    found = connection.execute(text(_TYPES)).one()
    if not found.seen:
        msg = (
            f"the type 'vector' of {name!r} is not in the search path {found.path!r}: the extension lies in "
            f"the schema {found.schema!r}. Name that behind the store's own, as in "
            f"?options=-csearch_path%3Dacme,{found.schema}, or choose vectors=memory"
        )
        raise StoreError(msg)
    if not found.halves:
        msg = (
            f"the extension 'vector' of {name!r} is older than 0.7, which brought vectors of half precision; "
            "update it (`ALTER EXTENSION vector UPDATE`), or choose vectors=memory"
        )
        raise StoreError(msg)


def _create(connection: Connection, *, name: str) -> None:
    driver = raw(connection)
    try:
        for statement in _TABLE:
            driver.execute(statement)
        protect(connection, "embeddings")
    except psycopg.errors.InsufficientPrivilege as error:
        msg = (
            f"the role of {name!r} may not make the table 'embeddings'; open the store once as the owner of "
            "its other tables, or choose vectors=memory"
        )
        raise StoreError(msg) from error
