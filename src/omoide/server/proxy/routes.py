"""The proxy's routes: chat completions with memory, and everything else as it is.

It answers with and without ``/v1``, and under ``/u/{user}/c/{character}``, which works in every client that
has no more than a box for a base URL.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from omoide.config import Settings
from omoide.server.access import LOCAL, Access
from omoide.server.doors import doors_of
from omoide.server.errors import answer
from omoide.server.proxy.identity import Identity, identify, named, without_identity
from omoide.server.proxy.memory import Minded, keep, mind
from omoide.server.proxy.turns import turns_of, with_memory
from omoide.server.proxy.upstream import forward, passed_on
from omoide.server.proxy.watch import Watcher

router = APIRouter(tags=["proxy"])
_ANY = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
_NOTE = "x-omoide-memory"
_KEY = "x-omoide-key"


@router.post("/v1/chat/completions", summary="Chat, with memory")
@router.post("/chat/completions", include_in_schema=False)
@router.post("/u/{user}/c/{character}/v1/chat/completions", summary="Chat with one character, with memory")
@router.post("/u/{user}/c/{character}/chat/completions", include_in_schema=False)
async def chat(request: Request) -> Response:
    """Hand a chat completion to the upstream with what comes to mind, and the answer back as it is."""
    access, is_ours = _access(request)
    content = await request.body()
    body = _parsed(content)
    if body is None:
        return await _passed(request, content, is_ours=is_ours, note="skipped; not understood")
    whose = _whose(request, body, access)
    if not whose.complete:
        return await _passed(request, content, is_ours=is_ours, note="skipped; no user or character named")
    access.check(whose.user, whose.character)
    engine = doors_of(request).engine
    settings = engine.settings
    scope = engine.scope(user=whose.user, character=whose.character or "")
    turns = turns_of(body)
    minded = await mind(scope, turns, session=whose.session, within=settings.recall_seconds)
    sent = _encoded(content, body, minded, settings)

    async def finished(watcher: Watcher) -> None:
        if watcher.finished and isinstance(model := without_identity(body).get("model"), str):
            engine.models.offer(model, key=None if is_ours else _bearer(request))
        engine.soon(keep(scope, turns, watcher, session=minded.session))

    return await _passed(request, sent, is_ours=is_ours, note=minded.note, finished=finished)


@router.api_route("/v1/{rest:path}", methods=_ANY, include_in_schema=False)
@router.api_route("/u/{user}/c/{character}/v1/{rest:path}", methods=_ANY, include_in_schema=False)
@router.api_route("/models", methods=["GET"], include_in_schema=False)
@router.api_route("/u/{user}/c/{character}/models", methods=["GET"], include_in_schema=False)
async def other(request: Request) -> Response:
    """Hand anything else on as it is."""
    access, is_ours = _access(request)
    path = request.path_params
    if "user" in path:
        access.check(named(path["user"]), named(path["character"]))
    return await _passed(request, await request.body(), is_ours=is_ours)


def _access(request: Request) -> tuple[Access, bool]:
    """How far the caller's key reaches, and whether `Authorization` holds a key of ours."""
    doors = doors_of(request)
    bearer = _bearer(request)
    for key in (request.headers.get(_KEY), request.headers.get("x-api-key"), bearer):
        found = None if not key else doors.keys.find(key)
        if found is not None:
            return found, key == bearer
    if doors.open and not doors.keys:
        return LOCAL, False  # whatever the client sends is for the upstream
    raise HTTPException(status_code=401, detail="an API key of Omoide is needed, as Bearer or X-Omoide-Key")


def _bearer(request: Request) -> str | None:
    return request.headers.get("authorization", "").removeprefix("Bearer ").strip() or None


def _parsed(content: bytes) -> dict[str, Any] | None:
    """The body, if it is a chat completion as we know it; else the upstream may say what is wrong with it."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return None
    messages = body.get("messages") if isinstance(body, dict) else None
    is_chat = isinstance(messages, list) and messages and all(isinstance(one, dict) for one in messages)
    return body if is_chat else None


def _whose(request: Request, body: dict[str, Any], access: Access) -> Identity:
    settings = doors_of(request).engine.settings
    path = request.path_params
    return identify(
        path=Identity(user=named(path.get("user")), character=named(path.get("character"))),
        headers=request.headers,
        body=body,
        trusted=request.client is not None and request.client.host in settings.trusted_peers,
        access=access,
        fallback=Identity(user=settings.proxy_user, character=settings.proxy_character),
    )


def _encoded(content: bytes, body: dict[str, Any], minded: Minded, settings: Settings) -> bytes:
    """The body with memory and without our keys; the client's own bytes where there is nothing to change."""
    made = without_identity(body)
    if minded.recall is not None:
        made = with_memory(
            made,
            standing=minded.recall.standing,
            block=minded.recall.block,
            before_user=settings.memory_place == "user",
        )
    return content if made == body else json.dumps(made, ensure_ascii=False).encode("utf-8", "surrogatepass")


async def _passed(
    request: Request,
    content: bytes,
    *,
    is_ours: bool,
    note: str | None = None,
    finished: Callable[[Watcher], Awaitable[None]] | None = None,
) -> Response:
    doors = doors_of(request)
    settings = doors.engine.settings
    if settings.upstream is None:
        return answer(503, "no_upstream", "no upstream is set; say omoide serve --upstream http://…/v1")
    key = settings.upstream_key
    client: httpx2.AsyncClient = request.app.state.upstream
    sent = client.build_request(
        request.method,
        _address(request, settings.upstream),
        content=content or None,
        headers=passed_on(
            request.headers.items(),
            key=None if key is None else key.get_secret_value(),
            drop_key=is_ours,
        ),
    )
    return await forward(
        client,
        sent,
        told={} if note is None else {_NOTE: note},
        ping_every=settings.ping_seconds or None,
        finished=finished,
        failed=doors.upstream_failed,
    )


def _address(request: Request, upstream: str) -> str:
    """Where a request goes on the upstream, whose base URL ends in the version already."""
    path: str = request.scope["raw_path"].decode("ascii") if "raw_path" in request.scope else request.url.path
    if path.startswith("/u/"):
        path = "/" + path.split("/c/", 1)[1].partition("/")[2]
    rest = path.removeprefix("/v1")
    query = request.scope["query_string"].decode("ascii", "replace")
    return upstream.rstrip("/") + rest + (f"?{query}" if query else "")
