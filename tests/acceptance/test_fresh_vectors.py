"""What was just said is found by meaning at once; its vectors are written a moment later, and made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from opening import opened

from omoide.errors import EmbedderFailed
from omoide.testing import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from omoide import Omoide, Scope

CAT, CAT_ASKED = "저는 감자라는 고양이를 키워요", "고양이 이름이 뭐였지?"


class CountingEmbedder(WordEmbedder):
    """Notes the texts that it embeds as memories."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded += texts
        return await super().embed_documents(texts)


def haru(omoide: Omoide) -> Scope:
    return omoide.scope(user="minjun", character="haru")


def written(omoide: Omoide) -> int:
    """How many vectors the store holds."""
    row = omoide.store.scope("minjun", "haru")
    assert row is not None
    assert omoide.store.embedding is not None
    with omoide.store.read(row) as unit:
        return len(unit.vectors(omoide.store.embedding).members())


async def test_what_was_just_said_is_found_by_meaning_before_its_vector_is_written(tmp_path: Path) -> None:
    embedder = CountingEmbedder()
    async with opened(tmp_path, embedder=embedder) as omoide:
        scope = haru(omoide)
        await scope.observe(user=CAT, session="s1")
        recall = await scope.recall(CAT_ASKED)
        assert recall.memories[0].why.meaning is not None
        assert written(omoide) == 0
        again = await scope.recall(CAT_ASKED)
        assert again.memories[0].why == recall.memories[0].why
    assert embedder.embedded == [CAT]
    async with opened(tmp_path, embedder=embedder) as omoide:
        assert written(omoide) == 1  # closing has written it
        assert (await haru(omoide).recall(CAT_ASKED)).memories[0].why.meaning is not None
    assert embedder.embedded == [CAT]


async def test_vectors_that_a_recall_made_are_written_with_the_others(tmp_path: Path) -> None:
    embedder = CountingEmbedder()
    async with opened(tmp_path, embedder=embedder) as omoide:
        scope = haru(omoide)
        await scope.observe(user=CAT, session="s1")
        await scope.recall(CAT_ASKED)
        await scope.observe(user="저는 부산에서 태어났어요", session="s2")
        assert await scope.vectorise() == written(omoide) == 2
    assert len(embedder.embedded) == len(set(embedder.embedded)) == 2


async def test_a_scope_begun_anew_gets_no_vector_of_the_one_that_was_erased(tmp_path: Path) -> None:
    embedder = CountingEmbedder()
    async with opened(tmp_path, embedder=embedder) as omoide:
        await haru(omoide).observe(user=CAT, session="s1")
        await haru(omoide).recall(CAT_ASKED)
        await omoide.erase_user("minjun")
        await haru(omoide).observe(user="저는 부산에서 태어났어요", session="s1")
        found = (await haru(omoide).recall("부산에서 태어났나요?")).memories
        assert [one.memory.evidence[0].quote for one in found] == ["저는 부산에서 태어났어요"]
    assert embedder.embedded == [CAT, "저는 부산에서 태어났어요"]


@pytest.mark.parametrize("count", [1, 40])
async def test_closing_at_once_writes_all_vectors(tmp_path: Path, count: int) -> None:
    async with opened(tmp_path, embedder=WordEmbedder()) as omoide:
        for number in range(count):
            await haru(omoide).observe(user=f"저는 {number}번 등대를 정말 좋아해요", session=f"s{number}")
    async with opened(tmp_path, embedder=WordEmbedder()) as omoide:
        assert written(omoide) == count


class FailingEmbedder(CountingEmbedder):
    """Fails at memories as it is told."""

    error: Exception = ValueError("저는 비밀이 있어요")

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise self.error


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (EmbedderFailed("the server is away"), "vectors wait: the server is away"),
        (ValueError("저는 비밀이 있어요"), "vectors wait: the embedder failed with ValueError"),
    ],
)
async def test_why_vectors_wait_is_told_and_nobodys_words_are(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, error: Exception, told: str
) -> None:
    embedder = FailingEmbedder()
    embedder.error = error
    async with opened(tmp_path, embedder=embedder) as omoide:
        await haru(omoide).observe(user=CAT, session="s1")
    assert told in caplog.messages
    assert "비밀" not in caplog.text
