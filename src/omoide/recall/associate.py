"""From what came to mind to what is tied to it, with a weight that fades at every step (K8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from omoide.domain.feeling_kinds import told
from omoide.domain.links import STRENGTH, Link, LinkKind, strength
from omoide.recall.choice import Choice, Step
from omoide.recall.result import Slot, Why

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from omoide.recall.choice import Lists
    from omoide.stores.store import Recalling

SEEDS: Final = 8
"""The best memories that lead on."""

HOPS: Final = 2
_WIDTH: Final = 8
"""Memories that lead on from each hop at most."""

_LOOKED: Final = 4
"""Memories that are compared for each place that is given away."""

_FADES: Final = 0.9
"""What is left of a weight after each step."""

_NEXT: Final = 0.8
"""What each of the best memories leads on by, next to the one before it."""

_LEAST: Final = 0.1
"""A memory that less leads to stays away."""

_SHARE: Final = 3
"""Of so many memories of a recall one may come by links, where the message tells something."""

_SHARE_ASKED: Final = 6
"""The same where it asks, with what a place is held for: a question names what it looks for, and search
answers it."""

_BY_CHANCE: Final = frozenset({LinkKind.SIMILAR, LinkKind.FOLLOWS})
"""Ties that lead on from what was led to already. From what was searched for, they lead to what search ranks
better by itself: in plain talk, where nothing else ties memories, they would cost answers (measured)."""

_SEARCHED: Final = (Slot.SEARCH, Slot.TIME)
_FELT: Final = 24
"""Memories that felt as the message does, of which no more lead on."""


@dataclass(slots=True)
class _Reached:
    """How strongly a memory is led to, and the strongest way, the last step first."""

    weight: float
    way: tuple[Step, ...]


def with_linked(
    now: Recalling,
    chosen: Sequence[Choice],
    lists: Lists,
    *,
    message: str,
    limit: int,
    asks: bool,
    same: float | None,
) -> list[Choice]:
    """What was chosen, the last places of what was searched for given to what is strongly tied to the best.

    Args:
        now: the scope.
        chosen: best first.
        lists: what each list says of each row.
        message: what was said.
        limit: memories at most.
        asks: whether the message asks something, rather than tells it.
        same: the cosine from which two memories say the same; None without vectors.
    """
    held = sum(choice.why.slot is Slot.IMPORTANCE for choice in chosen)
    most = max(0, limit // _SHARE_ASKED - held) if asks else limit // _SHARE
    if not chosen or not most or not (now.linked or now.feels):
        return list(chosen)
    reached = _Walk(now, lists, chosen).reached(message)
    searched = [choice for choice in chosen if choice.why.slot in _SEARCHED]
    beside = [choice for choice in chosen if choice.why.slot not in _SEARCHED]
    limit -= held
    kept = searched[: max(1, limit - most)]
    known = {choice.row for choice in (*kept, *beside)}
    rest = {choice.row: choice for choice in searched if choice.row not in known}
    strong = sorted(
        ((row, found) for row, found in reached.items() if row not in known and found.weight >= _LEAST),
        key=lambda one: (-one[1].weight, one[0]),
    )
    new = _once(now, [choice.row for choice in (*kept, *beside)], [row for row, _ in strong], same, most=most)
    linked = [_choice(row, reached[row], rest.get(row)) for row in new]
    if not linked:
        return list(chosen)
    came = set(new)
    unlinked = [choice for row, choice in rest.items() if row not in came]
    return [*kept, *unlinked[: limit - len(kept) - len(linked)], *linked, *beside]


def _once(
    now: Recalling, known: Sequence[int], rows: Sequence[int], same: float | None, *, most: int
) -> list[int]:
    """The first rows that say something else than those before them."""
    if same is None or not rows:
        return list(rows[:most])
    looked = rows[: most * _LOOKED]
    vectors = now.vectors([*known, *looked])
    alike = vectors @ vectors.T >= same
    held = list(range(len(known)))
    kept: list[int] = []
    for place, row in enumerate(looked, start=len(known)):
        if len(kept) == most:
            break
        if not alike[place, held].any():
            held.append(place)
            kept.append(row)
    return kept


def _choice(row: int, found: _Reached, searched: Choice | None) -> Choice:
    if searched is not None:
        return replace(searched, way=found.way)
    why = Why(meaning=None, words=None, decay=1.0, score=found.weight, slot=Slot.LINK)
    return Choice(row=row, why=why, way=found.way)


class _Walk:
    """One walk along the links of a scope, from the best memories on."""

    def __init__(self, now: Recalling, lists: Lists, chosen: Sequence[Choice]) -> None:
        self._now = now
        self._allowed = lists.allowed
        self._chosen = chosen
        self._places: Mapping[int, int] = now.snapshot.places
        self._numbers = now.snapshot.rows["number"]

    def reached(self, message: str) -> dict[int, _Reached]:
        """How strongly each row is led to, by its number in the index."""
        found: dict[int, _Reached] = {}
        edge = self._seeds()
        walked = set(edge)
        self._feel(message, edge, found)
        for _ in range(HOPS):
            nearest = sorted(edge, key=lambda row: -edge[row].weight)[:_WIDTH]
            edge = self._hop({row: edge[row] for row in nearest}, besides=walked)
            walked |= edge.keys()
            for row, one in edge.items():
                _put(found, row, one)
        return found

    def _seeds(self) -> dict[int, _Reached]:
        """The best memories that were searched for, each a little weaker than the one before it."""
        found = [one for one in self._chosen if one.why.slot in (*_SEARCHED, Slot.SHARED)]
        best = sorted(found, key=lambda one: -one.why.score)[:SEEDS]
        return {one.row: _Reached(_NEXT**rank, ()) for rank, one in enumerate(best)}

    def _feel(self, message: str, edge: dict[int, _Reached], found: dict[int, _Reached]) -> None:
        """Let what felt as the message does lead on too."""
        kind = told(message)
        numbers = [] if kind is None else self._now.unit.links.felt(kind)
        weight = strength(LinkKind.FEELING, shared_by=len(numbers))
        for number in numbers[-_FELT:]:
            row = self._places.get(number)
            if row is not None and self._allowed[row]:
                searched = edge.get(row)
                one = _Reached(weight, (Step(LinkKind.FEELING, None, weight),))
                found[row] = one
                edge[row] = one if searched is None else _Reached(max(weight, searched.weight), one.way)

    def _hop(self, edge: Mapping[int, _Reached], *, besides: set[int]) -> dict[int, _Reached]:
        found: dict[int, _Reached] = {}
        numbers = {int(self._numbers[row]): row for row in edge}
        for link in (*self._now.unit.links.of(list(numbers)), *self._following(edge)):
            row, start = self._places.get(link.end), edge[numbers[link.start]]
            if row is None or row in besides or not self._allowed[row]:
                continue
            if link.kind in _BY_CHANCE and not start.way:
                continue
            weight = start.weight * link.weight * _FADES * self._ease(row)
            _put(found, row, _Reached(weight, (Step(link.kind, link.start, link.weight), *start.way)))
        return found

    def _ease(self, row: int) -> float:
        """How easily a memory comes to mind, 0 to 1: sooner what weighs more, which others come of."""
        return float(self._now.snapshot.rows["importance"][row]) / 10.0

    def _following(self, rows: Iterable[int]) -> Iterator[Link]:
        """What was said just before and after, which the index knows by itself."""
        for row in rows:
            for other in (self._now.snapshot.before[row], self._now.snapshot.after[row]):
                if other >= 0:
                    ends = int(self._numbers[row]), int(self._numbers[other])
                    yield Link(*ends, LinkKind.FOLLOWS, STRENGTH[LinkKind.FOLLOWS])


def _put(found: dict[int, _Reached], row: int, one: _Reached) -> None:
    """Let several ways to a memory strengthen each other; the strongest explains it."""
    known = found.get(row)
    if known is None:
        found[row] = one
        return
    way = known.way if known.weight >= one.weight else one.way
    found[row] = _Reached(1.0 - (1.0 - known.weight) * (1.0 - min(1.0, one.weight)), way)
