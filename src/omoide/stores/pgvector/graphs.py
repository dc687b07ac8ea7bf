"""Graphs (HNSW) of single large scopes over the table of copies: which there are, made and dropped.

A graph of all scopes together finds little of a small scope's, and one of a scope alone nearly everything.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from psycopg import sql

from omoide.stores.postgres.driver import driver_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from omoide.stores.postgres.connection import BoundedConnection

_LOOK: Final = 60.0
"""Seconds after which a process looks again which graphs there are."""

_NAME: Final = re.compile(r"^embeddings_graph_(\d+)_(\d+)$")
_ALL: Final = (
    "SELECT c.relname, i.indisvalid AND i.indisready, pg_relation_size(c.oid) FROM pg_index i "
    "JOIN pg_class c ON c.oid = i.indexrelid "
    "WHERE i.indrelid = to_regclass('embeddings') AND c.relname LIKE 'embeddings\\_graph\\_%'"
)
_MAKE: Final = sql.SQL(
    "CREATE INDEX CONCURRENTLY {name} ON embeddings USING hnsw ((vector::halfvec({size})) halfvec_ip_ops) "
    "WHERE scope_id = {scope} AND identity_id = {identity}"
)
_DROP: Final = sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {name}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Graph:
    """A graph of one scope's vectors of one embedding space.

    Attributes:
        valid: False where making it was interrupted.
        size: bytes on disk.
    """

    scope: int
    identity: int
    valid: bool
    size: int


class Graphs:
    """Which scopes have a graph, as a process that recalls knows it: it looks now and then."""

    def __init__(self) -> None:
        self._known: frozenset[tuple[int, int]] = frozenset()
        self._looked: float | None = None

    def look_again(self) -> None:
        """Look the next time that it is asked."""
        self._looked = None

    def has(self, connection: Connection, scope: int, identity: int) -> bool:
        """Whether a scope has a graph. One that has gone meanwhile is not missed: it only takes longer."""
        if self._looked is None or time.monotonic() - self._looked >= _LOOK:
            found = graphs(driver_of(connection))
            self._known = frozenset((one.scope, one.identity) for one in found if one.valid)
            self._looked = time.monotonic()
        return (scope, identity) in self._known


def graphs(driver: BoundedConnection) -> list[Graph]:
    """All graphs that there are, by scope."""
    found = []
    for name, valid, size in driver.execute(_ALL).fetchall():
        match = _NAME.match(name)
        if match is not None:
            scope, identity = map(int, match.groups())
            found.append(Graph(scope=scope, identity=identity, valid=valid, size=size))
    return sorted(found, key=lambda one: (one.scope, one.identity))


def make_graph(driver: BoundedConnection, scope: int, identity: int, *, dimensions: int) -> None:
    """Make a graph while others read and write; outside of any transaction."""
    values = {"scope": scope, "identity": identity, "size": dimensions}
    literals = {key: sql.Literal(value) for key, value in values.items()}
    driver.execute(_MAKE.format(name=_name(scope, identity), **literals))


def drop_graph(driver: BoundedConnection, scope: int, identity: int) -> None:
    """Drop a graph while others read and write; outside of any transaction."""
    driver.execute(_DROP.format(name=_name(scope, identity)))


def _name(scope: int, identity: int) -> sql.Identifier:
    return sql.Identifier(f"embeddings_graph_{scope:d}_{identity:d}")
