"""Leaving alone what fails again and again, so that not everybody waits for it (F16, P17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Circuit:
    """Counts failures in a row, and says who may try.

    Args:
        subject: what may fail, for the reason that is given, such as ``the embedder``.
        clock: seconds that never go back.
        failures: so many in a row, and it is left alone.
        rest: seconds that it is left alone before one caller tries it again.
    """

    def __init__(
        self, subject: str, *, clock: Callable[[], float], failures: int = 3, rest: float = 30.0
    ) -> None:
        self.failures = failures
        self.rest = rest
        self._subject = subject
        self._clock = clock
        self._failed = 0
        self._rests_until = 0.0
        self._trouble = ""

    @property
    def rests(self) -> bool:
        """Whether it is left alone now."""
        return self._failed >= self.failures and self._clock() < self._rests_until

    @property
    def trouble(self) -> str:
        """Why it is left alone, in a sentence without its end."""
        return (
            f"{self._subject} failed {self.failures} times in a row and is tried again every "
            f"{self.rest:g} seconds only ({self._trouble})"
        )

    def may_try(self) -> bool:
        """Whether a caller may use it; after a rest the first one that asks, and no other."""
        if self.rests:
            return False
        if self._failed >= self.failures:
            self._rests_until = self._clock() + self.rest
        return True

    def succeeded(self) -> None:
        """It works."""
        self._failed = 0

    def failed(self, trouble: str) -> None:
        """It failed once more."""
        self._failed += 1
        self._trouble = trouble
        if self._failed >= self.failures:
            self._rests_until = self._clock() + self.rest
