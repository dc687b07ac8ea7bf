"""Vectors compared by Qdrant, which holds copies of them outside the database (H24).

The sealed vectors of the store are the truth, and Qdrant follows: a transaction notes what it changes, and
once it is committed the change is brought there. While Qdrant is out of reach recall goes on by words, and
what is owed waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from omoide.errors import MissingExtra
from omoide.stores.debts import Debts, What
from omoide.stores.index.nearest import EXACT
from omoide.stores.qdrant.follow import OWED, Follower
from omoide.stores.qdrant.reach import Reach

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from omoide.config import Settings
    from omoide.domain.embedding import EmbeddingIdentity
    from omoide.stores.database import Database
    from omoide.stores.debts import Debt
    from omoide.stores.index.block import Block
    from omoide.stores.index.scope_index import Snapshot
    from omoide.stores.qdrant.points import Near, Points
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]

ALL: Final = 5_000
"""Memories of a scope up to which each one's cosine is asked for."""

_SAMPLE: Final = 1_000
"""Memories of a larger scope that show how near its memories are to a query on the whole."""

_AT_HAND: Final = 1_000
"""Memories that Qdrant does not know yet whose vectors are read from the store, the newest."""


class QdrantIndex:
    """Compares vectors in a collection of Qdrant, one a store and embedding space.

    Attributes:
        circuit: leaves Qdrant alone while it fails.
        everything: memories of a scope up to which each one's cosine is asked for.

    Args:
        points: the collection.
        database: where the vectors are that are copied.
        space: the embedding space in use; without one, vectors are only taken out.
    """

    in_process = False
    name = "qdrant"

    def __init__(
        self,
        points: Points,
        *,
        database: Database,
        space: EmbeddingIdentity | None,
    ) -> None:
        self._points = points
        self._space = space
        self.everything = ALL
        self._reach = Reach(points)
        self.circuit = self._reach.circuit
        self._follower = Follower(self._reach, database=database, space=space, index=self)

    @classmethod
    def open(
        cls, settings: Settings, *, database: Database, store_id: str, space: EmbeddingIdentity | None
    ) -> QdrantIndex:
        """The index of a store. Qdrant need not be there; whoever has opened the store calls `catch_up`.

        Raises:
            MissingExtra: the client is not installed.
            InvalidInput: the address of Qdrant cannot be meant.
        """
        try:
            from omoide.stores.qdrant.collections import Collections
            from omoide.stores.qdrant.points import Points
        except ModuleNotFoundError as error:
            msg = "vectors in Qdrant need the extra 'qdrant': pip install 'omoide[qdrant]'"
            raise MissingExtra(msg) from error
        return cls(
            Points(Collections(settings, store_id=store_id, space=space)), database=database, space=space
        )

    def nearness(
        self,
        connection: Connection,
        scope: ScopeRow,
        snapshot: Snapshot,
        vector: FloatArray,
        *,
        sure: NDArray[np.integer] | None = None,
    ) -> FloatArray:
        """Cosines with a query, one a row of the snapshot, NaN where there is none; shape (n,)."""
        scores = np.full(len(snapshot.rows), np.nan, dtype=np.float32)
        if self._space is None or len(vector) != self._space.dimensions:
            return scores
        ours, owed = self._whose(connection, scope, snapshot)
        if ours.any():
            with self._reach.answer() as points:
                self._compare(points, scope, snapshot, vector, ours, scores)
                self._make_sure(points, scope, snapshot, vector, ours, sure, scores)
        for row, own in (*owed.items(), *snapshot.lent.items()):
            scores[row] = own @ vector
        return scores

    def vectors(
        self, connection: Connection, scope: ScopeRow, snapshot: Snapshot, rows: NDArray[np.integer]
    ) -> FloatArray:
        """The vectors of some rows of the snapshot; shape (k, dimensions), NaN where there is none."""
        dimensions = 0 if self._space is None else self._space.dimensions
        found = np.full((len(rows), dimensions), np.nan, dtype=np.float32)
        ours, owed = self._whose(connection, scope, snapshot)
        asked = np.flatnonzero(ours[rows])
        if dimensions and len(asked):
            with self._reach.answer() as points:
                numbers = snapshot.rows["number"][rows[asked]]
                found[asked] = _in_order(points.vectors(scope, numbers.tolist()), numbers, dimensions)
        own = {**owed, **snapshot.lent}
        for place, row in enumerate(rows.tolist()):
            if dimensions and row in own:
                found[place] = own[row]
        return found

    def put(self, connection: Connection, scope: ScopeRow, block: Block, *, identity: int) -> None:
        """Note vectors that a transaction writes."""
        self._follower.owe(connection, scope, What.PUT, block.members.tolist())

    def drop(self, connection: Connection, scope: ScopeRow, numbers: Collection[int]) -> None:
        """Note memories that a transaction takes out."""
        self._follower.owe(connection, scope, What.DROP, numbers)

    def erase(self, connection: Connection, scope: ScopeRow) -> None:
        """Note that a transaction takes a scope out."""
        self._follower.owe(connection, scope, What.ERASE)

    def settle(self, scope: ScopeRow) -> None:
        """Bring what a transaction has changed to Qdrant, now that it is committed; if not now, later."""
        self._follower.settle(scope)

    def catch_up(self, store: Store) -> None:
        """Pay what is owed for the scopes of a store's tenant, and fill the collection where it is new.

        Raises:
            IndexForeign: a collection of another maker stands in its place.
        """
        self._follower.catch_up(store)

    def sweep(self, store: Store) -> int:
        """Take out what the store does not know: scopes, and points of others; returns how many there were.

        Raises:
            IndexUnavailable: Qdrant cannot answer now.
        """
        return self._follower.sweep(store)

    @property
    def behind(self) -> bool:
        """Whether something may be left that `catch_up` would do."""
        return self._reach.behind

    def held(self, connection: Connection, scope: ScopeRow, *, identity: int) -> IntArray:
        """The numbers of all memories of a scope that it holds a copy of."""
        with self._reach.use() as points:
            numbers = points.numbers(scope.uid, tenant=scope.tenant)
        return np.array(sorted(numbers), dtype=np.int64)

    def copies(
        self,
        connection: Connection,
        scope: ScopeRow,
        numbers: IntArray,
        *,
        identity: int,
    ) -> FloatArray:
        """The copies of some memories' vectors; shape (k, dimensions), NaN where it has none."""
        with self._reach.use() as points:
            found = points.vectors(scope, numbers.tolist())
        return _in_order(found, numbers, found.vectors.shape[1])

    def misfits(self, connection: Connection, *, identity: int) -> int:
        """None: a collection takes vectors of one size."""
        return 0

    def close(self) -> None:
        """Close the connections."""
        self._points.collections.close()

    def _whose(
        self, connection: Connection, scope: ScopeRow, snapshot: Snapshot
    ) -> tuple[NDArray[np.bool_], dict[int, FloatArray]]:
        """The rows whose vectors Qdrant knows, and the vectors of the rows that it does not know yet."""
        ours = snapshot.embedded.copy()
        ours[list(snapshot.lent)] = False
        debts = Debts(connection, tenant=scope.tenant).of(scope.uid, limit=OWED)
        if not debts:
            return ours, {}
        self._reach.behind = True
        rows = {row: number for number, row in _rows(snapshot, debts).items() if ours[row]}
        ours[list(rows)] = False
        newest = sorted(rows.values())[-_AT_HAND:]
        truth = self._follower.truth(connection, scope, newest)
        own = dict(zip(truth.members.tolist(), truth.vectors, strict=True))
        return ours, {row: own[number] for row, number in rows.items() if number in own}

    def _compare(
        self,
        points: Points,
        scope: ScopeRow,
        snapshot: Snapshot,
        vector: FloatArray,
        ours: NDArray[np.bool_],
        scores: FloatArray,
    ) -> None:
        """Set the cosines of rows that Qdrant knows.

        In a large scope only the nearest are exact, and a sample, whose mean and spread the others have.
        """
        size = len(snapshot.rows)
        large = int(ours.sum()) > self.everything
        near = points.near(scope, vector, limit=EXACT if large else size, size=size)
        rest = ours & np.isnan(_placed(near, snapshot, ours, scores))
        if not large or not rest.any():
            return
        known = np.flatnonzero(rest)
        sample = known[:: max(1, len(known) // _SAMPLE)][:_SAMPLE]
        numbers = snapshot.rows["number"][sample].tolist()
        _placed(points.cosines(scope, vector, numbers), snapshot, ours, scores)
        told = scores[sample][~np.isnan(scores[sample])]
        unknown = np.flatnonzero(rest & np.isnan(scores))
        if len(told):
            scores[unknown] = told.mean()
            scores[unknown[::2]] -= told.std()
            scores[unknown[1::2]] += told.std()

    def _make_sure(
        self,
        points: Points,
        scope: ScopeRow,
        snapshot: Snapshot,
        vector: FloatArray,
        ours: NDArray[np.bool_],
        sure: NDArray[np.integer] | None,
        scores: FloatArray,
    ) -> None:
        """Set the cosines of rows that may not be guessed, in a scope so large that others are."""
        if sure is None or int(ours.sum()) <= self.everything:
            return
        numbers = snapshot.rows["number"][sure[ours[sure]]].tolist()
        for start in range(0, len(numbers), EXACT):
            near = points.cosines(scope, vector, numbers[start : start + EXACT])
            _placed(near, snapshot, ours, scores)


def _rows(snapshot: Snapshot, debts: Sequence[Debt]) -> dict[int, int]:
    """The row of each memory that something is owed for, by its number."""
    if any(debt.what is What.ERASE for debt in debts):
        return dict(zip(snapshot.rows["number"].tolist(), range(len(snapshot.rows)), strict=True))
    numbers = {number for debt in debts for number in debt.numbers}
    places = ((number, snapshot.places.get(number, -1)) for number in numbers)
    return {number: row for number, row in places if 0 <= row < len(snapshot.rows)}


def _placed(near: Near, snapshot: Snapshot, ours: NDArray[np.bool_], scores: FloatArray) -> FloatArray:
    """The scores, with those that were found where they belong."""
    rows = np.array([snapshot.places.get(number, -1) for number in near.numbers.tolist()], dtype=np.intp)
    meant = (rows >= 0) & (rows < len(ours))
    meant[meant] = ours[rows[meant]]
    scores[rows[meant]] = near.cosines[meant]
    return scores


def _in_order(block: Block, numbers: NDArray[np.integer], dimensions: int) -> FloatArray:
    """The vectors of a block in the order of some numbers, NaN where it has none."""
    found = np.full((len(numbers), dimensions), np.nan, dtype=np.float32)
    place = {number: at for at, number in enumerate(numbers.tolist())}
    rows = [place[number] for number in block.members.tolist()]
    found[rows] = block.vectors
    return found
