"""Ranges and comparisons as a search takes them: one way to write them for Python, shell and HTTP (K7)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final, TypeAlias
from unicodedata import normalize

from omoide.domain.instants import check_time, to_micros
from omoide.domain.partial_date import PartialDate, is_written
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

GRAMMAR: Final = "write 5..7, 5.., ..7, >7, >=7, <3, <=3, =5 or 5"
"""How numbers are written."""

DAY_GRAMMAR: Final = (
    "write days as 2011, 2011-summer, 2011-05 or 2011-05-03, and several as 2011..2013, 2011.., ..2013, "
    ">2011, >=2011, <2011 or <=2011"
)

_FORMS: Final = "give one, both ends as a tuple such as (5, 7) or (5, None), or a text"
"""What values may be that are no text."""

_BEYOND: Final = 2.0**63
"""No number of a memory is as large, and no store compares larger ones."""

_LONGEST: Final = 200
"""Characters of a condition; nobody writes longer ones."""

_RANGE: Final = re.compile(r"(.*?)\s*\.\.\s*(.*)")
_COMPARED: Final = re.compile(r"(>=|<=|>|<|=)?\s*([^\s<>=].*)")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """Numbers between two ends.

    Attributes:
        low, high: the ends; None where it is open.
        above, below: whether the end itself is left out.
    """

    low: float | None = None
    high: float | None = None
    above: bool = False
    below: bool = False


Numbers: TypeAlias = "str | float | tuple[float | None, ...] | Bounds"
"""A number, a pair of ends that both count, or text such as ``5..7`` or ``>7``."""

Day: TypeAlias = "date | datetime | PartialDate"
Days: TypeAlias = "str | Day | tuple[str | Day | None, ...]"
"""A day, a pair of days that both count, or text such as ``2011..2013`` or ``>=2011-05``."""


def bounds(value: Numbers, *, name: str, least: float = -math.inf, most: float = math.inf) -> Bounds:
    """The numbers that are meant.

    Args:
        value: as it was given.
        name: what it is of.
        least: the smallest that such a number can be; bounds that nothing from there on passes are a slip.
        most: the largest, likewise.

    Raises:
        InvalidInput: nothing of the kind can be read in it, or no number lies between its ends.
    """
    if isinstance(value, str):
        found = _read(value, name)
    elif isinstance(value, Bounds):
        found = value
    elif isinstance(value, tuple):
        found = Bounds(low=value[0], high=value[1]) if len(value) == 2 else Bounds()
    else:
        found = Bounds(low=value, high=value)
    ends = [end for end in (found.low, found.high) if end is not None]
    if not ends or not all(map(_is_number, ends)):
        raise _unread(name, value, GRAMMAR)
    if len(ends) == 2 and (ends[0] > ends[1] or (ends[0] == ends[1] and (found.above or found.below))):
        msg = f"no number lies in {name}={as_given(value)}, which ends before it begins; {GRAMMAR}"
        raise InvalidInput(msg)
    over = found.low is not None and (found.low > most or (found.low == most and found.above))
    under = found.high is not None and (found.high < least or (found.high == least and found.below))
    if over or under:
        lies = f"{least:g} or more" if most == math.inf else f"between {least:g} and {most:g}"
        msg = f"nothing can pass {name}={as_given(value)}: it lies {lies}; {GRAMMAR}"
        raise InvalidInput(msg)
    return found


def _is_number(value: object) -> bool:
    """Whether a value is a number that the store can compare."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _BEYOND


def overlap(every: Sequence[Bounds]) -> bool:
    """Whether a number lies within all of these."""
    low = max((one.low, one.above) if one.low is not None else (-math.inf, False) for one in every)
    high = min((one.high, not one.below) if one.high is not None else (math.inf, True) for one in every)
    return low[0] < high[0] or (low[0] == high[0] and not low[1] and high[1])


def full_years(ages: Bounds) -> Bounds:
    """Ages as people count them: who is 7 stays 7 until the day of becoming 8."""
    low, high = ages.low, ages.high
    if low is not None and ages.above and low == int(low):
        ages = replace(ages, low=low + 1, above=False)
    if high is not None and not ages.below and high == int(high):
        ages = replace(ages, high=high + 1, below=True)
    return ages


