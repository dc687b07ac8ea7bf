"""A store as a whole: every table in order of dependence, what each holds, and a checksum of it."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, select, text

from omoide.stores import marks
from omoide.stores.database import FLOOR_KEY
from omoide.stores.tables import meta, metadata
from omoide.stores.tenants import tenants_in

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from contextlib import AbstractContextManager

    from sqlalchemy import Column, Connection, RowMapping, Select, Table

    Step = Callable[[int], None]
    Progress = Callable[[str, int], AbstractContextManager[Step]]
    """Given what is done and how much of it there is; called with each step's size."""

TABLES: Final = (meta, *(table for table in metadata.sorted_tables if table is not meta))
"""Every table, after those that it refers to; first the one that names the tenants."""

BATCH: Final = 5_000
"""Rows that are held, and written in one transaction."""

MARK: Final = "copying"
"""The key of the row that marks a copy which is not whole; it holds the id of the store."""

_OF_DATABASE: Final = (MARK, marks.KEY, FLOOR_KEY)
"""Keys of rows that tell of this database, and not of the store: no copy has them from another."""

_OF_STORE: Final = meta.c.key.not_in(_OF_DATABASE)

_DIGEST: Final = 16
"""Bytes of a checksum."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Extent:
    """What a table holds, whatever the order of its rows.

    Attributes:
        rows: how many.
        checksum: over every value of every row; equal where the rows are equal.
    """

    rows: int
    checksum: str


Extents = dict[str, Extent]
"""By the name of the table."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Content:
    """A store at one moment.

    Attributes:
        store: its id, which its keyring names too.
        extents: what each table holds.
    """

    store: str
    extents: Extents


class Sum:
    """The checksum of a table, row by row: a sum of hashes, so that their order does not matter."""

    def __init__(self) -> None:
        self._rows = self._total = 0

    def add(self, rows: Sequence[RowMapping]) -> None:
        """Take in rows that hold every column."""
        self._rows += len(rows)
        for row in rows:
            told = blake2b(repr(tuple(row.values())).encode(errors="surrogatepass"), digest_size=_DIGEST)
            self._total += int.from_bytes(told.digest())

    def extent(self) -> Extent:
        """What was taken in."""
        checksum = self._total % (1 << 8 * _DIGEST)
        return Extent(rows=self._rows, checksum=f"{checksum:0{2 * _DIGEST}x}")


def unseen(_size: int) -> None:
    """A step that nobody watches."""


def extents(connection: Connection, *, step: Step = unseen) -> Extents:
    """What each table holds; call `step` with how many rows were read."""
    unhurried(connection)
    found = {}
    for table in TABLES:
        held = Sum()
        with batches(connection, rows_of(table)) as read:
            for batch in read:
                held.add(batch)
                step(len(batch))
        found[table.name] = held.extent()
    return found


def count_rows(connection: Connection) -> int:
    """How many rows all tables hold."""
    return sum(count_of(connection, table) for table in TABLES)


def count_of(connection: Connection, table: Table) -> int:
    """How many rows a table holds."""
    counted = select(func.count()).select_from(table)
    if table is meta:
        counted = counted.where(_OF_STORE)
    return sum(connection.execute(counted).scalar_one() for _ in tenants_seen(connection))


@contextmanager
def batches(connection: Connection, statement: Select[Any]) -> Iterator[Iterator[Sequence[RowMapping]]]:
    """The rows of an answer, some thousands at a time and of all tenants; the answer is given back after."""
    with closing(_batches(connection, statement)) as found:
        yield found


def _batches(connection: Connection, statement: Select[Any]) -> Generator[Sequence[RowMapping]]:
    for _ in tenants_seen(connection):
        with connection.execute(statement, execution_options={"yield_per": BATCH}) as rows:
            yield from rows.mappings().partitions()


def tenants_seen(connection: Connection) -> Iterator[str | None]:
    """Look at the rows as each tenant in turn, where the database shows no more than one's; else once.

    What a role that is bound by row-level security cannot see is what belongs to a tenant that the store does
    not know; but each is noted before its first row.
    """
    if not bound(connection):
        yield None
        return
    look_as(connection, "")
    for tenant in tenants_in(connection):
        look_as(connection, tenant)
        yield tenant
    look_as(connection, "")


def look_as(connection: Connection, tenant: str) -> None:
    """See and write the rows of a tenant, for the rest of a transaction of PostgreSQL."""
    connection.execute(text("SELECT set_config('omoide.tenant', :tenant, true)"), {"tenant": tenant})


def bound(connection: Connection) -> bool:
    """Whether row-level security shows this role one tenant's rows only."""
    if connection.dialect.name != "postgresql":
        return False
    return bool(connection.execute(text("SELECT row_security_active('meta')")).scalar())


def rows_of(table: Table) -> Select[Any]:
    """All rows of a table; by their numbers, where they refer to each other."""
    rows = select(table)
    if table is meta:
        rows = rows.where(_OF_STORE)
    return rows.order_by(table.c.id) if own_references(table) else rows


def own_references(table: Table) -> list[Column[Any]]:
    """The columns that refer to other rows of the same table."""
    return [column for column in table.c if any(key.column.table is table for key in column.foreign_keys)]


def unhurried(connection: Connection) -> None:
    """Let a snapshot last as long as it takes to read all that it shows."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
