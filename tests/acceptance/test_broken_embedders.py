"""Embedders that fail, hang, come back or are others than before cost the meaning, and never the chat."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from opening import DIMENSIONS, opened
from recalling import haru

from omoide.domain.circuit import Circuit
from omoide.domain.embedding import EmbeddingIdentity
from omoide.errors import EmbedderError, EmbedderFailed, EmbedderMismatch
from omoide.testing import FailingEmbedder, HangingEmbedder, WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

CAT, CAT_ASKED = "우리 고양이 이름은 감자예요", "우리 고양이 이름은?"


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
        with pytest.raises(EmbedderError):
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
