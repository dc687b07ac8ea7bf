"""A real embedding server for tests: speaks like Ollama and like OpenAI, and misbehaves as told."""

from __future__ import annotations

import json
import threading
from collections import deque
from dataclasses import dataclass, field
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Vectors = list[list[float]]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One answer out of the ordinary.

    Attributes:
        status: the HTTP status; above 299 the body repeats the request, as careless servers do.
        headers: besides length and type.
        delay: seconds before answering.
        hang_up: closes the connection without an answer.
        body: instead of vectors.
        twist: changes the vectors.
    """

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    hang_up: bool = False
    body: bytes | None = None
    twist: Callable[[Vectors], Vectors] = lambda vectors: vectors


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class EmbeddingServer:
    """Listens on a port of its own from ``start`` to ``stop``."""

    def __init__(self, dimensions: int = 16) -> None:
        self.dimensions = dimensions
        self.requests: list[Request] = []
        self.replies: deque[Reply] = deque()
        self.always: Reply = Reply()
        self.stopped = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.stopped.set()
        self._http.shutdown()
        self._thread.join()
        self._http.block_on_close = False
        self._http.server_close()

    def answer(self, request: Request) -> tuple[Reply, bytes]:
        self.requests.append(request)
        reply = self.replies.popleft() if self.replies else self.always
        if reply.body is not None:
            return reply, reply.body
        if reply.status > 299:
            return reply, json.dumps({"error": request.body}).encode()
        length = request.body.get("dimensions", self.dimensions)
        vectors = reply.twist([_vector(text, length) for text in request.body["input"]])
        return reply, json.dumps(_wire(request.path, vectors)).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                sent = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply, body = server.answer(Request(self.path, headers, json.loads(sent)))
                server.stopped.wait(reply.delay)
                if reply.hang_up:
                    self.close_connection = True
                    return
                self.send_response(reply.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def handle(self) -> None:
                try:
                    super().handle()
                except ConnectionError:
                    self.close_connection = True

            def log_message(self, *args: object) -> None:
                """Say nothing."""

        return Handler


def _vector(text: str, length: int) -> list[float]:
    # Not of length 1, as that of a model cut to fewer dimensions.
    digest = b"".join(blake2b(f"{part}|{text}".encode()).digest() for part in range(length // 64 + 1))
    return [byte / 16 - 8 + 1 / 64 for byte in digest[:length]]


def _wire(path: str, vectors: Vectors) -> dict[str, object]:
    if path.endswith("/api/embed"):
        return {"model": "m", "embeddings": vectors}
    rows = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)]
    return {"object": "list", "data": rows[::-1]}
