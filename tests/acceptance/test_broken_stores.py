"""Files that are no store, newer, cut off or full are told of; several engines on one file lose nothing."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest
from opening import opened
from recalling import haru
from sqlalchemy import event

from omoide import Omoide
from omoide.errors import (
    InvalidInput,
    OmoideError,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreNewer,
    UnknownScope,
)
from omoide.testing import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CAT, CAT_ASKED = "우리 고양이 이름은 감자예요", "우리 고양이 이름은?"


def content_of(folder: Path) -> dict[str, bytes | None]:
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


def _folder(path: Path) -> None:
    path.mkdir()


def _text(path: Path) -> None:
    path.write_text("This is a diary and no database. " * 100)


def _another_program(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE places (url TEXT)")
    connection.commit()
    connection.close()


def _another_program_with_migrations(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
    connection.execute("INSERT INTO alembic_version VALUES ('f00dcafe')")
    connection.execute("CREATE TABLE meta (key TEXT)")
    connection.commit()
    connection.close()


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("make", "error"),
    [
        (_folder, InvalidInput),
        (_text, StoreCorrupt),
        (_another_program, StoreCorrupt),
        (_another_program_with_migrations, StoreCorrupt),
    ],
)
async def test_what_is_no_store_is_refused_and_left_as_it_was(
    tmp_path: Path, make: Callable[[Path], None], error: type[OmoideError]
) -> None:
    path = tmp_path / "haru.db"
    make(path)
    before = content_of(tmp_path)
    with pytest.raises(error):
        async with opened(tmp_path):
            pytest.fail("it opened")
    assert content_of(tmp_path) == before


async def _filled(folder: Path, count: int = 40) -> None:
    async with opened(folder) as omoide:
        for number in range(count):
            await haru(omoide).observe(user=f"저는 {number}번 등대를 좋아해요", reply="멋져요", session="s1")


async def _used(folder: Path) -> None:
    async with opened(folder) as omoide:
        assert (await haru(omoide).recall("등대 좋아해?")).degraded
        await haru(omoide).observe(user="등대 좋아해요", session="s1")


@pytest.mark.sqlite
async def test_a_newer_schema_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    await _filled(tmp_path, 1)
    connection = sqlite3.connect(tmp_path / "haru.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.execute("UPDATE meta SET value = '9999' WHERE key = 'schema_floor'")
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    before = (tmp_path / "haru.db").read_bytes()
    with pytest.raises(StoreNewer, match="9999"):
        async with opened(tmp_path):
            pytest.fail("it opened")
    assert (tmp_path / "haru.db").read_bytes() == before


@pytest.mark.sqlite
@pytest.mark.parametrize("part", [0.9, 0.5, 0.1, 0.02])
async def test_a_file_cut_off_is_told_or_read_and_never_crashes_a_recall(tmp_path: Path, part: float) -> None:
    await _filled(tmp_path)
    path = tmp_path / "haru.db"
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * part)])
    try:
        async with opened(tmp_path) as omoide:
            recall = await haru(omoide).recall("등대 좋아해?")
            assert recall.degraded or recall.memories
    except (StoreError, UnknownScope):
        pass


@pytest.mark.sqlite
async def test_a_file_with_overwritten_pages_is_told_and_the_chat_goes_on(tmp_path: Path) -> None:
    await _filled(tmp_path)
    path = tmp_path / "haru.db"
    content = bytearray(path.read_bytes())
    async with opened(tmp_path) as omoide:
        assert omoide.store.database.healthy() == []
    for start in range(8192, len(content), 4096):
        content[start : start + 4096] = b"\x5a" * 4096
    path.write_bytes(bytes(content))
    with pytest.raises(StoreError):
        await _used(tmp_path)


async def test_a_path_below_a_file_cannot_be_written_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        async with Omoide.open(tmp_path / "file" / "haru.db", embedder=WordEmbedder()):
            pytest.fail("it opened")


async def test_a_store_of_another_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="PostgreSQL"):
        async with Omoide.open("mysql://localhost/omoide", master_key_file=tmp_path / "key"):
            pytest.fail("it opened")


@pytest.mark.sqlite
async def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path: Path) -> None:
    await _filled(tmp_path, 5)
    async with opened(tmp_path, embedder="none") as omoide:
        scope = haru(omoide)
        engine = omoide.store.database._engine
        engine.dispose()

        def limit(raw: sqlite3.Connection, *_: object) -> None:
            pages = raw.execute("PRAGMA page_count").fetchone()[0]
            raw.execute(f"PRAGMA max_page_count={pages}")

        event.listen(engine, "connect", limit)
        kept = len(await scope.memories())
        with pytest.raises(StoreFull, match="full"):
            await scope.observe(user="등대 " * 100_000, reply="우와", session="s1")
        assert len(await scope.memories()) == kept
        assert (await scope.recall("1번 등대 좋아해?")).memories
        event.remove(engine, "connect", limit)
        engine.dispose()
        assert (await scope.observe(user="등대 그림을 좋아해요", reply="네", session="s1")).made == 1
        assert omoide.store.database.healthy() == []


async def test_two_engines_on_one_file_see_what_the_other_writes(tmp_path: Path) -> None:
    async with opened(tmp_path) as first, opened(tmp_path) as second:
        await haru(first).observe(user=CAT, reply="귀엽다", session="s1")
        assert "감자" in (await haru(second).recall(CAT_ASKED)).block
        await haru(second).observe(user="저는 등산을 좋아해요", reply="저도요", session="s1")
        assert "등산" in (await haru(first).recall("등산 좋아해요?")).block
        (cat,) = [memory for memory in await haru(first).memories() if "감자" in memory.text]
        await haru(first).forget(cat.id)
        assert (await haru(second).recall(CAT_ASKED)).block == ""
        await haru(second).purge(now=True)
        assert (await haru(first).recall(CAT_ASKED)).block == ""


async def test_a_user_erased_in_one_engine_is_unknown_to_the_other(tmp_path: Path) -> None:
    async with opened(tmp_path) as first, opened(tmp_path) as second:
        await haru(first).observe(user=CAT, reply="귀엽다", session="s1")
        assert (await haru(second).recall(CAT_ASKED)).memories
        await first.erase_user("minjun")
        assert (await haru(second).recall(CAT_ASKED)).memories == ()
        stranger = first.scope(user="seoyeon", character="haru")
        await stranger.observe(user="저는 고양이를 좋아해요", reply="저도요", session="s1")
        assert (await haru(second).recall(CAT_ASKED)).memories == ()
        await haru(second).observe(user="저는 등산을 좋아해요", reply="저도요", session="s1")
        assert len(await stranger.memories()) == 1
        assert [memory.evidence[0].quote for memory in await haru(first).memories()] == [
            "저는 등산을 좋아해요"
        ]


async def test_calls_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    import asyncio

    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        calls = [
            scope.observe(user=f"저는 {number}번 등대를 좋아해요", session=f"s{number % 3}")
            for number in range(20)
        ]
        recalls = [scope.recall("등대 좋아해?") for _ in range(20)]
        done = await asyncio.gather(*calls, *recalls)
        assert all(not getattr(recall, "degraded", ()) for recall in done)
        assert len(await scope.memories()) == 20


@pytest.mark.sqlite
async def test_a_store_can_be_moved_with_its_keyring(tmp_path: Path) -> None:
    await _filled(tmp_path, 2)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for name in ("haru.db", "haru.db.keyring", "master.key"):
        shutil.move(tmp_path / name, moved / name)
    async with opened(moved) as omoide:
        assert len(await haru(omoide).memories()) == 2


async def test_a_new_key_is_told_to_those_who_use_the_library(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):  # the second opening makes no key
        async with opened(tmp_path):
            pass
    told = [record.levelname for record in caplog.records if "new master key" in record.message]
    assert told == ["WARNING"]
