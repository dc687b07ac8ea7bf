"""A store that was migrated step by step has the schema that the code declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from omoide.stores.sqlite import SqliteDatabase
from omoide.stores.tables import metadata

if TYPE_CHECKING:
    from pathlib import Path


def test_a_migrated_store_has_the_declared_schema(tmp_path: Path) -> None:
    database = SqliteDatabase.open(tmp_path / "x.db")
    with database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        differences = compare_metadata(context, metadata)
        indexes = {index["name"] for index in inspect(connection).get_indexes("messages")}
    database.close()

    assert differences == []
    assert "ix_messages_provisional" in indexes


def test_opening_twice_migrates_once(tmp_path: Path) -> None:
    SqliteDatabase.open(tmp_path / "x.db").close()
    before = (tmp_path / "x.db").read_bytes()
    SqliteDatabase.open(tmp_path / "x.db").close()

    assert (tmp_path / "x.db").read_bytes() == before


def test_every_table_carries_its_tenant() -> None:
    assert [table.name for table in metadata.sorted_tables if "tenant" not in table.c] == []
