"""The terms of one scope turned round: which memories hold a term, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from omoide.stores.postings import ENTRY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

IntArray = NDArray[np.integer]

MERGE_AT = 512
"""Terms of new memories are turned round together once so many memories wait."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hits:
    """Where some terms are held: one entry for each term and row.

    Attributes:
        counts: how many rows hold each term.
        terms: of each entry, which of the terms it is, from 0.
        rows: of each entry, the row.
        often: of each entry, how often the row holds the term.
    """

    counts: IntArray
    terms: IntArray
    rows: IntArray
    often: IntArray


class Inverted:
    """Terms → rows, as sorted arrays for most rows and a small table for the newest."""

    def __init__(self) -> None:
        self._terms: IntArray = np.empty(0, dtype=np.int64)
        self._rows: IntArray = np.empty(0, dtype=np.int32)
        self._frequencies: IntArray = np.empty(0, dtype=np.uint8)
        self._new: dict[int, list[tuple[int, int]]] = {}
        self._waiting = 0

    def add(self, postings: Sequence[tuple[int, bytes]]) -> list[int]:
        """Take in rows with their packed terms; returns the length of each."""
        entries = np.frombuffer(b"".join(packed for _, packed in postings), dtype=ENTRY)
        counts = np.fromiter(
            (len(packed) // ENTRY.itemsize for _, packed in postings), np.int64, len(postings)
        )
        rows = np.repeat(np.fromiter((row for row, _ in postings), np.int64, len(postings)), counts)
        if len(postings) >= MERGE_AT:
            self._sort_in(entries["term"], rows, entries["frequency"])
        else:
            self._append(entries, rows)
            self._waiting += len(postings)
            if self._waiting >= MERGE_AT:
                self._sort_in(*self._drain())
        lengths = np.bincount(
            np.repeat(np.arange(len(postings)), counts), weights=entries["frequency"], minlength=len(postings)
        )
        return [int(length) for length in lengths]

    def find(self, terms: Sequence[int]) -> Hits:
        """The rows that hold each term, and how often."""
        wanted = np.array(terms, dtype=np.int64)
        low = self._terms.searchsorted(wanted, "left")
        counts = self._terms.searchsorted(wanted, "right") - low
        which = np.repeat(np.arange(len(wanted)), counts)
        entries = np.arange(len(which)) + (low - counts.cumsum() + counts)[which]
        rows, often = self._rows[entries].astype(np.int64), self._frequencies[entries]
        new = self._new and [(at, *one) for at, term in enumerate(terms) for one in self._new.get(term, ())]
        if new:
            added = np.array(new, dtype=np.int64).T
            counts = counts + np.bincount(added[0], minlength=len(wanted))
            which, rows, often = map(np.concatenate, zip((which, rows, often), added, strict=True))
        return Hits(counts=counts, terms=which, rows=rows, often=often)

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
        held = (self._terms, self._rows, self._frequencies)
        return sum(array.nbytes for array in held) + 120 * len(self._new)

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
        self._rows = np.concatenate((self._rows, rows.astype(np.int32)))[order]
        self._frequencies = np.concatenate((self._frequencies, frequencies.astype(np.uint8)))[order]
        self._terms = terms[order]
