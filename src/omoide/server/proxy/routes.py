"""The proxy's routes: chat completions and responses with memory, and everything else as it is.

It answers with and without ``/v1``, and under ``/u/{user}/c/{character}``, or one of the two alone. That
works in every client that has no more than a box for a base URL.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any
from urllib.parse import quote

import httpx2
from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from omoide.errors import Forbidden, InvalidInput, StoreError
from omoide.server.access import Access
from omoide.server.doors import Caller, doors_of
from omoide.server.errors import answer
from omoide.server.homes import Home
from omoide.server.proxy.completions import Completions
from omoide.server.proxy.identity import Identity, beyond_names, identify, named_in
from omoide.server.proxy.ours import holds_ours
from omoide.server.proxy.responses import Responses
from omoide.server.proxy.turn import ProxiedTurn
from omoide.server.proxy.upstream import forward, passed_on
from omoide.server.proxy.walls import may_ask, names_stored
from omoide.server.proxy.watch import Watcher
from omoide.server.proxy.wire import Body, Wire

Endpoint = Callable[[Request], Awaitable[Response]]

router = APIRouter(tags=["proxy"])
_ANY = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
_NOTE = "x-omoide-memory"
_KEY = "x-omoide-key"
_UNSEEN = "the conversation that this goes on from is not known here; send what was said instead"

_NAMED = {
    "/u/{user:path}/c/{character:path}": "with one character",
    "/u/{user:path}": "of one user",
    "/c/{character:path}": "with one character, whose user is named otherwise",
}
"""How an address may name whose memory is meant; the longest comes first, for the others would match it."""


def _with_memory(path: str, summary: str, *, shows: Mapping[str, Any]) -> Callable[[Endpoint], Endpoint]:
    """Answers at a path of the upstream: with and without the version, and with and without names.

    Args:
        path: beyond those.
        summary: what it is for.
        shows: the field of the body that holds what is said, and its schema; others are the upstream's.
    """
    described = _described(shows)

    def routed(endpoint: Endpoint) -> Endpoint:
        for names, whose in {"": "", **_NAMED}.items():
            told = ", ".join(filter(None, (f"{summary} {whose}".strip(), "with memory")))
            router.post(f"{names}/v1{path}", summary=told, **described)(endpoint)
            router.post(f"{names}{path}", include_in_schema=False)(endpoint)
        return endpoint

    return routed


def _described(shows: Mapping[str, Any]) -> dict[str, Any]:
    metadata = {"type": "object", "description": "user, character and session do not reach the upstream."}
    schema = {
        "type": "object",
        "required": ["model", *shows],
        "properties": {
            "model": {"type": "string"},
            **shows,
            "stream": {"type": "boolean"},
            "user": {"type": "string"},
            "metadata": metadata,
        },
        "additionalProperties": True,
    }
    answers = {"application/json": {"schema": {}}, "text/event-stream": {"schema": {"type": "string"}}}
    return {
        "openapi_extra": {
            "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}
        },
        "responses": {200: {"description": "The upstream's answer, as it is.", "content": answers}},
        "response_class": Response,
    }


def _anything(endpoint: Endpoint) -> Endpoint:
    for names in ("", *_NAMED):
        router.api_route(f"{names}/v1/{{rest:path}}", methods=_ANY, include_in_schema=False)(endpoint)
        router.api_route(f"{names}/models", methods=["GET"], include_in_schema=False)(endpoint)
    return endpoint


@_with_memory("/chat/completions", "Chat", shows={"messages": {"type": "array", "items": {"type": "object"}}})
async def chat(request: Request) -> Response:
    """Hand a chat completion to the upstream with what comes to mind, and the answer back as it is."""
    return await _turn(request, Completions())


@_with_memory(
    "/responses",
    "Ask for a response",
    shows={"input": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}]}},
)
async def respond(request: Request) -> Response:
    """Hand a request for a response to the upstream with what comes to mind, and the answer back as it is.

    Of a conversation that the upstream holds, only the new turn is shown; the session goes on with it.
    """
    return await _turn(request, Responses())


@_anything
async def other(request: Request) -> Response:
    """Hand anything else on as it is."""
    caller = await _caller(request)
    _check_named(request, caller)
    _check_rest(request, caller)
    content = await _content(request)
    if content and "multipart/form-data" not in request.headers.get("content-type", ""):
        _check_stored(request, caller, content)
    return await _passed(request, content)


def _check_named(request: Request, caller: Caller) -> None:
    """See that the key reaches whom the address names."""
    whose, named, reach = named_in(_path(request)), request.path_params, caller.access
    replace(
        reach,
        users=reach.users if "user" in named else None,
        characters=reach.characters if "character" in named else None,
    ).check(whose.user, whose.character and caller.home.characters.called(whose.character))


async def _turn(request: Request, wire: Wire) -> Response:
    caller = await _caller(request)
    content = await _content(request)
    _check_stored(request, caller, content)
    body = _parsed(content, wire)
    if body is None:
        if _is_bound(request, caller):
            msg = "the request cannot be read; send JSON with its messages or input"
            raise InvalidInput(msg)
        return await _passed(request, content, note="skipped; not understood")
    if "@" in str(body.get("model")):  # then the store may be asked whether a character is meant
        whose = await caller.home.engine.read(lambda: _whose(request, body, caller))
    else:
        whose = _whose(request, body, caller)
    if not whose.complete:
        if wire.continues(body) is not None and _is_bound(request, caller):
            raise Forbidden(_UNSEEN)
        return await _passed(request, content, note="skipped; no user or character named")
    caller.access.check(whose.user, whose.character)
    doors_of(request).limits.take(caller.access.name, whose.user)
    turn = ProxiedTurn(caller.home.engine, request.app.state.conversations, wire, body, whose)
    if turn.unseen and _is_bound(request, caller):
        raise Forbidden(_UNSEEN)
    return await _answered(request, turn, content=content, watcher=wire.watcher())


async def _answered(request: Request, turn: ProxiedTurn, *, content: bytes, watcher: Watcher) -> Response:
    """Hand a turn on with what comes to mind, and keep the answer once it has come whole."""
    minded = await turn.mind()
    doors = doors_of(request)
    if minded.recall is not None:
        doors.metrics.recalled(minded.recall)
    elif minded.late:
        doors.metrics.missed()
    return await _passed(
        request,
        turn.encoded(content, minded),
        note=minded.note,
        spent=minded.spent,
        watcher=watcher,
        ended=lambda: turn.ended(watcher, minded, key=_of_the_upstream(request)),
    )


async def _caller(request: Request) -> Caller:
    """Who calls, by a key or a token of ours."""
    doors = doors_of(request)
    given = (request.headers.get(_KEY), request.headers.get("x-api-key"), _bearer(request))
    found = await doors.caller([key for key in given if key])
    caller = doors.anybody() if found is None else found
    if caller is None:
        detail = "an API key of Omoide is needed, as Bearer or X-Omoide-Key"
        raise HTTPException(status_code=401, detail=detail)
    request.state.sees_causes = caller.access.sees_causes
    return caller


async def _content(request: Request) -> bytes:
    """The body of a request.

    Raises:
        HTTPException: 400, a key or a token of ours stands in it, or in the address, and would go up with it.
    """
    content = await request.body()
    if holds_ours(content) or holds_ours(_path(request)) or holds_ours(request.scope["query_string"]):
        detail = "an API key or token of Omoide stands in the address or body; send it in a header only"
        raise HTTPException(status_code=400, detail=detail)
    return content


def _is_bound(request: Request, caller: Caller) -> bool:
    """Whether the upstream may hold what is not the caller's: it serves everybody with one key."""
    access = caller.access
    limited = access.users is not None or access.characters is not None
    return access.token or limited or access.tenant != doors_of(request).homes.tenant


