"""A chat goes on while Qdrant is dead: with what words find, and with a report, never with an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from serving import serving

from omoide.stores.qdrant import QdrantIndex
from omoide.testing import FakeModelServer, ScriptedModel, WordEmbedder
from qdrant_server import QdrantServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omoide import Omoide

CHAT = "/u/%EB%AF%BC%EC%A4%80/c/%EC%84%B8%EB%82%98/v1/chat/completions"


@pytest.fixture
def server() -> Iterator[QdrantServer]:
    made = QdrantServer()
    yield made
    made.stop()


def with_qdrant(server: QdrantServer, **more: Any) -> dict[str, Any]:
    return {
        "vectors": "qdrant",
        "qdrant_url": server.url,
        "qdrant_seconds": 1,
        "embedder": WordEmbedder(),
        "worker": False,
        **more,
    }


async def remembered(omoide: Omoide) -> None:
    scope = omoide.scope(user="민준", character="세나")
    await scope.remember("나는 보리차를 제일 좋아해")
    row = omoide.store.scope("민준", "세나")
    assert row is not None
    while await omoide.vectorise(row, limit=32):
        pass
    assert isinstance(omoide.store.index, QdrantIndex)


@pytest.mark.proves("H24")
@pytest.mark.parametrize("mood", ["dead", "broken", "hanging"])
async def test_a_turn_is_answered_and_remembers_by_words(
    server: QdrantServer, tmp_path: Path, mood: Any
) -> None:
    model = ScriptedModel(replies=[["응, ", "보리차 좋아한다며"]])
    async with serving(tmp_path, models=model, **with_qdrant(server)) as (omoide, client):
        await remembered(omoide)
        fail(server, mood)
        body = {
            "session_id": "저녁",
            "message": "보리차 얘기 기억나?",
            "user_name": "민준",
            "character": "sena",
        }
        answer = await client.post("/chat/stream", json=body)
        assert answer.status_code == 200
        *_, done = [json.loads(event.removeprefix("data: ")) for event in answer.text.split("\n\n") if event]
        assert done["type"] == "done"
        assert done["memories_used"] == 1
        kept = "\n".join(await omoide.scope(user="민준", character="세나").export())
        assert "보리차 좋아한다며" in kept


@pytest.mark.parametrize("mood", ["dead", "broken", "hanging"])
async def test_a_proxied_turn_goes_up_with_what_words_find(
    server: QdrantServer, tmp_path: Path, mood: Any
) -> None:
    with FakeModelServer("그렇구나!") as upstream:
        given = with_qdrant(server, upstream=upstream.url)
        async with serving(tmp_path, **given) as (omoide, client):
            await remembered(omoide)
            fail(server, mood)
            asked = {"model": "fake", "messages": [{"role": "user", "content": "보리차 얘기 기억나?"}]}
            answer = await client.post(CHAT, json=asked)
            assert answer.status_code == 200
            assert answer.json()["choices"][0]["message"]["content"] == "그렇구나!"
            assert answer.headers["x-omoide-memory"].startswith("used=1")
            figures = (await client.get("/metrics")).text
            assert 'omoide_index_behind{vectors="qdrant"} 1.0' in figures
            assert 'omoide_recalls_total{outcome="degraded"} 1.0' in figures


def fail(server: QdrantServer, mood: Any) -> None:
    if mood == "dead":
        server.stop()
    else:
        server.mood = mood
