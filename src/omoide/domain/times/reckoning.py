"""Arithmetic of local dates: weeks from Monday, months, years, northern seasons, and what comes again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Unit = Literal["day", "week", "month", "year"]
Season = Literal["spring", "summer", "autumn", "winter"]
Dates = tuple[date, date]
"""The first day, and the day after the last."""

_SEASON_BEGINS: Mapping[Season, int] = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_SUNDAY = 6
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


class Turn(Enum):
    """Which of those that come again is meant.

    LAST is before now. THIS is that of this week or year. NEXT is that of next week or year, and for some
    speakers the first to come (next Friday, 다음 금요일); of SOON it is the other way round (今度の金曜).
    COMING is the first to come, and nothing else (돌아오는 금요일). AFTER_NEXT is the one behind it.
    """

    LAST = "last"
    THIS = "this"
    NEXT = "next"
    SOON = "soon"
    COMING = "coming"
    AFTER_NEXT = "after next"


_WEEK_OF: Mapping[Turn, int] = {Turn.THIS: 0, Turn.NEXT: 1, Turn.AFTER_NEXT: 2}
_AHEAD_OF: Mapping[Turn, int] = {Turn.AFTER_NEXT: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a longer stretch that comes again in each: a day of the week, a month, a season."""

    month: int | None = None
    day: int | None = None
    days: int = 1
    weekday: int | None = None
    season: Season | None = None

    def within(self, shift: Shift, today: date) -> list[Dates]:
        """Reckon the part of a given stretch; the whole stretch where it has no such part.

        On a Sunday, a week to come is for some speakers the one that begins then.
        """
        first, last = shift.dates(today)
        if self.weekday is not None and shift.unit == "week":
            ahead = shift.first >= 0
            return self._of_week(shift.first, today) if ahead else [self._from(first + self.weekday * _DAY)]
        if self.day is not None and self.month is None and shift.unit == "month":
            return [self._from(first.replace(day=self.day))]
        if (self.season or self.month) and shift.unit == "year" and shift.first == shift.last:
            return [self._this_year(today) if shift.first == 0 else self._in_year(first.year)]
        return [(first, last)]

    def nearest(self, turn: Turn | None, today: date) -> list[Dates]:
        """Reckon which one is meant, and after it those that others mean by the same words.

        The last one is over, or began in an earlier year: in January, last winter is the one that began in
        December. Without a turn, a month or a season may still go on, and a weekday is one before today.
        """
        if self.weekday is not None:
            return self._weekday(turn, self.weekday, today)
        if self.month is None and self.season is None:
            return [] if self.day is None else self._monthday(self.day, today)
        if turn is Turn.THIS:
            return [self._this_year(today)]
        ones = list(self._ones_around(today))
        if turn is not None and turn is not Turn.LAST:
            return [one for one in ones if one[0] > today][_AHEAD_OF.get(turn, 0) :][:1]
        begun = [one for one in ones if one[0] <= today]
        if turn is Turn.LAST:
            begun = [one for one in begun if one[1] <= today or one[0].year < today.year]
        return begun[-1:]

    def _from(self, first: date) -> Dates:
        return first, first + self.days * _DAY

    def _weekday(self, turn: Turn | None, weekday: int, today: date) -> list[Dates]:
        if turn is None or (turn is Turn.LAST and self.days == 1):
            # A weekend that has begun is the one meant, while "on Friday" on a Friday looks back a week.
            back = (today.weekday() - weekday) % 7
            return [self._from(today - (back or (0 if self.days > 1 else 7)) * _DAY)]
        if turn is Turn.LAST:
            return [self._in_week(-1, today)]
        coming = today + ((weekday - today.weekday() - 1) % 7 + 1) * _DAY
        ahead = self._from(coming + _AHEAD_OF.get(turn, 0) * _WEEK)
        if turn is Turn.COMING:
            return [ahead]
        of_week = self._of_week(_WEEK_OF.get(turn, 1), today)
        return [ahead, *of_week] if turn is Turn.SOON else [*of_week, ahead]

    def _monthday(self, day: int, today: date) -> list[Dates]:
        """The last day of that number, today included; none where the month has none."""
        return [self._from(_begin("month", -(day > today.day), today).replace(day=day))]

    def _of_week(self, steps: int, today: date) -> list[Dates]:
        weeks = (steps, steps + 1) if today.weekday() == _SUNDAY else (steps,)
        return [self._in_week(week, today) for week in weeks]

    def _in_week(self, steps: int, today: date) -> Dates:
        return self._from(_begin("week", steps, today) + (self.weekday or 0) * _DAY)

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