def _check_rest(request: Request, caller: Caller) -> None:
    """See that who reaches a part only asks nothing of the upstream that concerns others.

    Raises:
        Forbidden: the path is of that kind, or not known to be of another.
    """
    if not _is_bound(request, caller):
        return
    access = caller.access
    if not may_ask(request.method, beyond_names(_path(request)), token=access.token):
        msg = f"the key {access.label!r} does not reach this of the upstream"
        raise Forbidden(msg)


def _check_stored(request: Request, caller: Caller, content: bytes) -> None:
    """See that who reaches a part only names nothing that the upstream keeps.

    Raises:
        Forbidden: something is named.
        InvalidInput: the body cannot be read.
    """
    if _is_bound(request, caller) and names_stored(content):
        msg = f"the key {caller.access.label!r} reaches nothing that the upstream keeps; send it whole"
        raise Forbidden(msg)


def _bearer(request: Request) -> str | None:
    """What stands behind ``Bearer``, or without any such word."""
    *scheme, credentials = request.headers.get("authorization", "").split(maxsplit=1) or [""]
    if scheme and scheme[0].lower() != "bearer":
        return None
    return credentials.strip() or None


def _of_the_upstream(request: Request) -> str | None:
    """The client's own key for the upstream, where it sent one."""
    key = _bearer(request)
    return None if key is None or holds_ours(key.encode("latin-1")) else key


def _parsed(content: bytes, wire: Wire) -> Body | None:
    """The body, if it is a request as we know it; else the upstream may say what is wrong with it."""
    try:
        body = json.loads(content, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) and wire.understands(body) else None


def _finite(number: str) -> float:
    """A number that JSON can hold again: one of another kind, or beyond all bounds, goes up as it came.

    Raises:
        ValueError: it is none.
    """
    found = float(number)
    if not isfinite(found):
        msg = "no number of JSON"
        raise ValueError(msg)
    return found


def _whose(request: Request, body: Body, caller: Caller) -> Identity:
    settings = caller.home.engine.settings
    found = identify(
        path=named_in(_path(request)),
        headers=request.headers,
        body=body,
        trusted=request.client is not None and request.client.host in settings.trusted_peers,
        access=caller.access,
        fallback=Identity(user=settings.proxy_user, character=settings.proxy_character),
        known=lambda user, character: _is_known(caller.home, caller.access, user, character),
    )
    if found.character is None:
        return found
    return replace(found, character=caller.home.characters.called(found.character))


def _is_known(home: Home, access: Access, user: str | None, character: str) -> bool:
    """Whether a name behind an ``@`` is a character's: one of the folder's, or one with a memory of the user.

    Whatever else stands there belongs to the model's name. A key's own characters are known by it.
    """
    name = home.characters.called(character)
    if name in (access.characters or ()) or name in home.characters.names():
        return True
    try:
        return user is not None and home.engine.store.scope(user, name) is not None
    except StoreError:
        return False


async def _passed(
    request: Request,
    content: bytes,
    *,
    note: str | None = None,
    spent: Mapping[str, float] | None = None,
    watcher: Watcher | None = None,
    ended: Callable[[], None] = lambda: None,
) -> Response:
    doors = doors_of(request)
    settings = doors.homes.own.engine.settings
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
