"""The floor: whether anything bears on a message at all; an empty block beats a wrong memory (ruling 35)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from omoide.domain.embedding import Thresholds
    from omoide.recall.choose import Lists

_COVERED = 0.5
"""The share of the message's terms that one memory must hold to bear on it by words alone."""


def bears(lists: Lists, allowed: NDArray[np.bool_], thresholds: Thresholds | None) -> bool:
    """Whether any memory bears on the message, by the likeness of meaning or by rare words in common."""
    if float(lists.coverage[allowed].max(initial=0.0)) >= _COVERED:
        return True
    if thresholds is None:
        return False
    meaning = lists.meaning[allowed]
    return float(np.nanmax(meaning, initial=-1.0)) >= thresholds.relevant
