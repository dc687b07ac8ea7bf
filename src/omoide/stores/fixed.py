"""Statements that every recall and every write runs: compiled once, and handed to the driver as they are.

SQLAlchemy builds, looks up and wraps a statement anew at each call, which costs several times what SQLite
takes to answer it. These are still declared with it, so that they fit every database; only their calls are
plain.
"""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Protocol, cast

from sqlalchemy import bindparam, func, insert, select

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import BindParameter, ClauseElement, Connection, Dialect, Table

_SEQUENCE = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"


class Cursor(Protocol):
    """What a driver answers."""

    description: object
    """None where there are no rows to come."""

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row."""

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows that are left."""

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """The rows that are left, one by one."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Run a statement for each row."""


class Driver(Protocol):
    """What the connections of all drivers can do."""

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Cursor:
        """Run one statement."""

    def cursor(self) -> Cursor:
        """A cursor that has run nothing yet."""


class Fixed:
    """A statement over columns of numbers, text and bytes, whose values pass as they are, both ways.

    Truth values come back as the database has them, which may be 0 and 1.
    """

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, list[tuple[str, Any]]]] = {}

    def run(self, connection: Connection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """All rows of the answer, in a transaction that has begun; none for a statement that only writes."""
        cursor = self._begun(connection, values)
        return [] if cursor.description is None else cursor.fetchall()

    def each(self, connection: Connection, values: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
        """The rows of the answer one by one, for answers that are not held as a whole."""
        yield from self._begun(connection, values)

    def _begun(self, connection: Connection, values: Mapping[str, Any]) -> Cursor:
        sql, places = self._compiled.get(connection.dialect.name) or self._compile(connection)
        given: list[Any] = []
        for name, own in places:
            value = values.get(name, own)
            if isinstance(value, list):  # of an IN; its length is the only thing that may change in the text
                sql = sql.replace(f"(__[POSTCOMPILE_{name}])", f"({_marks(connection, len(value))})")
                given += value
            else:
                given.append(value)
        return raw(connection).execute(sql, given)

    def _compile(self, connection: Connection) -> tuple[str, list[tuple[str, Any]]]:
        compiled: Any = self._statement.compile(dialect=connection.dialect)
        places = [(name, compiled.params[name]) for name in compiled.positiontup]
        found = self._compiled[connection.dialect.name] = (str(compiled), places)
        return found


def insert_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows that all have the same columns, and whose values pass as they are."""
    if rows:
        sql, ordered = _insertion(table, tuple(rows[0]), connection.dialect)
        raw(connection).cursor().executemany(sql, map(ordered, rows))


def next_numbers(connection: Connection, table: Table, count: int) -> Sequence[int]:
    """The numbers of so many rows to be written by a transaction, rising."""
    if connection.dialect.name == "sqlite":  # whose writers come one after another
        ((last,),) = _last(table).run(connection, {})
        first = (last or 0) + 1
        return range(first, first + count)
    found = raw(connection).execute(_SEQUENCE, (table.name, count))
    return [number for (number,) in found.fetchall()]


@lru_cache(maxsize=64)
def _insertion(table: Table, columns: tuple[str, ...], dialect: Dialect) -> tuple[str, itemgetter[Any]]:
    values: dict[str, BindParameter[Any]] = {column: bindparam(column) for column in columns}
    compiled: Any = insert(table).values(values).compile(dialect=dialect)
    return str(compiled), itemgetter(*compiled.positiontup)


@lru_cache(maxsize=64)
def _last(table: Table) -> Fixed:
    return Fixed(select(func.max(table.c.id)))


def _marks(connection: Connection, count: int) -> str:
    return ",".join(["?" if connection.dialect.name == "sqlite" else "%s"] * count)


def raw(connection: Connection) -> Driver:
    """The driver's own connection, whose calls cost a fraction of SQLAlchemy's."""
    return cast("Driver", connection.connection.driver_connection)
