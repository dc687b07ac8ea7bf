"""A recall whose scope is at hand is looked up on the event loop, which it never holds up for long."""

from __future__ import annotations

import sqlite3
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import inspect

from omoide import Omoide
from omoide.stores.database import NotAtHand
from omoide.stores.index.nearest import InProcess
from omoide.stores.sqlite import SqliteDatabase
from omoide.testing import WordEmbedder

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from omoide import Recall, Scope

LOOP = threading.main_thread().name


class NotingIndex(InProcess):
    """Compares vectors in the process, and notes the threads that it was asked in.

    Args:
        seconds: that it takes.
    """

    def __init__(self, seconds: float = 0.0) -> None:
        self.threads: list[str] = []
        self._seconds = seconds

    def nearness(self, *given: Any, **more: Any) -> Any:
        self.threads.append(threading.current_thread().name)
        time.sleep(self._seconds)
        return super().nearness(*given, **more)


def opened(folder: Path) -> AbstractAsyncContextManager[Omoide]:
    return Omoide.open(folder / "x.db", embedder=WordEmbedder(), master_key_file=folder / "key")


def haru(omoide: Omoide) -> Scope:
    return omoide.scope(user="minjun", character="haru")


def tables(database: SqliteDatabase) -> list[str]:
    with database.read() as connection:
        return inspect(connection).get_table_names()


async def asked(scope: Scope) -> Recall:
    recall = await scope.recall("고양이 이름이 뭐였지?")
    assert recall.memories[0].memory.text == "minjun: 저는 감자라는 고양이를 키워요"
    assert recall.degraded == ()
    return recall


async def test_what_is_in_memory_and_current_needs_no_thread(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await haru(omoide).observe(user="저는 감자라는 고양이를 키워요", session="s1")
        await haru(omoide).vectorise()
        await asked(haru(omoide))
        omoide.store.index = index = NotingIndex()
        await asked(haru(omoide))
        assert index.threads == [LOOP]


async def test_what_has_to_be_read_first_is_read_in_a_thread(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide, opened(tmp_path) as other:
        await haru(omoide).remember("I play the cello")
        await haru(omoide).vectorise()
        await haru(omoide).recall("the cello?")
        await haru(other).observe(user="저는 감자라는 고양이를 키워요", session="s1")
        await haru(other).vectorise()
        omoide.store.index = index = NotingIndex()
        await asked(haru(omoide))
        assert len(index.threads) == 1
        assert index.threads[0].startswith("omoide-read")


async def test_what_took_long_goes_into_threads_for_a_while(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await haru(omoide).observe(user="저는 감자라는 고양이를 키워요", session="s1")
        await haru(omoide).vectorise()
        await asked(haru(omoide))
        omoide.store.index = index = NotingIndex(seconds=0.05)
        await asked(haru(omoide))
        await asked(haru(omoide))
        assert index.threads[0] == LOOP
        assert index.threads[1].startswith("omoide-read")


def test_a_file_that_somebody_has_for_themselves_is_not_waited_for_at_once(tmp_path: Path) -> None:
    database = SqliteDatabase.open(tmp_path / "x.db")
    database.close()
    other = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    other.execute("PRAGMA journal_mode=DELETE")
    with database.at_once(), pytest.raises(NotAtHand):  # a connection has to be made first
        tables(database)
    tables(database)
    other.execute("BEGIN EXCLUSIVE")
    begun = time.monotonic()
    with database.at_once(), pytest.raises(NotAtHand):
        tables(database)
    assert time.monotonic() - begun < 1.0
    other.close()
    tables(database)
    with database.at_once():
        assert "memories" in tables(database)
    database.close()


async def test_an_index_that_somebody_else_uses_is_not_waited_for_at_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await haru(omoide).remember("I play the cello")
        row = omoide.store.scope("minjun", "haru")
        assert row is not None
        refused: list[bool] = []

        def at_once() -> None:
            try:
                with omoide.store.database.at_once(), omoide.store.recalling(row):
                    refused.append(False)
            except NotAtHand:
                refused.append(True)

        with omoide.store.recalling(row):
            other = threading.Thread(target=at_once)
            other.start()
            other.join()
        at_once()
        assert refused == [True, False]
