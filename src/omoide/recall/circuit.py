"""Leaving an embedder alone that fails again and again, so that not every recall waits for it (F16, P17)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

FAILURES: Final = 3
"""Failures in a row from which on it is left alone."""

REST: Final = 30.0
"""Seconds that it is left alone before one recall tries it again."""


class Circuit:
    """Counts failures in a row, and says who may try.

    It stands in the engine rather than around an embedder: so it holds for embedders of the caller's own, and
    counts whatever a recall waited for in vain.

    Args:
        clock: seconds that never go back.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._rests_until = 0.0
        self._trouble = ""

    @property
    def rests(self) -> bool:
        """Whether the embedder is left alone now."""
        return self._failures >= FAILURES and self._clock() < self._rests_until

    @property
    def trouble(self) -> str:
        """Why it is left alone, in a sentence without its end."""
        return (
            f"the embedder failed {FAILURES} times in a row and is tried again every {REST:g} seconds only "
            f"({self._trouble})"
        )

    def may_try(self) -> bool:
        """Whether a recall may use the embedder; after a rest the first one that asks, and no other."""
        if self.rests:
            return False
        if self._failures >= FAILURES:
            self._rests_until = self._clock() + REST
        return True

    def succeeded(self) -> None:
        """It works."""
        self._failures = 0

    def failed(self, trouble: str) -> None:
        """It failed once more."""
        self._failures += 1
        self._trouble = trouble
        if self._failures >= FAILURES:
            self._rests_until = self._clock() + REST
