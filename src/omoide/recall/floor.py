"""The floor: whether anything bears on a message at all; an empty block beats a wrong memory (ruling 35)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from omoide.domain.embedding import Thresholds
    from omoide.recall.choose import Lists

_COVERED = 0.5
"""The share of the message's terms, weighed by rarity, that one memory must hold to bear on it by words."""


def bears(lists: Lists, allowed: NDArray[np.bool_], thresholds: Thresholds | None) -> bool:
    """Whether any memory bears on the message: by name, by its words, or by what it is about.

    One bar for the whole message, and not one for each row: what stands beside a good row may be the answer
    without being like the question.
    """
    covered = float(lists.coverage[allowed].max(initial=0.0)) >= _COVERED
    if lists.calls_by_name or (covered and not lists.request):
        return True
    if thresholds is None or lists.query is None:
        return lists.rare and not lists.request
    likeness = float(np.nanmax(lists.meaning[allowed], initial=-1.0))
    if thresholds.gate is not None:
        return thresholds.gate(lists.query, likeness=likeness, request=lists.request) >= 0.0
    return likeness >= thresholds.relevant and not lists.request
