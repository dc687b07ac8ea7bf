"""No secret that somebody writes into an address is kept, shown or logged, wherever an address is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from opening import opened

from omoide.addresses import shown
from omoide.config import Settings
from omoide.domain.chat import Task
from omoide.errors import InvalidInput, ModelUnavailable
from omoide.models.choices import ModelChoices
from omoide.models.endpoint import Endpoint, RowSettings
from omoide.stores.redis_leases import RedisLeases
from omoide.stores.tasks import TaskRow, TaskRows

if TYPE_CHECKING:
    from pathlib import Path

    from command_line import CommandLine

SECRET = "hunter2"
WITH_SECRET = (
    f"http://me:{SECRET}@model.example/v1",
    f"http://{SECRET}@model.example/v1",
    f"http://me:{SECRET}/x@model.example/v1",
    f"https://model.example/v1?api_key={SECRET}",
    f"https://model.example/v1#{SECRET}",
    f"me:{SECRET}@model.example/v1",
    f"http://me%3A{SECRET}%40model.example/v1",
    f"http://me:{SECRET}%2540model.example/v1",
    f"https://model.example/v1%3Fapi_key={SECRET}",
)


@pytest.mark.parametrize("url", WITH_SECRET)
def test_no_model_has_a_secret_in_its_address(url: str) -> None:
    with pytest.raises(InvalidInput, match="--key-env") as caught:
        Endpoint(model="m", url=url)
    assert SECRET not in str(caught.value)


def test_a_model_is_not_set_with_a_secret_in_its_address(omoide: CommandLine) -> None:
    omoide("models", "set", "diary", "m", "--url", "http://127.0.0.1:9/v1")
    refused = omoide("models", "set", "chat", "m", "--url", WITH_SECRET[0], status=2)

    assert "--key-env" in refused.err
    assert SECRET not in refused.err + refused.out
    assert SECRET not in omoide("models", "list", "--json").out


@pytest.mark.parametrize("url", WITH_SECRET)
def test_no_setting_is_read_with_a_secret_in_an_address(
    omoide: CommandLine, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    for setting in ("model_url", "upstream", "embedder_url"):
        with pytest.raises(InvalidInput, match=f"the setting {setting.removesuffix('_url')}_key") as caught:
            Settings.read(**{setting: url})
        assert SECRET not in f"{caught.value!r} {caught.value.__cause__}"
        monkeypatch.setenv(f"OMOIDE_{setting.upper()}", url)

    listed = omoide("config", "show", "--json", status=2)
    assert SECRET not in listed.out + listed.err
    assert "***" in listed.json["settings"]["upstream"]["value"]


@pytest.mark.parametrize(("command", "status"), [("doctor", 1), ("memories", 2)])
def test_commands_refuse_a_secret_in_an_address_without_repeating_it(
    omoide: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str, status: int
) -> None:
    monkeypatch.setenv("OMOIDE_MODEL_URL", WITH_SECRET[0])

    told = omoide(command, status=status)
    assert "the setting model_key" in told.out + told.err
    assert SECRET not in told.out + told.err


def test_serving_with_a_secret_in_the_upstream_is_refused(omoide: CommandLine) -> None:
    refused = omoide("serve", "--port", "0", "--upstream", WITH_SECRET[0], status=2)

    assert "upstream_key" in refused.err
    assert SECRET not in refused.err


async def test_a_row_of_an_earlier_release_is_trouble_that_repeats_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as engine:
        row = RowSettings(url=WITH_SECRET[0]).written()
        with engine.store.database.write() as connection:
            TaskRows(connection, tenant="").put(TaskRow(task="default", model="m", settings=row))
        for choice in ModelChoices(engine.store, engine.settings).all():
            assert choice.endpoint is None
            assert "key_env" in choice.trouble
            assert SECRET not in choice.trouble
        with pytest.raises(ModelUnavailable) as caught:
            await engine.models.model(Task.CHAT)
        assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("setting", "url"),
    [
        ("store", f"postgresql+psycopg://role:{SECRET}@db.example/omoide"),
        ("store", f"postgresql+psycopg://role@db.example/omoide?password={SECRET}"),
        ("store", f"mysql://role:{SECRET}@db.example/omoide"),
        ("keyring", f"postgresql+psycopg://role:{SECRET}@db.example/keys"),
        ("lease_url", f"redis://:{SECRET}@cache.example:6379/0"),
        ("lease_url", f"rediss://cache.example:6379/0?password={SECRET}"),
    ],
)
def test_a_database_has_its_password_in_its_url_which_is_shown_without(
    omoide: CommandLine, monkeypatch: pytest.MonkeyPatch, setting: str, url: str
) -> None:
    monkeypatch.setenv(f"OMOIDE_{setting.upper()}", url)

    listed = omoide("config", "show", "--json")
    assert SECRET not in listed.out
    assert "***" in listed.json["settings"][setting]["value"]


def test_a_store_of_another_kind_is_refused_without_its_password(
    omoide: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command, status in (("memories", 2), ("doctor", 1)):
        told = omoide(command, "--store", f"mysql://role:{SECRET}@db.example/omoide", status=status)
        assert "mysql://role:***@db.example/omoide" in told.out + told.err
        assert SECRET not in told.out + told.err


@pytest.mark.parametrize("url", [f"http://me:{SECRET}@host", f"redis://me:x@host:{SECRET}", SECRET])
def test_a_lease_server_whose_url_cannot_be_read_is_told_without_it(url: str) -> None:
    with pytest.raises(InvalidInput, match="redis://") as caught:
        RedisLeases(url)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "plain", ["/data/me@home.db", "haru.db", "http://127.0.0.1:11434/v1", "redis://cache:6379/0", ":memory:"]
)
def test_what_holds_no_secret_is_shown_as_it_is(plain: str) -> None:
    assert shown(plain) == plain
