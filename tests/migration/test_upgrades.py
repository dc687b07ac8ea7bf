"""Filled stores of every released schema are brought up to date on both databases, and say what they said."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, create_engine, insert, inspect, select, text

from omoide import Kind, Layer, Omoide, Past, Status
from omoide.domain.event import Event
from omoide.errors import StoreCorrupt, StoreNewer
from omoide.stores import migrations
from omoide.stores.postgres.database import PostgresDatabase
from omoide.stores.sqlite import SqliteDatabase
from omoide.stores.tables import metadata
from omoide.testing import FixedClock, WordEmbedder
from postgres import server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractAsyncContextManager

    from sqlalchemy import Connection

    from omoide.stores.database import Database

NOW = datetime(2026, 6, 10, 3, tzinfo=UTC)
SCRIPTS = Path(migrations.__file__).parent
REVISIONS = [one.revision for one in reversed(list(ScriptDirectory(str(SCRIPTS)).walk_revisions()))]
"""Every schema, the oldest first."""


class Place:
    """Where a test makes stores, on one of both databases."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        self.folder = folder
        self._made: list[str] = []

    def empty(self) -> str:
        """An empty store's address."""
        name = f"upgraded_{id(self)}_{len(self._made)}"
        self._made.append(name)
        return str(self.folder / f"{name}.db") if self.kind == "sqlite" else server().create(name)

    def database(self, store: str) -> Database:
        """A store's database, opened as Omoide does."""
        return SqliteDatabase.open(store) if self.kind == "sqlite" else PostgresDatabase.open(store)

    @contextmanager
    def past_omoide(self, store: str) -> Iterator[Connection]:
        """A transaction of a store that nobody has brought up to date."""
        engine = create_engine(f"sqlite:///{store}" if self.kind == "sqlite" else store)
        with engine.begin() as connection:
            yield connection
        engine.dispose()

    def opened(self, store: str) -> AbstractAsyncContextManager[Omoide]:
        """An engine on a store."""
        keys = {"master_key_file": self.folder / "key", "keyring": self.folder / "ring"}
        return Omoide.open(store, embedder=WordEmbedder(512), clock=FixedClock(NOW), worker=False, **keys)

    def close(self) -> None:
        """Remove the databases."""
        if self.kind == "postgresql":
            for name in self._made:
                server().drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    made = Place(request.param, tmp_path)
    yield made
    made.close()


async def fill(omoide: Omoide) -> None:
    """Something of all that the first schema could hold."""
    haru = omoide.scope(user="민준", character="하루")
    for number in range(8):
        await haru.observe(f"나는 {number}번 등대를 좋아해", "멋지다!", session=f"s{number % 3}")
    await haru.remember("A picnic by the sea", place="Busan", importance=9)
    await haru.forget(await haru.remember("Something to forget", importance=5))
    past = Past(layer=Layer.HEARD, confidence=6, source="grandmother")
    alone = omoide.scope(character="하루")
    await alone.remember("おばあさんに聞いた話", kind=Kind.DIARY, past=past, importance=7)
    await omoide.add_events([Event(name="festival", participants=("하루", "소라"))])
    await haru.vectorise()


async def told(omoide: Omoide) -> dict[str, Any]:
    """All that a store says of what it was filled with."""
    haru, alone = omoide.scope(user="민준", character="하루"), omoide.scope(character="하루")
    return {
        "memories": await haru.memories(statuses=tuple(Status)),
        "past": await alone.memories(),
        "log": await haru.export(),
        "found": await haru.search(importance="9"),
        "recall": (await haru.recall("7번 등대 좋아해?", rehearse=False)).block,
        "events": await omoide.events(),
    }


def migrate(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def as_released(place: Place, current: str, revision: str) -> str:
    """The rows of a store in one of an older schema, as an older release would have left them."""
    store = place.empty()
    database = place.database(current)
    with database.read() as source, place.past_omoide(store) as target:
        migrate(target, revision)
        then = MetaData()
        then.reflect(target)
        for table in metadata.sorted_tables:
            if table.name in then.tables:
                _copy(source, target, then, table.name)
        target.execute(text("DELETE FROM meta WHERE key <> 'store'"))
    database.close()
    return store


def _copy(source: Connection, target: Connection, then: MetaData, name: str) -> None:
    table, now = then.tables[name], metadata.tables[name]
    rows = source.execute(select(*(now.c[column.name] for column in table.c))).mappings().all()
    if rows:
        target.execute(insert(table), sorted(map(dict, rows), key=lambda row: row.get("id", 0)))
    if target.dialect.name == "postgresql" and "id" in table.c:
        reached = f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}"
        target.execute(text(reached))


