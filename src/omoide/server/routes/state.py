"""How a user and a character stand: relationship, plans, feelings."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from omoide.domain.model import PlanState
from omoide.server.doors import WhoseScope
from omoide.state_views import RelationshipView
from omoide.views import FeelingsView, MemoryView

router = APIRouter(prefix="/api", tags=["state"])


@router.get("/relationship")
async def relationship(scope: WhoseScope) -> RelationshipView | None:
    """How the two stand with each other now; null while nothing is known of it."""
    versions = await scope.relationship_history()
    return next((RelationshipView.of(version) for version in versions if version.current), None)


@router.get("/relationship/history")
async def relationship_history(scope: WhoseScope) -> list[RelationshipView]:
    """Every version of the relationship, newest first."""
    return [RelationshipView.of(version) for version in await scope.relationship_history()]


@router.get("/plans")
async def plans(
    scope: WhoseScope,
    state: Annotated[tuple[PlanState, ...], Query()] = (PlanState.OPEN,),
) -> list[MemoryView]:
    """Promises, appointments and wishes, those due first in front."""
    return [MemoryView.of(memory) for memory in await scope.plans(states=state)]


@router.get("/feelings")
async def feelings(
    scope: WhoseScope, days: Annotated[int | None, Query(ge=1, le=3_650)] = None
) -> FeelingsView | None:
    """The user's feelings over the last days, summed up; null where nothing is known."""
    found = await scope.feelings(days=days)
    return None if found is None else FeelingsView.of(found)
