"""What names an embedding space, so that vectors of two spaces are never mixed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddingIdentity:
    """The identity of an embedder: any difference means other vectors.

    Attributes:
        backend: the adapter's name, such as ``local`` or ``ollama``.
        model: the model's name as the backend knows it.
        dimensions: the length of its vectors.
        query_prefix: what stands before a query.
        document_prefix: what stands before a document.
    """

    backend: str
    model: str
    dimensions: int
    query_prefix: str = ""
    document_prefix: str = ""

    @property
    def key(self) -> str:
        """One line that is equal for equal identities only."""
        parts = (self.backend, self.model, self.dimensions, self.query_prefix, self.document_prefix)
        return json.dumps(parts, ensure_ascii=False)


class Gate(Protocol):
    """Tells from a query's vector whether the message is about somebody's own life at all."""

    def __call__(self, query: Any, /, *, likeness: float, request: bool) -> float:  # noqa: ANN401 - an array
        """Log-odds, from 0 up that the message is worth a look at memory.

        Args:
            query: the query's vector.
            likeness: the cosine of the nearest memory.
            request: whether the message has the form of a request that no memory bears on.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class Thresholds:
    """Similarities that mean something, which hold for one embedding space only (H12, H13, ruling 35).

    Attributes:
        same: from this cosine on, two memories say the same.
        relevant: from this cosine on, a memory bears on a query.
        alike: from this cosine on, two memories say something similar, so that one leads to the other.
        gate: tells whether anything can bear on a query; None where none was fitted for the space.
    """

    same: float = 0.92
    relevant: float = 0.70
    alike: float = 0.80
    gate: Gate | None = None

    @property
    def near(self) -> float:
        """From this cosine on, two memories are nearly alike: the same told of another day or number."""
        return (self.alike + self.same) / 2
