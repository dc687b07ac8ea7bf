"""PostgreSQL as the store: writers of different scopes side by side, and its errors in our words."""

from __future__ import annotations

import re
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, cast

from sqlalchemy import make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from omoide.addresses import shown
from omoide.errors import InvalidInput, StoreBusy, StoreReadOnly, StoreUncertain
from omoide.stores.database import Database, upgrade, version_of
from omoide.stores.fixed import raw
from omoide.stores.migrations import HEAD
from omoide.stores.postgres.driver import driver_of
from omoide.stores.postgres.errors import driver_error, is_lost, surely_undone, translated
from omoide.stores.postgres.pool import WAIT, close_all, gives_sign, pool_of
from omoide.stores.postgres.schema import ALONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import URL, Connection, Engine
    from sqlalchemy.pool import QueuePool

_WHOLE = 0
"""The lock of those who write what belongs to the store; a scope's lock is its number, from 1."""

_MIGRATING = -1
"""The lock of the one who changes the schema."""

_IDLE = 10
"""Seconds that a writer may stop in the middle: one that is paused gives its locks back to those who wait."""

_ENTER = (
    "SELECT set_config('omoide.tenant', %s, true), set_config('lock_timeout', %s, true), "
    "set_config('idle_in_transaction_session_timeout', %s, true), pg_advisory_xact_lock(%s)"
)


