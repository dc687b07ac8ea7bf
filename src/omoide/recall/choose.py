"""Which memories come to mind, and why: lists, fading, fusion, the floor, reserved slots (design section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

import numpy as np

from omoide.domain import decay
from omoide.domain.decay import Forgetting
from omoide.domain.instants import to_micros
from omoide.domain.model import Kind
from omoide.recall import floor, fuse
from omoide.recall.result import Hit, Slot, Why

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from omoide.domain.embedding import Thresholds
    from omoide.recall.times import Span
    from omoide.stores.index import Snapshot

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]
    BoolArray = NDArray[np.bool_]

LIMIT = 12
"""Memories in one recall at most (P14)."""

SLOTS = 2
"""Places held for what is important, whatever the message is about (P14)."""

_IMPORTANT = 6.0
_DAY = 86_400_000_000
_WORLD = tuple(Kind).index(Kind.WORLD)


class Rehearsed(Protocol):
    """Looks up how often memories were recalled into a chat, and when last, by number."""

    def __call__(self, numbers: Sequence[int], /) -> Mapping[int, tuple[int, int]]:
        """Those of these memories that were recalled at all."""


class Fusion(StrEnum):
    """How the lists become one: as measured best, or as published (P10, P13)."""

    STANDARD = "standard"
    PUBLISHED = "published"


@dataclass(frozen=True, kw_only=True, slots=True)
class Lists:
    """What each list says of each row of the index.

    Attributes:
        meaning: cosine with the message; NaN for a row without a vector, and for all without a query vector.
        words: BM25; 0 for a row that shares no term.
        coverage: the share of the message's terms, weighed by rarity, that the row holds; 0 to 1.
        allowed: rows that may be recalled at all.
        named: rows said by or about the one person that the message names; None if it names nobody.
    """

    meaning: FloatArray
    words: FloatArray
    coverage: FloatArray
    allowed: BoolArray
    named: BoolArray | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """How to choose.

    Attributes:
        fusion: how lists become one.
        forgetting: how memories fade.
        limit: how many at most, 1 to 12.
        slots: places held for what is important, 0 to 2.
        thresholds: similarities that mean something in the embedding space in use; None without vectors.
        now: microseconds since 1970, the moment asked about.
    """

    fusion: Fusion
    forgetting: Forgetting
    limit: int
    slots: int
    thresholds: Thresholds | None
    now: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """A row of the index that was chosen, and why."""

    row: int
    why: Why


def choose(
    snapshot: Snapshot,
    lists: Lists,
    policy: Policy,
    *,
    spans: Sequence[Span] = (),
    rehearsed: Rehearsed,
) -> list[Choice]:
    """The memories that come to mind, best first.

    Args:
        snapshot: the scope's index.
        lists: what each list says.
        policy: how to choose.
        spans: times that the message speaks of.
        rehearsed: looks up how often memories were recalled into a chat, and when last, by number.
    """
    fading = _Fading(snapshot, policy, rehearsed)
    allowed = lists.allowed & fading.retained()
    if not allowed.any():
        return []
    within = _within(snapshot, spans)
    if policy.fusion is Fusion.PUBLISHED:
        ranked = _published(snapshot, lists, allowed, fading)
    else:
        ranked = _standard(snapshot, lists, allowed, fading, within, policy)
    ranked = _once(snapshot, ranked, policy)
    found = bool(ranked) or policy.fusion is Fusion.PUBLISHED
    held = _reserved(snapshot, allowed, ranked, policy) if found else []
    chosen = held + ranked[: policy.limit - len(held)]
    why = _Reasons(lists, allowed, fading, within)
    slot = dict.fromkeys((row for row, _ in held), Slot.IMPORTANCE)
    return [Choice(row=row, why=why(row, score, slot.get(row))) for row, score in chosen]


class _Fading:
    """Factors of fading, worked out only for the rows that are asked for."""

    def __init__(self, snapshot: Snapshot, policy: Policy, rehearsed: Rehearsed) -> None:
        self._rows = snapshot.rows
        self._said = snapshot.said
        self._policy = policy
        self._rehearsed = rehearsed

    def retained(self) -> BoolArray:
        """Which rows a search still finds: all, unless memories fade by the calendar (H9)."""
        if self._policy.forgetting is not Forgetting.CALENDAR:
            return np.ones(len(self._rows), dtype=np.bool_)
        return np.asarray(self.of(np.arange(len(self._rows))) >= decay.RECALL_FROM)

    def of(self, rows: IntArray) -> FloatArray:
        """1 for what has not faded."""
        if self._policy.forgetting is Forgetting.NONE or not len(rows):
            return np.ones(len(rows), dtype=np.float32)
        records = self._rows[rows]
        rehearsed = self._rehearsed(records["number"].tolist())
        known = [rehearsed.get(number, (0, -1)) for number in records["number"].tolist()]
        if self._policy.forgetting is Forgetting.CALENDAR:
            factors = [self._by_calendar(record, *how) for record, how in zip(records, known, strict=True)]
        else:
            factors = [self._by_talk(record, how[0]) for record, how in zip(records, known, strict=True)]
        kept = records["pinned"] | (records["kind"] == _WORLD)
        return np.where(kept, np.float32(1.0), np.array(factors, dtype=np.float32))

    def _by_calendar(self, record: np.void, recalls: int, last: int) -> float:
        days = (self._policy.now - max(int(record["recorded_at"]), last)) / _DAY
        return decay.retention(
            days,
            importance=float(record["importance"]),
            confirmed=int(record["confirmed"]),
            recalls=recalls,
        )

    def _by_talk(self, record: np.void, recalls: int) -> float:
        later = len(self._said) - int(np.searchsorted(self._said, record["position"], side="right"))
        distance = later / decay.MESSAGES_PER_STEP
        return decay.conversation_factor(distance, confirmed=int(record["confirmed"]), recalls=recalls)


class _Reasons:
    """Ranks in each list, worked out only for the rows that were chosen."""

    def __init__(self, lists: Lists, allowed: BoolArray, fading: _Fading, within: BoolArray | None) -> None:
        self._lists = lists
        self._meaning = np.where(allowed, lists.meaning, np.nan)
        self._words = np.where(allowed, lists.words, 0.0)
        self._fading = fading
        self._within = within

    def __call__(self, row: int, score: float, slot: Slot | None) -> Why:
        meaning, words = float(self._meaning[row]), float(self._words[row])
        by_time = self._within is not None and bool(self._within[row]) and words == 0
        return Why(
            meaning=None
            if np.isnan(meaning)
            else Hit(rank=int((self._meaning > meaning).sum()), score=meaning),
            words=None if words <= 0 else Hit(rank=int((self._words > words).sum()), score=words),
            decay=float(self._fading.of(np.array([row]))[0]),
            score=score,
            slot=slot or (Slot.TIME if by_time else Slot.SEARCH),
        )


def _standard(
    snapshot: Snapshot,
    lists: Lists,
    allowed: BoolArray,
    fading: _Fading,
    within: BoolArray | None,
    policy: Policy,
) -> list[tuple[int, float]]:
    """The default: fuse, keep what bears on the message, and let fading re-order what is kept (ruling 8)."""
    scores = fuse.standard(
        np.where(allowed, lists.meaning, np.nan).astype(np.float32),
        np.where(allowed, lists.words, 0.0).astype(np.float32),
        before=snapshot.before,
        after=snapshot.after,
        named=lists.named,
    )
    relevant = floor.relevant(lists, allowed, policy.thresholds)
    if within is not None:
        scores = scores + np.where(within, _TIME_WEIGHT, 0.0)
        relevant = relevant | (within & allowed)
    candidates = np.flatnonzero(relevant & allowed)
    room = 2 * policy.limit
    if len(candidates) > room:
        best = np.argpartition(-scores[candidates], room)[:room]
        candidates = candidates[best]
    if not len(candidates):
        return []
    best_first = candidates[np.lexsort((snapshot.rows["number"][candidates], -scores[candidates]))]
    chosen = best_first[: policy.limit]
    faded = (scores[chosen] - scores[chosen].min()) * fading.of(chosen)
    order = np.argsort(-faded, kind="stable")
    rest = best_first[policy.limit :]
    below = scores[rest] - scores[chosen].min()
    return [
        *zip(chosen[order].tolist(), faded[order].tolist(), strict=True),
        *zip(rest.tolist(), below.tolist(), strict=True),
    ]


_TIME_WEIGHT = 2.0
"""What being of the time asked about adds, in standard deviations of the fused score."""


def _published(
    snapshot: Snapshot, lists: Lists, allowed: BoolArray, fading: _Fading
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


def _once(snapshot: Snapshot, ranked: list[tuple[int, float]], policy: Policy) -> list[tuple[int, float]]:
    """Near-duplicates once: the better-ranked one stays (pains F81)."""
    if snapshot.vectors is None or policy.thresholds is None or len(ranked) < 2:
        return ranked
    head = ranked[: 2 * policy.limit]
    rows = np.array([row for row, _ in head])
    alike = snapshot.vectors[rows] @ snapshot.vectors[rows].T >= policy.thresholds.same
    kept: list[int] = []
    for place in range(len(head)):
        if not any(alike[place, before] for before in kept):
            kept.append(place)
    return [head[place] for place in kept]


def _reserved(
    snapshot: Snapshot,
    allowed: BoolArray,
    ranked: list[tuple[int, float]],
    policy: Policy,
) -> list[tuple[int, float]]:
    """Up to two important memories that the search did not find (P14, ruling 9)."""
    rows = snapshot.rows
    able = allowed & (rows["importance"] >= _IMPORTANT) & (rows["kind"] != _WORLD)
    if policy.fusion is Fusion.STANDARD:
        able &= ~rows["origin_rule"]
    numbers = np.flatnonzero(able)
    order = numbers[np.lexsort((-rows["position"][numbers], -rows["importance"][numbers]))][: policy.slots]
    found = {row for row, _ in ranked[: policy.limit]}
    return [(int(row), 0.0) for row in order if int(row) not in found]


def _within(snapshot: Snapshot, spans: Sequence[Span]) -> BoolArray | None:
    """Which rows are of a time that the message speaks of."""
    if not spans:
        return None
    at = snapshot.rows["at"]
    within = np.zeros(len(at), dtype=np.bool_)
    for span in spans:
        within |= (at >= to_micros(span.start)) & (at < to_micros(span.end))
    return within
