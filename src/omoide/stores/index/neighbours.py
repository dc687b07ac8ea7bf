"""Which memory stands before and after each in its session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from omoide.domain.instants import NO_TIME

if TYPE_CHECKING:
    from collections.abc import Sequence

IntArray = NDArray[np.int64]

_PAUSE = 12 * 3_600_000_000
"""Microseconds after which talk in one session is taken up anew: a diary's entry does not answer the last."""


class Neighbours:
    """The rows just before and just after each row in the same session, among the living; -1 for none.

    Rows that a long pause parts are no neighbours.

    What is said next is linked to what was said last; any other change has all of them looked up anew.
    """

    def __init__(self) -> None:
        self._before = np.empty(0, dtype=np.int64)
        self._after = np.empty(0, dtype=np.int64)
        self._last: dict[int, tuple[int, int, int]] = {}  # of each session: position, row and time
        self._known = 0

    def changed(self, records: NDArray[np.void], places: Sequence[int], *, only_new: bool) -> None:
        """Take in rows that came, one after another, or that are other than they were."""
        if not only_new or self._known + len(places) > len(self._before):
            self._known = -1
        if self._known < 0:
            return
        columns = (records[name].tolist() for name in ("session", "position", "alive", "at"))
        for session, position, alive, at, place in zip(*columns, places, strict=True):
            self._known += 1
            if session < 0 or not alive:
                continue
            last, row, then = self._last.get(session, (-(2**63), -1, NO_TIME))
            if position <= last:
                self._known = -1
                return
            self._before[place], self._after[place] = -1, -1
            if row >= 0 and not _parted(then, at):
                self._before[place], self._after[row] = row, place
            self._last[session] = (position, place, at)

    def of(self, rows: NDArray[np.void]) -> tuple[IntArray, IntArray]:
        """Before and after of all rows."""
        size = len(rows)
        if self._known != size:
            self._look_up(rows)
        return self._before[:size], self._after[:size]

    def _look_up(self, rows: NDArray[np.void]) -> None:
        room = len(rows) + len(rows) // 8 + 64
        self._before = np.full(room, -1, dtype=np.int64)
        self._after = np.full(room, -1, dtype=np.int64)
        living = np.flatnonzero(rows["alive"] & (rows["session"] >= 0))
        order = living[
            np.lexsort((rows["number"][living], rows["position"][living], rows["session"][living]))
        ]
        session = rows["session"][order]
        same = session[1:] == session[:-1]
        at = rows["at"][order]
        timed = at != NO_TIME
        parted = timed[1:] & timed[:-1] & (np.abs(np.diff(np.where(timed, at, 0))) > _PAUSE)
        linked = same & ~parted
        self._before[order[1:][linked]] = order[:-1][linked]
        self._after[order[:-1][linked]] = order[1:][linked]
        ends = order[np.append(~same, True)] if len(order) else order
        self._last = {
            session: (position, row, at)
            for session, position, row, at in zip(
                *(rows[name][ends].tolist() for name in ("session", "position")),
                ends.tolist(),
                rows["at"][ends].tolist(),
                strict=True,
            )
        }
        self._known = len(rows)


def _parted(then: int, at: int) -> bool:
    return NO_TIME not in (then, at) and abs(at - then) > _PAUSE
