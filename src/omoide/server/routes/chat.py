"""Talking with a character: the reply as server-sent events, token by token (H26, ruling 22)."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.types import Receive, Scope, Send

from omoide.characters import Characters, Sheet
from omoide.chat import Done, Event, Failed, Token
from omoide.domain.text import composed
from omoide.errors import Forbidden, InvalidInput, ModelError, OmoideError, UnknownCharacter
from omoide.server.access import Access
from omoide.server.doors import AnyAccess, AnyHome, doors_of
from omoide.server.errors import answer, told
from omoide.server.metrics import Ending, Metrics
from omoide.server.routes.bodies import Body, Name, Words

_log = logging.getLogger("omoide")
router = APIRouter(tags=["chat"])

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]


class ChatBody(Body):
    """What a user says to a character.

    `user_name` is the user; where a key is made for one user, it is only what the character calls them.
    `character` may be left out where only one can be meant. A `message_id` of the client's own makes it safe
    to send a message again: where it was answered already, the same answer comes.
    """

    session_id: Name
    message: Words
    user_name: Name | None = None
    character: Name | None = None
    message_id: Name | None = None


class Told(Response):
    """A turn as events, which end with ``done`` or ``error``.

    What goes wrong before the first byte is answered with a status. When the client goes away, so does the
    request to the model.
    """

    def __init__(self, turn: AsyncGenerator[Event, None], *, metrics: Metrics, causes: bool) -> None:
        super().__init__()
        self._turn = turn
        self._metrics = metrics
        self._causes = causes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell the turn until it ends, or nobody listens any more."""
        telling = asyncio.create_task(self._tell(scope, receive, send))
        leaving = asyncio.create_task(_left(receive))
        ending: Ending = "failed"
        try:
            await asyncio.wait({telling, leaving}, return_when=asyncio.FIRST_COMPLETED)
            ending = telling.result() if telling.done() else "left"
        finally:
            self._metrics.turned(ending)
            telling.cancel()
            leaving.cancel()
            await asyncio.gather(telling, leaving, return_exceptions=True)

    async def _tell(self, scope: Scope, receive: Receive, send: Send) -> Ending:
        async with aclosing(self._turn) as events:
            first = await anext(events)
            if isinstance(first, Failed):
                self._metrics.recalled(first.recall)
                await answer(502, "ModelError", self._why(first))(scope, receive, send)
                return "failed"
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            ending = await self._pass_on(first, events, send)
            await send({"type": "http.response.body", "body": b""})
            return ending

    async def _pass_on(self, first: Token | Done, events: AsyncGenerator[Event, None], send: Send) -> Ending:
        try:
            await send(_event(first))
            async for event in events:
                if not isinstance(event, Token):
                    self._metrics.recalled(event.recall)
                if isinstance(event, Failed):
                    await send(_line({"type": "error", "message": self._why(event)}))
                    break
                await send(_event(event))
                if isinstance(event, Done):
                    return "done"
        except OmoideError as error:
            message = told(error, causes=self._causes)
            await send(_line({"type": "error", "message": message}))
        return "failed"

    def _why(self, failed: Failed) -> str:
        """What the client is told of a turn without a reply."""
        return told(ModelError(failed.message), causes=self._causes)


@router.post(
    "/chat/stream",
    response_class=Response,
    responses={
        200: {
            "description": "Events: `token` pieces of the reply, then `done` or `error`.",
            "content": {"text/event-stream": {}},
        }
    },
)
async def stream(request: Request, access: AnyAccess, home: AnyHome, body: ChatBody) -> Told:
    """Say something to a character, and hear what it answers, piece by piece."""
    doors = doors_of(request)
    user = _user(access, body.user_name)
    # Not in the engine's threads, which may all wait for the store.
    sheet = await asyncio.to_thread(_meant, home.characters, access, body.character)
    access.check(user, sheet.name)
    doors.limits.take(access.name, user)
    turn = home.chat.turn(
        user=user,
        character=sheet.id,
        session=body.session_id,
        message=body.message,
        user_name=body.user_name,
        message_id=body.message_id,
    )
    return Told(turn, metrics=doors.metrics, causes=access.sees_causes)


def _user(access: Access, user_name: str | None) -> str:
    """Who speaks: the one user whom a key is made for, else the one who is named."""
    if access.users is not None and len(access.users) == 1:
        return next(iter(access.users))
    if user_name is None:
        msg = "who speaks? give user_name"
        raise InvalidInput(msg)
    return composed(user_name)


def _meant(characters: Characters, access: Access, name: str | None) -> Sheet:
    """The character that is named, or the only one that can be meant: of one's own before the samples."""
    if name is not None:
        try:
            return characters.find(name)
        except UnknownCharacter:
            if access.characters is None:
                raise
            msg = f"the key {access.label!r} does not reach this character"
            raise Forbidden(msg) from None
    reached = [
        sheet
        for sheet in characters.all()
        if access.characters is None or composed(sheet.name) in access.characters
    ]
    own = [sheet for sheet in reached if not sheet.sample] or reached
    if len(own) != 1:
        known = ", ".join(repr(sheet.id) for sheet in own) or "none"
        msg = f"which character? give character; there are {known}"
        raise InvalidInput(msg)
    return own[0]


async def _left(receive: Receive) -> None:
    """Wait until the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(event: Token | Done) -> dict[str, object]:
    if isinstance(event, Token):
        return _line({"type": "token", "content": event.text})
    return _line(
        {
            "type": "done",
            "emotion": event.emotion,
            "intimacy_level": round(event.intimacy_level, 2),
            "memories_used": event.memories_used,
            **({} if event.kept else {"kept": False}),
        }
    )


def _line(fields: dict[str, object]) -> dict[str, object]:
    data = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    body = f"data: {data}\n\n".encode("utf-8", "surrogatepass")
    return {"type": "http.response.body", "body": body, "more_body": True}
