"""Tokens for browsers and games: issued by a server that knows its user, with a key that may."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import AwareDatetime, BaseModel, Field

from omoide.server.doors import AdminAccess, AnyAccess, AnyEngine, AnyHome
from omoide.server.routes.bodies import Body, Name
from omoide.server.tokens import LONGEST, MINUTES, Tokens

router = APIRouter(prefix="/api", tags=["tokens"])


class TokenBody(Body):
    """Whom a token is for, and how many minutes it holds."""

    user: Name
    character: Name
    minutes: Annotated[float, Field(ge=1, le=LONGEST)] = MINUTES


class TokenView(BaseModel):
    """A token, which goes where an API key goes, and when it ends."""

    token: str
    expires: AwareDatetime


@router.post("/tokens", status_code=201)
async def issue(engine: AnyEngine, access: AnyAccess, home: AnyHome, body: TokenBody) -> TokenView:
    """Issue a token for one user and character whom the key itself reaches. It needs a key that may."""
    access.check_issue()
    character = home.characters.called(body.character)
    access.check(body.user, character)
    tokens = Tokens(engine.store)
    made = await engine.run(lambda: tokens.issue(user=body.user, character=character, minutes=body.minutes))
    return TokenView(token=made.text, expires=made.expires)


@router.delete("/tokens", status_code=204)
async def revoke(engine: AnyEngine, access: AdminAccess) -> None:
    """Let all tokens of one's own tenant end now, by making the key anew that they are signed with."""
    del access
    await engine.run(Tokens(engine.store).revoke)
