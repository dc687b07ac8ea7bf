"""How a user and a character stand, besides single memories: relationship, plans, feelings, what was read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from omoide.domain.affect import Felt, summary
from omoide.domain.instants import from_micros, to_micros, zone_of
from omoide.domain.model import Kind, Role
from omoide.domain.plans import as_of
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.affect import Feelings
    from omoide.domain.model import Memory, PlanState
    from omoide.stores.relationships import Version
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit
    from omoide.stores.windows import WindowReport

_DAY = 86_400_000_000
_FAR = 2**62


class StateReader:
    """Reads the state of scopes; each call blocks for one transaction.

    Args:
        store: where it is.
        zone: of users that told none.
    """

    def __init__(self, store: Store, *, zone: str) -> None:
        self._store = store
        self._zone = zone

    def relationships(self, scope: ScopeRow) -> list[Version]:
        """Every version of the relationship, newest first."""
        with self._store.read(scope) as unit:
            return unit.relationships.history()

    def plans(self, scope: ScopeRow, states: Sequence[PlanState]) -> list[Memory]:
        """Plans in these states now: those due first come first, those without a day last."""
        with self._store.read(scope) as unit:
            _, zone = unit.described()
            now = from_micros(unit.now).astimezone(zone_of(zone or self._zone))
            numbers = unit.memories.numbers(kinds=[Kind.PLAN])
            opened = unit.memories.open(numbers, names=self._store.names(unit), sessions={}, shut=set())
        plans = [
            (one.memory, as_of(one.memory.plan, now=now)) for one in opened if one.memory.plan is not None
        ]
        return sorted(
            (replace(memory, plan=plan) for memory, plan in plans if plan.state in states), key=_due
        )

    def felt(self, scope: ScopeRow, role: Role, *, days: int) -> list[Felt]:
        """What the user, or the character, felt over the last days, oldest first."""
        if days < 1:
            msg = f"feelings are looked at over 1 day or more, got days={days!r}"
            raise InvalidInput(msg)
        with self._store.read(scope) as unit:
            return self._felt(unit, role, days)

    def feelings(self, scope: ScopeRow, *, days: int) -> Feelings | None:
        """The user's feelings over the last days, summed up; None where nothing is known."""
        with self._store.read(scope) as unit:
            _, zone = unit.described()
        return summary(self.felt(scope, Role.USER, days=days), zone=zone_of(zone or self._zone))

    def windows(self, scope: ScopeRow, *, limit: int) -> list[WindowReport]:
        """The newest stretches that a model has read, is reading, or failed to read."""
        with self._store.read(scope) as unit:
            return unit.windows.reports(limit=limit)

    @staticmethod
    def _felt(unit: Unit, role: Role, days: int) -> list[Felt]:
        name = unit.scope.user if role is Role.USER else unit.scope.character
        found = [] if name is None else unit.people.find([name])
        return unit.felt.of(found[0], since=unit.now - days * _DAY, until=unit.now) if found else []


def _due(memory: Memory) -> tuple[int, str]:
    due = None if memory.plan is None else memory.plan.due
    return (_FAR if due is None else to_micros(due), memory.id)
