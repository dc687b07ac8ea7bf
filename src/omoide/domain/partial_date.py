"""Days as people remember them: a year, a season, a month, or the very day; old ones too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final, Literal, get_args

from omoide.domain.instants import from_micros
from omoide.errors import InvalidInput

Season = Literal["spring", "summer", "autumn", "winter"]

_YEARS: Final = range(2, 9998)
"""Years whose days, and the winter after them, exist in every zone."""

_FIRST_MONTH: Final[dict[Season, int]] = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_DATE: Final = re.compile(r"(\d{4})(?:-(spring|summer|autumn|fall|winter)|-(\d{1,2})(?:-(\d{1,2}))?)?")
_NOON: Final = 12


class Precision(StrEnum):
    """How exactly a day is known."""

    MINUTE = "minute"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


@dataclass(frozen=True, kw_only=True, slots=True)
class PartialDate:
    """A day as far as it is known.

    Seasons are those of the north: spring from March, summer from June, autumn from September, and the winter
    of a year from its December to the next February.

    Attributes:
        year: 2 to 9997.
        month: 1 to 12; None for a year or a season.
        day: of the month; None where it is not known.
        season: in place of a month.

    Raises:
        InvalidInput: there is no such day.
    """

    year: int
    month: int | None = None
    day: int | None = None
    season: Season | None = None

    def __post_init__(self) -> None:
        if self.year not in _YEARS:
            msg = f"a year lies in {_YEARS[0]} to {_YEARS[-1]}, got {self.year!r}; tell others in the text"
            raise InvalidInput(msg)
        if self.season is not None and (self.season not in _FIRST_MONTH or self.month is not None):
            msg = f"a season is one of {', '.join(_FIRST_MONTH)}, without a month, got {self.season!r}"
            raise InvalidInput(msg)
        if self.day is not None and self.month is None:
            msg = f"a day needs its month, got year={self.year!r}, day={self.day!r}"
            raise InvalidInput(msg)
        try:
            date(self.year, 1 if self.month is None else self.month, 1 if self.day is None else self.day)
        except ValueError as error:
            msg = (
                f"there is no such day as {str(self)!r} ({error}); correct it, or leave out what is not known"
            )
            raise InvalidInput(msg) from None

    @classmethod
    def parse(cls, text: str) -> PartialDate:
        """Read ``2011``, ``2011-summer``, ``2011-05`` or ``2011-05-03``.

        Raises:
            InvalidInput: it is none of these, or there is no such day.
        """
        found = _DATE.fullmatch(text.strip().casefold())
        if found is None:
            msg = f"a day is written 2011, 2011-summer, 2011-05 or 2011-05-03, got {text!r}"
            raise InvalidInput(msg)
        year, season, month, day = found.groups()
        known = "autumn" if season == "fall" else season
        return cls(
            year=int(year),
            month=None if month is None else int(month),
            day=None if day is None else int(day),
            season=next((one for one in get_args(Season) if one == known), None),
        )

    @classmethod
    def of(cls, begin: date, precision: Precision) -> PartialDate:
        """The day that begins so; whatever is finer than a month is a day."""
        if precision is Precision.YEAR:
            return cls(year=begin.year)
        if precision is Precision.SEASON:
            season = next(name for name, month in _FIRST_MONTH.items() if month == begin.month)
            return cls(year=begin.year, season=season)
        if precision is Precision.MONTH:
            return cls(year=begin.year, month=begin.month)
        return cls(year=begin.year, month=begin.month, day=begin.day)

    @classmethod
    def read(cls, micros: int, precision: str) -> PartialDate:
        """The day of which a store keeps `at` and the precision."""
        return _read(micros, precision)

    @property
    def precision(self) -> Precision:
        """How exactly the day is known."""
        if self.day is not None:
            return Precision.DAY
        if self.month is not None:
            return Precision.MONTH
        return Precision.YEAR if self.season is None else Precision.SEASON

    @property
    def begin(self) -> date:
        """The first day that it may be."""
        month = _FIRST_MONTH[self.season] if self.season is not None else self.month or 1
        return date(self.year, month, self.day or 1)

    @property
    def end(self) -> date:
        """The last day that it may be."""
        if self.day is not None:
            return self.begin
        months = {Precision.MONTH: 1, Precision.SEASON: 3, Precision.YEAR: 12}[self.precision]
        later = self.begin.month - 1 + months
        return date(self.year + later // 12, later % 12 + 1, 1) - timedelta(days=1)

    @property
    def at(self) -> datetime:
        """Noon in UTC of the first day: an instant that lies on that day in nearly every zone."""
        return datetime(self.begin.year, self.begin.month, self.begin.day, _NOON, tzinfo=UTC)

    def overlaps(self, other: PartialDate) -> bool:
        """Whether the two may be the same day."""
        return self.begin <= other.end and other.begin <= self.end

    def __str__(self) -> str:
        """The day as `parse` reads it."""
        parts = [f"{self.year:04}"]
        if self.season is not None:
            parts.append(self.season)
        parts += [f"{part:02}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)


@lru_cache(maxsize=4096)
def _read(micros: int, precision: str) -> PartialDate:
    return PartialDate.of(from_micros(micros).date(), Precision(precision))


def is_written(text: str) -> bool:
    """Whether a text has the form of a day, whether or not there is such a day."""
    return _DATE.fullmatch(text.strip().casefold()) is not None
