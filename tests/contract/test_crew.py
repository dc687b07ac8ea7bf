"""One worker reads for all tenants, each with its own models, log and limits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from omoide import Omoide
from omoide.crew import Crew
from omoide.errors import LeasesUnavailable
from omoide.stores.backlog import backlog
from omoide.testing import ScriptedModel
from postgres import database_for

if TYPE_CHECKING:
    from pathlib import Path

WHOSE = {"user": "민준", "character": "하루"}
TENANTS = ("", "acme", "beta")


@pytest.fixture(params=["sqlite", "postgresql"])
def given(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    place = tmp_path / "x.db" if request.param == "sqlite" else database_for(tmp_path / "x.db")
    return {
        "store": place,
        "embedder": "none",
        "master_key_file": tmp_path / "key",
        "worker": False,
        "window": 1,
        "window_quiet_minutes": 0,
    }


async def _talk(given: dict[str, Any], *tenants: str) -> None:
    for tenant in tenants:
        async with Omoide.open(**given, tenant=tenant) as omoide:
            await omoide.scope(**WHOSE).observe(user=f"{tenant} 보리차를 제일 좋아해", reply="나도!")


def _waits(omoide: Omoide, tenant: str) -> int:
    with omoide.store.database.of(tenant).read() as connection:
        return backlog(connection, tenant=tenant).scopes


async def test_what_is_due_for_any_tenant_is_read_once(given: dict[str, Any]) -> None:
    await _talk(given, *TENANTS)
    model = ScriptedModel(answers=[{"summary": ""}] * 3)
    async with Omoide.open(**given, models=model) as omoide:
        assert [_waits(omoide, tenant) for tenant in TENANTS] == [1, 1, 1]
        read = await Crew(omoide).once()
        assert sorted(run.scope.tenant for run in read) == sorted(TENANTS)
        assert {run.outcome.value for run in read} == {"read"}
        assert [_waits(omoide, tenant) for tenant in TENANTS] == [0, 0, 0]
        assert await Crew(omoide).once() == []
    for turns in model.seen:  # nobody's words stand in another's prompt
        assert sum(f"{tenant} 보리차" in repr(turns) for tenant in TENANTS[1:]) <= 1


async def test_a_tenant_that_waits_keeps_no_other_waiting_and_is_told_of_once(
    given: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    await _talk(given, *TENANTS)
    given |= {"lease_url": "redis://127.0.0.1:1/0", "models": ScriptedModel(answers=[{"summary": ""}])}
    stop = asyncio.Event()
    async with Omoide.open(**given) as omoide:
        crew = Crew(omoide)
        with pytest.raises(LeasesUnavailable):
            await crew.once()
        running = asyncio.create_task(crew.run(stop, told=lambda _: None))
        async with asyncio.timeout(10):
            while len(crew._waits_for) < len(TENANTS):
                await asyncio.sleep(0.01)
            stop.set()
            await running
    assert caplog.text.count("the lease server cannot be asked") == 1


async def test_the_crew_works_until_it_is_told_to_stop(given: dict[str, Any]) -> None:
    await _talk(given, *TENANTS)
    stop, heard = asyncio.Event(), []
    async with Omoide.open(**given, models=ScriptedModel(answers=[{"summary": ""}] * 3)) as omoide:

        def told(run: Any) -> None:
            heard.append(run.scope.tenant)
            if len(heard) == len(TENANTS):
                stop.set()

        async with asyncio.timeout(60):
            await Crew(omoide).run(stop, told=told)
    assert sorted(heard) == sorted(TENANTS)
