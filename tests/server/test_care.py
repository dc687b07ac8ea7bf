"""Looking after a store over HTTP: admin keys only, and everything that the command line can do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from serving import WHOSE, serving
from typer.main import get_command

from omoide.cli import app as command_line
from omoide.server.access import Access, ApiKeys
from omoide.stores.erasure import Erasure
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TALK = {"user": "나는 보리차를 제일 좋아해", "reply": "나도!", "session": "첫날"}

ROUTES = {
    "observe": "POST /api/observe",
    "recall": "POST /api/recall",
    "memories": "GET /api/memories",
    "show": "GET /api/memories/{memory}",
    "remember": "POST /api/memories",
    "correct": "POST /api/memories/{memory}/correct",
    "pin": "POST /api/memories/{memory}/pin",
    "unpin": "POST /api/memories/{memory}/unpin",
    "forget": "POST /api/forget",
    "restore": "POST /api/memories/{memory}/restore",  # of a memory; a backup needs a store that nobody uses
    "rewind": "POST /api/rewind",
    "import": "POST /api/import-file",
    "export": "GET /api/export",
    "reset": "POST /api/reset",
    "erase": "POST /api/erase",
    "reindex": "POST /api/reindex",
    "prune": "POST /api/prune",
    "doctor": "GET /api/doctor",
    "relationship": "GET /api/relationship",
    "plans": "GET /api/plans",
    "feelings": "GET /api/feelings",
    "windows": "GET /api/windows",
    "people list": "GET /api/people",
    "people rename": "POST /api/people/{person}/rename",
    "people merge": "POST /api/people/{person}/merge",
    "characters list": "GET /api/characters",
    "characters show": "GET /api/characters/{name}",
    "characters import": "POST /api/characters",
    "models list": "GET /api/models",
    "models set": "PUT /api/models/{task}",
    "models unset": "DELETE /api/models/{task}",
    "prompts list": "GET /api/prompts",
    "prompts set": "PUT /api/prompts/{name}/{language}",
    "prompts unset": "DELETE /api/prompts/{name}/{language}",
    "api-key add": "POST /api/keys",
    "api-key list": "GET /api/keys",
    "api-key remove": "DELETE /api/keys/{label}",
    "api-key token": "POST /api/tokens",
    "api-key revoke-tokens": "DELETE /api/tokens",
    "chat": "POST /chat/stream",
    "search": "GET /api/search",
    "events list": "GET /api/events",
    "events show": "GET /api/events/{name}",
    "discuss": "POST /api/discussions",
    "jobs": "GET /api/jobs",
    "candidates list": "GET /api/candidates",
    "candidates confirm": "POST /api/candidates/{memory}/confirm",
    "candidates reject": "POST /api/candidates/{memory}/reject",
}
"""The route that does what a command does."""

NOT_OVER_HTTP = {
    "demo": "it shows a store that is thrown away",
    "serve": "it is the server",
    "worker": "it is a process of its own; the server has one inside",
    "config show": "settings belong to the machine, and are set there",
    "characters export": "it writes a folder of files on this machine",
    "characters lint": "it reads a folder of files on this machine",
    "backup": "it writes a file on this machine",
    "copy": "nobody may use the store meanwhile, so no server runs",
    "index tune": "it takes minutes, and the role that owns the tables",
    "key export": "the master key never goes over a network",
    "key import": "the master key never goes over a network",
    "key rotate": "the master key never goes over a network",
    "key copy-keyring": "nobody may use the store meanwhile, so no server runs",
}


def commands(group: Any = None, before: str = "") -> Iterator[str]:
    """Every command by its whole name."""
    for name, command in (group or get_command(command_line)).commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}"


async def test_there_is_a_route_for_every_command_or_a_reason_why_not(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        paths = (await client.get("/openapi.json")).json()["paths"]
    there = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert set(commands()) == ROUTES.keys() | NOT_OVER_HTTP.keys()
    assert set(ROUTES.values()) <= there


async def test_what_concerns_the_whole_store_needs_an_admin_key(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    keys.add(Access(label="boss", admin=True))
    key = keys.add(Access(label="game"))
    taken = {"/api/windows": WHOSE, "/api/characters": {"name": "x.png"}}
    async with serving(tmp_path, local=False, key=key) as (_, client):
        for method, path in (
            ("GET", "/api/scopes"),
            ("POST", "/api/erase"),
            ("GET", "/api/windows"),
            ("POST", "/api/reindex"),
            ("GET", "/api/doctor"),
            ("GET", "/api/keys"),
            ("POST", "/api/keys"),
            ("DELETE", "/api/keys/boss"),
            ("GET", "/api/models"),
            ("PUT", "/api/models/chat"),
            ("DELETE", "/api/models/chat"),
            ("GET", "/api/prompts"),
            ("PUT", "/api/prompts/extraction/ko"),
            ("DELETE", "/api/prompts/extraction/ko"),
            ("POST", "/api/characters"),
        ):
            answer = await client.request(method, path, params=taken.get(path), json={})
            assert answer.status_code == 403, path


async def test_a_user_is_erased_and_nobody_else(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        for user in ("민준", "유나"):
            await client.post("/api/observe", params={**WHOSE, "user": user}, json=TALK)
        assert len((await client.get("/api/scopes")).json()) == 2
        erased = (await client.post("/api/erase", json={"user": "민준"})).json()
        assert (erased["scopes"], erased["memories"], erased["key_destroyed"]) == (1, 1, True)
        assert (await client.get("/api/scopes")).json() == [{"user": "유나", "character": "하루"}]
        assert (await client.post("/api/erase", json={"user": "민준"})).status_code == 404


async def test_what_is_missing_is_made_in_steps(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        await client.post("/api/observe", params=WHOSE, json=TALK)
        done = await client.post("/api/reindex", params=WHOSE)
        assert done.json() == {"terms": 0, "vectors": 0, "links": 0, "more": False}


async def test_windows_tell_where_they_stand(tmp_path: Path) -> None:
    model = ScriptedModel(answers=["no JSON at all"] * 9)
    async with serving(tmp_path, models=model, window=1, worker=False) as (omoide, client):
        assert (await client.get("/api/windows", params=WHOSE)).status_code == 404
        for talk in (TALK, {**TALK, "user": "내일은 부산에 가"}, {**TALK, "user": "기차로 가려고"}):
            await client.post("/api/observe", params=WHOSE, json=talk)
        await omoide.worker.once()
        (window,) = (await client.get("/api/windows", params=WHOSE)).json()
        assert (window["state"], window["attempts"]) == ("waiting", 1)
        assert window["next_try"]
        assert "Unreadable" in window["failure"]
        found = (await client.get("/api/doctor")).json()["findings"]
        assert next(one["state"] for one in found if one["what"] == "extraction") == "note"
        assert (await client.get("/ready")).json()["failed"] == 1
        assert "omoide_extraction_windows_failed 1.0" in (await client.get("/metrics")).text


async def test_the_first_key_closes_the_door(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        body = {"label": "boss", "admin": True}
        key = (await client.post("/api/keys", json=body)).json()["key"]
        assert (await client.get("/api/keys")).status_code == 401
        client.headers["authorization"] = f"Bearer {key}"
        await client.post("/api/keys", json={"label": "game", "users": ["민준"]})
        shown = await client.get("/api/keys")
        assert [one["label"] for one in shown.json()] == ["boss", "game"]
        assert key not in shown.text
        assert (await client.delete("/api/keys/game")).status_code == 204
        assert (await client.delete("/api/keys/game")).status_code == 404


async def test_models_and_prompts_are_set_while_running(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        body = {"model": "qwen", "url": "http://127.0.0.1:9/v1", "output": "prompted"}
        made = await client.put("/api/models/extraction", json=body)
        assert (made.json()["set_by"], made.json()["model"]) == ("row", "qwen")
        shown = {one["task"]: one for one in (await client.get("/api/models")).json()}
        assert (shown["extraction"]["output"], shown["chat"]["model"]) == ("prompted", None)
        for wrong in ({"model": "x"}, {**body, "url": "file:///etc"}, {**body, "key_env": "HOME"}, {"m": 1}):
            assert (await client.put("/api/models/extraction", json=wrong)).status_code == 422
        secret = {**body, "url": "http://me:hunter2@127.0.0.1:9/v1"}
        refused = await client.put("/api/models/extraction", json=secret)
        assert (refused.status_code, "key_env" in refused.text) == (422, True)
        assert "hunter2" not in refused.text
        assert (await client.put("/api/models/cooking", json=body)).status_code == 422
        assert (await client.delete("/api/models/extraction")).status_code == 204
        assert (await client.delete("/api/models/extraction")).status_code == 404

        built_in = {(one["prompt"], one["language"]) for one in (await client.get("/api/prompts")).json()}
        assert ("extraction", "ko") in built_in
        replaced = await client.put("/api/prompts/extraction/ko", json={"body": "요약해 줘"})
        assert replaced.json()["version"] == 1
        for text, told in (
            ("{{ half", "TemplateSyntaxError"),
            ("\n{{ topic }}", "in line 2 nothing is called"),
        ):
            broken = await client.put("/api/prompts/extraction/ko", json={"body": text})
            assert broken.status_code == 422
            assert told in broken.json()["error"]["message"]
        assert (await client.delete("/api/prompts/extraction/ko")).status_code == 204


@pytest.mark.parametrize("name", ["chat.jsonl", "../../x/chat.jsonl", "..", "\0"])
async def test_a_chat_is_imported_once_however_its_file_is_called(tmp_path: Path, name: str) -> None:
    lines = (
        '{"role": "user", "text": "나는 보리차를 제일 좋아해", "session": "첫날"}\n'
        '{"role": "character", "text": "나도!", "session": "첫날"}\n'
    ).encode()
    async with serving(tmp_path) as (_, client):
        headers = {"content-type": "application/json"}
        params = {**WHOSE, "name": name}
        looked = await client.post(
            "/api/import-file", params={**params, "dry_run": True}, content=lines, headers=headers
        )
        assert (looked.status_code, looked.json()["read"], looked.json()["messages"]) == (200, 2, 0)
        for new in (2, 0):
            answer = await client.post("/api/import-file", params=params, content=lines, headers=headers)
            assert (answer.status_code, answer.json()["messages"]) == (200, new)
        exported = (await client.get("/api/export", params=WHOSE)).content
        again = await client.post("/api/import-file", params={"name": "export.jsonl"}, content=exported)
        assert (again.json()["scopes"], again.json()["messages"]) == ([WHOSE], 0)


async def test_an_import_reaches_no_further_than_its_key(tmp_path: Path) -> None:
    key = ApiKeys(tmp_path / "keys.json").add(Access(label="game", users=frozenset({"민준"})))
    lines = '{"role": "user", "text": "안녕", "session": "s"}\n'.encode()
    async with serving(tmp_path, local=False, key=key, request_mb=0.001) as (omoide, client):
        params = {**WHOSE, "user": "유나", "name": "x.jsonl"}
        assert (await client.post("/api/import-file", params=params, content=lines)).status_code == 403
        params = {**WHOSE, "user": "", "name": "x.jsonl"}
        alone = lines.replace(b'"user"', b'"character"')
        assert (await client.post("/api/import-file", params=params, content=alone)).status_code == 403
        nonsense = await client.post("/api/import-file", params={"name": "x"}, content=b"nonsense")
        assert nonsense.status_code == 422
        large = await client.post("/api/import-file", params={"name": "x"}, content=b"x" * 2_000)
        assert large.status_code == 413
        assert await omoide.scopes() == []


async def test_characters_are_listed_shown_and_added(tmp_path: Path) -> None:
    folder = tmp_path / "characters"
    folder.mkdir()
    data = {"name": "Nabi", "description": "A cat"}
    card = json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}).encode()
    async with serving(tmp_path, characters=folder) as (_, client):
        made = await client.post("/api/characters", params={"name": "nabi.json"}, content=card)
        assert (made.status_code, made.json()["id"], made.json()["card"]) == (201, "nabi", True)
        assert "nabi" in [one["id"] for one in (await client.get("/api/characters")).json()]
        assert "A cat" in (await client.get("/api/characters/Nabi")).json()["prompt"]
        assert (await client.get("/api/characters/nobody")).status_code == 404
        again = await client.post("/api/characters", params={"name": "nabi.json"}, content=card)
        assert (again.status_code, again.json()["id"]) == (201, "nabi")
        other = card.replace(b"A cat", b"A dog")
        assert (
            await client.post("/api/characters", params={"name": "nabi.json"}, content=other)
        ).status_code == 422


async def test_a_limited_key_sees_its_own_characters_only(tmp_path: Path) -> None:
    key = ApiKeys(tmp_path / "keys.json").add(Access(label="game", characters=frozenset({"세나"})))
    async with serving(tmp_path, local=False, key=key) as (_, client):
        assert [one["id"] for one in (await client.get("/api/characters")).json()] == ["sena"]
        for name in ("wren", "nobody"):
            assert (await client.get(f"/api/characters/{name}")).status_code == 403


async def test_an_import_means_the_same_character_by_id_and_by_name(tmp_path: Path) -> None:
    lines = b'{"role": "user", "text": "I own a purple submarine"}\n{"role": "character", "text": "wow"}\n'
    keys = ApiKeys(tmp_path / "keys.json")
    key = keys.add(Access(label="game", characters=frozenset({"wren"})))
    async with serving(tmp_path, local=False, key=key) as (omoide, client):
        for name in ("wren", "Wren"):
            params = {"name": "chat.jsonl", "user": "Sam", "character": name}
            answer = await client.post("/api/import-file", params=params, content=lines)
            assert answer.status_code == 200, answer.text
        assert [scope.character for scope in await omoide.scopes()] == ["Wren"]


@pytest.mark.proves("F10")
async def test_an_erasure_that_was_stopped_is_finished_over_http(tmp_path: Path) -> None:
    async with serving(tmp_path) as (omoide, client):
        await client.post("/api/observe", params=WHOSE, json=TALK)
        Erasure(omoide.store).shut(WHOSE["user"])
        found = (await client.get("/api/doctor")).json()
        assert "omoide erase --unfinished" in json.dumps(found)
        assert (await client.post("/api/erase", json={})).status_code == 422
        both = {"user": WHOSE["user"], "unfinished": True}
        assert (await client.post("/api/erase", json=both)).status_code == 422
        erased = (await client.post("/api/erase", json={"unfinished": True})).json()
        assert (erased["scopes"], erased["messages"], erased["key_destroyed"]) == (1, 2, True)
        assert (await client.post("/api/erase", json={"user": WHOSE["user"]})).status_code == 404
