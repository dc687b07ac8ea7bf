"""A SQLite file as the store: one writer at a time, readers beside it, and its errors in our words."""

from __future__ import annotations

import sqlite3
from collections import deque
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from omoide.addresses import check_file
from omoide.errors import (
    InvalidInput,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreReadOnly,
)
from omoide.stores.database import Database, NotAtHand, upgrade, version_of
from omoide.stores.fixed import raw
from omoide.stores.migrations import HEAD
from omoide.stores.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine
    from sqlalchemy.pool import ConnectionPoolEntry

_Begin = Literal["BEGIN", "BEGIN IMMEDIATE"]

_WAIT = 15.0
"""Seconds that a writer waits for another process's transaction, from when it came."""

_LOCKED = "another process keeps it locked; nothing was changed, try again"

_PRAGMAS = (
    "PRAGMA synchronous=FULL",  # an acknowledged write outlives a power cut
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",  # deleted bytes are overwritten, not left in free pages
    "PRAGMA temp_store=MEMORY",
    "PRAGMA cache_size=-16000",
)

_BY_CODE = {
    sqlite3.SQLITE_NOTADB: (StoreCorrupt, "it is no Omoide database, or its first page is damaged"),
    sqlite3.SQLITE_CORRUPT: (StoreCorrupt, "it is damaged; restore a backup"),
    sqlite3.SQLITE_READONLY: (StoreReadOnly, "the file or its folder cannot be written"),
    sqlite3.SQLITE_PERM: (StoreReadOnly, "its permissions do not allow it"),
    sqlite3.SQLITE_CANTOPEN: (
        StoreReadOnly,
        "it cannot be opened; check that the folder exists and is writable",
    ),
    sqlite3.SQLITE_FULL: (StoreFull, "the disk is full; nothing was changed"),
    sqlite3.SQLITE_BUSY: (StoreBusy, _LOCKED),
    sqlite3.SQLITE_IOERR: (StoreError, "the disk reported an error; nothing was changed"),
}


