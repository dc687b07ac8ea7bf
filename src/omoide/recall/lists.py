"""What each list says of each memory: by meaning and by words, inside one scope (P9, P11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from omoide.recall.choice import Lists
from omoide.recall.fuse import bm25, rarity
from omoide.stores.index.nearest import EXACT
from omoide.words.analyse import is_weak

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from omoide.recall.mood import Mood
    from omoide.recall.watch import Watch
    from omoide.stores.index.inverted import Hits
    from omoide.stores.store import Recalling

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]
    BoolArray = NDArray[np.bool_]


_TOO_FEW_TO_TELL = 12
"""So many memories that hold a term do not make it common: all talk of a small scope may be of one thing."""


def lists(
    now: Recalling,
    *,
    vector: FloatArray | None,
    terms: Sequence[str],
    blind: Callable[[Sequence[str]], Sequence[int]],
    allowed: BoolArray,
    person: int | None,
    weight: float,
    calls_by_name: bool,
    request: bool,
    tale: bool,
    only_time: bool,
    dialogue: bool,
    mood: Mood | None,
    watch: Watch,
) -> Lists:
    """Score every row of a scope's index.

    Args:
        now: the scope.
        vector: of the query, shape (dimensions,), L2-normalised; None without an embedder.
        terms: of the query.
        blind: blinds terms.
        allowed: rows that may be recalled.
        person: the number of the one person that the message names or means.
        weight: what being said by or about that person is worth.
        calls_by_name: whether the message names somebody whom the scope knows, besides its own two.
        request: whether, in a scope of dialogue, it has the form of a request that no memory bears on.
        tale: whether the message asks to be told of something.
        only_time: whether it names a time and nothing else.
        dialogue: whether the scope holds talk with the character, or its own past.
        mood: which rows the present emotion favours.
        watch: where the time goes.
    """
    snapshot = now.snapshot
    hits = snapshot.terms(blind(terms))
    words = bm25(hits, snapshot.lengths)
    coverage = _coverage(hits, len(snapshot.rows))
    watch.lap("words")
    meaning = now.nearness(vector, sure=sure_of(now, allowed, words))
    watch.lap("meaning")
    named = None if person is None else np.asarray(snapshot.rows["subject"] == person)
    return Lists(
        meaning=meaning,
        words=words,
        coverage=coverage,
        rare=_rare(terms, hits, len(snapshot.rows)),
        allowed=allowed,
        named=named,
        named_weight=weight,
        calls_by_name=calls_by_name,
        request=request,
        tale=tale,
        only_time=only_time,
        dialogue=dialogue,
        query=vector,
        mood=mood,
    )


def sure_of(now: Recalling, allowed: BoolArray, words: FloatArray) -> IntArray | None:
    """Rows whose nearness must be known, besides the nearest: all that a filter leaves, or words find."""
    if now.index.in_process:
        return None  # it guesses none
    if 2 * np.count_nonzero(allowed) < len(allowed):
        return np.flatnonzero(allowed)
    found = np.flatnonzero(allowed & (words > 0))
    if len(found) <= EXACT:
        return found
    return found[np.argpartition(-words[found], EXACT)[:EXACT]]


def _rare(terms: Sequence[str], hits: Hits, size: int) -> bool:
    """Whether any whole term is held by a memory, and by no more than a tenth of them, or a dozen."""
    few = max(_TOO_FEW_TO_TELL, size // 10)
    counts = hits.counts.tolist()
    return any(0 < count <= few and not is_weak(term) for term, count in zip(terms, counts, strict=True))


def _coverage(hits: Hits, size: int) -> FloatArray:
    """The share of the query's terms that a row holds, each weighed by how rare it is in the scope."""
    # A term that no row holds counts as if one did: it may be no more than a particle.
    weights = rarity(np.maximum(hits.counts, 1), size)
    if not len(weights):
        return np.zeros(size, dtype=np.float32)
    shares = (weights / weights.sum())[hits.terms]
    return np.bincount(hits.rows, weights=shares, minlength=size).astype(np.float32)
