"""Time of what is measured: as waited for, and of the processor, which other programs disturb less."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

Took = tuple[float, float]
"""Milliseconds as waited for, and of this process's CPU."""


class Timed:
    """Adds what stands in it to a list of times."""

    __slots__ = ("_began", "_idle", "_times")

    def __init__(self, times: list[Took]) -> None:
        self._times = times

    def __enter__(self) -> None:
        self._began, self._idle = time.perf_counter(), time.process_time()

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        took = (time.perf_counter() - self._began) * 1_000, (time.process_time() - self._idle) * 1_000
        if failed is None:
            self._times.append(took)


def spread(times: Sequence[Took]) -> dict[str, float]:
    """Median and 95th percentile as waited for, and the mean of the CPU."""
    waited = [wall for wall, _ in times]
    return {
        "p50": statistics.median(waited),
        "p95": float(np.percentile(waited, 95)),
        "cpu": statistics.fmean(cpu for _, cpu in times),
    }
