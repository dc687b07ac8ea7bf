"""What several characters lived through together (K6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omoide.domain.objections import NAME, PROSE, Objection, too_long, too_many
from omoide.domain.text import clean, composed, fold, is_blank
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from omoide.domain.model import Memory
    from omoide.domain.partial_date import PartialDate


_MOST: Final = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """A shared event. Its name is what memories call it by.

    Attributes:
        name: unique in the store.
        day: when it was, as far as that is known.
        place: where it was.
        category: what kind of event, in a word of the author's own.
        weight: how much it meant, 0 to 10.
        description: what happened, for authors and tools; no character is shown it.
        participants: the characters that were there, one at least.

    Raises:
        InvalidInput: a blank name, nobody there, somebody named twice, or a weight out of range.
    """

    name: str
    participants: tuple[str, ...]
    day: PartialDate | None = None
    place: str | None = None
    category: str | None = None
    weight: float = 5.0
    description: str = ""

    def __post_init__(self) -> None:
        for field in ("name", "place", "category"):
            value = getattr(self, field)
            if value is not None and is_blank(clean(value)):
                msg = f"an event's {field} has something to read in it, got {value!r}"
                raise InvalidInput(msg)
            object.__setattr__(self, field, None if value is None else composed(clean(value).strip()))
        object.__setattr__(self, "description", clean(self.description))
        there = tuple(composed(clean(name)).strip() for name in self.participants)
        if not there:
            msg = f"the event {self.name!r} has no participants; name one character that was there, or more"
            raise InvalidInput(msg)
        for name in there:
            if is_blank(name):
                msg = f"the participants of {self.name!r} have names, got {name!r}; leave it out"
                raise InvalidInput(msg)
            if there.count(name) > 1:
                msg = f"the event {self.name!r} names {name!r} twice; once is enough"
                raise InvalidInput(msg)
        if not 0.0 <= self.weight <= 10.0:
            msg = f"the weight of an event lies between 0 and 10, got {self.weight!r}"
            raise InvalidInput(msg)
        object.__setattr__(self, "participants", there)

    def check(self) -> None:
        """See that an event about to be written is one; what a store holds already may be larger.

        Raises:
            InvalidInput: the first of what `objections` finds.
        """
        for found in self.objections():
            raise InvalidInput(found.text)

    def objections(self) -> Iterator[Objection]:
        """Everything of it that is too long, and whom it names twice however they are written."""
        for field in ("name", "place", "category"):
            yield from too_long(field, [getattr(self, field)], most=NAME)
        yield from too_long("description", [self.description], most=PROSE)
        yield from too_long("participants", self.participants, most=NAME)
        yield from too_many("participants", len(self.participants), most=_MOST)
        for first, again in twice_there(self.participants):
            wrong = (
                f"the event {self.name!r} names {again!r} twice, first as {first!r}; "
                "name each once, as its profile does"
            )
            yield Objection(field="participants", text=wrong)


def twice_there(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Those of these names that are others in another case, width or composition, after the first such."""
    known: dict[str, str] = {}
    for name in names:
        first = known.setdefault(fold(name), name)
        if first != name:
            yield first, name


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """An event as one character knows it.

    Attributes:
        character: whose side it is.
        present: whether it was there.
        age: its age in years then; None where it was not there, or its birthday is not known.
        absolute_day: days since its birth then; None as for the age.
        account: what it lived through, where it has told that.
        told: what it has heard or guesses of the event.
    """

    character: str
    present: bool
    age: float | None = None
    absolute_day: int | None = None
    account: Memory | None = None
    told: tuple[Memory, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class EventSides:
    """An event with every side of it, for authors and tools: never for a character (K1)."""

    event: Event
    sides: tuple[Side, ...]
