"""A keyring in a PostgreSQL database that several machines reach, apart from the store's.

Of each store there is one row with what its keyring says, and a row with the wrapped key of each owner.
Copies come and go as one content; a copy that was put there lies whole in the first row until somebody who
has the master key spreads it.
"""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from omoide.errors import KeyMissing, MissingExtra, StoreBusy, StoreError, StoreLost, StoreReadOnly
from omoide.stores.keys.content import MARK_BYTES, joined, parsed
from omoide.stores.postgres.database import postgres_url, shown_url
from omoide.stores.postgres.errors import not_let_in, unknown_parameter
from omoide.stores.postgres.pool import gives_sign
from omoide.stores.postgres.schema import see_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection, CursorResult, Dialect
    from sqlalchemy.pool import ConnectionPoolEntry

    from omoide.stores.postgres.connection import BoundedConnection

_TABLES: Final = (
    "omoide_keyring (store text PRIMARY KEY, stamp text NOT NULL, content bytea NOT NULL)",
    "omoide_keyring_owners (store text, tag text, wrapped text NOT NULL, PRIMARY KEY (store, tag))",
)
_MAKING: Final = 0x6F6D6F69
"""The lock of the one who makes the tables."""

_OWN: Final = "FROM omoide_keyring_owners WHERE store = :store"
_KEYS: Final = f"SELECT json_object_agg(tag, wrapped) {_OWN}"
_NONCE: Final = f"encode(substr(decode(wrapped, 'base64'), 1, {MARK_BYTES}), 'hex')"
_MARK: Final = f"CAST(CAST('x' || {_NONCE} AS bit({8 * MARK_BYTES})) AS bigint)"
"""What `content.mark` gives."""

_WAIT: Final = 15
_SILENCE: Final = 20.0
"""Seconds that the server may be silent; no statement on a keyring takes as long, not even for its lock."""

_UNDEFINED: Final = "42P01"
_DENIED: Final = ("42501", "25006")
_WAITED: Final = "55P03"


class DatabasePlace:
    """The rows of one store's keyring.

    Args:
        url: of the database; another one than the store's (ruling 26).
        store_id: the id of the store whose keyring it is.
    """

    def __init__(self, url: str, *, store_id: str) -> None:
        target = postgres_url(url)
        try:
            self._engine = create_engine(
                target,
                pool_size=2,
                pool_timeout=_WAIT,
                pool_pre_ping=True,
                hide_parameters=True,
                connect_args={"connect_timeout": _WAIT},
            )
        except ModuleNotFoundError as error:
            msg = "a keyring in PostgreSQL needs the extra 'postgres': pip install 'omoide[postgres]'"
            raise MissingExtra(msg) from error
        event.listen(self._engine, "do_connect", _connected)
        event.listen(self._engine, "connect", lambda made, _record: see_schema(made, target, what="keyring"))
        self._reader = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._store = {"store": store_id}
        self.name = shown_url(target)

    def head(self) -> bytes:
        """What lies in the first row: a head, or a whole keyring.

        Raises:
            KeyMissing: there is no such row.
        """
        return self._asked("NULL")[0]

    def look(self, tags: list[str]) -> tuple[bytes, dict[str, str]]:
        """The head, and the wrapped keys of those of these tags that have one, in one question."""
        head, keys = self._asked(f"({_KEYS} AND tag = ANY(:tags))", tags=tags)
        return head, keys or {}

    def weighed(self) -> tuple[bytes, int]:
        """The head, and the total of the marks of all keys, in one question."""
        head, total = self._asked(f"(SELECT sum({_MARK}) {_OWN})")
        return head, int(total or 0)

    def read(self) -> bytes:
        """Head and keys of one moment, joined."""
        head = self.head()
        if parsed(head, name=self.name).body.keys is not None:
            return head  # whole, so that there may be no table of owners yet
        head, keys = self._asked(f"({_KEYS})")
        whole = joined(head, keys or {})
        parsed(whole, name=self.name)  # which refuses if keys are missing
        return whole

    def begin(self, content: bytes) -> None:
        """Write the row, and make the tables, unless they are there."""
        with self._writing() as connection:
            _make_tables(connection)
            values = "VALUES (:store, :stamp, :content) ON CONFLICT DO NOTHING"
            given = {**self._store, "stamp": uuid.uuid4().hex, "content": content}
            connection.execute(text(f"INSERT INTO omoide_keyring {values}"), given)

    @contextmanager
    def changing(self) -> Iterator[Held]:
        """Hold the first row's lock; what was changed is kept at the end, or nothing of it."""
        locked = text("SELECT content FROM omoide_keyring WHERE store = :store FOR UPDATE")
        with self._writing() as connection:
            row = connection.execute(locked, self._store).first()
            if row is None:
                raise KeyMissing(self._missing())
            yield Held(connection, self._store, content=bytes(row.content))

    def revise(self, change: Callable[[bytes], bytes | None]) -> None:
        """Write what is made of it into the first row, and remove the others."""
        with self.changing() as held:
            there = held.content
            if parsed(there, name=self.name).body.keys is None:
                there = joined(there, held.keys())
            new = change(there)
            if new is not None:
                held.clear()
                held.write(new)
        if new is not None:
            self.sweep()

    def sweep(self) -> None:
        """Have the server remove old rows; their bytes go as it uses the room, and with its log's archive."""
        with self._our_errors(), self._reader.connect() as connection:
            connection.execute(text("VACUUM (INDEX_CLEANUP ON) omoide_keyring, omoide_keyring_owners"))

    def others(self) -> list[str]:
        """The ids of the other stores whose keyrings lie in the same table."""
        query = text("SELECT store FROM omoide_keyring WHERE store <> :store ORDER BY store")
        with self._our_errors(), self._reader.connect() as connection:
            return [str(store) for (store,) in connection.execute(query, self._store)]

    def remove(self) -> None:
        """Delete the rows; the tables stay, for other stores."""
        with self.changing() as held:
            held.clear()
            held.end()
        self.sweep()

    def answers(self) -> bool:
        """Whether its server gives any sign within two seconds."""
        return gives_sign(self._engine)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def _asked(self, column: str, **given: object) -> tuple[bytes, Any]:
        """What lies in the first row, and a column more, as they are at one moment."""
        query = text(f"SELECT content, {column} FROM omoide_keyring WHERE store = :store")
        with self._our_errors(), self._reader.connect() as connection:
            row = connection.execute(query, {**self._store, **given}).first()
        if row is None:
            raise KeyMissing(self._missing())
        return bytes(row[0]), row[1]

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """One transaction, whose limit is its own, so that a pooler may stand between."""
        with self._our_errors(), self._engine.begin() as connection:
            connection.execute(text(f"SET LOCAL lock_timeout = '{_WAIT}s'"))
            yield connection

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
            if unknown := unknown_parameter(error.orig, name=self.name):
                raise unknown from error
            reason = not_let_in(error.orig)
            if reason is not None:
                msg = f"the keyring {self.name!r} cannot be used: {reason}"
                raise StoreError(msg) from error
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