class SqliteDatabase(Database):
    """A SQLite file with the current schema. All its writers come one after another."""

    local = True

    def __init__(self, engine: Engine, *, name: str, wait: float = _WAIT) -> None:
        super().__init__()
        self._engine = engine
        self._wait = wait
        self._idle: dict[_Begin, deque[Connection]] = {"BEGIN": deque(), "BEGIN IMMEDIATE": deque()}
        self._turn = Turn(wait=wait)
        self.name = name

    @classmethod
    def open(cls, location: str | Path, *, wait: float = _WAIT) -> SqliteDatabase:
        """Open the file, or make it, and bring its schema up to date.

        Args:
            location: of the file.
            wait: seconds that a writer waits for another process.

        Raises:
            StoreError: it is damaged, newer than this release, read-only or locked; it is left as it was.
        """
        path = sqlite_path(location)
        if path.is_dir():
            msg = f"the store is a file, got the folder {str(path)!r}"
            raise InvalidInput(msg)
        engine = create_engine(
            f"sqlite+pysqlite:///{path}",
            poolclass=NullPool,  # `_begun` keeps them
            hide_parameters=True,
            connect_args={"check_same_thread": False, "timeout": wait, "isolation_level": None},
        )
        event.listen(engine, "connect", _prepare)
        database = cls(engine, name=str(path), wait=wait)
        try:
            database._migrate()
        except BaseException:
            engine.dispose()
            raise
        return database

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One snapshot to read from."""
        try:
            wait = 0.0 if self.hurried else self._wait
            with sqlite_errors(self.name), self._begun("BEGIN", wait=wait) as connection:
                yield connection
        except StoreBusy as error:
            if self.hurried:
                raise NotAtHand from error
            raise

    @contextmanager
    def write(self, *, scope: int | None = None) -> Iterator[Connection]:
        """One transaction that writes: all of it or nothing.

        Raises:
            StoreBusy: another process has kept the file locked since this one came.
        """
        left = self._turn.take(queued=self._queued())
        if left is None:
            raise _unusable(self.name, StoreBusy, _LOCKED)
        try:
            with sqlite_errors(self.name), self._begun("BEGIN IMMEDIATE", wait=left) as connection:
                self._turn.begun()
                with connection.begin():
                    yield connection
        finally:
            self._turn.leave()
        self._committed()

    def also(self, connection: Connection, *, scope: int) -> None:
        """Nothing more to wait for: a file has one writer at a time."""

    def of(self, tenant: str) -> SqliteDatabase:
        """The same file: whoever may open it may read all of it."""
        return self

    def now(self, connection: Connection, *, default: int) -> int:
        """The time of this process: all others run on the same machine."""
        return default

    def answers(self) -> bool:
        """Whether writers get at the file; one that another process keeps locked only lets read."""
        return self._turn.moves()

    def fell_silent(self, *, rest: bool = True) -> None:
        """Somebody waited for too long; where a lock is the reason, those who only read need not know."""
        if self._turn.moves():
            super().fell_silent(rest=rest)

    def scrub(self) -> bool:
        """Move all pages out of the write-ahead log, so that deleted bytes are nowhere on disk.

        Returns:
            False if another process was reading, in which case its next checkpoint does it.
        """
        row = self._raw("PRAGMA wal_checkpoint(TRUNCATE)")
        return row is not None and not row[0]

    def vacuum(self) -> None:
        """Give free pages back to the disk."""
        self._raw("VACUUM")
        self.scrub()

    def healthy(self) -> list[str]:
        """What SQLite's own check finds wrong; empty when all is well."""
        with self.read() as connection:
            found = [str(row[0]) for row in connection.execute(text("PRAGMA quick_check"))]
        return [] if found == ["ok"] else found

    def close(self) -> None:
        """Close all connections."""
        for idle in self._idle.values():
            while idle:
                idle.pop().close()
        self._engine.dispose()

    @contextmanager
    def _begun(self, begin: _Begin, *, wait: float) -> Iterator[Connection]:
        """A transaction on a connection of its own, by choice on the one used last: it has most at hand.

        They are kept here, and begun and ended by the driver: a pool of SQLAlchemy's, or a transaction, costs
        as much as a small query.
        """
        idle = self._idle[begin]
        try:
            connection = idle.pop()
        except IndexError:
            if self.hurried:
                raise NotAtHand from None
            connection = self._engine.connect()
        try:
            raw(connection).execute(f"PRAGMA busy_timeout={int(wait * 1_000)}")
            raw(connection).execute(begin)
            yield connection
            connection.commit()  # of SQLAlchemy's, which begins one where its own statements run
            connection.connection.commit()
        except NotAtHand:
            connection.connection.rollback()
            idle.append(connection)
            raise
        except BaseException:
            connection.close()
            raise
        idle.append(connection)

    def _migrate(self) -> None:
        with self.read() as connection:
            version = version_of(connection, name=self.name)
        self._raw("PRAGMA journal_mode=WAL")  # stays in the file, so nobody else's is given it
        if version != HEAD:
            with self.write() as connection:
                upgrade(connection, name=self.name)

    def _raw(self, statement: str) -> tuple[Any, ...] | None:
        """Run one statement outside of any transaction; its first row."""
        with sqlite_errors(self.name), self._engine.connect() as connection:
            connection.rollback()
            row: tuple[Any, ...] | None = raw(connection).execute(statement).fetchone()
            return row


def sqlite_path(location: str | Path) -> Path:
    """The file that a path or a URL of SQLite means.

    Raises:
        InvalidInput: it is another URL.
    """
    path = str(location).removeprefix("sqlite:///")
    return Path(check_file(path, what="store", such="haru.db")).expanduser()


def _prepare(connection: sqlite3.Connection, _record: ConnectionPoolEntry) -> None:
    for pragma in _PRAGMAS:
        connection.execute(pragma)


@contextmanager
def sqlite_errors(name: str) -> Iterator[None]:
    """Turn SQLite's errors about a store into ours."""
    try:
        yield
    except DBAPIError as error:
        raise _translated(error.orig, name) from error
    except sqlite3.Error as error:
        raise _translated(error, name) from error
    except UnicodeDecodeError as error:  # of the driver, whose message repeats what is damaged
        raise _unusable(name, *_BY_CODE[sqlite3.SQLITE_CORRUPT]) from error


def _translated(error: BaseException | None, name: str) -> StoreError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    kind, reason = _BY_CODE.get(code, (StoreError, f"the database refused: {type(error).__name__}"))
    return _unusable(name, kind, reason)


def _unusable(name: str, kind: type[StoreError], reason: str) -> StoreError:
    return kind(f"the store {name!r} cannot be used: {reason}")
