"""What lies in deploy/ fits the program, as far as that can be seen without running containers."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from typer.main import get_command

from omoide import Omoide
from omoide.cli import app as command_line
from omoide.config import Settings
from omoide.server.app import create_app

HOME = Path(__file__).parents[2]
DEPLOY = HOME / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name for name, service in SERVICES.items() if service["image"].startswith("omoide:")}
METRIC = re.compile(r"\bomoide_\w+")


def dashboard() -> dict[str, Any]:
    return json.loads((DEPLOY / "grafana.json").read_text())


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_names_only_what_is_there(name: str) -> None:
    service = SERVICES[name]
    for needed, how in service.get("depends_on", {}).items():
        assert "healthcheck" in SERVICES[needed], (needed, how)
    assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"])
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        assert source in COMPOSE["volumes"] or (DEPLOY / source).is_file()
    _, tag = service["image"].rsplit(":", 1)
    assert re.search(r"\d", tag), "an image is pinned"
    assert "healthcheck" in service or name == "worker"


def test_every_secret_and_volume_is_used() -> None:
    used = [secret for service in SERVICES.values() for secret in service.get("secrets", [])]
    assert set(COMPOSE["secrets"]) == set(used)
    mounted = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert set(COMPOSE["volumes"]) <= mounted
    ignored = (HOME / ".gitignore").read_text().splitlines()
    assert {f"deploy/{Path(one['file']).parent}/" for one in COMPOSE["secrets"].values()} <= set(ignored)


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_service_of_ours_runs_a_command_with_settings_that_are_some(name: str) -> None:
    service = SERVICES[name]
    assert service["command"][0] in get_command(command_line).commands
    given = {
        variable.removeprefix("OMOIDE_").lower(): value
        for variable, value in service["environment"].items()
        if variable != "OMOIDE_CONFIG"
    }
    assert set(given) <= set(Settings.model_fields)
    assert not any(isinstance(value, bool) for value in given.values()), "compose takes no truth values"
    assert Settings.read(**given).model_fields_set >= set(given)
    for host in re.findall(r"://(\w+):", " ".join(map(str, given.values()))):
        assert host in SERVICES


@pytest.mark.parametrize("setting", ["OMOIDE_CHARACTERS", "OMOIDE_KEYRING", "OMOIDE_API_KEYS"])
def test_what_replicas_write_lies_in_a_volume_that_they_share(setting: str) -> None:
    made = re.findall(r"install -d \S.*", (HOME / "Dockerfile").read_text())
    for name in OURS:
        path = Path(SERVICES[name]["environment"][setting])
        mounted = [Path(volume.split(":")[1]) for volume in SERVICES[name]["volumes"]]
        (folder,) = [one for one in mounted if path.is_relative_to(one)]
        assert str(folder) in made[0].split(), (
            "a new volume is given the owner that the image gave the folder"
        )
    assert len({SERVICES[name]["environment"][setting] for name in OURS}) == 1


def test_servers_do_not_read_windows_where_a_worker_does() -> None:
    assert SERVICES["serve"]["environment"]["OMOIDE_WORKER"] == "false"
    assert SERVICES["serve"]["deploy"]["replicas"] == 2
    assert "OMOIDE_WORKER" not in SERVICES["worker"]["environment"]


def test_nothing_is_reached_from_other_machines() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_the_database_gets_an_ordinary_role() -> None:
    script = (DEPLOY / "postgres-init.sh").read_text()
    assert "SUPERUSER" not in script
    assert "BYPASSRLS" not in script
    assert re.search(r"CREATE ROLE omoide LOGIN", script)
    for path in re.findall(r"/run/secrets/(\w+)", script):
        assert path in SERVICES["postgres"]["secrets"]


def test_the_image_is_built_from_pinned_packages_and_runs_as_nobody_in_particular() -> None:
    text = (HOME / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
    by_word = dict(lines)
    assert by_word["USER"] == "10001"
    assert by_word["ENTRYPOINT"] == '["omoide"]'
    assert json.loads(by_word["CMD"])[0] in get_command(command_line).commands
    assert "-c /src/constraints.txt" in text
    project = tomllib.loads((HOME / "pyproject.toml").read_text())["project"]
    (extras,) = re.findall(r"/src\[([\w,]+)\]", text)
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    assert {"server", "postgres", "redis"} <= set(extras.split(","))
    copied = [
        line.removeprefix("!") for line in (HOME / ".dockerignore").read_text().splitlines() if line[0] == "!"
    ]
    assert all((HOME / one).exists() for one in copied)
    assert project["readme"] in copied
    assert shlex.split(by_word["COPY"])[0] == "--from=build"


async def test_every_metric_of_the_dashboard_is_one_and_all_are_on_it(tmp_path: Path) -> None:
    board = dashboard()
    shown = METRIC.findall(
        " ".join(target["expr"] for panel in board["panels"] for target in panel["targets"])
    )
    asked = METRIC.findall(" ".join(str(one["query"]) for one in board["templating"]["list"]))
    given = {"embedder": "none", "worker": False, "api_keys": tmp_path / "keys"}
    async with Omoide.open(tmp_path / "x.db", master_key_file=tmp_path / "key", **given) as omoide:
        transport = httpx2.ASGITransport(app=create_app(omoide))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            text = (await client.get("/metrics")).text
    kinds = dict(re.findall(r"^# TYPE (omoide_\w+) (\w+)$", text, re.MULTILINE))
    kinds = {name: kind for name, kind in kinds.items() if not name.endswith("_created")}
    of_postgres = {"omoide_store_connections", "omoide_store_connections_limit"}
    base = {re.sub(r"_(bucket|sum|count)$", "", name) for name in (*shown, *asked)}
    assert base == set(kinds) | of_postgres


def test_panels_of_the_dashboard_do_not_overlap() -> None:
    board = dashboard()
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(set(places)) == len(places) == len({panel["id"] for panel in board["panels"]})
    assert {variable["name"] for variable in board["templating"]["list"]} == {"source", "job"}
    for panel in board["panels"]:
        for target in panel["targets"]:
            assert target["expr"].count("(") == target["expr"].count(")")
            assert 'job=~"$job"' in target["expr"]
