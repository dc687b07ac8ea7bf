"""What is published for PostgreSQL: one table with text, tsvector and vector, a GIN and one graph (HNSW).

A question is one statement: the nearest vectors of a scope and the texts that have its words, joined by their
ranks (reciprocal rank fusion). A message is one row.
"""

from __future__ import annotations

import os
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg
from pgvector import Vector
from pgvector.psycopg import register_vector

from benchmarks.postgres_engine import AT_ONCE
from benchmarks.postgres_sizes import plain

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from benchmarks.postgres_shape import Turn
    from benchmarks.talk import Said, Talk

_TABLE = """
CREATE TABLE plain.memories (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scope integer NOT NULL,
    number integer NOT NULL,
    content text NOT NULL,
    embedding vector(384) NOT NULL,
    terms tsvector GENERATED ALWAYS AS (to_tsvector('simple', content)) STORED
)
"""
GRAPH = "memories_graph"
_INDEXES = {
    "memories_scope": "ON plain.memories (scope)",
    "memories_terms": "ON plain.memories USING gin (terms)",
    GRAPH: "ON plain.memories USING hnsw (embedding vector_cosine_ops)",
}
_COPY = "COPY plain.memories (scope, number, content, embedding) FROM STDIN (FORMAT BINARY)"
_BYTES_IN_GRAPH = 2_600
"""What a vector takes while a graph is made of it, roughly."""

