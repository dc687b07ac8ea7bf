"""What is nearly alike takes a part of the places, so that many tellings of one thing leave room for another.

Thirty walks that differ in their number are no duplicates, and each may be asked for. But where all of them
rank before the one thing that was meant, four of them say as much as twelve.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    FloatArray = NDArray[np.float32]

SHARE: Final = 3
"""Of so many places one at most is taken by memories that are nearly alike."""

LEAST: Final = 4
"""So many of them are never too many: in a short answer each may be the one that was meant."""


def crowded(likeness: FloatArray, near: float, *, share: int) -> bool:
    """Whether some memory is nearly like so many before it that their part of the places is taken.

    Args:
        likeness: the cosine of each memory, a row each, with those that rank before it; 0 elsewhere.
        near: from this cosine on, two are nearly alike.
        share: places that such memories may take.
    """
    return bool(np.count_nonzero(likeness >= near, axis=1).max() >= share)


def spread(kept: Sequence[int], likeness: FloatArray, near: float, *, share: int) -> list[int]:
    """The places of what was kept in a new order: what is too many of a kind comes last, in its own order."""
    alike = likeness >= near
    first: list[int] = []
    last: list[int] = []
    for place in kept:
        before = np.count_nonzero(alike[place, first])
        (first if before < share else last).append(place)
    return [*first, *last]
