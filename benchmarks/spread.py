"""How measured times are spread."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """Milliseconds: the median, and what 95 and 99 of 100 stay below."""

    p50: float
    p95: float
    p99: float

    @classmethod
    def of(cls, took: Sequence[float], *, less: float = 0.0) -> Spread:
        """The spread of some milliseconds, each less a number of them; of none, no numbers."""
        if not took:
            return cls(p50=math.nan, p95=math.nan, p99=math.nan)
        p50, p95, p99 = (round(float(one) - less, 2) for one in np.percentile(took, (50, 95, 99)))
        return cls(p50=p50, p95=p95, p99=p99)
