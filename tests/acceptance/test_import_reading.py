"""Imports ask before they spend a model's tokens (ruling 5)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from opening import opened

from omoide.importing.unread import leave, take_up, unread
from omoide.testing import ScriptedModel
from postgres import place

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Omoide

WHOSE = [("mina", "haru")]


async def told(omoide: Omoide, count: int) -> None:
    scope = omoide.scope(user="mina", character="haru")
    for number in range(count):
        await scope.observe(f"오늘은 {number}번째 산책을 했어", "좋았겠다", session="s")


@pytest.mark.parametrize("messages", [3, 12])
async def test_what_a_model_would_read_is_counted_before_it_does(tmp_path: Path, messages: int) -> None:
    async with opened(tmp_path, models=ScriptedModel(), worker=False) as omoide:
        await told(omoide, messages)
        found = await unread(omoide, WHOSE, since=0)
        assert found is not None
        assert (found.windows, found.tokens) == (-(-messages // 5), -(-messages // 5) * 4_800)


async def test_what_is_left_unread_is_read_only_when_taken_up(tmp_path: Path) -> None:
    model = ScriptedModel(answers=lambda _: {"summary": "산책 이야기를 했다"})
    async with opened(tmp_path, models=model, worker=False) as omoide:
        await told(omoide, 10)
        await leave(omoide, WHOSE, since=0)
        assert await omoide.worker.once() == []
        await told(omoide, 5)
        assert len(await omoide.worker.once()) == 1
        await take_up(omoide, WHOSE)
        assert len(await omoide.worker.once()) == 2


async def test_nothing_is_asked_where_no_model_is_set(tmp_path: Path) -> None:
    async with opened(tmp_path, worker=False) as omoide:
        await told(omoide, 60)
        assert await unread(omoide, WHOSE, since=0) is None


def test_a_big_import_without_anybody_to_ask_stays_unread_and_says_how_to_change_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from omoide.cli import run

    monkeypatch.setenv("OMOIDE_STORE", str(place(tmp_path)))
    monkeypatch.setenv("OMOIDE_MASTER_KEY_FILE", str(tmp_path / "key"))
    monkeypatch.setenv("OMOIDE_EMBEDDER", "none")
    monkeypatch.setenv("OMOIDE_MODEL", "some-model")
    monkeypatch.setenv("OMOIDE_MODEL_URL", "http://127.0.0.1:9/v1")
    lines = [
        {"session": "s", "role": role, "text": f"{role} says {number}", "speaker": name}
        for number in range(60)
        for role, name in (("user", "mina"), ("character", "haru"))
    ]
    chat = tmp_path / "chat.jsonl"
    chat.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run(["import", str(chat), "--user", "mina", "--character", "haru"]) == 0
    assert "--extract" in capsys.readouterr().err
    assert run(["windows", "--user", "mina", "--character", "haru", "--json"]) == 0
    assert {one["state"] for one in json.loads(capsys.readouterr().out)} == {"skipped"}
    assert run(["import", str(chat), "--user", "mina", "--character", "haru", "--extract"]) == 0
    capsys.readouterr()
    assert run(["windows", "--user", "mina", "--character", "haru", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
