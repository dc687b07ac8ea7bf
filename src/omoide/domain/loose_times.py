"""Days that are known roughly only, such as "the end of October", 5월 중순 and 夏, and days in figures."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime, timedelta
from unicodedata import normalize

from omoide.domain.partial_date import Precision

_PARTS = (
    re.compile(
        r"\bearly\b|\b(?:start|beginning)\s+of\b|[월달]\s*초|상순|上旬|月の?(?:初め|はじめ|頭)|月初",
        re.IGNORECASE,
    ),
    re.compile(r"\bmid\b|\bmid-|\bmiddle\s+of\b|중순|中旬|半ば|なかば", re.IGNORECASE),
    re.compile(
        r"\blate\b|\bend\s+of\b|[월달]\s*말|하순|下旬|月の?(?:末|終わり|おわり)|月底|月末", re.IGNORECASE
    ),
)
"""Words for the first, second and last ten days of a month."""

_FIRST_DAYS = (1, 11, 21)
_OF = re.compile(
    r"\b(?:(?:by|at|in|around|before|from|until)\s+)?(?:the\s+)?(?:end|middle|beginning|start)\s+of\s+"
    r"(?P<this>(?:the|this)\s+month\b)?",
    re.IGNORECASE,
)
_IN = re.compile(
    r"\bin\s+((?:an?|one|two|three|four|five|six|seven|eight|nine|ten|a\s+couple\s+of|a\s+few|\d{1,3})"
    r"\s+(?:day|week|month|year|fortnight)s?)\b(?:['’]s?\s+time\b)?",
    re.IGNORECASE,
)
_ROUGHLY = re.compile(r"\b(?:in\s+)?(?:early|mid|late)[\s-]+(?=[A-Za-z])", re.IGNORECASE)
_WEEKDAY = re.compile(
    r"(?<!\bon )(?<!\b(?:last|next|this) )\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE
)
_WEEKEND = re.compile(r"\b(?:all|the|at)\s+(?:the\s+)?weekend\b", re.IGNORECASE)
_SEASON = re.compile(
    r"(?<!\bin )(?<!\bthe )(?<!\b(?:last|next|this) )\b(?:spring|summer|autumn|winter)\b", re.IGNORECASE
)
_KO_SEASON = re.compile(
    r"(?<![가-힣])(봄|여름|가을|겨울)(?=$|[^가-힣]|[이은]?(?:나|쯤|까지|$))(?!에|엔|\s*때)"
)
_HAN_SEASON = re.compile(r"(?<![\u4e00-\u9fff])([春夏秋冬])(?![に季至分節休天\u4e00-\u9fff])")


def spelt_out(words: str) -> str:
    """Words for a rough day in the form in which they are read: "in summer" for "summer"."""
    text = normalize("NFKC", words)
    text = _OF.sub(lambda match: "this month " if match["this"] else "in ", text)
    text = _ROUGHLY.sub("in ", text)
    text = _WEEKDAY.sub(r"on \g<0>", text)
    text = _WEEKEND.sub("over the weekend", text)
    text = _SEASON.sub(r"in \g<0>", text)
    text = _KO_SEASON.sub(r"\1에 ", text)
    return _HAN_SEASON.sub(r"\1に", text)


def from_now(text: str) -> str:
    """A text in NFKC form, with "in two weeks" as "two weeks from now"."""
    return _IN.sub(r"\1 from now", normalize("NFKC", text))


def part_of_month(words: str) -> int | None:
    """The day on which the part of a month begins that words name: 1, 11 or 21; None where there is none."""
    text = normalize("NFKC", words)
    return next(
        (day for day, part in zip(_FIRST_DAYS, _PARTS, strict=True) if part.search(text) is not None), None
    )


def last_day(begin: date, precision: Precision) -> date:
    """The last day of a stretch of which the first is known, and how exactly.

    A month that begins on the 11th or the 21st is the middle or the last part of it.
    """
    if precision is Precision.WEEK:
        return begin + timedelta(days=6)
    if precision is Precision.MONTH:
        return begin + timedelta(days=9) if begin.day == _FIRST_DAYS[1] else _end_of(begin, months=1)
    if precision is Precision.SEASON:
        return _end_of(begin, months=3)
    return date(begin.year, 12, 31) if precision is Precision.YEAR else begin


def in_figures(at: datetime, precision: Precision) -> str:
    """A day as exactly as it is known: 2026-10-31 15:00, 2026-10-31, 2026-10-21~31, 2026-10, 2026-06~08."""
    last = last_day(at.date(), precision)
    if precision is Precision.MINUTE:
        return f"{at:%Y-%m-%d %H:%M}"
    if precision is Precision.YEAR:
        return f"{at:%Y}"
    if precision is Precision.SEASON:
        return f"{at:%Y-%m}~{last:%m}"
    if precision is Precision.MONTH and at.day == 1:
        return f"{at:%Y-%m}"
    if precision is Precision.MONTH:
        return f"{at:%Y-%m-%d}~{last:%d}"
    return f"{at:%Y-%m-%d}~{last:%m-%d}" if precision is Precision.WEEK else f"{at:%Y-%m-%d}"


def _end_of(begin: date, *, months: int) -> date:
    year, month = divmod(begin.year * 12 + begin.month - 2 + months, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])
