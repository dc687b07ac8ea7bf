"""The pool of connections to a PostgreSQL server: how each is made, what it is told, and when it is tried."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.pool import QueuePool

from omoide.errors import MissingExtra
from omoide.stores.postgres.errors import is_lost
from omoide.stores.postgres.schema import see_schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from sqlalchemy import URL, Dialect, Engine
    from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

    from omoide.stores.postgres.connection import BoundedConnection

WAIT = 15
"""Seconds that a transaction waits for a connection or a lock."""

_SIGN = 2
"""Seconds that a server has for a sign; the driver takes no fewer."""

_RESTED = 30.0
"""Seconds after which a connection is tried before it is used: what stands between may have forgotten it."""

_SESSION = (
    f"SET lock_timeout = '{WAIT}s'",
    "SET idle_in_transaction_session_timeout = '60s'",
    "SET statement_timeout = '60s'",
    "SET synchronous_commit = on",  # an acknowledged write outlives a power cut
    "SET jit = off",  # small statements, which it makes slower
)
_TRANSPORT = {
    "connect_timeout": WAIT,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 1_000 * WAIT,  # a connection that is dead at the other end is noticed
}


def pool_of(url: URL, *, size: int, wait: float) -> Engine:
    """A pool of connections, none of which is made yet.

    Args:
        url: of the database.
        size: how many there are at most.
        wait: seconds that who wants one waits for it.

    Raises:
        MissingExtra: the driver is not installed.
    """
    try:
        engine = create_engine(
            url,
            poolclass=QueuePool,
            pool_size=size,
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
    event.listen(engine, "connect", lambda connection, _record: _prepare(connection, url))
    event.listen(engine, "checkin", _rests)
    event.listen(engine, "checkout", _tried)
    return engine


def gives_sign(engine: Engine) -> bool:
    """Whether a server is there for a new connection, be it that it refuses."""
    from psycopg import Error, connect

    given, named = engine.dialect.create_connect_args(engine.url)
    try:
        connect(*given, **{**named, "connect_timeout": _SIGN}).close()
    except Error as error:
        return not is_lost(error)  # where it refuses, whoever waits will hear that too
    return True


def close_all(engine: Engine) -> None:
    """Close all connections; one that a thread still uses is closed when it is given back."""
    event.listen(engine.pool, "checkin", _close)
    engine.dispose()


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


def _prepare(connection: BoundedConnection, url: URL) -> None:
    connection.autocommit = True
    for statement in _SESSION:
        connection.execute(statement)
    see_schema(connection, url, what="store")
