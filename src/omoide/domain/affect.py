"""Feelings over time: what was felt, how strongly, and which days were hard (H17, H18, ruling 15)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime, tzinfo

EMOTIONS = (
    "calm",
    "happy",
    "excited",
    "playful",
    "shy",
    "curious",
    "nervous",
    "concerned",
    "tired",
    "sad",
    "angry",
)
"""The emotions that the engine knows (H4)."""

HARD = frozenset({"nervous", "tired", "concerned"})
"""Feelings that make a day hard, where they are strong (H18)."""

HARD_FROM = 0.6
"""How strong such a feeling is at least on a hard day, 0 to 1."""

DAYS = 7
"""Days that a summary looks back."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Feeling:
    """One feeling: what, and how strong from 0 to 1."""

    emotion: str
    intensity: float

    def __post_init__(self) -> None:
        if self.emotion not in EMOTIONS:
            msg = f"no emotion is called {self.emotion!r}; choose from {', '.join(EMOTIONS)}"
            raise InvalidInput(msg)
        if not 0.0 <= self.intensity <= 1.0:
            msg = f"an intensity lies between 0 and 1, got {self.intensity!r}"
            raise InvalidInput(msg)


@dataclass(frozen=True, kw_only=True, slots=True)
class Felt:
    """A feeling, when it was felt, aware, and what brought it about where that is known."""

    feeling: Feeling
    at: datetime
    trigger: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Feelings:
    """A summary of somebody's feelings over some days (H18).

    Attributes:
        dominant: the emotion felt most often; of several, the one felt last.
        intensity: the mean, 0 to 1.
        counts: how often each was felt.
        hard_days: days with a hard feeling that was strong, in the person's own zone, oldest first.
    """

    dominant: str
    intensity: float
    counts: dict[str, int]
    hard_days: tuple[date, ...]


def summary(felt: Sequence[Felt], *, zone: tzinfo) -> Feelings | None:
    """Sum up what was felt, oldest first; None where nothing is known."""
    if not felt:
        return None
    counts = Counter(one.feeling.emotion for one in felt)
    last = {one.feeling.emotion: place for place, one in enumerate(felt)}
    hard = {
        one.at.astimezone(zone).date()
        for one in felt
        if one.feeling.emotion in HARD and one.feeling.intensity >= HARD_FROM
    }
    return Feelings(
        dominant=max(counts, key=lambda emotion: (counts[emotion], last[emotion])),
        intensity=sum(one.feeling.intensity for one in felt) / len(felt),
        counts=dict(counts),
        hard_days=tuple(sorted(hard)),
    )
