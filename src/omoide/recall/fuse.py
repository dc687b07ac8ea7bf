"""How likenesses of meaning and of words become one order: pure arithmetic over the rows of a scope.

A row is a memory. All arrays of one scope have one length, and scores stay with their rows: fusing orders,
it never adds or drops one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from omoide.stores.index.inverted import Hits

    Floats = NDArray[np.float32]
    Rows = NDArray[np.integer]
    Flags = NDArray[np.bool_]

SATURATION = 1.2
"""BM25's k1: how soon more of the same term adds nothing."""

LENGTH_SHARE = 0.4
"""BM25's b: how much a long text pays for its length. Talk varies in length more than in worth."""

COMMON_SHARE = 0.2
LARGE_SCOPE = 2_000
"""In a scope of more rows than this, terms that more than `COMMON_SHARE` of them hold are skipped."""

NAMED = 1.5
"""What a row gains that is said by, or about, the one person whom the query names, in standard deviations."""

CANDIDATES = 20
"""How many rows of each list the published fusion looks at (P9)."""

RANK_OFFSET = 60
"""The constant of reciprocal rank fusion (P13)."""


class Fusion(StrEnum):
    """How the lists become one: as measured best, or as published (P10, P13)."""

    STANDARD = "standard"
    PUBLISHED = "published"


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """What the default fusion weighs, in standard deviations of meaning.

    Attributes:
        words: what a row is worth that holds all the query's terms.
        neighbour: the share of the difference by which a better neighbour lifts a row.
        reach: how many rows away a neighbour may be.
        session: the share of its session's best score that lifts every row of it.
    """

    words: float = 4.5
    neighbour: float = 0.2
    reach: int = 2
    session: float = 0.2


DEFAULT_WEIGHTS = Weights()
TOLD_WEIGHTS = Weights(neighbour=0.1, session=0.0)
"""For a message that tells something: it has no answer that would stand beside what is like it."""


def bm25(hits: Hits, lengths: Floats) -> Floats:
    """Score the rows of a scope by the terms of a query, from 0 (none of them) towards 1 (all, often).

    It is BM25 divided by the most that a row could reach, so that scores of different queries compare.

    Args:
        hits: where the scope holds the terms of the query.
        lengths: the sum of all frequencies of each row.
    """
    size = lengths.size
    most = size if size <= LARGE_SCOPE else COMMON_SHARE * size
    counts, terms, rows, often = hits.counts, hits.terms, hits.rows, hits.often
    counted = (counts > 0) & (counts <= most)
    if not counted.any():
        return np.zeros(size, dtype=np.float32)
    if counts.max() > most:
        kept = counted[terms]
        terms, rows, often = terms[kept], rows[kept], often[kept]
    rarities = np.where(counted, rarity(counts, size), 0.0)
    mean = float(lengths.sum() / size)
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE / (mean or 1.0) * lengths)
    gains = rarities[terms] * often / (often + damping[rows])
    scores: Floats = (np.bincount(rows, weights=gains, minlength=size) / rarities.sum()).astype(np.float32)
    return scores


def rarity(counts: Rows, size: int) -> NDArray[np.float64]:
    """How much terms tell that so many rows of a scope hold: BM25's inverse document frequency."""
    weights: NDArray[np.float64] = np.log1p((size - counts + 0.5) / (counts + 0.5))
    return weights


def standard(
    meaning: Floats,
    words: Floats,
    *,
    before: Rows,
    after: Rows,
    session: Rows,
    named: Flags | None = None,
    gain: float = NAMED,
    weights: Weights = DEFAULT_WEIGHTS,
) -> Floats:
    """The default fusion: the higher, the sooner recalled.

    Meaning counts in standard deviations, words by how well their best match fits. The sum lifts the
    neighbours of good rows, for an answer seldom repeats the words of its question, and a little the whole
    session, for talk stays with its topic; it lowers none. Last, rows of the one named person rise.

    Args:
        meaning: cosine of the query with each row, NaN where a row has no vector.
        words: `bm25` of each row, 0 where it holds no term.
        before: the row that precedes each in its session, -1 for none.
        after: the row that follows each in its session, -1 for none.
        session: the number of each row's session, from 0; -1 for none.
        named: rows of the one known person that the query names; None where it names none or several.
        gain: what these rows gain.
        weights: what counts how much.
    """
    scores = relevance(meaning, words, weights=weights)
    for _ in range(weights.reach):
        scores = _lifted(scores, before, after, weights.neighbour)
    if weights.session:
        scores += np.float32(weights.session) * _session_best(scores, session)
    if named is not None:
        scores += np.float32(gain) * named
    return scores


