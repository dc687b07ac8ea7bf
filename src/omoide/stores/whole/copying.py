"""All rows of a store from one database to another: parents first, as they are, and compared at the end.

A copy goes in transactions of a few thousand rows. Until it is whole it bears a mark, under which no engine
opens it; the next copy of the same store goes on where it stopped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, func, insert, or_, select, text, tuple_, update

from omoide.errors import StoreCorrupt, StoreError
from omoide.stores.database import FLOOR_KEY, refuse_later
from omoide.stores.fixed import insert_rows
from omoide.stores.postgres.driver import driver_of
from omoide.stores.tables import meta
from omoide.stores.whole.extents import (
    MARK,
    TABLES,
    Content,
    Extent,
    Extents,
    Sum,
    batches,
    bound,
    count_of,
    count_rows,
    extents,
    look_as,
    own_references,
    rows_of,
    tenants_seen,
    unhurried,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from sqlalchemy import Column, Connection, RowMapping, Table

    from omoide.stores.database import Database
    from omoide.stores.whole.extents import Step

    Write = Callable[[], AbstractContextManager[Connection]]


def store_id(connection: Connection, *, name: str) -> str | None:
    """The id of the store that a database holds; None where it holds none yet.

    Raises:
        StoreCorrupt: a copy into it was begun and is not whole.
    """
    found = _meta(connection)
    if MARK in found:
        msg = (
            f"the store {name!r} is a copy that was not finished; run `omoide copy` again, "
            "which goes on where it stopped"
        )
        raise StoreCorrupt(msg)
    return found.get("store")


def copy_store(source: Connection, target: Database, *, name: str, step: Step) -> Content:
    """Copy every row of a store into an empty database, or go on with a copy of it.

    Args:
        source: a snapshot of the store.
        target: where to, with the current schema.
        name: of the source, in messages.
        step: called with how many rows were copied, and again with how many were compared.

    Returns:
        What both hold now.

    Raises:
        StoreError: there is no store, the target holds something else, or both differ in the end.
    """
    refuse_later(source, name=name)
    own = store_id(source, name=name)
    if own is None:
        msg = f"there is nothing to copy: {name!r} holds no store yet"
        raise StoreError(msg)
    if _admitted(target, own):
        with target.write() as connection:
            begun = _mark(connection, own)
        if begun and not _goes_on(source, target):
            _empty(target, own)
        held = copy_rows(source, target.write, step=step)
    else:
        held = extents(source, step=step)
    with target.read() as connection:
        made = extents(connection, step=step)
    if made != held:
        wrong = min(name for name, extent in held.items() if made[name] != extent)
        msg = (
            f"{target.name!r} and {name!r} differ in the table {wrong!r}; one of them was written meanwhile, "
            "such as by another copy that is under way, or holds other rows. Stop what writes to them, empty "
            "the copy, and copy again"
        )
        raise StoreCorrupt(msg)
    with target.write() as connection:
        connection.execute(delete(meta).where(meta.c.key == MARK))
    return Content(store=own, extents=held)


def copy_rows(source: Connection, write: Write, *, step: Step) -> Extents:
    """Copy the rows that the target lacks, and set the counters of numbers there.

    Args:
        source: a snapshot of the store.
        write: a transaction of the target; one for each batch of rows, unless it gives the same each time.
        step: called with how many rows were copied.

    Returns:
        What the source holds.
    """
    found = {table.name: _fill(source, write, table, step=step) for table in TABLES}
    with write() as connection:
        _set_counters(connection)
    return found


def _admitted(target: Database, own: str) -> bool:
    """Whether rows may be copied there; False where a whole copy lies there already.

    Raises:
        StoreError: it holds something else.
    """
    with target.read() as connection:
        refuse_later(connection, name=target.name)
        found = _meta(connection)
        if found.get(MARK) == own:
            return True
        if MARK not in found and found.get("store") == own:
            return False
        if count_rows(connection):
            other = found.get(MARK) or found.get("store")
            msg = (
                f"{target.name!r} is not empty: it holds the store {other!r}, and this is {own!r}; "
                "nothing was written. Copy into an empty database or a new file"
            )
            raise StoreError(msg)
    return True


def _mark(connection: Connection, own: str) -> bool:
    """Mark a copy as not whole; returns whether it was begun before."""
    if MARK in _meta(connection):
        return True
    connection.execute(insert(meta).values(key=MARK, value=own))
    return False


def _goes_on(source: Connection, target: Database) -> bool:
    """Whether the source still holds every row that was copied, as it was copied."""
    with target.read() as connection:
        unhurried(connection)
        for table in TABLES:
            with batches(connection, rows_of(table)) as copied:
                if not all(_still_there(source, table, batch) for batch in copied):
                    return False
    return True


def _still_there(source: Connection, table: Table, copied: Sequence[RowMapping]) -> bool:
    key = _key(table)
    late = {column.name for column in own_references(table)}
    for rows in _as_their_tenant(source, copied):
        wanted = {tuple(row[column.name] for column in key): row for row in rows}
        found = source.execute(rows_of(table).where(tuple_(*key).in_(list(wanted)))).mappings().all()
        if len(found) != len(wanted):
            return False
        for row in found:
            here = wanted[tuple(row[column.name] for column in key)]
            if any(here[name] not in (value, None if name in late else value) for name, value in row.items()):
                return False
    return True


def _empty(target: Database, own: str) -> None:
    """Take back a copy that was begun, for its source has changed since.

    Raises:
        StoreError: it is a file, which is simply removed.
    """
    with target.write() as connection:
        if connection.dialect.name != "postgresql":
            msg = (
                f"the source has changed since the copy to {target.name!r} was begun; "
                "remove that file, and copy again"
            )
            raise StoreError(msg)
        truncate(connection)
        _mark(connection, own)


def truncate(connection: Connection) -> None:
    """Remove every row, in PostgreSQL, with what was derived from them: at once, and with nobody reading."""
    quoted = connection.dialect.identifier_preparer.quote
    of_schema = connection.execute(select(meta).where(meta.c.key == FLOOR_KEY)).mappings().all()
    connection.execute(text(f"TRUNCATE {', '.join(quoted(table.name) for table in TABLES)} CASCADE"))
    insert_rows(connection, meta, [dict(row) for row in of_schema])


def _fill(source: Connection, write: Write, table: Table, *, step: Step) -> Extent:
    held = Sum()
    with write() as connection:
        begun = count_of(connection, table) > 0
    with batches(source, rows_of(table)) as found:
        for batch in found:
            held.add(batch)
            with write() as connection:
                for rows in _as_their_tenant(connection, batch):
                    _insert(connection, table, _lacking(connection, table, rows) if begun else rows)
            step(len(batch))
    for column in own_references(table):
        _refer(source, write, table, column)
    return held.extent()


def _as_their_tenant(connection: Connection, rows: Sequence[RowMapping]) -> Iterator[Sequence[RowMapping]]:
    """Rows as they may be written: where the database keeps tenants apart, each tenant's as that tenant."""
    if not bound(connection):
        yield rows
        return
    for tenant in sorted({row["tenant"] for row in rows}):
        look_as(connection, tenant)
        yield [row for row in rows if row["tenant"] == tenant]
    look_as(connection, "")


