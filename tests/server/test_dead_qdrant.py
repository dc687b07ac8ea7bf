"""A chat goes on while Qdrant is dead: with what words find, and with a report, never with an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from qdrant_client import models
from serving import serving

from omoide.stores.qdrant import QdrantIndex
from omoide.testing import FakeModelServer, ScriptedModel, WordEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Omoide
    from qdrant_server import QdrantServer

CHAT = "/u/%EB%AF%BC%EC%A4%80/c/%EC%84%B8%EB%82%98/v1/chat/completions"


def with_qdrant(qdrant: QdrantServer, **more: Any) -> dict[str, Any]:
    return {
        "vectors": "qdrant",
        "qdrant_url": qdrant.url,
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
    qdrant: QdrantServer, tmp_path: Path, mood: Any
) -> None:
    model = ScriptedModel(replies=[["응, ", "보리차 좋아한다며"]])
    async with serving(tmp_path, models=model, **with_qdrant(qdrant)) as (omoide, client):
        await remembered(omoide)
        fail(qdrant, mood)
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
    qdrant: QdrantServer, tmp_path: Path, mood: Any
) -> None:
    with FakeModelServer("그렇구나!") as upstream:
        given = with_qdrant(qdrant, upstream=upstream.url)
        async with serving(tmp_path, **given) as (omoide, client):
            await remembered(omoide)
            fail(qdrant, mood)
            asked = {"model": "fake", "messages": [{"role": "user", "content": "보리차 얘기 기억나?"}]}
            answer = await client.post(CHAT, json=asked)
            assert answer.status_code == 200
            assert answer.json()["choices"][0]["message"]["content"] == "그렇구나!"
            assert answer.headers["x-omoide-memory"].startswith("used=1")
            figures = (await client.get("/metrics")).text
            assert 'omoide_index_behind{vectors="qdrant"} 1.0' in figures
            assert 'omoide_recalls_total{outcome="degraded"} 1.0' in figures


@pytest.mark.parametrize("mood", ["dead", "hanging"])
async def test_a_search_goes_by_words_and_says_so(qdrant: QdrantServer, tmp_path: Path, mood: Any) -> None:
    async with serving(tmp_path, **with_qdrant(qdrant)) as (omoide, client):
        await remembered(omoide)
        scope = omoide.scope(user="민준", character="세나")
        sound = await scope.search("보리차")
        assert (len(sound), sound.degraded) == (1, ())
        asked = {"user": "민준", "character": "세나", "text": "보리차"}
        assert "x-omoide-degraded" not in (await client.get("/api/search", params=asked)).headers

        fail(qdrant, mood)
        found = await scope.search("보리차")
        assert [memory.text for memory in found] == ["나는 보리차를 제일 좋아해"]
        (trouble,) = found.degraded
        assert "by words alone" in trouble
        answer = await client.get("/api/search", params=asked)
        assert [memory["text"] for memory in answer.json()] == ["나는 보리차를 제일 좋아해"]
        assert "Qdrant" in answer.headers["x-omoide-degraded"]
        assert (await scope.search(kinds="fact")).degraded == ()  # nothing was compared


async def test_verifying_over_http_lets_go_of_strays_as_the_command_line_does(
    qdrant: QdrantServer, tmp_path: Path
) -> None:
    async with serving(tmp_path, **with_qdrant(qdrant)) as (omoide, client):
        await remembered(omoide)
        [name] = [one.name for one in qdrant.client.get_collections().collections]
        (mine,) = qdrant.points()
        stray = models.PointStruct(
            id="5f0f4b62-2b3a-4b0e-9a51-1d2f5a3c7e11",
            vector=mine.vector,
            payload={**(mine.payload or {}), "scope": "0198c1f0-0000-7000-8000-000000000001"},
        )
        qdrant.client.upsert(name, [stray])
        whose = {"user": "민준", "character": "세나", "verify": True}
        one = (await client.post("/api/reindex", params=whose)).json()["copies"]
        assert (one["right"], one["strays"]) == (1, 0)
        every = (await client.post("/api/reindex", params={"verify": True})).json()
        assert (every["copies"]["right"], every["copies"]["strays"], every["more"]) == (1, 1, False)
        assert len(qdrant.points()) == 1
        half = await client.post("/api/reindex", params={"user": "민준"})
        assert half.status_code == 422


def fail(qdrant: QdrantServer, mood: Any) -> None:
    if mood == "dead":
        qdrant.stop()
    else:
        qdrant.mood = mood
