"""How long ago something was, as people say it, in days of the listener's zone (P18)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


_TODAY: dict[Language, str] = {"ko": "오늘", "ja": "今日", "zh": "今天", "en": "today"}


def ago(at: datetime, *, now: datetime, language: Language) -> str:
    """Say when something was, seen from now, for example "3 weeks ago"."""
    local = at.astimezone(now.tzinfo)
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
