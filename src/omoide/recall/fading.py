"""How much each memory has faded, worked out only for the rows that are asked for (H9, P10, ruling 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from omoide.domain import decay
from omoide.domain.decay import Forgetting
from omoide.domain.model import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from omoide.stores.index.scope_index import Snapshot

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]
    BoolArray = NDArray[np.bool_]

_DAY = 86_400_000_000
_WORLD = tuple(Kind).index(Kind.WORLD)
_NEVER = (0, -1)


class Rehearsed(Protocol):
    """Looks up how often memories were recalled into a chat, and when last, by number."""

    def __call__(self, numbers: Sequence[int], /) -> Mapping[int, tuple[int, int]]:
        """Those of these memories that were recalled at all."""


class Fading:
    """Factors of fading, from 0 to 1, of the rows of one recall.

    Args:
        snapshot: the scope's index.
        forgetting: how memories fade.
        now: microseconds since 1970, the moment asked about.
        rehearsed: looks up how often memories were recalled into a chat.
    """

    def __init__(self, snapshot: Snapshot, forgetting: Forgetting, *, now: int, rehearsed: Rehearsed) -> None:
        self._rows = snapshot.rows
        self._said = snapshot.said
        self._forgetting = forgetting
        self._now = now
        self._rehearsed = rehearsed
        self._factors: dict[int, float] = {}

    def retained(self) -> BoolArray | None:
        """Which rows a search still finds; None for all, unless memories fade by the calendar (H9)."""
        if self._forgetting is not Forgetting.CALENDAR:
            return None
        return np.asarray(self._worked_out(slice(None)) >= decay.RECALL_FROM)

    def of(self, rows: IntArray) -> FloatArray:
        """1 for what has not faded."""
        if self._forgetting is Forgetting.NONE:
            return np.ones(len(rows), dtype=np.float32)
        wanted, known = rows.tolist(), self._factors
        new = [row for row in wanted if row not in known]
        if new:
            known.update(zip(new, self._worked_out(np.array(new)).tolist(), strict=True))
        return np.array([known[row] for row in wanted], dtype=np.float32)

    def _worked_out(self, rows: IntArray | slice) -> FloatArray:
        recalls, last = self._rehearsals(self._rows["number"][rows].tolist())
        if self._forgetting is Forgetting.CALENDAR:
            factors = self._by_calendar(rows, recalls, last)
        else:
            factors = self._by_talk(rows, recalls)
        kept = self._rows["pinned"][rows] | (self._rows["kind"][rows] == _WORLD)
        return np.where(kept, np.float32(1.0), factors.astype(np.float32))

    def _rehearsals(self, numbers: Sequence[int]) -> tuple[IntArray, IntArray]:
        found = self._rehearsed(numbers)
        table = np.array([found.get(number, _NEVER) for number in numbers], dtype=np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]

    def _by_calendar(self, rows: IntArray | slice, recalls: IntArray, last: IntArray) -> NDArray[np.float64]:
        """`decay.retention` of many rows at once."""
        days = (self._now - np.maximum(self._rows["recorded_at"][rows], last)) / _DAY
        strength = 1.0 + self._rows["importance"][rows] + 2.0 * (self._rows["confirmed"][rows] + recalls)
        return np.asarray(np.exp(-np.maximum(days, 0.0) / strength))

    def _by_talk(self, rows: IntArray | slice, recalls: IntArray) -> NDArray[np.float64]:
        later = len(self._said) - self._said.searchsorted(self._rows["position"][rows], side="right")
        distances = (later / decay.MESSAGES_PER_STEP).tolist()
        how = zip(distances, self._rows["confirmed"][rows].tolist(), recalls.tolist(), strict=True)
        factors = [
            decay.conversation_factor(far, confirmed=often, recalls=again) for far, often, again in how
        ]
        return np.array(factors)
