"""The same query within a minute embeds once (H21)."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omoide.domain.embedding import EmbeddingIdentity, Thresholds
    from omoide.meaning import Embedder
    from omoide.models.vectors import FloatArray

KEPT_FOR: Final = 60.0
"""Seconds that a query's vector is kept."""

KEPT_AT_MOST: Final = 256
"""Queries; the oldest gives way."""


@dataclass(slots=True)
class _Flight:
    """A query being embedded, and how many wait for it."""

    task: asyncio.Task[FloatArray]
    waiting: int = 0


class CachedEmbedder:
    """Remembers the vectors of the last queries, by a hash of their text.

    Who asks while the same query is being embedded waits for that one answer; if one of them gives up, the
    others still get it. What nobody waits for any more is given up. A failure is not kept.

    Args:
        embedder: does the work, and is closed with this one.
        clock: seconds that never go back.
    """

    def __init__(self, embedder: Embedder, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._embedder = embedder
        self._clock = clock
        self._kept: OrderedDict[bytes, tuple[float, FloatArray]] = OrderedDict()
        self._flights: dict[bytes, _Flight] = {}

    @property
    def identity(self) -> EmbeddingIdentity:
        """That of the wrapped embedder."""
        return self._embedder.identity

    @property
    def thresholds(self) -> Thresholds:
        """Those of the wrapped embedder."""
        return self._embedder.thresholds

    async def embed_query(self, text: str) -> FloatArray:
        """Embed what is searched for, at most once a minute; the vector is the caller's own copy.

        Raises:
            EmbedderError: the wrapped embedder failed.
        """
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        made, vector = self._kept.get(key, (0.0, None))
        if vector is not None and self._clock() - made < KEPT_FOR:
            return vector.copy()
        if key not in self._flights:
            self._flights[key] = _Flight(asyncio.create_task(self._embed(key, text)))
        flight = self._flights[key]
        flight.waiting += 1
        try:
            return (await asyncio.shield(flight.task)).copy()
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                flight.task.cancel()
                del self._flights[key]

    async def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Embed what is kept; nothing of it is remembered here."""
        return await self._embedder.embed_documents(texts)

    async def aclose(self) -> None:
        """Forget everything and close the wrapped embedder."""
        flights = [flight.task for flight in self._flights.values()]
        for flight in flights:
            flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)
        self._kept.clear()
        await self._embedder.aclose()

    async def _embed(self, key: bytes, text: str) -> FloatArray:
        vector = await self._embedder.embed_query(text)
        self._keep(key, vector)
        return vector

    def _keep(self, key: bytes, vector: FloatArray) -> None:
        self._kept.pop(key, None)
        self._kept[key] = (self._clock(), vector)
        if len(self._kept) > KEPT_AT_MOST:
            self._kept.popitem(last=False)
