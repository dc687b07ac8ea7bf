"""Whose turn it is to write to a file: the writers of a process come one by one, before its own lock."""

from __future__ import annotations

import threading
import time
from typing import Final

_LOOK: Final = 0.1
"""Seconds after which somebody whose time is over looks again whether a writer of this process is done."""

_SOON: Final = 0.9
"""Seconds in which who asks for the file should have it."""


class Turn:
    """Lets the writers of a process write one after another.

    The next one goes on at once: SQLite would have them look again at longer and longer intervals. A writer
    of this process is waited for as long as it writes. For another process all wait equally long, each from
    when it came: where they would wait one behind the other, the fourth would wait four times as long.

    Args:
        wait: seconds that each waits for another process at most.
    """

    def __init__(self, *, wait: float) -> None:
        self._lock = threading.Lock()
        self._wait = wait
        self._asking: float | None = None
        self._left = 0.0

    def take(self, *, queued: float = 0.0) -> float | None:
        """Wait for the turn, after which one has to `leave`.

        Args:
            queued: seconds that one has waited already, before one could ask.

        Returns:
            The seconds that are left for the file's lock; None where the turn did not come in time.
        """
        came = time.monotonic() - queued
        while not self._lock.acquire(timeout=max(self._until(came) - time.monotonic(), _LOOK)):
            if self._asking is not None and time.monotonic() >= self._until(came):
                return None
        now = self._asking = time.monotonic()
        return max(self._until(came) - now, 0.0)

    def begun(self) -> None:
        """The file is locked for who has the turn."""
        self._asking = None

    def leave(self) -> None:
        """Let the next one write."""
        if self._asking is None:
            self._left = time.monotonic()
        self._asking = None
        self._lock.release()

    def moves(self) -> bool:
        """Whether who asks for the file gets it within a second; true where nobody asks."""
        asking = self._asking
        while asking is not None and time.monotonic() < asking + _SOON:
            time.sleep(0.02)
            if self._asking != asking:
                return True
        return asking is None

    def _until(self, came: float) -> float:
        """When somebody has waited long enough: what a writer of this process took is no waiting."""
        return max(came, self._left) + self._wait
