"""What was said goes in, and what comes to mind comes out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel

from omoide.retain.record import Recorded
from omoide.server.doors import AnyAccess, WhoseScope, doors_of
from omoide.server.errors import lacking
from omoide.server.routes.bodies import ObserveBody, RecallBody, RewindBody, SyncBody
from omoide.views import RecallView

router = APIRouter(prefix="/api", tags=["talk"])


class RecordedView(BaseModel):
    """What a call did to the log and to memories."""

    session: str
    added: int
    withdrawn: int
    blank: int
    made: int
    suppressed: int
    messages: list[str]

    @classmethod
    def of(cls, recorded: Recorded) -> RecordedView:
        """The view of an outcome."""
        return cls(
            session=recorded.session,
            added=recorded.added,
            withdrawn=recorded.withdrawn,
            blank=recorded.blank,
            made=recorded.made,
            suppressed=recorded.suppressed,
            messages=list(recorded.messages),
        )


@router.post("/observe")
async def observe(scope: WhoseScope, body: ObserveBody) -> RecordedView:
    """Hand over an exchange, after the reply. It can be recalled at once."""
    recorded = await scope.observe(
        user=body.user,
        reply=body.reply,
        messages=[message.message() for message in body.messages],
        session=body.session,
        at=body.at,
        off_record=body.off_record,
    )
    return RecordedView.of(recorded)


@router.post("/sync")
async def sync(scope: WhoseScope, body: SyncBody) -> RecordedView:
    """Hand over the conversation as the client now shows it, edits, swipes and deletions included."""
    messages = [message.message() for message in body.messages]
    return RecordedView.of(await scope.sync(messages, session=body.session, live=body.live))


@router.post("/rewind")
async def rewind(scope: WhoseScope, body: RewindBody) -> RecordedView:
    """Take back everything after a message, and what was remembered of it."""
    return RecordedView.of(await scope.rewind(to=body.to, session=body.session))


@router.delete("/messages/{message}")
async def delete(scope: WhoseScope, message: str) -> RecordedView:
    """Take one message back, and what was remembered of it."""
    return RecordedView.of(await scope.delete(message))


@router.post("/recall")
async def recall(request: Request, scope: WhoseScope, access: AnyAccess, body: RecallBody) -> RecallView:
    """What comes to mind at a message, with the reason for each memory."""
    given: dict[str, Any] = body.model_dump(exclude={"message", "filter"})
    narrowed = None if body.filter is None else body.filter.filter()
    recalled = await scope.recall(body.message, filter=narrowed, **given)
    doors_of(request).metrics.recalled(recalled)
    view = RecallView.of(recalled)
    view.degraded = lacking(recalled.degraded, causes=access.sees_causes)
    return view
