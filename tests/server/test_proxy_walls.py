"""What of the upstream is nothing for limited keys and tokens: what it keeps, and how it is run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from serving import serving

from omoide.server.access import Access, ApiKeys
from omoide.server.proxy.walls import may_ask, names_stored

if TYPE_CHECKING:
    from pathlib import Path

    from omoide.testing import FakeModelServer

ASKED: dict[str, Any] = {"model": "fake", "input": "안녕"}
SHOWN: dict[str, Any] = {"model": "fake", "messages": [{"role": "user", "content": "안녕"}]}


@pytest.mark.parametrize(
    ("method", "path", "key", "token"),
    [
        ("GET", "models", True, True),
        ("HEAD", "models", True, True),
        ("GET", "models/meta-llama/Llama-3", True, True),
        ("DELETE", "models/fake", False, False),
        ("POST", "models", False, False),
        ("POST", "models/load", False, False),
        ("POST", "models/unload", False, False),
        ("PUT", "models/fake", False, False),
        ("PATCH", "models/fake", False, False),
        ("OPTIONS", "models", False, False),
        ("GET", "models/..%2Ffiles", False, False),
        ("POST", "embeddings", True, False),
        ("POST", "audio/speech", True, False),
        ("POST", "images/edits", True, False),
        ("POST", "rerank", True, False),
        ("GET", "embeddings", False, False),
        ("DELETE", "images/one", False, False),
        ("POST", "audio/voices", False, False),
        ("GET", "completions/one", False, False),
        ("POST", "completions/one", False, False),
        ("POST", "files", False, False),
        ("POST", "slots/0", False, False),
        ("POST", "lora-adapters", False, False),
        ("POST", "responses/compact", False, False),
        ("POST", "", False, False),
    ],
)
def test_who_reaches_a_part_may_ask_only_what_keeps_and_changes_nothing(
    method: str, path: str, key: bool, token: bool
) -> None:
    assert may_ask(method, path, token=False) == key
    assert may_ask(method, path, token=True) == token


STORED: list[dict[str, Any]] = [
    {"input": [{"role": "user", "content": [{"type": "input_file", "file_id": "file-1"}]}]},
    {"messages": [{"role": "user", "content": [{"type": "file", "file": {"file_id": "file-1"}}]}]},
    {"messages": [{"role": "assistant", "audio": {"id": "audio-1"}}]},
    {"input": [{"type": "item_reference", "id": "msg-1"}]},
    {"input": [{"id": "msg-1"}]},
    {"input": [{"type": "image_generation_call", "id": "ig-1", "status": "completed"}]},
    {"input": [{"type": "image_generation_call", "id": "ig-1", "result": None}]},
    {"input": [{"type": "item_reference", "id": "msg-1", "note": "x"}]},
    {"tools": [{"type": "file_search", "vector_store_ids": ["vs-1"]}]},
    {"tools": [{"type": "code_interpreter", "container": "cntr-1"}]},
    {"tools": [{"type": "code_interpreter", "container": {"type": "auto", "file_ids": ["file-1"]}}]},
    {"tools": [{"type": "shell", "environment": {"type": "container_reference", "container_id": "c"}}]},
    {"prompt": {"id": "pmpt-1", "version": "2"}},
    {"voice": {"id": "voice-1"}},
    {"background": True},
    {"previous_response_id": "resp-1", "conversation": "conv-1"},
]

OWN: list[dict[str, Any]] = [
    {"input": [{"role": "user", "content": [{"type": "input_file", "file_data": "data:,x"}]}]},
    {"input": [{"type": "message", "id": "msg-1", "role": "assistant", "content": []}]},
    {"input": [{"type": "function_call", "id": "fc-1", "call_id": "c", "name": "x", "arguments": "{}"}]},
    {"messages": [{"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {}}]}]},
    {"tools": [{"type": "function", "parameters": {"properties": {"file_id": {}}, "default": {"id": "x"}}}]},
    {"tools": [{"type": "code_interpreter", "container": {"type": "auto"}}]},
    {"prompt": "옛날 옛적에"},
    {"prompt": ["once", "upon"]},
    {"metadata": {"id": "x", "file_id": "y"}},
    {"background": False},
    {"conversation": {"id": "conv-1"}, "previous_response_id": None},
    {"voice": "alloy"},
]


@pytest.mark.parametrize(("bodies", "stored"), [(STORED, True), (OWN, False)])
def test_a_body_names_what_the_upstream_keeps(bodies: list[dict[str, Any]], stored: bool) -> None:
    for body in bodies:
        assert names_stored(json.dumps(body).encode()) == stored, body


def test_a_field_that_stands_twice_hides_nothing() -> None:
    assert names_stored(b'{"file_id": "file-1", "file_id": null}')
    assert names_stored(b'{"previous_response_id": "theirs", "previous_response_id": "ours"}')


async def test_a_limited_key_neither_changes_models_nor_names_what_is_stored(
    tmp_path: Path, upstream: FakeModelServer
) -> None:
    keys = ApiKeys(tmp_path / "keys.json")
    key = keys.add(Access(label="game", users=frozenset({"yuna"}), characters=frozenset({"haru"})))
    whole = {"x-api-key": keys.add(Access(label="all"))}
    async with serving(tmp_path, local=False, key=key, upstream=upstream.url) as (_, client):
        for method, path in (("DELETE", "models/fake"), ("POST", "models/load")):
            refused = await client.request(method, f"/v1/{path}", json={"model": "fake"})
            assert refused.status_code == 403
        for body in STORED:
            for path, usual in (("responses", ASKED), ("chat/completions", SHOWN), ("embeddings", ASKED)):
                refused = await client.post(f"/v1/{path}", json={**usual, **body})
                assert refused.status_code == 403, (path, body)
        assert (await client.post("/v1/embeddings", content=b"{")).status_code == 422
        assert not upstream.requests
        assert (await client.get("/v1/models")).status_code == 200
        assert (await client.post("/v1/chat/completions", json=SHOWN)).status_code == 200
        shown = {"model": "fake", "input": STORED[0]["input"]}
        del client.headers["authorization"]
        assert (await client.post("/v1/responses", json=shown, headers=whole)).status_code == 200
