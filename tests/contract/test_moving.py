"""A whole store to another place, over both databases: backups, restores and copies lose nothing."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from alembic import command
from alembic.config import Config
from every_table import ROWS, fill
from sqlalchemy import create_engine, func, select, text

import omoide.stores.migrations
from omoide import Omoide, moving
from omoide.bootstrap import open_database
from omoide.config import Settings
from omoide.errors import InvalidInput, KeyWrong, StoreCorrupt, StoreError, StoreNewer
from omoide.stores.tables import messages, meta
from omoide.stores.whole.extents import TABLES, extents
from omoide.testing import WordEmbedder
from postgres import database_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omoide.stores.database import Database

BOTH = ("sqlite", "postgresql")
WAYS = [(one, other) for one in BOTH for other in BOTH]


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """Where stores lie: all with the same keys."""

    folder: Path

    def __call__(self, kind: str, name: str, **given: Any) -> Settings:
        file = self.folder / f"{name}.db"
        return Settings.read(
            store=str(file) if kind == "sqlite" else database_for(file),
            master_key_file=self.folder / "key",
            keyring=self.folder / "ring",
            embedder="none",
            worker=False,
            **given,
        )


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(folder=tmp_path)


@contextmanager
def opened(settings: Settings) -> Iterator[Database]:
    database = open_database(settings)
    yield database
    database.close()


def filled(settings: Settings, *, store: str = "the store") -> Settings:
    """A store with rows in every table."""
    with opened(settings) as database, database.write() as connection:
        fill(connection, store=store)
    return settings


def content(settings: Settings) -> dict[str, Any]:
    with opened(settings) as database, database.read() as connection:
        return extents(connection)


def steps(*, until: int) -> Callable[..., Any]:
    """A progress that ends what it watches after so many rows or bytes."""

    @contextmanager
    def progress(_label: str, _total: int) -> Iterator[Callable[[int], None]]:
        seen = 0

        def step(size: int) -> None:
            nonlocal seen
            seen += size
            if seen > until:
                raise KeyboardInterrupt

        yield step

    return progress


async def talk(settings: Settings, user: str, *words: str) -> None:
    async with Omoide.open(settings=settings, embedder=WordEmbedder()) as omoide:
        for said in words:
            await omoide.scope(user=user, character="haru").observe(user=said, reply="그래!", session="s")


async def users(settings: Settings) -> set[str | None]:
    async with Omoide.open(settings=settings, embedder=WordEmbedder()) as omoide:
        return {scope.user for scope in await omoide.scopes()}


@pytest.mark.parametrize(("one", "other"), WAYS)
def test_a_copy_holds_every_row_of_every_table(places: Places, one: str, other: str) -> None:
    source, target = filled(places(one, "from")), places(other, "to")

    done = moving.copy(source, target)

    assert done.store == "the store"
    assert done.extents == content(source) == content(target)
    assert {name for name, extent in done.extents.items() if extent.rows < ROWS} == set()
    with opened(target) as database, database.read() as connection:
        later = connection.execute(select(messages.c.parent_id).order_by(messages.c.id)).scalars().all()
    assert later == [ROWS, None, 1, None]


@pytest.mark.parametrize(("one", "other"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
async def test_a_copy_is_used_with_the_same_keys_and_goes_on(places: Places, one: str, other: str) -> None:
    source, target = places(one, "from"), places(other, "to")
    await talk(source, "민준", "나는 보리차를 제일 좋아해", "다음 주에 부산에 가")

    moving.copy(source, target)
    await talk(target, "민준", "부산은 정말 좋았어")
    await talk(target, "유나", "보리차가 뭐야?")

    async with Omoide.open(settings=target, embedder=WordEmbedder()) as omoide:
        minjun = omoide.scope(user="민준", character="haru")
        assert len(await minjun.memories()) == 3
        assert "보리차" in (await minjun.recall("보리차 좋아하던가?")).block
        assert len(await omoide.scope(user="유나", character="haru").memories()) == 1


@pytest.mark.parametrize("other", BOTH)
@pytest.mark.parametrize("until", [1, 100, 200])
def test_a_copy_that_was_stopped_is_no_store_and_goes_on(places: Places, other: str, until: int) -> None:
    source, target = filled(places("sqlite", "from")), places(other, "to")
    with pytest.raises(KeyboardInterrupt):
        moving.copy(source, target, progress=steps(until=until))

    with pytest.raises(StoreCorrupt, match="omoide copy"):
        moving.backup(target, places.folder / "backup.db")
    done = moving.copy(source, target)

    assert done.extents == content(source) == content(target)


async def test_an_engine_does_not_open_a_part_of_a_copy(places: Places) -> None:
    source, target = places("sqlite", "from"), places("postgresql", "to")
    await talk(source, "민준", "나는 보리차를 제일 좋아해")
    with pytest.raises(KeyboardInterrupt):
        moving.copy(source, target, progress=steps(until=3))

    with pytest.raises(StoreCorrupt, match="not finished"):
        await users(target)


def test_a_copy_goes_on_though_its_source_has_changed(places: Places) -> None:
    source, target = filled(places("sqlite", "from")), places("postgresql", "to")
    with pytest.raises(KeyboardInterrupt):
        moving.copy(source, target, progress=steps(until=100))
    with opened(source) as database, database.write() as connection:
        connection.execute(text("UPDATE sessions SET last_at = 5"))

    assert moving.copy(source, target).extents == content(source) == content(target)


def test_a_file_with_a_part_of_what_has_changed_is_left_to_its_owner(places: Places) -> None:
    source, target = filled(places("sqlite", "from")), places("sqlite", "to")
    with pytest.raises(KeyboardInterrupt):
        moving.copy(source, target, progress=steps(until=100))
    with opened(source) as database, database.write() as connection:
        connection.execute(text("UPDATE sessions SET last_at = 5"))

    with pytest.raises(StoreError, match="remove that file"):
        moving.copy(source, target)


@pytest.mark.parametrize("other", BOTH)
def test_a_copy_that_is_whole_is_compared_and_never_written_again(places: Places, other: str) -> None:
    source, target = filled(places("sqlite", "from")), places(other, "to")
    moving.copy(source, target)
    assert moving.copy(source, target).extents == content(source)
    with opened(target) as database, database.write() as connection:
        connection.execute(text("UPDATE sessions SET last_at = 5"))
    before = content(target)

    with pytest.raises(StoreCorrupt, match="sessions"):
        moving.copy(source, target)
    assert content(target) == before


@pytest.mark.parametrize("other", BOTH)
def test_a_copy_is_refused_where_another_store_lies(places: Places, other: str) -> None:
    source = filled(places("sqlite", "from"))
    target = filled(places(other, "to"), store="another store")
    before = content(target)

    with pytest.raises(StoreError, match="another store"):
        moving.copy(source, target)
    assert content(target) == before


@pytest.mark.parametrize("other", BOTH)
def test_a_copy_is_refused_by_what_a_later_release_wrote(places: Places, other: str) -> None:
    source, target = filled(places("sqlite", "from")), places(other, "to")
    with opened(target) as database, database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(StoreNewer, match="9999"):
        moving.copy(source, target)


def test_a_copy_needs_a_store_and_another_place(places: Places) -> None:
    source, target = places("sqlite", "from"), places("sqlite", "to")
    with pytest.raises(StoreError, match=r"no store .*from\.db"):
        moving.copy(source, target)
    assert not (places.folder / "to.db").exists()

    filled(source)
    with pytest.raises(InvalidInput, match="twice"):
        moving.copy(source, source.model_copy(update={"store": f"sqlite:///{source.store}"}))


async def test_every_tenant_is_carried_by_a_role_that_sees_one_at_a_time(places: Places) -> None:
    source = places("postgresql", "from")
    await talk(source, "민준", "나는 보리차를 제일 좋아해")
    for tenant in ("acme", "zoo"):
        await talk(places("postgresql", "from", tenant=tenant), tenant, "우리는 커피를 좋아해")
    with opened(source) as database, database.read() as connection:
        assert connection.execute(select(func.count()).select_from(messages)).scalar() == 2

    moving.backup(source, places.folder / "backup.db")
    moving.restore(places("postgresql", "to"), places.folder / "backup.db")
    moving.copy(places("postgresql", "to"), places("sqlite", "file"))

    for kind, name in (("postgresql", "to"), ("sqlite", "file")):
        for tenant, user in (("", "민준"), ("acme", "acme"), ("zoo", "zoo")):
            assert await users(places(kind, name, tenant=tenant)) == {user}
            await talk(places(kind, name, tenant=tenant), user, "그리고 하나 더")


@pytest.mark.parametrize(("one", "other"), WAYS)
def test_a_backup_of_either_becomes_either(places: Places, one: str, other: str) -> None:
    source, target, file = filled(places(one, "from")), places(other, "to"), places.folder / "backup.db"

    taken = moving.backup(source, file)
    done = moving.restore(target, file)

    assert taken.extents == done.extents == content(source) == content(target)
    assert file.stat().st_mode & 0o777 == 0o600
    assert content(places("sqlite", "backup")) == taken.extents
    left = {path.name for path in places.folder.iterdir()}
    assert not [name for name in left if ".part" in name or name.startswith("backup.db-")]


@pytest.mark.parametrize("one", BOTH)
async def test_a_backup_is_one_moment_of_a_store_in_use(places: Places, one: str) -> None:
    source, done = places(one, "from"), threading.Event()
    await talk(source, "민준", "나는 보리차를 제일 좋아해")

    async with Omoide.open(settings=source, embedder=WordEmbedder()) as omoide:
        taking = threading.Thread(
            target=lambda: [moving.backup(source, places.folder / f"{i}.db") for i in range(3)] and done.set()
        )
        taking.start()
        said = 0
        while not done.is_set() and taking.is_alive():
            said += 1
            scope = omoide.scope(user=f"user {said % 5}", character="haru")
            await scope.observe(user=f"{said}번째 이야기야", reply="응", session="s")
        taking.join()

    assert said > 1
    for number in range(3):
        with opened(places("sqlite", str(number))) as database, database.read() as connection:
            assert database.healthy() == []
            roles = dict(
                connection.execute(select(messages.c.role, func.count()).group_by(messages.c.role)).all()
            )
        assert roles["user"] == roles["character"]
        assert "민준" in await users(places("sqlite", str(number)))


def test_what_was_deleted_is_not_in_a_backup(places: Places) -> None:
    source, file = filled(places("sqlite", "from")), places.folder / "backup.db"
    careless = sqlite3.connect(source.store)
    careless.execute("INSERT INTO meta (key, value) VALUES ('x', ?)", ("forgotten" * 1_000,))
    careless.commit()
    careless.execute("PRAGMA secure_delete=OFF")
    careless.execute("DELETE FROM meta WHERE key = 'x'")
    careless.commit()
    careless.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    careless.close()

    moving.backup(source, file)

    assert b"forgotten" in (places.folder / "from.db").read_bytes()
    assert b"forgotten" not in file.read_bytes()


@pytest.mark.parametrize("other", BOTH)
async def test_who_was_erased_since_a_backup_stays_erased(places: Places, other: str) -> None:
    source, file, ring = places("sqlite", "from"), places.folder / "backup.db", places.folder / "old ring"
    await talk(source, "민준", "나는 보리차를 제일 좋아해")
    await talk(source, "유나", "나는 커피")
    assert moving.backup(source, file, keyring=ring).epoch == 0
    async with Omoide.open(settings=source, embedder=WordEmbedder()) as omoide:
        await omoide.erase_user("민준")

    done = moving.restore(places(other, "to"), file)

    assert done.epoch == 1
    assert await users(places(other, "to")) == {"유나"}
    with pytest.raises(InvalidInput, match="not replaced"):  # the old copy would bring the key back
        moving.restore(places(other, "third"), file, keyring=ring)


@pytest.mark.parametrize("other", BOTH)
def test_a_restore_replaces_only_where_told(places: Places, other: str) -> None:
    source, file = filled(places("sqlite", "from")), places.folder / "backup.db"
    moving.backup(source, file)
    target = filled(places(other, "to"), store="another store")
    before = content(target)

    with pytest.raises(StoreError, match="not empty"):
        moving.restore(target, file)
    assert content(target) == before
    assert moving.restore(target, file, replace=True).extents == content(target) == content(source)


@pytest.mark.parametrize("other", BOTH)
def test_a_restore_that_is_stopped_changes_nothing(places: Places, other: str) -> None:
    source, file = filled(places("sqlite", "from")), places.folder / "backup.db"
    with opened(source) as database, database.write() as connection:
        connection.execute(meta.insert().values(key="large", value="x" * 3_000_000))
    moving.backup(source, file)
    target = filled(places(other, "to"), store="another store")
    before = content(target)

    with pytest.raises(KeyboardInterrupt):
        moving.restore(target, file, replace=True, progress=steps(until=0))
    assert content(target) == before


@pytest.mark.parametrize("other", BOTH)
def test_a_backup_of_an_earlier_release_is_brought_up_to_date_and_left_as_it_is(
    places: Places, other: str
) -> None:
    file = places.folder / "old.db"
    with create_engine(f"sqlite:///{file}").begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(omoide.stores.migrations.__path__[0]))
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        connection.execute(meta.insert().values(key="store", value="the store"))
    before = file.read_bytes()

    done = moving.restore(places(other, "to"), file)

    assert (done.store, done.extents["meta"].rows) == ("the store", 1)
    assert done.extents == content(places(other, "to"))
    assert file.read_bytes() == before


def test_what_is_no_backup_is_refused(places: Places) -> None:
    target, file = places("sqlite", "to"), places.folder / "file.db"
    with pytest.raises(InvalidInput, match="no backup"):
        moving.restore(target, file)
    file.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreCorrupt):
        moving.restore(target, file)
    file.unlink()
    other = sqlite3.connect(file)
    other.execute("CREATE TABLE meta (x)")
    other.close()
    with pytest.raises(StoreCorrupt, match="no backup"):
        moving.restore(target, file)
    assert not (places.folder / "ring").exists()


def test_a_backup_of_a_later_release_is_refused(places: Places) -> None:
    source, file = filled(places("sqlite", "from")), places.folder / "backup.db"
    moving.backup(source, file)
    later = sqlite3.connect(file)
    later.execute("UPDATE alembic_version SET version_num = '9999'")
    later.commit()
    later.close()

    with pytest.raises(StoreNewer, match=r"backup\.db.*9999"):
        moving.restore(places("sqlite", "to"), file)


def test_no_backup_is_overwritten_and_none_half_written(places: Places) -> None:
    source, file = filled(places("sqlite", "from")), places.folder / "backup.db"
    with pytest.raises(KeyboardInterrupt):
        moving.backup(filled(places("postgresql", "other")), file, progress=steps(until=50))
    assert not [path for path in places.folder.iterdir() if "backup" in path.name]
    file.write_text("of yesterday")
    with pytest.raises(InvalidInput, match="already"):
        moving.backup(source, file)
    assert file.read_text() == "of yesterday"


async def test_a_keyring_goes_with_its_own_store_only(places: Places) -> None:
    source, file = places("sqlite", "from"), places.folder / "backup.db"
    await talk(source, "민준", "나는 보리차를 제일 좋아해")
    copied = places.folder / "apart" / "ring"
    moving.backup(source, file, keyring=copied)
    await talk(source, "유나", "나는 커피")
    moving.backup(source, places.folder / "next.db", keyring=copied)  # over the earlier copy
    assert copied.read_bytes() == (places.folder / "ring").read_bytes()

    elsewhere = {"master_key_file": places.folder / "key", "embedder": "none", "worker": False}
    stranger = Settings.read(store=str(places.folder / "x.db"), keyring=places.folder / "x", **elsewhere)
    await talk(stranger, "하나", "나는 물")
    with pytest.raises(KeyWrong, match="belongs to store"):
        moving.restore(stranger, file, replace=True)
    with pytest.raises(InvalidInput, match="not replaced"):
        moving.backup(stranger, places.folder / "y.db", keyring=copied)
    assert await users(stranger) == {"하나"}

    fresh = Settings.read(store=str(places.folder / "z.db"), keyring=places.folder / "z", **elsewhere)
    moving.restore(fresh, places.folder / "next.db", keyring=copied)
    assert await users(fresh) == {"민준", "유나"}


async def test_a_keyring_in_a_database_is_copied_to_a_file_and_back(places: Places) -> None:
    rings = {name: database_for(places.folder / f"{name} ring.db") for name in ("one", "other")}
    source = places("sqlite", "from").model_copy(update={"keyring": rings["one"]})
    target = places("sqlite", "to").model_copy(update={"keyring": rings["other"]})
    file, copied = places.folder / "backup.db", places.folder / "ring copy"
    await talk(source, "민준", "나는 보리차를 제일 좋아해")

    assert moving.backup(source, file, keyring=copied).epoch == 0
    moving.restore(target, file, keyring=copied)

    assert await users(target) == {"민준"}


@pytest.mark.parametrize("kind", BOTH)
async def test_a_restore_that_fails_takes_the_keyring_away_that_it_put(places: Places, kind: str) -> None:
    source, file, copied = places("sqlite", "from"), places.folder / "backup.db", places.folder / "copied"
    await talk(source, "민준", *("나는 보리차를 제일 좋아해" for _ in range(40)))
    moving.backup(source, file, keyring=copied)
    whole = file.read_bytes()
    page = 4096 * (len(whole) // 4096 // 2)
    file.write_bytes(whole[:page] + b"\xff" * (len(whole) - page))
    ring = places.folder / "new.db.keyring" if kind == "sqlite" else database_for(places.folder / "ring.db")
    target = places("sqlite", "new").model_copy(update={"keyring": ring})
    before = sorted(places.folder.iterdir())

    with pytest.raises(StoreCorrupt, match="damaged"):
        moving.restore(target, file, keyring=copied)
    assert sorted(places.folder.iterdir()) == before

    file.write_bytes(whole)
    with pytest.raises(KeyboardInterrupt):
        moving.restore(target, file, keyring=copied, progress=steps(until=0))
    assert moving.restore(target, file).epoch is None
    assert moving.restore(target, file, replace=True, keyring=copied).epoch == 0
    with pytest.raises(KeyboardInterrupt):
        moving.restore(target, file, replace=True, keyring=copied, progress=steps(until=0))
    assert await users(target) == {"민준"}  # what lay there before stays


async def test_copies_of_vectors_are_made_anew_after_a_restore(places: Places) -> None:
    store = places("postgresql", "from", vectors="pgvector")
    await talk(store, "민준", "나는 보리차를 제일 좋아해")
    moving.backup(store, places.folder / "backup.db")
    await talk(store, "민준", "부산은 정말 좋았어")

    moving.restore(store, places.folder / "backup.db", replace=True)

    async with Omoide.open(settings=store, embedder=WordEmbedder()) as omoide:
        scope = omoide.scope(user="민준", character="haru")
        found = await scope.recall("보리차 좋아하던가?")
        assert (len(found.memories), found.degraded) == (1, ())
        checked = await scope.verify()
        assert (checked.right, checked.made, checked.dropped) == (1, 0, 0)


def test_the_order_of_tables_is_that_of_their_references() -> None:
    seen = set()
    for table in TABLES:
        assert {key.column.table.name for key in table.foreign_keys} <= seen | {table.name}
        seen.add(table.name)
