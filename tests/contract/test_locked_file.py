"""A SQLite file that another process keeps locked: who waits, how long, and what goes on meanwhile."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from omoide import Message, Omoide, Role
from omoide.characters import Characters
from omoide.chat import Chat, Done, Token
from omoide.errors import StoreBusy
from omoide.lanes import Lanes
from omoide.stores.sqlite import SqliteDatabase
from omoide.testing import FixedClock, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from omoide.chat import Event


@contextmanager
def locked(file: Path) -> Iterator[sqlite3.Connection]:
    """Another connection holds the file's lock until it rolls back."""
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield other
    finally:
        other.close()


def write(database: SqliteDatabase, ended: list[float], *, seconds: float = 0.0) -> threading.Thread:
    """A writer in a thread of its own that notes how long it waited for a refusal."""

    def run() -> None:
        begun = time.monotonic()
        try:
            with database.write():
                time.sleep(seconds)
        except StoreBusy:
            ended.append(time.monotonic() - begun)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_who_waits_for_a_lock_together_fails_together(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    database = SqliteDatabase.open(file, wait=0.8)
    ended: list[float] = []
    with locked(file):
        for thread in [write(database, ended) for _ in range(5)]:
            thread.join()
    with database.write():
        pass
    database.close()

    assert len(ended) == 5
    assert all(0.7 < seconds < 1.3 for seconds in ended), ended


def test_who_came_later_waits_from_then_on_and_writes_when_the_lock_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    database = SqliteDatabase.open(file, wait=0.8)
    first: list[float] = []
    later: list[float] = []
    with locked(file) as other:
        early = write(database, first)
        time.sleep(0.5)
        late = write(database, later)
        early.join()
        other.rollback()
        late.join()
    database.close()

    assert len(first) == 1
    assert later == []


def test_a_writer_of_this_process_is_waited_for_as_long_as_it_writes(tmp_path: Path) -> None:
    database = SqliteDatabase.open(tmp_path / "x.db", wait=0.3)
    refused: list[float] = []
    threads = [write(database, refused, seconds=0.5) for _ in range(3)]
    for thread in threads:
        thread.join()
    database.close()

    assert refused == []


async def test_who_waits_for_a_thread_has_waited_for_the_lock(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    database = SqliteDatabase.open(file, wait=0.8)
    lanes = Lanes()

    def written() -> None:
        with database.write():
            pass

    async def writer() -> float:
        begun = time.monotonic()
        with pytest.raises(StoreBusy):
            await lanes.write(lambda: database.again(written, asked=begun))
        return time.monotonic() - begun

    with locked(file):
        waited = await asyncio.gather(*(writer() for _ in range(20)))
    await lanes.write(lambda: database.again(written, asked=time.monotonic()))
    lanes.close()
    database.close()

    assert max(waited) < 1.6, waited


@pytest.mark.proves("P3")
async def test_who_reads_waits_behind_nobody_who_writes(tmp_path: Path) -> None:
    file, clock = tmp_path / "x.db", FixedClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    async with Omoide.open(file, embedder="none", master_key_file=tmp_path / "key", clock=clock) as omoide:
        scope = omoide.scope(user="민준", character="하루")
        await scope.observe(user="나는 보리차를 제일 좋아해", reply="저도요")
        await scope.sync([Message(role=Role.USER, text="麦茶も好き")], session="open")
        clock.advance(
            timedelta(hours=1)
        )  # what was said last has been quiet for long enough to be settled first
        with locked(file) as other:
            writing = [
                asyncio.create_task(scope.observe(user=f"오늘은 {number}번째 산책을 했어", reply="좋네요"))
                for number in range(12)
            ]
            await asyncio.sleep(0.1)
            begun = time.monotonic()
            recall = await scope.recall("보리차 좋아해?", session="later")
            assert "보리차" in recall.prompt
            assert recall.degraded == ("what was said last cannot be written yet",)
            assert len(await scope.memories()) == 1
            assert time.monotonic() - begun < 2
            other.rollback()
            await asyncio.gather(*writing)
        assert len(await scope.memories()) > 12


def test_a_locked_file_gives_no_sign_and_is_not_silent(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    database = SqliteDatabase.open(file, wait=3)
    assert database.answers()
    with locked(file):
        waiting = write(database, [])
        time.sleep(0.1)
        assert not database.answers()
        database.fell_silent()
        assert not database.silent
        with database.read():
            pass
    waiting.join()
    assert database.answers()
    database.close()


async def told(turn: AsyncIterator[Event]) -> tuple[str, Done, float]:
    """What a turn says, how it ends, and after how many seconds its first word came."""
    begun, first, words = time.monotonic(), 0.0, ""
    async for event in turn:
        if isinstance(event, Token):
            first = first or time.monotonic() - begun
            words += event.text
        else:
            assert isinstance(event, Done)
            return words, event, first
    raise AssertionError


@pytest.mark.proves("P3")
async def test_every_turn_under_a_lock_is_kept_in_order_when_it_ends_in_time(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    model = ScriptedModel(replies=[f"응 {number}! [EMOTION:calm]" for number in range(4)])
    said = {"user": "민준", "character": "sena", "session": "s"}
    async with Omoide.open(file, embedder="none", models=model, master_key_file=tmp_path / "key") as omoide:
        chat = Chat(omoide, Characters.load())
        await told(chat.turn(**said, message="보리차 0"))
        with locked(file):
            for number in (1, 2, 3):
                _, done, seconds = await told(chat.turn(**said, message=f"보리차 {number}"))
                assert not done.kept
                assert seconds < 4
        await asyncio.wait_for(chat.settled(), 10)
        made = await omoide.scope(user="민준", character="세나").memories()

    kept = [
        (f"보리차 {number}" in one.text, f"응 {number}!" in one.text)
        for number, one in zip(range(3, -1, -1), made, strict=True)
    ]
    assert kept == [(True, True)] * 4


@pytest.mark.parametrize(
    ("first", "asked"),
    [
        ("나는 보리차를 제일 좋아해", "보리차 얘기 기억나?"),
        ("麦茶がいちばん好き", "麦茶の話、覚えてる？"),
        ("I love barley tea the most", "Do you remember the barley tea?"),
    ],
)
@pytest.mark.proves("P3")
async def test_a_turn_goes_on_where_the_file_is_locked_and_is_kept_when_it_no_longer_is(
    tmp_path: Path, first: str, asked: str
) -> None:
    file = tmp_path / "x.db"
    model = ScriptedModel(replies=["응! [EMOTION:calm]", "물론 [EMOTION:calm]", "그래 [EMOTION:calm]"])
    said = {"user": "민준", "character": "sena", "session": "s"}
    async with Omoide.open(file, embedder="none", models=model, master_key_file=tmp_path / "key") as omoide:
        chat = Chat(omoide, Characters.load())
        _, done, _ = await told(chat.turn(**{**said, "session": "before"}, message=first))
        assert done.kept
        with locked(file):
            words, done, seconds = await told(chat.turn(**said, message=asked))
            assert (words.strip(), done.kept) == ("물론", False)
            assert done.memories_used >= 1  # reading goes on
            assert seconds < 4
        await asyncio.wait_for(chat.settled(), 10)
        made = await omoide.scope(user="민준", character="세나").memories()
        assert any(asked in memory.text and "물론" in memory.text for memory in made)
        _, done, _ = await told(chat.turn(**said, message=asked + "!"))
        assert done.kept
