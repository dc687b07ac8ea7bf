"""Indexes that hold copies of the vectors: filled where they miss some, compared with the truth, repaired.

The truth are the sealed vectors of the store. What an index lacks of them is made, what differs is replaced,
and what it holds beside them is dropped.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, cast

import numpy as np
from sqlalchemy import select

from omoide.errors import UnknownScope
from omoide.stores.index.block import Block, FloatArray, IntArray
from omoide.stores.index.nearest import VectorIndex
from omoide.stores.index.refresh import state_of
from omoide.stores.marks import mark, marked, unmark
from omoide.stores.tables import memory_scopes
from omoide.stores.tenants import known_tenants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

_log = logging.getLogger("omoide")

_STEP: Final = 1_000
"""Vectors that are compared at once, and written in one transaction."""

_LIKE: Final = 1e-3
"""What a number of a copy may differ by: half precision is half as far off at most."""


class CopyIndex(VectorIndex, Protocol):
    """An index that holds copies of the vectors of the store.

    Attributes:
        name: as the setting `vectors` has it.
    """

    name: str

    def catch_up(self, store: Store) -> None:
        """Hold all that a store does whose index this is, or come nearer to it."""
        ...

    def sweep(self, store: Store) -> int:
        """Let go of scopes that the store does not know; returns how many there were.

        Raises:
            IndexUnavailable: it cannot answer now.
        """
        ...

    def held(self, connection: Connection, scope: ScopeRow, *, identity: int) -> IntArray:
        """The numbers of all memories of a scope that it holds a copy of, in any order.

        Raises:
            IndexUnavailable: it cannot answer now.
        """
        ...

    def copies(
        self, connection: Connection, scope: ScopeRow, numbers: IntArray, *, identity: int
    ) -> FloatArray:
        """The copies of some memories' vectors; shape (k, dimensions), NaN where it has none.

        Raises:
            IndexUnavailable: it cannot answer now.
        """
        ...

    def misfits(self, connection: Connection, *, identity: int) -> int:
        """How many copies are of another size than the vectors in use, and so are never compared."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Verified:
    """What a comparison of an index with the store found, and repaired.

    Attributes:
        right: copies that were as they should be.
        made: copies that were missing.
        replaced: copies that differed.
        dropped: copies of what the store does not hold.
        strays: scopes or points that it does not know; looked for where all scopes are compared.
    """

    right: int = 0
    made: int = 0
    replaced: int = 0
    dropped: int = 0
    strays: int = 0

    def __add__(self, other: Verified) -> Verified:
        return Verified(
            right=self.right + other.right,
            made=self.made + other.made,
            replaced=self.replaced + other.replaced,
            dropped=self.dropped + other.dropped,
            strays=self.strays + other.strays,
        )

    @property
    def repaired(self) -> int:
        """How many were not as they should be."""
        return self.made + self.replaced + self.dropped


def verify(store: Store, scope: ScopeRow, *, values: bool = True) -> Verified:
    """Compare the index with the vectors of a scope, and repair it.

    It reads from one snapshot and repairs in steps, between which others write. There is nothing to compare
    without an embedder, or where the process itself compares the vectors.

    Args:
        store: whose vectors are the truth, and whose index is compared with them.
        scope: whose.
        values: whether copies are compared, too, or only which there are.

    Raises:
        IndexUnavailable: the index cannot answer now.
        UnknownScope: the scope was erased meanwhile.
    """
    identity, index = store.embedding, _index(store)
    if identity is None or index is None:
        return Verified()
    with store.read(scope) as unit:
        state_of(unit)
        held = index.held(unit.connection, scope, identity=identity)
        if not values and unit.vectors(identity).members() == set(held.tolist()):
            return Verified(right=len(held))  # no seal has to be opened for that
        truth = _truth(unit, identity)
        there = np.isin(truth.members, held)
        wrong = (
            _differing(index, unit, _part(truth, there), identity) if values else np.empty(0, dtype=np.int64)
        )
    missing = truth.members[~there]
    made = _put(store, index, scope, _part(truth, np.isin(truth.members, missing)), identity)
    replaced = _put(store, index, scope, _part(truth, np.isin(truth.members, wrong)), identity)
    dropped = _drop(store, index, scope, held[~np.isin(held, truth.members)], identity)
    right = int(there.sum()) - len(wrong)
    return Verified(right=right, made=made, replaced=replaced, dropped=dropped)


