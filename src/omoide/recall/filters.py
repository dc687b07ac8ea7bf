"""Structured filters: what may be recalled at all (K7 for the values that every memory has)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from omoide.domain.instants import NO_TIME, check_time, to_micros
from omoide.domain.layer import Layer
from omoide.domain.model import Kind, check_importance
from omoide.domain.text import is_blank, unstorable
from omoide.errors import InvalidInput
from omoide.stores.index.scope_index import place_number
from omoide.stores.lookups import place_tag

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from numpy.typing import NDArray

    from omoide.stores.index.scope_index import Snapshot
    from omoide.stores.unit import Unit

_KINDS = tuple(Kind)
_LAYERS = tuple(Layer)


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """Narrows a recall; whatever is left out allows everything.

    Attributes:
        kinds: only memories of these kinds.
        layers: only memories that the character knows in these ways.
        since, until: only what happened in this time, the end left out; aware.
        importance: at least so important, 1 to 10.
        people: only what these people said, or what is about them; stable ids.
        place: only what happened there.
        emotion: at least such a score, 0 to 10, by name.
    """

    kinds: frozenset[Kind] = frozenset()
    layers: frozenset[Layer] = frozenset()
    since: datetime | None = None
    until: datetime | None = None
    importance: float | None = None
    people: frozenset[str] = frozenset()
    place: str | None = None
    emotion: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        for name, at in (("since", self.since), ("until", self.until)):
            check_time(at, name=name)
        if self.importance is not None:
            check_importance(self.importance)
        for name, least in (self.emotion or {}).items():
            if is_blank(name) or unstorable(name) is not None:
                msg = f"a score has a name that can be read and stored, got {name!r}"
                raise InvalidInput(msg)
            if not 0.0 <= least <= 10.0:
                msg = f"a score lies between 0 and 10, got {name}={least!r}"
                raise InvalidInput(msg)
        if self.since is not None and self.until is not None and self.since >= self.until:
            msg = f"since lies before until, got {self.since.isoformat()!r} and {self.until.isoformat()!r}"
            raise InvalidInput(msg)

    def mask(self, unit: Unit, snapshot: Snapshot) -> NDArray[np.bool_]:
        """Which rows of the index pass."""
        rows = snapshot.rows
        passed = np.ones(len(rows), dtype=np.bool_)
        if self.kinds:
            passed &= np.isin(rows["kind"], [_KINDS.index(kind) for kind in self.kinds])
        if self.layers:
            passed &= np.isin(rows["layer"], [_LAYERS.index(layer) for layer in self.layers])
        if self.importance is not None:
            passed &= rows["importance"] >= self.importance
        if self.since is not None:
            passed &= rows["at"] >= to_micros(self.since)
        if self.until is not None:
            passed &= (rows["at"] != NO_TIME) & (rows["at"] < to_micros(self.until))
        if self.place is not None:
            passed &= snapshot.at_places == place_number(place_tag(unit.scope, self.place))
        for numbers in self._looked_up(unit):
            passed &= np.isin(rows["number"], numbers)
        return passed

    def _looked_up(self, unit: Unit) -> list[list[int]]:
        """What only the store can tell: people and scores."""
        found = []
        if self.people:
            found.append(unit.lookups.of_people(unit.people.find(self.people)))
        for name, least in (self.emotion or {}).items():
            found.append(unit.lookups.scored(name, least))
        return found


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
