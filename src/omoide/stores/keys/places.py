"""Where a keyring lies: in a file apart from the store, or for replicas in a database apart from the store's.

Either holds the same sealed bytes, replaced whole under a lock. Each version has a stamp that no other one
has, so that a process sees at little cost whether what it has read still holds.
"""

from __future__ import annotations

import os
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol

from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from omoide.errors import KeyMissing, MissingExtra, StoreBusy, StoreLost, StoreReadOnly
from omoide.stores.keys import private_file
from omoide.stores.postgres.database import postgres_url, shown_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from sqlalchemy import Connection

Stamp = object
"""What tells a version from every other one; compared for equality only."""


class Place(Protocol):
    """Holds the content of one keyring. All methods block."""

    @property
    def name(self) -> str:
        """As it is shown; without a password."""

    def stamp(self) -> Stamp | None:
        """The stamp of the version that lies there now; None where it cannot be told."""

    def read(self) -> tuple[bytes, Stamp]:
        """The content, and its stamp.

        Raises:
            KeyMissing: there is none.
            StoreError: it cannot be read.
        """

    def begin(self, content: bytes) -> None:
        """Put the first content there, unless there is some."""

    def locked(self) -> AbstractContextManager[None]:
        """Keep all other writers out, those of other processes too."""

    def replace(self, content: bytes, *, overwrite_old: bool) -> Stamp:
        """Put new content in place of the old, within `locked`; returns its stamp.

        Args:
            content: all of it.
            overwrite_old: whether the old one is overwritten, as far as the place lets us.
        """

    def close(self) -> None:
        """Let go of what it holds open."""


class FilePlace:
    """A file that only its owner may read.

    Attributes:
        path: where it lies; a link stays a link, and all its names share one lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.name = str(self.path)

    def stamp(self) -> Stamp | None:
        """Of the file as it is now."""
        try:
            return private_file.stamp_of(self.path.stat())
        except OSError:
            return None

    def read(self) -> tuple[bytes, Stamp]:
        """The file's content."""
        with private_file.our_errors(self.path), _opened(self.path) as file:
            return file.read(), private_file.stamp_of(os.fstat(file.fileno()))

    def begin(self, content: bytes) -> None:
        """Write the file, unless it is there."""
        if self.path.exists():
            return
        private_file.make_folder(self.path.parent)
        with private_file.locked(self.path):
            if not self.path.exists():
                private_file.replace(self.path, content)

    def locked(self) -> AbstractContextManager[None]:
        """Hold the file's lock."""
        return private_file.locked(self.path)

    def replace(self, content: bytes, *, overwrite_old: bool) -> Stamp:
        """Write it whole; a crash leaves the old one or the new one."""
        private_file.replace(self.path, content, overwrite_old=overwrite_old)
        return self.stamp()

    def close(self) -> None:
        """Nothing is held open."""


_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS omoide_keyring "
    "(store text PRIMARY KEY, stamp text NOT NULL, content bytea NOT NULL)"
)
_MAKING: Final = 0x6F6D6F69
"""The lock of the one who makes the table."""

_WAIT: Final = 15
_UNDEFINED: Final = "42P01"
_DENIED: Final = ("42501", "25006")
_WAITED: Final = "55P03"


