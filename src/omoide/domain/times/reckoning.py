"""Arithmetic of local dates: weeks from Monday, months, years, northern seasons, and what comes again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Unit = Literal["day", "week", "month", "year"]
Season = Literal["spring", "summer", "autumn", "winter"]
Dates = tuple[date, date]
"""The first day, and the day after the last."""

_SEASON_BEGINS: Mapping[Season, int] = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_SATURDAY = 5
_YEARS_AROUND = 9  # leap days lie eight years apart at most
_DAY = timedelta(days=1)
_WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A stretch of whole units, counted from the one that today is in."""

    unit: Unit
    first: int
    last: int

    def dates(self, today: date) -> Dates:
        """Reckon the stretch from today."""
        return _begin(self.unit, self.first, today), _begin(self.unit, self.last + 1, today)


def until_today(unit: Unit, steps: int, today: date) -> Dates:
    """Reckon the last so many units up to and with today."""
    if unit in {"day", "week"}:
        return today - (steps * (_WEEK if unit == "week" else _DAY)) + _DAY, today + _DAY
    begin = _begin("month", -steps * (12 if unit == "year" else 1), today)
    return begin, today + _DAY


def _begin(unit: Unit, steps: int, today: date) -> date:
    match unit:
        case "day":
            return today + steps * _DAY
        case "week":
            return today - today.weekday() * _DAY + steps * _WEEK
        case "month":
            year, month = divmod(today.year * 12 + today.month - 1 + steps, 12)
            return date(year, month + 1, 1)
        case "year":
            return date(today.year + steps, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a longer stretch that comes again in each: a day of the week, a month, a season."""

    month: int | None = None
    day: int | None = None
    days: int = 1
    weekday: int | None = None
    season: Season | None = None

    def within(self, shift: Shift, today: date) -> Dates:
        """Reckon the part of a given stretch; the whole stretch where it has no such part."""
        first, last = shift.dates(today)
        if self.weekday is not None and shift.unit == "week":
            return self._from(first + self.weekday * _DAY)
        if self.day is not None and shift.unit == "month":
            return self._from(first.replace(day=self.day))
        if (self.season or self.month) and shift.unit == "year" and shift.first == shift.last:
            if shift.first == 0:
                return self._this_year(today)
            return self._in_year(first.year)
        return first, last

    def nearest(self, turn: int | None, today: date) -> Dates | None:
        """Reckon the last one (-1), this one (0), the next one (1), or the one a past-looking reader means.

        The last one is over, or began in an earlier year: in January, last winter is the one that began in
        December. Without a turn, a month or a season may still go on, and a weekday is one before today.
        """
        if self.weekday is not None:
            return self._week(turn, self.weekday, today)
        if self.month is None and self.season is None:
            return None
        if turn == 0:
            return self._this_year(today)
        ones = list(self._ones_around(today))
        if turn == 1:
            return next((one for one in ones if one[0] > today), None)
        begun = [one for one in ones if one[0] <= today]
        if turn == -1:
            begun = [one for one in begun if one[1] <= today or one[0].year < today.year]
        return begun[-1] if begun else None

    def _from(self, first: date) -> Dates:
        return first, first + self.days * _DAY

    def _week(self, turn: int | None, weekday: int, today: date) -> Dates:
        monday = today - today.weekday() * _DAY
        if turn in {0, 1} or (turn == -1 and self.days > 1):
            return self._from(monday + turn * _WEEK + weekday * _DAY)
        # A weekend that has begun is the one meant, while "on Friday" on a Friday looks back a week.
        back = (today.weekday() - weekday) % 7
        return self._from(today - (back or (0 if self.days > 1 else 7)) * _DAY)

    def _this_year(self, today: date) -> Dates:
        # Until summer, this winter is the one that began last year.
        before = self.season == "winter" and today.month < 8
        return self._in_year(today.year - before)

    def _in_year(self, year: int) -> Dates:
        if self.season:
            first = date(year, _SEASON_BEGINS[self.season], 1)
            return first, _begin("month", 3, first)
        first = date(year, self.month or 1, self.day or 1)
        return self._from(first) if self.day else (first, _begin("month", 1, first))

    def _ones_around(self, today: date) -> Iterator[Dates]:
        for year in range(today.year - _YEARS_AROUND, today.year + _YEARS_AROUND + 1):
            with suppress(ValueError):  # the 29th of February in most years
                yield self._in_year(year)
