"""How a large scope is searched in pgvector: a scan, a graph of its own, or graphs of hash partitions.

    python -m benchmarks.graphs --database postgresql://role@host/database [--rows 50000] [--json]

Half of the rows belong to one scope, the others to many small ones, in order of arrival. Of the large scope
and of a small one each way finds the nearest memories of queries like its own. Writing is timed too: a row of
a small scope, each in a transaction of its own. The tables stand in a schema that is dropped at the end; the
database needs the extension `vector`. On a busy machine read the figures as ratios.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from benchmarks.arguments import parser_of, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]

DIMENSIONS = 384
SMALL = 400
"""Memories of a small scope."""

PARTITIONS = 8
QUERIES = 20
RECALL_AT = 20
WRITES = 40
LARGE_SCOPE, SMALL_SCOPE = 1, 2

_SCHEMA = "omoide_graphs"
_GRAPH = "USING hnsw ((vector::halfvec(384)) halfvec_ip_ops)"
_EXACT = "SELECT id FROM {table} WHERE scope = {scope} ORDER BY (vector <#> %(query)b) + 0 LIMIT {limit}"
_NEAR = (
    "SELECT id FROM {table} WHERE scope = {scope} ORDER BY vector::halfvec(384) <#> %(query)b LIMIT {limit}"
)


def main() -> None:
    """Measure each way and print what was found."""
    parser = parser_of(__doc__)
    parser.add_argument("--database", required=True, help="such as postgresql://role@host/database")
    parser.add_argument("--rows", type=int, default=50_000)
    options = parser.parse_args()
    with psycopg.connect(options.database, autocommit=True) as connection:
        register_vector(connection)
        try:
            results = list(measure(connection, options.rows))
        finally:
            connection.execute(f"DROP SCHEMA IF EXISTS {_SCHEMA} CASCADE")
    if options.json:
        print_json(results)
        return
    for result in results:
        print("  ".join(f"{name} {value}" for name, value in result.items()))


def measure(connection: psycopg.Connection[Any], rows: int) -> Iterator[dict[str, Any]]:
    """Each way in turn: what making its graphs costs, what they find, and what a write costs then."""
    scopes, vectors = talk(rows)
    connection.execute(f"DROP SCHEMA IF EXISTS {_SCHEMA} CASCADE")
    connection.execute(f"CREATE SCHEMA {_SCHEMA}")
    connection.execute(f"SET search_path = {_SCHEMA}, public")
    connection.execute("SET maintenance_work_mem = '512MB'")
    connection.execute("SET jit = off")
    plain = "scope bigint NOT NULL, id bigint NOT NULL, vector halfvec NOT NULL, PRIMARY KEY (scope, id)"
    covering = "(scope) INCLUDE (id, vector)"

    connection.execute(f"CREATE TABLE one ({plain})")
    connection.execute("ALTER TABLE one ALTER vector SET STORAGE PLAIN")
    connection.execute(f"CREATE INDEX ON one {covering}")
    fill(connection, "one", scopes, vectors)
    yield found(connection, "scan", "one", scopes, vectors, near=False)
    made = timed(connection, f"CREATE INDEX own ON one {_GRAPH} WHERE scope = {LARGE_SCOPE}")
    yield found(connection, "graph of its own", "one", scopes, vectors, made=made, graphs=("own",))
    connection.execute("DROP TABLE one")

    connection.execute(f"CREATE TABLE parts ({plain}) PARTITION BY HASH (scope)")
    names = [f"part{number}" for number in range(PARTITIONS)]
    for number, name in enumerate(names):
        bounds = f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
        connection.execute(f"CREATE TABLE {name} PARTITION OF parts {bounds}")
        connection.execute(f"ALTER TABLE {name} ALTER vector SET STORAGE PLAIN")
    connection.execute(f"CREATE INDEX ON parts {covering}")
    fill(connection, "parts", scopes, vectors)
    made = sum(timed(connection, f"CREATE INDEX {name}_graph ON {name} {_GRAPH}") for name in names)
    connection.execute("SET hnsw.iterative_scan = relaxed_order")
    graphs = tuple(f"{name}_graph" for name in names)
    yield found(connection, "hash partitions", "parts", scopes, vectors, made=made, graphs=graphs)


def talk(rows: int) -> tuple[IntArray, FloatArray]:
    """The scope and the vector of each row: topics of which some are more common, in a narrow cone."""
    chance = np.random.default_rng(20260301)
    small = chance.integers(SMALL_SCOPE, SMALL_SCOPE + rows // 2 // SMALL, rows)
    scopes = np.where(chance.random(rows) < 0.5, LARGE_SCOPE, small)
    topics = chance.normal(size=(200, DIMENSIONS))
    chosen = np.minimum(chance.zipf(1.5, rows) - 1, len(topics) - 1)
    vectors = topics[chosen] + 0.8 * chance.normal(size=(rows, DIMENSIONS)) + 0.8
    return scopes, unit(vectors)


def unit(vectors: NDArray[np.float64]) -> FloatArray:
    """Vectors of length 1."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def fill(connection: psycopg.Connection[Any], table: str, scopes: IntArray, vectors: FloatArray) -> None:
    """Write all rows in their order."""
    insert = f"COPY {table} (scope, id, vector) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(insert) as copy:
        copy.set_types(["int8", "int8", "halfvec"])
        for number, (scope, vector) in enumerate(zip(scopes.tolist(), vectors, strict=True)):
            copy.write_row((scope, number, HalfVector(vector)))
    connection.execute(f"VACUUM ANALYZE {table}")


