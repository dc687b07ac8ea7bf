"""Questions first: what waits to be embedded goes in small batches, between those who wait for an answer.

Most embedders do one thing at a time. One batch of long texts may take a model on a processor seconds, and
whoever asks meanwhile would wait for all of it.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

SMALL: Final = 400
"""Characters of a batch while people ask: about a tenth of a second for a small model on two cores."""

LARGE: Final = 4_000
"""Characters of a batch when nobody has asked for a while, as in a program that only imports."""

MOST: Final = 32
"""Texts of a batch."""

_CALM: Final = 10.0
"""Seconds without a question after which batches are large."""

_PATIENCE: Final = 1.0
"""Seconds that a batch gives way at most, so that a crowd of questions does not stop the rest for good."""

_LULL: Final = 0.05
"""Seconds without a question after which the next one is not expected at once."""


class Pace:
    """Knows who asks, and lets a batch begin when nobody does; one at a time, over all scopes.

    Args:
        clock: seconds that never go back.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._asking = 0
        self._asked = -_CALM
        self._nobody = asyncio.Event()
        self._nobody.set()
        self._batch = asyncio.Lock()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """While somebody waits for what is embedded."""
        self._asking += 1
        self._nobody.clear()
        try:
            yield
        finally:
            self._asking -= 1
            self._asked = self._clock()
            if not self._asking:
                self._nobody.set()

    @asynccontextmanager
    async def batch(self) -> AsyncIterator[int]:
        """Wait for the turn of a batch, and hold it; gives the characters that it may have."""
        async with self._batch:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._nobody.wait(), _PATIENCE)
            calm = not self._asking and self._clock() - self._asked >= _CALM
            yield LARGE if calm else SMALL

    async def lull(self) -> None:
        """Wait until nobody has asked for a moment, but no longer than a batch gives way.

        Work that nobody waits for would hold up whoever asks by several times what a recall takes.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while self._asking or self._clock() - self._asked < _LULL:
                    await self._nobody.wait()
                    await asyncio.sleep(_LULL)


def first(texts: Sequence[str], *, characters: int) -> list[str]:
    """The next batch: the first texts that together have so many characters, but one at least."""
    size = 0
    for count, text in enumerate(texts[:MOST]):
        size += len(text)
        if size > characters:
            return list(texts[: max(count, 1)])
    return list(texts[:MOST])
