"""An HTTP client that reads no more of an answer than anybody can want."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import httpx2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LARGEST: Final = 16 * 1024 * 1024
"""Bytes of one answer; what comes after them is not read."""


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = LARGEST
        async for chunk in self._stream:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(response: httpx2.Response) -> None:
    # Nothing else was asked for; a few bytes could become as many as they like.
    response.headers.pop("content-encoding", None)
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


def bounded_client() -> httpx2.AsyncClient:
    """A client whose answers end after `LARGEST` bytes; it follows no redirects, for they take keys along."""
    return httpx2.AsyncClient(
        headers={"Accept-Encoding": "identity"}, event_hooks={"response": [_bound]}, follow_redirects=False
    )
