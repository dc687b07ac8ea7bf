"""An upstream that sends the very bytes that a test gives it, piece by piece."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence


class RawUpstream:
    """Answers every request alike.

    Attributes:
        url: its base URL.
        bodies: of the requests that came in.
        left: set once a client has gone before its answer began.
    """

    def __init__(
        self, pieces: Sequence[bytes], *, headers: dict[str, str], delay: float, cut: bool = False
    ) -> None:
        self.url = ""
        self.bodies: list[bytes] = []
        self.left = asyncio.Event()
        self._pieces = pieces
        self._headers = {"content-type": "text/event-stream", **headers}
        self._delay = delay
        self._cut = cut

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection, for one request."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
            self.bodies.append(await reader.readexactly(length))
            if self._delay and await self._gone(reader):
                return
            await self._answer(writer)
        finally:
            writer.close()

    async def _gone(self, reader: asyncio.StreamReader) -> bool:
        """Wait before the answer, and see whether the client does."""
        try:
            async with asyncio.timeout(self._delay):
                await reader.read(1)
        except TimeoutError:
            return False
        self.left.set()
        return True

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        lines = [f"{name}: {value}" for name, value in self._headers.items()]
        head = "\r\n".join(["HTTP/1.1 200 OK", *lines, "transfer-encoding: chunked", "connection: close"])
        writer.write(head.encode() + b"\r\n\r\n")
        for piece in self._pieces:
            writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            await writer.drain()
            await asyncio.sleep(0.002)
        if self._cut:
            return
        writer.write(b"0\r\n\r\n")
        await writer.drain()


@asynccontextmanager
async def sending(
    *pieces: bytes, delay: float = 0.0, cut: bool = False, **headers: str
) -> AsyncIterator[RawUpstream]:
    """Such an upstream; an underscore in a header's name stands for a hyphen. It may break off at the end."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    upstream = RawUpstream(pieces, headers=given, delay=delay, cut=cut)
    async with await asyncio.start_server(upstream.serve, "127.0.0.1", 0) as server:
        upstream.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        yield upstream
