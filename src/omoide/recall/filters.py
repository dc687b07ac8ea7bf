"""Structured filters: what may be recalled at all, in the language of searches (K7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from omoide.domain.bounds import as_given, bounds
from omoide.domain.diary import HIGHEST_SCORE
from omoide.domain.instants import NO_TIME, check_time
from omoide.domain.query import Search, search
from omoide.errors import InvalidInput
from omoide.stores.index.scope_index import KINDS, LAYERS, place_number
from omoide.stores.lookups import place_tag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from omoide.domain.bounds import Numbers
    from omoide.domain.layer import Layer
    from omoide.domain.model import Kind
    from omoide.stores.index.scope_index import Snapshot
    from omoide.stores.store import Recalling
    from omoide.stores.unit import Unit


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """Narrows a recall, written as a search is (docs/search.md); whatever is left out allows everything.

    Attributes:
        kinds: only memories of these kinds.
        layers: only memories that the character knows in these ways.
        since, until: only what happened in this time, the end left out; aware.
        importance: 1 to 10, such as ``"4..7"``; a bare number means at least so much.
        people: one of them takes part, speaks, or is whom it is about; ids or names, up to 100.
        place: only what happened there.
        emotion: scores by name, 0 to 10, such as ``{"frustration": ">7"}`` or ``["frustration>7"]``; a bare
            number means at least so much.
        search: what all of that asks for.
    """

    kinds: Kind | str | Iterable[Kind | str] = ()
    layers: Layer | str | Iterable[Layer | str] = ()
    since: datetime | None = None
    until: datetime | None = None
    importance: Numbers | None = None
    people: str | Iterable[str] = ()
    place: str | None = None
    emotion: Mapping[str, Numbers] | str | Iterable[str] | None = None
    search: Search = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        times: tuple[tuple[str, object], ...] = (("since", self.since), ("until", self.until))
        for name, at in times:
            if at is not None and not isinstance(at, datetime):
                msg = f"{name}={as_given(at)} is no time; give a datetime with its zone, such as tzinfo=UTC"
                raise InvalidInput(msg)
            check_time(at, name=name)
        emotion = self.emotion
        if isinstance(emotion, Mapping):
            emotion = {
                name: _at_least(value, name=name, least=0, most=HIGHEST_SCORE)
                for name, value in emotion.items()
            }
        importance = self.importance
        if importance is not None:
            importance = _at_least(importance, name="importance", least=1, most=10)
        asked = search(
            zone=UTC,  # which no time here needs
            kinds=self.kinds,
            layer=self.layers,
            since=self.since,
            until=self.until,
            importance=importance,
            people=self.people,
            place=self.place,
            emotion=() if emotion is None else emotion,
        )
        object.__setattr__(self, "search", asked)


def _at_least(value: Numbers, *, name: str, least: float, most: float) -> Numbers:
    """A bare number as the lower end that it means in a recall; whatever else as it is."""
    if not isinstance(value, int | float):
        return value
    return replace(bounds(value, name=name, least=least, most=most), high=None)


def fits(asked: Search, unit: Unit, snapshot: Snapshot) -> NDArray[np.bool_]:
    """Which rows of the index fit by what it knows of them: all but people, scores, ages and events."""
    rows = snapshot.rows
    fitting = np.ones(len(rows), dtype=np.bool_)
    if asked.kinds:
        fitting &= np.isin(rows["kind"], [KINDS.index(kind) for kind in asked.kinds])
    if asked.layers:
        fitting &= np.isin(rows["layer"], [LAYERS.index(layer) for layer in asked.layers])
    for limits, values, unknown in (
        (asked.at, rows["at"], NO_TIME),
        (asked.importance, rows["importance"], None),
        (asked.confidence, rows["confidence"], -1.0),
    ):
        if limits is None:
            continue
        if unknown is not None:
            fitting &= values != unknown
        if limits.low is not None:
            low = values.dtype.type(limits.low)
            fitting &= values > low if limits.above else values >= low
        if limits.high is not None:
            high = values.dtype.type(limits.high)
            fitting &= values < high if limits.below else values <= high
    if asked.place is not None:
        fitting &= snapshot.at_places == place_number(place_tag(unit.scope, asked.place))
    return fitting


def passing(now: Recalling, asked: Search) -> NDArray[np.bool_]:
    """Which rows of the index pass a recall's filter."""
    fitting = fits(asked, now.unit, now.snapshot)
    lookups, numbers = now.unit.lookups, now.snapshot.rows["number"]
    if asked.people:
        fitting &= np.isin(numbers, lookups.of_people(people_of(now.unit, asked, now.names)))
    for name, limits in asked.emotion:
        fitting &= np.isin(numbers, lookups.scored(name, limits))
    return fitting


def people_of(unit: Unit, asked: Search, names: Mapping[int, str]) -> list[int]:
    """The numbers of the people whom a search means, by id or by name."""
    if not asked.people:
        return []
    wanted = set(asked.people)
    return sorted({*unit.people.find(wanted), *(number for number, name in names.items() if name in wanted)})


def readable(snapshot: Snapshot, *, now: int, as_of: int | None) -> NDArray[np.bool_]:
    """Which rows may be recalled: what is valid now, or what was known at a past moment.

    The array is not to be written to.
    """
    rows = snapshot.rows
    at = now if as_of is None else as_of
    if as_of is None and (snapshot.expires is None or snapshot.expires > at):
        return snapshot.alive
    valid = (rows["valid_until"] == NO_TIME) | (rows["valid_until"] > at)
    if as_of is None:
        return np.asarray(rows["alive"] & valid)
    known = np.where(rows["at"] != NO_TIME, rows["at"], rows["position"]) <= as_of
    known &= rows["origin_rule"] | (rows["position"] <= as_of)  # a correction is new, what it is about is old
    still = (rows["retired_at"] == NO_TIME) | (rows["retired_at"] > as_of)
    return np.asarray((rows["alive"] | rows["retired"]) & valid & known & still)