def days(value: Days, *, name: str, zone: tzinfo) -> Bounds:
    """The instants of the days that are meant, in microseconds since 1970; each day counts as a whole.

    The upper end itself is always left out.

    Raises:
        InvalidInput: there is no such day, or the last one comes before the first.
    """
    sign: str | None = None
    first: str | Day | None
    last: str | Day | None
    if isinstance(value, tuple):
        first, last = value if len(value) == 2 else (None, None)
    elif isinstance(value, str):
        sign, first, last = _parts(value)
    else:
        first = last = value
    if first in (None, "") and last in (None, ""):
        raise _unread(name, value, DAY_GRAMMAR)
    low = None if first in (None, "") else _span(first, name, zone)
    high = None if last in (None, "") else _span(last, name, zone)
    if low is not None and high is not None and low[0] >= high[1]:
        msg = f"no day lies in {name}={as_given(value)}, which ends before it begins; {DAY_GRAMMAR}"
        raise InvalidInput(msg)
    found = Bounds(low=None if low is None else low[0], high=None if high is None else high[1], below=True)
    if sign == ">" and low is not None:
        found = Bounds(low=low[1])
    elif sign == "<" and high is not None:
        found = Bounds(high=high[0], below=True)
    return found


def begin_of(value: str | Day, *, name: str, zone: tzinfo) -> int:
    """The instant at which a day, or the time that is given exactly, begins."""
    return _span(value, name, zone)[0]


def _read(text: str, name: str) -> Bounds:
    sign, first, last = _parts(text)
    low, high = (_number(end, text, name) for end in (first, last))
    return Bounds(low=low, high=high, above=sign == ">", below=sign == "<")


def _parts(text: str) -> tuple[str | None, str | None, str | None]:
    """The sign and the ends in a text; no ends where it has another form."""
    if len(text) > _LONGEST:
        return None, None, None
    plain = normalize("NFKC", text).strip()
    ranged = _RANGE.fullmatch(plain.removeprefix("=").lstrip())
    if ranged is not None:
        return None, ranged[1], ranged[2]
    compared = _COMPARED.fullmatch(plain)
    if compared is None:
        return None, None, None
    sign, end = compared[1], compared[2].rstrip()
    if sign in (">", ">="):
        return sign, end, None
    return (sign, None, end) if sign in ("<", "<=") else (None, end, end)


def _number(end: str | None, text: str, name: str) -> float | None:
    if not end:
        return None
    if _NUMBER.fullmatch(end) is None:
        raise _unread(name, text, GRAMMAR)
    return float(end)


def _span(value: str | Day | None, name: str, zone: tzinfo) -> tuple[int, int]:
    """The first instant, and the one after the last; an exact time is a single one."""
    if isinstance(value, str):
        value = _day(value, name)
    if isinstance(value, datetime):
        at = value if value.tzinfo is not None else value.replace(tzinfo=zone)
        check_time(at, name=name)
        return to_micros(at), to_micros(at) + 1
    if isinstance(value, date):
        value = PartialDate(year=value.year, month=value.month, day=value.day)
    if not isinstance(value, PartialDate):
        raise _unread(name, value, DAY_GRAMMAR)
    begin, after = (
        datetime.combine(day, time(), zone) for day in (value.begin, value.end + timedelta(days=1))
    )
    return to_micros(begin), to_micros(after)


def _day(text: str, name: str) -> Day:
    try:
        return PartialDate.parse(text)
    except InvalidInput as error:
        wrong = str(error)
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        pass
    if is_written(text):
        msg = f"{name}={text!r} cannot be read: {wrong.partition(';')[0]}; {DAY_GRAMMAR}"
        raise InvalidInput(msg)
    raise _unread(name, text, DAY_GRAMMAR)


def as_given(value: object) -> str:
    """A value as whoever gave it would write it, for a message."""
    if isinstance(value, tuple):
        return f"({', '.join(map(as_given, value))})"
    if isinstance(value, (date, datetime)):
        return repr(value.isoformat())
    return repr(str(value)) if isinstance(value, PartialDate) else repr(value)


def _unread(name: str, value: object, grammar: str) -> InvalidInput:
    form = "" if isinstance(value, str) else f"{_FORMS}: "
    return InvalidInput(f"{name}={as_given(value)} cannot be read; {form}{grammar}")
