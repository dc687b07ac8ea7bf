"""What a PostgreSQL server says of itself, of the database and of the role: for whoever looks after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import text

from omoide.stores.whole.extents import TABLES

if TYPE_CHECKING:
    from sqlalchemy import Connection

_SERVER: Final = text(
    """
    SELECT current_setting('server_version') AS version,
           pg_is_in_recovery() AS standby,
           current_setting('default_transaction_read_only')::bool AS read_only,
           current_setting('fsync')::bool AS safe,
           pg_database_size(current_database()) AS size,
           current_user AS role,
           (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS unbound,
           (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector,
           to_regtype('vector') IS NOT NULL AS vector_seen,
           EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS vector_offered,
           coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_make,
           (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) OR EXISTS (
               SELECT FROM pg_available_extension_versions
               WHERE name = 'vector' AND (trusted OR NOT superuser)
               AND has_database_privilege(current_database(), 'CREATE')
           ) AS may_extend,
           inet_server_addr() IS NULL
               OR coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS private,
           extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8 AS behind
    """
)
_LACKING: Final = text(
    """
    SELECT relname FROM pg_class
    WHERE oid = ANY (CAST(:names AS regclass[])) AND NOT (
        has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
        AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')
    )
    UNION ALL
    SELECT relname FROM pg_class
    WHERE oid = to_regclass('alembic_version') AND NOT has_table_privilege(oid, 'SELECT')
    UNION ALL
    SELECT sequence FROM unnest(CAST(:sequences AS text[])) AS sequence
    WHERE NOT has_sequence_privilege(sequence, 'USAGE')
    """
)
COPIES: Final = "embeddings"
"""The table of copies that pgvector compares; it is there where the store was opened so."""

_THERE: Final = text(
    "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = :name)"
)
_STANDBYS: Final = text(
    "SELECT count(*) AS standbys, max(pg_wal_lsn_diff(sent_lsn, replay_lsn))::bigint AS behind "
    "FROM pg_stat_replication"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class PostgresState:
    """How a server and a role stand.

    Attributes:
        version: of the server, such as ``17.2``.
        standby: whether it only follows another server, so that nothing can be written.
        read_only: whether it refuses writes by a setting.
        safe: whether an acknowledged write outlives a power cut (fsync).
        size: of the database, in bytes.
        role: the name of the role.
        unbound: whether the role sees the rows of all tenants, whatever row-level security says.
        lacking: tables and counters that the role may not write.
        vector: the version of the extension for vectors that the database has; None without it.
        vector_seen: whether its types are in the search path.
        vector_offered: whether the server has that extension to offer.
        may_make: whether the role may make tables where its new ones go.
        may_extend: whether the role may make that extension, where it is offered.
        private: whether nobody can listen: TLS, or a socket of the machine.
        behind: seconds since a standby took over its last change; None for other servers.
        standbys: how many servers follow this one, as far as the role may see that.
        unread: bytes of changes that the slowest of them has not taken over; None where it is not known.
    """

    version: str
    standby: bool
    read_only: bool
    safe: bool
    size: int
    role: str
    unbound: bool
    lacking: tuple[str, ...]
    vector: str | None
    vector_seen: bool
    vector_offered: bool
    may_make: bool
    may_extend: bool
    private: bool
    behind: float | None
    standbys: int
    unread: int | None


def postgres_state(connection: Connection, *, made: bool = True, copies: bool = False) -> PostgresState:
    """How the server and the role of a connection stand.

    Args:
        connection: to the database.
        made: whether the tables of a store are there, so that the role's rights to them can be looked at.
        copies: whether the table of copies of vectors is in use, so that it is looked at too if it is there.
    """
    found: dict[str, Any] = dict(connection.execute(_SERVER).mappings().one())
    following = connection.execute(_STANDBYS).one()
    return PostgresState(
        **found,
        lacking=_lacking(connection, copies=copies) if made else (),
        standbys=following.standbys,
        unread=following.behind,
    )


def _lacking(connection: Connection, *, copies: bool) -> tuple[str, ...]:
    names = [table.name for table in TABLES]
    if copies and connection.execute(_THERE, {"name": COPIES}).scalar():
        names.append(COPIES)
    sequences = [f"{table.name}_id_seq" for table in TABLES if "id" in table.c]
    return tuple(connection.execute(_LACKING, {"names": names, "sequences": sequences}).scalars())
