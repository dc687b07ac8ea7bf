"""What waits to be embedded gives way: a question goes before the next batch, and never waits for all."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from opening import DIMENSIONS, opened

from omoide.retain.pace import SMALL, Pace
from omoide.testing import HangingEmbedder, WordEmbedder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from omoide import Omoide, Scope

ASKED = "등대 얘기 기억나? 내가 좋아한다고 했지?"


class OneAtATime(WordEmbedder):
    """Does one thing at a time, as a model in one thread does, and a batch of memories when it is told to."""

    def __init__(self) -> None:
        super().__init__(DIMENSIONS)
        self.done: list[list[str] | str] = []
        self.may = asyncio.Semaphore(0)
        self.began = asyncio.Event()
        self._thread = asyncio.Lock()

    @property
    def batches(self) -> list[list[str]]:
        return [done for done in self.done if isinstance(done, list)]

    def free(self) -> None:
        """Hold nothing back from now on."""
        for _ in range(10_000):
            self.may.release()

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        async with self._thread:
            self.done.append(text)
            return await super().embed_query(text)

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        async with self._thread:
            self.began.set()
            await self.may.acquire()
            self.done.append(list(texts))
            return await super().embed_documents(texts)


class SlowToAnswer(WordEmbedder):
    """Embeds memories, but no question."""

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return await HangingEmbedder().embed_query(text)


async def remember(scope: Scope, count: int, *, length: int = 30) -> None:
    """Memories of different words, none of them with a vector yet."""
    for number in range(count):
        text = f"저는 {number}번 등대를 정말 좋아해요 "
        await scope.observe(user=(text * (length // len(text) + 1))[:length], session=f"s{number}")


@asynccontextmanager
async def backlog(folder: Path, count: int, *, length: int = 30) -> AsyncIterator[tuple[Omoide, OneAtATime]]:
    """A store in which memories of minjun and of jiwoo lack a vector, and the one of yuna does not."""
    async with opened(folder, embedder="none") as omoide:
        await remember(minjun(omoide), count, length=length)
        await remember(jiwoo(omoide), 2)
        await yuna(omoide).observe(user="저는 등대를 좋아해요", session="s")
    embedder = OneAtATime()
    async with opened(folder, embedder=embedder) as omoide:
        embedder.may.release()
        await yuna(omoide).vectorise()
        embedder.began.clear()
        embedder.done.clear()
        yield omoide, embedder
        embedder.free()


def minjun(omoide: Omoide) -> Scope:
    return omoide.scope(user="minjun", character="haru")


def jiwoo(omoide: Omoide) -> Scope:
    return omoide.scope(user="jiwoo", character="haru")


def yuna(omoide: Omoide) -> Scope:
    return omoide.scope(user="yuna", character="haru")


async def test_a_question_goes_before_the_rest_of_the_backlog_of_all_scopes(tmp_path: Path) -> None:
    async with backlog(tmp_path, 80) as (omoide, embedder):
        making = [asyncio.create_task(scope.vectorise()) for scope in (minjun(omoide), jiwoo(omoide))]
        await embedder.began.wait()
        asking = asyncio.create_task(yuna(omoide).recall(ASKED))
        await asyncio.sleep(0.05)
        embedder.may.release()  # the batch that has begun, and no other
        recall = await asyncio.wait_for(asking, 5)
        assert recall.memories[0].why.meaning is not None
        assert [type(done) for done in embedder.done] == [list, str]
        embedder.free()
        assert await asyncio.gather(*making) == [80, 2]
        assert len(embedder.batches) > 2


async def test_batches_are_small_while_people_ask_and_nothing_is_made_twice(tmp_path: Path) -> None:
    async with backlog(tmp_path, 40) as (omoide, embedder):
        embedder.free()
        await yuna(omoide).recall(ASKED)
        await minjun(omoide).vectorise()
        assert max(sum(map(len, batch)) for batch in embedder.batches) <= SMALL
        embedded = [text for batch in embedder.batches for text in batch]
        assert len(embedded) == len(set(embedded)) == 40


async def test_a_recall_has_only_the_newest_of_many_long_memories_embedded_first(tmp_path: Path) -> None:
    async with backlog(tmp_path, 20, length=900) as (omoide, embedder):
        embedder.free()
        recall = await minjun(omoide).recall(ASKED)
        assert recall.degraded == ()
        before = [text for batch in embedder.batches for text in batch]
        assert 1 <= len(before) <= 2
        assert "19번" in before[0]
        assert isinstance(embedder.done[0], str), "the question comes before them"


@pytest.mark.proves("F41")
async def test_new_memories_that_take_too_long_cost_a_hurried_recall_nothing(tmp_path: Path) -> None:
    async with backlog(tmp_path, 3) as (omoide, embedder):
        recall = await minjun(omoide).recall("2번 등대 얘기 기억나?", within=0.3)
        assert recall.degraded == ()
        assert "2번 등대를" in recall.block, "it is found by its words"
        assert all(found.why.meaning is None for found in recall.memories)
        embedder.free()
        await omoide._finish_tasks()
        later = await minjun(omoide).recall(ASKED, within=0.3)
        assert all(found.why.meaning is not None for found in later.memories)
        assert sum(map(len, embedder.batches)) == 3


@pytest.mark.proves("F41")
async def test_a_question_that_takes_too_long_goes_by_words_and_is_no_failure(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder=SlowToAnswer()) as omoide:
        await remember(minjun(omoide), 1)
        for _ in range(4):  # one more than failures leave it alone
            recall = await minjun(omoide).recall(ASKED, within=0.05)
            assert "등대" in recall.block
            assert "words alone" in recall.degraded[0]
        assert not omoide.meaning.circuit.rests


async def test_a_crowd_of_questions_does_not_stop_the_backlog_for_good() -> None:
    pace = Pace()
    with pace.asking():
        async with asyncio.timeout(5), pace.batch() as characters:
            assert characters == SMALL


async def test_batches_are_larger_when_nobody_has_asked_for_a_while() -> None:
    now = [100.0]
    pace = Pace(clock=lambda: now[0])
    with pace.asking():
        pass
    seen = []
    for second in (100.0, 105.0, 110.0):
        now[0] = second
        async with pace.batch() as characters:
            seen.append(characters > SMALL)
    assert seen == [False, False, True]
