"""One server, several tenants: a key reaches nothing of another one, whatever route, path, header or body."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from serving import serving
from sqlalchemy import select

from omoide.errors import InvalidInput
from omoide.server.access import Access, ApiKeys
from omoide.stores.jobs import Jobs
from omoide.stores.tables import metadata
from omoide.testing import FakeModelServer, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    import httpx2

    from omoide import Omoide

MINE, THEIRS = "acme", "beta"
SECRET = "okapi"
"""A word that the other tenant says in every place that can hold one."""

LABEL = "their-key"
WHOSE = {"user": "민준", "character": "하루"}
CARD = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": SECRET, "description": SECRET}}

BODIES: dict[str, Any] = {
    "POST /chat/stream": {
        "session_id": "첫날",
        "message": "뭐라고 했더라?",
        "user_name": "민준",
        "character": "하루",
    },
    "POST /api/observe": {"user": "안녕", "reply": "응", "session": "첫날"},
    "POST /api/sync": {"messages": [{"role": "user", "text": "안녕"}], "session": "첫날"},
    "POST /api/rewind": {"to": "{message}", "session": "첫날"},
    "POST /api/recall": {"message": "인형이 뭐였지?", "session": "첫날"},
    "POST /api/memories": {"text": "mine"},
    "POST /api/memories/{memory}/correct": {"text": "mine now"},
    "POST /api/forget": {"ids": ["{memory}"]},
    "POST /api/people/{person}/rename": {"name": "누구"},
    "POST /api/people/{person}/merge": {"other": "{person}"},
    "POST /api/erase": {"user": "민준"},
    "POST /api/keys": {"label": "theirs", "admin": True},
    "PUT /api/models/{task}": {"model": "mine", "url": "http://127.0.0.1:9/v1"},
    "PUT /api/prompts/{name}/{language}": {"body": "mine"},
    "POST /api/diary": {
        "diaries": [{"text": "mine", "layer": "direct", "confidence": 9, "event": "{event}"}]
    },
    "POST /api/events": {"name": "{event}", "participants": ["하루"]},
    "POST /api/discussions": {"topic": "x", "characters": ["wren", "sora"]},
    "POST /api/jobs/{job}/resume": {},
    "POST /api/candidates/{memory}/reject": {"reason": "no"},
    "POST /api/tokens": WHOSE,
}
"""What is sent, by route; `{…}` stands for what another tenant has."""

RAW = {
    "POST /api/import": ("application/x-ndjson", b""),
    "POST /api/import-file": ("application/octet-stream", b"user: hi\nharu: hello\n"),
    "POST /api/characters": ("application/octet-stream", b"{}"),
}


@pytest.fixture
def upstream() -> Iterator[FakeModelServer]:
    with FakeModelServer("응!") as served:
        yield served


@asynccontextmanager
async def two(
    folder: Path, **given: Any
) -> AsyncIterator[tuple[Omoide, httpx2.AsyncClient, dict[str, str], dict[str, str]]]:
    """A server with two tenants; a client, and the headers of an admin of each."""
    (folder / "characters").mkdir()
    keys = ApiKeys(folder / "keys.json")
    mine = keys.add(Access(label="boss", tenant=MINE, admin=True))
    theirs = keys.add(Access(label="boss", tenant=THEIRS, admin=True))
    async with serving(
        folder, local=False, characters=folder / "characters", worker=False, recall_seconds=60, **given
    ) as (omoide, client):
        yield omoide, client, {"x-api-key": mine}, {"x-api-key": theirs}


async def their_things(omoide: Omoide, client: httpx2.AsyncClient, headers: dict[str, str]) -> dict[str, str]:
    """Let the other tenant live; what of it could be named in a request."""

    async def done(method: str, path: str, **more: Any) -> Any:
        answer = await client.request(method, path, headers=headers, **more)
        assert answer.status_code < 300, (path, answer.text)
        return answer.json() if answer.content else None

    said = {"user": f"나는 {SECRET} 인형을 제일 좋아해", "reply": f"{SECRET} 귀여워", "session": "첫날"}
    said_ids = await done("POST", "/api/observe", params=WHOSE, json=said)
    note = {"text": f"민준 calls the cat {SECRET}", "pinned": True}
    made = await done("POST", "/api/memories", params=WHOSE, json=note)
    event = {"name": f"the day of the {SECRET}", "participants": ["하루"], "description": SECRET}
    await done("POST", "/api/events", json=event)
    diary = {"text": f"the {SECRET} ran", "layer": "direct", "confidence": 9, "event": event["name"]}
    await done("POST", "/api/diary", params={"character": "하루"}, json={"diaries": [diary]})
    await done("POST", "/api/keys", json={"label": LABEL})
    await done("PUT", "/api/models/scoring", json={"model": SECRET, "url": "http://127.0.0.1:9/v1"})
    prompts = await done("GET", "/api/prompts")
    prompt = next(one for one in prompts if one["language"] == "ko")
    await done("PUT", f"/api/prompts/{prompt['prompt']}/ko", json={"body": SECRET})
    card = {"params": {"name": "theirs.json"}, "content": json.dumps(CARD).encode()}
    raw = {**headers, "content-type": "application/octet-stream"}
    answer = await client.post("/api/characters", headers=raw, **card)
    assert answer.status_code == 201, answer.text
    job = await omoide.run(lambda: Jobs(omoide.store.of(THEIRS)).add("discussion", f'"{SECRET}"').id)
    people = await done("GET", "/api/people", params=WHOSE)
    return {
        "memory": made["id"],
        "message": said_ids["messages"][0],
        "person": people[0]["id"],
        "label": LABEL,
        "task": "scoring",
        "event": event["name"],
        "job": job,
        "name": prompt["prompt"],
        "language": "ko",
        **WHOSE,
    }


def filled(value: Any, things: dict[str, str]) -> Any:
    text = json.dumps(value, ensure_ascii=False)
    for name, thing in things.items():
        text = text.replace(f"{{{name}}}", thing)
    return json.loads(text)


async def walk(
    client: httpx2.AsyncClient, headers: dict[str, str], things: dict[str, str]
) -> AsyncIterator[tuple[str, httpx2.Response]]:
    """Call every route of the server with what is another tenant's."""
    spec = (await client.get("/openapi.json")).json()
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            route = f"{method.upper()} {path}"
            query = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
            params = {name: value for name, value in {**WHOSE, "name": "x.txt"}.items() if name in query}
            sent: dict[str, Any] = {"params": params, "headers": dict(headers)}
            takes = (operation.get("requestBody") or {}).get("content", {})
            if route in RAW:
                sent["headers"]["content-type"], sent["content"] = RAW[route]
            elif "/v1/" in path:
                talk = [{"role": "user", "content": "인형이 뭐였지?"}]
                sent["json"] = {"model": "m", "messages": talk, "input": talk, "user": "민준"}
                sent["headers"] |= {"x-omoide-character": "%ED%95%98%EB%A3%A8"}
            elif "application/json" in takes:
                sent["json"] = filled(BODIES[route], things)
            place = {**things, "name": things["event"]} if "/events/" in path else things
            place = {**place, "name": "theirs"} if "/characters/" in path else place
            yield route, await client.request(method, path.format(**place), **sent)


