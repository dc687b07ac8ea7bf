"""A PostgreSQL to measure on: a server from a wheel, whose data may be kept, or one that is there already."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql
from sqlalchemy import URL, make_url

from benchmarks.cluster import Postgres
from benchmarks.postgres_sizes import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

WHEEL = "postgresql"
"""Where this stands in place of a URL, a server is started from the wheel."""

_ROOM = {"shared_buffers": "4GB", "max_wal_size": "8GB", "checkpoint_timeout": "15min"}
"""For a store of a million memories: the wheel's own settings are for small ones."""

_SHOWN = (
    "server_version",
    "shared_buffers",
    "fsync",
    "synchronous_commit",
    "maintenance_work_mem",
    "max_parallel_maintenance_workers",
    "max_parallel_workers_per_gather",
)
_SERVING = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'"


class Server:
    """A server with databases of its own.

    Args:
        url: of a database whose role may make others.
        here: whether it runs on this machine, so that its CPU time can be read.
    """

    def __init__(self, url: URL, *, here: bool) -> None:
        self.url = url
        self.here = here

    def database(self, name: str) -> str:
        """The URL of a database, which is made if it is not there."""
        with self.connect() as connection:
            if connection.execute("SELECT FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url.set(database=name).render_as_string(hide_password=False)

    def drop(self, name: str) -> None:
        """Drop a database."""
        with self.connect() as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} (FORCE)").format(sql.Identifier(name)))

    def settings(self) -> dict[str, str]:
        """Settings of the server that figures depend on."""
        with self.connect() as connection:
            query = "SELECT name, current_setting(name) FROM unnest(%s::text[]) AS given (name)"
            return dict(connection.execute(query, (list(_SHOWN),)).fetchall())

    def connect(self) -> psycopg.Connection[Any]:
        """A connection to the database that others are made from, outside of any transaction."""
        return psycopg.connect(plain(self.url), autocommit=True)


class Backends:
    """What a server spends for one database: CPU seconds of the processes that serve it.

    Args:
        server: which.
        database: the name of the database.
    """

    def __init__(self, server: Server, database: str) -> None:
        self._server = server
        self._database = database
        self._spent: dict[int, float] = {}

    def look(self) -> None:
        """Look which processes serve it now."""
        if self._server.here:
            with self._server.connect() as connection:
                serving = connection.execute(_SERVING, (self._database,)).fetchall()
            self._spent = {pid: self._spent.get(pid, 0.0) for (pid,) in serving}

    def seconds(self) -> float | None:
        """CPU seconds of these so far; None where it cannot be told."""
        for pid in self._spent:
            try:
                nanoseconds = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]
            except OSError:
                continue  # it has ended
            self._spent[pid] = int(nanoseconds) / 1e9
        return sum(self._spent.values()) if any(self._spent.values()) else None


@contextmanager
def serving(store: str, folder: Path) -> Iterator[Server]:
    """A server: one that is started over the data in a folder, or the one of a URL."""
    if store != WHEEL:
        yield Server(make_url(store), here=False)
        return
    with Postgres(folder) as begun:
        server = Server(make_url(begun.url), here=True)
        with server.connect() as connection:
            for name, value in _ROOM.items():
                change = sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(name), sql.Literal(value))
                connection.execute(change)
    with Postgres(folder):  # started again, with these
        yield server
