"""What every route stands on: the engine, how far the caller's key reaches, and whose memory is meant."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Depends, HTTPException, Query, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from omoide.characters import Characters
from omoide.chat import Chat
from omoide.engine import Engine
from omoide.scope import Scope
from omoide.server.access import LOCAL, Access, ApiKeys
from omoide.server.limits import Limits
from omoide.server.metrics import Metrics
from omoide.server.readiness import Readiness

_log = logging.getLogger("omoide")
_bearer = HTTPBearer(auto_error=False, description="An API key, as `omoide api-key add` makes it.")
_header = APIKeyHeader(name="X-Api-Key", auto_error=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Doors:
    """What the server holds.

    Attributes:
        engine: remembers.
        characters: who can be talked with.
        chat: lets users talk with them.
        keys: who may call.
        open: whether the server may be used without a key, as long as there is none.
        metrics: what is counted.
        limits: how often a key may call.
        readiness: whether the server can do its work.
    """

    engine: Engine
    characters: Characters
    chat: Chat
    keys: ApiKeys
    open: bool
    metrics: Metrics
    limits: Limits
    readiness: Readiness

    def by_names(self, access: Access) -> Access:
        """A key that names characters by id reaches what they remember, which lies under their names."""
        if access.characters is None:
            return access
        return replace(access, characters=frozenset(map(self.characters.called, access.characters)))

    def upstream_failed(self, kind: str) -> None:
        """Note trouble with the proxy's upstream, by kind."""
        self.metrics.upstream_failed(kind)
        _log.warning("the upstream failed: %s", kind)


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
        return doors.by_names(found)
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
    doors = doors_of(request)
    doors.limits.take(access.label, None)
    return doors.engine


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
    doors = doors_of(request)
    character = doors.characters.called(character)
    access.check(user, character)
    scope = doors.engine.scope(user=user, character=character)
    doors.limits.take(access.label, scope.user)
    return scope


WhoseScope = Annotated[Scope, Depends(scope_of)]
"""The scope that `?user=…&character=…` means, if the caller's key reaches it."""
