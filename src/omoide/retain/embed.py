"""Vectors for what has none yet. Text is the truth; vectors can be made again at any time (P6, ruling 2)."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from omoide.domain.links import LinkKind
from omoide.retain.episodes import indexed_texts
from omoide.retain.links import similar
from omoide.retain.pace import SMALL, first
from omoide.stores.index.block import Block
from omoide.stores.index.refresh import state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from omoide.domain.embedding import EmbeddingIdentity, Thresholds
    from omoide.retain.pace import Pace
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

T = TypeVar("T")

_AN_END = 800
"""Characters at either end of a very long text."""

_AT_ONCE = 2_000
"""Characters that a recall has embedded first, however many memories lack a vector."""

_WRITTEN = 256
"""Vectors that are written together."""


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


class Unhurried:
    """An embedder whose caller has time: its work goes in batches behind every question.

    Args:
        embedder: does the work.
        pace: knows who asks.
    """

    def __init__(self, embedder: DocumentEmbedder, pace: Pace) -> None:
        self._embedder = embedder
        self._pace = pace

    @property
    def identity(self) -> EmbeddingIdentity:
        """That of the embedder."""
        return self._embedder.identity

    @property
    def thresholds(self) -> Thresholds:
        """Those of the embedder."""
        return self._embedder.thresholds

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed what is kept; vectors of shape (n, dimensions); raises as the embedder does."""
        parts = [np.empty((0, self.identity.dimensions), dtype=np.float32)]
        left = list(texts)
        while left:
            async with self._pace.batch() as characters:
                batch = first(left, characters=characters)
                parts.append(await self._embedder.embed_documents(batch))
            del left[: len(batch)]
        return np.concatenate(parts)


class Vectoriser:
    """Makes the vectors that are missing, newest memories first.

    Those that a recall waits for are used at once and written later, together: the memories stay listed as
    lacking one until then, so a crash costs no more than to make them again.

    Args:
        store: where memories lack vectors.
        embedder: makes them; None where there is none.
        pace: lets recalls go first.
    """

    def __init__(self, store: Store, embedder: DocumentEmbedder | None, pace: Pace) -> None:
        self._store = store
        self._embedder = embedder
        self._pace = pace
        self._turns: dict[bytes, asyncio.Lock] = {}
        self._writers: dict[bytes, asyncio.Lock] = {}
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
        """Make and write up to `limit` vectors of one scope, behind every question.

        Returns:
            How many were written; 0 when nothing is missing, or when there is no embedder.

        Raises:
            EmbedderError: the embedder cannot make them now; they stay to be made.
        """
        written = 0
        while self._embedder is not None and written < limit:
            async with self._writers.setdefault(scope.uid, asyncio.Lock()):
                step = min(limit - written, _WRITTEN)
                count = await self._written(scope, self._embedder, limit=step, run=run)
            written += count
            if count < step:
                break
        return written

    async def _written(self, scope: ScopeRow, embedder: DocumentEmbedder, *, limit: int, run: Run) -> int:
        made = self._unwritten.setdefault(scope.uid, {})
        old = set(made)
        texts = await run(lambda: self.missing(scope, limit=limit))
        left = [text for text in texts.values() if text not in made]
        while left:
            async with self._pace.batch() as characters, self._turn(scope):
                batch = first(left, characters=characters)
                await _make(embedder, batch, made)
            del left[: len(batch)]
        if texts:
            block = Block(np.array(list(texts)), np.stack([made[text] for text in texts.values()]))
            await run(lambda: self._put(scope, block))
        for text in old.union(texts.values()):  # what else is made by now was made while this was written
            made.pop(text, None)
        return len(texts)

    async def at_once(self, scope: ScopeRow, texts: Mapping[int, str]) -> None:
        """Make vectors of what `missing` or `words` gave, before `some` writes them; see `made`.

        The newest come first, and of many long ones no more than a recall can wait for.

        Raises:
            EmbedderError: the embedder cannot make them now.
        """
        made = self._unwritten.setdefault(scope.uid, {})
        newest = [texts[number] for number in sorted(texts, reverse=True)]
        left = [text for text in _up_to(newest, characters=_AT_ONCE) if text not in made]
        while left and self._embedder is not None:
            batch = first(left, characters=SMALL)
            async with self._turn(scope):
                await _make(self._embedder, batch, made)
            del left[: len(batch)]

    def made(self, scope: ScopeRow, texts: Mapping[int, str]) -> Block | None:
        """The vectors of these that are made by now, and perhaps not written; None where there are none."""
        made = self._unwritten.get(scope.uid, {})
        known = {number: made[text] for number, text in texts.items() if text in made}
        return Block(np.array(list(known)), np.stack(list(known.values()))) if known else None

    def forget(self, scope: ScopeRow) -> None:
        """Drop what was not written yet of a scope that is gone."""
        self._unwritten.pop(scope.uid, None)

    def _words(self, unit: Unit, numbers: Sequence[int]) -> dict[int, str]:
        state_of(unit)  # raises if the scope is gone, whose number another one may have by now
        texts = indexed_texts(self._store, unit, numbers)
        return {number: embeddable(text) for number, text in texts.items()}

    def _turn(self, scope: ScopeRow) -> asyncio.Lock:
        """One batch at a time for each scope, so that nothing is embedded twice."""
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


async def _make(
    embedder: DocumentEmbedder, texts: Sequence[str], made: dict[str, NDArray[np.float32]]
) -> None:
    """Add the vectors of texts to those that are made; some may have been made while this one waited."""
    new = [text for text in dict.fromkeys(texts) if text not in made]
    if new:
        made.update(zip(new, await embedder.embed_documents(new), strict=True))


def _up_to(texts: Sequence[str], *, characters: int) -> list[str]:
    """The first texts that together have so many characters, but one at least."""
    ends = itertools.accumulate(map(len, texts))
    return [
        text
        for place, (text, end) in enumerate(zip(texts, ends, strict=True))
        if not place or end <= characters
    ]
