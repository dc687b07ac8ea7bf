"""How a user and a character stand, as JSON for other programs."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from omoide.views import View

if TYPE_CHECKING:
    from omoide.stores.relationships import Version
    from omoide.stores.windows import WindowReport


class RelationshipView(View):
    """How two stand with each other, as of one version."""

    summary: str
    address: list[str]
    manner: str
    standing: str
    promises: list[str]
    lines: list[str]
    recorded_at: datetime
    current: bool

    @classmethod
    def of(cls, version: Version) -> RelationshipView:
        """The view of a version."""
        held = version.relationship
        return cls(
            summary=held.summary,
            address=list(held.address),
            manner=held.manner,
            standing=held.standing,
            promises=list(held.promises),
            lines=list(held.lines),
            recorded_at=version.recorded_at,
            current=version.current,
        )


class WindowView(View):
    """A stretch of talk that a model has read, is reading, or failed to read."""

    id: int
    state: str
    messages: int
    attempts: int
    next_try: datetime | None
    failure: str | None
    prompt_version: str | None

    @classmethod
    def of(cls, report: WindowReport) -> WindowView:
        """The view of a window."""
        return cls(
            id=report.id,
            state=report.state.value,
            messages=report.messages,
            attempts=report.attempts,
            next_try=report.next_try,
            failure=report.failure,
            prompt_version=report.prompt_version,
        )
