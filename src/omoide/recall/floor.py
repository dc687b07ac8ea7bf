"""The floor: whether anything bears on a message at all; an empty block beats a wrong memory (ruling 35)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from omoide.domain.embedding import Thresholds
    from omoide.recall.choose import Lists


def relevant(lists: Lists, allowed: NDArray[np.bool_], thresholds: Thresholds | None) -> NDArray[np.bool_]:
    """Which rows bear on the message, by the likeness of meaning or by rare words that they share."""
    by_words = lists.coverage >= 0.5
    if thresholds is None or np.isnan(lists.meaning).all():
        return allowed & by_words
    return allowed & (by_words | (np.nan_to_num(lists.meaning, nan=-1.0) >= thresholds.relevant))
