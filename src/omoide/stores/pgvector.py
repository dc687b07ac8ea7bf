"""Vectors compared by PostgreSQL: half-precision copies beside the sealed ones, with pgvector (H24).

A scope is scanned as a whole, out of an index that holds its vectors in one stretch. Large scopes may have a
graph (HNSW) of their own, which finds the nearest; the rest is told from a sample.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

import numpy as np
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import sql
from sqlalchemy import select

from omoide.errors import EmbedderFailed, IndexUnavailable, InvalidInput, StoreConflict
from omoide.stores.chunks import chunks
from omoide.stores.copies import fill
from omoide.stores.embeddings import MOST, make_table
from omoide.stores.fixed import raw
from omoide.stores.graphs import Graphs
from omoide.stores.nearest import EXACT
from omoide.stores.tables import identities

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from omoide.stores.database import Database
    from omoide.stores.index import Snapshot
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit
    from omoide.stores.vectors import Block

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]

_SAMPLE: Final = 500
"""Rows of a large scope that show how near its memories are to a query on the whole."""

_AT_A_TIME: Final = 1_000
"""Vectors in one statement."""

_GREATEST: Final = 65_504.0
"""The greatest number of half precision."""

_REST: Final = 30.0
"""Seconds for which a table that cannot be read is left alone."""

_ELSEWHERE: Final = ("08", "57P", "53", "40")
"""Classes of states that say nothing of the table: connections, restarts, limits and conflicts."""

_FOUND: Final = (
    "SELECT string_agg(int8send(memory_id), ''::bytea), string_agg(float4send((-({}))::float4), ''::bytea) "
)
"""All numbers and all likenesses as two strings of bytes, in one order: a row for each would cost more."""

_SCAN: Final = sql.SQL(
    _FOUND.format("vector <#> %(query)b")
    + "FROM embeddings WHERE scope_id = %(scope)b AND identity_id = %(identity)b"
    " AND vector_dims(vector) = {size}"
)
_SOME: Final = sql.SQL(
    _FOUND.format("vector <#> %(query)b")
    + "FROM embeddings WHERE scope_id = %(scope)b AND identity_id = %(identity)b"
    " AND vector_dims(vector) = {size} AND memory_id = ANY(%(numbers)b::bigint[])"
)
# What stands here as it is has to be what the graph was made for, or the planner would not take it.
_NEAREST: Final = sql.SQL(
    _FOUND.format("distance") + "FROM (SELECT memory_id, vector::halfvec({size}) <#> %(query)b AS distance"
    " FROM embeddings WHERE scope_id = {scope} AND identity_id = {identity}"
    " ORDER BY vector::halfvec({size}) <#> %(query)b LIMIT {limit}) AS nearest"
)
_VECTORS: Final = sql.SQL(
    "SELECT string_agg(int8send(memory_id), ''::bytea), string_agg(halfvec_send(vector), ''::bytea) "
    "FROM embeddings WHERE scope_id = %(scope)b AND identity_id = %(identity)b"
    " AND vector_dims(vector) = {size} AND memory_id = ANY(%(numbers)b::bigint[])"
)
_HELD: Final = (
    "SELECT string_agg(int8send(memory_id), ''::bytea) FROM embeddings "
    "WHERE scope_id = %(scope)b AND identity_id = %(identity)b"
)
_PUT: Final = (
    "INSERT INTO embeddings (tenant, scope_id, memory_id, identity_id, vector) "
    "SELECT %(tenant)b, %(scope)b, number, %(identity)b, vector "
    "FROM unnest(%(numbers)b::bigint[], %(vectors)b::halfvec[]) AS given (number, vector) "
    "ON CONFLICT (scope_id, memory_id, identity_id) DO UPDATE SET vector = excluded.vector"
)
_DROP: Final = "DELETE FROM embeddings WHERE scope_id = %(scope)b AND memory_id = ANY(%(numbers)b::bigint[])"
_ERASE: Final = "DELETE FROM embeddings WHERE scope_id = %(scope)b"


class PgVector:
    """Compares vectors where a store on PostgreSQL lies.

    Vectors have length 1, so the inner product is their cosine; it costs a third of pgvector's own.

    Args:
        embedding: the key of the embedding space in use, or None without an embedder.
        dimensions: of its vectors.
    """

    in_process = False
    behind = False
    name = "pgvector"

    def __init__(self, *, embedding: str | None, dimensions: int) -> None:
        self.dimensions = dimensions
        self._embedding = embedding
        self._graphs = Graphs()
        self._identities: dict[str, int] = {}  # by tenant
        self._prepared: WeakSet[Any] = WeakSet()
        self._trouble = ""
        self._tried_again = 0.0

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

    def nearness(self, unit: Unit, snapshot: Snapshot, vector: FloatArray) -> FloatArray:
        """Cosines with a query, one a row of the snapshot, NaN where there is none; shape (n,)."""
        scores = np.full(len(snapshot.rows), np.nan, dtype=np.float32)
        identity = self._identity(unit)
        if identity is None or len(vector) != self.dimensions:
            return scores
        stored = snapshot.embedded.copy()
        stored[list(snapshot.lent)] = False
        if stored.any():
            with self._answering():
                self._compare(unit, snapshot, identity, vector, stored, scores)
        for row, lent in snapshot.lent.items():
            scores[row] = lent @ vector
        return scores

    def vectors(self, unit: Unit, snapshot: Snapshot, rows: NDArray[np.integer]) -> FloatArray:
        """The vectors of some rows of the snapshot; shape (k, dimensions), NaN where there is none."""
        found = np.full((len(rows), self.dimensions), np.nan, dtype=np.float32)
        identity = self._identity(unit)
        asked = [place for place, row in enumerate(rows.tolist()) if snapshot.embedded[row]]
        if identity is not None and asked:
            numbers = snapshot.rows["number"][rows[asked]]
            with self._answering():
                found[asked] = self.copies(unit.connection, unit.scope, numbers, identity=identity)
        for place in asked:
            lent = snapshot.lent.get(int(rows[place]))
            if lent is not None:
                found[place] = lent
        return found

    def put(self, connection: Connection, scope: ScopeRow, block: Block, *, identity: int) -> None:
        """Take in vectors that a transaction writes, within it; those that it has are replaced."""
        if not len(block.members):
            return
        if block.vectors.shape[1] > MOST or not (np.abs(block.vectors) <= _GREATEST).all():
            msg = (
                f"vectors of shape {block.vectors.shape!r} do not fit pgvector's half precision, with up to "
                f"{MOST} numbers; see the embedder, or choose vectors=memory"
            )
            raise EmbedderFailed(msg)
        driver = self._driver(connection)
        members = block.members.tolist()
        for start in range(0, len(members), _AT_A_TIME):
            part = slice(start, start + _AT_A_TIME)
            values = {
                "tenant": scope.tenant,
                "scope": scope.id,
                "identity": identity,
                "numbers": members[part],
                "vectors": [HalfVector(vector) for vector in block.vectors[part]],
            }
            driver.execute(_PUT, values)

    def drop(self, connection: Connection, scope: ScopeRow, numbers: Collection[int]) -> None:
        """Take memories out, within the transaction that does so."""
        for chunk in chunks(list(numbers)):
            self._driver(connection).execute(_DROP, {"scope": scope.id, "numbers": list(chunk)})

    def erase(self, connection: Connection, scope: ScopeRow) -> None:
        """Take a scope out, within the transaction that does so."""
        self._driver(connection).execute(_ERASE, {"scope": scope.id})

    def settle(self, scope: ScopeRow) -> None:
        """Nothing is left to be done: it went with the transaction."""

    def close(self) -> None:
        """Nothing of its own is open."""

    def catch_up(self, store: Store) -> None:
        """Copy what the table lacks, unless it is known to lack nothing."""
        if self._embedding is not None:
            fill(store, self, embedding=self._embedding)

    def sweep(self, store: Store) -> int:  # noqa: ARG002 - the port's
        """There is nothing to let go of: a copy goes with its memory."""
        return 0

    def held(self, connection: Connection, scope: ScopeRow, *, identity: int) -> IntArray:
        """The numbers of all memories of a scope that it holds a copy of, in no order."""
        values = {"scope": scope.id, "identity": identity}
        (found,) = self._driver(connection).execute(_HELD, values, binary=True).fetchone()
        return np.frombuffer(found or b"", dtype=">i8").astype(np.int64)

    def copies(
        self, connection: Connection, scope: ScopeRow, numbers: IntArray, *, identity: int
    ) -> FloatArray:
        """The copies of some memories' vectors; shape (k, dimensions), NaN where it has none."""
        values = {"scope": scope.id, "identity": identity}
        shape = np.dtype([("head", ">u2", 2), ("vector", ">f2", self.dimensions)])
        out = np.full((len(numbers), self.dimensions), np.nan, dtype=np.float32)
        for start in range(0, len(numbers), _AT_A_TIME):
            wanted = numbers[start : start + _AT_A_TIME]
            values["numbers"] = wanted.tolist()
            ids, packed = self._run(connection, _VECTORS, values)
            places = {number: place for place, number in enumerate(ids.tolist())}
            known = [place for place, number in enumerate(wanted.tolist()) if number in places]
            matrix = np.frombuffer(packed, dtype=shape)["vector"]
            out[[start + place for place in known]] = matrix[[places[int(wanted[place])] for place in known]]
        return out

    def scan(
        self, connection: Connection, scope: ScopeRow, vector: FloatArray, *, identity: int
    ) -> tuple[IntArray, FloatArray]:
        """Numbers of all memories of a scope, and their cosines with a vector."""
        values = {"scope": scope.id, "identity": identity, "query": HalfVector(vector)}
        ids, found = self._run(connection, _SCAN, values)
        return ids, np.frombuffer(found, dtype=">f4").astype(np.float32)

    def nearest(
        self, connection: Connection, scope: ScopeRow, vector: FloatArray, *, identity: int
    ) -> tuple[IntArray, FloatArray]:
        """The `EXACT` memories of a scope that are nearest by its graph, nearest first, and their cosines."""
        self._driver(connection).execute(f"SET LOCAL hnsw.ef_search = {EXACT:d}")
        places = {
            "scope": sql.Literal(scope.id),
            "identity": sql.Literal(identity),
            "limit": sql.Literal(EXACT),
        }
        ids, found = self._run(connection, _NEAREST, {"query": HalfVector(vector)}, **places)
        return ids, np.frombuffer(found, dtype=">f4").astype(np.float32)

    def _compare(
        self,
        unit: Unit,
        snapshot: Snapshot,
        identity: int,
        vector: FloatArray,
        stored: NDArray[np.bool_],
        scores: FloatArray,
    ) -> None:
        count = int(stored.sum())
        if count > EXACT and self._graphs.has(unit.connection, unit.scope.id, identity):
            self._in_two_steps(unit, snapshot, identity, vector, stored, scores)
            return
        ids, found = self.scan(unit.connection, unit.scope, vector, identity=identity)
        numbers = snapshot.rows["number"][stored]
        if len(ids) == count and (ids == numbers).all():  # as they mostly come
            scores[stored] = found
        else:
            _place(scores, snapshot, ids, found)

    def _in_two_steps(
        self,
        unit: Unit,
        snapshot: Snapshot,
        identity: int,
        vector: FloatArray,
        stored: NDArray[np.bool_],
        scores: FloatArray,
    ) -> None:
        """The nearest are exact, and a fixed sample; the rest is like the sample, and behind the nearest.

        So mean and spread over all rows are about what they would be.
        """
        rows = np.flatnonzero(stored)
        sample = rows[:: max(1, len(rows) // _SAMPLE)]
        values = {
            "scope": unit.scope.id,
            "identity": identity,
            "query": HalfVector(vector),
            "numbers": snapshot.rows["number"][sample].tolist(),
        }
        ids, found = self._run(unit.connection, _SOME, values)
        seen = np.frombuffer(found, dtype=">f4").astype(np.float32)
        best, near = self.nearest(unit.connection, unit.scope, vector, identity=identity)
        if len(seen) and len(near):
            far = np.minimum(seen, near.min())
            scores[rows] = far[np.arange(len(rows)) % len(far)]
        _place(scores, snapshot, ids, seen)
        _place(scores, snapshot, best, near)

    def _identity(self, unit: Unit) -> int | None:
        """The number of the embedding space, which is a tenant's own."""
        tenant = unit.scope.tenant
        if tenant not in self._identities:
            query = select(identities.c.id).where(
                identities.c.tenant == tenant,
                identities.c.kind == "embedding",
                identities.c.key == self._embedding,
            )
            found = unit.connection.execute(query).scalar()
            if found is None:
                return None
            self._identities[tenant] = int(found)
        return self._identities[tenant]

    def _run(
        self, connection: Connection, query: sql.SQL, values: dict[str, Any], **literal: sql.Literal
    ) -> tuple[IntArray, bytes]:
        composed = query.format(size=sql.Literal(self.dimensions), **literal)
        driver = self._driver(connection)
        numbers, other = driver.execute(composed, values, binary=True).fetchone()
        return np.frombuffer(numbers or b"", dtype=">i8").astype(np.int64), other or b""

    def _driver(self, connection: Connection) -> Any:  # noqa: ANN401 - the driver's own
        """The driver's connection, which knows how vectors are sent."""
        driver = raw(connection)
        if driver not in self._prepared:
            register_vector(driver)
            self._prepared.add(driver)
        return driver

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Leave a table alone that cannot be read. The transaction is lost with it, and may be done again.

        Raises:
            IndexUnavailable: it could not be read a moment ago.
            StoreConflict: it cannot be read now.
        """
        if time.monotonic() < self._tried_again:
            raise IndexUnavailable(self._trouble)
        try:
            yield
        except psycopg.Error as error:
            if error.sqlstate is None or error.sqlstate.startswith(_ELSEWHERE):
                raise
            self._tried_again = time.monotonic() + _REST
            self._trouble = (
                f"the table 'embeddings' cannot be read ({type(error).__name__} {error.sqlstate}); opening "
                "the store again makes it"
            )
            raise StoreConflict(self._trouble) from error


def _place(scores: FloatArray, snapshot: Snapshot, numbers: IntArray, found: FloatArray) -> None:
    """Write cosines to the rows of the memories with these numbers; some may be unknown."""
    known = snapshot.rows["number"]
    order = np.argsort(known, kind="stable")
    places = np.searchsorted(known, numbers, sorter=order)
    inside = places < len(known)
    rows = order[places[inside]]
    right = known[rows] == numbers[inside]
    scores[rows[right]] = found[inside][right]
