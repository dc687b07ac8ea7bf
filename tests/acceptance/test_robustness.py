"""Bad input, bad files, full disks, failing embedders: clear errors, and the chat goes on."""

from __future__ import annotations

import shutil
import sqlite3
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest
from opening import DIMENSIONS, NOW, opened
from sqlalchemy import event

from omoide import Filter, Kind, Message, Noted, Omoide, Role, Status
from omoide.domain.circuit import Circuit
from omoide.domain.embedding import EmbeddingIdentity
from omoide.errors import (
    EmbedderFailed,
    EmbedderMismatch,
    InvalidInput,
    OmoideError,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreNewer,
    UnknownMemory,
    UnknownMessage,
    UnknownScope,
    UnknownSession,
)
from omoide.prompts.rules import standing
from omoide.testing import FailingEmbedder, HangingEmbedder, WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from omoide import Scope

FAMILY = "👨‍👩‍👧‍👦"
CAT, CAT_ASKED = "우리 고양이 이름은 감자예요", "우리 고양이 이름은?"
ODD_TEXTS = {
    "NUL": "저는 감자\x00튀김을 좋아해요",
    "lone surrogate": "저는 감자튀김을 좋아해요 \ud83d",
    "decomposed": "저는 감자튀김을 좋아해요",
    "family emoji": f"우리 가족 {FAMILY} 감자튀김을 좋아해요",
    "right to left": "אני אוהב 감자튀김 מאוד \u202eabc\u202c",
    "byte order mark": "\ufeff저는 감자튀김을 좋아해요",
    "zalgo": "감자튀김 z" + "\u0301" * 500 + " 좋아해요",
    "line ends": "저는\r\n감자튀김을\u2028좋아해요\r",
    "escape codes": "\x1b[31m저는 감자튀김을 좋아해요\x1b[0m",
}


def haru(omoide: Omoide) -> Scope:
    return omoide.scope(user="minjun", character="haru")


@pytest.mark.proves("F90")
@pytest.mark.proves("F93")
@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
async def test_odd_text_is_kept_and_found(tmp_path: Path, text: str) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        assert (await scope.observe(user=text, reply=text, session="s1")).added == 2
        recall = await scope.recall("감자튀김 먹을래?")
        assert not recall.degraded
        assert "감자튀김" in recall.block
        recall.prompt.encode()
        (memory,) = await scope.memories()
        assert memory.text
        assert "\x00" not in memory.text


@pytest.mark.proves("F93")
@pytest.mark.parametrize("text", ["", " \n\t", "\u200b\u200d", "\x00", "\ud800", "\u2800", "\ufe0f"])
async def test_blank_messages_are_counted_and_not_kept(tmp_path: Path, text: str) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        recorded = await scope.observe(user=text, session="s1")
        assert (recorded.blank, recorded.added) == (1, 0)
        recall = await scope.recall(text)
        assert (recall.block, recall.degraded) == ("", ())


