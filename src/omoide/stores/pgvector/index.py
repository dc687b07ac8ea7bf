"""Vectors compared by PostgreSQL (H24).

A scope is scanned as a whole, out of an index that holds its vectors in one stretch. Large scopes may have a
graph (HNSW) of their own, which finds the nearest; the rest is told from a sample.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

import numpy as np
import psycopg
from sqlalchemy import select

from omoide.errors import IndexUnavailable, InvalidInput, StoreConflict, StoreError
from omoide.stores.copies import fill
from omoide.stores.fixed import raw
from omoide.stores.index.nearest import EXACT
from omoide.stores.pgvector.graphs import Graphs
from omoide.stores.pgvector.rows import CopyRows
from omoide.stores.pgvector.table import MOST, make_table
from omoide.stores.tables import identities

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from omoide.stores.database import Database
    from omoide.stores.index.block import Block
    from omoide.stores.index.scope_index import Snapshot
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

    BoolArray = NDArray[np.bool_]
    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]

_log = logging.getLogger("omoide")

_SAMPLE: Final = 500
"""Rows of a large scope that show how near its memories are to a query on the whole."""

_FEW: Final = 4_000
"""Rows whose cosines are asked for one by one; a scan costs no more than that."""

_REST: Final = 30.0
"""Seconds for which a table that cannot be read is left alone."""

_ELSEWHERE: Final = ("08", "57P", "53", "40")
"""Classes of states that say nothing of the table: connections, restarts, limits and conflicts."""

_MISSING: Final = "42P01"
"""The state of a table that is not there."""


class PgVector:
    """Compares vectors where a store on PostgreSQL lies.

    Args:
        embedding: the key of the embedding space in use, or None without an embedder.
        dimensions: of its vectors.

    Attributes:
        rows: the copies.
        graphs: which scopes have one.
        dimensions: of the vectors.
    """

    in_process = False
    name = "pgvector"

    def __init__(self, *, embedding: str | None, dimensions: int) -> None:
        self.rows = CopyRows(dimensions=dimensions)
        self.dimensions = dimensions
        self._embedding = embedding
        self.graphs = Graphs()
        self._identities: dict[str, int] = {}  # by tenant
        self._trouble = ""
        self._missing = False
        self._tried_again = 0.0
        self._made_again = 0.0
        self._catching_up = threading.Lock()

    @classmethod
    def open(cls, database: Database, *, embedding: str | None, dimensions: int) -> PgVector:
        """See that the table is there, and make it if it is not.

        Raises:
            InvalidInput: pgvector cannot compare vectors as long as these.
            StoreError: the extension is missing, or the role lacks a right; the message says the way out.
        """
        if dimensions > MOST:
            msg = (
                f"pgvector compares vectors of {MOST} numbers at most, got {dimensions!r}; choose "
                "vectors=memory, or an embedder of fewer dimensions"
            )
            raise InvalidInput(msg)
        make_table(database)
        return cls(embedding=embedding, dimensions=dimensions)

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
        identity = self._identity(connection, scope)
        if identity is None or len(vector) != self.dimensions:
            return scores
        stored = snapshot.embedded.copy()
        stored[list(snapshot.lent)] = False
        if stored.any():
            with self._answering():
                if self._by_graph(connection, scope, identity, stored, sure):
                    self._in_two_steps(connection, scope, snapshot, identity, vector, stored, sure, scores)
                else:
                    found = self.rows.scan(connection, scope, vector, identity=identity)
                    _place(scores, snapshot, stored, *found)
        for row, lent in snapshot.lent.items():
            scores[row] = lent @ vector
        return scores

    def vectors(
        self, connection: Connection, scope: ScopeRow, snapshot: Snapshot, rows: NDArray[np.integer]
    ) -> FloatArray:
        """The vectors of some rows of the snapshot; shape (k, dimensions), NaN where there is none."""
        found = np.full((len(rows), self.dimensions), np.nan, dtype=np.float32)
        identity = self._identity(connection, scope)
        asked = [place for place, row in enumerate(rows.tolist()) if snapshot.embedded[row]]
        if identity is not None and asked:
            numbers = snapshot.rows["number"][rows[asked]]
            with self._answering():
                found[asked] = self.rows.vectors(connection, scope, numbers, identity=identity)
        for place in asked:
            lent = snapshot.lent.get(int(rows[place]))
            if lent is not None:
                found[place] = lent
        return found

    def put(self, connection: Connection, scope: ScopeRow, block: Block, *, identity: int) -> None:
        """Take in vectors that a transaction writes, within it; those that it has are replaced."""
        self.rows.put(connection, scope, block, identity=identity)

    def drop(self, connection: Connection, scope: ScopeRow, numbers: Collection[int]) -> None:
        """Take memories out, within the transaction that does so."""
        self.rows.drop(connection, scope, numbers)

    def erase(self, connection: Connection, scope: ScopeRow) -> None:
        """Take a scope out, within the transaction that does so."""
        self.rows.erase(connection, scope)

    def settle(self, scope: ScopeRow) -> None:
        """Nothing is left to be done: it went with the transaction."""

    def close(self) -> None:
        """Nothing of its own is open."""

    @property
    def behind(self) -> bool:
        """Whether the table could not be read, and has not been since."""
        return bool(self._trouble)

    def catch_up(self, store: Store) -> None:
        """Copy what the table lacks, unless it is known to lack nothing; one that was dropped is made again.

        Raises:
            StoreError: the store cannot be used. That the table cannot be made again only leaves it behind.
        """
        if not self._catching_up.acquire(blocking=False):
            return
        try:
            if not self._trouble:
                self._see(store)
            if not self._trouble:
                self._fill(store)
            elif self._missing and time.monotonic() >= self._made_again:
                self._make_again(store)
        finally:
            self._catching_up.release()

    def sweep(self, store: Store) -> int:
        """Let go of scopes that no key opens, and of those that are to be erased; returns how many it had.

        All else goes with its memory.
        """
        with store.database.read() as connection:
            shut = [one.row for one in store.scopes.shut_ones(connection)]
            shut += store.scopes.unopened(connection)
        return sum([self._let_go(store, scope) for scope in shut])

    def held(self, connection: Connection, scope: ScopeRow, *, identity: int) -> IntArray:
        """The numbers of all memories of a scope that it holds a copy of, in no order."""
        return self.rows.held(connection, scope, identity=identity)

    def copies(
        self, connection: Connection, scope: ScopeRow, numbers: IntArray, *, identity: int
    ) -> FloatArray:
        """The copies of some memories' vectors; shape (k, dimensions), NaN where it has none."""
        return self.rows.vectors(connection, scope, numbers, identity=identity)

    def misfits(self, connection: Connection, *, identity: int) -> int:
        """How many copies are of another size than the vectors in use, of the tenant in use."""
        with self._answering():
            return self.rows.misfits(connection, identity=identity)

    def _see(self, store: Store) -> None:
        """Find out now whether the table can be read, and not by the first recall."""
        with suppress(StoreConflict), store.database.read() as connection, self._answering():
            raw(connection).execute("SELECT FROM embeddings LIMIT 1")

    def _let_go(self, store: Store, scope: ScopeRow) -> bool:
        with store.database.write(scope=scope.id) as connection:
            return self.rows.erase(connection, scope) > 0

    def _fill(self, store: Store) -> None:
        if self._embedding is not None:
            fill(store, self, embedding=self._embedding)

    def _make_again(self, store: Store) -> None:
        """Make a table that was dropped, once in a while."""
        self._made_again = time.monotonic() + _REST
        try:
            make_table(store.database)
            self._fill(store)
        except StoreError as error:
            _log.warning("copies of vectors wait: %s", error)
            return
        self._trouble, self._missing, self._tried_again = "", False, 0.0

    def _by_graph(
        self,
        connection: Connection,
        scope: ScopeRow,
        identity: int,
        stored: BoolArray,
        sure: NDArray[np.integer] | None,
    ) -> bool:
        """Whether a graph answers sooner than a scan."""
        if int(stored.sum()) <= EXACT or (sure is not None and len(sure) > _FEW):
            return False
        return self.graphs.has(connection, scope.id, identity)

    def _in_two_steps(
        self,
        connection: Connection,
        scope: ScopeRow,
        snapshot: Snapshot,
        identity: int,
        vector: FloatArray,
        stored: BoolArray,
        sure: NDArray[np.integer] | None,
        scores: FloatArray,
    ) -> None:
        """The nearest are exact, those that have to be, and a fixed sample; the rest is like the sample.

        It stays behind the nearest. So mean and spread over all rows are about what they would be.
        """
        known = np.flatnonzero(stored)
        sample = known[:: max(1, len(known) // _SAMPLE)]
        asked = sample if sure is None else np.union1d(sample, sure[stored[sure]])
        numbers = snapshot.rows["number"][asked]
        seen = self.rows.some(connection, scope, vector, numbers, identity=identity)
        near = self.rows.nearest(connection, scope, vector, identity=identity)
        _place(scores, snapshot, stored, *seen)
        far = np.minimum(scores[sample][~np.isnan(scores[sample])], near[1].min(initial=1.0))
        if len(far):
            scores[known] = far[np.arange(len(known)) % len(far)]
            _place(scores, snapshot, stored, *seen)
        _place(scores, snapshot, stored, *near)

    def _identity(self, connection: Connection, scope: ScopeRow) -> int | None:
        """The number of the embedding space, which is a tenant's own."""
        tenant = scope.tenant
        if tenant not in self._identities:
            query = select(identities.c.id).where(
                identities.c.tenant == tenant,
                identities.c.kind == "embedding",
                identities.c.key == self._embedding,
            )
            found = connection.execute(query).scalar()
            if found is None:
                return None
            self._identities[tenant] = int(found)
        return self._identities[tenant]

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Leave a table alone that cannot be read. The transaction is lost with it, and may be done again.

        Raises:
            IndexUnavailable: it could not be read a moment ago.
            StoreConflict: it cannot be read now.
        """
        trouble = self._trouble
        if trouble and (time.monotonic() < self._tried_again or self._catching_up.locked()):
            raise IndexUnavailable(trouble)
        try:
            yield
        except psycopg.Error as error:
            if error.sqlstate is None or error.sqlstate.startswith(_ELSEWHERE):
                raise
            self._tried_again = time.monotonic() + _REST
            self._missing = error.sqlstate == _MISSING
            self._trouble = f"the table 'embeddings' cannot be read ({type(error).__name__} {error.sqlstate})"
            if self._missing:
                self._trouble += "; it is made again soon, or when the store is opened again"
            raise StoreConflict(self._trouble) from error
        if trouble:
            self._trouble, self._missing = "", False


def _place(
    scores: FloatArray, snapshot: Snapshot, stored: BoolArray, numbers: IntArray, cosines: FloatArray
) -> None:
    """Write cosines to the rows of the memories with these numbers; others are left out."""
    known = snapshot.rows["number"]
    mine = known[stored]
    if len(mine) == len(numbers) and (mine == numbers).all():  # as a scan mostly comes
        scores[stored] = cosines
        return
    order = np.argsort(known, kind="stable")
    places = np.searchsorted(known, numbers, sorter=order)
    inside = places < len(known)
    rows = order[places[inside]]
    right = (known[rows] == numbers[inside]) & stored[rows]
    scores[rows[right]] = cosines[inside][right]
