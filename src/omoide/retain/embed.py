"""Vectors for what has none yet. Text is the truth; vectors can be made again at any time (P6, ruling 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from omoide.errors import EmbedderFailed, EmbedderMismatch
from omoide.retain.episodes import indexed_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from omoide.domain.embedding import EmbeddingIdentity
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

T = TypeVar("T")

_AN_END = 800
"""Characters at either end of a very long text."""


class DocumentEmbedder(Protocol):
    """Turns memories into vectors."""

    @property
    def identity(self) -> EmbeddingIdentity:
        """The space."""

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (n, dimensions), L2-normalised; raises `EmbedderError`."""


def check_vectors(matrix: NDArray[np.float32], *, count: int, dimensions: int) -> None:
    """See that an embedder gave what its identity says, before anything is kept or compared (pains F11, F93).

    Raises:
        EmbedderMismatch: another number of vectors, or of dimensions.
        EmbedderFailed: NaN or infinite numbers.
    """
    if matrix.shape != (count, dimensions):
        msg = (
            f"the embedder gave vectors of shape {matrix.shape!r}, not {(count, dimensions)!r}; see its model"
        )
        raise EmbedderMismatch(msg)
    if not np.isfinite(matrix).all():
        msg = f"the embedder gave NaN or infinite numbers among {count!r} vectors; see its model"
        raise EmbedderFailed(msg)


class Run(Protocol):
    """Runs a blocking function off the event loop."""

    async def __call__(self, function: Callable[[], T], /) -> T:
        """What the function returns."""


def embeddable(text: str) -> str:
    """What of a text is embedded: all of it, or the beginning and the end of a very long one (pains F38).

    People say what they think of what they paste before or after it, and a vector of a whole novel is like
    nothing in particular. Its words are found all the same.
    """
    if len(text) <= 2 * _AN_END:
        return text
    return f"{text[:_AN_END]}\n{text[-_AN_END:]}"


class Vectoriser:
    """Makes the vectors that are missing, newest memories first."""

    def __init__(self, store: Store, embedder: DocumentEmbedder | None) -> None:
        self._store = store
        self._embedder = embedder

    async def some(self, scope: ScopeRow, *, limit: int, run: Run) -> int:
        """Make up to `limit` vectors of one scope.

        Returns:
            How many were made; 0 when nothing is missing, or when there is no embedder.

        Raises:
            EmbedderError: the embedder cannot make them now; they stay to be made.
        """
        if self._embedder is None:
            return 0
        texts = await run(lambda: self._missing(scope, limit))
        if not texts:
            return 0
        matrix = await self._embedder.embed_documents(list(texts.values()))
        check_vectors(matrix, count=len(texts), dimensions=self._embedder.identity.dimensions)
        await run(lambda: self._put(scope, list(texts), matrix))
        return len(texts)

    def _missing(self, scope: ScopeRow, limit: int) -> dict[int, str]:
        if self._store.embedding is None:
            return {}
        with self._store.read(scope) as unit:
            numbers = unit.pending.without_vector(self._store.embedding, limit=limit)
            texts = indexed_texts(self._store, unit, numbers)
            return {number: embeddable(text) for number, text in texts.items()}

    def _put(self, scope: ScopeRow, numbers: Sequence[int], matrix: NDArray[np.float32]) -> None:
        identity = self._store.embedding
        if identity is None:
            return
        with self._store.write(scope) as unit:
            # What was forgotten while the embedder worked gets no vector.
            still = set(unit.pending.lacking(numbers, identity))
            places = [place for place, number in enumerate(numbers) if number in still]
            if places:
                kept = [numbers[place] for place in places]
                unit.vectors(identity).put(kept, matrix[places], change=unit.change())
                unit.pending.embedded(kept, identity, change=None)
