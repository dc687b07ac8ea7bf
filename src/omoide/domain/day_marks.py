"""What words tell of a day besides when it is: its weekday, its number, and which of a month's it is (F05).

"Saturday, the 16th" names no day by itself. Of the days that are thought of, it tells which one fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

if TYPE_CHECKING:
    from datetime import date

_WEEKDAY: Final = re.compile(
    r"(?i)\b(?P<en>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?day\b"
    r"|(?P<ko>[월화수목금토일])(?:요일|욜)|(?P<ja>[月火水木金土日])曜日?"
    r"|(?:周|週|星期|礼拜|禮拜)(?P<zh>[一二三四五六日天])"
    r"|\((?P<aside>[월화수목금토일月火水木金土日])\)"
)
_ORDER: Final = {
    **{name: number for number, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))},
    **{name: number for names in ("월화수목금토일", "月火水木金土日") for number, name in enumerate(names)},
}
_ORDER_ZH: Final = {name: number for number, name in enumerate("一二三四五六日")} | {"天": 6}
_WEEKEND: Final = re.compile(r"(?i)\bweekend\b|주말|週末|周末")
_SATURDAY: Final = 5
_WEEKEND_DAYS: Final = frozenset({5, 6})

_NUMBER: Final = re.compile(
    r"(?i)\b(?P<en>\d{1,2})(?:st|nd|rd|th)\b(?!\s+(?:birthday|anniversary|floor))"
    r"|(?<![\d박泊])(?P<cjk>\d{1,2})\s*[일日号號](?!\s*(?:[전후뒤간前后後間间]|동안|요일))"
)
_NTH: Final = re.compile(
    r"""(?ix)
    \b(?P<en>first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th)\s+(?=(?:\w+day|weekend)\b)
    | \b(?P<last>last|final)\s+(?=(?:\w+day|weekend)\s+(?:of|in)\b)
    | (?P<ko>첫|둘|두|셋|세|넷|네|다섯|마지막)\s?(?:번?째)?\s?(?P<week_ko>주(?!말)의?)?\s?
        (?=[월화수목금토일](?:요일|욜)|주말)
    | (?:第\s?(?P<han>[一二三四五1-5])|(?P<count>[一二三四五])(?=[个個])|(?P<begin>最初|初め|はじめ)
        |(?P<end>最[後后終](?:一(?=[个個]))?))
        の?[个個]?\s?(?P<week_han>週の?|[周週]的?)?\s?
        (?=[月火水木金土日]曜|[周週]末|[周週][一二三四五六日天]|星期|礼拜|禮拜)
    """
)
_ORDINALS: Final = {
    word: number
    for number, words in enumerate(
        (
            "first 1st 첫 一 1 最初 初め はじめ",
            "second 2nd 둘 두 二 2",
            "third 3rd 셋 세 三 3",
            "fourth 4th 넷 네 四 4",
            "fifth 5th 다섯 五 5",
        ),
        1,
    )
    for word in words.split()
}
_OF: Final = re.compile(r"(?i)\b(\w+day|weekend)\s+of\s+")
_PASSED: Final = re.compile(
    r"(?i)\d{1,2}(?::\d{2})?\s*(?:[ap]\.?m\b|시(?:\s*반)?|時半?|点半?)|\d{1,2}[분分]|\d"
    r"|\b(?:on|over|at|in|by|of|the|an?|and|is|it|this|coming|around|about|until|till|noon|midnight|o.?clock"
    r"|early|late|morning|afternoon|evening|night)\b"
    r"|오전|오후|아침|점심|저녁|새벽|밤|낮|에서?|에는|까지|부터|쯤|경|의|날"
    r"|午前|午後|朝|昼|夕方|夜|晩|まで|から|ごろ|ころ|頃|には?|[のはでへを]|上午|下午|晚上|早上|中午|的"
)
"""What stands around words for a day and tells nothing more of which day it is."""

_WEEK: Final = 7
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Marks:
    """What words tell of a day.

    Attributes:
        weekdays: sets of which the weekday is in each; Monday is 0.
        numbers: what the number of the day in its month is.
        nth: which of the weekdays of a month, -1 for the last; None where nobody said.
        by_week: that is said of the weeks of a month, which some count from the one in which it begins.
    """

    weekdays: frozenset[frozenset[int]]
    numbers: frozenset[int]
    nth: int | None
    by_week: bool

    def __bool__(self) -> bool:
        return bool(self.weekdays or self.numbers)

    def fit(self, day: date, *, of_month: bool) -> bool:
        """Whether a day is all that is told of it; with ``of_month`` also which of its month's it is."""
        if any(day.weekday() not in one for one in self.weekdays) or self.numbers - {day.day}:
            return False
        return not of_month or self.nth is None or self._is_nth(day)

    def tell_one(self, day: date) -> bool:
        """Whether they name the day among others: Friday or Saturday."""
        return day.day in self.numbers or any(day.weekday() in one for one in self.weekdays)

    def _is_nth(self, day: date) -> bool:
        if _WEEKEND_DAYS in self.weekdays and day.weekday() > _SATURDAY and day.day > 1:
            day -= _DAY  # a weekend is that of its Saturday
        if self.nth == -1:
            return (day + _WEEK * _DAY).month != day.month
        rows = (day.day + day.replace(day=1).weekday() - 1) // _WEEK + 1 if self.by_week else None
        return self.nth in ((day.day - 1) // _WEEK + 1, rows)


def marks(words: str) -> tuple[Marks, str]:
    """What words for a day tell of it, and the words without "the last" of "the last Friday of May"."""
    text = normalize("NFKC", words)
    nth = _NTH.search(text)
    text = _OF.sub(r"\1 in ", _NTH.sub("", text))
    days = [frozenset({_weekday(match)}) for match in _WEEKDAY.finditer(text)]
    numbers = frozenset(int(match["en"] or match["cjk"]) for match in _NUMBER.finditer(text))
    found = Marks(
        weekdays=frozenset([*days, *([_WEEKEND_DAYS] if _WEEKEND.search(text) else [])]),
        numbers=numbers,
        nth=None if nth is None else _ordinal(nth),
        by_week=nth is not None and bool(nth["week_ko"] or nth["week_han"]),
    )
    return found, text


def unmarked(text: str) -> str:
    """A text with blanks in place of weekdays and weekends, as long as it was."""
    for mark in (_WEEKDAY, _WEEKEND):
        text = mark.sub(lambda match: " " * len(match.group()), text)
    return text


def unread(text: str) -> bool:
    """Whether words for a day hold something besides marks of it and what commonly stands around them."""
    for passed in (_WEEKDAY, _WEEKEND, _NUMBER, _PASSED):
        text = passed.sub(" ", text)
    return re.search(r"[^\W_]", text) is not None


def _weekday(match: re.Match[str]) -> int:
    if match["zh"]:
        return _ORDER_ZH[match["zh"]]
    return _ORDER[(match["en"] or match["ko"] or match["ja"] or match["aside"]).lower()]


def _ordinal(match: re.Match[str]) -> int:
    """Which of those of a month, -1 for the last."""
    word = next(
        match[group] for group in ("en", "last", "ko", "han", "count", "begin", "end") if match[group]
    )
    return _ORDINALS.get(word.lower(), -1)
