"""Pruning by the calendar: what is hardly retained any more fades, softly (H15, H16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain import decay
from omoide.domain.decay import Forgetting
from omoide.domain.model import Kind, Status

if TYPE_CHECKING:
    from omoide.domain.records import Strength
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

_DAY = 86_400_000_000
_LASTING = (Kind.WORLD, Kind.GUIDANCE, Kind.PLAN, Kind.DIARY)
"""Kinds that no calendar prunes: what is always so, how to behave, what is still to come, a life."""

_NEVER = (0, -1)
"""Recalls, and the time of the last one, of what was never recalled."""


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
        return [
            found.id
            for found in unit.memories.strengths(numbers)
            if not (found.pinned or found.kind in _LASTING)
            and _retained(found, *rehearsed.get(found.id, _NEVER), now=unit.now) < decay.FORGET_BELOW
        ]


def _retained(found: Strength, recalls: int, last: int, *, now: int) -> float:
    return decay.retention(
        (now - max(found.recorded_at, last)) / _DAY,
        importance=found.importance,
        confirmed=found.confirmed,
        recalls=recalls,
    )