async def test_one_blank_message_does_not_cost_the_others(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        recorded = await haru(omoide).observe(user=CAT, reply="  ", session="s1")
        assert (recorded.added, recorded.blank, recorded.made) == (1, 1, 1)


@pytest.mark.proves("F75")
@pytest.mark.parametrize("text", ["나 임신했어", "母が亡くなった", "我辞职了", "I quit."])
async def test_short_messages_that_say_something_are_kept(tmp_path: Path, text: str) -> None:
    """No floor on length."""
    async with opened(tmp_path) as omoide:
        assert (await haru(omoide).observe(user=text, session="s1")).made == 1


@pytest.mark.proves("F38")
@pytest.mark.proves("F79")
async def test_a_message_of_a_megabyte_is_kept_and_takes_no_more_than_the_budget(tmp_path: Path) -> None:
    novel = "옛날 옛적에 등대지기가 살았어요. 파도가 높은 밤이면 종을 울렸지요. " * 11_000
    assert len(novel.encode()) > 1_000_000
    async with opened(tmp_path, embedder="none") as omoide:
        scope = haru(omoide)
        began = time.perf_counter()
        await scope.observe(user=novel, reply="긴 이야기네요", session="s1")
        await scope.observe(user="저는 등대 사진을 좋아해요", reply="멋져요", session="s2")
        recall = await scope.recall("등대지기가 살았어요", budget=300)
        assert time.perf_counter() - began < 10
        assert recall.block
        assert len(recall.block) < 2_000
        assert (await scope.recall(novel)).degraded == ()


async def test_ten_thousand_messages_in_one_call(tmp_path: Path) -> None:
    talk = [
        Message(
            role=(Role.USER, Role.CHARACTER)[number % 2],
            text=f"{number}번째 등대 이야기를 좋아해요",
            at=NOW + timedelta(seconds=number),
        )
        for number in range(10_000)
    ]
    async with opened(tmp_path, embedder="none") as omoide:
        began = time.perf_counter()
        recorded = await haru(omoide).observe(messages=talk, session="s1")
        assert (recorded.added, recorded.made) == (10_000, 5_000)
        assert time.perf_counter() - began < 20
        assert "7778번째" in (await haru(omoide).recall("7778번째 이야기", limit=1)).block


BAD_VALUES: dict[str, Callable[[Scope], object]] = {
    "no words": lambda scope: scope.observe(session="s1"),
    "words and messages": lambda scope: scope.observe("a", messages=[Message(role=Role.USER, text="a")]),
    "naive time": lambda scope: scope.observe("a", at=datetime(2026, 1, 1)),  # noqa: DTZ001 - what is tested
    "naive as_of": lambda scope: scope.recall("a", as_of=datetime(2026, 1, 1)),  # noqa: DTZ001 - what is tested
    "no memories": lambda scope: scope.recall("a", limit=0),
    "too many memories": lambda scope: scope.recall("a", limit=1_000),
    "no budget": lambda scope: scope.recall("a", budget=0),
    "a budget that holds nothing": lambda scope: scope.recall("a", budget=49),
    "unknown fusion": lambda scope: scope.recall("a", fusion="best"),
    "the last day of time": lambda scope: scope.observe("a", at=datetime.max.replace(tzinfo=UTC)),
    "the first day of time": lambda scope: scope.remember("a", at=datetime.min.replace(tzinfo=UTC)),
    "blank memory": lambda scope: scope.remember("\u200b"),
    "importance too low": lambda scope: scope.remember("a", importance=0.9),
    "importance too high": lambda scope: scope.remember("a", importance=10.1),
    "importance no number": lambda scope: scope.remember("a", importance=float("nan")),
    "confidence too high": lambda scope: scope.remember("a", confidence=11),
    "score too high": lambda scope: scope.remember("a", scores={"joy": 10.5}),
    "diary without a past": lambda scope: scope.remember("a", kind=Kind.DIARY),
    "surrogate in a place": lambda scope: scope.remember("a", place="x\ud800"),
    "surrogate in a key": lambda scope: scope.remember("a", keys=("x\ud800",)),
}


@pytest.mark.parametrize("call", BAD_VALUES.values(), ids=BAD_VALUES.keys())
async def test_a_value_that_cannot_be_used_is_refused_and_nothing_is_written(
    tmp_path: Path, call: Callable[[Scope], object]
) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        await scope.observe(user=CAT, reply="귀엽다", session="s1")
        with pytest.raises(InvalidInput):
            await call(scope)  # type: ignore[misc]
        assert len(await scope.memories(statuses=tuple(Status))) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: Filter(since=datetime(2026, 1, 1)),  # noqa: DTZ001 - what is tested
        lambda: Filter(since=NOW, until=NOW),
        lambda: Filter(importance=11),
        lambda: Filter(importance=float("nan")),
        lambda: Filter(emotion={"joy": -1}),
        lambda: Message(role=Role.USER, text="a", at=datetime(2026, 1, 1)),  # noqa: DTZ001 - what is tested
        lambda: Message(role=Role.USER, text="a", heard=-1),
        lambda: Noted(text="a", at=datetime(2026, 1, 1)),  # noqa: DTZ001 - what is tested
    ],
)
def test_values_check_themselves(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput):
        make()


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\x00"])
async def test_a_blank_name_is_refused(tmp_path: Path, name: str) -> None:
    async with opened(tmp_path) as omoide:
        for names in ({"user": name, "character": "haru"}, {"user": "u", "character": name}):
            with pytest.raises(InvalidInput):
                omoide.scope(**names)


@pytest.mark.proves("P21")
@pytest.mark.parametrize(
    ("said", "language"), [("안녕?", "ko"), ("こんにちは", "ja"), ("你好，在吗", "zh"), ("hello", "en")]
)
async def test_the_first_turn_of_a_new_scope_works(tmp_path: Path, said: str, language: str) -> None:
    async with opened(tmp_path) as omoide:
        recall = await haru(omoide).recall(said, session="s1")
        assert (recall.block, recall.memories, recall.degraded) == ("", (), ())
        assert recall.prompt == recall.standing == standing(language)  # type: ignore[arg-type]
        assert await omoide.scopes() == []


