"""Vectors in time for a recall, and all others after it: an embedder that fails or is slow costs no reply."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

from omoide.domain.circuit import Circuit
from omoide.errors import EmbedderError, OmoideError, UnknownScope
from omoide.recall.prepared import FRESH
from omoide.retain.embed import DocumentEmbedder, Unhurried, Vectoriser, embeddable
from omoide.retain.pace import Pace

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from omoide.retain.embed import Run
    from omoide.stores.index.block import Block
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

_log = logging.getLogger("omoide")

_SOON: Final = 0.25
"""Seconds after which vectors are written that nobody asked for: a burst of messages is written together."""

_FRESH_WITHIN: Final = 0.5
"""The part of the time for a question's vector after which a recall goes on without those of new memories."""

_BY_WORDS = "recalled by words alone"


class Embedder(DocumentEmbedder, Protocol):
    """Turns memories and queries into vectors of one space."""

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """A vector of shape (dimensions,), L2-normalised; raises `EmbedderError`."""

    async def aclose(self) -> None:
        """Let go of what it holds."""


class Meaning:
    """Has questions embedded at once, and memories when nobody asks.

    Args:
        store: where memories lack vectors.
        embedder: makes them; None where there is none.
        seconds: how long a question waits for the embedder, whose failing is counted then.
        run: runs a blocking function off the event loop.
        closing: is set when nothing more is begun.
        host: has the same embedder, on another store.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        *,
        seconds: float,
        run: Run,
        closing: asyncio.Event,
        host: Meaning | None = None,
    ) -> None:
        self.circuit: Circuit = (
            Circuit("the embedder", clock=time.monotonic) if host is None else host.circuit
        )
        self.pace: Pace = Pace() if host is None else host.pace
        self.embedder = embedder
        self.unhurried = None if embedder is None else Unhurried(embedder, self.pace)
        self.vectoriser = Vectoriser(store, embedder, self.pace)
        self._seconds = seconds
        self._run = run
        self._closing = closing
        self._tasks: dict[bytes, asyncio.Task[None]] = {}
        self._quiet = asyncio.Lock()
        self._late: set[asyncio.Task[str | None]] = set()

    @property
    def tasks(self) -> set[asyncio.Task[None] | asyncio.Task[str | None]]:
        """What is under way in the background."""
        return {*self._tasks.values(), *self._late}

    async def embedded(
        self, scope: ScopeRow, asked: str, unembedded: Mapping[int, str], *, within: float | None = None
    ) -> tuple[NDArray[np.float32] | None, Block | None, tuple[str, ...]]:
        """The vectors of what is asked, and of the memories that have none yet.

        Args:
            scope: whose memories.
            asked: what is looked for.
            unembedded: the words of memories without a vector, by number.
            within: seconds that the caller waits. Time that runs out is no failure of the embedder's then:
                it goes on, and what it makes is at hand for the next question.

        Returns:
            The vector of what is asked; those of the memories; and what did not work.
        """
        if self.embedder is None:
            return None, None, ()
        if not self.circuit.may_try():
            return None, None, (f"{self.circuit.trouble}; {_BY_WORDS}",)
        begun = time.monotonic()
        limit = self._seconds if within is None else min(within, self._seconds)
        with self.pace.asking():
            try:
                async with asyncio.timeout(limit):
                    vector = await self.embedder.embed_query(embeddable(asked))
            except (EmbedderError, TimeoutError) as error:
                trouble = _trouble(error, limit)
                if limit >= self._seconds or not isinstance(error, TimeoutError):
                    self._failed(trouble)
                return None, None, (f"{trouble}; {_BY_WORDS}",)
            if not unembedded:
                self.circuit.succeeded()
                return vector, None, ()
            left = min(limit * _FRESH_WITHIN, limit - (time.monotonic() - begun))
            told = await self._fresh(scope, unembedded, within=left)
        fresh = self.vectoriser.made(scope, unembedded)
        return vector, fresh, () if told is None else (f"{told}; what is new was {_BY_WORDS}",)

    def soon(self, scope: ScopeRow, *, fresh_only: bool = False) -> None:
        """Make the vectors of a scope that are missing, or only the newest, after the caller has gone on."""
        running = self._tasks.get(scope.uid)
        if self.embedder is None or self.circuit.rests or (running is not None and not running.done()):
            return
        if self._closing.is_set():
            return  # nobody would wait for it; they are made another time
        self._tasks[scope.uid] = asyncio.create_task(self._quietly(scope, fresh_only=fresh_only))

    async def some(self, scope: ScopeRow, *, limit: int) -> int:
        """Make vectors that are missing; returns how many were made.

        Raises:
            EmbedderError: they cannot be made now.
        """
        return await self.vectoriser.some(scope, limit=limit, run=self._run)

    async def _fresh(self, scope: ScopeRow, unembedded: Mapping[int, str], *, within: float) -> str | None:
        """Make vectors of new memories, and wait a while for them; what is wrong, if anything."""
        making = asyncio.create_task(self._make(scope, unembedded))
        self._late.add(making)
        making.add_done_callback(self._late.discard)
        await asyncio.wait({making}, timeout=max(within, 0.0))
        if not making.done():
            return None  # they are at hand for the next question
        if making.result() is None:
            self.circuit.succeeded()
        return making.result()

    async def _make(self, scope: ScopeRow, unembedded: Mapping[int, str]) -> str | None:
        try:
            async with asyncio.timeout(self._seconds):
                await self.vectoriser.at_once(scope, unembedded)
        except (EmbedderError, TimeoutError) as error:
            trouble = _trouble(error, self._seconds)
            self._failed(trouble)
            return trouble
        self.soon(scope, fresh_only=True)
        return None

    async def _quietly(self, scope: ScopeRow, *, fresh_only: bool) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), _SOON)
        if not self._closing.is_set():
            await self.pace.lull()
        try:
            more = True
            while more:
                async with self._quiet:  # so that who writes meanwhile waits for one of them at most
                    more = bool(await self.some(scope, limit=FRESH)) and not fresh_only
        except UnknownScope:
            self.vectoriser.forget(scope)
        except OmoideError as error:
            # They stay to be made, and the next recall or `omoide doctor` tells.
            _log.warning("vectors wait: %s", error)

    def _failed(self, trouble: str) -> None:
        """Count a failure; where the embedder is left alone then, nothing waits for it in the background."""
        self.circuit.failed(trouble)
        if self.circuit.rests:
            for task in self._tasks.values():
                task.cancel()


def _trouble(error: EmbedderError | TimeoutError, seconds: float) -> str:
    if isinstance(error, TimeoutError):
        return f"the embedder took more than {seconds:g} seconds"
    return str(error)
