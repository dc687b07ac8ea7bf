"""PostgreSQL as the store: writers of different scopes side by side, and its errors in our words."""

from __future__ import annotations

import re
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidatePoolError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import QueuePool

from omoide.addresses import shown
from omoide.errors import InvalidInput, MissingExtra, StoreBusy, StoreReadOnly, StoreUncertain
from omoide.stores.database import Database, upgrade, version_of
from omoide.stores.fixed import raw
from omoide.stores.migrations import HEAD
from omoide.stores.postgres.driver import driver_of
from omoide.stores.postgres.errors import driver_error, is_lost, surely_undone, translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlalchemy import URL, Connection, Dialect, Engine
    from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

    from omoide.stores.postgres.connection import BoundedConnection

_WAIT = 15
"""Seconds that a transaction waits for a connection or a lock."""

_WHOLE = 0
"""The lock of those who write what belongs to the store; a scope's lock is its number, from 1."""

_MIGRATING = -1
"""The lock of the one who changes the schema."""

_IDLE = 10
"""Seconds that a writer may stop in the middle: one that is paused gives its locks back to those who wait."""

_SIGN = 2
"""Seconds that the server has for a sign; the driver takes no fewer."""

_RESTED = 30.0
"""Seconds after which a connection is tried before it is used: what stands between may have forgotten it."""

_SESSION = (
    f"SET lock_timeout = '{_WAIT}s'",
    "SET idle_in_transaction_session_timeout = '60s'",
    "SET statement_timeout = '60s'",
    "SET synchronous_commit = on",  # an acknowledged write outlives a power cut
    "SET jit = off",  # small statements, which it makes slower
)
_TRANSPORT = {
    "connect_timeout": _WAIT,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 1_000 * _WAIT,  # a connection that is dead at the other end is noticed
}

_ENTER = (
    "SELECT set_config('omoide.tenant', %s, true), set_config('lock_timeout', %s, true), "
    "set_config('idle_in_transaction_session_timeout', %s, true), pg_advisory_xact_lock(%s)"
)


class PostgresDatabase(Database):
    """A database of a PostgreSQL server with the current schema.

    Writers of one scope wait for each other at a lock of its own, which ends with the transaction, so that a
    pooler may stand between. Each transaction carries its tenant, which row-level security compares.
    """

    def __init__(self, engine: Engine, *, tenant: str = "", wait: float = _WAIT) -> None:
        super().__init__()
        self._engine = engine
        self._reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._tenant = tenant
        self._wait = wait
        self.name = shown_url(engine.url)

    @classmethod
    def open(
        cls, location: str, *, pool: int = 10, tenant: str = "", wait: float = _WAIT
    ) -> PostgresDatabase:
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
        engine = _engine(postgres_url(location), pool, wait)
        database = cls(engine, tenant=tenant, wait=wait)
        try:
            database.again(database._migrate)  # a server that is just starting is waited for
        except BaseException:
            engine.dispose()
            raise
        return database

    @classmethod
    def unchanged(cls, location: str, *, wait: float = _WAIT) -> PostgresDatabase:
        """A database as it is, to look at: it is reached by the first read, and its schema is left alone.

        Raises:
            InvalidInput, MissingExtra: as for `open`.
        """
        return cls(_engine(postgres_url(location), 1, wait), wait=wait)

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
        """Whether the server gives any sign to a new connection."""
        from psycopg import Error, connect
        from psycopg.errors import ConnectionTimeout

        given, named = self._engine.dialect.create_connect_args(self._engine.url)
        try:
            connect(*given, **{**named, "connect_timeout": _SIGN}).close()
        except ConnectionTimeout:
            return False
        except Error:
            return True  # it refuses, and whoever waits will hear that too
        return True

    def close(self) -> None:
        """Close all connections; one that a thread still uses is closed when it is given back."""
        event.listen(self._engine.pool, "checkin", _close)
        self._engine.dispose()

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
        usual, driver.silence = driver.silence, None
        upgrade(connection)
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


def _engine(url: URL, pool: int, wait: float) -> Engine:
    try:
        engine = create_engine(
            url,
            poolclass=QueuePool,
            pool_size=pool,
            max_overflow=0,
            pool_timeout=wait,
            pool_use_lifo=True,
            pool_recycle=1_800,
            hide_parameters=True,
            paramstyle="format",
            connect_args=_TRANSPORT,
        )
    except ModuleNotFoundError as error:
        msg = "a store on PostgreSQL needs the extra 'postgres': pip install 'omoide[postgres]'"
        raise MissingExtra(msg) from error
    event.listen(engine, "do_connect", _connected)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "checkin", _rests)
    event.listen(engine, "checkout", _tried)
    return engine


def _connected(
    _dialect: Dialect, _record: ConnectionPoolEntry, given: Sequence[Any], named: Mapping[str, Any]
) -> BoundedConnection:
    from omoide.stores.postgres.connection import BoundedConnection

    return BoundedConnection.connect(*given, **named)


def _rests(_connection: BoundedConnection | None, record: ConnectionPoolEntry) -> None:
    record.info["since"] = time.monotonic()


def _tried(connection: BoundedConnection, record: ConnectionPoolEntry, _proxy: PoolProxiedConnection) -> None:
    """See that a connection that has rested still carries anything; if not, another takes its place."""
    from psycopg import Error

    if time.monotonic() - record.info.get("since", time.monotonic()) < _RESTED:
        return
    usual, connection.silence = connection.silence, 1.0
    try:
        connection.autocommit = True
        connection.execute("SELECT 1")
        connection.autocommit = False
    except Error as error:
        raise InvalidatePoolError from error  # the others have rested as long, or longer
    finally:
        connection.silence = usual


def _close(connection: BoundedConnection | None, _record: ConnectionPoolEntry) -> None:
    if connection is not None:
        connection.close()


def _prepare(connection: BoundedConnection, _record: ConnectionPoolEntry) -> None:
    connection.autocommit = True
    for statement in _SESSION:
        connection.execute(statement)
    connection.autocommit = False
