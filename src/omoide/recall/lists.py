"""What each list says of each memory: by meaning and by words, inside one scope (P9, P11)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from omoide.recall.choose import Lists
from omoide.recall.fuse import bm25

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from omoide.recall.recall import Watch
    from omoide.stores.index import Snapshot

    FloatArray = NDArray[np.float32]
    BoolArray = NDArray[np.bool_]


def lists(
    snapshot: Snapshot,
    *,
    vector: FloatArray | None,
    terms: Sequence[str],
    blind: Callable[[str], int],
    allowed: BoolArray,
    person: int | None,
    watch: Watch,
) -> Lists:
    """Score every row of a scope's index.

    Args:
        snapshot: the index.
        vector: of the query, shape (dimensions,), L2-normalised; None without an embedder.
        terms: of the query.
        blind: blinds a term.
        allowed: rows that may be recalled.
        person: the number of the one person that the message names.
        watch: where the time goes.
    """
    meaning = _meaning(snapshot, vector)
    watch.lap("meaning")
    hits = snapshot.terms([blind(term) for term in terms])
    words = bm25([hit for hit in hits if len(hit[0])], snapshot.lengths)
    coverage = _coverage(hits, len(snapshot.rows))
    watch.lap("words")
    named = None if person is None else np.asarray(snapshot.rows["subject"] == person)
    return Lists(meaning=meaning, words=words, coverage=coverage, allowed=allowed, named=named)


def _meaning(snapshot: Snapshot, vector: FloatArray | None) -> FloatArray:
    """Cosines; NaN where there is no vector. Above 20,000 rows only the best by sign bits are exact."""
    if vector is None or snapshot.vectors is None or snapshot.vectors.shape[1] != len(vector):
        return np.full(len(snapshot.rows), np.nan, dtype=np.float32)
    scores = snapshot.vectors @ vector
    return np.where(snapshot.embedded, scores, np.float32(np.nan))


def _coverage(hits: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]], size: int) -> FloatArray:
    """The share of the query's terms that a row holds, each weighed by how rare it is in the scope."""
    held = np.zeros(size, dtype=np.float32)
    total = 0.0
    for rows, _ in hits:
        weight = math.log1p((size - len(rows) + 0.5) / (len(rows) + 0.5))
        total += weight
        held[rows] += weight
    return held / np.float32(total) if total else held
