"""What every route stands on: how far the caller reaches, the engine of its tenant, whose memory is meant."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Depends, HTTPException, Query, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from omoide.engine import Engine
from omoide.errors import TokenRefused
from omoide.scope import Scope
from omoide.server.access import LOCAL, Access, ApiKeys
from omoide.server.homes import Home, Homes
from omoide.server.limits import Limits
from omoide.server.metrics import Metrics
from omoide.server.readiness import Readiness
from omoide.server.tokens import Tokens, tenant_named

_log = logging.getLogger("omoide")
_bearer = HTTPBearer(
    auto_error=False, description="An API key, as `omoide api-key add` makes it, or a token made with one."
)
_header = APIKeyHeader(name="X-Api-Key", auto_error=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Doors:
    """What the server holds.

    Attributes:
        homes: what it holds for each tenant.
        keys: who may call.
        open: whether the server may be used without a key, as long as there is none.
        metrics: what is counted.
        limits: how often a key may call.
        readiness: whether the server can do its work.
    """

    homes: Homes
    keys: ApiKeys
    open: bool
    metrics: Metrics
    limits: Limits
    readiness: Readiness

    async def caller(self, given: Sequence[str]) -> Caller | None:
        """Who calls, by the first of the keys and tokens that were given that is ours.

        Raises:
            TokenRefused: a token of ours was given that does not hold.
            StoreError: the store cannot be reached.
        """
        for one in given:
            access = self.keys.find(one) or await self._by_token(one)
            if access is not None and self.homes.serves(access.tenant):
                home = await self.homes.of(access.tenant)
                return Caller(access=_by_names(access, home), home=home)
        return None

    def anybody(self) -> Caller | None:
        """Whoever calls without a key; None where one is needed."""
        if not self.open or self.keys:
            return None
        return Caller(access=replace(LOCAL, tenant=self.homes.tenant), home=self.homes.own)

    async def _by_token(self, given: str) -> Access | None:
        tenant = tenant_named(given)
        if tenant is None:
            return None
        # A tenant is opened for nobody who may have made its name up.
        if not self.homes.serves(tenant) or not await self.homes.knows(tenant):
            msg = "the token is for a tenant that is not served here"
            raise TokenRefused(msg)
        home = await self.homes.of(tenant)
        return await home.engine.read(lambda: Tokens(home.engine.store).read(given))

    def upstream_failed(self, kind: str) -> None:
        """Note trouble with the proxy's upstream, by kind."""
        self.metrics.upstream_failed(kind)
        _log.warning("the upstream failed: %s", kind)


@dataclass(frozen=True, kw_only=True, slots=True)
class Caller:
    """Who calls: how far they reach, within which home."""

    access: Access
    home: Home


def doors_of(request: Request) -> Doors:
    """What the server holds."""
    doors: Doors = request.app.state.doors
    return doors


async def caller_of(
    request: Request,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    header: Annotated[str | None, Depends(_header)],
) -> Caller:
    """Who calls.

    Raises:
        HTTPException: 401, no key or an unknown one where keys are needed.
        TokenRefused: a token that does not hold.
    """
    doors = doors_of(request)
    given = header or (None if bearer is None else bearer.credentials)
    found = None if given is None else await doors.caller([given])
    # Some clients send a key of nonsense where they have none.
    caller = doors.anybody() if found is None else found
    if caller is None:
        raise HTTPException(
            status_code=401,
            detail="an API key is needed: Authorization: Bearer …; `omoide api-key add` makes one",
            headers={"WWW-Authenticate": "Bearer"},
        )
    request.state.sees_causes = caller.access.sees_causes
    return caller


AnyCaller = Annotated[Caller, Depends(caller_of)]
"""Who calls."""


def access_of(caller: AnyCaller) -> Access:
    """How far the caller's key reaches."""
    return caller.access


def home_of(caller: AnyCaller) -> Home:
    """What the server holds for the caller's tenant."""
    return caller.home


AnyHome = Annotated[Home, Depends(home_of)]
"""What the server holds for the caller's tenant."""

AnyAccess = Annotated[Access, Depends(access_of)]
"""How far the caller's key reaches."""


def admin_of(access: AnyAccess) -> Access:
    """The same, where only an admin key will do."""
    access.check_admin()
    return access


AdminAccess = Annotated[Access, Depends(admin_of)]
"""An admin key."""


def engine_of(request: Request, caller: AnyCaller) -> Engine:
    """The engine of the caller's tenant, for callers with a key."""
    doors_of(request).limits.take(caller.access.name, None)
    return caller.home.engine


AnyEngine = Annotated[Engine, Depends(engine_of)]
"""The engine of the caller's tenant."""


def scope_of(
    request: Request,
    caller: AnyCaller,
    character: Annotated[str, Query(description="The character.", min_length=1, max_length=512)],
    user: Annotated[
        str | None,
        Query(description="The user; left out for a character's own memory.", min_length=1, max_length=512),
    ] = None,
) -> Scope:
    """The scope that a request means, if the caller's key reaches it."""
    character = caller.home.characters.called(character)
    caller.access.check(user, character)
    scope = caller.home.engine.scope(user=user, character=character)
    doors_of(request).limits.take(caller.access.name, scope.user)
    return scope


def _by_names(access: Access, home: Home) -> Access:
    """A key that names characters by id reaches what they remember, which lies under their names."""
    if access.characters is None:
        return access
    return replace(access, characters=frozenset(map(home.characters.called, access.characters)))


WhoseScope = Annotated[Scope, Depends(scope_of)]
"""The scope that `?user=…&character=…` means, if the caller's key reaches it."""


def keyed_scope_of(scope: WhoseScope, access: AnyAccess) -> Scope:
    """The same, where a token will not do."""
    access.check_key()
    return scope


KeyedScope = Annotated[Scope, Depends(keyed_scope_of)]
"""The same, where a token will not do."""