def _lacking(connection: Connection, table: Table, rows: Sequence[RowMapping]) -> list[RowMapping]:
    """Those of the rows that the target does not have yet."""
    key = _key(table)
    keyed = {tuple(row[column.name] for column in key): row for row in rows}
    present = connection.execute(select(*key).where(tuple_(*key).in_(list(keyed)))).all()
    there = {tuple(row) for row in present}
    return [row for number, row in keyed.items() if number not in there]


def _insert(connection: Connection, table: Table, rows: Sequence[RowMapping]) -> None:
    """Insert rows; what refers to a row of the same table that comes later is left out for now."""
    own = [column.name for column in own_references(table)]
    values = [_without_later(row, own) for row in rows]
    if connection.dialect.name == "postgresql":
        _pour(connection, table, values)
    else:
        insert_rows(connection, table, values)


def _pour(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows in PostgreSQL by way of a passing table, for COPY is refused where rows are bound."""
    quoted = connection.dialect.identifier_preparer.quote
    name, columns = quoted(table.name), ", ".join(quoted(column.name) for column in table.c)
    driver = driver_of(connection)
    driver.execute(f"CREATE TEMPORARY TABLE poured (LIKE {name}) ON COMMIT DROP")
    with driver.cursor().copy(f"COPY poured ({columns}) FROM STDIN") as pouring:
        for row in rows:
            pouring.write_row(list(row.values()))
    driver.execute(f"INSERT INTO {name} ({columns}) SELECT {columns} FROM poured")
    driver.execute("DROP TABLE poured")


def _without_later(row: RowMapping, own: Sequence[str]) -> dict[str, Any]:
    later = {name: None for name in own if row[name] is not None and row[name] > row["id"]}
    return {**row, **later}


def _refer(source: Connection, write: Write, table: Table, column: Column[Any]) -> None:
    """Set what was left out, now that all rows are there."""
    later = select(table.c.tenant, table.c.id.label("row"), column.label("other")).where(column > table.c.id)
    setting = update(table).where(table.c.id == bindparam("row")).values({column.name: bindparam("other")})
    with batches(source, later) as found:
        for batch in found:
            with write() as connection:
                for rows in _as_their_tenant(connection, batch):
                    given = [{"row": row["row"], "other": row["other"]} for row in rows]
                    connection.execute(setting, given)


def _set_counters(connection: Connection) -> None:
    """Let the next number of each table follow the last one; SQLite looks for itself."""
    if connection.dialect.name != "postgresql":
        return
    following = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last, :used)")
    for table in TABLES:
        if "id" in table.c:
            query = select(func.coalesce(func.max(table.c.id), 0))
            last = max(connection.execute(query).scalar_one() for _ in tenants_seen(connection))
            connection.execute(following, {"name": table.name, "last": last or 1, "used": last > 0})
    connection.execute(text("ANALYZE"))


def _key(table: Table) -> list[Column[Any]]:
    return list(table.primary_key)


def _meta(connection: Connection) -> dict[str, str]:
    wanted = select(meta.c.key, meta.c.value).where(or_(meta.c.key == "store", meta.c.key == MARK))
    return {str(key): str(value) for key, value in connection.execute(wanted)}
