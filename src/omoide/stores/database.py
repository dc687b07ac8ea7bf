"""What every database of a store does: two kinds of transaction, a current schema, and work done again."""

from __future__ import annotations

import re
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import delete, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError

from omoide.errors import StoreConflict, StoreCorrupt, StoreLost, StoreNewer
from omoide.stores.migrations import FLOOR, HEAD
from omoide.stores.tables import meta

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from sqlalchemy import Connection

T = TypeVar("T")

FLOOR_KEY = "schema_floor"
"""Under this key the store says which releases may use it."""

_REVISION = re.compile(r"(?!0000)[0-9]{4}")
"""How releases number their schemas, later ones too."""

_MISFITS = ("42701", "42703", "42704", "42710", "42P01", "42P07")
"""States of PostgreSQL: a column, table or object is there already, or is not there."""

_PAUSES = (0.05, 0.2, 0.8, 1.5, 2.5)
"""Seconds before work is done again; together as long as a database needs to restart."""

_LONGEST = 20.0
"""Seconds after which nothing is begun again: where each try takes long, somebody waits for all of them."""

_REST = 10.0
"""Seconds after a database stayed away for which nobody waits for it again: each call tries once, until one
succeeds."""


class NotAtHand(Exception):
    """What was wanted at once takes a while, or may."""


class Database(ABC):
    """Where the rows are.

    A reader sees one snapshot and never waits for a writer. Two writers of one scope, also those of other
    processes, come one after another. What a transaction wrote is gone as a whole if it ends with an error.

    Attributes:
        name: as it is shown in messages; without a password.
        again_count: how often work was done again, for another transaction or a restart got in its way.
        local: whether reading is no more than a look into a file of this machine.
    """

    name: str
    local = False

    def __init__(self) -> None:
        self._thread = threading.local()
        self.again_count = 0
        self._away_until = 0.0
        self._silent_until = 0.0

    @abstractmethod
    def read(self) -> AbstractContextManager[Connection]:
        """One snapshot to read from."""

    @abstractmethod
    def write(self, *, scope: int | None = None) -> AbstractContextManager[Connection]:
        """One transaction that writes: all of it or nothing.

        Args:
            scope: whose rows it writes; other scopes may be written meanwhile. Without one it writes what
                belongs to the store.
        """

    @abstractmethod
    def also(self, connection: Connection, *, scope: int) -> None:
        """Let a transaction that writes what belongs to the store write the rows of a scope too.

        It waits for others who do. Who writes to a scope alone never asks for more, so nobody waits for ever.
        """

    @abstractmethod
    def of(self, tenant: str) -> Database:
        """The same database as a tenant sees it, over the same connections, which stay open with this one.

        Where the database itself keeps tenants apart, every transaction says whose it is.
        """

    @abstractmethod
    def now(self, connection: Connection, *, default: int) -> int:
        """The time that all processes of the store agree on, in microseconds since 1970.

        Args:
            connection: of a transaction.
            default: the time of this process, which is right where all run on one machine.
        """

    @abstractmethod
    def scrub(self) -> bool:
        """Move deleted bytes off the disk as far as the database lets one.

        Returns:
            False if that has to wait, for another process that reads.
        """

    @abstractmethod
    def vacuum(self) -> None:
        """Give free space back to the disk."""

    @abstractmethod
    def healthy(self) -> list[str]:
        """What the database's own check finds wrong; empty when all is well."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""

    def answers(self) -> bool:
        """Whether it gives any sign within two seconds, be it that it refuses."""
        return True

    def connections(self) -> tuple[int, int] | None:
        """How many connections are in use, and how many there may be; None where that is not limited."""
        return None

    def again(self, function: Callable[[], T], *, asked: float | None = None) -> T:
        """Run a function of one or several transactions; again, if another one or a restart got in its way.

        It is done again only while nothing of it has been written, so that nothing is written twice.

        Args:
            function: what to run.
            asked: when somebody asked for it, by the clock that never goes back; now where it is left out.
                Whoever waited for a thread since then has waited for the database.

        Raises:
            StoreConflict, StoreLost: it failed too often, or half-way between two of its transactions.
        """
        begun = time.monotonic()
        self._thread.queued = 0.0 if asked is None else begun - asked
        pauses = iter(_PAUSES if begun > self._away_until else ())
        while True:
            before = self._commits()
            try:
                done = function()
            except (StoreConflict, StoreLost) as error:
                pause = next(pauses, None)
                if pause is None or time.monotonic() - begun > _LONGEST:
                    if isinstance(error, StoreLost):
                        self._away_until = time.monotonic() + _REST
                    raise
                if self._commits() != before:
                    raise
            else:
                self._silent_until = self._away_until = 0.0  # it answers
                return done
            self.again_count += 1
            time.sleep(pause)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """While this thread reads nothing that it has to wait for: `NotAtHand` is raised there instead."""
        self._thread.hurried = True
        try:
            yield
        finally:
            self._thread.hurried = False

    @property
    def hurried(self) -> bool:
        """Whether this thread is within `at_once`."""
        found: bool = getattr(self._thread, "hurried", False)
        return found

    @property
    def silent(self) -> bool:
        """Whether somebody waited in vain a moment ago; who can do without its answer does not wait then."""
        return time.monotonic() < self._silent_until

    @property
    def doubted(self) -> bool:
        """Whether somebody waited in vain, and no answer came since: who asks next asks for a sign first."""
        return self._silent_until > 0.0

    def fell_silent(self, *, rest: bool = True) -> None:
        """Note that somebody has waited in vain; it counts until an answer comes.

        Args:
            rest: whether who asks for a sign would wait as long again, so that nobody does for a while.
        """
        self._silent_until = max(self._silent_until, time.monotonic() + (_REST if rest else 0.0))

    def _queued(self) -> float:
        """Seconds that this thread's work has waited for a thread; told once, to its first writer."""
        queued: float = getattr(self._thread, "queued", 0.0)
        self._thread.queued = 0.0
        return queued

    def _committed(self) -> None:
        """Count a transaction that has written, for the thread that ran it."""
        self._thread.commits = self._commits() + 1

    def _commits(self) -> int:
        found: int = getattr(self._thread, "commits", 0)
        return found