async def test_unknown_names_and_ids_are_told_and_near_ones_shown(tmp_path: Path) -> None:
    nobody = "01a22b5f-2169-7762-be22-22587aa6fbb9"
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        first = await scope.observe(user=CAT, reply="귀엽다", session="s1")
        with pytest.raises(UnknownScope, match="minjun"):
            await omoide.scope(user="minjum", character="haru").memories()
        for call in (scope.show(nobody), scope.forget("?"), scope.pin(nobody), scope.restore(nobody)):
            with pytest.raises(UnknownMemory):
                await call
        for call in (scope.rewind(nobody), scope.rewind("?"), scope.delete(nobody)):
            with pytest.raises(UnknownMessage):
                await call
        with pytest.raises(UnknownSession):
            await scope.rewind(first.messages[0], session="s9")
        with pytest.raises(UnknownScope):
            await omoide.erase_user("nobody")


# Files


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


# Embedders


class Renamed(WordEmbedder):
    """The same dimensions, and another model."""

    def __init__(self) -> None:
        super().__init__(DIMENSIONS)

    @property
    def identity(self) -> EmbeddingIdentity:
        return EmbeddingIdentity(backend="testing", model="other words", dimensions=DIMENSIONS)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.roll(await super().embed_query(text), 7)

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.roll(await super().embed_documents(texts), 7, axis=1)


class Liar(WordEmbedder):
    """Gives other dimensions than it says."""

    def __init__(self) -> None:
        super().__init__(64)

    @property
    def identity(self) -> EmbeddingIdentity:
        return EmbeddingIdentity(backend="testing", model="words", dimensions=256)


class Broken(WordEmbedder):
    """Gives numbers that are none."""

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return await super().embed_query(text) * np.float32("nan")

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await super().embed_documents(texts) * np.float32("nan")


@pytest.mark.proves("F16")
@pytest.mark.proves("P17")
@pytest.mark.parametrize(
    "embedder",
    [
        FailingEmbedder(EmbedderFailed("the embedding server is away")),
        FailingEmbedder(ConnectionRefusedError("no such host")),
        Liar(),
        Broken(),
    ],
    ids=["down", "down, with an error of its own", "wrong dimensions", "NaN"],
)
async def test_an_embedder_that_fails_costs_the_meaning_and_says_so(
    tmp_path: Path, embedder: WordEmbedder
) -> None:
    """An optional part that fails must not take the conversation down."""
    async with opened(tmp_path, embedder=embedder) as omoide:
        scope = haru(omoide)
        assert (await scope.observe(user=CAT, reply="귀엽다", session="s1")).made == 1
        recall = await scope.recall(CAT_ASKED)
        assert "감자" in recall.block
        assert len(recall.degraded) == 1
        assert "words alone" in recall.degraded[0]
        assert recall.memories[0].why.meaning is None
        with pytest.raises((EmbedderFailed, EmbedderMismatch, ConnectionRefusedError)):
            await scope.vectorise()
    async with opened(tmp_path) as omoide:
        recall = await haru(omoide).recall(CAT_ASKED)
        assert (recall.degraded, recall.memories[0].why.meaning is None) == ((), False)


@pytest.mark.proves("P17")
async def test_an_embedder_that_hangs_costs_the_meaning_and_does_not_hold_up_closing(tmp_path: Path) -> None:
    began = time.perf_counter()
    async with opened(tmp_path, embedder=HangingEmbedder()) as omoide:
        scope = haru(omoide)
        await scope.observe(user=CAT, reply="귀엽다", session="s1")
        recall = await scope.recall(CAT_ASKED)
        assert "감자" in recall.block
        assert recall.degraded
    assert time.perf_counter() - began < 15


@pytest.mark.proves("F16")
@pytest.mark.proves("F41")
async def test_an_embedder_that_hangs_delays_three_recalls_and_no_more(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=HangingEmbedder(), embedder_seconds=0.2) as omoide:
        scope = haru(omoide)
        await scope.observe(user=CAT, reply="귀엽다", session="s1")
        for _ in range(3):
            assert "more than 0.2 seconds" in (await scope.recall(CAT_ASKED)).degraded[0]
        began = time.perf_counter()
        recall = await scope.recall(CAT_ASKED)
        assert time.perf_counter() - began < 0.2
        assert "감자" in recall.block
        assert "tried again every 30 seconds" in recall.degraded[0]
        assert "words alone" in recall.degraded[0]
        began = time.perf_counter()
    assert time.perf_counter() - began < 2, "nothing waits for it in the background any more"


