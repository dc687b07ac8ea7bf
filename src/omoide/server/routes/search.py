"""Search by what memories hold, and by what a text has to do with them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from omoide.domain.layer import Layer
from omoide.domain.model import Kind
from omoide.domain.query import MOST, USUAL
from omoide.server.doors import AnyAccess, WhoseScope
from omoide.server.errors import lacking
from omoide.views import MemoryView

router = APIRouter(prefix="/api", tags=["memories"])

Value = Annotated[str | None, Query(max_length=512)]
Values = Annotated[tuple[str, ...], Query(max_length=64)]


@router.get("/search")
async def search(
    scope: WhoseScope,
    access: AnyAccess,
    response: Response,
    text: Annotated[str | None, Query(max_length=100_000)] = None,
    age: Value = None,
    absolute_day: Value = None,
    day: Value = None,
    since: Value = None,
    until: Value = None,
    place: Value = None,
    layer: Annotated[tuple[Layer, ...], Query()] = (),
    confidence: Value = None,
    emotion: Values = (),
    importance: Value = None,
    event: Value = None,
    category: Value = None,
    person: Values = (),
    kind: Annotated[tuple[Kind, ...], Query()] = (),
    order: Values = (),
    limit: Annotated[int, Query(ge=1, le=MOST)] = USUAL,
) -> list[MemoryView]:
    """Memories by what they hold, such as `age=5..7&emotion=frustration>7&order=-frustration`.

    Where something did not work, such as the index of vectors, the header `x-omoide-degraded` says what.
    """
    found = await scope.search(
        text,
        age=age,
        absolute_day=absolute_day,
        day=day,
        since=since,
        until=until,
        place=place,
        layer=layer,
        confidence=confidence,
        emotion=emotion,
        importance=importance,
        event=event,
        category=category,
        people=person,
        kinds=kind,
        order=order,
        limit=limit,
    )
    if found.degraded:
        told = "; ".join(lacking(found.degraded, causes=access.sees_causes))
        response.headers["x-omoide-degraded"] = " ".join(
            told.encode("ascii", "backslashreplace").decode().split()
        )
    return [MemoryView.of(memory) for memory in found]
