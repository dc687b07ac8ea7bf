"""Plans near their day come to mind by themselves, whatever the message is about (design section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from omoide.domain.model import Kind
from omoide.recall.choose import Choice
from omoide.recall.result import Slot, Why

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from omoide.stores.store import Recalling

MOST = 3
"""Plans that come by themselves at most; the nearest ones."""

_PLAN = tuple(Kind).index(Kind.PLAN)
_BY_ITSELF = Why(meaning=None, words=None, decay=1.0, score=0.0, slot=Slot.PLAN)


def with_plans(
    now: Recalling, chosen: Sequence[Choice], allowed: NDArray[np.bool_], *, limit: int
) -> list[Choice]:
    """What was chosen, and before it the plans near their day that were not.

    Args:
        now: the scope.
        chosen: best first.
        allowed: rows that may be recalled at all.
        limit: memories at most.
    """
    rows = now.snapshot.rows
    if not (rows["kind"][allowed] == _PLAN).any():
        return list(chosen)
    known = {choice.row for choice in chosen}
    near = [
        Choice(row=row, why=_BY_ITSELF)
        for number in now.unit.plans.near(now.unit.now)
        for row in np.flatnonzero(allowed & (rows["number"] == number)).tolist()
        if row not in known
    ]
    return [*near[:MOST], *chosen][:limit]
