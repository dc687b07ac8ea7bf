"""What every route stands on: the engine, how far the caller's key reaches, and whose memory is meant."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, HTTPException, Query, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from omoide.engine import Engine
from omoide.scope import Scope
from omoide.server.access import LOCAL, Access, ApiKeys

_bearer = HTTPBearer(auto_error=False, description="An API key, as `omoide api-key add` makes it.")
_header = APIKeyHeader(name="X-Api-Key", auto_error=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Doors:
    """What the server holds: the engine, its keys, and whether it may be used without one."""

    engine: Engine
    keys: ApiKeys
    open: bool


def doors_of(request: Request) -> Doors:
    """What the server holds."""
    doors: Doors = request.app.state.doors
    return doors


def access_of(
    request: Request,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    header: Annotated[str | None, Depends(_header)],
) -> Access:
    """How far the caller's key reaches.

    Raises:
        HTTPException: 401, no key or an unknown one where keys are needed.
    """
    doors = doors_of(request)
    given = header or (None if bearer is None else bearer.credentials)
    found = None if given is None else doors.keys.find(given)
    if found is not None:
        return found
    if doors.open and not doors.keys:
        return LOCAL  # some clients send a key of nonsense where they have none
    raise HTTPException(
        status_code=401,
        detail="an API key is needed: Authorization: Bearer …; `omoide api-key add` makes one",
        headers={"WWW-Authenticate": "Bearer"},
    )


AnyAccess = Annotated[Access, Depends(access_of)]
"""How far the caller's key reaches."""


def admin_of(access: AnyAccess) -> Access:
    """The same, where only an admin key will do."""
    access.check_admin()
    return access


AdminAccess = Annotated[Access, Depends(admin_of)]
"""An admin key."""


def engine_of(request: Request, access: AnyAccess) -> Engine:
    """The engine, for callers with a key."""
    del access
    return doors_of(request).engine


AnyEngine = Annotated[Engine, Depends(engine_of)]


def scope_of(
    request: Request,
    access: AnyAccess,
    character: Annotated[str, Query(description="The character.", min_length=1, max_length=512)],
    user: Annotated[
        str | None,
        Query(description="The user; left out for a character's own memory.", min_length=1, max_length=512),
    ] = None,
) -> Scope:
    """The scope that a request means, if the caller's key reaches it."""
    access.check(user, character)
    return doors_of(request).engine.scope(user=user, character=character)


WhoseScope = Annotated[Scope, Depends(scope_of)]
"""The scope that `?user=…&character=…` means, if the caller's key reaches it."""


def new_id() -> str:
    """An id for something that a client named not."""
    return secrets.token_hex(16)
