"""Words for days that mean no day in particular stay as they are; those that date a claim become figures."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from omoide.domain.absolute import absolute

SAID = datetime(2026, 4, 14, 20, tzinfo=UTC)
"""A Tuesday."""


@pytest.mark.proves("F05")
@pytest.mark.parametrize(
    "text",
    [
        "flies out to Oslo the last Friday of May",
        "got engaged the last Sunday in March",
        "spent the last week of April in bed",
        "feels that tomorrow will be better",
        "believes tomorrow is another day",
        "lives for today",
        "lives as if there were no tomorrow",
        "hopes for a better tomorrow",
        "has a motto: never put off till tomorrow what can be done today",
        "오늘을 사는 것이 좌우명이다",
        "오늘 할 일을 내일로 미루지 말자가 신조다",
        "내일은 내일의 태양이 뜬다고 믿는다",
        "내일을 걱정한다",
        "내일의 나에게 맡긴다",
        "座右の銘は明日は明日の風が吹く",
        "明日は明日の風が吹くと思っている",
        "今日を精一杯生きている",
        "明日の自分に任せる",
        "活在今天",
        "今天的事今天做是他的座右铭",
    ],
)
def test_days_of_no_date_stay_words(text: str) -> None:
    assert absolute(text, said=SAID) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("met Ann last Sunday in Leeds", "met Ann on 2026-04-12 in Leeds"),
        ("moves the last weekend of this month", "moves the last weekend of 2026-04"),
        ("moves the first Sunday of this month", "moves the first Sunday of 2026-04"),
        ("thinks tomorrow will be hard", "thinks 2026-04-15 will be hard"),
        ("learned a proverb yesterday", "learned a proverb on 2026-04-13"),
        ("오늘을 병원에서 보냈다", "2026-04-14을 병원에서 보냈다"),
        ("내일이 마감이다", "2026-04-15이 마감이다"),
        ("다음 달 주말에 캠핑을 간다", "2026년 5월 주말에 캠핑을 간다"),
        ("昨日を家で過ごした", "2026-04-13を家で過ごした"),
        ("明日は試験だ", "2026-04-15は試験だ"),
        ("明天是截止日期", "2026-04-15是截止日期"),
    ],
)
def test_days_that_date_a_claim_become_figures(text: str, kept: str) -> None:
    assert absolute(text, said=SAID) == kept
