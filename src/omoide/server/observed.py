"""Every request measured and noted: by the template of its route, for paths and queries hold names."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

from omoide.server.errors import answer
from omoide.server.proxy.upstream import BrokenOff

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from omoide.server.metrics import Metrics

_log = logging.getLogger("omoide")
_access = logging.getLogger("omoide.access")
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


class Observed:
    """Measures requests, notes them in the access log, and answers faults without telling what they hold.

    Args:
        app: what is watched.
        metrics: where it is counted.
    """

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and note how it went."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except BrokenOff:
            return  # without the end of the answer, on which the server closes the connection
        except Exception as fault:  # noqa: BLE001 - its words may be a user's, and must not reach a log
            _log.error("a fault of the server's own: %s; please report it", type(fault).__name__)
            if not status:
                told = answer(500, "fault", "a fault of the server's own; its log shows the kind")
                await told(scope, receive, noting)
        finally:
            self._note(scope, status, time.perf_counter() - begun)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = getattr(scope.get("route"), "path", "unmatched")
        self._metrics.answered(method, route, status, seconds=seconds)
        fields = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        line = f"{method} {route} {status} {seconds * 1000:.0f} ms"
        _access.info("%s", line, extra={"fields": fields})
