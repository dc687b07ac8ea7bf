"""Whatever an embedder raises or gives, what comes of it is a sound vector or an error of ours (F16)."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from omoide.errors import EmbedderError, EmbedderFailed, EmbedderMismatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omoide.domain.embedding import EmbeddingIdentity, Thresholds
    from omoide.meaning import Embedder
    from omoide.models.vectors import FloatArray


class CheckedEmbedder:
    """Sees that an embedder, which may be the caller's own, keeps to what is asked of one.

    Args:
        embedder: does the work, and is closed with this one.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def identity(self) -> EmbeddingIdentity:
        """That of the wrapped embedder."""
        return self._embedder.identity

    @property
    def thresholds(self) -> Thresholds:
        """Those of the wrapped embedder."""
        return self._embedder.thresholds

    async def embed_query(self, text: str) -> FloatArray:
        """A vector of shape (dimensions,), all of it numbers; raises `EmbedderError`, whatever is wrong."""
        with _error_of_ours():
            vector = await self._embedder.embed_query(text)
            self._check(vector[None], count=1)
            return vector

    async def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """The same of shape (n, dimensions), for what is kept."""
        with _error_of_ours():
            vectors = await self._embedder.embed_documents(texts)
            self._check(vectors, count=len(texts))
            return vectors

    async def aclose(self) -> None:
        """Close the wrapped embedder."""
        await self._embedder.aclose()

    def _check(self, vectors: FloatArray, *, count: int) -> None:
        """See that vectors are what the identity says, before anything is kept or compared (pains F11, F93).

        Raises:
            EmbedderMismatch: another number of vectors, or of dimensions.
            EmbedderFailed: NaN or infinite numbers.
        """
        expected = (count, self.identity.dimensions)
        if vectors.shape != expected:
            msg = f"the embedder gave vectors of shape {vectors.shape!r}, not {expected!r}; see its model"
            raise EmbedderMismatch(msg)
        if not np.isfinite(vectors).all():
            msg = f"the embedder gave NaN or infinite numbers among {count!r} vectors; see its model"
            raise EmbedderFailed(msg)


@contextmanager
def _error_of_ours() -> Iterator[None]:
    """Turn an error into one of ours that holds no words of users."""
    try:
        yield
    except EmbedderError:
        raise
    except Exception as error:
        msg = f"the embedder failed with {type(error).__name__}"
        raise EmbedderFailed(msg) from error
