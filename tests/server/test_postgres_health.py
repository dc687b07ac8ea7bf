"""What those see who look after a server on PostgreSQL: the truth, also while the database is away."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import psycopg
import pytest

from omoide import Omoide
from omoide.checkup import checkup
from omoide.server.app import create_app
from omoide.storage_findings import database_findings
from omoide.stores.postgres import PostgresDatabase
from omoide.stores.tenants import note_tenant
from postgres import OWNER, PostgresServer, database_for, server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@asynccontextmanager
async def serving_at(store: str, folder: Path) -> AsyncIterator[tuple[Omoide, httpx2.AsyncClient]]:
    given: dict[str, Any] = {"embedder": "none", "worker": False, "api_keys": folder / "keys.json"}
    async with Omoide.open(store, master_key_file=folder / "key", **given) as omoide:
        app = create_app(omoide)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(
                transport=httpx2.ASGITransport(app=app), base_url="http://127.0.0.1"
            ) as client,
        ):
            yield omoide, client


async def until(client: httpx2.AsyncClient, *, ready: bool) -> dict[str, Any]:
    async with asyncio.timeout(30):
        while True:
            answer = await client.get("/ready")
            if answer.json()["ready"] is ready:
                assert (answer.status_code == 200) is ready
                return answer.json()
            await asyncio.sleep(0.2)


def found(store: str) -> dict[str, tuple[str, str]]:
    database = PostgresDatabase.open(store)
    findings = {one.what: (one.state, one.detail) for one in database_findings(database)}
    database.close()
    return findings


async def test_a_database_that_is_away_makes_the_server_unready_until_it_is_back(tmp_path: Path) -> None:
    own = PostgresServer()
    try:
        async with serving_at(own.create("o"), tmp_path) as (_, client):
            assert (await until(client, ready=True))["store"] == "ok"
            own.kill()
            away = await until(client, ready=False)
            assert away["store"] == "StoreLost"
            assert (away["model"], away["windows"]) == ("unknown", None)
            assert (await client.get("/health")).status_code == 200
            own.start()
            await until(client, ready=True)
    finally:
        own.stop()


async def test_a_database_that_is_busy_is_told_of_and_waited_for(tmp_path: Path) -> None:
    store = database_for(tmp_path / "x.db")
    async with serving_at(store, tmp_path) as (_, client):
        with psycopg.connect(store.replace("+psycopg", "")) as other:
            other.execute("SELECT pg_advisory_xact_lock(0)")
            begun = time.monotonic()
            answer = await client.get("/ready")
            assert time.monotonic() - begun < 10
            assert (answer.status_code, answer.json()["store"]) == (503, "slow")
        await until(client, ready=True)


async def test_a_database_that_takes_no_writes_is_told_of(tmp_path: Path) -> None:
    store = database_for(tmp_path / "x.db")
    async with serving_at(store, tmp_path) as (omoide, _):
        findings = {one.what: one for one in await checkup(omoide)}
        assert findings["store"].state == "note"  # of fsync, which tests do without
        assert findings["rights"].state == findings["keyring"].state == "ok"
        assert "epoch 0" in findings["keyring"].detail

    with server().superuser() as connection:
        connection.execute(
            f"ALTER DATABASE {store.split('/')[3].split('?')[0]} SET default_transaction_read_only = on"
        )
    async with serving_at(store, tmp_path) as (omoide, client):
        assert (await until(client, ready=False))["store"] == "StoreReadOnly"
        state, detail = found(store)["store"]
    assert state == "wrong"
    assert "nothing can be written" in detail


def test_server_role_and_extension_are_shown(tmp_path: Path) -> None:
    findings = found(database_for(tmp_path / "x.db"))
    assert "PostgreSQL 1" in findings["store"][1]
    assert "fsync is off" in findings["store"][1]
    assert "encrypted" not in findings["store"][1]  # a socket of this machine
    assert findings["rights"] == ("ok", f"the role {OWNER!r} may write, as one tenant only")
    assert findings["extension vector"][0] == "ok"


def test_a_role_that_may_not_write_or_sees_too_much_is_told_of(tmp_path: Path) -> None:
    store = database_for(tmp_path / "x.db")
    name = store.split("/")[3].split("?")[0]
    server().role(f"reader_{name}", password="secret")
    with server().superuser(name) as connection:
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader_{name}")
    reader = server().url(name, role=f"reader_{name}", password="secret")
    state, detail = found(reader)["rights"]
    assert state == "wrong"
    assert f'GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO "reader_{name}"' in detail

    above = server().url(name, role="postgres")
    assert found(above)["rights"][0] == "note"
    database = PostgresDatabase.open(store)
    note_tenant(database, "acme")
    database.close()
    state, detail = found(above)["rights"]
    assert state == "wrong"
    assert "1 tenants" in detail


def test_an_extension_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    store = database_for(tmp_path / "x.db")
    with server().superuser(store.split("/")[3].split("?")[0]) as connection:
        connection.execute("DROP EXTENSION vector CASCADE")
    state, detail = found(store)["extension vector"]
    assert state == "note"
    assert "the server offers it" in detail


async def test_connections_and_what_was_done_again_are_counted(tmp_path: Path) -> None:
    own = PostgresServer()
    try:
        async with serving_at(own.create("o"), tmp_path) as (omoide, client):
            shown = (await client.get("/metrics")).text
            assert "omoide_store_connections_limit 10.0" in shown
            assert "omoide_store_again_total 0.0" in shown
            assert 'omoide_index_behind{vectors="memory"} 0.0' in shown
            own.restart()  # which breaks the connections
            await omoide.scope(user="minjun", character="haru").observe(user="hi", reply="hey", session="s")
            again = next(
                line for line in (await client.get("/metrics")).text.splitlines() if "again_total" in line
            )
            assert float(again.split()[1]) >= 1
    finally:
        own.stop()
