"""Tying new memories to earlier ones of their scope, by what they share and by what they say (K8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from omoide.domain.feeling_kinds import FELT_FROM, KINDS, kind_of
from omoide.domain.links import MOST, STRENGTH, Link, LinkKind, strength
from omoide.stores.grounds import grounds
from omoide.stores.index.block import Block
from omoide.stores.index.refresh import state_of
from omoide.stores.lookups import place_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from omoide.domain.embedding import Thresholds
    from omoide.domain.records import Draft
    from omoide.stores.links import Links, Sharing
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Recalling, Store
    from omoide.stores.unit import Unit

_LEAST: Final = 0.1
"""A weaker tie is none: so many memories share what it is made of."""

_SIMILAR: Final = 3
"""Earlier memories that one is tied to because they say something similar."""

COMPARED: Final = 8_192
"""The newest memories of a scope that a new one is compared with, so that a file of many costs no hours."""

_AT_A_TIME: Final = 64

_FETCHED: Final = 24
"""Memories from which on it costs less to fetch what they are compared with than to ask an index for each."""


@dataclass(frozen=True, slots=True)
class _Shared:
    """Something that memories share: an event, a place, a person or a feeling."""

    kind: LinkKind
    what: int | bytes | str


def link(unit: Unit, drafts: Sequence[Draft], numbers: Sequence[int]) -> None:
    """Tie memories that were just written to earlier ones of the scope, and to each other.

    Args:
        unit: the transaction that wrote them.
        drafts: what was written.
        numbers: under which numbers, in the same order.
    """
    if not numbers:
        return
    tying = _Tying(unit, before=min(numbers))
    felt = unit.links.feelings_of([message for draft in drafts for message, _, _ in draft.evidence])
    found: list[Link] = []
    for draft, number in sorted(zip(drafts, numbers, strict=True), key=lambda pair: pair[1]):
        moods = [emotion for message, _, _ in draft.evidence for emotion in felt.get(message, ())]
        found += tying.tie(number, draft.importance, list(tying.shared(draft, moods)))
    unit.links.add(found)


def link_felt(unit: Unit, numbers: Sequence[int]) -> None:
    """Tie memories to earlier ones that felt alike, once it is known what was felt."""
    done = unit.links.linked(numbers, LinkKind.FEELING) if numbers else set()
    standing = unit.memories.standing([number for number in numbers if number not in done])
    felt = unit.links.feelings_of([message for one in standing for message in one.evidence])
    if not felt:
        return
    for one in standing:
        kinds = {kind_of(emotion) for message in one.evidence for emotion in felt.get(message, ())}
        tying = _Tying(unit, before=one.id)
        unit.links.add(tying.tie(one.id, 0.0, [_Shared(LinkKind.FEELING, kind) for kind in sorted(kinds)]))
    unit.memories.stamp(
        [one.id for one in standing], change=unit.change()
    )  # caches learn that there are links


def link_missing(unit: Unit) -> int:
    """Tie the memories of a scope that nothing ties to earlier ones, as those of before there were links.

    Returns:
        How many are tied now that were not.
    """
    every = grounds(unit)
    done = unit.links.begun([ground.number for ground in every])
    if len(done) == len(every):
        return 0
    felt = unit.links.feelings_of([message for ground in every for message in ground.messages])
    tying, found = _Tying(unit, before=0), dict[int, list[Link]]()
    for ground in every:  # all of them, in their order: what is tied already is there to be tied to
        moods = [emotion for message in ground.messages for emotion in felt.get(message, ())]
        shared = list(
            tying.held(ground.event, ground.place, ground.people, (*_strong(ground.scores), *moods))
        )
        ties = tying.tie(ground.number, ground.importance, shared)
        if ties and ground.number not in done:
            found[ground.number] = ties
    unit.links.add([link for ties in found.values() for link in ties])
    if found:
        unit.memories.stamp(sorted(found), change=unit.change())  # caches learn that there are links
    return len(found)


class _Tying:
    """What the memories of a scope share, as far as one call has looked it up."""

    def __init__(self, unit: Unit, *, before: int) -> None:
        self._links: Links = unit.links
        self._before = before
        self._own = unit.links.own_people()
        self._known: dict[_Shared, Sharing] = {}
        self._scope = unit.scope

    def shared(self, draft: Draft, moods: Sequence[str]) -> Iterator[_Shared]:
        """What a memory about to be written may share with others."""
        place = None if draft.place is None else place_tag(self._scope, draft.place)
        people = (*draft.involved, draft.subject, *(person for person, _ in draft.observations))
        yield from self.held(draft.event, place, people, (*_strong(draft.scores), *moods))

    def held(
        self, event: int | None, place: bytes | None, people: Iterable[int | None], felt: Iterable[str]
    ) -> Iterator[_Shared]:
        """What memories may share: an event and people by number, a place by its tag, feelings by name."""
        if event is not None:
            yield _Shared(LinkKind.EVENT, event)
        if place is not None:
            yield _Shared(LinkKind.PLACE, place)
        # In an order of their own, so that the same memories are always tied alike.
        for person in sorted({one for one in people if one is not None} - self._own):
            yield _Shared(LinkKind.PERSON, person)
        for kind in sorted(set(map(kind_of, felt))):
            yield _Shared(LinkKind.FEELING, kind)

    def tie(self, number: int, importance: float, shared: Sequence[_Shared]) -> list[Link]:
        """The links of one memory, each to another: the strongest kind names it, others strengthen it."""
        tied: dict[int, Link] = {}
        for what in shared:
            sharing = self._sharing(what)
            weight = strength(what.kind, shared_by=sharing.count)
            for end in sharing.ends() if weight >= _LEAST else ():
                tied[end] = _stronger(tied.get(end), Link(number, end, what.kind, weight))
            sharing.join(number, importance)
        return sorted(tied.values(), key=lambda one: -one.weight)[:MOST]

    def _sharing(self, shared: _Shared) -> Sharing:
        known = self._known.get(shared)
        if known is None:
            known = self._known[shared] = self._looked_up(shared)
        return known

    def _looked_up(self, shared: _Shared) -> Sharing:
        match shared:
            case _Shared(LinkKind.EVENT, int(event)):
                return self._links.of_event(event, before=self._before)
            case _Shared(LinkKind.PLACE, bytes(tag)):
                return self._links.of_place(tag, before=self._before)
            case _Shared(LinkKind.PERSON, int(person)):
                return self._links.of_person(person, before=self._before)
            case _:
                return self._links.of_feeling(str(shared.what), before=self._before)


def _stronger(known: Link | None, new: Link) -> Link:
    if known is None:
        return new
    strongest = known if known.weight >= new.weight else new
    weight = 1.0 - (1.0 - known.weight) * (1.0 - new.weight)
    return Link(new.start, new.end, strongest.kind, weight)


def _strong(scores: Iterable[tuple[str, float]]) -> list[str]:
    """The names of the feelings that a memory is of; joy only where nothing hard was felt."""
    felt = [name for name, value in scores if value >= FELT_FROM and kind_of(name) in KINDS]
    hard = [name for name in felt if kind_of(name) != "joy"]
    return hard or felt


def similar(now: Recalling, block: Block, *, thresholds: Thresholds) -> list[Link]:
    """Links from memories to earlier ones that say something similar, by their vectors.

    Args:
        now: the scope.
        block: the vectors of the memories that the links begin at.
        thresholds: similarities that mean something; what says the same ties nothing, for it comes as one.
    """
    snapshot = now.snapshot
    compared = np.flatnonzero(snapshot.embedded & snapshot.rows["alive"])[-COMPARED:]
    numbers = snapshot.rows["number"][compared]
    likenesses = _likenesses(now, compared, block)
    found: list[Link] = []
    for start in range(0, len(block.members), _AT_A_TIME):
        members = block.members[start : start + _AT_A_TIME]
        likeness = likenesses(slice(start, start + _AT_A_TIME))
        likeness[(numbers[None, :] >= members[:, None]) | (likeness >= thresholds.same)] = -1.0
        found += _most_like(members, numbers, likeness, thresholds.alike)
    return found


def similar_missing(store: Store, scope: ScopeRow, *, thresholds: Thresholds) -> int:
    """Tie memories that have vectors, and no tie by what they say, to earlier ones that say similar things.

    Returns:
        How many are tied now that were not.
    """
    with store.recalling(scope) as now:
        rows = np.flatnonzero(now.snapshot.embedded & now.snapshot.rows["alive"])
        numbers = now.snapshot.rows["number"][rows]
        done = now.unit.links.linked(numbers.tolist(), LinkKind.SIMILAR)
        lacking = np.array([place for place, one in enumerate(numbers.tolist()) if one not in done], np.intp)
        vectors = now.vectors(rows[lacking])
        if not vectors.size:
            return 0
        found = similar(now, Block(numbers[lacking], vectors), thresholds=thresholds)
    with store.write(scope) as unit:
        state_of(unit)  # raises if the scope is gone, whose number another one may have by now
        unit.links.replace(found, LinkKind.SIMILAR)
    return len({link.start for link in found})


def _likenesses(
    now: Recalling, compared: NDArray[np.intp], block: Block
) -> Callable[[slice], NDArray[np.float32]]:
    """Compares some of a block's vectors with those rows: here, or by an index that holds copies of them."""
    if not now.index.in_process and len(block.members) < _FETCHED:
        return lambda part: np.stack(
            [now.nearness(vector, sure=compared)[compared] for vector in block.vectors[part]]
        )
    others = now.vectors(compared)
    if others.shape[1] != block.vectors.shape[1]:
        return lambda part: np.full((len(block.vectors[part]), len(compared)), np.nan, dtype=np.float32)
    return lambda part: block.vectors[part] @ others.T


def _most_like(
    members: NDArray[np.int64], numbers: NDArray[np.int64], likeness: NDArray[np.float32], alike: float
) -> list[Link]:
    """The few of these memories that are most like each member, where they are alike at all."""
    found = []
    for place in np.flatnonzero((likeness >= alike).any(axis=1)).tolist():
        row = likeness[place]
        for other in np.argsort(-row)[:_SIMILAR].tolist():
            if row[other] >= alike:
                share = (float(row[other]) - alike) / (1.0 - alike)
                weight = STRENGTH[LinkKind.SIMILAR] * (0.5 + 0.5 * min(1.0, share))
                found.append(Link(int(members[place]), int(numbers[other]), LinkKind.SIMILAR, weight))
    return found
