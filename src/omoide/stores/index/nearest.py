"""How near each memory of a scope is to a query; in a large scope in two steps (design section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from omoide.stores.index.block import Block
    from omoide.stores.index.scope_index import Snapshot
    from omoide.stores.index.signs import Signs
    from omoide.stores.scopes import ScopeRow

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.integer]

EXACT = 1_000
"""Rows of a large scope whose nearness is worked out exactly: the best by their signs."""

_SAMPLE = 1_000
"""Rows that show how signs and nearness go together in this scope for this query."""


class VectorIndex(Protocol):
    """Where the vectors of memories are compared (H24).

    The sealed vectors of the store are the truth. In the process they are compared as they are; another
    index, such as pgvector or Qdrant, holds copies of them, and can be made again at any time.

    Attributes:
        in_process: whether the process holds the vectors of the scopes that it has at hand.
    """

    in_process: bool

    @property
    def behind(self) -> bool:
        """Whether something may be left to be done, which `copies.catch_up` does."""
        ...

    def nearness(
        self,
        connection: Connection,
        scope: ScopeRow,
        snapshot: Snapshot,
        vector: FloatArray,
        *,
        sure: IntArray | None = None,
    ) -> FloatArray:
        """Cosines with a query, one a row of the snapshot, NaN where there is none; shape (n,).

        In a large scope those of rows that are far away may be guessed.

        Args:
            connection: the transaction.
            scope: whose memories.
            snapshot: the scope's index in memory.
            vector: of the query.
            sure: rows, besides the nearest, whose cosines may not be guessed.

        Raises:
            IndexUnavailable: the index cannot answer now.
        """
        ...

    def vectors(
        self, connection: Connection, scope: ScopeRow, snapshot: Snapshot, rows: IntArray
    ) -> FloatArray:
        """The vectors of some rows of the snapshot; shape (k, dimensions), NaN where there is none.

        Raises:
            IndexUnavailable: the index cannot answer now.
        """
        ...

    def put(self, connection: Connection, scope: ScopeRow, block: Block, *, identity: int) -> None:
        """Take in vectors that a transaction writes, within it."""
        ...

    def drop(self, connection: Connection, scope: ScopeRow, numbers: Collection[int]) -> None:
        """Take memories out, within the transaction that does so."""
        ...

    def erase(self, connection: Connection, scope: ScopeRow) -> None:
        """Take a scope out, within the transaction that does so."""
        ...

    def settle(self, scope: ScopeRow) -> None:
        """Do what a transaction left to be done, now that it is committed; what fails is done later."""
        ...

    def close(self) -> None:
        """Close connections of its own."""
        ...


class InProcess:
    """Compares the vectors that the scope's index holds in memory."""

    in_process = True
    behind = False

    def nearness(
        self,
        connection: Connection,
        scope: ScopeRow,
        snapshot: Snapshot,
        vector: FloatArray,
        *,
        sure: IntArray | None = None,
    ) -> FloatArray:
        """Cosines with a query, one a row of the snapshot, NaN where there is none; shape (n,)."""
        return nearness(snapshot, vector)

    def vectors(
        self,
        connection: Connection,
        scope: ScopeRow,
        snapshot: Snapshot,
        rows: IntArray,
    ) -> FloatArray:
        """The vectors of some rows of the snapshot; shape (k, dimensions), NaN where there is none."""
        if snapshot.vectors is None:
            return np.full((len(rows), 0), np.nan, dtype=np.float32)
        found = snapshot.vectors[rows]
        lacking = ~snapshot.embedded[rows]
        if lacking.any():
            found[lacking] = np.nan
        return found

    def put(self, connection: Connection, scope: ScopeRow, block: Block, *, identity: int) -> None:
        """The scope's index learns of it from the store."""

    def drop(self, connection: Connection, scope: ScopeRow, numbers: Collection[int]) -> None:
        """The scope's index learns of it from the store."""

    def erase(self, connection: Connection, scope: ScopeRow) -> None:
        """The scope's index goes with the cache."""

    def settle(self, scope: ScopeRow) -> None:
        """Nothing is left to be done."""

    def close(self) -> None:
        """Nothing is open."""


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
