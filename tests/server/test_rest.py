"""Memory over HTTP: the same engine, the same answers, and nothing that a key does not reach."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from serving import WHOSE, serving

from omoide.server.access import Access, ApiKeys

if TYPE_CHECKING:
    from pathlib import Path

TEA = {"user": "나는 보리차를 제일 좋아해", "reply": "나도 좋아해!", "session": "첫날"}


async def test_what_is_observed_is_recalled_with_its_reason(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        observed = (await client.post("/api/observe", params=WHOSE, json=TEA)).json()
        assert (observed["added"], observed["made"]) == (2, 1)
        recalled = (await client.post("/api/recall", params=WHOSE, json={"message": "보리차 좋아해?"})).json()
        (memory,) = recalled["memories"]
        assert memory["why"]["words"]["rank"] == 0
        assert memory["evidence"][0]["quote"] == TEA["user"]
        assert "보리차" in recalled["block"]


async def test_a_memory_is_written_corrected_pinned_forgotten_and_restored(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        made = await client.post("/api/memories", params=WHOSE, json={"text": "민준은 부산에 산다"})
        assert made.status_code == 201
        new = (
            await client.post(
                f"/api/memories/{made.json()['id']}/correct",
                params=WHOSE,
                json={"text": "민준은 대구에 산다"},
            )
        ).json()["id"]
        assert (await client.post(f"/api/memories/{new}/pin", params=WHOSE)).status_code == 204
        shown = (await client.get(f"/api/memories/{new}", params=WHOSE)).json()
        assert (shown["text"], shown["pinned"], shown["kind"]) == ("민준은 대구에 산다", True, "fact")
        assert (await client.delete(f"/api/memories/{new}", params=WHOSE)).json()["memories"] == 1
        assert (await client.get("/api/memories", params=WHOSE)).json() == []
        assert (await client.post(f"/api/memories/{new}/restore", params=WHOSE)).status_code == 204
        assert [one["id"] for one in (await client.get("/api/memories", params=WHOSE)).json()] == [new]


async def test_a_conversation_is_synced_rewound_exported_and_read_again(tmp_path: Path) -> None:
    talk = [
        {"role": "user", "text": "어제 제주도에 다녀왔어", "id": "1"},
        {"role": "character", "text": "재미있었어?", "id": "2"},
        {"role": "user", "text": "귤을 잔뜩 먹었어", "id": "3"},
        {"role": "character", "text": "부럽다", "id": "4"},
    ]
    async with serving(tmp_path) as (_, client):
        synced = await client.post("/api/sync", params=WHOSE, json={"messages": talk, "live": False})
        assert synced.json()["added"] == 4
        rewound = await client.post("/api/rewind", params=WHOSE, json={"to": "2"})
        assert rewound.json()["withdrawn"] == 2
        lines = (await client.get("/api/export", params=WHOSE)).text
        other = {**WHOSE, "user": "유나"}
        headers = {"content-type": "application/x-ndjson"}
        restored = await client.post("/api/import", params=other, content=lines, headers=headers)
        assert restored.json()["messages"] == 2


async def test_reset_and_people(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        await client.post("/api/observe", params=WHOSE, json=TEA)
        people = (await client.get("/api/people", params=WHOSE)).json()
        assert {one["name"] for one in people} == {"민준", "하루"}
        renamed = await client.post("/api/people/민준/rename", params=WHOSE, json={"name": "준"})
        assert renamed.json()["name"] == "준"
        assert (await client.post("/api/reset", params=WHOSE)).json() == {"memories": 1, "messages": 2}


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/recall", {"message": "x", "bogus": 1}, 422),
        ("POST", "/api/recall", {"message": "x", "budget": 3}, 422),
        ("POST", "/api/recall", {}, 422),
        ("POST", "/api/observe", {}, 422),
        ("POST", "/api/observe", {"user": "비밀이야", "at": "yesterday"}, 422),
        ("GET", "/api/memories/nothing", None, 404),
        ("POST", "/api/rewind", {"to": "nowhere"}, 404),
    ],
)
async def test_wrong_input_is_told_in_one_shape_and_never_in_the_words_of_the_request(
    tmp_path: Path, method: str, path: str, body: dict[str, object] | None, status: int
) -> None:
    async with serving(tmp_path) as (_, client):
        await client.post("/api/observe", params=WHOSE, json=TEA)
        answer = await client.request(method, path, params=WHOSE, json=body)
        assert answer.status_code == status
        assert set(answer.json()["error"]) == {"message", "type", "param", "code"}
        assert "비밀" not in answer.text


async def test_an_empty_name_is_told_as_what_it_is(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        answer = await client.get("/api/export", params={**WHOSE, "user": ""})
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith("query.user: it is empty; write something there")


async def test_a_stranger_is_told_nothing_of_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        await client.post("/api/observe", params=WHOSE, json=TEA)
        answer = await client.get("/api/memories", params={**WHOSE, "user": "민주"})
        assert answer.status_code == 404
        assert "민준" not in answer.text


async def test_elsewhere_than_on_loopback_every_route_needs_a_key(tmp_path: Path) -> None:
    async with serving(tmp_path, local=False) as (_, client):
        routes = (await client.get("/openapi.json")).json()["paths"]
        for path, methods in routes.items():
            if path in ("/health", "/ready"):
                continue
            for method in methods:
                answer = await client.request(method, path, params=WHOSE, json={})
                assert answer.status_code == 401, path


async def test_no_path_header_or_body_widens_a_key(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    key = keys.add(Access(label="game", users=frozenset({"민준"}), characters=frozenset({"하루"})))
    async with serving(tmp_path, local=False, key=key) as (omoide, client):
        await omoide.scope(user="유나", character="하루").observe(
            "비밀인데 나 고양이 알레르기 있어", "그렇구나"
        )
        assert (await client.post("/api/observe", params=WHOSE, json=TEA)).status_code == 200
        routes = (await client.get("/openapi.json")).json()["paths"]
        for other in ({**WHOSE, "user": "유나"}, {"character": "하루"}, {**WHOSE, "character": "소라"}):
            for path, methods in routes.items():
                for method, told in methods.items():
                    if not any(one["name"] == "character" for one in told.get("parameters", ())):
                        continue
                    body = {**TEA, "message": "고양이", "user_name": "유나"}
                    headers = {"x-omoide-user": "%EC%9C%A0%EB%82%98", "x-openwebui-user-id": "yuna"}
                    answer = await client.request(method, path, params=other, json=body, headers=headers)
                    assert answer.status_code in (403, 422), path
                    assert "고양이 알레르기" not in answer.text


async def test_a_character_is_one_whether_meant_by_id_or_by_name(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    key = keys.add(Access(label="game", characters=frozenset({"wren"})))
    async with serving(tmp_path, key=key) as (omoide, client):
        for name in ("wren", "Wren"):
            whose = {"user": "민준", "character": name}
            assert (await client.post("/api/observe", params=whose, json=TEA)).status_code == 200
        assert [scope.character for scope in await omoide.scopes()] == ["Wren"]


async def test_the_http_reference_tells_every_route(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        told = (await client.get("/openapi.json")).json()
        for path, methods in told["paths"].items():
            for method, one in methods.items():
                assert one.get("summary") or one.get("description"), (method, path)
        assert json.dumps(told)


@pytest.mark.parametrize(
    ("method", "path", "slip", "known"),
    [
        ("GET", "/api/memories", "limt", "character, kind, limit, status, user"),
        ("GET", "/api/plans", "states", "character, state, user"),
        ("GET", "/api/feelings", "day", "character, days, user"),
        ("GET", "/api/relationship", "usr", "character, user"),
        ("GET", "/api/export", "format", "character, user"),
        ("GET", "/api/windows", "limits", "character, limit, user"),
        ("GET", "/api/jobs", "max", "limit"),
        ("GET", "/api/events", "limit", None),
        ("GET", "/api/models", "task", None),
        ("DELETE", "/api/memories/m1", "ids", "character, user"),
        ("DELETE", "/api/messages/m1", "session", "character, user"),
        ("DELETE", "/api/keys/mine", "tenant", None),
        ("POST", "/api/purge", "nwo", "character, now, user"),
    ],
)
async def test_no_route_takes_a_parameter_that_it_does_not_know(
    tmp_path: Path, method: str, path: str, slip: str, known: str | None
) -> None:
    takes = "none is known here" if known is None else f"choose from {known}"
    whose = WHOSE if known is not None and "character" in known else {}
    async with serving(tmp_path) as (_, client):
        await client.post("/api/observe", params=WHOSE, json=TEA)
        refused = await client.request(method, path, params={**whose, slip: "1"})
        kept = await client.get("/api/memories", params=WHOSE)

    assert refused.status_code == 422
    assert refused.json()["error"]["message"] == f"no parameter is called {slip!r}; {takes}"
    assert len(kept.json()) == 1


async def test_who_may_not_call_learns_of_no_parameter(tmp_path: Path) -> None:
    ApiKeys(tmp_path / "keys.json").add(Access(label="mine"))
    async with serving(tmp_path) as (_, client):
        assert (await client.get("/api/memories", params={**WHOSE, "limt": "1"})).status_code == 401


async def test_health_answers_whatever_a_probe_adds(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        assert (await client.get("/health", params={"t": "1"})).status_code == 200
