"""Where the time of one recall goes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Watch:
    """Milliseconds by phase."""

    spent: dict[str, float] = field(default_factory=dict)
    _last: float = field(default_factory=time.perf_counter)

    def lap(self, phase: str) -> None:
        """Count the time since the lap before towards a phase."""
        now = time.perf_counter()
        self.spent[phase] = self.spent.get(phase, 0.0) + (now - self._last) * 1000
        self._last = now
