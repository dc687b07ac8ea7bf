"""An embedder that keeps its vectors in a file, so that a second run need not make them again."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from omoide.models.local import LocalEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from omoide.domain.embedding import EmbeddingIdentity, Thresholds

    FloatArray = NDArray[np.float32]


class RememberingEmbedder:
    """The local embedder, with a file of what it has embedded before; without a file it only embeds."""

    def __init__(self, path: Path | None) -> None:
        self._embedder = LocalEmbedder()
        self._path = path
        self._known: dict[str, FloatArray] = {}
        if path is not None and path.exists():
            with np.load(path) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))

    @property
    def identity(self) -> EmbeddingIdentity:
        """The local embedder's."""
        return self._embedder.identity

    @property
    def thresholds(self) -> Thresholds:
        """The local embedder's."""
        return self._embedder.thresholds

    async def embed_query(self, text: str) -> FloatArray:
        """A vector, known or made."""
        key = _key("query", text)
        if key not in self._known:
            self._known[key] = await self._embedder.embed_query(text)
        return self._known[key]

    async def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Vectors, known or made."""
        missing = [text for text in dict.fromkeys(texts) if _key("document", text) not in self._known]
        if missing:
            made = await self._embedder.embed_documents(missing)
            self._known.update((_key("document", text), row) for text, row in zip(missing, made, strict=True))
        return np.stack([self._known[_key("document", text)] for text in texts])

    async def aclose(self) -> None:
        """Let the local embedder go."""
        await self._embedder.aclose()

    def save(self) -> None:
        """Write what is known to the file."""
        if self._path is not None and self._known:
            np.savez(self._path, keys=list(self._known), vectors=np.stack(list(self._known.values())))


class Lent:
    """An embedder that several engines use: none of them may close it."""

    def __init__(self, embedder: RememberingEmbedder) -> None:
        self._embedder = embedder
        self.identity = embedder.identity
        self.thresholds = embedder.thresholds
        self.embed_query = embedder.embed_query
        self.embed_documents = embedder.embed_documents

    async def aclose(self) -> None:
        """Nothing: whoever lent it closes it."""


def _key(task: str, text: str) -> str:
    return hashlib.blake2b(f"{task}\x1f{text}".encode(), digest_size=16).hexdigest()
