"""Vectors of one scope: sealed blocks of up to 64, as 16-bit numbers with a scale a vector (ruling 32).

A block that holds one vector is what a single write costs; small blocks are merged once there are many, so
that a scope of 100,000 opens some 1,600 seals instead of 100,000.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import bindparam, delete, select

from omoide.errors import Tampered
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed, insert_rows
from omoide.stores.index.block import Block, FloatArray
from omoide.stores.scopes import new_uid
from omoide.stores.tables import vectors

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection

    from omoide.stores.index.nearest import VectorIndex
    from omoide.stores.scopes import ScopeRow

BLOCK = 64
"""Vectors in a full block."""

_LOOSE = 96
"""Small blocks that a scope may hold before they are merged."""

_LOOK = 32
"""A scope looks for blocks to merge once in so many changes."""

_STEPS = 32767


_BLOCKS = Fixed(
    select(vectors.c.uid, vectors.c.members, vectors.c.vectors_sealed)
    .where(
        vectors.c.scope_id == bindparam("scope"),
        vectors.c.identity_id == bindparam("identity"),
        vectors.c.change > bindparam("after"),
    )
    .order_by(vectors.c.id)
)


_MEMBERS = Fixed(
    select(vectors.c.members).where(
        vectors.c.scope_id == bindparam("scope"),
        vectors.c.identity_id == bindparam("identity"),
        vectors.c.change > bindparam("after"),
    )
)
_NONE: FloatArray = np.empty((0, 0), dtype=np.float32)


class Vectors:
    """Reads and writes one scope's vectors of one embedding space, within one transaction.

    What it writes goes into the index too, where that holds copies.
    """

    def __init__(self, connection: Connection, scope: ScopeRow, *, identity: int, index: VectorIndex) -> None:
        self._connection = connection
        self._scope = scope
        self._identity = identity
        self._index = index

    def put(self, numbers: Sequence[int], matrix: FloatArray, *, change: int) -> None:
        """Write vectors, in the order of the numbers; shape (n, dimensions)."""
        members = np.asarray(numbers, dtype=np.int64)
        for start in range(0, len(members), BLOCK):
            block = Block(members[start : start + BLOCK], matrix[start : start + BLOCK])
            self.write(block, change=change)
        self._index.put(self._connection, self._scope, Block(members, matrix), identity=self._identity)
        self._merge(change)

    def read(self, *, after: int = -1, opened: bool = True) -> list[Block]:
        """All blocks written after a change of the scope, oldest first.

        Args:
            after: the change.
            opened: whether the vectors are wanted; otherwise the blocks tell only whose they are.
        """
        values = {"scope": self._scope.id, "identity": self._identity, "after": after}
        if not opened:
            rows = _MEMBERS.run(self._connection, values)
            return [Block(np.frombuffer(members, dtype=np.int64), _NONE) for (members,) in rows]
        blocks = [self.open(*row) for row in _BLOCKS.run(self._connection, values)]
        return [block for block in blocks if len(block.members)]

    def members(self) -> set[int]:
        """The numbers of all memories that have a vector in this space."""
        query = select(vectors.c.members).where(
            vectors.c.scope_id == self._scope.id, vectors.c.identity_id == self._identity
        )
        found: set[int] = set()
        for members in self._connection.execute(query).scalars():
            found.update(np.frombuffer(members, dtype=np.int64).tolist())
        return found

    def some(self, numbers: Collection[int]) -> Block:
        """The vectors of some memories, without those that have none in this space."""
        query = select(vectors.c.uid, vectors.c.members, vectors.c.vectors_sealed).where(
            vectors.c.scope_id == self._scope.id, vectors.c.identity_id == self._identity
        )
        told = query.with_only_columns(vectors.c.uid, vectors.c.members).order_by(vectors.c.id)
        wanted = np.asarray(sorted(numbers), dtype=np.int64)
        found: dict[int, FloatArray] = {}
        holding = [
            uid
            for uid, members in self._connection.execute(told)
            if np.isin(np.frombuffer(members, dtype=np.int64), wanted).any()
        ]
        for chunk in chunks(holding):
            for row in self._connection.execute(query.where(vectors.c.uid.in_(chunk)).order_by(vectors.c.id)):
                block = self.open(*row)
                found.update(zip(block.members.tolist(), block.vectors, strict=True))
        kept = [number for number in wanted.tolist() if number in found]
        matrix = np.stack([found[number] for number in kept]) if kept else _NONE
        return Block(np.asarray(kept, dtype=np.int64), matrix)

    def write(self, block: Block, *, change: int) -> None:
        """Write one block as it is."""
        uid = new_uid()
        row = {
            "tenant": self._scope.tenant,
            "scope_id": self._scope.id,
            "identity_id": self._identity,
            "uid": uid,
            "change": change,
            "count": len(block.members),
            "members": block.members.tobytes(),
            "vectors_sealed": self._scope.sealer.seal(_packed(block.vectors), row=uid),
        }
        insert_rows(self._connection, vectors, [row])

    def open(self, uid: bytes, members: bytes, sealed: bytes) -> Block:
        """A block; without members where it was changed on disk, for vectors can be made again."""
        numbers = np.frombuffer(members, dtype=np.int64)
        try:
            return Block(numbers, _unpacked(self._scope.sealer.open(sealed, row=uid), len(numbers)))
        except Tampered:
            return Block(numbers[:0], np.empty((0, 0), dtype=np.float32))

    def _merge(self, change: int) -> None:
        if change % _LOOK:
            return
        small = self._connection.execute(
            select(vectors.c.id, vectors.c.uid, vectors.c.members, vectors.c.vectors_sealed).where(
                vectors.c.scope_id == self._scope.id,
                vectors.c.identity_id == self._identity,
                vectors.c.count < BLOCK,
            )
        ).all()
        if len(small) < _LOOSE:
            return
        opened = [self.open(row.uid, row.members, row.vectors_sealed) for row in small]
        opened = [block for block in opened if len(block.members)]
        self._connection.execute(delete(vectors).where(vectors.c.id.in_([row.id for row in small])))
        members = np.concatenate([block.members for block in opened])
        matrix = np.concatenate([block.vectors for block in opened])
        for start in range(0, len(members), BLOCK):
            block = Block(members[start : start + BLOCK], matrix[start : start + BLOCK])
            self.write(block, change=change)


def drop_vectors(
    connection: Connection, scope: ScopeRow, numbers: Collection[int], *, index: VectorIndex
) -> None:
    """Take memories' vectors out of the index, and out of every block of every space of the scope."""
    index.drop(connection, scope, numbers)
    gone = np.asarray(sorted(numbers), dtype=np.int64)
    query = select(
        vectors.c.id, vectors.c.identity_id, vectors.c.change, vectors.c.uid, vectors.c.members
    ).where(vectors.c.scope_id == scope.id)
    for row in connection.execute(query).all():
        members = np.frombuffer(row.members, dtype=np.int64)
        keep = ~np.isin(members, gone)
        if keep.all():
            continue
        one = vectors.c.id == row.id
        sealed = connection.execute(select(vectors.c.vectors_sealed).where(one)).scalar_one()
        connection.execute(delete(vectors).where(one))
        if keep.any():
            rest = Vectors(connection, scope, identity=row.identity_id, index=index)
            block = rest.open(row.uid, row.members, sealed)
            if len(block.members):
                rest.write(Block(members[keep], block.vectors[keep]), change=row.change)


def _packed(matrix: FloatArray) -> bytes:
    scale = np.abs(matrix).max(axis=1) / _STEPS
    scale[scale == 0] = 1.0
    whole = np.rint(matrix / scale[:, None]).astype("<i2")
    packed: bytes = scale.astype("<f4").tobytes() + whole.tobytes()
    return packed


def _unpacked(data: bytes, count: int) -> FloatArray:
    scale = np.frombuffer(data, dtype="<f4", count=count)
    whole = np.frombuffer(data, dtype="<i2", offset=4 * count).reshape(count, -1)
    return np.asarray(whole.astype(np.float32) * scale[:, None])
