"""Two tenants of one store share nothing that anybody said, though they use the same names."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest

from omoide import Omoide
from omoide.domain.chat import Task, Usage
from omoide.domain.diary import Diary
from omoide.domain.event import Event
from omoide.domain.layer import Layer
from omoide.domain.model import Past
from omoide.domain.partial_date import PartialDate
from omoide.errors import InvalidInput, NotFound, UnknownMemory, UnknownScope
from omoide.models.choices import ModelChoices, PromptChoices
from omoide.models.endpoint import RowSettings
from omoide.models.tasks import TaskModels
from omoide.stores.backlog import backlog
from omoide.stores.jobs import Jobs
from omoide.stores.tenants import known_tenants
from omoide.testing import ScriptedModel, WordEmbedder
from postgres import database_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

WHOSE = {"user": "민준", "character": "하루"}
MARKS = {"acme": "quagga", "beta": "okapi"}
"""A word for each that nobody else says."""


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    return tmp_path / "x.db" if request.param == "sqlite" else database_for(tmp_path / "x.db")


@asynccontextmanager
async def both(place: Path | str, folder: Path, **given: Any) -> AsyncIterator[tuple[Omoide, Omoide]]:
    """Engines of two tenants on one store: one that stands alone, and one beside another."""
    usual = {"embedder": WordEmbedder(), "master_key_file": folder / "key", "keyring": folder / "ring"}
    async with (
        Omoide.open(place, tenant="acme", **usual, **given) as acme,
        Omoide.open(place, **usual, **given) as host,
    ):
        beta = host.beside("beta")
        yield acme, beta
        await beta.close()


async def live(omoide: Omoide) -> None:
    """Talk, a past, an event, a job, models and prompts: everything that a tenant leaves in a store."""
    mark = MARKS[omoide.store.tenant]
    scope = omoide.scope(**WHOSE)
    await scope.observe(user=f"나는 {mark} 인형을 제일 좋아해요!", reply="귀여워!", session="첫날")
    await scope.remember(f"민준 calls the cat {mark}", pinned=True)
    await scope.recall(f"{mark} 인형 기억나?", session="첫날")
    past = Past(layer=Layer.DIRECT, confidence=9.0)
    await omoide.add_events(
        [Event(name="The flood", day=PartialDate(year=2011), participants=("하루",), description=mark)]
    )
    diary = Diary(text=f"The {mark} swam away", past=past, event="The flood", scores={"anxiety": 7.0})
    await omoide.scope(character="하루").write([diary])
    Jobs(omoide.store).add("discussion", f'{{"topic": "{mark}"}}')
    server = RowSettings(url="http://127.0.0.1:9/v1")
    ModelChoices(omoide.store, omoide.settings).put("chat", mark, server)
    PromptChoices(omoide.store).put(_prompt(), "ko", f"{mark} {{{{ character }}}}")
    models = TaskModels(omoide.store, omoide.settings)
    models.spent(Task.CHAT, Usage(prompt=40, answer=2))
    await models.aclose()


def _prompt() -> str:
    from omoide.prompts.templates import built_in_names

    return next(name for name, language in built_in_names() if language == "ko")


async def seen(omoide: Omoide) -> str:
    """Everything that can be read of a tenant by any method, as one text."""
    scope, own = omoide.scope(**WHOSE), omoide.scope(character="하루")
    found: list[object] = [await omoide.scopes(), await omoide.events(), await omoide.event("The flood")]
    for one in (scope, own):
        found += [await one.memories(), await one.people(), await one.windows(), await one.plans()]
        found += [(await one.export()), await one.search("quagga okapi"), await one.relationship_history()]
        found += [await one.recall(f"{mark} 기억나?", rehearse=False) for mark in MARKS.values()]
    jobs = Jobs(omoide.store)
    found += [jobs.all("discussion"), ModelChoices(omoide.store, omoide.settings).all()]
    found += [PromptChoices(omoide.store).all()]
    return repr(found)


async def test_each_tenant_finds_its_own_and_nothing_of_the_other(place: Path | str, tmp_path: Path) -> None:
    async with both(place, tmp_path) as (acme, beta):
        for omoide in (acme, beta):
            await live(omoide)
        for omoide, other in ((acme, beta), (beta, acme)):
            told = await seen(omoide)
            own, foreign = MARKS[omoide.store.tenant], MARKS[other.store.tenant]
            assert told.count(own) > 10
            # Our own questions name both; no other place may.
            assert foreign not in told.replace(f"{foreign} 기억나?", ""), foreign
            assert len(await omoide.scopes()) == 2
        assert known_tenants(acme.store.database) == ["", "acme", "beta"]


async def test_ids_of_one_tenant_are_unknown_to_the_other(place: Path | str, tmp_path: Path) -> None:
    async with both(place, tmp_path) as (acme, beta):
        for omoide in (acme, beta):
            await live(omoide)
        (memory,) = [one for one in await acme.scope(**WHOSE).memories() if one.pinned]
        scope = beta.scope(**WHOSE)
        with pytest.raises(UnknownMemory):
            await scope.show(memory.id)
        for attempt in (scope.unpin(memory.id), scope.correct(memory.id, "mine now")):
            with pytest.raises((UnknownMemory, NotFound)):
                await attempt
        with suppress(UnknownMemory):
            await scope.forget(memory.id)
        (job,) = Jobs(acme.store).all("discussion")
        with pytest.raises(NotFound):
            Jobs(beta.store).get(job.id)
        assert (await acme.scope(**WHOSE).show(memory.id)).text == memory.text


async def test_erasing_a_user_of_one_tenant_leaves_the_other_tenants(
    place: Path | str, tmp_path: Path
) -> None:
    async with both(place, tmp_path) as (acme, beta):
        for omoide in (acme, beta):
            await live(omoide)
        before = await seen(beta)
        erased = await acme.erase_user("민준")
        assert erased.key_destroyed
        with pytest.raises(UnknownScope):
            await acme.scope(**WHOSE).memories()
        assert (await seen(beta)).count("okapi") == before.count("okapi")


async def test_what_waits_and_what_was_spent_is_each_tenants_own(place: Path | str, tmp_path: Path) -> None:
    async with both(place, tmp_path, models=ScriptedModel(), worker=False) as (acme, beta):
        await live(acme)
        for omoide, scopes in ((acme, 2), (beta, 0)):
            with omoide.store.database.read() as connection:
                assert backlog(connection, tenant=omoide.store.tenant).scopes == scopes
        await live(beta)
        assert {run.scope.tenant for run in await beta.worker.once()} <= {"beta"}
        with acme.store.database.read() as connection:
            assert backlog(connection, tenant="acme").scopes == 2


async def test_every_row_is_its_tenants(tmp_path: Path) -> None:
    place = tmp_path / "x.db"
    async with both(place, tmp_path) as (acme, beta):
        await live(acme)
        await live(beta)
        with acme.store.database.read() as connection:
            tables = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
            written = set()
            for table in set(tables.scalars()) - {"alembic_version"}:
                found = connection.exec_driver_sql(f'SELECT tenant, count(*) FROM "{table}" GROUP BY 1')
                rows = {tenant: count for tenant, count in found if table != "meta" or tenant}
                rows.pop("", None) if table == "identities" else None  # the host's own spaces
                assert set(rows) <= {"acme", "beta"}, table
                if table != "vectors":  # which are written a moment later
                    assert rows.get("acme") == rows.get("beta"), table
                written |= {table} if rows else set()
    assert len(written) >= 20


@pytest.mark.parametrize("name", ["Acme", "a b", "../x", "a/b", "-a", ".a", "아", "a" * 64, "a\n", "tenant;"])
async def test_a_tenant_is_called_by_a_small_word(tmp_path: Path, name: str) -> None:
    given: dict[str, Any] = {"embedder": "none", "master_key_file": tmp_path / "key"}
    with pytest.raises(InvalidInput, match="tenant"):
        async with Omoide.open(tmp_path / "x.db", tenant=name, **given):
            pass
    async with Omoide.open(tmp_path / "x.db", **given) as omoide:
        with pytest.raises(InvalidInput, match="tenant"):
            omoide.beside(name)


async def test_a_store_without_tenants_stays_as_it_was(tmp_path: Path) -> None:
    given: dict[str, Any] = {"embedder": WordEmbedder(), "master_key_file": tmp_path / "key"}
    async with Omoide.open(tmp_path / "x.db", **given) as omoide:
        await omoide.scope(**WHOSE).observe(user="보리차를 제일 좋아해", reply="나도")
    async with Omoide.open(tmp_path / "x.db", tenant="acme", **given) as acme:
        with pytest.raises(UnknownScope):
            await acme.scope(**WHOSE).memories()
    async with Omoide.open(tmp_path / "x.db", **given) as omoide:
        assert len(await omoide.scope(**WHOSE).memories()) == 1
