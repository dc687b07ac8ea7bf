"""Structured search: which of a scope's memories fit, and in what order (K7)."""

from __future__ import annotations

from dataclasses import replace
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, func, select

from omoide.domain.diary import BASIC_SCORES
from omoide.domain.query import Key
from omoide.errors import InvalidInput
from omoide.stores.fixed import Fixed
from omoide.stores.lookups import place_tag
from omoide.stores.ranks import Ranks
from omoide.stores.shapes import NARROW, Shape, Sorted, statement
from omoide.stores.tables import memories, memory_scopes, scores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from omoide.domain.bounds import Bounds
    from omoide.domain.query import Search
    from omoide.stores.events import Events
    from omoide.stores.scopes import ScopeRow

_BY_NAME: Final = (Key.PLACE, Key.EVENT, Key.CATEGORY)
"""What its name puts in order; names are sealed, so the database cannot."""

_LARGE_SHARE: Final = 4
"""A scope is a large part of the store where at least one memory in so many is its own."""

_SIZES: Final = Fixed(
    select(
        select(func.max(memories.c.id)).scalar_subquery(),
        select(memory_scopes.c.sequence)
        .where(memory_scopes.c.scope_id == bindparam("scope"))
        .order_by(memory_scopes.c.memory_id.desc())
        .limit(1)
        .scalar_subquery(),
    )
)
_OF_SCOPE: Final = and_(
    memory_scopes.c.scope_id == bindparam("scope"), memory_scopes.c.memory_id == scores.c.memory_id
)
_HAS_SCORE: Final = Fixed(select(scores.c.name).where(_OF_SCOPE, scores.c.name == bindparam("name")).limit(1))
_SCORE_NAMES: Final = Fixed(select(scores.c.name).distinct().where(_OF_SCOPE).order_by(scores.c.name))


