"""Discussions of characters as jobs, and the memories out of them that wait for an author (K9, K10).

Whoever calls these sees several characters' sides at once, so only an admin key reaches them.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import Field

from omoide.errors import OmoideError
from omoide.factory import Factory
from omoide.factory.views import CandidateView, JobView
from omoide.server.doors import AnyEngine, AnyHome, admin_of
from omoide.server.routes.bodies import Body, Name

router = APIRouter(prefix="/api", tags=["discussions"], dependencies=[Depends(admin_of)])
_log = logging.getLogger("omoide")


class DiscussionBody(Body):
    """A discussion to begin; what is left out comes from the settings."""

    topic: Name
    characters: Annotated[list[Name], Field(max_length=100)]
    turns: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    review: bool | None = None


class ResumeBody(Body):
    """How many tokens it may take in all from now on, where it has spent what it might."""

    tokens: Annotated[int, Field(ge=1_000)] | None = None


class ReasonBody(Body):
    """Why, for the record."""

    reason: Annotated[str, Field(max_length=2_000)] = ""


def factory_of(engine: AnyEngine, home: AnyHome) -> Factory:
    """Makes memories out of discussions."""
    return Factory(engine, home.characters)


AnyFactory = Annotated[Factory, Depends(factory_of)]


@router.post("/discussions", status_code=202)
async def begin(engine: AnyEngine, factory: AnyFactory, body: DiscussionBody) -> JobView:
    """Begin a discussion. It goes on after the answer; `GET /api/jobs/{job}` tells how far it has come."""
    limits = factory.limits(turns=body.turns, tokens=body.tokens, seconds=body.seconds, review=body.review)
    job = await factory.begin(body.topic, characters=body.characters, limits=limits)
    engine.soon(_run(factory, job.id, None))
    return JobView.of(job)


@router.get("/jobs")
async def jobs(factory: AnyFactory, limit: Annotated[int, Query(ge=1, le=1_000)] = 100) -> list[JobView]:
    """The newest discussions first."""
    return [JobView.of(job) for job in await factory.jobs(limit=limit)]


@router.get("/jobs/{job}")
async def show(factory: AnyFactory, job: str) -> JobView:
    """A discussion as it stands: what was said, what was written, and what became of it."""
    return JobView.of(await factory.job(job))


@router.post("/jobs/{job}/resume", status_code=202)
async def resume(engine: AnyEngine, factory: AnyFactory, job: str, body: ResumeBody | None = None) -> JobView:
    """Go on with a discussion that was broken off or could not go on; no step is done twice."""
    found = await factory.job(job)
    engine.soon(_run(factory, job, None if body is None else body.tokens))
    return JobView.of(found)


@router.get("/candidates")
async def candidates(factory: AnyFactory) -> list[CandidateView]:
    """The memories that wait for an author, with what judge and safety check say of them."""
    return [CandidateView.of(found) for found in await factory.candidates()]


@router.post("/candidates/{memory}/confirm")
async def confirm(factory: AnyFactory, memory: str) -> JobView:
    """Let a memory be recalled from now on."""
    return JobView.of(await factory.confirm(memory))


@router.post("/candidates/{memory}/reject")
async def reject(factory: AnyFactory, memory: str, body: ReasonBody | None = None) -> JobView:
    """Let a memory never be recalled."""
    return JobView.of(await factory.reject(memory, reason="" if body is None else body.reason))


async def _run(factory: Factory, job: str, tokens: int | None) -> None:
    """Run a job that nobody waits for; what is wrong stands in the job, or in the log."""
    try:
        await factory.run(job, tokens=tokens)
    except OmoideError as error:
        _log.warning("the discussion %s stopped: %s", job, error)
    except asyncio.CancelledError:
        _log.info("the discussion %s was broken off; it can be resumed", job)
        raise
