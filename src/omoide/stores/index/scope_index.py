"""The index of one scope in memory: numbers and vectors as arrays, terms turned round (design section 4).

It is read from the store once, and later only what changed, told by the scope's revision; so writes of other
processes are seen. Rows are never moved while the index lives, and what is gone is marked dead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from omoide.domain.instants import NO_TIME
from omoide.domain.layer import Layer
from omoide.domain.model import Kind
from omoide.stores.index.inverted import Inverted
from omoide.stores.index.neighbours import Neighbours
from omoide.stores.index.signs import Signs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from omoide.stores.index.block import Block
    from omoide.stores.index.inverted import Hits

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

KINDS = tuple(Kind)
LAYERS = tuple(Layer)

ROW = np.dtype(
    [
        ("number", "i8"),
        ("position", "i8"),
        ("session", "i8"),
        ("subject", "i8"),
        ("at", "i8"),
        ("recorded_at", "i8"),
        ("retired_at", "i8"),
        ("valid_until", "i8"),
        ("place", "i8"),
        ("importance", "f4"),
        ("confidence", "f4"),
        ("confirmed", "i4"),
        ("kind", "i1"),
        ("layer", "i1"),
        ("origin_rule", "?"),
        ("pinned", "?"),
        ("alive", "?"),
        ("retired", "?"),
    ]
)
"""What the index knows of a memory; -1 stands for unknown, and `NO_TIME` for an unknown time or for never.

A place is the number of its tag (`place_number`), and 0 for none.

