"""Is the database of a store in order: a file and its rights, or a PostgreSQL server and the role."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from omoide.domain.finding import Finding
from omoide.stores.database import schema_of
from omoide.stores.migrations import HEAD
from omoide.stores.postgres.database import PostgresDatabase
from omoide.stores.postgres.state import COPIES, postgres_state
from omoide.stores.tenants import known_tenants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from omoide.stores.database import Database
    from omoide.stores.postgres.state import PostgresState

_NAMED: Final = 3
"""Tables that a finding names; the rest is counted."""


def database_findings(database: Database, *, vectors: str = "memory") -> Iterator[Finding]:
    """Look at the database of an open store. It blocks.

    Args:
        database: which.
        vectors: the setting: where vectors are compared.
    """
    damage = database.healthy()
    if damage:
        detail = f"{database.name} is damaged ({damage[0]}); restore a backup of it"
        yield Finding(what="store", state="wrong", detail=detail)
    if isinstance(database, PostgresDatabase):
        with database.read() as connection:
            state = postgres_state(connection, copies=vectors == "pgvector")
            schema = _schema(connection)
        yield _server(database, state, holds=schema)
        yield _role(state, tenants=len(known_tenants(database)) - 1)
        yield from _replication(state)
        yield _vector(state)
        return
    path = Path(database.name)
    if not damage:
        size = path.stat().st_size / 1_000_000
        with database.read() as connection:
            schema = _schema(connection)
        yield Finding(what="store", state="ok", detail=f"{path}, {size:.1f} MB, {schema}")
    yield _rights(path)


def empty_findings(location: str, *, vectors: str) -> Iterator[Finding]:
    """See whether a store can be made in an empty PostgreSQL database, and make nothing. It blocks.

    Args:
        location: of the database.
        vectors: the setting: where vectors are to be compared.

    Raises:
        StoreError: it cannot be reached.
    """
    with closing(PostgresDatabase.unchanged(location)) as database, database.read() as connection:
        state = postgres_state(connection, made=False)
    yield _server(database, state, holds="no store yet; the first write makes it")
    if state.may_make:
        yield _role(state, tenants=0)
    else:
        detail = (
            f"the role {state.role!r} may make no tables here; let the database's owner run: "
            f"GRANT USAGE, CREATE ON SCHEMA public TO {_quoted(state.role)}; or let the role own the database"
        )
        yield Finding(what="rights", state="wrong", detail=detail)
    yield _vector(state) if vectors != "pgvector" else _wanted_vector(state)


def lacking_findings(location: str, *, vectors: str) -> Iterator[Finding]:
    """What the role lacks in a PostgreSQL database whose store it cannot open. It blocks.

    Args:
        location: of the database.
        vectors: the setting: where vectors are compared.

    Raises:
        StoreError: it cannot be reached, or holds no store.
    """
    with closing(PostgresDatabase.unchanged(location)) as database, database.read() as connection:
        state = postgres_state(connection, copies=vectors == "pgvector")
    if state.lacking:
        yield _role(state, tenants=0)


def _schema(connection: Connection) -> str:
    """The store's own, which a later release may have brought up to date while this one goes on."""
    found = schema_of(connection)
    return f"schema {found}" if found == HEAD else f"schema {found} (this program knows {HEAD})"


def _server(database: Database, state: PostgresState, *, holds: str) -> Finding:
    named = f"{database.name}, PostgreSQL {state.version}, {state.size / 1_000_000:.1f} MB, {holds}"
    if state.standby:
        detail = f"{named}; it is a standby, so nothing can be written: name the primary in OMOIDE_STORE"
        return Finding(what="store", state="wrong", detail=detail)
    if state.read_only:
        detail = f"{named}; default_transaction_read_only is on, so writes may be refused: see why, end it"
        return Finding(what="store", state="wrong", detail=detail)
    notes = [
        *([] if state.safe else ["fsync is off, so a power cut loses or damages what was written"]),
        *([] if state.private else ["the connection is not encrypted; add ?sslmode=require to the URL"]),
    ]
    return Finding(what="store", state="note" if notes else "ok", detail="; ".join((named, *notes)))


def _role(state: PostgresState, *, tenants: int) -> Finding:
    if state.lacking:
        given = (
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {_quoted(state.role)}; "
            f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {_quoted(state.role)}"
        )
        if state.lacking == (COPIES,):
            given = f"GRANT SELECT, INSERT, UPDATE, DELETE ON {COPIES} TO {_quoted(state.role)}"
        shown = ", ".join(state.lacking[:_NAMED])
        if len(state.lacking) > _NAMED:
            shown += f" and {len(state.lacking) - _NAMED} tables more"
        detail = f"the role {state.role!r} may not read or write {shown}; let their owner run: {given}"
        return Finding(what="rights", state="wrong", detail=detail)
    if state.unbound:
        detail = (
            f"the role {state.role!r} is bound by no row-level security, so only the program keeps "
            f"{tenants} tenants apart; use a role without SUPERUSER and BYPASSRLS"
        )
        return Finding(what="rights", state="wrong" if tenants else "note", detail=detail)
    return Finding(what="rights", state="ok", detail=f"the role {state.role!r} may write, as one tenant only")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _replication(state: PostgresState) -> Iterator[Finding]:
    if state.standby and state.behind is not None:
        detail = f"the last change came {state.behind:.0f} seconds ago"
        yield Finding(what="replication", state="note", detail=detail)
    if state.standbys:
        behind = "by how much is not shown to this role"
        if state.unread is not None:
            behind = f"the slowest lacks {state.unread / 1_000_000:.1f} MB"
        yield Finding(what="replication", state="ok", detail=f"{state.standbys} servers follow; {behind}")


def _vector(state: PostgresState, *, wanted: bool = False) -> Finding:
    if state.vector is not None and not state.vector_seen:
        detail = (
            f"version {state.vector}, but the type 'vector' is not in the search path: add the extension's "
            "schema behind the store's own, as in ?options=-csearch_path%3Dacme,public"
        )
        return Finding(what="extension vector", state="wrong" if wanted else "note", detail=detail)
    if state.vector is not None:
        detail = f"version {state.vector}; vectors=pgvector compares them in the database"
        return Finding(what="extension vector", state="ok", detail=detail)
    where = (
        "offered by the server, not made in this database" if state.vector_offered else "not on the server"
    )
    detail = f"{where}; vectors=pgvector needs it, the others do not"
    return Finding(what="extension vector", state="note", detail=detail)


def _wanted_vector(state: PostgresState) -> Finding:
    """The same where vectors=pgvector, before anything is made."""
    if state.vector is not None:
        return _vector(state, wanted=True)
    if state.vector_offered and state.may_extend:
        detail = "not made in this database yet; the first write makes it"
        return Finding(what="extension vector", state="ok", detail=detail)
    way = "let a superuser run `CREATE EXTENSION vector` in this database"
    if not state.vector_offered:
        way = "the server does not have it; install pgvector there"
    return Finding(what="extension vector", state="wrong", detail=f"{way}, or choose vectors=memory")


def _rights(path: Path) -> Finding:
    if os.name != "nt" and stat.S_IMODE(path.stat().st_mode) & 0o022:
        detail = f"others may write to {path}; run: chmod go-w {path}"
        return Finding(what="rights", state="wrong", detail=detail)
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        return Finding(what="rights", state="wrong", detail=f"{path} or its folder cannot be written")
    return Finding(what="rights", state="ok", detail="the store can be written, and by no other user")
