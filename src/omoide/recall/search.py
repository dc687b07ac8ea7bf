"""Search by what memories hold, and by what a text has to do with them (K7, K8).

Unlike a recall it is asked for: it brings what fits, whether or not that would come to mind, and changes
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, Final

import numpy as np

from omoide.recall.filters import fits, people_of, readable
from omoide.recall.fuse import bm25, relevance
from omoide.recall.lists import sure_of
from omoide.recall.matches import Matches
from omoide.stores.index.refresh import state_of
from omoide.stores.search import Searching

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from omoide.domain.model import Memory
    from omoide.domain.query import Search
    from omoide.stores.index.block import Block
    from omoide.stores.index.scope_index import Snapshot
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Recalling, Store
    from omoide.stores.unit import Unit
    from omoide.words.analyse import Analyser

    FloatArray = NDArray[np.float32]

_IMPORTANCE_WEIGHT: Final = np.float32(0.1)
"""What a point of importance, of 10, adds to how near a memory is, in standard deviations of its meaning."""

_FEW: Final = 4
"""One row in so many: up to there it costs less to gather their vectors than to compare all."""

FRESH: Final = 32
"""Memories that a search has embedded first, so that what was just written is found."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """The newest memories that have no vector yet, by number."""

    numbers: tuple[int, ...]


class Searcher:
    """Searches scopes of a store.

    Args:
        store: where memories are.
        analyser: turns text into terms.
    """

    def __init__(self, store: Store, analyser: Analyser) -> None:
        self._store = store
        self._analyser = analyser

    def find(self, scope: ScopeRow, search: Search) -> list[Memory]:
        """The memories that fit, in order; the text of the search is not looked at."""
        with self._store.read(scope) as unit:
            names, sessions = self._names(unit)
            numbers = self._searching(unit).numbers(search, people=people_of(unit, search, names))
            return _opened(unit, numbers, names, sessions)

    def near(
        self,
        scope: ScopeRow,
        search: Search,
        *,
        vector: FloatArray | None,
        fresh: Block | None = None,
        wait: bool = False,
    ) -> Matches | Lacking:
        """Of the memories that fit those that have most to do with the text, important ones sooner.

        Args:
            scope: whose memory.
            search: what is asked for. Where it has an order, what was found comes in it.
            vector: of the text; None without an embedder, where memories have to share words with it.
            fresh: vectors of memories that the store does not hold yet.
            wait: whether memories without a vector are to be embedded first.
        """
        with self._store.recalling(scope, fresh=fresh) as now:
            if wait and now.snapshot.missing:
                return Lacking(_newest_missing(now.snapshot))
            people = people_of(now.unit, search, now.names)
            searching = self._searching(now.unit)
            numbers = self._nearest(now, search, self._fitting(now, searching, search, people), vector)
            if search.order:
                numbers = searching.numbers(search, people=people, among=numbers)
            found = _opened(now.unit, numbers, now.names, now.sessions)
            return Matches(found, degraded=(*now.trouble, *now.lacking))

    def _fitting(
        self, now: Recalling, searching: Searching, search: Search, people: Sequence[int]
    ) -> NDArray[np.intp]:
        """The rows of the index that fit; the store is asked only for what the index does not know."""
        beyond = replace(search, at=None, importance=None, confidence=None, kinds=(), layers=(), place=None)
        if beyond.narrows:
            return _rows_of(now.snapshot, searching.matching(search, people=people))
        now_so = readable(now.snapshot, now=now.unit.now, as_of=None)
        return np.flatnonzero(fits(search, now.unit, now.snapshot) & now_so)

    def _nearest(
        self, now: Recalling, search: Search, rows: NDArray[np.intp], vector: FloatArray | None
    ) -> list[int]:
        """Numbers of the best of these rows, best first."""
        snapshot, blinder = now.snapshot, now.unit.scope.blinder
        hits = snapshot.terms(blinder.blind_each(self._analyser.query(search.text)))
        words = bm25(hits, snapshot.lengths)
        meaning = _meaning(now, rows, vector, words)
        words = words[rows]
        bears = (words > 0) | ~np.isnan(meaning)
        rows, words, meaning = rows[bears], words[bears], meaning[bears]
        scores = relevance(meaning, words) + _IMPORTANCE_WEIGHT * snapshot.rows["importance"][rows]
        if len(rows) > search.limit:
            best = np.argpartition(-scores, search.limit)[: search.limit]
            rows, scores = rows[best], scores[best]
        numbers = snapshot.rows["number"][rows]
        found: list[int] = numbers[np.lexsort((-numbers, -scores))].tolist()
        return found

    def _searching(self, unit: Unit) -> Searching:
        store = self._store
        return Searching(unit.connection, unit.scope, lambda: store.events(unit.connection), now=unit.now)

    def _names(self, unit: Unit) -> tuple[Mapping[int, str], Mapping[int, str]]:
        """The names of people and sessions; those at hand, where nothing has changed since."""
        known = self._store.known(unit.scope)
        if known is not None and known.is_current(state_of(unit)):
            return known.names, known.sessions
        return self._store.names(unit), unit.sessions.names()


def _meaning(
    now: Recalling, rows: NDArray[np.intp], vector: FloatArray | None, words: FloatArray
) -> FloatArray:
    """Cosines of these rows with the text; exact where they are few, in however large a scope."""
    if vector is None or len(rows) * _FEW > len(now.snapshot.rows):
        if vector is None or now.index.in_process:  # which guesses nothing
            return now.nearness(vector)[rows]
        fitting = np.zeros(len(now.snapshot.rows), dtype=np.bool_)
        fitting[rows] = True
        return now.nearness(vector, sure=sure_of(now, fitting, words))[rows]
    vectors = now.vectors(rows)
    if vectors.shape[1] != len(vector):
        return np.full(len(rows), np.nan, dtype=np.float32)
    return vectors @ vector


def _rows_of(snapshot: Snapshot, numbers: Sequence[int]) -> NDArray[np.intp]:
    """The rows of these memories, in order; without those that the index does not hold."""
    rows = np.fromiter(map(snapshot.places.get, numbers, repeat(-1)), dtype=np.intp, count=len(numbers))
    return np.sort(rows[(rows >= 0) & (rows < len(snapshot.rows))])


def _opened(
    unit: Unit, numbers: Sequence[int], names: Mapping[int, str], sessions: Mapping[int, str]
) -> list[Memory]:
    found = unit.memories.open(numbers, names=names, sessions=sessions, shut=set())
    return [opened.memory for opened in found]


def _newest_missing(snapshot: Snapshot) -> tuple[int, ...]:
    missing = snapshot.rows["number"][snapshot.rows["alive"] & ~snapshot.embedded]
    return tuple(np.sort(missing)[::-1][:FRESH].tolist())
