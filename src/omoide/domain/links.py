"""What ties one memory to another, so that one leads to the other (K8)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class LinkKind(StrEnum):
    """What two memories have in common."""

    EVENT = "event"
    PERSON = "person"
    PLACE = "place"
    FEELING = "feeling"
    SIMILAR = "similar"
    FOLLOWS = "follows"


MOST: Final = 8
"""Links of one kind that one memory leads by at most."""

STRENGTH: Final[dict[LinkKind, float]] = {
    LinkKind.EVENT: 1.0,
    LinkKind.PERSON: 0.8,
    LinkKind.PLACE: 0.6,
    LinkKind.FEELING: 0.4,
    LinkKind.SIMILAR: 0.6,
    LinkKind.FOLLOWS: 0.7,
}
"""How strongly each kind ties, where few memories share what ties them: 0 to 1."""

_FEW: Final = 4


@dataclass(frozen=True, slots=True)
class Link:
    """A tie between two memories, by number; it leads both ways, and `weight` is from 0 to 1."""

    start: int
    end: int
    kind: LinkKind
    weight: float


def strength(kind: LinkKind, *, shared_by: int) -> float:
    """How strongly memories are tied by something that so many of them share: what all share ties none."""
    return STRENGTH[kind] * min(1.0, math.sqrt(_FEW / max(1, shared_by)))
