"""How often a key may ask for a user: a bucket of tokens each, which fills evenly."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from fastapi import HTTPException

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST: Final = 10_000
"""Buckets that are kept; the one that was used longest ago goes first, and begins full again."""


class Limits:
    """Requests a minute, of each key and user.

    A minute's worth may come at once; then one comes free every 60 / `per_minute` seconds.

    Args:
        per_minute: how many; 0 for no limit.
        clock: seconds that never go back.
    """

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = per_minute
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str | None], tuple[float, float]] = OrderedDict()

    def take(self, key: str, user: str | None) -> None:
        """Count one request of a key, by its label, for a user.

        Raises:
            HTTPException: 429, too many; its header says after how many seconds the next one may come.
        """
        if not self._most:
            return
        now = self._clock()
        left, since = self._buckets.pop((key, user), (float(self._most), now))
        left = min(self._most, left + (now - since) * self._most / 60)
        refused = left < 1
        self._buckets[key, user] = left - (not refused), now
        if len(self._buckets) > _MOST:
            self._buckets.popitem(last=False)
        if refused:
            wait = math.ceil((1 - left) * 60 / self._most)
            raise HTTPException(
                status_code=429,
                detail=f"{self._most} requests a minute at most (requests_per_minute); wait {wait} s",
                headers={"Retry-After": str(wait)},
            )
