"""Who may talk to the server at all (ruling 27)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from omoide.server.guard import Guard

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


async def call(guard: Guard, *, host: str = "127.0.0.1:8765", **given: Any) -> httpx2.Response:
    transport = httpx2.ASGITransport(app=guard)
    headers = {"host": host, **given.pop("headers", {})}
    async with httpx2.AsyncClient(transport=transport, base_url="http://x") as client:
        return await client.post("/", headers=headers, **given)


def guarded(**given: Any) -> Guard:
    usual: dict[str, Any] = {"hosts": (), "origins": (), "local": True, "most_bytes": 100, "at_once": 2}
    return Guard(echo, **{**usual, **given})


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost", "[::1]:8765", "LOCALHOST:1"])
async def test_loopback_names_are_known(host: str) -> None:
    assert (await call(guarded(), host=host)).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8765", "localhost.evil", ""])
async def test_a_name_that_was_rebound_to_this_machine_is_refused(host: str) -> None:
    answer = await call(guarded(), host=host)
    assert answer.status_code == 421
    assert "allowed_hosts" in answer.json()["error"]["message"]


async def test_elsewhere_a_list_of_names_counts_and_none_means_any() -> None:
    assert (await call(guarded(local=False), host="memory.example")).status_code == 200
    listed = guarded(local=False, hosts=["memory.example"])
    assert (await call(listed, host="memory.example")).status_code == 200
    assert (await call(listed, host="other.example")).status_code == 421


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:8765", 200),
        ("https://chat.example", 200),
        ("https://evil.example", 403),
        ("null", 403),
        ("http://127.0.0.1:9999", 403),
    ],
)
async def test_pages_of_unlisted_origins_may_not_call(origin: str, status: int) -> None:
    guard = guarded(origins=["https://chat.example"])
    assert (await call(guard, headers={"origin": origin})).status_code == status


async def test_a_body_that_is_too_large_is_refused_however_it_comes() -> None:
    async def pieces() -> Any:
        for _ in range(30):
            yield b"0123456789"

    assert (await call(guarded(), content=b"x" * 100)).status_code == 200
    refused = await call(guarded(), content=b"x" * 101)
    assert refused.status_code == 413
    assert refused.json()["error"]["code"] is None  # as in every other error
    assert (await call(guarded(), content=pieces())).status_code == 413


async def test_what_others_make_of_a_body_that_is_too_large_goes_nowhere() -> None:
    async def catching(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await echo(scope, receive, send)
        except Exception:  # noqa: BLE001 - as FastAPI does, which answers 400
            await send({"type": "http.response.start", "status": 400, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    async def pieces() -> Any:
        for _ in range(30):
            yield b"0123456789"

    guard = Guard(catching, hosts=(), origins=(), local=True, most_bytes=100, at_once=2)
    assert (await call(guard, content=pieces())).status_code == 413
    assert (await call(guard, content=b"x")).status_code == 200


async def test_too_many_at_once_are_asked_to_come_again() -> None:
    go_on, entered = asyncio.Event(), asyncio.Semaphore(0)

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        entered.release()
        await go_on.wait()
        await echo(scope, receive, send)

    guard = Guard(slow, hosts=(), origins=(), local=True, most_bytes=100, at_once=2)
    under_way = [asyncio.create_task(call(guard)) for _ in range(2)]
    for _ in range(2):
        await entered.acquire()
    refused = await call(guard)
    go_on.set()
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    assert [(await task).status_code for task in under_way] == [200, 200]
    assert (await call(guard)).status_code == 200
