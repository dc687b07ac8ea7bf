"""Readiness tells how things are now, within its time, and what is worst first."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import psycopg
from serving import serving

from omoide import Omoide
from omoide.domain.chat import Task, Usage
from omoide.server.readiness import Readiness
from omoide.server.waiting import Waiting
from omoide.testing import ScriptedModel
from postgres import database_for

if TYPE_CHECKING:
    from pathlib import Path

NOWHERE = "redis://127.0.0.1:1/0"


class SlowModels(ScriptedModel):
    """Chat models that take their time to be found."""

    async def model(self, task: Task) -> ScriptedModel:
        await asyncio.sleep(30)
        return await super().model(task)


async def test_a_lease_server_that_is_gone_shows_before_tokens_that_are_spent(tmp_path: Path) -> None:
    given = {"model": "gemma", "model_url": "http://127.0.0.1:9/v1", "daily_tokens": 5, "worker": False}
    async with serving(tmp_path, lease_url=NOWHERE, **given) as (omoide, client):
        omoide.models.spent(Task.EXTRACTION, Usage(prompt=10, answer=10))
        assert (await client.get("/ready")).json()["extraction"] == "LeasesUnavailable"


async def test_whoever_asks_at_once_is_answered_in_time_though_models_are_slow(tmp_path: Path) -> None:
    async with serving(tmp_path, models=SlowModels(), worker=False) as (_, client):
        begun = time.monotonic()
        answers = await asyncio.gather(*(client.get("/ready") for _ in range(3)))
        assert time.monotonic() - begun < 5
    assert {one.json()["model"] for one in answers} == {"slow"}
    assert {one.status_code for one in answers} == {200}


async def test_a_table_that_a_recall_needs_and_nobody_can_read_makes_the_store_slow(tmp_path: Path) -> None:
    store = database_for(tmp_path / "x.db")
    given = {"embedder": "none", "worker": False, "master_key_file": tmp_path / "key"}
    async with Omoide.open(store, **given) as omoide:
        readiness = Readiness(omoide, Waiting(omoide.store))
        assert (await readiness.look()).store == "ok"
        await asyncio.sleep(1.1)  # for which a look counts
        with psycopg.connect(store.replace("+psycopg", "")) as other:
            other.execute("LOCK TABLE memories IN ACCESS EXCLUSIVE MODE")
            found = await readiness.look()
            assert (found.ready, found.store) == (False, "slow")
        await asyncio.sleep(1.1)
        assert (await readiness.look()).store == "ok"


async def test_an_error_of_a_question_that_was_asked_earlier_is_not_told(tmp_path: Path) -> None:
    store = database_for(tmp_path / "x.db")
    given = {"embedder": "none", "worker": False, "master_key_file": tmp_path / "key"}
    async with Omoide.open(store, **given) as omoide:
        readiness = Readiness(omoide, Waiting(omoide.store))
        with psycopg.connect(store.replace("+psycopg", "")) as other:
            other.execute("LOCK TABLE memories IN ACCESS EXCLUSIVE MODE")
            assert (await readiness.look()).store == "slow"
            with psycopg.connect(store.replace("+psycopg", ""), autocommit=True) as third:
                third.execute(
                    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND wait_event_type = 'Lock'"
                )
            await asyncio.sleep(0.2)
        await asyncio.sleep(1)
        assert (await readiness.look()).store == "ok"
