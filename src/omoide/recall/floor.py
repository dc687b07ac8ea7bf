"""The floor: whether anything bears on a message at all; an empty block beats a wrong memory (ruling 35)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from omoide.domain.embedding import Gate, Thresholds
    from omoide.recall.choice import Lists

_COVERED = 0.5
"""The share of the message's terms, weighed by rarity, that one memory must hold to bear on it by words."""

_FITTED_ON = 36
_PER_HALVING = 0.006
"""Gates were fitted on so many memories. With each halving the nearest one is so much less like a message by
chance alone, which says nothing against it."""


def bears(
    lists: Lists, allowed: NDArray[np.bool_], thresholds: Thresholds | None, *, lacking: NDArray[np.bool_]
) -> bool:
    """Whether any memory bears on the message: by name, by its words, or by what it is about.

    Those that lack a vector as yet can do so by their words only, as all do without an embedder.

    One bar for the whole message, and not one for each row: what stands beside a good row may be the answer
    without being like the question.
    """
    covered = bool((allowed & covering(lists)).any())
    if lists.calls_by_name or (covered and (lists.tale or not lists.request)):
        return True
    by_words = lists.rare and not lists.request
    if thresholds is None or lists.query is None:
        return by_words
    if by_words and bool((lists.words[lacking] > 0).any()):
        return True
    likeness = float(np.nanmax(lists.meaning[allowed], initial=-1.0))
    if thresholds.gate is not None and lists.dialogue:
        return _opens(thresholds.gate, lists, likeness, int(allowed.sum()))
    return likeness >= thresholds.relevant and not lists.request


def covering(lists: Lists) -> NDArray[np.bool_]:
    """Rows that hold as many of the message's terms as it takes to bear on it by words."""
    enough: NDArray[np.bool_] = lists.coverage >= _COVERED
    return enough


def _opens(gate: Gate, lists: Lists, likeness: float, memories: int) -> bool:
    fewer = math.log2(max(1.0, _FITTED_ON / memories)) * _PER_HALVING
    return gate(lists.query, likeness=likeness + fewer, request=lists.request) >= 0.0