def relevance(meaning: Floats, words: Floats, *, weights: Weights = DEFAULT_WEIGHTS) -> Floats:
    """How much each row has to do with the query by itself: meaning in standard deviations, and words.

    Args:
        meaning: cosine of the query with each row, NaN where a row has no vector.
        words: `bm25` of each row, 0 where it holds no term.
        weights: what words count.
    """
    scores = _standardised(meaning)
    most = words.max(initial=0)
    if most > 0:
        # Half-way between the plain share, too little for long queries, and the share of the best match,
        # which makes much of a lone match of a common word.
        scores += weights.words * words / np.sqrt(most)
    return scores


def published(
    meaning: Floats,
    words: Floats,
    *,
    age: Rows,
    decay: Floats | None = None,
    candidates: int = CANDIDATES,
) -> Floats:
    """Reciprocal rank fusion as published (P9, P10, P13); 0 for rows that are in neither list.

    Each list takes its best rows; decay multiplies their scores and so may re-order them; a row's score is
    the sum of 1 / (60 + rank) over the lists, with ranks from 0.

    Args:
        meaning: cosine of the query with each row, NaN where a row has no vector.
        words: score of each row by words, 0 where it holds no term.
        age: 0 for the newest row of the scope, greater for older ones; decides ties of words.
        decay: the factor of each row, in (0, 1]; none where nothing decays.
        candidates: how many rows each list takes.
    """
    by_meaning = np.argsort(-meaning, kind="stable")[:candidates]  # NaN sorts last
    by_words = np.lexsort((age, -words))[:candidates]
    fused = np.zeros(meaning.size, dtype=np.float64)
    for listed, scores in (
        (by_meaning[~np.isnan(meaning[by_meaning])], np.maximum(meaning, 0)),
        (by_words[words[by_words] > 0], words),
    ):
        faded = scores[listed] if decay is None else scores[listed] * decay[listed]
        order = listed[np.argsort(-faded, kind="stable")]
        fused[order] += 1 / (RANK_OFFSET + np.arange(order.size))
    return fused.astype(np.float32)


def decayed(scores: Floats, decay: Floats) -> Floats:
    """Let candidates of the default fusion fade, once they are chosen (ruling 8).

    Scores of the default are around 0, so they are shifted to 0 and up before the factor multiplies them.

    Args:
        scores: of the chosen candidates only, one or more.
        decay: the factor of each, in (0, 1].
    """
    faded: Floats = (scores - scores.min()) * decay
    return faded


def _standardised(scores: Floats) -> Floats:
    """Scores less their mean in standard deviations; 0, the mean, for rows without one."""
    unknown = np.isnan(scores)
    known = scores[~unknown] if unknown.any() else scores
    if not known.size:
        return np.zeros(scores.size, dtype=np.float32)
    mean = known.mean()
    from_mean = known - mean
    deviation = math.sqrt(float(from_mean @ from_mean) / known.size)
    if deviation == 0.0:
        return np.zeros(scores.size, dtype=np.float32)
    out: Floats = (scores - mean) / np.float32(deviation)
    if len(known) < len(scores):
        out[unknown] = 0.0
    return out


def _lifted(scores: Floats, before: Rows, after: Rows, share: float) -> Floats:
    """Each score, raised by a share of what its better neighbours have more."""
    padded = np.empty(len(scores) + 1, dtype=np.float32)
    padded[:-1], padded[-1] = scores, -np.inf  # -1, for no neighbour, leads to its end
    gains = np.maximum(padded[before] - scores, 0) + np.maximum(padded[after] - scores, 0)
    out: Floats = scores + np.float32(share) * gains
    return out


def _session_best(scores: Floats, session: Rows) -> Floats:
    """The best score in each row's session, 0 where even that is below the mean.

    A row without a session is one of its own, so that facts compete with talk on equal terms.
    """
    best = np.zeros(session.max(initial=-1) + 2, dtype=np.float32)
    np.maximum.at(best, session, scores)
    return np.where(session >= 0, best[session], np.maximum(scores, 0))
