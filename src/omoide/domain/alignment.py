"""Where a conversation, as its client now shows it, departs from the log (design section 3, ruling 1)."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One message of the conversation as it stands now.

    Attributes:
        logged: its place in the log's list, if it is there already.
        shown: its place in the client's list, if the client shows it.
        replaces: the place in the log's list of the message that it takes the place of.
    """

    logged: int | None = None
    shown: int | None = None
    replaces: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Alignment:
    """The conversation as it stands now, and what of the log is no longer part of it.

    Attributes:
        steps: all messages in order.
        withdrawn: places in the log's list, in order.
        matched: how many messages are in both lists.
    """

    steps: tuple[Step, ...]
    withdrawn: tuple[int, ...]
    matched: int

    @property
    def departs(self) -> int | None:
        """The first place in the log's list that changes; None if the log is only continued."""
        return self.withdrawn[0] if self.withdrawn else None


def align(logged: Sequence[bytes], shown: Sequence[bytes]) -> Alignment:
    """Align two lists of content hashes.

    What the client shows is the truth, except that a missing beginning is a cut, never a deletion: the
    messages before the first common one stay. Where nothing is common, what is shown continues the log.
    """
    overlap = _overlap(logged, shown)
    if overlap is not None:
        return _continued(len(logged), len(shown), overlap)
    pairs = _pairs(logged, shown)
    if not pairs:
        return _continued(len(logged), len(shown), 0)
    return _merged(len(logged), len(shown), pairs)


def _overlap(logged: Sequence[bytes], shown: Sequence[bytes]) -> int | None:
    """How many messages the log's end and the client's beginning share, if the rest only continues it."""
    for start, entry in enumerate(logged):
        length = len(logged) - start
        if entry == shown[0] and length <= len(shown) and list(logged[start:]) == list(shown[:length]):
            return length
    return None


def _continued(logged: int, shown: int, overlap: int) -> Alignment:
    kept = [Step(logged=place) for place in range(logged - overlap)]
    common = [Step(logged=logged - overlap + place, shown=place) for place in range(overlap)]
    new = [Step(shown=place) for place in range(overlap, shown)]
    return Alignment(steps=(*kept, *common, *new), withdrawn=(), matched=overlap)


def _pairs(logged: Sequence[bytes], shown: Sequence[bytes]) -> list[tuple[int, int]]:
    blocks = SequenceMatcher(None, logged, shown, autojunk=False).get_matching_blocks()
    return [(a + step, b + step) for a, b, size in blocks for step in range(size)]


def _merged(logged: int, shown: int, pairs: list[tuple[int, int]]) -> Alignment:
    steps: list[Step] = []
    withdrawn: list[int] = []
    first_logged, first_shown = pairs[0]
    if first_logged > first_shown:
        # The beginning was cut; what stands unknown before the first common message is new there.
        steps += [Step(logged=place) for place in range(first_logged)]
        steps += [Step(shown=place) for place in range(first_shown)]
        done_logged, done_shown = first_logged, first_shown
    else:
        done_logged, done_shown = 0, 0
    for at_logged, at_shown in [*pairs, (logged, shown)]:
        gap = range(done_logged, at_logged)
        withdrawn += gap
        for step, place in enumerate(range(done_shown, at_shown)):
            steps.append(Step(shown=place, replaces=gap[step] if step < len(gap) else None))
        if at_logged < logged:
            steps.append(Step(logged=at_logged, shown=at_shown))
        done_logged, done_shown = at_logged + 1, at_shown + 1
    return Alignment(steps=tuple(steps), withdrawn=tuple(withdrawn), matched=len(pairs))
