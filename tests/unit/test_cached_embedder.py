"""The same query within a minute embeds once."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from omoide.errors import EmbedderFailed
from omoide.models.cached import KEPT_AT_MOST, CachedEmbedder
from omoide.testing import FailingEmbedder, HangingEmbedder, WordEmbedder

pytestmark = pytest.mark.proves("H21")


class Seconds:
    """A clock of seconds that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class CountingEmbedder(WordEmbedder):
    """Counts the queries; each takes one turn of the loop, or as long as the gate is shut."""

    def __init__(self) -> None:
        super().__init__()
        self.queries: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.closed = False

    async def embed_query(self, text):
        self.queries.append(text)
        await self.gate.wait()
        return await super().embed_query(text)

    async def aclose(self):
        self.closed = True


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


@pytest.fixture
async def inner() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
async def cached(inner, clock) -> CachedEmbedder:
    return CachedEmbedder(inner, clock=clock)


async def test_a_repeated_query_embeds_once_within_a_minute(cached, inner, clock):
    first = await cached.embed_query("엄마 생일이 언제지?")
    clock.now += 59.9
    second = await cached.embed_query("엄마 생일이 언제지?")

    assert np.array_equal(first, second)
    assert len(inner.queries) == 1


async def test_after_a_minute_it_embeds_again(cached, inner, clock):
    await cached.embed_query("お母さんの誕生日は？")
    clock.now += 60.0
    await cached.embed_query("お母さんの誕生日は？")

    assert len(inner.queries) == 2


async def test_a_minute_counts_from_the_answer_even_if_asked_often(cached, inner, clock):
    for _ in range(4):
        await cached.embed_query("x")
        clock.now += 25

    assert len(inner.queries) == 2


async def test_those_who_ask_together_share_one_answer(cached, inner):
    answers = await asyncio.gather(*(cached.embed_query("same") for _ in range(10)))

    assert len(inner.queries) == 1
    assert all(np.array_equal(answer, answers[0]) for answer in answers)


async def test_who_gives_up_takes_nothing_from_the_others(cached, inner):
    inner.gate.clear()
    first = asyncio.create_task(cached.embed_query("same"))
    second = asyncio.create_task(cached.embed_query("same"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    inner.gate.set()

    assert (await second).shape == (256,)
    assert first.cancelled()
    assert len(inner.queries) == 1


async def test_what_nobody_waits_for_any_more_is_asked_anew(cached, inner):
    inner.gate.clear()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(cached.embed_query("same"), 0.01)
    again = asyncio.create_task(cached.embed_query("same"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    assert len(inner.queries) == 2
    inner.gate.set()
    assert (await again).shape == (256,)


async def test_one_who_changes_a_vector_changes_their_own(cached):
    first = await cached.embed_query("x")
    expected = first.copy()
    first[:] = 0

    assert np.array_equal(await cached.embed_query("x"), expected)


async def test_a_failure_is_not_kept():
    cached = CachedEmbedder(FailingEmbedder(EmbedderFailed("down"), times=1))

    with pytest.raises(EmbedderFailed):
        await cached.embed_query("x")
    assert (await cached.embed_query("x")).shape == (256,)


async def test_a_failure_reaches_all_who_asked():
    cached = CachedEmbedder(FailingEmbedder(EmbedderFailed("down")))

    answers = await asyncio.gather(*(cached.embed_query("x") for _ in range(3)), return_exceptions=True)

    assert [type(answer) for answer in answers] == [EmbedderFailed] * 3


async def test_the_oldest_query_gives_way(cached, inner):
    for number in range(KEPT_AT_MOST + 1):
        await cached.embed_query(str(number))
    await cached.embed_query("1")
    await cached.embed_query("0")

    assert inner.queries[KEPT_AT_MOST + 1 :] == ["0"]


async def test_the_text_of_a_query_is_not_kept(cached):
    await cached.embed_query("아무에게도 말하지 마")

    assert "말하지" not in repr(vars(cached))


async def test_closing_ends_the_wait_and_closes_what_is_wrapped(cached, inner):
    inner.gate.clear()
    waiting = asyncio.create_task(cached.embed_query("x"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await cached.aclose()

    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert inner.closed


async def test_a_time_limit_holds_though_the_embedder_hangs():
    cached = CachedEmbedder(HangingEmbedder())

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(cached.embed_query("x"), 0.01)
    await cached.aclose()
