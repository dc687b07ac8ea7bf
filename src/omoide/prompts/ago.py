"""How long ago something was, as people say it, in days of the listener's zone (P18)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from omoide.domain.partial_date import Precision

if TYPE_CHECKING:
    from omoide.domain.partial_date import PartialDate
    from omoide.domain.text import Language

_MINUTE, _HOUR = 60, 3600

# Per language: now, minutes, hours, yesterday, days, weeks, months, years, and the same for the future.
_PAST: dict[Language, tuple[str, ...]] = {
    "ko": ("방금", "{}분 전", "{}시간 전", "어제", "{}일 전", "{}주 전", "{}개월 전", "{}년 전"),
    "ja": ("たった今", "{}分前", "{}時間前", "昨日", "{}日前", "{}週間前", "{}か月前", "{}年前"),
    "zh": ("刚才", "{}分钟前", "{}小时前", "昨天", "{}天前", "{}周前", "{}个月前", "{}年前"),
    "en": (
        "just now",
        "{} minutes ago",
        "{} hours ago",
        "yesterday",
        "{} days ago",
        "{} weeks ago",
        "{} months ago",
        "{} years ago",
    ),
}
_FUTURE: dict[Language, tuple[str, ...]] = {
    "ko": ("곧", "{}분 뒤", "{}시간 뒤", "내일", "{}일 뒤", "{}주 뒤", "{}개월 뒤", "{}년 뒤"),
    "ja": ("もうすぐ", "{}分後", "{}時間後", "明日", "{}日後", "{}週間後", "{}か月後", "{}年後"),
    "zh": ("马上", "{}分钟后", "{}小时后", "明天", "{}天后", "{}周后", "{}个月后", "{}年后"),
    "en": (
        "any moment",
        "in {} minutes",
        "in {} hours",
        "tomorrow",
        "in {} days",
        "in {} weeks",
        "in {} months",
        "in {} years",
    ),
}


_MONTHS, _YEARS = 6, 7
"""The places of the words for months and years."""

# By how exactly a day is known: this one, the last one, the next one.
_NEAR: dict[Precision, dict[Language, tuple[str, str, str]]] = {
    Precision.MONTH: {
        "ko": ("이번 달", "지난달", "다음 달"),
        "ja": ("今月", "先月", "来月"),
        "zh": ("这个月", "上个月", "下个月"),
        "en": ("this month", "last month", "next month"),
    },
    Precision.YEAR: {
        "ko": ("올해", "작년", "내년"),
        "ja": ("今年", "去年", "来年"),
        "zh": ("今年", "去年", "明年"),
        "en": ("this year", "last year", "next year"),
    },
}
_THIS_SEASON: dict[Language, str] = {
    "ko": "이번 계절",
    "ja": "この季節",
    "zh": "这个季节",
    "en": "this season",
}

_TODAY: dict[Language, str] = {"ko": "오늘", "ja": "今日", "zh": "今天", "en": "today"}


def ago(at: datetime, *, now: datetime, language: Language) -> str:
    """Say when something was, seen from now, for example "3 weeks ago"."""
    local = at if at.tzinfo is now.tzinfo else at.astimezone(now.tzinfo)
    seconds = abs((now - local).total_seconds())
    days = abs((now.date() - local.date()).days)
    words = (_PAST if local <= now else _FUTURE)[language]
    place, count = _step(seconds, days)
    said = words[place].format(count)
    return _singular(said) if count == 1 and language == "en" else said


def day_from(day: datetime, *, now: datetime, language: Language) -> str:
    """Say which day something is on, seen from now, where nobody knows the hour: "today", "in 3 days"."""
    local = day.astimezone(now.tzinfo)
    if local.date() == now.date():
        return _TODAY[language]
    return ago(datetime.combine(local.date(), now.timetz()), now=now, language=language)


def ago_about(day: PartialDate, *, now: datetime, language: Language) -> str:
    """Say when a day was that is known so far, by the listener's calendar: "yesterday", "last month".

    What is known as a day never has hours, a month never has days, and a year never has months.
    """
    today = now.date()
    if day.precision is Precision.DAY:
        return day_from(datetime.combine(day.begin, now.timetz()), now=now, language=language)
    if day.precision is Precision.YEAR:
        return _by_calendar(Precision.YEAR, today.year - day.year, language)
    if day.begin <= today <= day.end and day.precision is Precision.SEASON:
        return _THIS_SEASON[language]
    near = day.end if day.end < today else day.begin
    return _by_calendar(Precision.MONTH, 12 * (today.year - near.year) + today.month - near.month, language)


def _by_calendar(unit: Precision, count: int, language: Language) -> str:
    """So many months or years before now, or after it where the count is negative."""
    if abs(count) <= 1:
        return _NEAR[unit][language][count]
    words = (_PAST if count > 0 else _FUTURE)[language]
    count, place = abs(count), _MONTHS if unit is Precision.MONTH else _YEARS
    if unit is Precision.MONTH and count >= 2 * 12:
        count, place = count // 12, _YEARS
    return words[place].format(count)


def _step(seconds: float, days: int) -> tuple[int, int]:
    if days == 0 or (days == 1 and seconds < 6 * _HOUR):
        if seconds < _MINUTE:
            return 0, 0
        if seconds < _HOUR:
            return 1, int(seconds // _MINUTE)
        return 2, int(seconds // _HOUR)
    if days == 1:
        return 3, 1
    if days < 14:
        return 4, days
    if days < 60:
        return 5, days // 7
    if days < 730:
        return 6, round(days / 30.44)
    return 7, int(days / 365.25)


def _singular(said: str) -> str:
    for plural in ("minutes", "hours", "days", "weeks", "months", "years"):
        said = said.replace(f"1 {plural}", f"1 {plural[:-1]}")
    return said
