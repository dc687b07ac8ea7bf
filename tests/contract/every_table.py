"""Fills every table of a store: numbers of all sizes, nulls, and rows that refer to others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Boolean, Float, Integer, LargeBinary, insert, update

from omoide.stores.tables import meta
from omoide.stores.whole.extents import TABLES, own_references

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection

ROWS = 4
"""In each table."""


def fill(connection: Connection, *, tenant: str = "", first: int = 1, store: str | None = None) -> None:
    """Write some rows to every table, with numbers from `first` on."""
    if store is not None:
        connection.execute(insert(meta).values(key="store", value=store))
    for table in TABLES:
        for number in range(first, first + ROWS):
            row = {column.name: _value(column, number, first) for column in table.c}
            connection.execute(insert(table).values({**row, "tenant": tenant}))
        for column in own_references(table):  # to a row that comes later, and to one before
            for number, other in ((first, first + ROWS - 1), (first + 2, first)):
                statement = update(table).where(table.c.id == number).values({column.name: other})
                connection.execute(statement)


def _value(column: Column[Any], number: int, first: int) -> Any:
    if any(key.column.table is column.table for key in column.foreign_keys):
        return None
    if column.foreign_keys or column.name == "id":
        return number
    if column.nullable and number == first:
        return None
    if isinstance(column.type, Boolean):
        return number % 2 == 0
    if isinstance(column.type, Float):
        return -0.1 * number
    if isinstance(column.type, Integer):
        return number if column.primary_key else -(2**31) + number
    if isinstance(column.type, LargeBinary):
        return bytes((number, 0, 255)) * 6
    return f"값 {number} ' \\ \n👩‍👩‍👧 {column.name}"
