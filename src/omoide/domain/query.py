"""What a structured search asks for: one small filter language, alike in Python, shell and HTTP (K7).

Everything that is given has to hold of a memory; what is left out allows all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypedDict, TypeVar

from omoide.domain.bounds import GRAMMAR, Bounds, as_given, begin_of, bounds, days, full_years, overlap
from omoide.domain.diary import HIGHEST_SCORE
from omoide.domain.layer import Layer
from omoide.domain.model import Kind
from omoide.domain.text import clean, composed, is_blank, unstorable
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from datetime import tzinfo

    from omoide.domain.bounds import Day, Days, Numbers

USUAL: Final = 10
"""Memories that a search gives where nobody says how many."""

MOST: Final = 1_000
"""Memories that one search may give."""

MOST_NAMES: Final = 100
"""People that one search may name."""

MOST_SCORES: Final = 16
"""Conditions on emotions, and keys of the order, that one search may have."""

Choice = TypeVar("Choice", bound=StrEnum)
_EMOTION: Final = re.compile(r"([^<>=]*[^<>=\s])\s*(>=|<=|>|<|=)(.*)", re.DOTALL)
_EMOTION_RANGE: Final = re.compile(r"(.*\S)\s+(\S*\.\.\S*)", re.DOTALL)


class Key(StrEnum):
    """What memories can be ordered by, besides their emotion scores."""

    AGE = "age"
    ABSOLUTE_DAY = "absolute_day"
    DAY = "day"
    PLACE = "place"
    LAYER = "layer"
    KIND = "kind"
    CONFIDENCE = "confidence"
    IMPORTANCE = "importance"
    EVENT = "event"
    CATEGORY = "category"


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """A key to order by; a name that is no `Key` is that of an emotion score. Without a value comes last."""

    by: Key | str
    down: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Search:
    """What is searched for, checked; `search` makes it.

    Attributes:
        text: what the memories have to do with; empty for a search by values alone.
        age: years since the character's birth.
        absolute_day: days since it.
        at: microseconds since 1970.
        layers, kinds: one of these; empty for any.
        confidence, importance: 1 to 10.
        emotion: scores by name, 0 to 10; all of them have to hold.
        place, event, category: by name.
        people: one of these has to take part, speak, or be what it is about; ids or names.
        order: by what, the first key first; empty for the newest first, or for the nearest to the text.
        limit: memories at most.
    """

    text: str = ""
    age: Bounds | None = None
    absolute_day: Bounds | None = None
    at: Bounds | None = None
    layers: tuple[Layer, ...] = ()
    kinds: tuple[Kind, ...] = ()
    confidence: Bounds | None = None
    importance: Bounds | None = None
    emotion: tuple[tuple[str, Bounds], ...] = ()
    place: str | None = None
    event: str | None = None
    category: str | None = None
    people: tuple[str, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int = USUAL

    @property
    def narrows(self) -> bool:
        """Whether anything but its text tells one memory from another."""
        every = Search(text=self.text, order=self.order, limit=self.limit)
        return self != every


class Filters(TypedDict, total=False):
    """What a search may ask for, as it is written; see docs/search.md. None asks for nothing.

    Attributes:
        age: in full years, such as ``(5, 7)`` or ``"5..7"``; only lived memories have one.
        absolute_day: days since the character's birth.
        day: such as ``"2011"``, ``"2011-summer..2012"`` or a date; each day as a whole.
        since, until: from when on, and before when.
        place, event, category: by name; of an event, its name and the category that its author gave it.
        layer: how it is known: ``direct``, ``heard`` or ``inferred``, or several of them.
        confidence, importance: such as ``">=8"``.
        emotion: scores by name, such as ``{"frustration": ">7"}`` or ``["frustration>7"]``.
        people: ids or names; one of them takes part.
        kinds: such as ``diary``; by default all.
        order: such as ``"-frustration,age"``; a minus goes down.
        limit: 1 to 1000, by default 10.
    """

    age: Numbers | None
    absolute_day: Numbers | None
    day: Days | None
    since: str | Day | None
    until: str | Day | None
    place: str | None
    layer: Layer | str | Iterable[Layer | str]
    confidence: Numbers | None
    emotion: Mapping[str, Numbers] | str | Iterable[str]
    importance: Numbers | None
    event: str | None
    category: str | None
    people: str | Iterable[str]
    kinds: Kind | str | Iterable[Kind | str]
    order: str | Iterable[str]
    limit: int


def search(
    text: str | None = None,
    *,
    zone: tzinfo,
    age: Numbers | None = None,
    absolute_day: Numbers | None = None,
    day: Days | None = None,
    since: str | Day | None = None,
    until: str | Day | None = None,
    place: str | None = None,
    layer: Layer | str | Iterable[Layer | str] = (),
    confidence: Numbers | None = None,
    emotion: Mapping[str, Numbers] | str | Iterable[str] = (),
    importance: Numbers | None = None,
    event: str | None = None,
    category: str | None = None,
    people: str | Iterable[str] = (),
    kinds: Kind | str | Iterable[Kind | str] = (),
    order: str | Iterable[str] = (),
    limit: int = USUAL,
) -> Search:
    """Read a search as it is written in Python, in a shell or in a URL; `zone` is what its days are local to.

    Raises:
        InvalidInput: a filter cannot be read, or allows nothing; the message shows it, and how it is written.
    """
    if not _is_count(limit) or not 1 <= limit <= MOST:
        msg = f"a search gives 1 to {MOST} memories, got limit={limit!r}"
        raise InvalidInput(msg)
    words = clean(_text(text, name="text") or "").strip()
    return Search(
        text="" if is_blank(words) else words,
        age=None if age is None else full_years(bounds(age, name="age", least=0)),
        absolute_day=None if absolute_day is None else bounds(absolute_day, name="absolute_day", least=0),
        at=_instants(day, since, until, zone),
        layers=_members(Layer, layer, name="layer"),
        kinds=_members(Kind, kinds, name="kind"),
        confidence=None if confidence is None else bounds(confidence, name="confidence", least=1, most=10),
        importance=None if importance is None else bounds(importance, name="importance", least=1, most=10),
        emotion=_emotions(emotion),
        place=_named(place, name="place"),
        event=_named(event, name="event"),
        category=_named(category, name="category"),
        people=tuple(_person(one) for one in _few(people, MOST_NAMES, name="people")),
        order=_orders(order),
        limit=limit,
    )


def _instants(
    day: Days | None, since: str | Day | None, until: str | Day | None, zone: tzinfo
) -> Bounds | None:
    """The time in which all three hold; `until` itself is left out."""
    found = Bounds() if day is None else days(day, name="day", zone=zone)
    lows = [found.low, None if since is None else begin_of(since, name="since", zone=zone)]
    highs = [found.high, None if until is None else begin_of(until, name="until", zone=zone)]
    low = max((low for low in lows if low is not None), default=None)
    high = min((high for high in highs if high is not None), default=None)
    if low is not None and high is not None and low >= high:
        given = (("day", day), ("since", since), ("until", until))
        named = " and ".join(f"{name}={as_given(value)}" for name, value in given if value is not None)
        msg = f"no time lies in {named} at once; move one of them, or leave one out"
        raise InvalidInput(msg)
    return None if low is None and high is None else Bounds(low=low, high=high, below=True)


def _text(value: object, *, name: str) -> str | None:
    """A text, where callers that check no types may give anything."""
    if value is not None and not isinstance(value, str):
        msg = f"{name}={value!r} is no text; write it as one, or leave it out"
        raise InvalidInput(msg)
    return value


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _several(given: object, *, name: str) -> list[str]:
    """One text or several, where callers that check no types may give anything."""
    found = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else None
    if found is None or not all(isinstance(one, str) for one in found):
        msg = f"{name}={given!r} is neither a text nor a list of texts; write it as one of them"
        raise InvalidInput(msg)
    return found


def _few(given: str | Iterable[str], most: int, *, name: str) -> list[str]:
    """One or several, as many as a search may have of them."""
    found = _several(given, name=name)
    if len(found) > most:
        msg = f"a search takes up to {most} of {name}, got {len(found)}; search in several steps"
        raise InvalidInput(msg)
    return found


def _members(
    kind: type[Choice], given: Choice | str | Iterable[Choice | str], *, name: str
) -> tuple[Choice, ...]:
    wanted = _several(given, name=name)
    for one in wanted:
        if one not in set(kind):
            msg = f"no {name} is called {str(one)!r}; choose from {', '.join(kind)}"
            raise InvalidInput(msg)
    return tuple(kind(one) for one in dict.fromkeys(wanted))


def _emotions(given: Mapping[str, Numbers] | str | Iterable[str]) -> tuple[tuple[str, Bounds], ...]:
    if isinstance(given, Mapping):
        few = _few(given, MOST_SCORES, name="emotion")
        return tuple(
            (_score(name), bounds(given[name], name=name, least=0, most=HIGHEST_SCORE)) for name in few
        )
    found = tuple(_emotion(one) for one in _few(given, MOST_SCORES, name="emotion"))
    for name in dict.fromkeys(name for name, _ in found):
        if not overlap([one for score, one in found if score == name]):
            msg = f"nothing can pass all that is asked of {name!r}, got {list(given)!r}; {GRAMMAR}"
            raise InvalidInput(msg)
    return found


def _emotion(text: str) -> tuple[str, Bounds]:
    """One score and its bounds, as in ``frustration>7``, ``frustration=5..7`` or ``frustration 5..7``."""
    text = text.strip()
    compared = _EMOTION.fullmatch(text)
    if compared is not None:
        name, value = compared[1], f"{compared[2]}{compared[3]}"
    else:
        ranged = _EMOTION_RANGE.fullmatch(text)
        if ranged is None:
            msg = f"emotion={text!r} cannot be read; write frustration>7 or joy=5..7"
            raise InvalidInput(msg)
        name, value = ranged[1], ranged[2]
    return _score(name), bounds(value, name=_score(name), least=0, most=HIGHEST_SCORE)


def _score(name: str) -> str:
    plain = composed(name).strip()
    if is_blank(plain) or unstorable(plain) is not None:
        msg = f"a score has a name that can be read and stored, got {name!r}; write frustration>7"
        raise InvalidInput(msg)
    return plain


def _named(value: str | None, *, name: str) -> str | None:
    if _text(value, name=name) is not None and is_blank(clean(value or "")):
        msg = f"{name}={value!r} names nothing; write the name of the {name}, or leave it out"
        raise InvalidInput(msg)
    return None if value is None else composed(clean(value).strip())


def _person(value: str) -> str:
    return _named(value, name="person") or value


def _orders(given: str | Iterable[str]) -> tuple[Order, ...]:
    """Keys apart by commas, a minus before those that go down; the first mention of a key counts."""
    parts = [part for one in _few(given, MOST_SCORES, name="order") for part in one.split(",")]
    found: dict[str, Order] = {}
    for part in _few(parts, MOST_SCORES, name="order"):
        name = composed(clean(part)).strip()
        down = name.startswith("-")
        key = name.removeprefix("-").strip()
        if is_blank(key):
            msg = f"order={part!r} names nothing; write -frustration or importance,age"
            raise InvalidInput(msg)
        found.setdefault(key, Order(by=Key(key) if key in set(Key) else key, down=down))
    return tuple(found.values())
