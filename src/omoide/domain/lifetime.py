"""Where in a life a day lies: age and absolute day, derived from the birthday (K2, ruling 18)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from omoide.domain.partial_date import PartialDate
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from omoide.domain.model import Past


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """A day in a life.

    Attributes:
        day: as far as it is known.
        age: in whole years, unless the author was more exact.
        absolute_day: days since birth.
        derived: which of these nobody gave.
    """

    day: PartialDate | None
    age: float | None
    absolute_day: int | None
    derived: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The part of a partial date that a character lived through until today."""

    first: date
    last: date

    @property
    def middle(self) -> date:
        return self.first + (self.last - self.first) // 2

    def of(self, count: Callable[[date, date], int], birthday: date) -> range:
        """What may be counted on its days."""
        return range(count(birthday, self.first), count(birthday, self.last) + 1)


def lived(day: PartialDate | None, past: Past, *, birthday: date | None, today: date) -> Moment:
    """Place a lived memory in its character's life.

    Where a date is partial, age and absolute day are those of the middle of what was lived of it.

    Args:
        day: when it was, as far as its author said.
        past: with the age and absolute day that its author gave, if any.
        birthday: the character's, if it is known.
        today: no lived memory is later.

    Raises:
        InvalidInput: it lies before birth or in the future, or given and derived values contradict.
    """
    age, absolute = past.age, past.absolute_day
    if birthday is None:
        _check_future(day, today)
        return Moment(day=day, age=age, absolute_day=absolute)
    derived = []
    if day is None and absolute is not None:
        day = _after(birthday, absolute)
        derived.append("day")
    _check_future(day, today)
    if day is None:
        _check_age(age, _years(birthday, today), birthday=birthday, today=today)
        return Moment(day=None, age=age, absolute_day=None)
    stretch = _lived_part(day, birthday, today)
    because = f"{str(day)!r} is given, for a birthday on {birthday.isoformat()!r}"
    _agree("absolute_day", absolute, stretch.of(_days, birthday), because)
    _agree("age", age, stretch.of(_years, birthday), because)
    if age is None:
        age = float(_years(birthday, stretch.middle))
        derived.append("age")
    if absolute is None:
        absolute = _days(birthday, stretch.middle)
        derived.append("absolute_day")
    return Moment(day=day, age=age, absolute_day=absolute, derived=tuple(derived))


def check_over(day: PartialDate | None, *, today: date) -> None:
    """See that what was heard or guessed had happened by then.

    Raises:
        InvalidInput: it lies in the future.
    """
    if day is not None and day.begin > today:
        msg = (
            f"nothing in the future has happened yet: {str(day)!r} is after {today.isoformat()!r}; "
            "leave the day out and say it in the text, or name a shared event that is to come"
        )
        raise InvalidInput(msg)


def at_event(day: PartialDate | None, *, birthday: date | None, today: date) -> tuple[float, int] | None:
    """The age and absolute day of a character at an event, which may be yet to come; None where unknown.

    Raises:
        InvalidInput: it was before the birthday.
    """
    if day is None or birthday is None:
        return None
    middle = _lived_part(day, birthday, max(today, day.end)).middle
    return float(_years(birthday, middle)), _days(birthday, middle)


def born(day: PartialDate | None, absolute_day: int | None, *, today: date) -> date | None:
    """The birthday from which an absolute day was worked out; None where that cannot be told."""
    if day is None or absolute_day is None or day.end > today:
        return None
    birthday = _Stretch(day.begin, day.end).middle - timedelta(days=absolute_day)
    return birthday if birthday <= day.begin else None


def _lived_part(day: PartialDate, birthday: date, today: date) -> _Stretch:
    if day.end < birthday:
        msg = (
            f"nothing can be lived through before birth: {str(day)!r} is before {birthday.isoformat()!r}; "
            "make it a heard memory"
        )
        raise InvalidInput(msg)
    return _Stretch(max(day.begin, birthday), min(day.end, max(today, day.begin)))


def _check_future(day: PartialDate | None, today: date) -> None:
    if day is not None and day.begin > today:
        msg = f"nothing in the future was lived through: {str(day)!r} is after {today.isoformat()!r}"
        raise InvalidInput(msg)


def _check_age(age: float | None, now: int, *, birthday: date, today: date) -> None:
    if age is None or int(age) <= now:
        return
    born = f"whoever was born on {birthday.isoformat()!r} is {now} on {today.isoformat()!r}"
    if now < 0:
        born = f"a birthday on {birthday.isoformat()!r} is after {today.isoformat()!r}"
    msg = f"nothing in the future was lived through: age={age!r} is given, and {born}"
    raise InvalidInput(msg)


def _agree(name: str, given: float | None, derived: range, because: str) -> None:
    if given is None or int(given) in derived:
        return
    low, high = derived[0], derived[-1]
    shown = f"{low}" if low == high else f"{low} to {high}"
    msg = f"{name}={given!r} is given, but {shown} derived: {because}; correct one, or leave {name} out"
    raise InvalidInput(msg)


def _after(birthday: date, days: int) -> PartialDate:
    try:
        day = birthday + timedelta(days=days)
    except OverflowError:
        msg = f"absolute_day counts days since birth, got {days!r}"
        raise InvalidInput(msg) from None
    return PartialDate(year=day.year, month=day.month, day=day.day)


def _days(birthday: date, day: date) -> int:
    return (day - birthday).days


def _years(birthday: date, day: date) -> int:
    """Birthdays since birth; one of 29 February has it on the 1st of March in other years."""
    return day.year - birthday.year - ((day.month, day.day) < (birthday.month, birthday.day))
