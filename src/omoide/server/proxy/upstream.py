"""The server behind the proxy: what goes to it, and how its answer comes back byte for byte."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import httpx2
from starlette.responses import Response, StreamingResponse

from omoide.server.errors import answer
from omoide.server.proxy.watch import Watcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "content-length",
        "host",
        "accept-encoding",
        "expect",
    }
)
"""Headers that belong to one connection, and those that httpx2 makes itself."""

_PING = b": ping\n\n"
_BROKEN = (
    b'data: {"error":{"message":"the upstream broke off","type":"upstream_error",'
    b'"param":null,"code":null}}\n\n'
)
_CONNECT = 10.0
_SILENCE = 600.0
"""Seconds that an upstream may think between two pieces."""


def connections() -> httpx2.AsyncClient:
    """A client for upstreams; redirects are the client's business."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=50)
    timeout = httpx2.Timeout(_SILENCE, connect=_CONNECT)
    return httpx2.AsyncClient(timeout=timeout, limits=limits, follow_redirects=False, trust_env=False)


def passed_on(
    headers: Iterable[tuple[str, str]], *, key: str | None, drop_key: bool
) -> list[tuple[str, str]]:
    """The headers that an upstream gets.

    Args:
        headers: of the client's request.
        key: the upstream's own key, in place of the client's.
        drop_key: whether the client's `Authorization` is a key of ours, which never goes up.
    """
    kept = [
        (name, value)
        for name, value in headers
        if name.lower() not in _HOP
        and not name.lower().startswith("x-omoide-")
        and not (name.lower() == "x-api-key" and drop_key)
        and not (name.lower() == "authorization" and (key is not None or drop_key))
    ]
    if key is not None:
        kept.append(("authorization", f"Bearer {key}"))
    return [*kept, ("accept-encoding", "identity")]


async def forward(
    client: httpx2.AsyncClient,
    request: httpx2.Request,
    *,
    told: dict[str, str],
    ping_every: float | None,
    finished: Callable[[Watcher], Awaitable[None]] | None,
    failed: Callable[[str], None],
) -> Response:
    """Send a request up, and hand the answer down as it comes.

    Args:
        client: the connections.
        request: what goes up.
        told: headers of ours that the answer carries.
        ping_every: seconds of silence after which a comment goes down a stream; None: never.
        finished: called with what was said after the last byte of an answer without error has gone down.
        failed: told of trouble with the upstream, by kind.
    """
    try:
        response = await client.send(request, stream=True)
    except httpx2.HTTPError as error:
        failed(type(error).__name__)
        return _unreachable(error)
    headers = [(name, value) for name, value in response.headers.multi_items() if name.lower() not in _HOP]
    if response.status_code >= 500:
        failed(str(response.status_code))
    is_stream = "text/event-stream" in response.headers.get("content-type", "")
    watched = finished if response.status_code == 200 else None
    pieces = _streamed(response, ping_every if is_stream else None, watched, failed, is_stream=is_stream)
    passed = StreamingResponse(pieces, status_code=response.status_code)
    passed.raw_headers = [(n.encode("latin-1"), v.encode("latin-1")) for n, v in [*headers, *told.items()]]
    return passed


def _unreachable(error: Exception) -> Response:
    kind = type(error).__name__
    status = 504 if isinstance(error, httpx2.TimeoutException) else 502
    return answer(
        status, "upstream_error", f"the upstream cannot be reached ({kind}); see the setting upstream"
    )


async def _streamed(
    response: httpx2.Response,
    ping_every: float | None,
    finished: Callable[[Watcher], Awaitable[None]] | None,
    failed: Callable[[str], None],
    *,
    is_stream: bool,
) -> AsyncIterator[bytes]:
    watcher = Watcher()
    whole: list[bytes] = []
    try:
        async for piece in _pinged(response.aiter_raw(), ping_every, watcher):
            yield piece
            if is_stream and piece is not _PING:
                watcher.feed(piece)
            elif finished is not None:
                whole.append(piece)
    except httpx2.HTTPError as error:
        failed(type(error).__name__)
        if is_stream:
            # The status has gone down already; this is how the protocol tells of trouble after that.
            yield _BROKEN
        return
    finally:
        await response.aclose()  # also where the client is gone, which ends the request above
    if finished is not None:
        if not is_stream:
            watcher.whole(b"".join(whole))
        await finished(watcher)


async def _pinged(
    pieces: AsyncIterator[bytes], every: float | None, watcher: Watcher
) -> AsyncIterator[bytes]:
    """The pieces, with a comment wherever it has been silent between two events for long."""
    waiting: asyncio.Future[bytes] | None = None
    try:
        while True:
            waiting = waiting or asyncio.ensure_future(anext(pieces))
            done, _ = await asyncio.wait({waiting}, timeout=every)
            if done:
                piece, waiting = waiting.result(), None
                yield piece
            elif watcher.between:
                yield _PING
    except StopAsyncIteration:
        return
    finally:
        if waiting is not None:
            waiting.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration, httpx2.HTTPError):
                await waiting
