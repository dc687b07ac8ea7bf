"""The gate of an embedding space: whether a message is about somebody's own life at all (ruling 35).

Cosines of small models tell badly whether anything bears on a message: a joke that is asked for lies as near
to a memory as a question about it. What a message is *like* tells better. A gate is a direction in
the space of queries, learned from messages about one's own life against requests that no memory could help
with, together with the likeness of the nearest memory and the form of the message. `benchmarks/gate.py` fits
it.
"""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class FittedGate:
    """A gate read from the package.

    Args:
        direction: shape (dimensions,), what of a query's vector speaks for a life.
        weights: what a constant, the likeness of the nearest memory, and the form of a request add.
    """

    def __init__(self, direction: NDArray[np.float32], weights: NDArray[np.float32]) -> None:
        self._direction = direction
        self._constant, self._likeness, self._request = (float(weight) for weight in weights)

    @classmethod
    def load(cls, name: str) -> FittedGate:
        """The gate of an embedding model."""
        file = resources.files("omoide.models") / "gates" / f"{name}.npz"
        with resources.as_file(file) as path, np.load(path) as kept:
            return cls(kept["direction"], kept["weights"])

    def __call__(self, query: NDArray[np.float32], *, likeness: float, request: bool) -> float:
        """Log-odds, from 0 up that the message is worth a look at memory."""
        return (
            float(self._direction @ query)
            + self._constant
            + self._likeness * likeness
            + self._request * float(request)
        )
