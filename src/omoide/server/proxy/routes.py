"""The proxy's routes: chat completions and responses with memory, and everything else as it is.

It answers with and without ``/v1``, and under ``/u/{user}/c/{character}``, which works in every client that
has no more than a box for a base URL.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from urllib.parse import quote

import httpx2
from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from omoide.config import Settings
from omoide.server.access import LOCAL, Access
from omoide.server.doors import doors_of
from omoide.server.errors import answer
from omoide.server.proxy.completions import Completions
from omoide.server.proxy.conversations import Conversations
from omoide.server.proxy.identity import Identity, beyond_names, identify, named_in, without_identity
from omoide.server.proxy.memory import Minded, Written, keep, mind
from omoide.server.proxy.responses import Responses
from omoide.server.proxy.turns import message_of, reply_of, turns_of
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
        access.check(whose.user, whose.character)
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
    engine, conversations = doors.engine, _conversations(request)
    scope = engine.scope(user=whose.user, character=whose.character or "")
    name = wire.continues(body)
    held = None if name is None else conversations.held(scope, name)
    shown = [*(() if held is None else held.messages), *wire.messages(body)]
    turns = turns_of(shown, several=_several(body), whole=name is None or held is not None)
    session = whose.session or (name if held is None else held.session)
    minded = await mind(
        scope,
        turns,
        session=session,
        within=engine.settings.recall_seconds,
        conversations=conversations,
    )
    engine.soon(_waited(minded.written))
    if minded.recall is not None:
        doors.metrics.recalled(minded.recall)
    watcher = wire.watcher()

    async def kept(reply: str) -> None:
        written = await minded.written
        await keep(scope, turns, reply, session=session, written=written, conversations=conversations)

    def finished() -> None:
        if isinstance(model := without_identity(body).get("model"), str):
            engine.models.offer(model, key=None if is_ours else _bearer(request))
        reply = reply_of(watcher.text) if turns.turn else ""
        said = [message_of(one) for one in turns.talk]
        if reply:
            said.append({"role": "assistant", "content": reply})
            engine.soon(kept(reply))
        for holder in wire.holders(body, watcher):
            conversations.hold(scope, holder, session=minded.session, messages=said)

    return await _passed(
        request,
        _encoded(content, body, wire, minded, engine.settings),
        is_ours=is_ours,
        note=minded.note,
        spent=minded.spent,
        watcher=watcher,
        finished=finished,
    )


async def _waited(written: asyncio.Task[Written]) -> None:
    await written


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


def _parsed(content: bytes, wire: Wire) -> Body | None:
    """The body, if it is a request as we know it; else the upstream may say what is wrong with it."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) and wire.understands(body) else None


def _several(body: Body) -> bool:
    return isinstance(body.get("n"), int) and body["n"] > 1


def _conversations(request: Request) -> Conversations:
    held: Conversations = request.app.state.conversations
    return held


def _whose(request: Request, body: Body, access: Access) -> Identity:
    settings = doors_of(request).engine.settings
    return identify(
        path=named_in(_path(request)),
        headers=request.headers,
        body=body,
        trusted=request.client is not None and request.client.host in settings.trusted_peers,
        access=access,
        fallback=Identity(user=settings.proxy_user, character=settings.proxy_character),
    )


def _encoded(content: bytes, body: Body, wire: Wire, minded: Minded, settings: Settings) -> bytes:
    """The body with memory and without our keys; the client's own bytes where there is nothing to change."""
    made = without_identity(body)
    if minded.recall is not None:
        made = wire.with_memory(
            made,
            standing=minded.recall.standing,
            block=minded.recall.block,
            before_user=settings.memory_place == "user",
        )
    elif made.keys() == body.keys() and all(made[key] is body[key] for key in made):
        return content
    try:
        return json.dumps(made, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(made).encode()  # half a surrogate pair, which JSON can hold and UTF-8 cannot


async def _passed(
    request: Request,
    content: bytes,
    *,
    is_ours: bool,
    note: str | None = None,
    spent: Mapping[str, float] | None = None,
    watcher: Watcher | None = None,
    finished: Callable[[], None] = lambda: None,
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
        finished=finished,
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
