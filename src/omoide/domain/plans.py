"""Plans near their day come to mind by themselves: before it, on it, and just after ("how did it go?")."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from omoide.domain.loose_times import last_day
from omoide.domain.model import PlanState
from omoide.domain.partial_date import Precision

if TYPE_CHECKING:
    from datetime import datetime

    from omoide.domain.model import Plan

_DAY = 86_400_000_000

BEFORE = 3 * _DAY
"""Microseconds before its day from which a plan comes to mind."""

AFTER = 2 * _DAY
"""Microseconds after its day until which it does."""

LONGEST = 7 * _DAY
"""How long the day of a plan lasts at most, for this: a month is not on everybody's mind until its end."""

_LASTS = {Precision.MINUTE: 0, Precision.DAY: _DAY}


def distance(due: int, precision: Precision, *, now: int) -> int | None:
    """How far a plan's day is from a moment, in microseconds; None where it is not near.

    Args:
        due: when the day begins.
        precision: how exactly it is known; a week, month, season or year counts by its first days.
        now: the moment.
    """
    lasts = _LASTS.get(precision, LONGEST)
    if not due - BEFORE <= now < due + lasts + AFTER:
        return None
    return max(due - now, now - due - lasts, 0)


def passed(plan: Plan, *, now: datetime) -> bool:
    """Whether a plan's day is past, and nobody has said what became of it for as long as one would ask.

    What becomes of it nobody knows; it is not to be spoken of as if it were still to come.
    """
    if plan.state is not PlanState.OPEN or plan.due is None or plan.precision is None:
        return False
    due = plan.due.astimezone(now.tzinfo)
    return now.date() > last_day(due.date(), plan.precision) + timedelta(microseconds=AFTER)


def as_of(plan: Plan, *, now: datetime) -> Plan:
    """A plan as it stands at a moment: one that is open, and whose day is past, has lapsed."""
    return replace(plan, state=PlanState.LAPSED) if passed(plan, now=now) else plan
