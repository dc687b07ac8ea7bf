"""What the server tells of its calls: the errors that each may answer with, and bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from proxied import CHAT, talk
from serving import WHOSE, serving

from omoide.server.access import Access, ApiKeys

if TYPE_CHECKING:
    from pathlib import Path

    import httpx2


async def _told(client: httpx2.AsyncClient) -> dict[str, Any]:
    return (await client.get("/openapi.json")).json()


async def test_each_call_tells_of_its_errors_in_one_shape(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        told = await _told(client)
    shape = {"$ref": "#/components/schemas/ErrorView"}
    for path, methods in told["paths"].items():
        for method, call in methods.items():
            errors = {status for status in call["responses"] if status >= "4"}
            assert {"403", "413", "421", "500", "503"} <= errors, (method, path)
            if call["tags"] != ["health"]:
                assert {"401", "422", "429"} <= errors, (method, path)
            for status in errors - ({"503"} if path == "/ready" else set()):
                content = call["responses"][status]["content"]
                assert content["application/json"]["schema"] == shape, (method, path, status)
    proxied = [call["post"] for path, call in told["paths"].items() if path.endswith("/v1/chat/completions")]
    assert len(proxied) == 4
    for call in proxied:
        assert {"400", "502", "504"} <= set(call["responses"])
        schema = call["requestBody"]["content"]["application/json"]["schema"]
        assert {"model", "messages"} <= set(schema["required"])


@pytest.mark.parametrize(
    ("key", "method", "path", "query", "body", "status"),
    [
        ("none", "GET", "/api/memories", WHOSE, None, 401),
        ("none", "GET", "/metrics", {}, None, 401),
        ("none", "POST", "/v1/chat/completions", {}, talk("안녕"), 401),
        ("limited", "GET", "/api/memories", WHOSE, None, 403),
        ("limited", "GET", "/api/scopes", {}, None, 403),
        ("whole", "GET", "/api/memories", WHOSE, None, 404),
        ("whole", "GET", "/api/plans", WHOSE, None, 404),
        ("whole", "POST", "/api/rewind", WHOSE, {"to": "nowhere"}, 404),
        ("whole", "GET", "/api/jobs/{job}", {}, None, 404),
        ("whole", "GET", "/api/search", {**WHOSE, "bogus": "1"}, None, 422),
        ("whole", "POST", "/chat/stream", {}, {}, 422),
        ("whole", "POST", "/api/observe", WHOSE, {"user": "바다" * 40_000}, 413),
        ("whole", "POST", "/v1/chat/completions", {}, talk("안녕"), 502),
    ],
)
async def test_what_a_call_is_answered_with_is_told_of_it(
    tmp_path: Path, key: str, method: str, path: str, query: dict[str, str], body: Any, status: int
) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    given = {
        "limited": keys.add(Access(label="game", users=frozenset({"유나"}))),
        "whole": keys.add(Access(label="all", admin=True)),
        "none": "nonsense",
    }[key]
    gone = "http://127.0.0.1:9/v1"
    async with serving(tmp_path, local=False, key=given, upstream=gone, request_mb=0.1) as (_, client):
        answer = await client.request(method, path.format(job="none"), params=query, json=body)
        assert answer.status_code == status
        assert set(answer.json()) == {"error"}
        assert set(answer.json()["error"]) == {"message", "type", "param", "code"}
        del client.headers["authorization"]
        assert str(status) in (await _told(client))["paths"][path][method.lower()]["responses"]


async def test_too_many_requests_are_told_of(tmp_path: Path) -> None:
    async with serving(tmp_path, requests_per_minute=1, upstream="http://127.0.0.1:9/v1") as (_, client):
        answers = [await client.post(CHAT, json=talk("안녕")) for _ in range(2)]
        assert answers[1].status_code == 429
        assert "429" in (await _told(client))["paths"]["/v1/chat/completions"]["post"]["responses"]
