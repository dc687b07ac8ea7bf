"""The index of one scope in memory: numbers and vectors as arrays, terms turned round (design section 4).

It is read from the store once, and later only what changed, told by the scope's revision; so writes of other
processes are seen. Rows are never moved while the index lives, and what is gone is marked dead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from omoide.domain.model import Kind, Layer
from omoide.stores.postings import ENTRY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omoide.stores.vectors import Block

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
"""What the index knows of a memory; -1 stands for unknown or never.

A retired row was corrected or pruned: only a question about the past sees it. A row that is neither alive nor
retired is dead.
"""

_MERGE_AT = 512
"""Terms of new memories are turned round together once so many memories wait."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The index as one recall sees it; arrays of n rows, not to be written to.

    Attributes:
        rows: one record a memory, of type `ROW`.
        vectors: shape (n, dimensions), or None while no vector is there.
        embedded: which rows have a vector.
        lengths: terms in each row, counted with repetition.
        before, after: the row of the neighbouring episode in the same session, or -1.
        sessions: the session of each row, numbered from 0 inside the scope; -1 for none.
        said: positions of the settled messages of people, sorted.
    """

    rows: NDArray[np.void]
    vectors: FloatArray | None
    embedded: BoolArray
    lengths: FloatArray
    before: IntArray
    after: IntArray
    sessions: IntArray
    said: IntArray
    inverted: Inverted

    def terms(self, blinded: Sequence[int]) -> list[tuple[IntArray, IntArray]]:
        """The rows that hold each term, and how often."""
        return self.inverted.find(blinded)


class Inverted:
    """Terms → rows, as sorted arrays for most rows and a small table for the newest."""

    def __init__(self) -> None:
        self._terms = np.empty(0, dtype=np.int64)
        self._rows = np.empty(0, dtype=np.int64)
        self._frequencies = np.empty(0, dtype=np.int64)
        self._new: dict[int, list[tuple[int, int]]] = {}
        self._waiting = 0

    def add(self, postings: Sequence[tuple[int, bytes]]) -> list[int]:
        """Take in rows with their packed terms; returns the length of each."""
        entries = np.frombuffer(b"".join(packed for _, packed in postings), dtype=ENTRY)
        counts = np.fromiter(
            (len(packed) // ENTRY.itemsize for _, packed in postings), np.int64, len(postings)
        )
        rows = np.repeat(np.fromiter((row for row, _ in postings), np.int64, len(postings)), counts)
        if len(postings) >= _MERGE_AT:
            self._sort_in(entries["term"], rows, entries["frequency"].astype(np.int64))
        else:
            self._append(entries, rows)
            self._waiting += len(postings)
            if self._waiting >= _MERGE_AT:
                self._sort_in(*self._drain())
        lengths = np.bincount(
            np.repeat(np.arange(len(postings)), counts), weights=entries["frequency"], minlength=len(postings)
        )
        return [int(length) for length in lengths]

    def find(self, terms: Sequence[int]) -> list[tuple[IntArray, IntArray]]:
        """The rows that hold each term, and how often."""
        wanted = np.array(terms, dtype=np.int64)
        low = np.searchsorted(self._terms, wanted, "left").tolist()
        high = np.searchsorted(self._terms, wanted, "right").tolist()
        found = []
        for term, start, end in zip(terms, low, high, strict=True):
            rows, frequencies = self._rows[start:end], self._frequencies[start:end]
            new = self._new.get(term)
            if new:
                added = np.array(new, dtype=np.int64)
                rows = np.concatenate((rows, added[:, 0]))
                frequencies = np.concatenate((frequencies, added[:, 1]))
            found.append((rows, frequencies))
        return found

    def remove(self, rows: Iterable[int]) -> None:
        """Forget rows whose terms are about to be taken in anew, or for good."""
        gone = set(rows)
        keep = ~np.isin(self._rows, np.fromiter(gone, np.int64, len(gone)))
        if not keep.all():
            self._terms, self._rows, self._frequencies = (
                self._terms[keep],
                self._rows[keep],
                self._frequencies[keep],
            )
        for term, entries in list(self._new.items()):
            kept = [entry for entry in entries if entry[0] not in gone]
            if kept:
                self._new[term] = kept
            else:
                del self._new[term]

    @property
    def nbytes(self) -> int:
        """Bytes of memory held, roughly."""
        return self._terms.nbytes * 3 + 120 * len(self._new)

    def _append(self, entries: NDArray[np.void], rows: IntArray) -> None:
        for term, frequency, row in zip(
            entries["term"].tolist(), entries["frequency"].tolist(), rows.tolist(), strict=True
        ):
            self._new.setdefault(term, []).append((row, frequency))

    def _drain(self) -> tuple[IntArray, IntArray, IntArray]:
        flat = [(term, row, often) for term, entries in self._new.items() for row, often in entries]
        table = np.array(flat, dtype=np.int64).reshape(-1, 3)
        self._new, self._waiting = {}, 0
        return table[:, 0], table[:, 1], table[:, 2]

    def _sort_in(self, terms: IntArray, rows: IntArray, frequencies: IntArray) -> None:
        terms = np.concatenate((self._terms, terms))
        order = np.argsort(terms, kind="stable")
        self._rows = np.concatenate((self._rows, rows))[order]
        self._frequencies = np.concatenate((self._frequencies, frequencies))[order]
        self._terms = terms[order]


class Neighbours:
    """The rows just before and just after each row in the same session, among the living; -1 for none.

    What is said next is linked to what was said last; any other change has all of them looked up anew.
    """

    def __init__(self) -> None:
        self._before = np.empty(0, dtype=np.int64)
        self._after = np.empty(0, dtype=np.int64)
        self._last: dict[int, tuple[int, int]] = {}  # of each session: position and row
        self._known = 0

    def changed(self, records: NDArray[np.void], places: Sequence[int], *, only_new: bool) -> None:
        """Take in rows that came, one after another, or that are other than they were."""
        if not only_new or self._known + len(places) > len(self._before):
            self._known = -1
        if self._known < 0:
            return
        columns = (records[name].tolist() for name in ("session", "position", "alive"))
        for session, position, alive, place in zip(*columns, places, strict=True):
            self._known += 1
            if session < 0 or not alive:
                continue
            last, row = self._last.get(session, (-(2**63), -1))
            if position <= last:
                self._known = -1
                return
            self._before[place], self._after[place] = row, -1
            if row >= 0:
                self._after[row] = place
            self._last[session] = (position, place)

    def of(self, rows: NDArray[np.void]) -> tuple[IntArray, IntArray]:
        """Before and after of all rows."""
        size = len(rows)
        if self._known != size:
            self._look_up(rows)
        return self._before[:size], self._after[:size]

    def _look_up(self, rows: NDArray[np.void]) -> None:
        room = len(rows) + len(rows) // 8 + 64
        self._before = np.full(room, -1, dtype=np.int64)
        self._after = np.full(room, -1, dtype=np.int64)
        living = np.flatnonzero(rows["alive"] & (rows["session"] >= 0))
        order = living[
            np.lexsort((rows["number"][living], rows["position"][living], rows["session"][living]))
        ]
        session = rows["session"][order]
        same = session[1:] == session[:-1]
        self._before[order[1:][same]] = order[:-1][same]
        self._after[order[:-1][same]] = order[1:][same]
        ends = order[np.append(~same, True)] if len(order) else order
        self._last = {
            int(session): (int(position), int(row))
            for session, position, row in zip(
                rows["session"][ends].tolist(), rows["position"][ends].tolist(), ends.tolist(), strict=True
            )
        }
        self._known = len(rows)


class ScopeIndex:
    """The arrays of one scope, grown in place. One thread at a time may change it."""

    def __init__(self) -> None:
        self.revision = -1
        self.epoch = -1
        self._size = 0
        self._row_of: dict[int, int] = {}
        self._rows = np.zeros(16, dtype=ROW)
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
    ) -> None:
        """Take in changed memories (tuples in the order of `ROW`), their terms, vectors, and what was said."""
        self._snapshot = None
        known = self._put_rows(rows)
        if known:
            self._inverted.remove(known)
        placed = [(self._row_of[number], packed) for number, packed in postings if number in self._row_of]
        if placed:
            self._lengths[[row for row, _ in placed]] = self._inverted.add(placed)
        for block in blocks:
            self._put_vectors(block)
        self._said = said

    def snapshot(self) -> Snapshot:
        """The index as it stands; cheap while nothing changes."""
        if self._snapshot is None:
            size = self._size
            before, after = self._neighbours.of(self._rows[:size])
            self._snapshot = Snapshot(
                rows=self._rows[:size],
                vectors=None if self._vectors is None else self._vectors[:size],
                embedded=self._embedded[:size],
                lengths=self._lengths[:size],
                before=before,
                after=after,
                sessions=self._sessions[:size],
                said=self._said,
                inverted=self._inverted,
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
        return (
            vectors + self._rows.nbytes + self._inverted.nbytes + self._said.nbytes + 100 * len(self._row_of)
        )

    def _put_rows(self, rows: Sequence[tuple[object, ...]]) -> list[int]:
        known = [self._row_of[row[0]] for row in rows if row[0] in self._row_of]  # type: ignore[index]
        new = [row for row in rows if row[0] not in self._row_of]
        self._grow(self._size + len(new))
        for row in new:
            self._row_of[row[0]] = self._size  # type: ignore[index]
            self._size += 1
        if rows:
            places = [self._row_of[row[0]] for row in rows]  # type: ignore[index]
            records = np.array(list(rows), dtype=ROW)
            self._rows[places] = records
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

    def _grow(self, size: int) -> None:
        room = len(self._rows)
        if size <= room:
            return
        room = max(size, room * 3 // 2)
        self._rows = _enlarged(self._rows, room)
        self._embedded = _enlarged(self._embedded, room)
        self._lengths = _enlarged(self._lengths, room)
        self._sessions = _enlarged(self._sessions, room)
        if self._vectors is not None:
            self._vectors = _enlarged(self._vectors, room)


def _enlarged(array: NDArray[np.generic], room: int) -> NDArray[np.generic]:
    larger = np.zeros((room, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
