"""The rows of the table of copies: written, and read as numbers and cosines of one scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

import numpy as np
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import sql

from omoide.errors import EmbedderFailed
from omoide.stores.chunks import chunks
from omoide.stores.index.nearest import EXACT
from omoide.stores.pgvector.table import MOST
from omoide.stores.postgres.driver import driver_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from omoide.stores.index.block import Block
    from omoide.stores.postgres.connection import BoundedConnection
    from omoide.stores.scopes import ScopeRow

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]
    Near = tuple[IntArray, FloatArray]
    """Numbers of memories, and the cosine of each."""

_AT_A_TIME: Final = 1_000
"""Vectors in one statement."""

_GREATEST: Final = 65_504.0
"""The greatest number of half precision."""

_FOUND: Final = (
    "SELECT string_agg(int8send(memory_id), ''::bytea), string_agg(float4send((-({}))::float4), ''::bytea) "
)
"""All numbers and all cosines as two strings of bytes, in one order: a row for each would cost more."""

_OF_SCOPE: Final = (
    "FROM embeddings "
    "WHERE scope_id = %(scope)b AND identity_id = %(identity)b AND vector_dims(vector) = {size}"
)
_THESE: Final = " AND memory_id = ANY(%(numbers)b::bigint[])"
_SCAN: Final = sql.SQL(_FOUND.format("vector <#> %(query)b") + _OF_SCOPE)
_SOME: Final = sql.SQL(_FOUND.format("vector <#> %(query)b") + _OF_SCOPE + _THESE)
# What stands here as it is has to be what the graph was made for, or the planner would not take it.
_NEAREST: Final = sql.SQL(
    _FOUND.format("distance") + "FROM (SELECT memory_id, vector::halfvec({size}) <#> %(query)b AS distance"
    " FROM embeddings WHERE scope_id = {scope} AND identity_id = {identity}"
    " ORDER BY vector::halfvec({size}) <#> %(query)b LIMIT {limit}) AS nearest"
)
_VECTORS: Final = sql.SQL(
    "SELECT string_agg(int8send(memory_id), ''::bytea), string_agg(halfvec_send(vector), ''::bytea) "
    + _OF_SCOPE
    + _THESE
)
_HELD: Final = (
    "SELECT string_agg(int8send(memory_id), ''::bytea) FROM embeddings "
    "WHERE scope_id = %(scope)b AND identity_id = %(identity)b"
)
_MISFITS: Final = (
    "SELECT count(*) FROM embeddings WHERE identity_id = %(identity)s AND vector_dims(vector) <> %(size)s"
)
_PUT: Final = (
    "INSERT INTO embeddings (tenant, scope_id, memory_id, identity_id, vector) "
    "SELECT %(tenant)b, %(scope)b, number, %(identity)b, vector "
    "FROM unnest(%(numbers)b::bigint[], %(vectors)b::halfvec[]) AS given (number, vector) "
    "ON CONFLICT (scope_id, memory_id, identity_id) DO UPDATE SET vector = excluded.vector"
)
_DROP: Final = "DELETE FROM embeddings WHERE scope_id = %(scope)b AND memory_id = ANY(%(numbers)b::bigint[])"
_ERASE: Final = "DELETE FROM embeddings WHERE scope_id = %(scope)b"


class CopyRows:
    """Reads and writes copies of vectors, in transactions of others.

    Vectors have length 1, so the inner product is their cosine; it costs a third of pgvector's own.

    Args:
        dimensions: of the vectors that are read.
    """

    def __init__(self, *, dimensions: int) -> None:
        self.dimensions = dimensions
        self._shape = np.dtype([("head", ">u2", 2), ("vector", ">f2", dimensions)])
        self._prepared: WeakSet[BoundedConnection] = WeakSet()

    def put(self, connection: Connection, scope: ScopeRow, block: Block, *, identity: int) -> None:
        """Write copies; those that are there are replaced.

        Raises:
            EmbedderFailed: a vector is longer than pgvector compares, or its numbers too great.
        """
        if not len(block.members):
            return
        if block.vectors.shape[1] > MOST or not (np.abs(block.vectors) <= _GREATEST).all():
            msg = (
                f"vectors of shape {block.vectors.shape!r} do not fit pgvector's half precision, with up to "
                f"{MOST} numbers; see the embedder, or choose vectors=memory"
            )
            raise EmbedderFailed(msg)
        driver, members = self._driver(connection), block.members.tolist()
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
        """Delete the copies of some memories, of every embedding space."""
        for chunk in chunks(list(numbers)):
            self._driver(connection).execute(_DROP, {"scope": scope.id, "numbers": list(chunk)})

    def erase(self, connection: Connection, scope: ScopeRow) -> int:
        """Delete the copies of a scope; returns how many there were."""
        return int(self._driver(connection).execute(_ERASE, {"scope": scope.id}).rowcount)

    def held(self, connection: Connection, scope: ScopeRow, *, identity: int) -> IntArray:
        """The numbers of all memories of a scope that have a copy, in no order."""
        values = {"scope": scope.id, "identity": identity}
        ((found,),) = self._driver(connection).execute(_HELD, values, binary=True).fetchall()
        return np.frombuffer(found or b"", dtype=">i8").astype(np.int64)

    def misfits(self, connection: Connection, *, identity: int) -> int:
        """How many copies are of another size; it reads all of them."""
        values = {"identity": identity, "size": self.dimensions}
        ((found,),) = self._driver(connection).execute(_MISFITS, values).fetchall()
        return int(found)

    def vectors(
        self, connection: Connection, scope: ScopeRow, numbers: IntArray, *, identity: int
    ) -> FloatArray:
        """The copies of some memories; shape (k, dimensions), NaN where there is none."""
        out = np.full((len(numbers), self.dimensions), np.nan, dtype=np.float32)
        for start in range(0, len(numbers), _AT_A_TIME):
            wanted = numbers[start : start + _AT_A_TIME].tolist()
            values = {"scope": scope.id, "identity": identity, "numbers": wanted}
            ids, packed = self._run(connection, _VECTORS, values)
            places = {number: place for place, number in enumerate(ids.tolist())}
            known = [place for place, number in enumerate(wanted) if number in places]
            matrix = np.frombuffer(packed, dtype=self._shape)["vector"]
            out[[start + place for place in known]] = matrix[[places[wanted[place]] for place in known]]
        return out

    def scan(self, connection: Connection, scope: ScopeRow, vector: FloatArray, *, identity: int) -> Near:
        """The cosines of all memories of a scope with a vector."""
        values = {"scope": scope.id, "identity": identity, "query": HalfVector(vector)}
        return _near(*self._run(connection, _SCAN, values))

    def some(
        self,
        connection: Connection,
        scope: ScopeRow,
        vector: FloatArray,
        numbers: IntArray,
        *,
        identity: int,
    ) -> Near:
        """The cosines of some memories of a scope with a vector."""
        values = {
            "scope": scope.id,
            "identity": identity,
            "query": HalfVector(vector),
            "numbers": numbers.tolist(),
        }
        return _near(*self._run(connection, _SOME, values))

    def nearest(self, connection: Connection, scope: ScopeRow, vector: FloatArray, *, identity: int) -> Near:
        """The cosines of the `EXACT` memories of a scope that are nearest by its graph."""
        self._driver(connection).execute(f"SET LOCAL hnsw.ef_search = {EXACT:d}")
        literal = {"scope": scope.id, "identity": identity, "limit": EXACT}
        return _near(*self._run(connection, _NEAREST, {"query": HalfVector(vector)}, **literal))

    def _run(
        self, connection: Connection, query: sql.SQL, values: dict[str, Any], **literal: int
    ) -> tuple[IntArray, bytes]:
        places = {name: sql.Literal(value) for name, value in {"size": self.dimensions, **literal}.items()}
        driver = self._driver(connection)
        ((numbers, other),) = driver.execute(query.format(**places), values, binary=True).fetchall()
        return np.frombuffer(numbers or b"", dtype=">i8").astype(np.int64), other or b""

    def _driver(self, connection: Connection) -> BoundedConnection:
        """The driver's connection, which knows how vectors are sent."""
        driver = driver_of(connection)
        if driver not in self._prepared:
            register_vector(driver)
            self._prepared.add(driver)
        return driver


def _near(numbers: IntArray, cosines: bytes) -> Near:
    return numbers, np.frombuffer(cosines, dtype=">f4").astype(np.float32)
