"""Plans of one scope: whose, by when, on what condition, and where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, bindparam, select

from omoide.domain.instants import from_micros, to_micros, zone_name
from omoide.domain.model import Plan, PlanState, Status
from omoide.domain.partial_date import Precision
from omoide.domain.plans import AFTER, BEFORE, LONGEST, distance
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed, insert_rows
from omoide.stores.tables import memories, memory_scopes, plans

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import BindParameter, Connection

    from omoide.domain.records import PlanDraft
    from omoide.stores.scopes import ScopeRow

_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_PLANS = Fixed(
    select(
        plans.c.memory_id,
        memories.c.uid,
        plans.c.person_id,
        plans.c.due,
        plans.c.due_zone,
        plans.c.day_precision,
        plans.c.condition_sealed,
        plans.c.state,
    )
    .join(memories, memories.c.id == plans.c.memory_id)
    .where(plans.c.memory_id.in_(_NUMBERS))
)
_OPEN_PLANS = (
    select(plans.c.memory_id)
    .join(memories, memories.c.id == plans.c.memory_id)
    .join(memory_scopes, memory_scopes.c.memory_id == plans.c.memory_id)
    .where(
        memory_scopes.c.scope_id == bindparam("scope"),
        memories.c.status == Status.CONFIRMED.value,
        plans.c.state == PlanState.OPEN.value,
    )
)
_ALL_OPEN = Fixed(_OPEN_PLANS.order_by(plans.c.due, plans.c.memory_id))
_DUE = Fixed(
    _OPEN_PLANS.add_columns(plans.c.due, plans.c.day_precision).where(
        plans.c.due >= bindparam("since", type_=BigInteger()),
        plans.c.due <= bindparam("until", type_=BigInteger()),
    )
)


class Plans:
    """Reads and writes one scope's plans, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def add(self, drafts: Mapping[int, tuple[bytes, PlanDraft]]) -> None:
        """Write plans, by the number of their memory, each with its memory's id."""
        seal = self._scope.sealer.seal_text
        rows: list[dict[str, Any]] = [
            {
                "tenant": self._scope.tenant,
                "memory_id": number,
                "person_id": draft.person,
                "due": None if draft.due is None else to_micros(draft.due),
                "due_zone": None if draft.due is None else zone_name(draft.due),
                "day_precision": None if draft.precision is None else draft.precision.value,
                "condition_sealed": seal(draft.condition, row=uid + b"condition")
                if draft.condition
                else None,
                "state": draft.state.value,
            }
            for number, (uid, draft) in drafts.items()
        ]
        insert_rows(self._connection, plans, rows)

    def of(self, numbers: Sequence[int], *, names: Mapping[int, str]) -> dict[int, Plan]:
        """The plans of these memories, with whose they are by name."""
        found = {}
        opened = self._scope.sealer.open_text
        for chunk in chunks(numbers):
            for number, uid, person, due, zone, precision, sealed, state in _PLANS.run(
                self._connection, {"numbers": list(chunk)}
            ):
                found[number] = Plan(
                    who=names.get(person, ""),
                    due=None if due is None else from_micros(due, zone),
                    precision=None if precision is None else Precision(precision),
                    condition=None if sealed is None else opened(sealed, row=uid + b"condition"),
                    state=PlanState(state),
                )
        return found

    def open_ones(self) -> list[int]:
        """Numbers of the plans that are open, those without a day first, then by day."""
        rows = _ALL_OPEN.run(self._connection, {"scope": self._scope.id})
        return [number for (number,) in rows]

    def due(self, since: int, until: int) -> list[int]:
        """Numbers of the open plans whose day begins from one moment on and before another."""
        values = {"scope": self._scope.id, "since": since, "until": until - 1}
        return [number for number, _, _ in _DUE.run(self._connection, values)]

    def near(self, now: int) -> list[int]:
        """Numbers of the open plans whose day is near a moment, the nearest first."""
        values = {"scope": self._scope.id, "since": now - LONGEST - AFTER, "until": now + BEFORE}
        found = [
            (away, number)
            for number, due, precision in _DUE.run(self._connection, values)
            if (away := distance(due, Precision(precision), now=now)) is not None
        ]
        return [number for _, number in sorted(found)]
