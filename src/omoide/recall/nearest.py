"""How near each memory of a scope is to a query; in a large scope in two steps (design section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from omoide.stores.index import Snapshot
    from omoide.stores.signs import Signs

    FloatArray = NDArray[np.float32]

EXACT = 1_000
"""Rows of a large scope whose nearness is worked out exactly: the best by their signs."""

_SAMPLE = 1_000
"""Rows that show how signs and nearness go together in this scope for this query."""


class VectorIndex(Protocol):
    """Where the likeness of a query with each memory of a scope comes from (H24).

    The vectors of this store are compared in the process. Another index, such as a vector database, holds
    copies of them: it answers for the rows that it finds, and leaves the others NaN.
    """

    def nearness(self, snapshot: Snapshot, vector: FloatArray | None) -> FloatArray:
        """Cosines, one a row of the snapshot, NaN where there is none; shape (n,)."""
        ...


class InProcess:
    """Compares the vectors that the scope's index holds in memory."""

    def nearness(self, snapshot: Snapshot, vector: FloatArray | None) -> FloatArray:
        """Cosines, one a row of the snapshot, NaN where there is none; shape (n,)."""
        return nearness(snapshot, vector)


def nearness(snapshot: Snapshot, vector: FloatArray | None) -> FloatArray:
    """Cosines with the query; NaN where there is no vector.

    In a large scope only the best `EXACT` rows are exact. Those of the others are told from their signs, on
    the scale of a sample, so that mean and spread over all rows are about what they would be.
    """
    if vector is None or snapshot.vectors is None or snapshot.vectors.shape[1] != len(vector):
        return np.full(len(snapshot.rows), np.nan, dtype=np.float32)
    scores = (
        snapshot.vectors @ vector
        if snapshot.signs is None
        else _in_two_steps(snapshot.vectors, snapshot.signs, snapshot.embedded, vector)
    )
    return np.where(snapshot.embedded, scores, np.float32(np.nan))


def _in_two_steps(
    vectors: FloatArray, signs: Signs, embedded: NDArray[np.bool_], vector: FloatArray
) -> FloatArray:
    far = signs.distances(vector, size=len(vectors))
    far[~embedded] = len(vector) + 1
    known = np.flatnonzero(embedded)
    sample = known[:: max(1, len(known) // _SAMPLE)]
    true, told = vectors[sample] @ vector, far[sample]
    slope = float(true.std()) / max(float(told.std()), 1e-9)
    scores = np.asarray(float(true.mean()) - slope * (far - told.mean()), dtype=np.float32)
    best = np.argpartition(far, min(EXACT, len(far) - 1))[:EXACT]
    scores[sample] = true
    scores[best] = vectors[best] @ vector
    return scores
