"""A server that speaks as much of Qdrant's HTTP as is asked of it, over Qdrant's own engine in the process.

What that engine alone cannot show is how a server fails: not at all there, hanging, broken, refusing a key,
or having lost all that it held.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Literal

from qdrant_client import QdrantClient, models

if TYPE_CHECKING:
    from collections.abc import Callable

Mood = Literal["well", "broken", "hanging", "foreign"]


class QdrantServer:
    """A server on loopback, in a thread.

    Attributes:
        client: what it holds, past the wire.
        mood: how it answers: as it should, with status 500, never, or with a page of another program.
        asked: what was asked of it, as method and path with the collection left out.
        received: all bodies, as they came.
    """

    def __init__(self, *, key: str | None = None, port: int = 0) -> None:
        self.client = QdrantClient(":memory:", force_disable_check_same_thread=True)
        self.mood: Mood = "well"
        self.key = key
        self.asked: list[str] = []
        self.received: list[str] = []
        self._lock = threading.Lock()
        self._released = threading.Event()
        self._port = port
        self._server: ThreadingHTTPServer | None = None
        self.start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Listen, at the port it had before."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer._answer(self, "GET")

            def do_PUT(self) -> None:
                outer._answer(self, "PUT")

            def do_POST(self) -> None:
                outer._answer(self, "POST")

            def do_DELETE(self) -> None:
                outer._answer(self, "DELETE")

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        self._server.daemon_threads = True
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """Be dead, with what it holds kept."""
        self._released.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def points(self) -> list[models.Record]:
        """Every point of every collection, with its vector."""
        found: list[models.Record] = []
        with self._lock:  # the local engine shows half of what is being written
            for one in self.client.get_collections().collections:
                found += self.client.scroll(one.name, limit=100_000, with_vectors=True)[0]
        return found

    def lose_all(self) -> None:
        """Hold nothing any more, as after its disk was changed."""
        with self._lock:
            for one in self.client.get_collections().collections:
                self.client.delete_collection(one.name)

    def _answer(self, request: BaseHTTPRequestHandler, method: str) -> None:
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0)).decode()
        path = request.path.split("?")[0].strip("/").split("/")
        self.asked.append(" ".join([method, *path[2:]]))
        self.received.append(body)
        status, answer = self._answered(method, path, body, request.headers.get("api-key"))
        try:
            request.send_response(status)
            request.send_header("Content-Length", str(len(answer)))
            request.end_headers()
            request.wfile.write(answer)
        except OSError:
            pass  # it was asked by somebody who has gone

    def _answered(self, method: str, path: list[str], body: str, key: str | None) -> tuple[int, bytes]:
        if self.mood == "hanging":
            self._released.wait(30.0)
        if self.mood == "broken":
            return 500, b'{"status": {"error": "broken"}}'
        if self.mood == "foreign":
            return 200, b"<html>It works!</html>"
        if key != self.key:
            return 401, b"Invalid API key"
        with self._lock:
            try:
                result = self._done(method, path, json.loads(body) if body else {})
            except ValueError as error:
                lost = "not found" in str(error)
                return (404 if lost else 400), json.dumps({"status": {"error": str(error)}}).encode()
        return 200, json.dumps({"result": result, "status": "ok", "time": 0.0}).encode()

    def _done(self, method: str, path: list[str], body: dict[str, Any]) -> Any:
        client = self.client
        if path == ["collections"]:
            return _json(client.get_collections())
        name, what = path[1], (method, *path[2:])
        if what == ("PUT",):
            given = models.CreateCollection.model_validate(body)
            if client.collection_exists(name):
                msg = f"Collection `{name}` already exists!"
                raise ValueError(msg)
            return client.create_collection(
                name, vectors_config=given.vectors, hnsw_config=given.hnsw_config, metadata=given.metadata
            )
        if what == ("GET",):
            return _json(client.get_collection(name))
        if what == ("DELETE",):
            return client.delete_collection(name)
        if what == ("PUT", "index"):
            return {"operation_id": 0, "status": "completed"}
        return _POINTS[what](client, name, body)


def _json(value: Any) -> Any:
    return json.loads(value.model_dump_json())


def _filter(body: dict[str, Any], name: str = "filter") -> models.Filter | None:
    return None if body.get(name) is None else models.Filter.model_validate(body[name])


def _put(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    return _json(client.upsert(name, models.Batch.model_validate(body["batch"])))


def _delete(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    chosen = (
        models.PointIdsList.model_validate(body)
        if "points" in body
        else models.FilterSelector.model_validate(body)
    )
    return _json(client.delete(name, points_selector=chosen))


def _retrieve(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    found = client.retrieve(name, body["ids"], with_payload=body["with_payload"], with_vectors=True)
    return [_json(one) for one in found]


def _scroll(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    found, page = client.scroll(
        name,
        scroll_filter=_filter(body),
        limit=body["limit"],
        offset=body.get("offset"),
        with_payload=body["with_payload"],
    )
    return {"points": [_json(one) for one in found], "next_page_offset": page}


def _query(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    query = body["query"]
    found = client.query_points(
        name,
        query=query["nearest"] if isinstance(query, dict) else query,
        query_filter=_filter(body),
        limit=body["limit"],
        with_payload=body["with_payload"],
    )
    return _json(found)


def _facet(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    return _json(client.facet(name, body["key"], facet_filter=_filter(body), limit=body["limit"], exact=True))


_POINTS: dict[tuple[str, ...], Callable[[QdrantClient, str, dict[str, Any]], Any]] = {
    ("PUT", "points"): _put,
    ("POST", "points", "delete"): _delete,
    ("POST", "points"): _retrieve,
    ("POST", "points", "scroll"): _scroll,
    ("POST", "points", "query"): _query,
    ("POST", "facet"): _facet,
}
