"""A character's past as plain values, for exports: what a diary memory has beside others, and events."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from omoide.domain.event import Event
from omoide.domain.model import Kind
from omoide.domain.observation import Observation
from omoide.domain.partial_date import PartialDate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omoide.domain.model import Memory


def diary_row(memory: Memory) -> dict[str, Any]:
    """What only a diary memory has, as `read_diary` takes it; nothing for others."""
    if memory.kind is not Kind.DIARY:
        return {}
    return {
        "day": None if memory.day is None else str(memory.day),
        "emotion": memory.emotion,
        "action": memory.action,
        "thought": memory.thought,
        "event": memory.event,
        "observations": [asdict(seen) for seen in memory.observations],
        "derived": list(memory.derived),
    }


def read_diary(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a note that `diary_row` gave."""
    return {
        "day": None if row.get("day") is None else PartialDate.parse(row["day"]),
        "emotion": row.get("emotion"),
        "action": row.get("action"),
        "thought": row.get("thought"),
        "event": row.get("event"),
        "observations": tuple(Observation(**seen) for seen in row.get("observations", ())),
        "derived": tuple(row.get("derived", ())),
    }


def event_row(event: Event) -> dict[str, Any]:
    """An event, as `read_event` takes it."""
    values = {
        "name": event.name,
        "participants": list(event.participants),
        "day": None if event.day is None else str(event.day),
        "place": event.place,
        "category": event.category,
        "weight": event.weight,
        "description": event.description or None,
    }
    return {key: value for key, value in values.items() if value is not None}


def read_event(row: Mapping[str, Any]) -> Event:
    """The event that `event_row` gave."""
    day = row.get("day")
    given = {**row, "participants": tuple(row["participants"])}
    return Event(**{**given, "day": None if day is None else PartialDate.parse(day)})
