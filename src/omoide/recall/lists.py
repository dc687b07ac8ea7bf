"""What each list says of each memory: by meaning and by words, inside one scope (P9, P11)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from omoide.recall.choose import Lists
from omoide.recall.fuse import bm25
from omoide.recall.nearest import nearness

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
    weight: float,
    watch: Watch,
) -> Lists:
    """Score every row of a scope's index.

    Args:
        snapshot: the index.
        vector: of the query, shape (dimensions,), L2-normalised; None without an embedder.
        terms: of the query.
        blind: blinds a term.
        allowed: rows that may be recalled.
        person: the number of the one person that the message names or means.
        weight: what being said by or about that person is worth.
        watch: where the time goes.
    """
    meaning = nearness(snapshot, vector)
    watch.lap("meaning")
    hits = snapshot.terms([blind(term) for term in terms])
    words = bm25([hit for hit in hits if len(hit[0])], snapshot.lengths)
    coverage = _coverage(hits, len(snapshot.rows))
    watch.lap("words")
    named = None if person is None else np.asarray(snapshot.rows["subject"] == person)
    return Lists(
        meaning=meaning, words=words, coverage=coverage, allowed=allowed, named=named, named_weight=weight
    )


def _coverage(hits: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]], size: int) -> FloatArray:
    """The share of the query's terms that a row holds, each weighed by how rare it is in the scope."""
    weights = [math.log1p((size - len(rows) + 0.5) / (len(rows) + 0.5)) for rows, _ in hits]
    if not weights:
        return np.zeros(size, dtype=np.float32)
    rows = np.concatenate([rows for rows, _ in hits])
    shares = np.repeat(np.array(weights) / sum(weights), [len(rows) for rows, _ in hits])
    return np.bincount(rows, weights=shares, minlength=size).astype(np.float32)
