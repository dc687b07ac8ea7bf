"""The small parts that Omoide ships for the tests of others."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from omoide.errors import EmbedderFailed, InvalidInput
from omoide.testing import FailingEmbedder, FixedClock, HangingEmbedder, WordEmbedder

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

TOPICS = [
    ("우리 고양이 이름은 모모야", "고양이가 밥을 안 먹어", "내일 서울로 출장 가"),
    ("弟の誕生日は五月です", "弟に誕生日プレゼントを買った", "駅前のラーメン屋が閉店した"),
    ("My sister plays the violin", "I bought a new violin string", "We walked around the harbour"),
    ("我妹妹喜欢吃草莓蛋糕", "昨天买了草莓蛋糕", "火车晚点了两个小时"),
]


@pytest.mark.parametrize(("text", "near", "far"), TOPICS, ids=["ko", "ja", "en", "zh"])
async def test_texts_that_share_words_are_near(text, near, far):
    embedder = WordEmbedder()
    query = await embedder.embed_query(text)
    to_near, to_far = await embedder.embed_documents([near, far]) @ query

    assert to_near >= embedder.thresholds.relevant > to_far


@pytest.mark.parametrize("same", ["ｶﾌｪ", "カフェ"])
async def test_width_and_case_make_no_difference(same):
    embedder = WordEmbedder()

    assert await embedder.embed_query(same) @ await embedder.embed_query("カフェ") > embedder.thresholds.same
    assert (
        await embedder.embed_query("RIVER") @ await embedder.embed_query("river") > embedder.thresholds.same
    )


async def test_vectors_are_the_same_everywhere():
    vector = await WordEmbedder(8).embed_query("고양이")

    part = 3**-0.5
    assert vector.tolist() == pytest.approx([0, -part, 0, part, 0, 0, part, 0], abs=1e-6)


@pytest.mark.parametrize("dimensions", [1, 2, 1024])
async def test_no_text_is_without_a_direction(dimensions):
    rows = await WordEmbedder(dimensions).embed_documents(["", "👍", "a", "ab", "abc abd", "ㅋㅋ"])

    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-6)


def test_dimensions_below_one_are_refused():
    with pytest.raises(InvalidInput):
        WordEmbedder(0)


async def test_failing_ends_after_so_many_calls():
    embedder = FailingEmbedder(EmbedderFailed("down"), times=2)
    with pytest.raises(EmbedderFailed):
        await embedder.embed_query("x")
    with pytest.raises(EmbedderFailed):
        await embedder.embed_documents(["x"])

    assert np.array_equal(await embedder.embed_query("x"), await WordEmbedder().embed_query("x"))


async def test_failing_without_an_end_fails_always():
    embedder = FailingEmbedder(EmbedderFailed("down"))
    for _ in range(3):
        with pytest.raises(EmbedderFailed):
            await embedder.embed_query("x")


async def test_hanging_ends_with_the_time_limit():
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(HangingEmbedder().embed_query("x"), 0.01)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(HangingEmbedder().embed_documents(["x"]), 0.01)


def test_a_clock_moves_when_told():
    clock = FixedClock(NOON)
    assert clock() == clock.now() == NOON
    clock.advance(timedelta(days=2))
    assert clock() == NOON + timedelta(days=2)


def test_a_clock_without_a_zone_is_refused():
    with pytest.raises(InvalidInput):
        FixedClock(NOON.replace(tzinfo=None))
