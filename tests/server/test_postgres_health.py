"""What those see who look after a server on PostgreSQL: the truth, also while the database is away."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import tempfile
import time
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import psycopg
import pytest

from omoide import Omoide
from omoide.checkup import checkup
from omoide.cli import run
from omoide.server.app import create_app
from omoide.storage_findings import database_findings
from omoide.stores.postgres.database import PostgresDatabase
from omoide.stores.tenants import note_tenant
from postgres import OWNER, PostgresServer, database_for, database_name, server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


@asynccontextmanager
async def serving_at(
    store: str, folder: Path, **more: Any
) -> AsyncIterator[tuple[Omoide, httpx2.AsyncClient]]:
    given: dict[str, Any] = {"embedder": "none", "worker": False, "api_keys": folder / "keys.json", **more}
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


class Standby(PostgresServer):
    """A server that follows another one, and takes no writes."""

    def __init__(self, primary: PostgresServer) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="omoide-pg-", dir=primary.folder.parent))
        self.folder.chmod(0o755)
        self._as, self._bin, self._keeper = primary._as, primary._bin, None
        if self._as:
            shutil.chown(self.folder, self._as["user"], self._as["group"])
        self._settings = {**primary._settings, "unix_socket_directories": str(self.folder)}
        copied = [
            primary._bin / "pg_basebackup",
            "-D",
            self._data,
            "-h",
            primary.folder,
            "-U",
            "postgres",
            "-R",
        ]
        subprocess.run([*copied, "-c", "fast"], check=True, capture_output=True, **self._as)
        self.start()


async def replicated(store: str) -> dict[str, tuple[str, str]]:
    async with asyncio.timeout(30):
        while "replication" not in found(store):
            await asyncio.sleep(0.2)
    return found(store)


async def test_a_standby_is_told_of_from_both_sides(tmp_path: Path) -> None:
    primary = PostgresServer(wal_level="replica", max_wal_senders="4", hot_standby="on")
    standby = None
    try:
        store = primary.create("o")
        async with serving_at(store, tmp_path) as (omoide, _):
            await omoide.scope(user="minjun", character="haru").observe(user="hi", reply="hey", session="s")
        with (primary._data / "pg_hba.conf").open("a") as rules:
            rules.write("local replication postgres trust\n")
        with primary.superuser() as connection:
            connection.execute("SELECT pg_reload_conf()")
        standby = Standby(primary)

        ring = tmp_path / "o.keyring"
        async with serving_at(standby.url("o"), tmp_path, keyring=ring) as (omoide, client):
            away = await until(client, ready=False)
            assert away["store"] == "StoreReadOnly"
            primary.role("other", password="secret")
            findings = await replicated(standby.url("o"))
            assert findings["store"][0] == "wrong"
            assert "it is a standby" in findings["store"][1]
            assert "seconds ago" in findings["replication"][1]
            assert len(await omoide.scope(user="minjun", character="haru").memories()) == 1
        await replicated(store)
        assert "1 servers follow" in found(primary.url("o", role="postgres"))["replication"][1]
    finally:
        for own in (standby, primary):
            if own is not None:
                own.stop()


async def test_the_findings_of_a_store_that_is_well(tmp_path: Path) -> None:
    async with serving_at(database_for(tmp_path / "x.db"), tmp_path) as (omoide, _):
        findings = {one.what: one for one in await checkup(omoide)}
    assert findings["store"].state == "note"  # of fsync, which tests do without
    assert findings["rights"].state == findings["keyring"].state == "ok"
    assert "epoch 0" in findings["keyring"].detail


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
    assert "offered by the server" in detail


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[str]:
    """The name of a database that holds nothing."""
    name = f"empty_{sha256(str(tmp_path).encode()).hexdigest()[:16]}"
    server().create(name)
    yield name
    server().drop(name)


def doctor(store: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, **more: str) -> Any:
    settings = {"STORE": store, "EMBEDDER": "none", **more}
    folders = {"HOME": folder, "XDG_CONFIG_HOME": folder / "config", "XDG_DATA_HOME": folder / "data"}
    for name, value in {**folders, **{f"OMOIDE_{name}": value for name, value in settings.items()}}.items():
        monkeypatch.setenv(name, str(value))
    run(["doctor", "--json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return {one["what"]: (one["state"], one["detail"]) for one in findings}


@pytest.mark.parametrize(
    ("lacking", "wrong"),
    [
        (["memories", "vectors"], {"rights", "indexes"}),
        (["task_models"], {"rights", "model"}),
        (["identities", "names", "plans"], {"rights", "store"}),  # it cannot be opened
    ],
)
def test_a_table_that_may_not_be_read_hides_no_other_finding(
    lacking: list[str],
    wrong: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    store = database_for(tmp_path / "x.db")
    doctor(store, tmp_path, monkeypatch, capsys)
    assert run(["remember", "likes tea", "--user", "minjun", "--character", "haru", "--new"]) == 0
    capsys.readouterr()
    well = doctor(store, tmp_path, monkeypatch, capsys)
    with server().superuser(database_name(store)) as connection:
        for table in lacking:
            connection.execute(f"REVOKE SELECT ON {table} FROM {OWNER}")
    found = doctor(store, tmp_path, monkeypatch, capsys)
    assert {what for what, (state, _) in found.items() if state == "wrong"} == wrong
    assert all(table in found["rights"][1] for table in lacking)
    assert "store" in wrong or found.keys() == well.keys()


def test_an_empty_database_is_looked_at_before_anything_is_made(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server().role(f"guest_{empty}", password="secret")
    guest = server().url(empty, role=f"guest_{empty}", password="secret")

    theirs = doctor(guest, tmp_path, monkeypatch, capsys, VECTORS="pgvector")
    state, detail = theirs["rights"]
    assert state == "wrong"
    assert f'GRANT USAGE, CREATE ON SCHEMA public TO "guest_{empty}"' in detail
    state, detail = theirs["extension vector"]
    assert state == "wrong"
    assert "`CREATE EXTENSION vector`" in detail
    assert doctor(guest, tmp_path, monkeypatch, capsys, VECTORS="memory")["extension vector"][0] == "note"

    with server().superuser(empty) as connection:
        connection.execute(f"GRANT USAGE, CREATE ON SCHEMA public TO guest_{empty}")
        connection.execute("CREATE EXTENSION vector")
    allowed = doctor(guest, tmp_path, monkeypatch, capsys, VECTORS="pgvector")
    assert allowed["rights"][0] == allowed["extension vector"][0] == "ok"
    assert allowed["store"][0] == "note"
    assert "no store yet" in allowed["store"][1]

    with server().superuser(empty) as connection:
        made = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
        connection.execute(f"DROP OWNED BY guest_{empty}")
        connection.execute(f"DROP ROLE guest_{empty}")
    assert made == (0,)


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
                line
                for line in (await client.get("/metrics")).text.splitlines()
                if line.startswith("omoide_store_again_total")
            )
            assert float(again.split()[1]) >= 1
    finally:
        own.stop()
