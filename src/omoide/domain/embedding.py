"""What names an embedding space, so that vectors of two spaces are never mixed."""

from __future__ import annotations

import json
from dataclasses import dataclass


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Thresholds:
    """Similarities that mean something, which hold for one embedding space only (H12, H13, ruling 35).

    Attributes:
        same: from this cosine on, two memories say the same.
        relevant: from this cosine on, a memory bears on a query.
    """

    same: float = 0.92
    relevant: float = 0.70
