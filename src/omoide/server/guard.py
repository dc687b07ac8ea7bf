"""Who may talk to the server at all: hosts, browser origins, and how much at once (ruling 27).

On loopback without keys, anything on the machine may call. A web page in the user's browser may not: its
requests carry an origin, and a name that was rebound to this machine carries a foreign host.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Guard:
    """Refuses foreign hosts, unlisted browser origins, bodies that are too large, and too much at once.

    Args:
        app: what is guarded.
        hosts: names that the server goes by, besides those of loopback; empty and not `local`: any.
        origins: browser origins that may call, such as ``https://chat.example``.
        local: whether only this machine may call.
        most_bytes: of one request's body.
        at_once: requests under way at most.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        origins: Collection[str],
        local: bool,
        most_bytes: int,
        at_once: int,
    ) -> None:
        self._app = app
        self._hosts = {host.casefold() for host in hosts}
        self._origins = set(origins)
        self._local = local
        self._most = most_bytes
        self._at_once = at_once
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it with an error."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        self._under_way += 1
        counted = _Counted(receive, send, self._most)
        try:
            await self._app(scope, counted.receive, counted.send)
        except _TooLarge:
            pass
        finally:
            self._under_way -= 1
        if counted.refused:
            await _refuse(send, 413, f"a request holds {self._most} bytes at most")

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get(b"host", ""), headers.get(b"origin")
        if not self._knows(host):
            return 421, "this server does not go by that name; list it in the setting allowed_hosts"
        if origin is not None and not self._welcome(origin, host):
            return 403, "pages of this origin may not call; list it in the setting allowed_origins"
        length = headers.get(b"content-length", "0")
        if length.isdecimal() and int(length) > self._most:
            return 413, f"a request holds {self._most} bytes at most"
        if self._under_way >= self._at_once:
            return 503, "too many requests at once; try again"
        return None

    def _knows(self, host: str) -> bool:
        name = (urlsplit(f"//{host}").hostname or "").casefold()
        if name in self._hosts or name in _LOOPBACK:
            return True
        return not self._local and not self._hosts

    def _welcome(self, origin: str, host: str) -> bool:
        return origin in self._origins or urlsplit(origin).netloc == host


class _TooLarge(Exception):
    pass


class _Counted:
    """Receives a body, and stops where it grows too large.

    Attributes:
        refused: whether it did, before an answer began; what others then say of the body goes nowhere.
    """

    def __init__(self, receive: Receive, send: Send, most: int) -> None:
        self.refused = False
        self._receive = receive
        self._send = send
        self._left = most
        self._answered = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.refused = not self._answered
            raise _TooLarge
        return message

    async def send(self, message: Message) -> None:
        if not self.refused:
            self._answered = True
            await self._send(message)


async def _refuse(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"error": {"type": "refused", "message": reason, "param": None, "code": None}})
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    if status == 503:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})