@pytest.mark.parametrize("revision", REVISIONS[:-1])
async def test_a_filled_store_of_every_release_says_what_it_said(place: Place, revision: str) -> None:
    current = place.empty()
    async with place.opened(current) as omoide:
        await fill(omoide)
        before = await told(omoide)
    store = as_released(place, current, revision)
    async with place.opened(store) as omoide:
        assert await told(omoide) == before
        haru = omoide.scope(user="민준", character="하루")
        await haru.observe("나는 보리차도 좋아해", "나도!", session="new")
        assert "보리차" in (await haru.recall("보리차 좋아해?")).block
        assert len(await haru.memories(statuses=tuple(Status))) == len(before["memories"]) + 1


def test_a_store_that_was_migrated_step_by_step_has_the_declared_schema(place: Place) -> None:
    store = place.empty()
    for revision in REVISIONS:
        with place.past_omoide(store) as connection:
            migrate(connection, revision)
    database = place.database(store)
    with database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        differences = compare_metadata(context, metadata)
        partial = {index["name"] for index in inspect(connection).get_indexes("messages")}
    database.close()
    assert differences == []
    assert "ix_messages_provisional" in partial


async def test_a_newer_schema_is_refused_and_left_as_it_was(place: Place) -> None:
    store = place.empty()
    place.database(store).close()
    with place.past_omoide(store) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        connection.execute(text("UPDATE meta SET value = '9999' WHERE key = 'schema_floor'"))
    with pytest.raises(StoreNewer, match="9999"):
        place.database(store)
    with place.past_omoide(store) as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"


@pytest.mark.parametrize(
    "tables",
    [
        ["CREATE TABLE customers (id INTEGER)"],
        ["CREATE TABLE alembic_version (version_num TEXT)", "CREATE TABLE meta (key TEXT)"],
    ],
)
async def test_another_programs_tables_are_refused_and_left_as_they_were(
    place: Place, tables: list[str]
) -> None:
    store = place.empty()
    with place.past_omoide(store) as connection:
        for statement in tables:
            connection.execute(text(statement))
        before = set(inspect(connection).get_table_names())
    with pytest.raises(StoreCorrupt, match="another program"):
        place.database(store)
    with place.past_omoide(store) as connection:
        assert set(inspect(connection).get_table_names()) == before


_OPENS = """
import asyncio, sys
from omoide import Omoide

async def main(store, folder, name):
    given = {"embedder": "none", "worker": False}
    async with Omoide.open(
        store, master_key_file=f"{folder}/key", keyring=f"{folder}/ring", **given
    ) as omoide:
        await omoide.scope(user=name, character="haru").observe("I love walnut bread", session="s")

asyncio.run(main(*sys.argv[1:]))
"""


def open_at_once(store: str, folder: Path, names: str) -> list[tuple[int, str]]:
    """How processes ended that each open a store and say something as another user."""
    command_line = [sys.executable, "-c", _OPENS, store, str(folder)]
    opening = [subprocess.Popen([*command_line, name], stderr=subprocess.PIPE, text=True) for name in names]
    return [(process.wait(120), process.communicate()[1]) for process in opening]


async def test_several_processes_may_open_an_empty_database_at_once(place: Place) -> None:
    store = place.empty()
    ended = await asyncio.to_thread(open_at_once, store, place.folder, "abc")
    assert [code for code, _ in ended] == [0, 0, 0], ended
    keys = {"master_key_file": place.folder / "key", "keyring": place.folder / "ring"}
    async with Omoide.open(store, embedder="none", worker=False, **keys) as omoide:
        for name in "abc":
            assert len(await omoide.scope(user=name, character="haru").memories()) == 1


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        ("UPDATE alembic_version SET version_num = 'zzz'", "alembic_version holds 'zzz'"),
        ("UPDATE alembic_version SET version_num = '0000'", "alembic_version holds '0000'"),
        ("DELETE FROM alembic_version", "alembic_version holds None"),
        ("DROP TABLE alembic_version", "the table alembic_version is missing"),
        *(
            (f"UPDATE alembic_version SET version_num = '{known}'", f"'{known}', and its tables are others")
            for known in REVISIONS[:-1]
        ),
    ],
)
async def test_a_store_that_does_not_tell_its_schema_is_refused(place: Place, lost: str, told: str) -> None:
    store = place.empty()
    place.database(store).close()
    with place.past_omoide(store) as connection:
        connection.execute(text(lost))
    with pytest.raises(StoreCorrupt, match=f"{told}.*Restore a backup"):
        place.database(store)
