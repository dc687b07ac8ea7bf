"""What comes to mind unasked: plans near their day, and how somebody likes to be answered (H28)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from omoide.domain.instants import to_micros
from omoide.domain.model import Kind
from omoide.recall.choice import Choice
from omoide.recall.result import Slot, Why

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from omoide.domain.embedding import Thresholds
    from omoide.domain.times import Span
    from omoide.recall.choice import Lists
    from omoide.stores.store import Recalling

PLANS = 3
"""Plans that come unasked at most; the nearest ones."""

GUIDANCE = 2
"""Pieces of guidance that come unasked at most; those most like the message."""

_PLAN, _GUIDANCE = (tuple(Kind).index(kind) for kind in (Kind.PLAN, Kind.GUIDANCE))


def with_unasked(
    now: Recalling, chosen: Sequence[Choice], lists: Lists, thresholds: Thresholds | None, *, limit: int
) -> list[Choice]:
    """What was chosen, and behind it what comes to mind by itself, on top: it costs no answer its place.

    Plans come whatever the message is about. Guidance is about the answer and not about the message, so that
    it comes to requests too that no memory bears on.

    Args:
        now: the scope.
        chosen: best first.
        lists: what each list says of each row.
        thresholds: similarities that mean something; None without vectors.
        limit: memories that are asked for; half as many come unasked at most.
    """
    plans, guidance = (lists.allowed & (now.snapshot.kinds == kind) for kind in (_PLAN, _GUIDANCE))
    known = {choice.row for choice in chosen}
    unasked: list[Choice] = []
    if plans.any():
        unasked += _held(_plans(now, lists), Slot.PLAN, known, PLANS)
    if guidance.any():
        fitting = _fitting(lists, guidance, thresholds)
        unasked += _held(fitting, Slot.GUIDANCE, known, GUIDANCE)
    return [*chosen, *unasked[: max(1, limit // 2)]]


def planned(now: Recalling, spans: Iterable[Span]) -> NDArray[np.bool_] | None:
    """Rows of open plans for a time to come that a message names; None for none."""
    if not (now.snapshot.kinds == _PLAN).any():
        return None
    ahead = [(to_micros(span.start), to_micros(span.end)) for span in spans]
    due = [now.unit.plans.due(since, until) for since, until in ahead if until > now.unit.now]
    numbers = [number for found in due for number in found]
    return np.isin(now.snapshot.rows["number"], numbers) if numbers else None


def _held(rows: Iterable[int], slot: Slot, known: set[int], most: int) -> list[Choice]:
    why = Why(meaning=None, words=None, decay=1.0, score=0.0, slot=slot)
    return [Choice(row=row, why=why) for row in rows if row not in known][:most]


def _plans(now: Recalling, lists: Lists) -> list[int]:
    numbers = now.snapshot.rows["number"]
    near = now.unit.plans.near(now.unit.now)
    return [row for number in near for row in np.flatnonzero(lists.allowed & (numbers == number)).tolist()]


def _fitting(lists: Lists, guidance: NDArray[np.bool_], thresholds: Thresholds | None) -> list[int]:
    """Rows of guidance that are like the message at all, best first."""
    rows = np.flatnonzero(guidance)
    if thresholds is None or lists.query is None:
        likeness, least = lists.words[rows], 0.0
    else:
        likeness, least = np.nan_to_num(lists.meaning[rows], nan=-1.0), thresholds.relevant
    order = np.argsort(-likeness, kind="stable")
    found: list[int] = [
        row for row, like in zip(rows[order].tolist(), likeness[order].tolist(), strict=True) if like > least
    ]
    return found