def found(
    connection: psycopg.Connection[Any],
    name: str,
    table: str,
    scopes: IntArray,
    vectors: FloatArray,
    *,
    made: float = 0.0,
    near: bool = True,
    graphs: tuple[str, ...] = (),
) -> dict[str, Any]:
    """What a way finds in the large scope and in a small one, and how long it takes."""
    result: dict[str, Any] = {
        "way": name,
        "made_s": round(made, 1),
        "graph_mb": megabytes(connection, graphs),
    }
    for label, scope in (("large", LARGE_SCOPE), ("small", SMALL_SCOPE)):
        for width in (100, 1_000) if near else (RECALL_AT,):
            recall, spent = asked(connection, table, scope, scopes, vectors, near=near, width=width)
            at = f"@{width}" if near else ""
            result[f"{label}{at}_recall"], result[f"{label}{at}_ms"] = round(recall, 3), round(spent, 2)
    result["write_ms"] = round(written(connection, table, len(vectors), vectors), 2)
    return result


def asked(
    connection: psycopg.Connection[Any],
    table: str,
    scope: int,
    scopes: IntArray,
    vectors: FloatArray,
    *,
    near: bool,
    width: int,
) -> tuple[float, float]:
    """Recall of the nearest 20 of a scope, and milliseconds; `width` is how many a graph looks for."""
    rows = np.flatnonzero(scopes == scope)
    chance = np.random.default_rng(scope)
    like = vectors[chance.choice(rows, QUERIES)] + 0.03 * chance.normal(size=(QUERIES, DIMENSIONS))
    query = (_NEAR if near else _EXACT).format(table=table, scope=scope, limit=width)
    shares, spent = [], []
    for vector in unit(like):
        exact = rows[np.argsort(-(vectors[rows] @ vector), kind="stable")[:RECALL_AT]]
        with connection.transaction():
            if near:
                connection.execute(f"SET LOCAL hnsw.ef_search = {width}")
            began = time.perf_counter()
            answer = connection.execute(query, {"query": HalfVector(vector)}, prepare=False).fetchall()
            spent.append((time.perf_counter() - began) * 1_000)
        shares.append(float(np.isin(exact, [number for (number,) in answer[:RECALL_AT]]).mean()))
    return statistics.fmean(shares), statistics.median(spent)


def written(connection: psycopg.Connection[Any], table: str, start: int, vectors: FloatArray) -> float:
    """Milliseconds of writing a row of a small scope."""
    spent = []
    for number, vector in enumerate(vectors[:WRITES], start=start):
        values = (SMALL_SCOPE + number % 9, number, HalfVector(vector))
        began = time.perf_counter()
        connection.execute(f"INSERT INTO {table} (scope, id, vector) VALUES (%b, %b, %b)", values)
        spent.append((time.perf_counter() - began) * 1_000)
    connection.execute(f"DELETE FROM {table} WHERE id >= {start}")
    return statistics.median(spent)


def timed(connection: psycopg.Connection[Any], statement: str) -> float:
    """Seconds that a statement takes."""
    began = time.perf_counter()
    connection.execute(statement)
    return time.perf_counter() - began


def megabytes(connection: psycopg.Connection[Any], indexes: tuple[str, ...]) -> float:
    """What some indexes take on disk."""
    query = "SELECT pg_relation_size(%s)"
    sizes: list[int] = [size for name in indexes for (size,) in connection.execute(query, (name,)) if size]
    return round(sum(sizes) / 1_000_000, 1)


if __name__ == "__main__":
    main()