class Awaking(WordEmbedder):
    """Hangs until it is woken."""

    def __init__(self) -> None:
        super().__init__(DIMENSIONS)
        self.awake = False
        self.asked = 0

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        self.asked += 1
        return await (super() if self.awake else HangingEmbedder()).embed_query(text)

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += 1
        return await (super() if self.awake else HangingEmbedder()).embed_documents(texts)


@pytest.mark.proves("F16")
async def test_an_embedder_that_is_back_is_used_again_after_a_rest(tmp_path: Path) -> None:
    seconds, embedder = [0.0], Awaking()
    async with opened(tmp_path, embedder=embedder, embedder_seconds=0.05) as omoide:
        omoide.meaning.circuit = Circuit("the embedder", clock=lambda: seconds[0])
        scope = haru(omoide)
        await scope.observe(user=CAT, reply="귀엽다", session="s1")
        for _ in range(3):
            await scope.recall(CAT_ASKED)
        embedder.awake, asked = True, embedder.asked
        assert (await scope.recall(CAT_ASKED)).degraded
        assert embedder.asked == asked
        seconds[0] = 30.0
        recall = await scope.recall(CAT_ASKED)
        assert (recall.degraded, recall.memories[0].why.meaning is None) == ((), False)


@pytest.mark.proves("P6")
async def test_what_was_said_while_the_embedder_was_down_gets_its_vector_later(tmp_path: Path) -> None:
    embedder = FailingEmbedder(EmbedderFailed("away"), times=2)
    async with opened(tmp_path, embedder=embedder) as omoide:
        scope = haru(omoide)
        await scope.observe(user=CAT, reply="귀엽다", session="s1")
        await omoide._finish_tasks()
        assert (await scope.recall(CAT_ASKED)).degraded
        recall = await scope.recall(CAT_ASKED)
        assert (recall.degraded, recall.memories[0].why.meaning is None) == ((), False)


@pytest.mark.proves("F11")
@pytest.mark.parametrize("other", [WordEmbedder(64), Renamed()], ids=["other dimensions", "same dimensions"])
async def test_another_embedder_makes_its_own_vectors_and_switching_back_loses_nothing(
    tmp_path: Path, other: WordEmbedder
) -> None:
    async with opened(tmp_path) as omoide:
        await haru(omoide).observe(user=CAT, reply="귀엽다", session="s1")
        await haru(omoide).vectorise()
    async with opened(tmp_path, embedder=FailingEmbedder(EmbedderFailed("away"))) as omoide:
        assert "감자" in (await haru(omoide).recall(CAT_ASKED)).block  # by words alone
    for embedder in (other, WordEmbedder(DIMENSIONS), other):
        async with opened(tmp_path, embedder=embedder) as omoide:
            scope = haru(omoide)
            recall = await scope.recall(CAT_ASKED)
            assert recall.degraded == ()
            (found,) = recall.memories
            assert found.why.meaning is not None
            own = await embedder.embed_documents([found.memory.text])
            asked = await embedder.embed_query(CAT_ASKED)
            assert abs(found.why.meaning.score) <= 1
            assert own.shape[1] == len(asked)


async def test_after_a_switch_old_and_new_memories_are_found_by_meaning(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        for number in range(40):
            await haru(omoide).observe(user=f"저는 {number}번 등대를 좋아해요", session="s1")
        await haru(omoide).vectorise()
    async with opened(tmp_path, embedder=WordEmbedder(64)) as omoide:
        scope = haru(omoide)
        await scope.observe(user="저는 새 직장을 구했어요", reply="축하해요", session="s2")
        await scope.vectorise()
        await omoide._finish_tasks()
        assert await scope.vectorise() == 0
        for asked in ("직장 어때?", "등대 좋아해?"):
            assert all(found.why.meaning for found in (await scope.recall(asked)).memories)


async def test_an_embedder_with_the_wrong_dimensions_writes_no_vector(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=Liar()) as omoide:
        await haru(omoide).observe(user=CAT, reply="귀엽다", session="s1")
        with pytest.raises(EmbedderMismatch):
            await haru(omoide).vectorise()
        row = omoide.store.scope("minjun", "haru")
        assert row is not None
        with omoide.store.read(row) as unit:
            assert omoide.store.embedding is not None
            assert unit.vectors(omoide.store.embedding).members() == set()


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