class DatabasePlace:
    """One row of a PostgreSQL database, which several machines reach; its row is the store's, by id.

    It is asked for its version wherever a key is needed, so that an erased user's key is gone for all
    replicas at once.

    Args:
        url: of the database; another one than the store's (ruling 26).
        store_id: the id of the store whose keyring it is.
    """

    def __init__(self, url: str, *, store_id: str) -> None:
        target = postgres_url(url)
        options: dict[str, Any] = {"connect_timeout": _WAIT, "options": f"-c lock_timeout={_WAIT}s"}
        try:
            self._engine = create_engine(
                target,
                pool_size=2,
                pool_timeout=_WAIT,
                pool_pre_ping=True,
                hide_parameters=True,
                connect_args=options,
            )
        except ModuleNotFoundError as error:
            msg = "a keyring in PostgreSQL needs the extra 'postgres': pip install 'omoide[postgres]'"
            raise MissingExtra(msg) from error
        self._reader = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._store = {"store": store_id}
        self._writing: Connection | None = None
        self.name = shown_url(target)

    def stamp(self) -> Stamp | None:
        """Of the row as it is now: one question to the server."""
        query = text("SELECT stamp FROM omoide_keyring WHERE store = :store")
        try:
            with self._our_errors(), self._reader.connect() as connection:
                return connection.execute(query, self._store).scalar()
        except KeyMissing:
            return None

    def read(self) -> tuple[bytes, Stamp]:
        """The row's content."""
        with self._our_errors(), self._reader.connect() as connection:
            query = text("SELECT content, stamp FROM omoide_keyring WHERE store = :store")
            row = connection.execute(query, self._store).first()
        if row is None:
            raise KeyMissing(self._missing())
        return bytes(row.content), row.stamp

    def begin(self, content: bytes) -> None:
        """Write the row, and make its table, unless they are there."""
        with self._our_errors(), self._engine.begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MAKING})
            connection.execute(text(_TABLE))
            values = "VALUES (:store, :stamp, :content) ON CONFLICT DO NOTHING"
            given = {**self._store, "stamp": uuid.uuid4().hex, "content": content}
            connection.execute(text(f"INSERT INTO omoide_keyring {values}"), given)

    def others(self) -> list[str]:
        """The ids of the other stores whose keyrings lie in the same table."""
        query = text("SELECT store FROM omoide_keyring WHERE store <> :store ORDER BY store")
        with self._our_errors(), self._reader.connect() as connection:
            return [str(store) for (store,) in connection.execute(query, self._store)]

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the row's lock, until `replace` or the end."""
        with self._our_errors(), self._engine.connect() as connection:
            held = text("SELECT FROM omoide_keyring WHERE store = :store FOR UPDATE")
            if connection.execute(held, self._store).first() is None:
                raise KeyMissing(self._missing())
            self._writing = connection
            try:
                yield
            finally:
                self._writing = None

    def replace(self, content: bytes, *, overwrite_old: bool) -> Stamp:
        """Write the row; the old bytes go with a vacuum, and from the server's log with its archive."""
        connection = self._writing
        if connection is None:
            msg = "a keyring is written under its lock"
            raise RuntimeError(msg)
        given = {**self._store, "stamp": uuid.uuid4().hex, "content": content}
        changed = text("UPDATE omoide_keyring SET stamp = :stamp, content = :content WHERE store = :store")
        connection.execute(changed, given)
        connection.commit()
        if overwrite_old:
            with self._reader.connect() as other:
                other.execute(text("VACUUM omoide_keyring"))
        return given["stamp"]

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _missing(self) -> str:
        return (
            f"the database {self.name!r} holds no keyring of the store {self._store['store']!r}, and what is "
            "sealed does not open without it; restore that database. Only a new store gets a new keyring"
        )

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        try:
            yield
        except PoolTimeout as error:
            msg = f"the keyring {self.name!r} is busy: all connections were in use for {_WAIT} seconds"
            raise StoreBusy(msg) from error
        except DBAPIError as error:
            raise self._translated(getattr(error.orig, "sqlstate", None)) from error

    def _translated(self, state: str | None) -> Exception:
        if state == _UNDEFINED:
            return KeyMissing(self._missing())
        if state in _DENIED:
            msg = f"the keyring {self.name!r} may not be read or written by its role, or is on a standby"
            return StoreReadOnly(msg)
        if state == _WAITED:
            return StoreBusy(f"another process kept the keyring {self.name!r} locked for {_WAIT} seconds")
        return StoreLost(f"the keyring {self.name!r} cannot be reached; nothing was changed")


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        msg = (
            f"the keyring {str(path)!r} is not there, and what is sealed does not open without it; "
            "put its newest copy back. Only a new store gets a new one"
        )
        raise KeyMissing(msg) from None
