"""The database is gone, and the chat goes on: over the proxy, over /chat/stream, and when it is back."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from sqlalchemy.pool import QueuePool

from omoide import Omoide
from omoide.server.app import create_app
from omoide.stores.postgres.database import PostgresDatabase
from omoide.testing import FakeModelServer, ScriptedModel
from postgres import database_for, database_name, server
from wire import Wire, wire_to

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from omoide.stores.database import Database

PROXY = "/u/민준/c/하루/v1/chat/completions"


@pytest.fixture
def wire() -> Iterator[Wire]:
    with wire_to(server()) as made:
        yield made


@asynccontextmanager
async def serving_over(
    wire: Wire, folder: Path, **given: Any
) -> AsyncIterator[tuple[Omoide, httpx2.AsyncClient]]:
    name = database_name(database_for(folder / "x.db"))
    usual = {"embedder": "none", "worker": False, "api_keys": folder / "keys.json", "recall_seconds": 0.5}
    store = wire.url(name)
    async with Omoide.open(store, master_key_file=folder / "key", **{**usual, **given}) as omoide:
        app = create_app(omoide)
        transport = httpx2.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as client,
        ):
            yield omoide, client


def away(wire: Wire, how: str) -> None:
    """The database is out of reach: refusing, or silent."""
    if how == "closed":
        wire.closed = True
        wire.cut()
    else:
        wire.silent = True


def back(wire: Wire) -> None:
    wire.closed = wire.silent = False
    wire.cut()


def rested(database: Database) -> None:
    """All connections of a database's have lain for a minute."""
    assert isinstance(database, PostgresDatabase)
    pool = database._engine.pool
    assert isinstance(pool, QueuePool)
    waiting = list(pool._pool.queue)
    assert waiting
    for record in waiting:
        record.info["since"] -= 60


def events(body: str) -> list[dict[str, Any]]:
    return [json.loads(event.removeprefix("data: ")) for event in body.split("\n\n") if event]


@pytest.mark.parametrize("how", ["closed", "silent"])
async def test_the_proxy_passes_on_what_is_said_and_remembers_again_later(
    wire: Wire, tmp_path: Path, how: str
) -> None:
    with FakeModelServer("그렇구나!") as upstream:
        async with serving_over(wire, tmp_path, upstream=upstream.url) as (omoide, client):
            haru = omoide.scope(user="민준", character="하루")
            await haru.observe("나는 보리차를 제일 좋아해", "나도!", session="어제")
            asked = {"model": "fake", "messages": [{"role": "user", "content": "보리차 얘기 기억나?"}]}
            away(wire, how)
            begun = time.monotonic()
            answer = await client.post(PROXY, json=asked)
            assert answer.json()["choices"][0]["message"]["content"] == "그렇구나!"
            assert answer.headers["x-omoide-memory"].startswith("skipped")
            assert time.monotonic() - begun < 10
            back(wire)
            await asyncio.gather(*omoide._others, return_exceptions=True)
            again = await client.post(PROXY, json=asked)
            assert again.headers["x-omoide-memory"].startswith("used=")


@pytest.mark.parametrize("how", ["closed", "silent"])
async def test_a_turn_is_told_without_memory_and_remembered_again_later(
    wire: Wire, tmp_path: Path, how: str
) -> None:
    model = ScriptedModel(replies=["보리차 좋지!", "잘 모르겠어", "글쎄", "보리차!"])
    said = {"user_name": "민준", "character": "sena", "session_id": "s"}
    async with serving_over(wire, tmp_path, models=model) as (omoide, client):
        await client.post("/chat/stream", json={**said, "message": "나는 보리차를 제일 좋아해"})
        await asyncio.gather(*omoide._others)
        away(wire, how)
        begun = time.monotonic()
        answer = await client.post("/chat/stream", json={**said, "message": "내가 뭐 좋아했지?"})
        took = time.monotonic() - begun
        told = events(answer.text)
        assert "".join(event.get("content", "") for event in told) == "잘 모르겠어", told
        assert told[-1]["type"] == "done"
        assert told[-1]["kept"] is False
        assert took < (5 if how == "silent" else 3)
        begun = time.monotonic()
        answer = await client.post("/chat/stream", json={**said, "message": "그럼 이건?"})
        assert events(answer.text)[-1]["kept"] is False
        assert time.monotonic() - begun < 3  # once waited for, it is not for a while
        back(wire)
        await asyncio.gather(*omoide._others, return_exceptions=True)
        async with asyncio.timeout(15):
            while omoide.store.database.silent:
                await asyncio.sleep(0.1)
        answer = await client.post(
            "/chat/stream", json={**said, "session_id": "next", "message": "보리차 얘기 기억나?"}
        )
        assert events(answer.text)[-1]["memories_used"] >= 1


async def test_a_turn_waits_for_a_database_that_is_slow_but_there(wire: Wire, tmp_path: Path) -> None:
    model = ScriptedModel(replies=["보리차 좋지!", "보리차!"])
    said = {"user_name": "민준", "character": "sena", "session_id": "s"}
    async with serving_over(wire, tmp_path, models=model) as (omoide, client):
        await client.post("/chat/stream", json={**said, "message": "나는 보리차를 제일 좋아해"})
        await asyncio.gather(*omoide._others)
        row = omoide.store.scope("민준", "세나")
        assert row is not None
        with server().superuser(database_name(database_for(tmp_path / "x.db"))) as other:
            other.execute("SELECT pg_advisory_lock(%s)", (row.id,))
            turn = asyncio.create_task(client.post("/chat/stream", json={**said, "message": "뭐였지?"}))
            await asyncio.sleep(3)
            assert not turn.done()
            assert not omoide.store.database.silent
            other.execute("SELECT pg_advisory_unlock(%s)", (row.id,))
        told = events((await turn).text)[-1]
        assert (told["type"], told.get("kept", True)) == ("done", True)


async def test_connections_that_carry_nothing_after_a_rest_cost_a_turn_a_second(
    wire: Wire, tmp_path: Path
) -> None:
    async with serving_over(wire, tmp_path) as (omoide, _):
        haru = omoide.scope(user="민준", character="하루")
        await asyncio.gather(*(haru.observe(f"오늘은 버스를 {n}번 탔어", "응!") for n in range(3)))
        await asyncio.gather(*omoide._others, return_exceptions=True)
        wire.mute()
        rested(omoide.store.database)
        begun = time.monotonic()
        await haru.observe("나는 보리차를 제일 좋아해", "나도!")
        assert (await haru.recall("보리차 얘기 기억나?")).memories
        assert time.monotonic() - begun < 5
