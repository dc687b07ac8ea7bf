"""Where a value stands in an order that the database cannot tell: by sealed names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, func, select

from omoide.domain.layer import Layer
from omoide.domain.model import Kind, Status
from omoide.domain.query import Key
from omoide.domain.text import fold
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.opening import Opening
from omoide.stores.tables import memory_scopes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy import Connection

    from omoide.stores.events import Events
    from omoide.stores.scopes import ScopeRow

_ROW: Final = memory_scopes.c
_PLACES: Final = Fixed(
    select(_ROW.place_tag, func.min(_ROW.memory_id))
    .where(
        _ROW.scope_id == bindparam("scope"),
        _ROW.place_tag.is_not(None),
        _ROW.status == Status.CONFIRMED.value,
    )
    .group_by(_ROW.place_tag)
)
_EVENTS: Final = Fixed(
    select(_ROW.event_id).distinct().where(_ROW.scope_id == bindparam("scope"), _ROW.event_id.is_not(None))
)
_OTHERS: Final[dict[Key, Mapping[Any, int]]] = {
    Key.LAYER: {layer.value: place for place, layer in enumerate(sorted(Layer))},
    Key.KIND: {kind.value: place for place, kind in enumerate(sorted(Kind))},
}


class Ranks:
    """Numbers that stand in the order of the names of what a scope's memories hold."""

    def __init__(
        self,
        connection: Connection,
        scope: ScopeRow,
        events: Callable[[], Events],
        keys: Sequence[Key | int],
    ) -> None:
        self._connection = connection
        self._scope = scope
        self._events = events
        self._tables = [self._table(key) for key in keys]

    def of(self, values: Sequence[Any]) -> list[float | None]:
        """The rank of each value, as they stand in the order's keys; None for what has no value."""
        return [
            value if table is None else table.get(value)
            for value, table in zip(values, self._tables, strict=True)
        ]

    def _table(self, key: Key | int) -> Mapping[Any, int] | None:
        """What stands for each value; None where it stands for itself."""
        if not isinstance(key, Key):
            return None
        if key is Key.PLACE:
            return _ranked(self._places())
        if key in (Key.EVENT, Key.CATEGORY):
            return _ranked(self._event_names(category=key is Key.CATEGORY))
        return _OTHERS.get(key)

    def _places(self) -> dict[bytes, str]:
        rows = _PLACES.run(self._connection, {"scope": self._scope.id})
        opening = Opening(self._connection, self._scope, names={}, sessions={}, shut=set())
        found: dict[int, str | None] = {}
        for chunk in chunks([number for _, number in rows]):
            found |= {opened.number: opened.memory.place for opened in opening.memories(chunk)}
        return {tag: place for tag, number in rows if (place := found.get(number)) is not None}

    def _event_names(self, *, category: bool) -> dict[int, str]:
        rows = _EVENTS.run(self._connection, {"scope": self._scope.id})
        known = self._events().of([number for (number,) in rows])
        names = {number: event.category if category else event.name for number, event in known.items()}
        return {number: name for number, name in names.items() if name is not None}


def _ranked(names: Mapping[Any, str]) -> dict[Any, int]:
    """The place of each name among all; what is called the same stands in the same place."""
    places = {name: place for place, name in enumerate(sorted({fold(name) for name in names.values()}))}
    return {key: places[fold(name)] for key, name in names.items()}
