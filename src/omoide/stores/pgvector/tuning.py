"""Making graphs for the scopes of a store that have outgrown exact scans, and dropping those of others."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

import numpy as np
from sqlalchemy import text

from omoide.errors import EmbedderUnavailable, InvalidInput, StoreReadOnly
from omoide.stores.pgvector.graphs import drop_graph, graphs, make_graph
from omoide.stores.pgvector.index import PgVector
from omoide.stores.pgvector.packing import is_loose, pack
from omoide.stores.postgres.database import PostgresDatabase
from omoide.stores.postgres.driver import driver_of
from omoide.stores.tenants import known_tenants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from omoide.stores.pgvector.graphs import Graph
    from omoide.stores.postgres.connection import BoundedConnection
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]

RECALL_AT: Final = 20
_QUERIES: Final = 20
_NOISE: Final = 0.03
"""What is added to each number of a memory's vector to make a query of it that no memory equals."""

_SHRUNK: Final = 0.5
"""Share of the threshold under which a graph goes: to make one costs more than to keep it."""

_LINK_BYTES: Final = 400
"""What a vector takes in a graph beside its numbers, roughly."""

_COUNTS: Final = text(
    "SELECT scope_id, count(*) FROM embeddings WHERE identity_id = :identity GROUP BY scope_id"
)


_OWNER: Final = (
    "SELECT pg_get_userbyid(relowner), current_user, pg_has_role(relowner, 'USAGE') "
    "FROM pg_class WHERE oid = to_regclass('embeddings')"
)


class Step(StrEnum):
    """What is done with a scope's graph."""

    MADE = "made"
    KEPT = "kept"
    DROPPED = "dropped"
    PACKED = "packed"
    """The index that scans of all scopes read is made anew, for its pages were half empty."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What a graph finds and costs, beside an exact scan; medians of the same queries.

    Attributes:
        recall: share of the nearest 20 that it finds.
        graph_ms: milliseconds of a query by the graph.
        exact_ms: milliseconds of a query by the scan.
    """

    recall: float
    graph_ms: float
    exact_ms: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Tuned:
    """What was done for one scope, or would be; or for all scopes, where it is `Step.PACKED`.

    Attributes:
        tenant, user, character: whose scope; None where it is gone, or all are meant.
        vectors: how many it has.
        step: what was done.
        seconds: that it took.
        bytes: of the graph, or the index.
        measured: by sample queries; None where there is no graph.
    """

    tenant: str = ""
    user: str | None = None
    character: str | None = None
    vectors: int = 0
    step: Step
    seconds: float = 0.0
    bytes: int = 0
    measured: Measured | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Large:
    """A scope that is to have a graph, or has one."""

    store: Store
    scope: ScopeRow
    identity: int
    vectors: int

    @property
    def key(self) -> tuple[int, int]:
        return self.scope.id, self.identity


def tune(store: Store, *, threshold: int, dry_run: bool = False, drop: bool = False) -> Iterator[Tuned]:
    """Make a graph for each scope from a size on, and drop those of scopes that shrank or are gone.

    Others read and write meanwhile. A graph whose making was interrupted is dropped and made again.

    Args:
        store: with pgvector as its index; all its tenants are looked at.
        threshold: vectors from which a scope has a graph; it loses it under half of that.
        dry_run: only tell.
        drop: drop all graphs, and make none.

    Raises:
        InvalidInput: vectors are not compared by pgvector.
        EmbedderUnavailable: there is no embedder, so that nobody knows which vectors are in use.
        StoreReadOnly: the role does not own the table.
    """
    index, database = store.index, store.database
    if not isinstance(index, PgVector) or not isinstance(database, PostgresDatabase):
        msg = "graphs are made in pgvector; set vectors=pgvector and a store on PostgreSQL"
        raise InvalidInput(msg)
    if store.embedding is None and not drop:
        msg = "graphs are of one embedding space, and its embedder is not there; see `omoide doctor`"
        raise EmbedderUnavailable(msg)
    scopes = {one.key: one for one in _scopes(store)}
    with database.unhurried() as connection:
        driver = driver_of(connection)
        if not dry_run:
            _see_owner(driver, name=database.name)
        there = {(graph.scope, graph.identity): graph for graph in graphs(driver)}
        kept = {
            key
            for key, graph in there.items()
            if graph.valid and not drop and key in scopes and scopes[key].vectors >= threshold * _SHRUNK
        }
        for key in there.keys() - kept:
            if not dry_run:
                drop_graph(driver, *key)
            yield _told(scopes.get(key), Step.DROPPED, there[key])
        if not dry_run:
            driver.execute("VACUUM (ANALYZE) embeddings")  # a scan then need not look at the table itself
        if not drop and is_loose(driver, dimensions=index.dimensions):
            yield Tuned(step=Step.PACKED) if dry_run else _packed(driver)
        for key, one in scopes.items():
            if key in kept:
                yield _told(one, Step.KEPT, there[key], measured=_measured(index, one))
            elif one.vectors >= threshold and not drop:
                yield _told(one, Step.MADE) if dry_run else _made(driver, index, one)
        index.graphs.look_again()


