"""An HTTP client that reads no more of an answer than anybody can want, and knows a stream that broke off."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import httpx2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LARGEST: Final = 16 * 1024 * 1024
"""Bytes of one answer; what comes after them is not read."""

_END: Final = re.compile(
    rb"""
      \ndata:[ ]{0,9}\[DONE\]
    | "(?:finish_reason|stop_reason)"\s{0,9}:\s{0,9}"[^"]
    | "type"\s{0,9}:\s{0,9}"message_stop"
    """,
    re.VERBOSE,
)
"""How a stream of OpenAI's or Anthropic's format says that it is whole; servers leave one or the other out.

Words of a model never look so, for quotes and line ends in them are escaped.
"""

_LONGEST_END: Final = 64

_ASKED: Final = re.compile(rb'"stream"\s{0,9}:\s{0,9}true')
"""How a request asks for a stream."""


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


class _Whole(httpx2.AsyncByteStream):
    """A stream of events that fails where it stops before its end.

    A connection that was closed tells so by itself only under some framings. The last event counts without an
    empty line after it too, which some servers leave out.
    """

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        last, ended = b"\n", False
        async for chunk in self._stream:
            last += chunk
            ended = ended or _END.search(last) is not None
            last = last[-_LONGEST_END:]
            yield chunk
        if not ended:
            msg = "the stream stopped before its end"
            raise httpx2.RemoteProtocolError(msg)
        if not last.endswith((b"\n\n", b"\r\n\r\n")):
            yield b"\n\n"

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(response: httpx2.Response) -> None:
    # Nothing else was asked for; a few bytes could become as many as they like.
    response.headers.pop("content-encoding", None)
    if isinstance(response.stream, httpx2.AsyncByteStream):
        kind = response.headers.get("content-type", "").lower()
        # Some servers give streams another type than they have; a page is none, whatever was asked for.
        streams = "html" not in kind and _ASKED.search(response.request.content) is not None
        events = response.is_success and ("text/event-stream" in kind or streams)
        response.stream = _Bounded(_Whole(response.stream) if events else response.stream)


def bounded_client() -> httpx2.AsyncClient:
    """A client whose answers end after `LARGEST` bytes; it follows no redirects, for they take keys along.

    A stream of events that stops before it has said that it is whole ends in an error of httpx2.
    """
    return httpx2.AsyncClient(
        headers={"Accept-Encoding": "identity"}, event_hooks={"response": [_bound]}, follow_redirects=False
    )
