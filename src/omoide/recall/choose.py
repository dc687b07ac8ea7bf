"""Which memories come to mind, and why: lists, fading, fusion, the floor, reserved slots."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from omoide.domain.instants import to_micros
from omoide.domain.model import Kind
from omoide.recall import crowd, floor, fuse
from omoide.recall.choice import Choice, Lists, Policy
from omoide.recall.fading import Fading
from omoide.recall.fuse import Fusion
from omoide.recall.places import by_place
from omoide.recall.result import Hit, Slot, Why

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from omoide.domain.times import Span
    from omoide.recall.fading import Rehearsed
    from omoide.recall.places import Rests, Sharing
    from omoide.stores.index.scope_index import Snapshot

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]
    BoolArray = NDArray[np.bool_]
    Twins = dict[int, list[int]]

_IMPORTANT = 6.0
_PER_SLOT = 6
"""Memories of a recall for one reserved place, so that it never crowds out a short answer."""

_DEPTH = 40
"""Memories among which something else is looked for, where what ranks best is nearly alike."""

_WORLD = tuple(Kind).index(Kind.WORLD)


def choose(
    snapshot: Snapshot,
    lists: Lists,
    policy: Policy,
    *,
    spans: Sequence[Span] = (),
    planned: BoolArray | None = None,
    rehearsed: Rehearsed,
    vectors: Callable[[Sequence[int]], FloatArray],
    rests: Rests,
) -> list[Choice]:
    """The memories that come to mind, best first; behind them those that share a place.

    Args:
        snapshot: the scope's index.
        lists: what each list says.
        policy: how to choose.
        spans: times that the message speaks of.
        planned: rows of plans for such a time; None for none.
        rehearsed: looks up how often memories were recalled into a chat, and when last, by number.
        vectors: looks up the vectors of rows, NaN where there is none.
        rests: looks up the messages that memories rest on, by number.
    """
    fading = Fading(snapshot, policy.forgetting, now=policy.now, rehearsed=rehearsed)
    retained = fading.retained()
    allowed = lists.allowed if retained is None else lists.allowed & retained
    if not allowed.any():
        return []
    within = _within(snapshot, spans, planned)
    if policy.fusion is Fusion.PUBLISHED:
        ranked = _published(snapshot, lists, allowed, fading)
    else:
        then = _within(snapshot, _past(spans, lists, policy), planned)
        ranked = _standard(snapshot, lists, allowed, fading, within, then, policy)
    ranked, twins = _apart(ranked, policy, vectors)
    sharing: Sharing = []
    if policy.fusion is Fusion.STANDARD:
        ranked, sharing = by_place(snapshot, ranked, rests)
    chosen, slots = _placed(snapshot, allowed, ranked, sharing, twins, policy)
    choices = _reasons(lists, allowed, fading, within, chosen, slots)
    return (
        [replace(choice, twins=tuple(twins.get(choice.row, ()))) for choice in choices] if twins else choices
    )


def _placed(
    snapshot: Snapshot,
    allowed: BoolArray,
    ranked: list[tuple[int, float]],
    sharing: Sharing,
    twins: Twins,
    policy: Policy,
) -> tuple[list[tuple[int, float]], dict[int, Slot]]:
    """What takes the places, and how that came in which was not simply searched for.

    As published, what is important stands ahead of what was found. In the default it stands behind it, and
    behind both at most half as many that share a place.
    """
    if policy.fusion is Fusion.PUBLISHED:
        held = _reserved(snapshot, allowed, ranked[: policy.limit], twins, policy)
        found = [*held, *ranked[: policy.limit - len(held)]]
        return found, dict.fromkeys([row for row, _ in held], Slot.IMPORTANCE)
    known = [*ranked[: policy.limit], *(one for place, one in sharing if place < policy.limit)]
    held = _reserved(snapshot, allowed, known, twins, policy)[: policy.limit // _PER_SLOT] if ranked else []
    room = policy.limit - len(held)
    beside = [one for place, one in sharing if place < room][: policy.limit // 2]
    slots = dict.fromkeys([row for row, _ in held], Slot.IMPORTANCE)
    slots |= dict.fromkeys([row for row, _ in beside], Slot.SHARED)
    return [*ranked[:room], *held, *beside], slots


def _reasons(
    lists: Lists,
    allowed: BoolArray,
    fading: Fading,
    within: BoolArray | None,
    chosen: Sequence[tuple[int, float]],
    slots: Mapping[int, Slot],
) -> list[Choice]:
    """Why each was chosen: its ranks in the lists, counted from 0, among the rows that may be recalled."""
    rows = np.array([row for row, _ in chosen], dtype=np.int64)
    meaning = _ranked(lists.meaning, allowed, rows, above=-math.inf)
    words = _ranked(lists.words, allowed, rows, above=0.0)
    by_time = np.zeros(len(rows), dtype=np.bool_) if within is None else within[rows]
    factors = fading.of(rows).tolist()
    choices = []
    for place, (row, score) in enumerate(chosen):
        slot = Slot.TIME if by_time[place] and words[place] is None else Slot.SEARCH
        why = Why(
            meaning=meaning[place],
            words=words[place],
            decay=factors[place],
            score=score,
            slot=slots.get(row, slot),
            mood=lists.mood.kind if lists.mood is not None and lists.mood.rows[row] else None,
        )
        choices.append(Choice(row=row, why=why))
    return choices


def _ranked(scores: FloatArray, allowed: BoolArray, rows: IntArray, *, above: float) -> list[Hit | None]:
    """The place of some rows in one list; None for those that are not in it, having no score above that."""
    own = scores[rows]
    listed = np.sort(scores[allowed])
    # NaN, for no score, is sorted last.
    ranks = listed.searchsorted(np.nan) - listed.searchsorted(own, side="right")
    return [
        Hit(rank=rank, score=score) if score > above and may else None
        for score, rank, may in zip(own.tolist(), ranks.tolist(), allowed[rows].tolist(), strict=True)
    ]


def _standard(
    snapshot: Snapshot,
    lists: Lists,
    allowed: BoolArray,
    fading: Fading,
    within: BoolArray | None,
    then: BoolArray | None,
    policy: Policy,
) -> list[tuple[int, float]]:
    """The default: fuse, choose if anything bears on the message, let fading re-order that (ruling 8)."""
    everything = bool(allowed.all())
    scores = fuse.standard(
        lists.meaning if everything else np.where(allowed, lists.meaning, np.float32(np.nan)),
        lists.words if everything else np.where(allowed, lists.words, np.float32(0.0)),
        before=snapshot.before,
        after=snapshot.after,
        session=snapshot.sessions,
        named=lists.named,
        gain=lists.named_weight,
        weights=fuse.DEFAULT_WEIGHTS if policy.asks else fuse.TOLD_WEIGHTS,
    )
    if lists.mood is not None:
        scores = scores + np.where(lists.mood.rows, np.float32(lists.mood.favour), np.float32(0.0))
    if within is not None:
        scores = scores + np.where(within, np.float32(_TIME_WEIGHT), np.float32(0.0))
    candidates = np.flatnonzero(_admitted(snapshot, lists, allowed, scores, then, policy))
    room = max(2 * policy.limit, _DEPTH)
    if len(candidates) > room:
        best = np.argpartition(-scores[candidates], room)[:room]
        candidates = candidates[best]
    if not len(candidates):
        return []
    best_first = candidates[np.lexsort((snapshot.rows["number"][candidates], -scores[candidates]))]
    chosen = best_first[: policy.limit]
    faded = fuse.decayed(scores[chosen], fading.of(chosen))
    order = np.argsort(-faded, kind="stable")
    rest = best_first[policy.limit :]
    below = scores[rest] - scores[chosen].min()
    return [
        *zip(chosen[order].tolist(), faded[order].tolist(), strict=True),
        *zip(rest.tolist(), below.tolist(), strict=True),
    ]


def _admitted(
    snapshot: Snapshot,
    lists: Lists,
    allowed: BoolArray,
    scores: FloatArray,
    then: BoolArray | None,
    policy: Policy,
) -> BoolArray:
    """All rows once anything bears on the message; otherwise those of a time that it asks about.

    Of a message that names nothing but a time, those of that time alone, and those that speak of it; where
    there are none, one that looks for something is looked up as others are, and one that parts is not.
    """
    of_then = np.zeros_like(allowed) if then is None else allowed & then
    if lists.only_time:
        of_then |= allowed & floor.covering(lists)
        if of_then.any() or (then is None and not _seeks(lists, policy)):
            return of_then
    if floor.bears(lists, allowed, policy.thresholds, lacking=allowed & ~snapshot.embedded):
        # By words alone a row has to share some, or stand beside one that does.
        return allowed if policy.thresholds is not None else allowed & (scores > 0)
    return np.zeros_like(allowed) if lists.request and not lists.tale else of_then


def _past(spans: Sequence[Span], lists: Lists, policy: Policy) -> list[Span]:
    """The times gone by that a message asks about. "See you on Friday" means none, and names nothing else."""
    gone = [span for span in spans if to_micros(span.end) <= policy.now]
    parts = lists.only_time and not _seeks(lists, policy)
    return [span for span in gone if span.moves] if parts else gone


def _seeks(lists: Lists, policy: Policy) -> bool:
    return policy.asks or lists.tale


_TIME_WEIGHT = 2.0
"""What being of the time asked about adds, in standard deviations of the fused score."""


def _published(
    snapshot: Snapshot, lists: Lists, allowed: BoolArray, fading: Fading
) -> list[tuple[int, float]]:
    """As published: both lists faded, then RRF; without a vector for the query, the newest first (P17)."""
    rows = snapshot.rows
    meaning = np.where(allowed, lists.meaning, np.nan).astype(np.float32)
    words = np.where(allowed, lists.words, 0.0).astype(np.float32)
    if np.isnan(meaning).all():
        newest = np.argsort(-rows["position"] - np.where(allowed, 0, -(2**62)), kind="stable")
        meaning = meaning.copy()
        for place, row in enumerate(newest[: fuse.CANDIDATES]):
            if allowed[row]:
                meaning[row] = 1.0 - place / 1000
    listed = np.union1d(
        np.argsort(-meaning, kind="stable")[: fuse.CANDIDATES],
        np.lexsort((-rows["position"], -words))[: fuse.CANDIDATES],
    )
    factors = np.ones(len(rows), dtype=np.float32)
    factors[listed] = fading.of(listed)
    age = np.empty(len(rows), dtype=np.int64)
    age[np.argsort(-rows["position"], kind="stable")] = np.arange(len(rows))
    scores = fuse.published(meaning, words, age=age, decay=factors)
    found = np.flatnonzero(scores > 0)
    order = found[np.lexsort((-rows["position"][found], -scores[found]))]
    return [(int(row), float(scores[row])) for row in order]


def _apart(
    ranked: list[tuple[int, float]], policy: Policy, look_up: Callable[[Sequence[int]], FloatArray]
) -> tuple[list[tuple[int, float]], Twins]:
    """What says the same once, and of what is nearly alike a part; it looks further only where that is so."""
    width = 2 * policy.limit
    head = ranked[:width]
    if policy.thresholds is None or len(head) < 2:
        return head if policy.fusion is Fusion.STANDARD else ranked, {}
    likeness = _likeness(head, look_up)
    share = max(policy.limit // crowd.SHARE, crowd.LEAST)
    spread = policy.fusion is Fusion.STANDARD
    if spread and crowd.crowded(likeness, policy.thresholds.near, share=share):
        if len(ranked) > width:
            head = ranked[: max(width, _DEPTH)]
            likeness = _likeness(head, look_up)
        kept, twins = _once(head, likeness, policy.thresholds.same)
        return [
            head[place] for place in crowd.spread(kept, likeness, policy.thresholds.near, share=share)
        ], twins
    kept, twins = _once(head, likeness, policy.thresholds.same)
    return [head[place] for place in kept], twins


def _likeness(
    head: Sequence[tuple[int, float]], look_up: Callable[[Sequence[int]], FloatArray]
) -> FloatArray:
    vectors = look_up([row for row, _ in head])
    return np.where(_behind(len(head)), vectors @ vectors.T, np.float32(0.0))


@lru_cache(maxsize=16)
def _behind(size: int) -> BoolArray:
    """Of each pair of places, whether the second one ranks before the first."""
    return np.tri(size, k=-1, dtype=np.bool_)


def _once(head: list[tuple[int, float]], likeness: FloatArray, same: float) -> tuple[Sequence[int], Twins]:
    """Near-duplicates once: the better-ranked one stays, and the others are its twins (pains F81)."""
    alike = likeness >= same
    if not alike.any():
        return range(len(head)), {}
    kept: list[int] = []
    twins: Twins = {}
    for place, (row, _) in enumerate(head):
        first = next((before for before in kept if alike[place, before]), None)
        if first is None:
            kept.append(place)
        else:
            twins.setdefault(head[first][0], []).append(row)
    return kept, twins


def _reserved(
    snapshot: Snapshot,
    allowed: BoolArray,
    known: list[tuple[int, float]],
    twins: Twins,
    policy: Policy,
) -> list[tuple[int, float]]:
    """Up to two important memories that the search did not find (P14, ruling 9)."""
    rows = snapshot.rows
    numbers = np.flatnonzero(allowed & (snapshot.importances >= _IMPORTANT) & (snapshot.kinds != _WORLD))
    if policy.fusion is Fusion.STANDARD and len(numbers):
        numbers = numbers[~rows["origin_rule"][numbers]]
    if not len(numbers):
        return []
    order = numbers[np.lexsort((-rows["position"][numbers], -rows["importance"][numbers]))][: policy.slots]
    found = {row for row, _ in known}.union(*twins.values())
    return [(int(row), 0.0) for row in order if int(row) not in found]


def _within(snapshot: Snapshot, spans: Sequence[Span], planned: BoolArray | None) -> BoolArray | None:
    """Which rows are of a time that the message speaks of, or of plans for it."""
    if not spans:
        return planned
    at = snapshot.rows["at"]
    within = np.zeros(len(at), dtype=np.bool_) if planned is None else planned.copy()
    for span in spans:
        within |= (at >= to_micros(span.start)) & (at < to_micros(span.end))
    return within
