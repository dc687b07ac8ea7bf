"""How embedders on servers ask, and what they make of bad answers."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import numpy as np
import pytest
from embedding_server import EmbeddingServer, Reply
from pydantic import SecretStr

from omoide.errors import EmbedderFailed, EmbedderMismatch, EmbedderUnavailable, InvalidInput
from omoide.models.http import BATCH, OllamaEmbedder, OpenAIEmbedder

pytestmark = pytest.mark.proves("H23")

SECRET_WORDS = "우리 할머니 비밀 레시피"
Build = Callable[..., Any]


class Sleeps(list[float]):
    """Notes how long it was asked to sleep, and does not."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def sleeps() -> Sleeps:
    return Sleeps()


@pytest.fixture(params=["ollama", "openai"])
async def build(request, server, sleeps) -> AsyncIterator[Build]:
    """Builds an embedder of either kind, and closes it afterwards."""
    async with AsyncExitStack() as stack:

        def build(model: str = "some-model", **settings: Any) -> Any:
            settings = {"base_url": server.url, "sleep": sleeps, **settings}
            kind = OllamaEmbedder if request.param == "ollama" else OpenAIEmbedder
            embedder = kind(model, **settings)
            stack.push_async_callback(embedder.aclose)
            return embedder

        yield build


@pytest.mark.proves("P6")
@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("intfloat/multilingual-e5-small", "query: 안녕", "passage: 안녕"),
        ("nomic-embed-text:latest", "search_query: 안녕", "search_document: 안녕"),
        ("embeddinggemma", "task: search result | query: 안녕", "title: none | text: 안녕"),
        ("paraphrase-multilingual-mpnet-base-v2", "안녕", "안녕"),
    ],
)
async def test_the_prefix_of_the_task_is_sent(server, build, model, query, document):
    embedder = build(model)
    await embedder.embed_query("안녕")
    await embedder.embed_documents(["안녕"])

    assert [request.body["input"] for request in server.requests] == [[query], [document]]
    assert embedder.identity.query_prefix + "안녕" == query
    assert embedder.identity.document_prefix + "안녕" == document


@pytest.mark.proves("P6")
async def test_a_vector_is_normalised_after_a_dimension_cut(server, build):
    embedder = build(dimensions=8)

    vector = await embedder.embed_query("釣り")

    assert server.requests[0].body["dimensions"] == 8
    assert vector.shape == (8,)
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-6)


async def test_dimensions_are_not_asked_for_unless_set(server, build):
    await build().embed_query("x")

    assert "dimensions" not in server.requests[0].body


async def test_many_texts_go_in_batches(server, build):
    vectors = await build().embed_documents([str(number) for number in range(BATCH + 1)])

    assert [len(request.body["input"]) for request in server.requests] == [BATCH, 1]
    assert len(vectors) == BATCH + 1


async def test_the_identity_is_unknown_before_the_first_answer(build):
    embedder = build()

    with pytest.raises(EmbedderUnavailable, match="prepare"):
        _ = embedder.identity
    await embedder.prepare()
    assert embedder.identity.dimensions == 16


async def test_preparing_asks_once_only(server, build):
    embedder = build()
    await embedder.prepare()
    await embedder.prepare()

    assert len(server.requests) == 1


async def test_preparing_asks_nothing_if_the_dimensions_are_given(server, build):
    embedder = build(dimensions=16)
    await embedder.prepare()

    assert embedder.identity.dimensions == 16
    assert server.requests == []


@pytest.mark.proves("P6")
@pytest.mark.parametrize(
    "reply", [Reply(status=429), Reply(status=503), Reply(hang_up=True)], ids=["429", "503", "hang-up"]
)
async def test_a_passing_failure_is_tried_again_after_2_and_4_seconds(server, build, sleeps, reply):
    server.replies.extend([reply, reply])

    vectors = await build().embed_documents(["다시", "もう一度"])

    assert vectors.shape == (2, 16)
    assert sleeps == [2.0, 4.0]


@pytest.mark.proves("P6")
@pytest.mark.parametrize(
    "reply", [Reply(status=429), Reply(status=500), Reply(hang_up=True)], ids=["429", "500", "hang-up"]
)
async def test_after_the_fourth_attempt_it_gives_up(server, build, sleeps, reply):
    server.always = reply

    with pytest.raises(EmbedderFailed):
        await build().embed_query("x")
    assert sleeps == [2.0, 4.0, 8.0]
    assert len(server.requests) == 4


async def test_a_server_that_does_not_run_is_tried_again_and_named(build, sleeps):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(EmbedderFailed, match=url):
            await build(base_url=url).embed_query("x")
    assert sleeps == [2.0, 4.0, 8.0]


@pytest.mark.parametrize(
    ("asked", "waited"), [("7", 7.0), ("3600", 30.0), ("Wed, 21 Oct 2026 07:28:00 GMT", 2.0), ("-5", 2.0)]
)
async def test_the_server_says_how_long_to_wait_up_to_30_seconds(server, build, sleeps, asked, waited):
    server.replies.append(Reply(status=429, headers={"Retry-After": asked}))

    await build().embed_query("x")

    assert sleeps == [waited]


@pytest.mark.parametrize("status", [302, 400, 401, 404, 413])
async def test_a_refusal_is_final(server, build, sleeps, status):
    server.always = Reply(status=status)

    with pytest.raises(EmbedderFailed, match=str(status)):
        await build().embed_query("x")
    assert sleeps == []


async def test_too_late_is_a_failure_and_not_tried_again(server, build, sleeps):
    server.always = Reply(delay=5.0)

    with pytest.raises(EmbedderFailed, match="ReadTimeout"):
        await build(timeout=0.1).embed_query("x")
    assert sleeps == []


