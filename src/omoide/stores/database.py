"""What every database of a store does: two kinds of transaction, a current schema, and work done again."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import inspect, text

from omoide.errors import StoreConflict, StoreCorrupt, StoreLost, StoreNewer
from omoide.stores.migrations import HEAD

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from sqlalchemy import Connection

T = TypeVar("T")

_PAUSES = (0.05, 0.2, 0.8, 1.5, 2.5)
"""Seconds before work is done again; together as long as a database needs to restart."""

_LONGEST = 20.0
"""Seconds after which nothing is begun again: where each try takes long, somebody waits for all of them."""


class Database(ABC):
    """Where the rows are.

    A reader sees one snapshot and never waits for a writer. Two writers of one scope, also those of other
    processes, come one after another. What a transaction wrote is gone as a whole if it ends with an error.

    Attributes:
        name: as it is shown in messages; without a password.
        again_count: how often work was done again, for another transaction or a restart got in its way.
    """

    name: str

    def __init__(self) -> None:
        self._written = threading.local()
        self.again_count = 0

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

    def connections(self) -> tuple[int, int] | None:
        """How many connections are in use, and how many there may be; None where that is not limited."""
        return None

    def again(self, function: Callable[[], T]) -> T:
        """Run a function of one or several transactions; again, if another one or a restart got in its way.

        It is done again only while nothing of it has been written, so that nothing is written twice.

        Raises:
            StoreConflict, StoreLost: it failed too often, or half-way between two of its transactions.
        """
        begun = time.monotonic()
        for pause in _PAUSES:
            before = self._commits()
            try:
                return function()
            except (StoreConflict, StoreLost):
                if self._commits() != before or time.monotonic() - begun > _LONGEST:
                    raise
            self.again_count += 1
            time.sleep(pause)
        return function()

    def _committed(self) -> None:
        """Count a transaction that has written, for the thread that ran it."""
        self._written.count = self._commits() + 1

    def _commits(self) -> int:
        found: int = getattr(self._written, "count", 0)
        return found


def version_of(connection: Connection, *, name: str) -> str | None:
    """The schema that a database has; None where it is empty.

    Raises:
        StoreCorrupt: it holds the tables of another program.
        StoreNewer: a later release wrote it.
    """
    tables = set(inspect(connection).get_table_names())
    if {"alembic_version", "memory_scopes"} <= tables:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if found is not None and found > HEAD:
            msg = (
                f"the store {name!r} was written by a later release (schema {found!r}, "
                f"this one knows {HEAD!r}); install that release"
            )
            raise StoreNewer(msg)
        return None if found is None else str(found)
    if tables:
        msg = f"{name!r} holds another program's tables ({min(tables)!r} …); choose another place"
        raise StoreCorrupt(msg)
    return None


def upgrade(connection: Connection) -> None:
    """Bring the schema up to date, within a transaction that nobody else migrates in."""
    # Alembic takes a tenth of a second to import, and most openings find nothing to migrate.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
