"""Lengths of time that were said, and the days that they reckon to: "two weeks now", 2주 뒤, 半年前 (F05)."""

from __future__ import annotations

from calendar import monthrange
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

_COUNTS: Final = (
    "일|한|一|a|an|one|another",
    "이|두|二|两|兩|two|couple of",
    "삼|세|석|三|three",
    "사|네|넉|四|four",
    "오|다섯|五|five",
    "육|여섯|六|six",
    "칠|일곱|七|seven",
    "팔|여덟|八|eight",
    "구|아홉|九|nine",
    "십|열|十|ten",
    "eleven",
    "twelve",
)
_WORDS: Final = {word: number for number, words in enumerate(_COUNTS, 1) for word in words.split("|")}
_UNITS: Final = {
    unit: name
    for name, units in (
        ("days", "일|日|日間|天|day"),
        ("weeks", "주|주일|週|週間|周|星期|个星期|個星期|礼拜|个礼拜|week"),
        ("months", "달|개월|ヶ月|か月|カ月|ヵ月|ケ月|个月|個月|month"),
        ("years", "년|해|年|年間|year"),
    )
    for unit in units.split("|")
}
_WHOLE: Final = {
    "하루": 1,
    "이틀": 2,
    "사흘": 3,
    "나흘": 4,
    "닷새": 5,
    "엿새": 6,
    "열흘": 10,
    "보름": 15,
    "半月": 15,
    "fortnight": 14,
}
"""Words for so many days."""

_HALF_A_YEAR: Final = r"반\s?년|半年|half\s+a\s+year"


def _any(words: Iterable[str]) -> str:
    return "|".join(regex.escape(word) for word in sorted(words, key=len, reverse=True))


_UNIT: Final = rf"(?P<unit>{_any(_UNITS)})"
_LENGTH: Final = regex.compile(
    rf"""(?P<half>{_HALF_A_YEAR}) | (?P<whole>{_any(_WHOLE)})
    | (?<![\p{{L}}\p{{N}}]|[월月]\s?)(?P<count>\d{{1,3}}|{_any(_WORDS)})[\s-]*{_UNIT}(?!\p{{Latin}}{{2}})
    | (?<=\p{{L}})(?<![월月])(?P<count>\d{{1,3}}|[一二三四五六七八九十两])\s?{_UNIT}(?!\p{{Latin}})
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
"""A length of time; behind a month so many days are a date."""


def reckoned(text: str, *, said: date) -> frozenset[date]:
    """The days that lie as long before and after a day as a text says, in ko, ja, zh or en.

    A length alone does not tell its direction: what has gone on for two weeks began two weeks ago.
    """
    found: set[date] = set()
    for days, months in _lengths(normalize("NFKC", text)):
        for sign in (-1, 1):
            try:
                found.add(_months_on(said, sign * months) + timedelta(days=sign * days))
            except (ValueError, OverflowError):  # before the first year, or after the last
                continue
    return frozenset(found)


def _lengths(text: str) -> Iterator[tuple[int, int]]:
    """Lengths of time in days and in months."""
    for match in _LENGTH.finditer(text):
        if match["half"]:
            yield 0, 6
        elif match["whole"]:
            yield _WHOLE[match["whole"].lower()], 0
        else:
            count = match["count"].lower()
            number = int(count) if count.isdecimal() else _WORDS[count]
            unit = _UNITS[match["unit"].lower()]
            days = {"days": number, "weeks": 7 * number}.get(unit, 0)
            yield days, {"months": number, "years": 12 * number}.get(unit, 0)


def _months_on(day: date, months: int) -> date:
    """The same day of another month, or its last where it has fewer days."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))
