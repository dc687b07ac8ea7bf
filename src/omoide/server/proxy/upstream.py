"""The server behind the proxy: what goes to it, and how its answer comes back byte for byte."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import httpx2
from starlette.responses import Response, StreamingResponse

from omoide.server.errors import answer
from omoide.server.proxy.ours import holds_ours
from omoide.server.proxy.watch import Watcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable

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
    b"\n\n"  # which ends the event that it broke off in
    b'data: {"error":{"message":"the upstream broke off","type":"upstream_error",'
    b'"param":null,"code":null}}\n\n'
)
_CLIENT_GONE = 499
"""A status that nobody reads; logs know it from other servers."""

_LONGEST = 64_000_000
"""Bytes of an answer in one piece that are looked at."""

_KEPT = 60.0
"""Seconds that a connection is kept for the next turn: people take longer to read than to open one takes."""

_CONNECT = 10.0
_SILENCE = 600.0
"""Seconds that an upstream may think between two pieces."""


class BrokenOff(Exception):
    """The upstream broke off within an answer that cannot tell so; neither may ours come to its end."""


def connections() -> httpx2.AsyncClient:
    """A client for upstreams; redirects are the client's business."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=50, keepalive_expiry=_KEPT)
    timeout = httpx2.Timeout(_SILENCE, connect=_CONNECT)
    return httpx2.AsyncClient(timeout=timeout, limits=limits, follow_redirects=False, trust_env=False)


def passed_on(headers: Iterable[tuple[str, str]], *, key: str | None) -> list[tuple[str, str]]:
    """The headers that an upstream gets, without those that hold a key or a token of ours.

    Args:
        headers: of the client's request.
        key: the upstream's own key, in place of the client's.
    """
    kept = [
        (name, value)
        for name, value in headers
        if name.lower() not in _HOP
        and not name.lower().startswith("x-omoide-")
        and not holds_ours(f"{name}: {value}".encode("latin-1"))
        and not (name.lower() == "authorization" and key is not None)
    ]
    if key is not None:
        kept.append(("authorization", f"Bearer {key}"))
    return [*kept, ("accept-encoding", "identity")]


async def forward(
    client: httpx2.AsyncClient,
    request: httpx2.Request,
    *,
    told: Iterable[tuple[str, str]],
    ping_every: float | None,
    watcher: Watcher | None,
    ended: Callable[[], None],
    failed: Callable[[str], None],
    gone: Callable[[], Awaitable[None]],
) -> Response:
    """Send a request up, and hand the answer down as it comes.

    Args:
        client: the connections.
        request: what goes up.
        told: headers of ours that the answer carries.
        ping_every: seconds of silence after which a comment goes down a stream; None: never.
        watcher: what sees a copy of the answer.
        ended: called once the watcher has seen an answer without error to its end.
        failed: told of trouble with the upstream, by kind.
        gone: returns when the client has gone away.
    """
    try:
        response = await _unless_gone(client.send(request, stream=True), gone)
    except httpx2.HTTPError as error:
        failed(type(error).__name__)
        return _unreachable(error)
    if response is None:
        return Response(status_code=_CLIENT_GONE)
    if response.status_code >= 500:
        failed(str(response.status_code))
    watched = watcher if response.status_code == 200 else None
    pieces = _Pieces(response, ping_every, watched, ended, failed)
    passed = StreamingResponse(aiter(pieces), status_code=response.status_code)
    headers = [
        (name, value)
        for name, value in response.headers.multi_items()
        if name.lower() not in _HOP and name.lower() != "date"  # which our own server sends
    ]
    passed.raw_headers = [(n.encode("latin-1"), v.encode("latin-1")) for n, v in [*headers, *told]]
    return passed


async def _unless_gone(
    asking: Coroutine[Any, Any, httpx2.Response], gone: Callable[[], Awaitable[None]]
) -> httpx2.Response | None:
    """The answer; None where the client goes away before it comes, which ends the request above."""
    asked = asyncio.ensure_future(asking)
    left = asyncio.ensure_future(gone())
    try:
        await asyncio.wait({asked, left}, return_when=asyncio.FIRST_COMPLETED)
        return asked.result() if asked.done() else None
    finally:
        left.cancel()
        if not asked.done():
            asked.cancel()
            with suppress(asyncio.CancelledError, httpx2.HTTPError):
                await asked


def _unreachable(error: Exception) -> Response:
    kind = type(error).__name__
    status = 504 if isinstance(error, httpx2.TimeoutException) else 502
    return answer(
        status, "upstream_error", f"the upstream cannot be reached ({kind}); see the setting upstream"
    )


class _Pieces:
    """The bytes of an answer, on their way down."""

    def __init__(
        self,
        response: httpx2.Response,
        ping_every: float | None,
        watcher: Watcher | None,
        ended: Callable[[], None],
        failed: Callable[[str], None],
    ) -> None:
        encoding = response.headers.get("content-encoding", "")
        self._response = response
        self._is_stream = "text/event-stream" in response.headers.get("content-type", "").lower()
        self._plain_stream = self._is_stream and encoding in ("", "identity")
        self._ping_every = ping_every if self._plain_stream else None
        self._watcher = watcher
        self._between = watcher or Watcher()
        self._ended = ended
        self._failed = failed
        self._between.encoded(encoding)
        self._whole = bytearray()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the pieces as they come, and let the watcher see them."""
        try:
            async for piece in _pinged(self._response.aiter_raw(), self._ping_every, self._between):
                if piece is not _PING:
                    self._see(piece)
                yield piece
        except httpx2.HTTPError as error:
            self._failed(type(error).__name__)
            if not self._plain_stream:
                raise BrokenOff from None
            # The status has gone down already; this is how the protocol tells of trouble after that.
            yield _BROKEN
        finally:
            # Also where the upstream broke off, or where the client is gone, which ends the request above:
            # what came may be all of a reply.
            self._end()
            if self._watcher is not None and self._watcher.ended:
                self._ended()
            await self._response.aclose()

    def _see(self, piece: bytes) -> None:
        if self._is_stream:
            self._between.feed(piece)
        elif self._watcher is not None and len(self._whole) < _LONGEST:
            self._whole += piece

    def _end(self) -> None:
        if self._is_stream:
            self._between.end()
        elif self._watcher is not None:
            self._watcher.whole(bytes(self._whole))


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