_NEAREST = (
    "SELECT {columns} FROM plain.memories WHERE scope = %(scope)s "
    "ORDER BY embedding <=> %(vector)b LIMIT {limit}"
)
_SEARCH = _NEAREST.format(columns="number", limit=AT_ONCE)
_ALL_WORDS = "plainto_tsquery('simple', %(text)s)"
_ANY_WORD = f"CAST(replace(CAST({_ALL_WORDS} AS text), '&', '|') AS tsquery)"
_HYBRID = """
WITH near AS (
    SELECT id, row_number() OVER (ORDER BY distance) AS rank FROM ({near}) AS nearest
), words AS (
    SELECT id, row_number() OVER (ORDER BY score DESC) AS rank FROM (
        SELECT id, ts_rank_cd(terms, query) AS score FROM plain.memories, {query} AS query
        WHERE scope = %(scope)s AND terms @@ query ORDER BY score DESC LIMIT 40
    ) AS best
)
SELECT memories.id, memories.content, memories.number,
    coalesce(1.0 / (60 + near.rank), 0) + coalesce(1.0 / (60 + words.rank), 0) AS score
FROM near FULL JOIN words USING (id) JOIN plain.memories USING (id) ORDER BY score DESC LIMIT 12
"""
_WRITE = (
    "INSERT INTO plain.memories (scope, number, content, embedding) "
    "VALUES (%(scope)s, %(number)s, %(text)s, %(vector)b)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Way:
    """A way of asking the table.

    Attributes:
        name: as it stands in the figures.
        scope_index: whether scopes have an index of their own, which the planner may take instead.
        iterative: whether a graph goes on until enough rows of the scope are found.
        any_word: whether one word of a question is enough. In talk hardly a text has all of them.
        writes: whether writing is measured.
    """

    name: str
    scope_index: bool = True
    iterative: bool = True
    any_word: bool = False
    writes: bool = False


WAYS = (
    Way(name="plain, as it comes", scope_index=False, iterative=False),
    Way(name="plain, iterative", scope_index=False),
    Way(name="plain, index of scopes", writes=True),
    Way(name="plain, any word", any_word=True),
)


class PlainSide:
    """The plain table, asked in one way.

    Attributes:
        name: as it stands in the figures.
        writes: whether writing is measured.
    """

    def __init__(self, store: str, way: Way) -> None:
        self.name = way.name
        self.writes = way.writes
        self._way = way
        self._connection = psycopg.connect(plain(store))
        self._connection.prepare_threshold = None  # so that each scope is planned for
        register_vector(self._connection)
        counts = "SELECT scope, count(*) FROM plain.memories GROUP BY scope"
        self._held: dict[int, int] = dict(self._connection.execute(counts).fetchall())
        self._hybrid = _HYBRID.format(
            near=_NEAREST.format(columns="id, embedding <=> %(vector)b AS distance", limit=40),
            query=_ANY_WORD if way.any_word else _ALL_WORDS,
        )
        self._connection.commit()

    def held(self, scope: int) -> int:
        """Messages of a scope."""
        return self._held.get(scope, 0)

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[None]:
        """A transaction to ask in; an index that is not wanted is away for so long."""
        if self._way.iterative:
            self._connection.execute("SET LOCAL hnsw.iterative_scan = relaxed_order")
        if not self._way.scope_index:
            self._connection.execute("DROP INDEX plain.memories_scope")
        try:
            yield
        finally:
            self._connection.rollback()

    async def recall(self, scope: int, question: Said) -> int:
        """Ask for a dozen of memories; how many came."""
        return len(self._connection.execute(self._hybrid, _values(scope, question)).fetchall())

    async def search(self, scope: int, question: Said) -> list[int]:
        """The numbers of the messages that are nearest, best first."""
        rows = self._connection.execute(_SEARCH, _values(scope, question)).fetchall()
        return [number for (number,) in rows]

    def places(self, scope: int, numbers: list[int]) -> list[int]:  # noqa: ARG002 - as of the engine
        """Which messages these are: their numbers say so."""
        return numbers

    def by_graph(self, scope: int, question: Said) -> dict[str, bool]:
        """Whether the planner takes the graph, for a recall and for a search."""
        plans = {
            name: self._connection.execute(f"EXPLAIN {query}", _values(scope, question)).fetchall()
            for name, query in (("recall", self._hybrid), ("search", _SEARCH))
        }
        return {name: any(GRAPH in line for (line,) in plan) for name, plan in plans.items()}

    async def write(self, scope: int, said: Said) -> None:
        """Write a row."""
        number = self.held(scope)
        self._connection.execute(_WRITE, {**_values(scope, said), "number": number})
        self._connection.commit()
        self._held[scope] = number + 1

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def begin(store: str, *, memories: int) -> bool:
    """Whether the table has to be filled: it is made anew unless it holds what it should."""
    with psycopg.connect(plain(store), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute("CREATE SCHEMA IF NOT EXISTS plain")
        if connection.execute("SELECT to_regclass('plain.memories')").fetchone() != (None,):
            ((count,),) = connection.execute("SELECT count(*) FROM plain.memories").fetchall()
            if count >= memories:
                return False
            connection.execute("DROP TABLE plain.memories")
        connection.execute(_TABLE)
    return True


def fill(store: str, talk: Talk, turns: Iterable[Turn]) -> int:
    """Copy messages into the table; how many came."""
    count = 0
    with psycopg.connect(plain(store)) as connection:
        register_vector(connection)
        with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            copy.set_types(["int4", "int4", "text", "vector"])
            for scope, start, end in turns:
                for number in range(start, end):
                    said = talk.message(scope, number)
                    copy.write_row((scope, number, said.text, Vector(said.vector)))
                count += end - start
    return count


def index(store: str, *, memories: int, graph: bool) -> dict[str, dict[str, float]]:
    """Make the indexes that are missing; seconds that each took, and its megabytes."""
    found: dict[str, dict[str, float]] = {}
    with psycopg.connect(plain(store), autocommit=True) as connection:
        megabytes = min(16_384, max(256, memories * _BYTES_IN_GRAPH // 1_000_000))
        connection.execute(f"SET maintenance_work_mem = '{megabytes}MB'")
        connection.execute(f"SET max_parallel_maintenance_workers = {max(0, (os.cpu_count() or 1) - 1)}")
        for name, definition in _INDEXES.items():
            if name == GRAPH and not graph:
                continue
            if connection.execute("SELECT to_regclass(%s)", (f"plain.{name}",)).fetchone() == (None,):
                _make(connection, name, definition)
            query = "SELECT obj_description(%s::regclass), pg_relation_size(%s::regclass)"
            ((seconds, size),) = connection.execute(query, (f"plain.{name}", f"plain.{name}")).fetchall()
            found[name] = {"seconds": float(seconds), "mb": size / 1e6}
        connection.execute("VACUUM ANALYZE plain.memories")
        query = "SELECT pg_table_size('plain.memories'), count(*) FROM plain.memories"
        ((size, count),) = connection.execute(query).fetchall()
        found["table"] = {"rows": count, "mb": size / 1e6}
    return found


def _make(connection: psycopg.Connection[Any], name: str, definition: str) -> None:
    began = time.perf_counter()
    with connection.transaction():
        connection.execute(f"CREATE INDEX {name} {definition}")
        connection.execute(f"COMMENT ON INDEX plain.{name} IS '{time.perf_counter() - began:.1f}'")


def _values(scope: int, said: Said) -> dict[str, Any]:
    return {"scope": scope, "text": said.text, "vector": Vector(said.vector)}
