"""A real model server without a model: it speaks like OpenAI and like Anthropic, and misbehaves as told."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from omoide.domain.chat import Turn
from omoide.testing.embedders import word_vector
from omoide.testing.replies import Reply, Said
from omoide.testing.wires import (
    anthropic_stream,
    anthropic_whole,
    openai_stream,
    openai_whole,
    responses_stream,
    responses_whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_DIMENSIONS: Final = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One request that came in.

    Attributes:
        path: of the address.
        headers: by their names in small letters.
        body: as JSON.
    """

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The messages; Anthropic's system prompt, or instructions, as the first of them."""
        system = self.body.get("system") or self.body.get("instructions")
        first = [] if not system else [Turn("system", _words(system))]
        shown = self.body.get("messages") or self.body.get("input") or []
        shown = [{"role": "user", "content": shown}] if isinstance(shown, str) else shown
        items = shown if isinstance(shown, list) else []
        said = [one for one in items if isinstance(one, dict) and "role" in one]
        return (*first, *(Turn(one["role"], _words(one.get("content"))) for one in said))


Rule: TypeAlias = Callable[[Asked], Reply | Said]


class FakeModelServer:
    """Listens on a port of this machine, as a context manager.

    It serves chat completions, responses, models and embeddings at `url`, and Anthropic's messages at
    `anthropic_url`. Responses are called ``resp_1``, ``resp_2`` … by the number of the request.
    Like the templates of llama.cpp it refuses a system message that is not the first one.

    Args:
        rule: makes the reply to a request where no other is waiting in `replies`; a text or an object says
            the same each time.
        model: the name of the model that it has.
        refuses: names in the body of a request that it does not take, such as ``temperature``.
        port: where to listen; 0 takes a free one.

    Attributes:
        replies: are given first, one after another.
        requests: what was asked for, in order; only chats.
    """

    def __init__(
        self,
        rule: Rule | Reply | Said = "Hello!",
        *,
        model: str = "fake",
        refuses: Iterable[str] = (),
        port: int = 0,
    ) -> None:
        self._rule: Rule = rule if callable(rule) else lambda _asked: rule
        self.model = model
        self.refuses = frozenset(refuses)
        self.replies: deque[Reply | Said] = deque()
        self.requests: list[Asked] = []
        self.stopped = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"fake": self}))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop; whoever still waits gets nothing."""
        self.stopped.set()
        self._http.shutdown()
        self._thread.join()
        self._http.block_on_close = False
        self._http.server_close()

    @property
    def anthropic_url(self) -> str:
        """Where it speaks like Anthropic."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def url(self) -> str:
        """Where it speaks like OpenAI."""
        return f"{self.anthropic_url}/v1"

    def reply(self, asked: Asked) -> Reply:
        """Note a chat request, and choose its reply."""
        self.requests.append(asked)
        refused = self.refuses & asked.body.keys()
        roles = [turn.role for turn in asked.turns]
        if refused or "system" in roles[1:]:
            return Reply(status=400)
        return Reply.of(self.replies.popleft() if self.replies else self._rule(asked))


class _Handler(BaseHTTPRequestHandler):
    """Serves one connection."""

    fake: FakeModelServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Which models there are."""
        if self.path.endswith("/models"):
            one = {"id": self.fake.model, "object": "model", "created": 0, "owned_by": "nobody"}
            self._send_json({"object": "list", "data": [one]})
        else:
            self._send_json({"error": {"message": "not found"}}, status=404)

    def do_POST(self) -> None:
        """Chats and embeddings."""
        try:
            sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
        except (ValueError, RecursionError):
            self._send_json({"error": {"message": "this is no JSON"}}, status=400)
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(path=self.path.partition("?")[0], headers=headers, body=sent)
        if asked.path.endswith("/embeddings"):
            self._send_json(_embeddings(sent))
        elif asked.path.endswith(("/chat/completions", "/messages", "/responses")):
            self._chat(self.fake.reply(asked), asked)
        else:
            self._send_json({"error": {"message": "not found"}}, status=404)

    def _chat(self, reply: Reply, asked: Asked) -> None:
        whole, stream = self._wire(asked)
        self.fake.stopped.wait(reply.delay)
        if reply.drop == 0:
            self.close_connection = True
        elif reply.status > 299:
            self._send_json(_error(reply, asked), status=reply.status, headers=reply.headers)
        elif reply.body is not None:
            self._send(reply.body, content_type=reply.content_type)
        elif asked.body.get("stream"):
            self._stream(stream(reply, asked.body), reply)
        else:
            self._send_json(whole(reply, asked.body), headers=reply.headers)

    def _wire(self, asked: Asked) -> tuple[Callable[..., dict[str, Any]], Callable[..., Iterator[bytes]]]:
        """How a whole answer and a stream of the path's format are written."""
        if asked.path.endswith("/messages"):
            return anthropic_whole, anthropic_stream
        if asked.path.endswith("/responses"):
            name = f"resp_{len(self.fake.requests)}"
            return partial(responses_whole, name=name), partial(responses_stream, name=name)
        return openai_whole, openai_stream

    def _stream(self, events: Iterator[bytes], reply: Reply) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for number, event in enumerate(events):
            if number == reply.drop:
                self.close_connection = True
                return
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
            self.fake.stopped.wait(reply.pause)
        self.wfile.write(b"0\r\n\r\n")

    def _send_json(
        self, value: object, *, status: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        self._send(json.dumps(value).encode(), status=status, headers=headers)

    def _send(
        self,
        body: bytes,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def handle(self) -> None:
        """Serve a connection; one that the client closed is no trouble."""
        try:
            super().handle()
        except ConnectionError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _error(reply: Reply, asked: Asked) -> dict[str, object]:
    words = f"status {reply.status} for {[turn.text for turn in asked.turns]}"
    return {"type": "error", "error": {"type": "fake_error", "message": words, "param": None, "code": None}}


def _embeddings(asked: Mapping[str, Any]) -> dict[str, object]:
    texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
    length = asked.get("dimensions") or _DIMENSIONS
    rows = [
        {"object": "embedding", "index": at, "embedding": word_vector(text, length).tolist()}
        for at, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 0, "total_tokens": 0}
    return {"object": "list", "model": asked.get("model"), "data": rows, "usage": usage}


def _words(content: object) -> str:
    """The words of a message's content, which may come in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else str(content)
