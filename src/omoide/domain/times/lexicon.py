"""How a language says times: patterns with named groups, and tables of what the words in them mean.

The groups of a pattern:

relative  a word for a stretch of time seen from today (어제, last week)
year      a year by its number
turn      last, this or next, said of a part (last Friday, 지난 여름)
later     so many weeks behind what else is named (a week on Friday)
month, day, monthday, weekday, weekend, season, holiday, stretch
          a part of the stretch, or one that comes again and again; a holiday may last for some days, and a
          stretch is a part of a year (작년 말, early last year)
number, upto, unit
          a counted distance (2, 3일 전); with ``ahead`` into the future, with ``window`` up to today
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeVar

from omoide.domain.times.reckoning import Dates, Part, Season, Shift, Turn, Unit, until_today

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date

Count = tuple[int, int]
"""The least and the most that a number word means."""

FEW: Count = (2, 6)

Holiday = tuple[int, int, int]
"""Month and day on which it begins, and how many days it lasts."""

EARLY: Final[Holiday] = (1, 1, 90)
LATE: Final[Holiday] = (10, 1, 92)
END: Final[Holiday] = (12, 1, 31)
"""Parts of a year that people name roughly."""

_SATURDAY = 5
_Meaning = TypeVar("_Meaning")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The time phrases of one language.

    ``hint`` is a cheap pattern that is found in every text with a phrase. ``count`` reads a number word. The
    words in the tables are in small letters and without spaces (`unspaced`).
    """

    hint: re.Pattern[str]
    patterns: tuple[re.Pattern[str], ...]
    count: Callable[[str], Count | None]
    relatives: Mapping[str, Shift] = field(default_factory=dict)
    turns: Mapping[str, Turn] = field(default_factory=dict)
    units: Mapping[str, Unit] = field(default_factory=dict)
    months: Mapping[str, int] = field(default_factory=dict)
    weekdays: Mapping[str, int] = field(default_factory=dict)
    seasons: Mapping[str, Season] = field(default_factory=dict)
    holidays: Mapping[str, Holiday] = field(default_factory=dict)

    def readings(self, match: re.Match[str], today: date) -> list[Dates]:
        """Reckon the dates that a match of one of the patterns means: the usual ones first, none for none.

        Raises:
            ValueError: there is no such date.
            OverflowError: the date lies outside the calendar.
        """
        found = {
            name: "".join(words.split()).casefold().replace("’", "'")
            for name, words in match.groupdict().items()
            if words
        }
        if "unit" in found:
            return self._counted(found, today)
        later = timedelta(weeks=self._number(found["later"])[0] if "later" in found else 0)
        return [(first + later, after + later) for first, after in self._named(found, today)]

    def _named(self, found: Mapping[str, str], today: date) -> list[Dates]:
        part = self._part(found)
        if "year" in found:
            steps = self._year(found["year"], today) - today.year
            return part.within(Shift(unit="year", first=steps, last=steps), today)
        if "relative" in found:
            return part.within(self.relatives[found["relative"]], today)
        if "turn" in found:
            return part.nearest(self.turns[found["turn"]], today)
        return part.nearest(Turn.COMING if "later" in found else None, today)

    def _counted(self, found: Mapping[str, str], today: date) -> list[Dates]:
        low, high = self._number(found["number"]) if "number" in found else (1, 1)
        if "upto" in found:
            high = self._number(found["upto"])[1]
        unit = self.units[found["unit"]]
        if "window" in found:
            return [until_today(unit, high, today)]
        first, last = (low, high) if "ahead" in found else (-high, -low)
        return self._part(found).within(Shift(unit=unit, first=first, last=last), today)

    def _part(self, found: Mapping[str, str]) -> Part:
        if "weekend" in found:
            return Part(weekday=_SATURDAY, days=2)
        if "weekday" in found:
            return Part(weekday=self.weekdays[found["weekday"]])
        if "season" in found:
            return Part(season=self.seasons[found["season"]])
        holiday = found.get("holiday") or found.get("stretch")
        if holiday:
            month, day, days = self.holidays[holiday]
            return Part(month=month, day=day, days=days)
        day_word = found.get("day") or found.get("monthday")
        return Part(
            month=self._month(found["month"]) if "month" in found else None,
            day=self._number(day_word)[0] if day_word else None,
        )

    def _month(self, word: str) -> int:
        return self.months.get(word) or self._number(word)[0]

    def _year(self, word: str, today: date) -> int:
        year = self._number(word)[0]
        if year >= 100:
            return year
        century = today.year - today.year % 100
        return century + year - (100 if century + year > today.year + 1 else 0)

    def _number(self, word: str) -> Count:
        count = (int(word), int(word)) if word.isdecimal() else self.count(word)
        if count is None:
            raise ValueError
        return count


def shifts(unit: Unit, words: Mapping[str, int]) -> dict[str, Shift]:
    """Make a table of words that each mean one unit, so many steps from now."""
    return {word: Shift(unit=unit, first=steps, last=steps) for word, steps in words.items()}


def unspaced(words: Mapping[str, _Meaning]) -> dict[str, _Meaning]:
    """Take the spaces out of the keys of a table."""
    return {word.replace(" ", ""): meaning for word, meaning in words.items()}


def choice(words: Iterable[str]) -> str:
    """Make the pattern of any of the words, the longest first, their spaces optional."""
    return "|".join(word.replace(" ", r"\s*") for word in sorted(words, key=len, reverse=True))
