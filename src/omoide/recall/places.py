"""One place for what was said and what was drawn from it, so that neither crowds out something else (P14).

A fact and the exchange in which it was told say one thing. Both may be worth showing: the fact is short and
dated, the exchange has the words. They count once. So does a summary beside something better that was said in
its window: it says the same less exactly, at more length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from omoide.domain.model import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from omoide.stores.index.scope_index import Snapshot

    Rests = Callable[[Sequence[int]], Mapping[int, Sequence[int]]]
    Ranked = list[tuple[int, float]]
    Sharing = list[tuple[int, tuple[int, float]]]

CLAIMS = frozenset(tuple(Kind).index(kind) for kind in (Kind.FACT, Kind.STATEMENT, Kind.PLAN, Kind.GUIDANCE))
"""Kinds of what is drawn from an exchange, as the index numbers them."""

_EPISODE = tuple(Kind).index(Kind.EPISODE)
_SUMMARY = tuple(Kind).index(Kind.SUMMARY)


def by_place(snapshot: Snapshot, ranked: Ranked, rests: Rests) -> tuple[Ranked, Sharing]:
    """What takes a place of its own, and what shares which place with something better; each best first.

    A claim shares the place of what rests on all of its messages; an exchange that of a claim that rests on
    it alone; a summary that of whatever rests on its window alone. What shares a place takes in nothing else:
    of an exchange whose question is told by a claim, the answer has a place of its own.

    Args:
        snapshot: the scope's index.
        ranked: rows with their scores, best first.
        rests: looks up the messages that memories rest on, by number.
    """
    rows = [row for row, _ in ranked]
    kinds = snapshot.rows["kind"][rows].tolist()
    if CLAIMS.isdisjoint(kinds):
        return ranked, []
    numbers = np.asarray(snapshot.rows["number"][rows]).tolist()
    resting = rests(numbers)
    own: Ranked = []
    sharing: Sharing = []
    told: list[_Told] = []
    for one, kind, number in zip(ranked, kinds, numbers, strict=True):
        said = frozenset(resting.get(number, ()))
        place = _place(kind, said, told)
        if place is not None:
            sharing.append((place, one))
        else:
            place = len(own)
            own.append(one)
            if kind == _EPISODE:
                told.append(_Told(kind, said, place))
        if kind in CLAIMS:
            told.append(_Told(kind, said, place))
    return own, sharing


class _Told(NamedTuple):
    kind: int
    said: frozenset[int]
    place: int


def _place(kind: int, said: frozenset[int], told: Sequence[_Told]) -> int | None:
    """The place of what says the same already; None where nothing does."""
    if not said:
        return None
    if kind in CLAIMS:
        return next((one.place for one in told if said <= one.said), None)
    able = CLAIMS if kind == _EPISODE else {*CLAIMS, _EPISODE} if kind == _SUMMARY else frozenset()
    return next((one.place for one in told if one.kind in able and one.said and one.said <= said), None)
