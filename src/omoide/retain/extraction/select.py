"""Which of the known items a model is shown: those that what is said may confirm, close or overturn."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from math import fsum, log1p, sqrt
from typing import TYPE_CHECKING

from omoide.domain.grounding.claims import content
from omoide.domain.loose_times import last_day
from omoide.domain.model import PlanState
from omoide.domain.text import fold, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from omoide.retain.extraction.view import Known, View

SHOWN = 24
"""Known items that the model is shown at most."""

BY_MEANING = 8
"""Of these, so many come by their meaning alone."""

ROOM = 480
"""Tokens that their words take at most."""

_NEAR = 0.15
"""What a standard deviation of nearness in meaning counts, where all words in common count 1."""

_NAMED = 0.25
_SOON, _COME, _OVER = 0.5, 1.0, -0.5
"""What a plan's day counts when it is near, when it came since the last talk, and what being over does."""

_NEAR_DAYS = timedelta(days=14)
_PAST_DAYS = timedelta(days=3)
"""Days after which an open plan of which nobody speaks takes no place any more."""

_CLEARLY = 1.0
"""Standard deviations of nearness in meaning from which a window speaks of something without its words."""

_TIED = 0.5
"""What an item gets of the score of another that tells of the same matter."""

_LEADING = 6
"""Items of the highest scores that lead to others."""


def select(known: Sequence[Known], view: View, *, near: Mapping[int, float]) -> list[Known]:
    """The items that bear on what is said, in the order of the log.

    An item counts by the words that it shares with what is said, rare ones more; by its nearness in meaning;
    by the day of its plan and the names that were said; and by sharing words with an item that counts much,
    for what is said about one matter may overturn all that is known of it. Behind those of the highest scores
    come those nearest in meaning, for what is said may overturn what shares no word with it. An open plan
    whose day is past for some days takes a place only if something is said of it.

    Args:
        known: all that were compared.
        view: what is said.
        near: how near each is to the nearest message, by number: 0 on the average, in standard deviations.
    """
    said = content(" ".join(line.text for line in view.lines))
    known = [one for one in known if not _stale(one, view) or _touched(one, said, near)]
    pieces = {one.number: content(one.text) for one in known}
    weight = _weights(pieces.values())
    folded = fold(" ".join(line.text for line in view.lines))
    score = {
        one.number: _shared(pieces[one.number], said, weight)
        + _NEAR * near.get(one.number, 0.0)
        + _day(one, view)
        + _named(one, view, folded)
        for one in known
    }
    led = {number: score[number] + _TIED * _lead(number, pieces, score, weight) for number in score}
    ranked = sorted(known, key=lambda one: (-led[one.number], -one.number))
    best, rest = ranked[: SHOWN - BY_MEANING], ranked[SHOWN - BY_MEANING :]
    nearest = sorted(rest, key=lambda one: -near.get(one.number, 0.0))[:BY_MEANING]
    return sorted(_fitting([*best, *nearest]), key=lambda one: one.position)


def _weights(pieces: Iterable[AbstractSet[str]]) -> dict[str, float]:
    """How much a piece tells: the more, the fewer items hold it."""
    everything = list(pieces)
    counts = Counter(piece for each in everything for piece in each)
    return {piece: log1p(len(everything) / count) for piece, count in counts.items()}


def _shared(pieces: AbstractSet[str], said: AbstractSet[str], weight: Mapping[str, float]) -> float:
    """The share of an item's content that was said, 0 to 1."""
    whole = fsum(weight[piece] for piece in pieces)
    return fsum(weight[piece] for piece in pieces & said) / whole if whole else 0.0


def _lead(
    number: int,
    pieces: Mapping[int, AbstractSet[str]],
    score: Mapping[int, float],
    weight: Mapping[str, float],
) -> float:
    """What an item that counts more has ahead, by how much of their content the two have in common."""
    leading = sorted(score, key=lambda one: -score[one])[:_LEADING]
    return max(
        (
            (score[one] - score[number]) * _tie(pieces[number], pieces[one], weight)
            for one in leading
            if score[one] > score[number]
        ),
        default=0.0,
    )


def _tie(one: AbstractSet[str], other: AbstractSet[str], weight: Mapping[str, float]) -> float:
    sums = [fsum(weight[piece] for piece in pieces) for pieces in (one, other, one & other)]
    return sums[2] / sqrt(sums[0] * sums[1]) if sums[0] and sums[1] else 0.0


def _named(known: Known, view: View, said: str) -> float:
    """What it adds that somebody is spoken of whom an item is about."""
    own = known.subject in (None, view.user, view.character)
    return 0.0 if own or not known.name or fold(known.name) not in said else _NAMED


def _day(known: Known, view: View) -> float:
    """What the day of an open plan adds, most where it came since the last talk; one that is over loses."""
    if known.state in (PlanState.DONE, PlanState.DROPPED):
        return _OVER
    if known.state is not PlanState.OPEN or known.due is None:
        return 0.0
    before = next((line.at for line in reversed(view.context) if line.at is not None), None)
    if before is not None and before <= known.due.at <= view.now:
        return _COME
    return _SOON if abs(known.due.at - view.now) <= _NEAR_DAYS else 0.0


def _stale(known: Known, view: View) -> bool:
    """Whether the day of an open plan is past for some days, and was so at the last talk already."""
    if known.state is not PlanState.OPEN or known.due is None or _day(known, view) == _COME:
        return False
    return last_day(known.due.at.date(), known.due.precision) < view.now.date() - _PAST_DAYS


def _touched(known: Known, said: AbstractSet[str], near: Mapping[int, float]) -> bool:
    """Whether something is said of what is known, in its words or clearly in their meaning."""
    return bool(content(known.text) & said) or near.get(known.number, 0.0) >= _CLEARLY


def _fitting(best: Sequence[Known]) -> list[Known]:
    """As many of the best as there is room for."""
    kept: list[Known] = []
    room = ROOM
    for one in best:
        room -= tokens(one.text)
        if room < 0:
            break
        kept.append(one)
    return kept
