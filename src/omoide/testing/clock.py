"""A clock for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from datetime import datetime, timedelta


class FixedClock:
    """A clock that moves only when told to: ``clock()`` gives the time, as ``clock.now()`` does.

    Args:
        now: an aware time.

    Raises:
        InvalidInput: the time has no zone.
    """

    def __init__(self, now: datetime) -> None:
        if now.utcoffset() is None:
            raise InvalidInput(f"a clock needs a time with a zone, not {now!r}")
        self._now = now

    def __call__(self) -> datetime:
        """The time that it stands at."""
        return self._now

    def now(self) -> datetime:
        """The time that it stands at."""
        return self._now

    def advance(self, step: timedelta) -> None:
        """Move on by so much."""
        self._now += step
