"""Where a message stands among a scope's messages: a position that follows its time, and never its arrival.

Positions are microseconds where the time is known, so that a late import is not new (ruling 8). Inside a
session the order of the log is the truth: a missing, equal or backward date takes the next free place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

STRIDE = 1_000
"""Between two messages of one session whose times do not tell them apart."""


def place_all(dates: Sequence[int | None], *, after: int | None, before: int | None, now: int) -> list[int]:
    """Positions for messages that follow each other, strictly rising.

    Args:
        dates: microseconds; None where unknown.
        after: the position of the message before them; None if they begin the session.
        before: the position of the message after them; None if they end it. They lie below it as far as there
            is room, whatever their dates say.
        now: where undated messages that are the whole session end.
    """
    stride = STRIDE if after is None or before is None else _stride(before - after, len(dates))
    last = _start(dates, before=before, now=now) if after is None else after
    placed = []
    for date in dates:
        fits = date is not None and date > last and (before is None or date < before)
        last = date if date is not None and fits else last + stride
        placed.append(last)
    return placed


def _stride(room: int, count: int) -> int:
    return max(1, min(STRIDE, room // (count + 1)))


def _start(dates: Sequence[int | None], *, before: int | None, now: int) -> int:
    """The position from which undated messages count up, so that they end before what is known."""
    undated = next((place for place, date in enumerate(dates) if date is not None), len(dates))
    known = next((date for date in dates if date is not None), None)
    if known is None:
        known = now + STRIDE if before is None else before
    elif before is not None:
        known = min(known, before - STRIDE * (len(dates) - undated))
    return known - STRIDE * (undated + 1)
