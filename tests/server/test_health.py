"""Whoever looks after the server sees the truth, and nothing that anybody said."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from typing import TYPE_CHECKING

import pytest
from serving import WHOSE, serving

from omoide.errors import EmbedderFailed
from omoide.server.access import Access, ApiKeys
from omoide.testing import FailingEmbedder, ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi import FastAPI

TALK = {"user": "나는 보리차를 제일 좋아해", "reply": "나도!", "session": "첫날"}


async def test_alive_and_ready_need_no_key_and_figures_do(tmp_path: Path) -> None:
    key = ApiKeys(tmp_path / "keys.json").add(Access(label="prometheus", users=frozenset()))
    async with serving(tmp_path, local=False) as (_, client):
        assert (await client.get("/health")).json() == {"status": "alive"}
        assert (await client.get("/ready")).json() == {
            "ready": True,
            "store": "ok",
            "embedder": "none",
            "vectors": "ok",
            "model": "none",
            "extraction": "none",
            "windows": 0,
            "failed": 0,
            "behind": 0,
        }
        assert (await client.get("/metrics")).status_code == 401
        assert (await client.get("/metrics", headers={"x-api-key": key})).status_code == 200


async def test_what_waits_and_what_is_in_trouble_shows(tmp_path: Path) -> None:
    async with serving(
        tmp_path,
        embedder=FailingEmbedder(EmbedderFailed("it is down")),
        models=ScriptedModel(),
        extraction="off",
    ) as (
        omoide,
        client,
    ):
        await client.post("/api/observe", params=WHOSE, json=TALK)
        while not omoide.meaning.circuit.rests:
            await client.post("/api/recall", params=WHOSE, json={"message": "보리차 좋아해?"})
        ready = (await client.get("/ready")).json()
        assert (ready["embedder"], ready["model"], ready["behind"]) == ("resting", "ok", 1)
        shown = (await client.get("/metrics")).text
        assert "omoide_extraction_scopes 1.0" in shown
        assert 'omoide_recalls_total{outcome="degraded"}' in shown


@pytest.mark.sqlite
async def test_a_store_that_cannot_be_written_is_not_ready(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        other = sqlite3.connect(tmp_path / "x.db")
        other.execute("ALTER TABLE meta RENAME TO gone")
        answer = await client.get("/ready")
        assert answer.status_code == 503
        assert answer.json()["ready"] is False
        assert answer.json()["store"].startswith("Store")
        other.execute("ALTER TABLE gone RENAME TO meta")
        other.close()
        async with asyncio.timeout(10):
            while (await client.get("/ready")).status_code != 200:
                await asyncio.sleep(0.1)


async def test_names_and_words_stand_neither_in_figures_nor_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "omoide")
    async with serving(tmp_path, models=ScriptedModel(replies=["보리차!"])) as (_, client):
        await client.post("/api/observe", params=WHOSE, json=TALK)
        await client.post("/api/recall", params=WHOSE, json={"message": "보리차 좋아해?"})
        await client.get("/u/민준/c/하루/v1/models")
        await client.get("/민준/하루", params={"q": "보리차"})
        await client.post("/api/people/민준/rename", params=WHOSE, json={"name": "준"})
        body = {"session_id": "첫날", "message": "보리차 있어?", "user_name": "민준", "character": "sena"}
        await client.post("/chat/stream", json=body)
        await client.request("보리차", "/health")
        shown = (await client.get("/metrics")).text
    assert 'route="/u/{' in shown
    assert 'route="unmatched",status="404"' in shown
    assert 'method="other"' in shown
    assert 'omoide_recall_seconds_count{phase="total"} 1.0' in shown
    noted = "\n".join(record.getMessage() for record in caplog.records if record.name == "omoide.access")
    assert "POST /api/people/{person}/rename 200" in noted
    for word in ("민준", "하루", "보리차", "첫날", "%EB"):
        assert word not in shown
        assert word not in caplog.text


async def test_a_fault_is_answered_and_its_words_stay_in_the_process(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path) as (_, client):
        app: FastAPI = client._transport.app

        @app.get("/fault")
        async def fault() -> None:
            msg = "민준 loves barley tea"
            raise RuntimeError(msg)

        answer = await client.get("/fault")
        assert answer.status_code == 500
        assert answer.json()["error"]["type"] == "fault"
        assert "barley" not in answer.text + caplog.text
        assert "RuntimeError" in caplog.text


async def test_two_applications_count_apart(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    async with serving(tmp_path / "one") as (_, one), serving(tmp_path / "two") as (_, two):
        await one.get("/ready")
        assert 'route="/ready"' in (await one.get("/metrics")).text
        assert 'route="/ready"' not in (await two.get("/metrics")).text