def _connected(
    _dialect: Dialect, _record: ConnectionPoolEntry, given: Sequence[Any], named: Mapping[str, Any]
) -> BoundedConnection:
    from omoide.stores.postgres.connection import BoundedConnection

    connection = BoundedConnection.connect(*given, **named)
    connection.silence = _SILENCE
    return connection


class Held:
    """The rows of a keyring, for the one who holds its lock.

    Attributes:
        content: what lies in the first row.
    """

    def __init__(self, connection: Connection, store: Mapping[str, str], *, content: bytes) -> None:
        self._connection = connection
        self._store = store
        self.content = content

    def key(self, tag: str) -> str | None:
        """The wrapped key of an owner."""
        found = self._run(f"SELECT wrapped {_OWN} AND tag = :tag", tag=tag).scalar()
        return None if found is None else str(found)

    def keys(self) -> dict[str, str]:
        """All wrapped keys by tag."""
        return {str(row.tag): str(row.wrapped) for row in self._run(f"SELECT tag, wrapped {_OWN}")}

    def add(self, keys: Mapping[str, str]) -> None:
        """Add wrapped keys."""
        rows = "SELECT :store, tag, wrapped FROM unnest(CAST(:tags AS text[]), CAST(:keys AS text[]))"
        given = {"tags": list(keys), "keys": list(keys.values())}
        self._run(f"INSERT INTO omoide_keyring_owners {rows} AS given (tag, wrapped)", **given)

    def remove(self, tag: str) -> None:
        """Delete an owner's row."""
        self._run(f"DELETE {_OWN} AND tag = :tag", tag=tag)

    def clear(self) -> None:
        """Delete all owners' rows, of which an earlier release had not even the table."""
        if self._run("SELECT to_regclass('omoide_keyring_owners')").scalar() is None:
            _make_tables(self._connection)
        self._run(f"DELETE {_OWN}")

    def end(self) -> None:
        """Delete the first row."""
        self._run("DELETE FROM omoide_keyring WHERE store = :store")

    def write(self, content: bytes) -> None:
        """Write the first row. Its new stamp tells earlier releases to look at it again."""
        changed = "UPDATE omoide_keyring SET stamp = :stamp, content = :content WHERE store = :store"
        self._run(changed, stamp=uuid.uuid4().hex, content=content)
        self.content = content

    def _run(self, statement: str, **given: object) -> CursorResult[Any]:
        return self._connection.execute(text(statement), {**self._store, **given})


def _make_tables(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MAKING})
    for table in _TABLES:
        connection.execute(text(f"CREATE TABLE IF NOT EXISTS {table}"))