def catch_up(store: Store) -> None:
    """Let the index of a store that was just opened hold all that the store does.

    Where the process compares the vectors itself, it is noted that other indexes miss something from now on.
    """
    index = _index(store)
    if index is not None:
        index.catch_up(store)
        return
    whole = store.database.of("")
    with whole.read() as connection:
        known = marked(connection)
    if known is not None:
        with whole.write() as connection:
            unmark(connection)


def misfits(store: Store) -> int:
    """How many copies in the index are of another size than the vectors in use."""
    index = _index(store)
    if index is None or store.embedding is None:
        return 0
    with store.database.read() as connection:
        return index.misfits(connection, identity=store.embedding)


def sweep(store: Store) -> int:
    """Let the index let go of scopes that the store does not know; returns how many there were.

    Raises:
        IndexUnavailable: the index cannot answer now.
    """
    index = _index(store)
    return 0 if index is None else index.sweep(store)


def fill(store: Store, index: CopyIndex, *, embedding: str) -> int:
    """Give the index of a store what it lacks, of all tenants, unless it is known to lack nothing.

    What it has already stays; so a filling that was interrupted goes on where it stopped.

    Args:
        store: whose vectors are copied.
        index: the store's.
        embedding: the key of the embedding space in use.

    Returns:
        How many copies were made or dropped.

    Raises:
        IndexUnavailable: it cannot answer now.
    """
    whole, told = store.database.of(""), f"{index.name} {embedding}"
    with whole.read() as connection:
        if marked(connection) == told:
            return 0
    repaired = 0
    for tenant in known_tenants(store.database):
        own = store if tenant == store.tenant else store.of(tenant)
        for scope in own.all_scopes():
            with suppress(UnknownScope):  # erased meanwhile
                repaired += verify(own, scope, values=False).repaired
    with whole.write() as connection:
        mark(connection, told)
    if repaired:
        _log.info("%s lacked %d vectors, which are copied now", index.name, repaired)
    return repaired


def _index(store: Store) -> CopyIndex | None:
    """The store's index, if it holds copies."""
    return None if store.index.in_process else cast("CopyIndex", store.index)


def _truth(unit: Unit, identity: int) -> Block:
    """The vectors of a scope's memories, each once."""
    blocks = unit.vectors(identity).read()
    if not blocks:
        return Block(np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.float32))
    members = np.concatenate([block.members for block in blocks])
    matrix = np.concatenate([block.vectors for block in blocks])
    own = select(memory_scopes.c.memory_id).where(memory_scopes.c.scope_id == unit.scope.id)
    known = np.array(unit.connection.execute(own).scalars().all(), dtype=np.int64)
    _, last = np.unique(members[::-1], return_index=True)  # what was written later counts
    rows = np.sort(len(members) - 1 - last)
    rows = rows[np.isin(members[rows], known)]
    return Block(members[rows], matrix[rows])


def _part(block: Block, rows: np.ndarray) -> Block:
    return Block(block.members[rows], block.vectors[rows])


def _differing(index: CopyIndex, unit: Unit, block: Block, identity: int) -> IntArray:
    """The numbers of those whose copies are not what they should be."""
    wrong = [np.empty(0, dtype=np.int64)]
    for part in _steps(block):
        copies = index.copies(unit.connection, unit.scope, part.members, identity=identity)
        like = np.isclose(copies, part.vectors, rtol=0.0, atol=_LIKE).all(axis=1)
        wrong.append(part.members[~like])
    return np.concatenate(wrong)


def _put(store: Store, index: CopyIndex, scope: ScopeRow, block: Block, identity: int) -> int:
    """Write copies of what the store still holds; returns how many."""
    written = 0
    for part in _steps(block):
        with store.write(scope) as unit:
            state_of(unit)
            still = np.isin(part.members, list(unit.vectors(identity).members()))
            index.put(unit.connection, scope, _part(part, still), identity=identity)
        written += int(still.sum())
    return written


def _drop(store: Store, index: CopyIndex, scope: ScopeRow, numbers: IntArray, identity: int) -> int:
    """Drop copies of what the store still does not hold; returns how many."""
    if not len(numbers):
        return 0
    with store.write(scope) as unit:
        state_of(unit)
        gone = sorted(set(numbers.tolist()) - unit.vectors(identity).members())
        index.drop(unit.connection, scope, gone)
    return len(gone)


def _steps(block: Block) -> Sequence[Block]:
    return [
        Block(block.members[start : start + _STEP], block.vectors[start : start + _STEP])
        for start in range(0, len(block.members), _STEP)
    ]