A retired row was corrected or pruned: only a question about the past sees it. A row that is neither alive nor
retired is dead.
"""

_PACKED = ("alive", "kind", "importance", "place")
"""Columns that are also kept by themselves, for whoever goes through all rows."""

LARGE = 20_000
"""Rows from which exact scores of all cost more than a first look at the signs of their vectors."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The index as one recall sees it; arrays of n rows, not to be written to.

    Attributes:
        rows: one record a memory, of type `ROW`.
        alive, kinds, importances, at_places: columns of `rows`, each by itself.
        expires: when the first living row ceases to be so; None where none does.
        vectors: shape (n, dimensions), or None while no vector is there, or another index holds them.
        lent: vectors that the store does not hold yet, by row, where another index holds those that it does.
        embedded: which rows have a vector.
        missing: how many living rows have none.
        signs: of the vectors, in a large scope.
        lengths: terms in each row, counted with repetition.
        before, after: the row of the neighbouring episode in the same session, or -1.
        sessions: the session of each row, numbered from 0 inside the scope; -1 for none.
        said: positions of the settled messages of people, sorted.
        places: the row of each memory, by its number.
    """

    rows: NDArray[np.void]
    alive: BoolArray
    kinds: NDArray[np.int8]
    importances: FloatArray
    at_places: IntArray
    expires: int | None
    vectors: FloatArray | None
    lent: Mapping[int, FloatArray]
    embedded: BoolArray
    missing: int
    lengths: FloatArray
    before: IntArray
    after: IntArray
    sessions: IntArray
    said: IntArray
    signs: Signs | None
    inverted: Inverted
    places: Mapping[int, int]

    def terms(self, blinded: Sequence[int]) -> Hits:
        """The rows that hold each term, and how often."""
        return self.inverted.find(blinded)


class ScopeIndex:
    """The arrays of one scope, grown in place. One thread at a time may change it.

    Args:
        large: rows from which the signs of vectors are kept too.
        in_process: whether vectors are held; otherwise only which memories have one.
    """

    def __init__(self, *, large: int = LARGE, in_process: bool = True) -> None:
        self._large = large
        self._in_process = in_process
        self._lent: dict[int, FloatArray] = {}
        self._signs: Signs | None = None
        self.revision = -1
        self.epoch = -1
        self._size = 0
        self._row_of: dict[int, int] = {}
        self._rows = np.zeros(16, dtype=ROW)
        self._packed: dict[str, NDArray[Any]] = {name: np.zeros(16, dtype=ROW[name]) for name in _PACKED}
        self._vectors: FloatArray | None = None
        self._embedded = np.zeros(16, dtype=np.bool_)
        self._lengths = np.zeros(16, dtype=np.float32)
        self._sessions = np.zeros(16, dtype=np.int64)
        self._neighbours = Neighbours()
        self._place_of: dict[int, int] = {-1: -1}  # sessions, numbered from 0
        self._inverted = Inverted()
        self._snapshot: Snapshot | None = None
        self._said = np.empty(0, dtype=np.int64)

    def apply(
        self,
        rows: Sequence[tuple[object, ...]],
        *,
        postings: Sequence[tuple[int, bytes]],
        blocks: Sequence[Block],
        said: IntArray,
        lacking: Sequence[int] = (),
    ) -> None:
        """Take in changed memories, as tuples in the order of `ROW`, with their terms and vectors.

        Where another index holds the vectors, only the members of the blocks are looked at, and the numbers
        of changed memories that have no vector, or none any more.
        """
        self._snapshot = None
        known = self._put_rows(rows)
        if not self._in_process:
            self._drop_members(lacking)
        if known:
            self._inverted.remove(known)
        placed = [(self._row_of[number], packed) for number, packed in postings if number in self._row_of]
        if placed:
            self._lengths[[row for row, _ in placed]] = self._inverted.add(placed)
        for block in blocks:
            if self._in_process:
                self._put_vectors(block)
            else:
                self._put_members(block.members)
        self._said = said

    def lend(self, block: Block) -> None:
        """Take in vectors that the store does not hold yet."""
        self._snapshot = None
        if self._in_process:
            self._put_vectors(block)
            return
        for number, vector in zip(block.members.tolist(), block.vectors, strict=True):
            row = self._row_of.get(number)
            if row is not None and not self._embedded[row]:
                self._lent[row] = vector
                self._embedded[row] = True

    def snapshot(self) -> Snapshot:
        """The index as it stands; cheap while nothing changes."""
        if self._snapshot is None:
            size = self._size
            rows, embedded = self._rows[:size], self._embedded[:size]
            before, after = self._neighbours.of(rows)
            alive, kinds, importances, at_places = (self._packed[name][:size] for name in _PACKED)
            ends = rows["valid_until"][alive]
            ends = ends[ends != NO_TIME]
            self._snapshot = Snapshot(
                rows=rows,
                alive=alive,
                kinds=kinds,
                importances=importances,
                at_places=at_places,
                expires=int(ends.min()) if len(ends) else None,
                vectors=None if self._vectors is None else self._vectors[:size],
                lent=dict(self._lent),
                embedded=embedded,
                missing=int((alive & ~embedded).sum()),
                lengths=self._lengths[:size],
                before=before,
                after=after,
                sessions=self._sessions[:size],
                said=self._said,
                signs=self._signs_of(size),
                inverted=self._inverted,
                places=self._row_of,
            )
        return self._snapshot

    @property
    def said(self) -> IntArray:
        """Positions of the settled messages of people, sorted."""
        return self._said

    @property
    def session_numbers(self) -> set[int]:
        """The sessions that memories are from."""
        return self._place_of.keys() - {-1}

    @property
    def nbytes(self) -> int:
        """Bytes of memory held, roughly."""
        vectors = 0 if self._vectors is None else self._vectors.nbytes
        vectors += 0 if self._signs is None else self._signs.nbytes
        return (
            vectors
            + self._rows.nbytes
            + sum(column.nbytes for column in self._packed.values())
            + self._inverted.nbytes
            + self._said.nbytes
            + 100 * len(self._row_of)
        )

    def _put_rows(self, rows: Sequence[tuple[Any, ...]]) -> list[int]:
        known = [self._row_of[row[0]] for row in rows if row[0] in self._row_of]
        new = [row for row in rows if row[0] not in self._row_of]
        self._grow(self._size + len(new))
        for row in new:
            self._row_of[row[0]] = self._size
            self._size += 1
        if rows:
            places = [self._row_of[row[0]] for row in rows]
            records = np.array(list(rows), dtype=ROW)
            self._rows[places] = records
            for name, column in self._packed.items():
                column[places] = records[name]
            self._sessions[places] = [
                self._place_of.setdefault(session, len(self._place_of) - 1)
                for session in records["session"].tolist()
            ]
            self._neighbours.changed(records, places, only_new=not known)
        return known

    def _put_vectors(self, block: Block) -> None:
        places = [(self._row_of.get(number, -1), at) for at, number in enumerate(block.members.tolist())]
        rows = [row for row, _ in places if row >= 0]
        if not rows:
            return
        if self._vectors is None:
            self._vectors = np.zeros((len(self._rows), block.vectors.shape[1]), dtype=np.float32)
        self._vectors[rows] = block.vectors[[at for row, at in places if row >= 0]]
        self._embedded[rows] = True
        if self._signs is not None:
            self._signs.put(rows, self._vectors[rows])

    def _drop_members(self, numbers: Sequence[int]) -> None:
        rows = [self._row_of[number] for number in numbers if number in self._row_of]
        self._embedded[rows] = False
        for row in rows:
            self._lent.pop(row, None)

    def _put_members(self, members: IntArray) -> None:
        rows = [row for number in members.tolist() if (row := self._row_of.get(number)) is not None]
        self._embedded[rows] = True
        for row in rows:
            self._lent.pop(row, None)

    def _grow(self, size: int) -> None:
        room = len(self._rows)
        if size <= room:
            return
        room = max(size, room * 9 // 8)
        self._rows = _enlarged(self._rows, room)
        self._packed = {name: _enlarged(column, room) for name, column in self._packed.items()}
        self._embedded = _enlarged(self._embedded, room)
        self._lengths = _enlarged(self._lengths, room)
        self._sessions = _enlarged(self._sessions, room)
        if self._vectors is not None:
            self._vectors = _enlarged(self._vectors, room)
        if self._signs is not None:
            self._signs.grow(room)

    def _signs_of(self, size: int) -> Signs | None:
        """The signs of a large scope's vectors, taken anew about their mean whenever it has doubled."""
        if self._vectors is None or size < self._large:
            return None
        if self._signs is None or size > 2 * self._signs.taken_at:
            self._signs = Signs(self._vectors, size=size)
        return self._signs


def place_number(tag: bytes | None) -> int:
    """What stands for a place in the index: its tag is a keyed hash, and half of that tells places apart."""
    return 0 if tag is None else int.from_bytes(tag[:8], "big", signed=True)


_Any = TypeVar("_Any", bound=np.generic)


def _enlarged(array: NDArray[_Any], room: int) -> NDArray[_Any]:
    larger = np.zeros((room, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