class PostgresDatabase(Database):
    """A database of a PostgreSQL server with the current schema.

    Writers of one scope wait for each other at a lock of its own, which ends with the transaction, so that a
    pooler may stand between. Each transaction carries its tenant, which row-level security compares.
    """

    def __init__(self, engine: Engine, *, tenant: str = "", wait: float = WAIT) -> None:
        super().__init__()
        self._engine = engine
        self._reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._tenant = tenant
        self._wait = wait
        self.name = shown_url(engine.url)

    @classmethod
    def open(cls, location: str, *, pool: int = 10, tenant: str = "", wait: float = WAIT) -> PostgresDatabase:
        """Connect, and bring the schema up to date.

        Args:
            location: such as ``postgresql+psycopg://role:password@host/database``.
            pool: connections at most; a transaction waits for a free one.
            tenant: whose rows are seen and written.
            wait: seconds that a transaction waits for a connection or a lock.

        Raises:
            InvalidInput: it is no such URL.
            MissingExtra: the driver is not installed.
            StoreError: it cannot be reached, or its schema is newer; it is left as it was.
        """
        engine = pool_of(postgres_url(location), size=pool, wait=wait)
        database = cls(engine, tenant=tenant, wait=wait)
        try:
            database.again(database._migrate)  # a server that is just starting is waited for
        except BaseException:
            engine.dispose()
            raise
        return database

    @classmethod
    def unchanged(cls, location: str, *, wait: float = WAIT) -> PostgresDatabase:
        """A database as it is, to look at: it is reached by the first read, and its schema is left alone.

        Raises:
            InvalidInput, MissingExtra: as for `open`.
        """
        return cls(pool_of(postgres_url(location), size=1, wait=wait), wait=wait)

    def of(self, tenant: str) -> PostgresDatabase:
        """The same database as another tenant sees it, over the same connections."""
        return PostgresDatabase(self._engine, tenant=tenant, wait=self._wait)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One snapshot to read from."""
        with (
            self._our_errors(),
            self._reader.connect() as connection,
            connection.begin(),
            _noticed(connection),
        ):
            if self._tenant:
                self._enter(connection, None)
            yield connection

    @contextmanager
    def write(self, *, scope: int | None = None) -> Iterator[Connection]:
        """One transaction that writes: all of it or nothing."""
        with self._transaction(_WHOLE if scope is None else scope) as connection:
            yield connection
        self._committed()

    def also(self, connection: Connection, *, scope: int) -> None:
        """Wait for those who write to a scope, within a transaction that writes what belongs to the store."""
        raw(connection).execute("SELECT pg_advisory_xact_lock(%s)", (scope,))

    def now(self, connection: Connection, *, default: int) -> int:
        """The time of the server: clocks of replicas differ."""
        ((seconds,),) = raw(connection).execute("SELECT extract(epoch FROM clock_timestamp())").fetchall()
        return int(seconds * 1_000_000)

    def scrub(self) -> bool:
        """Nothing now: the server clears deleted rows away in its own time.

        What was sealed with a key that is destroyed opens no more until then, here and in backups.
        """
        return False

    def vacuum(self) -> None:
        """Have the server clear away deleted rows."""
        with self.unhurried() as connection:
            connection.execute(text("VACUUM ANALYZE"))

    @contextmanager
    def unhurried(self) -> Iterator[Connection]:
        """A connection outside of any transaction, for what takes its time and makes several of its own."""
        with self._our_errors(), self._engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            driver = driver_of(connection)
            for limit in ("statement_timeout", "lock_timeout"):
                driver.execute(f"SET {limit} = 0")
            driver.silence = None
            try:
                yield connection
            finally:
                connection.invalidate()  # nobody else is given it as it is now

    def healthy(self) -> list[str]:
        """Whether it answers; the server looks after its own pages."""
        with self.read() as connection:
            connection.execute(text("SELECT 1"))
        return []

    def answers(self) -> bool:
        """Whether a server is there for a new connection, be it that it refuses."""
        return gives_sign(self._engine)

    def close(self) -> None:
        """Close all connections; one that a thread still uses is closed when it is given back."""
        close_all(self._engine)

    def connections(self) -> tuple[int, int]:
        """How many connections are in use, and how many there may be."""
        pool = cast("QueuePool", self._engine.pool)
        return pool.checkedout(), pool.size()

    @contextmanager
    def _transaction(self, lock: int) -> Iterator[Connection]:
        with self._our_errors(), self._engine.connect() as connection:
            transaction = connection.begin()
            with _noticed(connection):
                with self._beginning():
                    self._enter(connection, lock)
                yield connection
            try:
                transaction.commit()
            except DBAPIError as error:
                if surely_undone(error):
                    raise
                msg = (
                    f"the connection to {self.name!r} broke while it wrote; the change may be there or not: "
                    "look before it is made again"
                )
                raise StoreUncertain(msg) from error

    @contextmanager
    def _beginning(self) -> Iterator[None]:
        """Tell a standby, which begins no transaction that writes, by what it says then."""
        try:
            yield
        except driver_error() as error:
            if getattr(error, "sqlstate", None) == "0A000":
                msg = (
                    f"the store {self.name!r} cannot be used: the server takes no writes: a standby, or "
                    "read-only by its settings"
                )
                raise StoreReadOnly(msg) from error
            raise

    def _enter(self, connection: Connection, lock: int | None) -> None:
        """Say whose rows are meant, and wait for the lock: one trip to the server for all of it."""
        driver = raw(connection)
        if lock is None:
            driver.execute("SELECT set_config('omoide.tenant', %s, true)", (self._tenant,))
        else:
            limits = (self._tenant, f"{self._wait}s", f"{_IDLE}s", lock)
            driver.execute(_ENTER, limits)

    def _migrate(self) -> None:
        with self.read() as connection:
            version = version_of(connection, name=self.name)
        if version == HEAD:
            return
        with self._transaction(_MIGRATING) as connection:
            if version_of(connection, name=self.name) != HEAD:  # nobody else was faster
                self._upgrade(connection)

    def _upgrade(self, connection: Connection) -> None:
        """Change the schema, however long that takes: the server tells in no other way that it works."""
        driver = driver_of(connection)
        for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
            driver.execute(f"SET LOCAL {limit} = 0")
        driver.execute(ALONE)
        usual, driver.silence = driver.silence, None
        upgrade(connection, name=self.name)
        driver.silence = usual

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        try:
            yield
        except PoolTimeout as error:
            msg = f"the store {self.name!r} is busy: all connections were in use for {self._wait:g} seconds"
            raise StoreBusy(msg) from error
        except (DBAPIError, driver_error()) as error:
            raise translated(error, name=self.name) from error


@contextmanager
def _noticed(connection: Connection) -> Iterator[None]:
    """Have SQLAlchemy notice what broke at a call past it; it then trusts no connection that is as old."""
    try:
        yield
    except driver_error() as error:
        if is_lost(error):
            with suppress(DBAPIError):
                connection.exec_driver_sql("SELECT 1")
        raise


def is_postgres(location: str) -> bool:
    """Whether a URL means PostgreSQL."""
    return re.match(r"postgres(ql)?(\+\w+)?://", location) is not None


def postgres_url(location: str) -> URL:
    """A URL with the driver that is used here.

    Raises:
        InvalidInput: it cannot be read, or names another driver.
    """
    try:
        url = make_url(location)
    except (ArgumentError, ValueError):
        msg = "a store on PostgreSQL is written postgresql+psycopg://role:password@host:5432/database"
        raise InvalidInput(msg) from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername != "postgresql+psycopg":
        msg = f"PostgreSQL is reached with the driver psycopg, got {url.drivername!r}"
        raise InvalidInput(msg)
    return url


def shown_url(url: URL) -> str:
    """A URL as it may be shown: with ``***`` in place of passwords."""
    return shown(url.render_as_string(hide_password=True))
