"""Looking after a whole tenant: who is in it, erasing a user, what waits, and the server's keys."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel

from omoide.checkup import checkup
from omoide.domain.finding import Finding
from omoide.domain.text import composed
from omoide.engine import Engine
from omoide.errors import InvalidInput
from omoide.importing.report import ScopeView
from omoide.scope import Scope
from omoide.server.access import Access
from omoide.server.doors import AnyAccess, AnyCaller, AnyEngine, WhoseScope, admin_of, doors_of, scope_of
from omoide.server.routes.bodies import Body, Name
from omoide.state_views import WindowView
from omoide.stores.copies import Verified
from omoide.stores.erasure import Erased
from omoide.stores.keys.private_file import make_folder

router = APIRouter(prefix="/api", tags=["care"], dependencies=[Depends(admin_of)])

_AT_ONCE = 1_000


class EraseBody(Body):
    """The user to erase; none, with `unfinished`, for what erasures have left."""

    user: Name | None = None
    unfinished: bool = False


class KeyBody(Body):
    """A new key of one's own tenant, and how far it reaches; None is everybody."""

    label: Name
    users: list[Name] | None = None
    characters: list[Name] | None = None
    admin: bool = False
    issue: bool = False


class ReachView(BaseModel):
    """A key's label, and how far it reaches."""

    label: str
    users: list[str] | None
    characters: list[str] | None
    admin: bool
    issue: bool

    @classmethod
    def of(cls, access: Access) -> ReachView:
        """The view of a reach."""
        return cls(
            label=access.label,
            users=None if access.users is None else sorted(access.users),
            characters=None if access.characters is None else sorted(access.characters),
            admin=access.admin,
            issue=access.issue,
        )


class KeyView(BaseModel):
    """A new key, which is never shown again."""

    label: str
    key: str


class HealthView(BaseModel):
    """What an inspection found."""

    healthy: bool
    findings: list[Finding]


class IndexedView(BaseModel):
    """What was made, and what is still missing and needs another call."""

    terms: int
    vectors: int
    links: int
    more: bool
    copies: Verified | None = None


@router.get("/scopes")
async def scopes(engine: AnyEngine) -> list[ScopeView]:
    """Every user and character who have met, oldest first; no user for a character's own memory."""
    return [ScopeView(user=scope.user, character=scope.character) for scope in await engine.scopes()]


@router.post("/erase")
async def erase(engine: AnyEngine, body: EraseBody) -> Erased:
    """Erase a user for good: every character's memory, every word, and the key that opens old backups.

    What was interrupted is finished by another call, or for all users by `unfinished`; that also erases what
    an older backup has brought back of users who were erased since.
    """
    if (body.user is None) is not body.unfinished:
        msg = "whom? give user, or unfinished for what erasures have left"
        raise InvalidInput(msg)
    return await (engine.finish_erasures() if body.user is None else engine.erase_user(composed(body.user)))


@router.post("/reindex", response_model_exclude_none=True)
async def reindex(
    request: Request,
    engine: AnyEngine,
    caller: AnyCaller,
    *,
    user: Annotated[str | None, Query(min_length=1, max_length=512)] = None,
    character: Annotated[str | None, Query(min_length=1, max_length=512)] = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = _AT_ONCE,
    verify: bool = False,
) -> IndexedView:
    """Make terms and vectors that are missing, up to a limit, then links; call again while there is more.

    With `verify` the copies of vectors in pgvector or Qdrant are compared with the store, and repaired. Where
    no character is named, it is done for all scopes, and what the store does not know is removed there.
    """
    if character is None and user is not None:
        msg = "whose memory is it? give character too, or neither for all scopes"
        raise InvalidInput(msg)
    named = None if character is None else [scope_of(request, caller, character, user)]
    made = IndexedView(terms=0, vectors=0, links=0, more=False)
    for scope in named or await engine.scopes():
        await _index(engine, scope, made, limit=limit)
        if made.more:
            break
    made.copies = await engine.verify(named) if verify else None
    return made


async def _index(engine: Engine, scope: Scope, made: IndexedView, *, limit: int) -> None:
    """Add to what was made what a scope lacks, up to the limit."""
    if made.terms < limit:
        made.terms += await scope.analyse(limit=limit - made.terms)
    if engine.embedder is not None and made.vectors < limit:
        made.vectors += await scope.vectorise(limit=limit - made.vectors)
    made.more = limit in (made.terms, made.vectors)
    if not made.more:
        made.links += await scope.tie()


@router.get("/windows")
async def windows(scope: WhoseScope, limit: Annotated[int, Query(ge=1, le=1_000)] = 100) -> list[WindowView]:
    """The newest parts of conversations that a model has read or is to read, and why one failed."""
    return [WindowView.of(report) for report in await scope.windows(limit=limit)]


@router.get("/doctor")
async def doctor(engine: AnyEngine) -> HealthView:
    """Look at the store, the indexes, what waits to be read, the embedder and the chat models."""
    findings = await checkup(engine)
    return HealthView(healthy=all(finding.state != "wrong" for finding in findings), findings=findings)


@router.get("/keys")
async def keys(request: Request, engine: AnyEngine, caller: AnyAccess) -> list[ReachView]:
    """The API keys of one's own tenant: labels, and how far each reaches."""
    known = await engine.read(doors_of(request).keys.all)
    return [ReachView.of(access) for access in known if access.tenant == caller.tenant]


@router.post("/keys", status_code=201)
async def add_key(request: Request, engine: AnyEngine, caller: AnyAccess, body: KeyBody) -> KeyView:
    """Make a key of one's own tenant. The first one of all closes a server on loopback to all without one."""
    access = Access(
        label=body.label,
        tenant=caller.tenant,
        users=None if body.users is None else frozenset(map(composed, body.users)),
        characters=None if body.characters is None else frozenset(map(composed, body.characters)),
        admin=body.admin,
        issue=body.issue,
    )
    known = doors_of(request).keys

    def add() -> str:
        make_folder(known.file.parent)
        return known.add(access)

    return KeyView(label=body.label, key=await engine.run(add))


@router.delete("/keys/{label:path}", status_code=204)
async def remove_key(request: Request, engine: AnyEngine, caller: AnyAccess, label: str) -> None:
    """Remove a key of one's own tenant; requests with it are refused from now on."""
    await engine.run(lambda: doors_of(request).keys.remove(label, tenant=caller.tenant))