def _see_owner(driver: BoundedConnection, *, name: str) -> None:
    """See that the role may make and clear away indexes; a vacuum by another one is passed over in silence.

    Raises:
        StoreReadOnly: it may not.
    """
    for owner, role, owns in driver.execute(_OWNER).fetchall():
        if not owns:
            msg = (
                f"the store {name!r} lacks a right: only {owner!r}, which owns the table 'embeddings', may "
                f"make its indexes, and this is {role!r}; run `omoide index tune` as that role"
            )
            raise StoreReadOnly(msg)


def _packed(driver: BoundedConnection) -> Tuned:
    began = time.perf_counter()
    size = pack(driver)
    return Tuned(step=Step.PACKED, seconds=time.perf_counter() - began, bytes=size)


def _made(driver: BoundedConnection, index: PgVector, one: _Large) -> Tuned:
    """Make a scope's graph, and measure it."""
    began = time.perf_counter()
    driver.execute(f"SET maintenance_work_mem = '{_memory(one.vectors, index.dimensions):d}MB'")
    make_graph(driver, *one.key, dimensions=index.dimensions)
    seconds = time.perf_counter() - began
    (graph,) = (found for found in graphs(driver) if (found.scope, found.identity) == one.key)
    return _told(one, Step.MADE, graph, seconds=seconds, measured=_measured(index, one))


def _scopes(store: Store) -> Iterator[_Large]:
    """Every scope with how many vectors it has, the largest of each tenant first."""
    for tenant in known_tenants(store.database):
        own = store if tenant == store.tenant else store.of(tenant)
        if own.embedding is None:
            continue
        with own.database.read() as connection:
            rows = connection.execute(_COUNTS, {"identity": own.embedding}).all()
        known = {scope.id: scope for scope in own.all_scopes()}
        for number, count in sorted(rows, key=lambda row: (-row[1], row[0])):
            if number in known:
                yield _Large(store=own, scope=known[number], identity=own.embedding, vectors=count)


def _told(
    one: _Large | None,
    step: Step,
    graph: Graph | None = None,
    *,
    seconds: float = 0.0,
    measured: Measured | None = None,
) -> Tuned:
    size = 0 if graph is None else graph.size
    if one is None:
        return Tuned(step=step, bytes=size)
    return Tuned(
        tenant=one.scope.tenant,
        user=one.scope.user,
        character=one.scope.character,
        vectors=one.vectors,
        step=step,
        seconds=seconds,
        bytes=size,
        measured=measured,
    )


def _measured(index: PgVector, one: _Large) -> Measured:
    """Ask both ways for what is near some memories of the scope."""
    shares, graph_ms, exact_ms = [], [], []
    with one.store.read(one.scope) as unit:
        for query in _queries(index, one, unit.connection):
            began = time.perf_counter()
            exact = index.rows.scan(unit.connection, one.scope, query, identity=one.identity)
            between = time.perf_counter()
            near = index.rows.nearest(unit.connection, one.scope, query, identity=one.identity)
            ended = time.perf_counter()
            shares.append(float(np.isin(_best(*exact), _best(*near)).mean()))
            exact_ms.append((between - began) * 1_000)
            graph_ms.append((ended - between) * 1_000)
    if not shares:
        return Measured(recall=1.0, graph_ms=0.0, exact_ms=0.0)
    return Measured(recall=fmean(shares), graph_ms=median(graph_ms), exact_ms=median(exact_ms))


def _best(numbers: IntArray, cosines: FloatArray) -> IntArray:
    return numbers[np.argsort(-cosines, kind="stable")[:RECALL_AT]]


def _queries(index: PgVector, one: _Large, connection: Connection) -> FloatArray:
    """Vectors like those of some memories, spread over the scope; the same ones each time."""
    numbers = np.sort(index.held(connection, one.scope, identity=one.identity))
    chosen = numbers[:: max(1, len(numbers) // _QUERIES)][:_QUERIES]
    vectors = index.copies(connection, one.scope, chosen, identity=one.identity)
    noise = np.random.default_rng(one.scope.id).normal(scale=_NOISE, size=vectors.shape)
    queries = vectors + noise.astype(np.float32)
    found: FloatArray = queries / np.linalg.norm(queries, axis=1, keepdims=True)
    return found


def _memory(vectors: int, dimensions: int) -> int:
    """Megabytes in which a graph is made at once, within bounds."""
    return min(1_024, 64 + vectors * (2 * dimensions + _LINK_BYTES) // 1_000_000)
