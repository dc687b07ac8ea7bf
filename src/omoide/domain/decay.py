"""How memories fade: by the calendar (H15, H16), or by how much was said since (P10, ruling 8)."""

from __future__ import annotations

import math
from enum import StrEnum

FLOOR = 0.3
"""What fading by conversation leaves of any memory, however long ago."""

HALF_LIFE = 40.0
"""The distance over which a memory fades by half."""

MESSAGES_PER_STEP = 5
"""Messages of people that make one step of distance: the size of a window."""

FORGET_BELOW = 0.05
"""A cycle of forgetting prunes what is retained less (H16)."""

RECALL_FROM = 0.1
"""A search leaves out what is retained less, where memories fade by the calendar (H9)."""

_PER_RECALL = 0.1
_PER_DAY_OF_STRENGTH = 2.0


class Forgetting(StrEnum):
    """How a deployment lets memories fade."""

    CONVERSATION = "conversation"
    CALENDAR = "calendar"
    NONE = "none"


def strength(importance: float, *, confirmed: int = 1, recalls: int = 0) -> float:
    """Days over which retention falls to 1/e (H15); each recall into a chat adds two (H10, ruling 10).

    Args:
        importance: from 1 to 10.
        confirmed: how many times it was said.
        recalls: how many exchanges it was recalled into.
    """
    return 1.0 + importance + _PER_DAY_OF_STRENGTH * (confirmed + recalls)


def retention(days: float, *, importance: float, confirmed: int = 1, recalls: int = 0) -> float:
    """What is left of a memory, from 0 to 1, so many days after it was last recalled, or stored (H15)."""
    return math.exp(-max(0.0, days) / strength(importance, confirmed=confirmed, recalls=recalls))


def conversation_factor(distance: float, *, confirmed: int = 1, recalls: int = 0) -> float:
    """The factor for a memory that lies so many steps of talk back: 1 when new, 0.3 at least (P10).

    What was confirmed or recalled lasts longer: a tenth more of the half-life each time (H10). A user who
    returns after months finds everything as it was.
    """
    half_life = HALF_LIFE * (1.0 + _PER_RECALL * (max(0, confirmed - 1) + recalls))
    return max(FLOOR, math.exp2(-max(0.0, distance) / half_life))
