"""Vectors on their way between the store and the index of a scope."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Block:
    """Some memories' vectors: numbers of shape (n,), vectors of shape (n, dimensions)."""

    members: IntArray
    vectors: FloatArray
