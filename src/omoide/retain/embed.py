"""Vectors for what has none yet. Text is the truth; vectors can be made again at any time (P6, ruling 2)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from omoide.domain.links import LinkKind
from omoide.errors import EmbedderFailed, EmbedderMismatch
from omoide.retain.episodes import indexed_texts
from omoide.retain.links import similar
from omoide.stores.refresh import state_of
from omoide.stores.vectors import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from omoide.domain.embedding import EmbeddingIdentity, Thresholds
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

T = TypeVar("T")

_AN_END = 800
"""Characters at either end of a very long text."""


class DocumentEmbedder(Protocol):
    """Turns memories into vectors."""

    @property
    def identity(self) -> EmbeddingIdentity:
        """The space."""

    @property
    def thresholds(self) -> Thresholds:
        """Similarities that mean something in it."""

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
    """Makes the vectors that are missing, newest memories first.

    Those that a recall waits for are used at once and written later, together: the memories stay listed as
    lacking one until then, so a crash costs no more than to make them again.
    """

    def __init__(self, store: Store, embedder: DocumentEmbedder | None) -> None:
        self._store = store
        self._embedder = embedder
        self._turns: dict[bytes, asyncio.Lock] = {}
        self._unwritten: dict[bytes, dict[str, NDArray[np.float32]]] = {}  # of each scope, by text

    def missing(self, scope: ScopeRow, *, limit: int) -> dict[int, str]:
        """What is embedded of the newest memories without a vector, by number; it blocks.

        Raises:
            UnknownScope: the scope was erased meanwhile.
        """
        if self._store.embedding is None:
            return {}
        with self._store.read(scope) as unit:
            return self._words(unit, unit.pending.without_vector(self._store.embedding, limit=limit))

    def words(self, scope: ScopeRow, numbers: Sequence[int]) -> dict[int, str]:
        """What is embedded of memories, by number, as `missing` gives it."""
        with self._store.read(scope) as unit:
            return self._words(unit, numbers)

    async def some(self, scope: ScopeRow, *, limit: int, run: Run) -> int:
        """Make and write up to `limit` vectors of one scope.

        Returns:
            How many were written; 0 when nothing is missing, or when there is no embedder.

        Raises:
            EmbedderError: the embedder cannot make them now; they stay to be made.
        """
        embedder = self._embedder
        if embedder is None:
            return 0
        async with self._turn(scope):
            texts = await run(lambda: self.missing(scope, limit=limit))
            made = self._unwritten.pop(scope.uid, {})
            if not texts:
                return 0
            block = Block(np.array(list(texts)), await _vectors(embedder, list(texts.values()), made))
            await run(lambda: self._put(scope, block))
            return len(texts)

    async def at_once(self, scope: ScopeRow, texts: Mapping[int, str], *, run: Run) -> Block | None:
        """Make vectors of what `missing` or `words` gave, to be compared before `some` writes them.

        Returns:
            None where they have come meanwhile.

        Raises:
            EmbedderError: the embedder cannot make them now.
        """
        embedder, turn = self._embedder, self._turn(scope)
        busy = turn.locked()
        async with turn:
            made = self._unwritten.setdefault(scope.uid, {})
            if busy and not made.keys() >= set(texts.values()):  # somebody else was making and writing them
                texts = await run(lambda: self.missing(scope, limit=len(texts)))
            if embedder is None or not texts:
                return None
            matrix = await _vectors(embedder, list(texts.values()), made)
            made.update(zip(texts.values(), matrix, strict=True))
            return Block(np.array(list(texts)), matrix)

    def forget(self, scope: ScopeRow) -> None:
        """Drop what was not written yet of a scope that is gone."""
        self._unwritten.pop(scope.uid, None)

    def _words(self, unit: Unit, numbers: Sequence[int]) -> dict[int, str]:
        state_of(unit)  # raises if the scope is gone, whose number another one may have by now
        texts = indexed_texts(self._store, unit, numbers)
        return {number: embeddable(text) for number, text in texts.items()}

    def _turn(self, scope: ScopeRow) -> asyncio.Lock:
        """One at a time for each scope, so that nothing is embedded twice."""
        return self._turns.setdefault(scope.uid, asyncio.Lock())

    def _put(self, scope: ScopeRow, block: Block) -> None:
        identity = self._store.embedding
        if identity is None:
            return
        numbers = block.members.tolist()
        with self._store.write(scope) as unit:
            state_of(unit)
            # What was forgotten while the embedder worked gets no vector.
            still = set(unit.pending.lacking(numbers, identity))
            places = [place for place, number in enumerate(numbers) if number in still]
            if places:
                kept = [numbers[place] for place in places]
                unit.vectors(identity).put(kept, block.vectors[places], change=unit.change())
                unit.pending.embedded(kept, identity, change=None)
        if places and self._embedder is not None:
            tied = Block(block.members[places], block.vectors[places])
            self._tie(scope, tied, self._embedder.thresholds)

    def _tie(self, scope: ScopeRow, block: Block, thresholds: Thresholds) -> None:
        """Let memories lead to earlier ones that say something similar."""
        with self._store.recalling(scope) as now:
            found = similar(now, block, thresholds=thresholds)
        if found:
            with self._store.write(scope) as unit:
                state_of(unit)
                unit.links.replace(found, LinkKind.SIMILAR)


async def _vectors(
    embedder: DocumentEmbedder, texts: Sequence[str], made: Mapping[str, NDArray[np.float32]]
) -> NDArray[np.float32]:
    """The vectors of texts, some of which may be made already."""
    new = [text for text in texts if text not in made]
    if not new:
        return np.stack([made[text] for text in texts])
    matrix = await embedder.embed_documents(new)
    check_vectors(matrix, count=len(new), dimensions=embedder.identity.dimensions)
    if len(new) == len(texts):
        return matrix
    known = {**made, **dict(zip(new, matrix, strict=True))}
    return np.stack([known[text] for text in texts])