def _with_nan(vectors):
    return [vectors[0], [float("nan"), *vectors[1][1:]], *vectors[2:]]


BAD_ANSWERS = {
    "nan": Reply(twist=_with_nan),
    "infinite": Reply(twist=lambda vectors: [[float("inf")] * 16, *vectors[1:]]),
    "null": Reply(twist=lambda vectors: [[None] * 16, *vectors[1:]]),
    "zero": Reply(twist=lambda vectors: [*vectors[:-1], [0.0] * 16]),
    "too few": Reply(twist=lambda vectors: vectors[1:]),
    "too many": Reply(twist=lambda vectors: [*vectors, vectors[0]]),
    "none": Reply(twist=lambda vectors: []),
    "no json": Reply(body=SECRET_WORDS.encode()),
    "cut json": Reply(body=b'{"embeddings": [[0.1,'),
    "no utf-8": Reply(body=b"\xff\xfe"),
    "another kind": Reply(body=json.dumps({"echo": SECRET_WORDS}).encode()),
    "nothing": Reply(body=b""),
    "base64": Reply(body=b'{"embeddings": ["AAAA"], "data": [{"index": 0, "embedding": "AAAA"}]}'),
}


@pytest.mark.parametrize("reply", BAD_ANSWERS.values(), ids=BAD_ANSWERS.keys())
async def test_a_bad_answer_is_a_failure(server, build, reply):
    server.always = reply

    with pytest.raises(EmbedderFailed) as caught:
        await build(dimensions=16).embed_documents([SECRET_WORDS, "b", "c"])
    assert SECRET_WORDS not in str(caught.value)


@pytest.mark.parametrize("status", [400, 500])
async def test_an_error_never_shows_the_text(server, build, status):
    server.always = Reply(status=status)

    with pytest.raises(EmbedderFailed) as caught:
        await build().embed_query(SECRET_WORDS)
    assert SECRET_WORDS not in str(caught.value)


async def test_other_dimensions_than_before_are_a_mismatch(server, build):
    embedder = build()
    await embedder.prepare()
    server.dimensions = 24

    with pytest.raises(EmbedderMismatch, match="24"):
        await embedder.embed_query("x")


async def test_other_dimensions_than_given_are_a_mismatch(server, build):
    server.always = Reply(twist=lambda vectors: [vector * 2 for vector in vectors])

    with pytest.raises(EmbedderMismatch, match="32"):
        await build(dimensions=16).embed_query("x")


async def test_vectors_of_different_lengths_are_a_mismatch(server, build):
    server.always = Reply(twist=lambda vectors: [vectors[0][:3], *vectors[1:]])

    with pytest.raises(EmbedderMismatch):
        await build().embed_documents(["a", "b"])


async def test_a_failure_leaves_the_dimensions_open(server, build):
    embedder = build()
    server.replies.append(Reply(twist=lambda vectors: [[0.0] * 5]))
    with pytest.raises(EmbedderFailed):
        await embedder.prepare()
    await embedder.prepare()

    assert embedder.identity.dimensions == 16


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://models", "http://", "", "http://host:port", "/v1"])
def test_an_address_that_is_none_is_refused_at_once(build, url):
    with pytest.raises(InvalidInput):
        build(base_url=url)


@pytest.mark.parametrize(
    "url", ["http://me:hunter2@host", "http://me:hunter2/x@host", "http://h?key=hunter2"]
)
def test_a_secret_in_the_address_is_refused_and_not_shown(build, url):
    with pytest.raises(InvalidInput, match="embedder_key") as caught:
        build(base_url=url)
    assert "hunter2" not in str(caught.value)


async def test_ollama_is_asked_at_its_present_path(server):
    embedder = OllamaEmbedder("m", base_url=server.url)
    await embedder.embed_query("x")
    await embedder.aclose()

    assert server.requests[0].path == "/api/embed"


@pytest.mark.parametrize("key", ["sk-hidden", SecretStr("sk-hidden")], ids=["plain", "secret"])
async def test_the_key_is_sent_and_shown_nowhere(server, key):
    embedder = OpenAIEmbedder("m", base_url=f"{server.url}/v1/", api_key=key)
    await embedder.embed_query("x")
    await embedder.aclose()

    [request] = server.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["authorization"] == "Bearer sk-hidden"
    assert request.body["encoding_format"] == "float"
    assert "sk-hidden" not in repr(embedder) + repr(vars(embedder))


async def test_a_server_without_keys_gets_none(server):
    embedder = OpenAIEmbedder("m", base_url=server.url)
    await embedder.embed_query("x")
    await embedder.aclose()

    assert "authorization" not in server.requests[0].headers


async def test_a_missing_index_counts_as_zero(server):
    server.always = Reply(body=b'{"data": [{"index": 1, "embedding": [0, 2]}, {"embedding": [3, 0]}]}')
    embedder = OpenAIEmbedder("m", base_url=server.url)
    vectors = await embedder.embed_documents(["a", "b"])
    await embedder.aclose()

    assert vectors.tolist() == [[1.0, 0.0], [0.0, 1.0]]


async def test_two_vectors_for_one_text_are_a_failure(server):
    server.always = Reply(
        body=b'{"data": [{"index": 1, "embedding": [0, 2]}, {"index": 1, "embedding": [3, 0]}]}'
    )
    embedder = OpenAIEmbedder("m", base_url=server.url)
    with pytest.raises(EmbedderFailed):
        await embedder.embed_documents(["a", "b"])
    await embedder.aclose()
