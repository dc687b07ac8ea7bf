"""The proxy's routes: chat completions and responses with memory, and everything else as it is.

It answers with and without ``/v1``, and under ``/u/{user}/c/{character}``, which works in every client that
has no more than a box for a base URL.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import quote

import httpx2
from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from omoide.server.access import LOCAL, Access
from omoide.server.doors import doors_of
from omoide.server.errors import answer
from omoide.server.proxy.completions import Completions
from omoide.server.proxy.identity import Identity, beyond_names, identify, named_in
from omoide.server.proxy.responses import Responses
from omoide.server.proxy.turn import ProxiedTurn
from omoide.server.proxy.upstream import forward, passed_on
from omoide.server.proxy.watch import Watcher
from omoide.server.proxy.wire import Body, Wire

router = APIRouter(tags=["proxy"])
_ANY = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
_NOTE = "x-omoide-memory"
_KEY = "x-omoide-key"
_WHOSE = "/u/{user:path}/c/{character:path}"


@router.post("/v1/chat/completions", summary="Chat, with memory")
@router.post("/chat/completions", include_in_schema=False)
@router.post(f"{_WHOSE}/v1/chat/completions", summary="Chat with one character, with memory")
@router.post(f"{_WHOSE}/chat/completions", include_in_schema=False)
async def chat(request: Request) -> Response:
    """Hand a chat completion to the upstream with what comes to mind, and the answer back as it is."""
    return await _turn(request, Completions())


@router.post("/v1/responses", summary="Ask for a response, with memory")
@router.post("/responses", include_in_schema=False)
@router.post(f"{_WHOSE}/v1/responses", summary="Ask one character for a response, with memory")
@router.post(f"{_WHOSE}/responses", include_in_schema=False)
async def respond(request: Request) -> Response:
    """Hand a request for a response to the upstream with what comes to mind, and the answer back as it is.

    Of a conversation that the upstream holds, only the new turn is shown; the session goes on with it.
    """
    return await _turn(request, Responses())


@router.api_route("/v1/{rest:path}", methods=_ANY, include_in_schema=False)
@router.api_route(f"{_WHOSE}/v1/{{rest:path}}", methods=_ANY, include_in_schema=False)
@router.api_route("/models", methods=["GET"], include_in_schema=False)
@router.api_route(f"{_WHOSE}/models", methods=["GET"], include_in_schema=False)
async def other(request: Request) -> Response:
    """Hand anything else on as it is."""
    access, is_ours = _access(request)
    if "user" in request.path_params:
        whose = named_in(_path(request))
        character = whose.character and doors_of(request).characters.called(whose.character)
        access.check(whose.user, character)
    return await _passed(request, await request.body(), is_ours=is_ours)


async def _turn(request: Request, wire: Wire) -> Response:
    access, is_ours = _access(request)
    content = await request.body()
    body = _parsed(content, wire)
    if body is None:
        return await _passed(request, content, is_ours=is_ours, note="skipped; not understood")
    whose = _whose(request, body, access)
    if not whose.complete:
        return await _passed(request, content, is_ours=is_ours, note="skipped; no user or character named")
    access.check(whose.user, whose.character)
    doors = doors_of(request)
    doors.limits.take(access.label, whose.user)
    turn = ProxiedTurn(doors.engine, request.app.state.conversations, wire, body, whose)
    minded = await turn.mind()
    if minded.recall is not None:
        doors.metrics.recalled(minded.recall)
    watcher = wire.watcher()
    return await _passed(
        request,
        turn.encoded(content, minded),
        is_ours=is_ours,
        note=minded.note,
        spent=minded.spent,
        watcher=watcher,
        ended=lambda: turn.ended(watcher, minded, key=None if is_ours else _bearer(request)),
    )


def _access(request: Request) -> tuple[Access, bool]:
    """How far the caller's key reaches, and whether `Authorization` holds a key of ours."""
    doors = doors_of(request)
    bearer = _bearer(request)
    for key in (request.headers.get(_KEY), request.headers.get("x-api-key"), bearer):
        found = None if not key else doors.keys.find(key)
        if found is not None:
            return doors.by_names(found), key == bearer
    if doors.open and not doors.keys:
        return LOCAL, False  # whatever the client sends is for the upstream
    raise HTTPException(status_code=401, detail="an API key of Omoide is needed, as Bearer or X-Omoide-Key")


def _bearer(request: Request) -> str | None:
    return request.headers.get("authorization", "").removeprefix("Bearer ").strip() or None


def _parsed(content: bytes, wire: Wire) -> Body | None:
    """The body, if it is a request as we know it; else the upstream may say what is wrong with it."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) and wire.understands(body) else None


def _whose(request: Request, body: Body, access: Access) -> Identity:
    doors = doors_of(request)
    settings = doors.engine.settings
    found = identify(
        path=named_in(_path(request)),
        headers=request.headers,
        body=body,
        trusted=request.client is not None and request.client.host in settings.trusted_peers,
        access=access,
        fallback=Identity(user=settings.proxy_user, character=settings.proxy_character),
    )
    if found.character is None:
        return found
    return replace(found, character=doors.characters.called(found.character))


async def _passed(
    request: Request,
    content: bytes,
    *,
    is_ours: bool,
    note: str | None = None,
    spent: Mapping[str, float] | None = None,
    watcher: Watcher | None = None,
    ended: Callable[[], None] = lambda: None,
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
    told = [] if note is None else [(_NOTE, note)]
    if spent:
        told.append(("server-timing", ", ".join(f"{phase};dur={ms:.2f}" for phase, ms in spent.items())))
    return await forward(
        client,
        sent,
        told=told,
        ping_every=settings.ping_seconds or None,
        watcher=watcher,
        ended=ended,
        failed=doors.upstream_failed,
        gone=lambda: _gone(request),
    )


async def _gone(request: Request) -> None:
    """Wait until the client has gone away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _address(request: Request, upstream: str) -> str:
    """Where a request goes on the upstream, whose base URL ends in the version already."""
    query = request.scope["query_string"].decode("ascii", "replace")
    return f"{upstream.rstrip('/')}/{beyond_names(_path(request))}" + (f"?{query}" if query else "")


def _path(request: Request) -> bytes:
    """The path as it was sent, with names that may hold a slash in them."""
    raw: bytes = request.scope.get("raw_path") or quote(request.url.path).encode()
    return raw
