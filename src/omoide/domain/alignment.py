"""Where a conversation, as its client now shows it, departs from the log (design section 3, ruling 1)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_THOROUGH = 1_000_000
"""Pairs of places up to which a stretch without unique messages is searched for the best match."""

Pair = tuple[int, int]
"""The same message: its place in the log's list, and in the client's."""


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

    @property
    def front(self) -> range:
        """Places in the log's list, behind a cut, in whose stead unknown messages may be shown.

        As many as stand unknown right before the first common message.
        """
        common = [step for step in self.steps if step.logged is not None and step.shown is not None]
        if not common or self.steps[0].shown is not None:
            return range(0)
        end, unknown = common[0].logged or 0, common[0].shown or 0
        return range(end - unknown, end)


def align(logged: Sequence[bytes], shown: Sequence[bytes]) -> Alignment:
    """Align two lists of content hashes.

    What the client shows is the truth, except that a missing beginning is a cut, never a deletion: where the
    client shows less before the first common message than the log has, what the log has stays. Where nothing
    is common, what is shown continues the log.
    """
    overlap = _overlap(logged, shown)
    pairs = [] if overlap else _later(logged, _pairs(logged, shown))
    if not pairs:
        return _continued(len(logged), len(shown), overlap)
    return _merged(len(logged), len(shown), pairs)


def replaced(logged: int, shown: int) -> Alignment:
    """The alignment of two lists of these lengths that hold nothing in common, where the old one goes."""
    return _merged(logged, shown, [])


def front_replaced(alignment: Alignment) -> Alignment:
    """The same alignment, but what stands unknown behind a cut takes the place of what stood there."""
    front = alignment.front
    new = tuple(Step(shown=shown, replaces=place) for shown, place in enumerate(front))
    return Alignment(
        steps=(*alignment.steps[: front.start], *new, *alignment.steps[front.stop + len(front) :]),
        withdrawn=(*front, *alignment.withdrawn),
        matched=alignment.matched,
    )


def keeping_tail(alignment: Alignment) -> Alignment:
    """The same alignment, but what the log has after the last common message stays.

    A file that ends earlier than the log is an older copy, and takes nothing back.
    """
    if not alignment.steps or alignment.steps[-1].logged is None:
        return alignment
    last = alignment.steps[-1].logged
    tail = [place for place in alignment.withdrawn if place > last]
    return Alignment(
        steps=(*alignment.steps, *(Step(logged=place) for place in tail)),
        withdrawn=tuple(place for place in alignment.withdrawn if place < last),
        matched=alignment.matched,
    )


def _overlap(logged: Sequence[bytes], shown: Sequence[bytes]) -> int:
    """How many messages the log's end and the client's beginning share (Knuth, Morris and Pratt)."""
    borders = [0] * len(shown)
    length = 0
    for place in range(1, len(shown)):
        while length and shown[place] != shown[length]:
            length = borders[length - 1]
        length += shown[place] == shown[length]
        borders[place] = length
    length = 0
    for entry in logged[max(0, len(logged) - len(shown)) :]:
        while length and (length == len(shown) or entry != shown[length]):
            length = borders[length - 1]
        length += bool(shown) and entry == shown[length]
    return length


def _continued(logged: int, shown: int, overlap: int) -> Alignment:
    kept = [Step(logged=place) for place in range(logged - overlap)]
    common = [Step(logged=logged - overlap + place, shown=place) for place in range(overlap)]
    new = [Step(shown=place) for place in range(overlap, shown)]
    return Alignment(steps=(*kept, *common, *new), withdrawn=(), matched=overlap)


def _pairs(logged: Sequence[bytes], shown: Sequence[bytes]) -> list[Pair]:
    """The messages that both lists hold, in order: first those at the ends, then around unique ones."""
    found: list[Pair] = []
    waiting = [(0, len(logged), 0, len(shown))]
    while waiting:
        low, high, first, last = waiting.pop()
        while low < high and first < last and logged[low] == shown[first]:
            found.append((low, first))
            low, first = low + 1, first + 1
        while low < high and first < last and logged[high - 1] == shown[last - 1]:
            high, last = high - 1, last - 1
            found.append((high, last))
        if low == high or first == last:
            continue
        anchors = _anchors(logged[low:high], shown[first:last])
        if anchors:
            bounds = [(low + a, first + b) for a, b in anchors]
            found += bounds
            before = [(low, first), *((a + 1, b + 1) for a, b in bounds)]
            after = [*bounds, (high, last)]
            waiting += [(a, c, b, d) for (a, b), (c, d) in zip(before, after, strict=True)]
        elif (high - low) * (last - first) <= _THOROUGH:
            found += [(low + a, first + b) for a, b in _blocks(logged[low:high], shown[first:last])]
    return sorted(found)


def _anchors(logged: Sequence[bytes], shown: Sequence[bytes]) -> list[Pair]:
    """Messages that stand once in each list, as many as keep their order (patience diff)."""
    once = {entry for entry, often in Counter(logged).items() if often == 1}
    place_of = {entry: place for place, entry in enumerate(logged) if entry in once}
    often = Counter(shown)
    candidates = [(place_of[e], b) for b, e in enumerate(shown) if often[e] == 1 and e in place_of]
    ends: list[int] = []
    links: list[tuple[Pair, int | None]] = []
    tops: list[int] = []
    for pair in candidates:
        length = bisect_left(ends, pair[0])
        links.append((pair, tops[length - 1] if length else None))
        ends[length : length + 1] = [pair[0]]
        tops[length : length + 1] = [len(links) - 1]
    chain: list[Pair] = []
    link = tops[-1] if tops else None
    while link is not None:
        pair, link = links[link]
        chain.append(pair)
    return chain[::-1]


def _blocks(logged: Sequence[bytes], shown: Sequence[bytes]) -> Iterator[Pair]:
    for a, b, size in SequenceMatcher(None, logged, shown, autojunk=False).get_matching_blocks():
        yield from ((a + step, b + step) for step in range(size))


def _later(logged: Sequence[bytes], pairs: list[Pair]) -> list[Pair]:
    """Match the client's first messages as late in the log as they fit, so that a cut withdraws nothing.

    Repeated words can stand for their first place in the log or for a later one; a gap after them is then as
    well a beginning that was cut off.
    """
    while True:
        start = pairs[0][0] if pairs else 0
        size = next((n for n, pair in enumerate(pairs) if pair != (start + n, n)), len(pairs))
        if not 0 < size < len(pairs) or pairs[size][1] != size:
            return pairs
        gap = pairs[size][0] - start - size
        if logged[start : start + size] != logged[start + gap : start + gap + size]:
            return pairs
        pairs = [*((start + gap + n, n) for n in range(size)), *pairs[size:]]


def _merged(logged: int, shown: int, pairs: Sequence[Pair]) -> Alignment:
    steps: list[Step] = []
    withdrawn: list[int] = []
    done_logged = done_shown = 0
    if pairs and pairs[0][0] > pairs[0][1]:
        # The beginning was cut; what stands unknown before the first common message is new there.
        done_logged, done_shown = pairs[0]
        steps += [Step(logged=place) for place in range(done_logged)]
        steps += [Step(shown=place) for place in range(done_shown)]
    for at_logged, at_shown in [*pairs, (logged, shown)]:
        gap = range(done_logged, at_logged)
        withdrawn += gap
        for step, place in enumerate(range(done_shown, at_shown)):
            steps.append(Step(shown=place, replaces=gap[step] if step < len(gap) else None))
        if at_logged < logged:
            steps.append(Step(logged=at_logged, shown=at_shown))
        done_logged, done_shown = at_logged + 1, at_shown + 1
    return Alignment(steps=tuple(steps), withdrawn=tuple(withdrawn), matched=len(pairs))
