"""The signs of vectors, 48 bytes for 384 numbers: enough to tell which rows of a large scope to look at.

Vectors of one model lie in a narrow cone, so that most of their signs agree; what is left after their mean is
taken off does not (design section 4).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]

_SAMPLE = 4_096
"""Rows that the mean is taken over, and that are packed at a time."""


class Signs:
    """The signs of the rows of a matrix about its mean, which stays what it was at first.

    Args:
        vectors: shape (n, dimensions).
        size: how many of its rows count; the others are room to grow.
    """

    def __init__(self, vectors: FloatArray, *, size: int) -> None:
        self.taken_at = size
        self._centre = vectors[: size : max(1, size // _SAMPLE)].mean(axis=0)
        self._bits = self._packed(vectors[:0])
        self.grow(len(vectors))
        for start in range(0, size, _SAMPLE):
            rows = slice(start, min(start + _SAMPLE, size))
            self._bits[rows] = self._packed(vectors[rows])

    def put(self, rows: list[int], vectors: FloatArray) -> None:
        """Take in rows that came or changed."""
        self._bits[rows] = self._packed(vectors)

    def grow(self, room: int) -> None:
        """Make room for so many rows."""
        larger = np.zeros((room, self._bits.shape[1]), dtype=np.uint64)
        larger[: len(self._bits)] = self._bits
        self._bits = larger

    def distances(self, vector: FloatArray, *, size: int) -> NDArray[np.int64]:
        """How many signs of each of the first rows differ from those of a vector."""
        differing = np.bitwise_count(self._bits[:size] ^ self._packed(vector[None]))
        return np.asarray(differing.sum(axis=1, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of memory held."""
        return self._bits.nbytes

    def _packed(self, vectors: FloatArray) -> NDArray[np.uint64]:
        packed = np.packbits(vectors > self._centre, axis=1)
        padded = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))
        return np.ascontiguousarray(padded).view(np.uint64)