def rows(omoide: Omoide) -> dict[str, list[Any]]:
    """Everything that a tenant has in the store."""
    with omoide.store.database.of(THEIRS).read() as connection:
        return {
            table.name: connection.execute(
                select(table).where(table.c.tenant == THEIRS).order_by(*table.primary_key.columns)
            ).all()
            for table in metadata.sorted_tables
        }


@pytest.mark.parametrize("kind", ["admin", "limited", "token", "nobody", "forged"])
async def test_no_route_shows_or_changes_what_is_another_tenants(
    tmp_path: Path, upstream: FakeModelServer, kind: str
) -> None:
    async with two(tmp_path, upstream=upstream.url, models=ScriptedModel(replies=["응"] * 50)) as (
        omoide,
        client,
        mine,
        theirs,
    ):
        things = await their_things(omoide, client, theirs)
        await client.post("/api/observe", params=WHOSE, json=BODIES["POST /api/observe"], headers=mine)
        limited = {"label": "app", "users": ["민준"], "characters": ["하루"], "issue": True}
        headers = {
            "admin": mine,
            "limited": {
                "x-api-key": (await client.post("/api/keys", json=limited, headers=mine)).json()["key"]
            },
            "token": {
                "x-api-key": (await client.post("/api/tokens", json=WHOSE, headers=mine)).json()["token"]
            },
            "nobody": {},
            "forged": {"x-api-key": "omo_" + "x" * 43},
        }[kind]
        before = rows(omoide)
        assert len(before["messages"]) == 2
        statuses: dict[str, int] = {}
        async for route, answer in walk(client, headers, things):
            statuses[route] = answer.status_code
            assert SECRET not in answer.text.replace(things["event"], ""), (route, answer.text)
            assert answer.status_code < 500 or "doctor" in route, (route, answer.text)
        sent = repr([asked.body for asked in upstream.requests])
        assert SECRET not in sent
        assert rows(omoide) == before
        open_to_all = {"GET /health", "GET /ready"}
        if kind in ("nobody", "forged"):
            refused = {route for route, status in statuses.items() if status in (401, 403)}
            assert set(statuses) - refused == open_to_all
        if kind in ("limited", "token"):
            admins = {route for route in statuses if any(part in route for part in _ADMINS)}
            assert {statuses[route] for route in admins} == {403}
        labels = [one["label"] for one in (await client.get("/api/keys", headers=theirs)).json()]
        assert labels == ["boss", LABEL]


