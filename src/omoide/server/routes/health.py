"""Is the process alive, can it work, and what has it done: for whoever looks after it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from omoide.server.doors import AnyAccess, AnyEngine, doors_of
from omoide.server.readiness import ReadyView

router = APIRouter(tags=["health"])


class AliveView(BaseModel):
    """The process answers."""

    status: str = "alive"


@router.get("/health")
async def health() -> AliveView:
    """Whether the process answers."""
    return AliveView()


@router.get("/ready", responses={503: {"model": ReadyView}})
async def ready(request: Request, response: Response) -> ReadyView:
    """Whether the server can do its work. It tells states and numbers, and nothing that anybody said."""
    found = await doors_of(request).readiness.look()
    if not found.ready:
        response.status_code = 503
    return found


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request, engine: AnyEngine, access: AnyAccess) -> Response:
    """What was counted and measured over all tenants, in the text format of Prometheus."""
    doors = doors_of(request)
    access.check_whole(doors.homes.tenant)
    shown = await engine.read(doors.metrics.shown)
    return Response(shown, media_type="text/plain; version=0.0.4; charset=utf-8")
