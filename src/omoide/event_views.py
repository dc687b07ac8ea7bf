"""Shared events as JSON for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.views import MemoryView, View

if TYPE_CHECKING:
    from omoide.domain.event import Event, EventSides, Side


class EventView(View):
    """An event that several characters share."""

    name: str
    day: str | None
    place: str | None
    category: str | None
    weight: float
    description: str
    participants: list[str]

    @classmethod
    def of(cls, event: Event) -> EventView:
        """The view of an event."""
        return cls(
            name=event.name,
            day=None if event.day is None else str(event.day),
            place=event.place,
            category=event.category,
            weight=event.weight,
            description=event.description,
            participants=list(event.participants),
        )


class SideView(View):
    """An event as one character knows it: its own account, and what it has heard or guesses."""

    character: str
    present: bool
    age: float | None
    absolute_day: int | None
    account: MemoryView | None
    told: list[MemoryView]

    @classmethod
    def of(cls, side: Side) -> SideView:
        """The view of a side."""
        return cls(
            character=side.character,
            present=side.present,
            age=side.age,
            absolute_day=side.absolute_day,
            account=None if side.account is None else MemoryView.of(side.account),
            told=[MemoryView.of(memory) for memory in side.told],
        )


class EventSidesView(View):
    """An event with every side of it, for authors and tools."""

    event: EventView
    sides: list[SideView]

    @classmethod
    def of(cls, found: EventSides) -> EventSidesView:
        """The view of an event and its sides."""
        return cls(event=EventView.of(found.event), sides=[SideView.of(side) for side in found.sides])