_ADMINS = (
    "/api/keys",
    "/api/models",
    "/api/prompts",
    "/api/scopes",
    "/api/erase",
    "/api/doctor",
    "/api/reindex",
    "/api/windows",
    "/api/jobs",
    "/api/candidates",
    "/api/discussions",
    "/api/events",
    "POST /api/characters",
    "DELETE /api/tokens",
    "/metrics",
)


async def test_figures_of_the_whole_server_are_for_its_own_keys(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, client, mine, _theirs):
        own = {"x-api-key": ApiKeys(tmp_path / "keys.json").add(Access(label="prometheus"))}
        assert (await client.get("/metrics", headers=mine)).status_code == 403
        await client.post("/api/observe", params=WHOSE, json=BODIES["POST /api/observe"], headers=mine)
        shown = (await client.get("/metrics", headers=own)).text
        assert "omoide_extraction_scopes 1.0" in shown


async def test_a_server_of_one_tenant_serves_no_other(tmp_path: Path) -> None:
    async with two(tmp_path, tenant=MINE) as (_, client, mine, theirs):
        assert (await client.get("/api/scopes", headers=mine)).status_code == 200
        assert (await client.get("/api/scopes", headers=theirs)).status_code == 401
        plain = {"x-api-key": ApiKeys(tmp_path / "keys.json").add(Access(label="plain", admin=True))}
        assert (await client.get("/api/scopes", headers=plain)).status_code == 401


async def test_more_tenants_than_are_held_ready_are_served_all_the_same(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    made = {name: keys.add(Access(label="app", tenant=name)) for name in ("a", "b", "c", "d")}
    async with serving(tmp_path, local=False, open_tenants=2, embedder="none") as (_, client):
        for turn in range(2):
            for name, key in made.items():
                headers, said = {"x-api-key": key}, {"user": f"{name}-{turn} 보리차 좋아", "reply": "응"}
                answer = await client.post("/api/observe", params=WHOSE, json=said, headers=headers)
                assert answer.status_code == 200, answer.text
        for name, key in made.items():
            listed = await client.get("/api/export", params=WHOSE, headers={"x-api-key": key})
            assert f"{name}-1 " in listed.text
            assert not any(f"{other}-1 " in listed.text for other in made if other != name)


def test_a_key_is_for_a_tenant_that_can_be(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="tenant"):
        ApiKeys(tmp_path / "keys.json").add(Access(label="x", tenant="A B"))


def test_two_tenants_may_use_one_label(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    first, second = (keys.add(Access(label="app", tenant=tenant)) for tenant in ("a", "b"))
    keys.remove("app", tenant="a")
    assert keys.find(first) is None
    assert keys.find(second) == Access(label="app", tenant="b")


def test_a_file_of_keys_from_before_tenants_still_holds(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    made = keys.add(Access(label="old"))
    entries = json.loads(keys.file.read_text())
    keys.file.write_text(
        json.dumps([{k: v for k, v in one.items() if k not in ("tenant", "issue")} for one in entries])
    )
    assert ApiKeys(keys.file).find(made) == Access(label="old")
