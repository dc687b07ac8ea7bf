"""A day that is known only so far is told by the listener's calendar (P18)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from omoide.domain.partial_date import PartialDate
from omoide.prompts.ago import ago_about

if TYPE_CHECKING:
    from omoide.domain.text import Language


@pytest.mark.proves("P18")
@pytest.mark.parametrize("zone", ["Asia/Seoul", "Pacific/Kiritimati", "Pacific/Honolulu"])
@pytest.mark.parametrize("hour", [0, 9, 23])
@pytest.mark.parametrize(
    ("day", "told"),
    [
        ("2026-11-30", {"ko": "오늘", "ja": "今日", "zh": "今天", "en": "today"}),
        ("2026-11-29", {"ko": "어제", "ja": "昨日", "zh": "昨天", "en": "yesterday"}),
        ("2026-11-27", {"ko": "3일 전", "ja": "3日前", "zh": "3天前", "en": "3 days ago"}),
        ("2026-12-01", {"ko": "내일", "ja": "明日", "zh": "明天", "en": "tomorrow"}),
        ("2026-11", {"ko": "이번 달", "ja": "今月", "zh": "这个月", "en": "this month"}),
        ("2026-10", {"ko": "지난달", "ja": "先月", "zh": "上个月", "en": "last month"}),
        ("2026-08", {"ko": "3개월 전", "ja": "3か月前", "zh": "3个月前", "en": "3 months ago"}),
        ("2026-autumn", {"ko": "이번 계절", "ja": "この季節", "zh": "这个季节", "en": "this season"}),
        ("2026-summer", {"ko": "3개월 전", "ja": "3か月前", "zh": "3个月前", "en": "3 months ago"}),
        ("2011-summer", {"ko": "15년 전", "ja": "15年前", "zh": "15年前", "en": "15 years ago"}),
        ("2026", {"ko": "올해", "ja": "今年", "zh": "今年", "en": "this year"}),
        ("2025", {"ko": "작년", "ja": "去年", "zh": "去年", "en": "last year"}),
        ("2023", {"ko": "3년 전", "ja": "3年前", "zh": "3年前", "en": "3 years ago"}),
        ("2027", {"ko": "내년", "ja": "来年", "zh": "明年", "en": "next year"}),
    ],
)
def test_a_day_known_so_far_is_told_by_the_calendar(
    day: str, told: dict[Language, str], zone: str, hour: int
) -> None:
    now = datetime(2026, 11, 30, hour, 5, tzinfo=ZoneInfo(zone))
    assert {name: ago_about(PartialDate.parse(day), now=now, language=name) for name in told} == told