class Searching:
    """Finds one scope's memories by what they hold, within one transaction.

    Args:
        connection: where its statements run.
        scope: whose memories.
        events: makes the way to the store's events, where one is asked for.
        now: microseconds since 1970; what had ceased to be so by then is left out.
    """

    def __init__(
        self, connection: Connection, scope: ScopeRow, events: Callable[[], Events], *, now: int
    ) -> None:
        self._connection = connection
        self._scope = scope
        self._events = events
        self._now = now

    def numbers(
        self, search: Search, *, people: Sequence[int] = (), among: Sequence[int] | None = None
    ) -> list[int]:
        """The memories that fit, in order, as many as are asked for.

        Args:
            search: what is asked for, and in what order; its text is not looked at.
            people: the numbers of the people that it names.
            among: only some of these.

        Raises:
            InvalidInput: it asks for a score, or orders by one, that no memory of the scope has.
        """
        self._check_order(search)
        found = self._in_order(search, people=people, among=among)
        if not found:
            self._check_emotion(search)
        return found

    def _in_order(self, search: Search, *, people: Sequence[int], among: Sequence[int] | None) -> list[int]:
        given = self._given(search, people)
        if given is None:
            return []
        if among is not None:
            given["among"] = list(among)
        shape, values = self._shaped(search, given)
        values["limit"] = search.limit
        if any(by.by in _BY_NAME for by in shape.order):
            return self._ordered_by_name(shape, values)
        if shape.leads and not shape.scores[0]:  # memories without the score come last, where there is room
            found = self._run(shape, values)
            if len(found) == search.limit:
                return found
            shape = replace(shape, leads=False)
        return self._run(shape, values)

    def matching(self, search: Search, *, people: Sequence[int] = ()) -> list[int]:
        """All memories that fit, in no order.

        Raises:
            InvalidInput: it asks for a score that no memory of the scope has.
        """
        given = self._given(search, people)
        found: list[int] = []
        if given is not None:
            shape, values = self._shaped(replace(search, order=()), given)
            found = self._run(replace(shape, limited=False), values)
        if not found:
            self._check_emotion(search)
        return found

    def _run(self, shape: Shape, values: dict[str, Any]) -> list[int]:
        return [row[0] for row in statement(shape).run(self._connection, values)]

    def _ordered_by_name(self, shape: Shape, values: dict[str, Any]) -> list[int]:
        """Looks at all that fit, and holds no more at a time than are asked for."""
        ranks = Ranks(self._connection, self._scope, self._events, [by.by for by in shape.order])
        rows = statement(replace(shape, limited=False)).each(self._connection, values)
        downs = [by.down for by in shape.order]

        def place(row: tuple[Any, ...]) -> tuple[tuple[bool, float], ...]:
            ranked = ranks.of(row[1:])
            keys = [
                (rank is None, 0.0 if rank is None else -rank if down else rank)
                for rank, down in zip(ranked, downs, strict=True)
            ]
            return (*keys, (False, row[0]))

        return [row[0] for row in nsmallest(values["limit"], rows, key=place)]

    def _check_order(self, search: Search) -> None:
        asked = {name for name, _ in search.emotion}
        for order in search.order:
            if isinstance(order.by, Key) or order.by in asked or self._is_score(order.by):
                continue
            known = ", ".join((*Key, *self._score_names()))
            msg = f"nothing is ordered by {order.by!r}; choose from {known}"
            raise InvalidInput(msg)

    def _check_emotion(self, search: Search) -> None:
        """Tell a search that found nothing, and could not, from one that might have."""
        for name, _ in search.emotion:
            if not self._is_score(name):
                msg = f"no memory here has a score {name!r}; choose from {', '.join(self._score_names())}"
                raise InvalidInput(msg)

    def _is_score(self, name: str) -> bool:
        values = {"scope": self._scope.id, "name": name}
        return name in BASIC_SCORES or bool(_HAS_SCORE.run(self._connection, values))

    def _score_names(self) -> list[str]:
        rows = _SCORE_NAMES.run(self._connection, {"scope": self._scope.id})
        return list(dict.fromkeys((*BASIC_SCORES, *(name for (name,) in rows))))

    def _given(self, search: Search, people: Sequence[int]) -> dict[str, Any] | None:
        """What has to be equal; None where it names something that nobody knows."""
        given: dict[str, Any] = {}
        if search.event is not None:
            event = self._events().find(search.event)
            if event is None:
                return None
            given["event"] = event[0]
        if search.people:
            if not people:
                return None
            given["people"] = list(people)
        if search.category is not None:
            given["category"] = self._events().category_tag(search.category)
        if search.place is not None:
            given["place"] = place_tag(self._scope, search.place)
        if search.layers:
            given["layers"] = [layer.value for layer in search.layers]
        if search.kinds:
            given["kinds"] = [kind.value for kind in search.kinds]
        return given

    def _shaped(self, search: Search, given: dict[str, Any]) -> tuple[Shape, dict[str, Any]]:
        """The shape of a search, and its parameters."""
        values = {**given, "scope": self._scope.id, "now": self._now}
        compared: list[tuple[Key, str]] = []
        for key, bounds in _bounds(search):
            for sign, value in _signs(bounds):
                compared.append((key, sign))
                values[f"{key.value}_{sign}"] = value
        felt = _felt(search)
        for place, (name, bounds) in enumerate(felt):
            values[f"name{place}"] = name
            values |= {f"score{place}_{sign}": value for sign, value in _signs(bounds)}
        signs = tuple(tuple(sign for sign, _ in _signs(bounds)) for _, bounds in felt)
        known = {key for key, _ in compared}
        names = [name for name, _ in felt]
        order = tuple(
            Sorted(order.by, order.down, order.by in known)
            if isinstance(order.by, Key)
            else Sorted(names.index(order.by), order.down, bool(signs[names.index(order.by)]))
            for order in search.order
        )
        shape = Shape(tuple(compared), signs, frozenset(given), order, limited=True, leads=False)
        return replace(shape, leads=self._leads(shape)), values

    def _leads(self, shape: Shape) -> bool:
        """Whether the index of scores, which knows no scopes, is the shorter way to the memories.

        It is where they come in its order, or nothing else narrows them; and only in a scope that holds a
        large part of the store, for it leads past everybody's.
        """
        if not shape.scores or shape.given & {*NARROW, "people", "among"}:
            return False
        in_order = bool(shape.order) and shape.order[0].by == 0
        if not in_order and (shape.compared or not shape.scores[0]):
            return False
        ((all_memories, own),) = _SIZES.run(self._connection, {"scope": self._scope.id})
        return (own or 0) * _LARGE_SHARE >= (all_memories or 0)


def _bounds(search: Search) -> list[tuple[Key, Bounds | None]]:
    return [
        (Key.AGE, search.age),
        (Key.ABSOLUTE_DAY, search.absolute_day),
        (Key.DAY, search.at),
        (Key.CONFIDENCE, search.confidence),
        (Key.IMPORTANCE, search.importance),
    ]


def _felt(search: Search) -> list[tuple[str, Bounds | None]]:
    """The scores that are asked for or ordered by, the one first that the order begins with."""
    asked = {name for name, _ in search.emotion}
    only = [order.by for order in search.order if not isinstance(order.by, Key) and order.by not in asked]
    felt: list[tuple[str, Bounds | None]] = [*search.emotion, *((name, None) for name in only)]
    first = search.order[0].by if search.order else None
    return sorted(felt, key=lambda one: one[0] != first)


def _signs(bounds: Bounds | None) -> list[tuple[str, float]]:
    """What a value is compared with, each with how."""
    if bounds is None:
        return []
    low = [] if bounds.low is None else [("gt" if bounds.above else "ge", bounds.low)]
    high = [] if bounds.high is None else [("lt" if bounds.below else "le", bounds.high)]
    return low + high