def version_of(connection: Connection, *, name: str) -> str | None:
    """The schema that a database has; None where it is empty, `HEAD` where a later one suits this release.

    Raises:
        StoreCorrupt: it holds no tables but those of another program, or does not tell its schema.
        StoreNewer: a later release wrote it, and says that this one cannot use it.
    """
    tables = set(inspect(connection).get_table_names(schema=connection.dialect.default_schema_name))
    if "memory_scopes" in tables:
        if "alembic_version" not in tables:
            raise _untold(name, "the table alembic_version is missing")
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if found is None or not _REVISION.fullmatch(found):
            raise _untold(name, f"alembic_version holds {found!r}, and no number such as {HEAD!r}")
        if found > HEAD:
            floor = connection.execute(select(meta.c.value).where(meta.c.key == FLOOR_KEY)).scalar()
            if floor is None or floor > HEAD:
                raise _newer(found, name)
            return HEAD
        return str(found)
    if tables:
        msg = f"{name!r} holds another program's tables ({min(tables)!r} …); choose another place"
        raise StoreCorrupt(msg)
    return None


def _untold(name: str, why: str) -> StoreCorrupt:
    msg = (
        f"the store {name!r} does not tell its schema: {why}; nothing was changed. Restore a backup; or put "
        "the number into alembic_version (one column, version_num VARCHAR(32)) that `omoide doctor` shows of "
        "another store of the release that wrote it last"
    )
    return StoreCorrupt(msg)


def schema_of(connection: Connection) -> str:
    """The schema that a store has, be it a later one than `HEAD`."""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())


def refuse_later(connection: Connection, *, name: str) -> None:
    """Refuse a later schema even where this release could work with it: it does not know all that is there.

    Raises:
        StoreNewer: a later release wrote it.
    """
    found = schema_of(connection)
    if found > HEAD:
        raise _newer(found, name)


def _newer(found: str, name: str) -> StoreNewer:
    msg = (
        f"the store {name!r} was written by a later release (schema {found!r}, this one knows {HEAD!r}); "
        "install that release"
    )
    return StoreNewer(msg)


def upgrade(connection: Connection, *, name: str) -> None:
    """Bring the schema up to date, within a transaction that nobody else migrates in.

    Raises:
        StoreCorrupt: the tables are not those of the schema that the store tells.
    """
    found = version_of(connection, name=name)
    try:
        _migrate(connection)
    except DBAPIError as error:
        if found is not None and _misfits(error.orig):
            raise _untold(name, f"alembic_version holds {found!r}, and its tables are others") from error
        raise


def _misfits(error: BaseException | None) -> bool:
    """Whether a migration found what it makes, or lacked what it changes."""
    if isinstance(error, sqlite3.Error):
        return error.sqlite_errorcode == sqlite3.SQLITE_ERROR
    return getattr(error, "sqlstate", None) in _MISFITS


def _migrate(connection: Connection) -> None:
    # Alembic takes a tenth of a second to import, and most openings find nothing to migrate.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    connection.execute(delete(meta).where(meta.c.key == FLOOR_KEY))
    connection.execute(insert(meta).values(key=FLOOR_KEY, value=FLOOR))
