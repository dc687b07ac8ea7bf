"""Pruning by the calendar: what is hardly retained any more fades, softly (H15, H16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain import decay
from omoide.domain.decay import Forgetting
from omoide.domain.instants import to_micros
from omoide.domain.model import Kind, Status

if TYPE_CHECKING:
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

_DAY = 86_400_000_000
_LASTING = (Kind.WORLD, Kind.GUIDANCE, Kind.PLAN, Kind.DIARY)
"""Kinds that no calendar prunes: what is always so, how to behave, what is still to come, a life."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Faded:
    """What a cycle of forgetting did."""

    kept: int
    faded: int


class Fader:
    """Runs cycles of forgetting. A cycle changes no count and no time of recall (H16)."""

    def __init__(self, store: Store, *, forgetting: Forgetting) -> None:
        self._store = store
        self._forgetting = forgetting

    def cycle(self, scope: ScopeRow) -> Faded:
        """Let go of what is retained below 0.05; pinned memories and those of lasting kinds stay.

        Where memories do not fade by the calendar, all of them stay.
        """
        with self._store.write(scope) as unit:
            numbers = unit.memories.numbers()
            fading = self._below(unit, numbers) if self._forgetting is Forgetting.CALENDAR else []
            if fading:
                unit.memories.move(fading, Status.FADED, change=unit.change())
            return Faded(kept=len(numbers) - len(fading), faded=len(fading))

    def _below(self, unit: Unit, numbers: list[int]) -> list[int]:
        rehearsed = unit.rehearsals.counts(numbers)
        opened = unit.memories.open(numbers, names={}, sessions={}, shut=set())
        below = []
        for found in opened:
            memory = found.memory
            if memory.pinned or memory.kind in _LASTING:
                continue
            recalls, last = rehearsed.get(found.number, (0, -1))
            since = max(to_micros(memory.recorded_at), last)
            left = decay.retention(
                (unit.now - since) / _DAY,
                importance=memory.importance,
                confirmed=memory.confirmed,
                recalls=recalls,
            )
            if left < decay.FORGET_BELOW:
                below.append(found.number)
        return below
