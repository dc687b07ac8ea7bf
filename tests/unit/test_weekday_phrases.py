"""Which day a weekday with "this", "next" or "after next" is, by the day on which it is said."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from omoide.domain.due import due, past

DAYS = {
    "Mon": 9, "Tue": 10, "Wed": 11, "Fri": 13, "Sat": 14, "Sun": 15,
}  # fmt: skip
"""Days of November 2026 on which a phrase is said."""

_COMING_SUNDAY = "15 15 15 15 15 22"
_COMING_FRIDAY = "13 13 13 20 20 20"
_NEXT_FRIDAY = "20 20 20 20 20 20"
_WEEK_AFTER_FRIDAY = "20 20 20 27 27 27"
_AFTER_NEXT_FRIDAY = "27 27 27 27 27 27"
_THIS_FRIDAY = "13 13 13 13 20 20"
PHRASES = {
    "오는 일요일": _COMING_SUNDAY,
    "돌아오는 일요일": _COMING_SUNDAY,
    "오는 화요일": "10 17 17 17 17 17",
    "이번 일요일": "15 15 15 15 15 15",
    "이번 수요일": "11 11 11 18 18 18",
    "다음 일요일": "22 22 22 22 22 22",
    "담 금요일": _NEXT_FRIDAY,
    "다음 주 금요일": _NEXT_FRIDAY,
    "차주 금요일": _NEXT_FRIDAY,
    "다다음 주 금요일": _AFTER_NEXT_FRIDAY,
    "다다음 금요일": _AFTER_NEXT_FRIDAY,
    "오는 주말": "14 14 14 14 21 21",
    "今度の日曜": _COMING_SUNDAY,
    "次の日曜": _COMING_SUNDAY,
    "今度の金曜日": _COMING_FRIDAY,
    "この日曜": "15 15 15 15 15 15",
    "この金曜": _THIS_FRIDAY,
    "来週の金曜": _NEXT_FRIDAY,
    "再来週の金曜": _AFTER_NEXT_FRIDAY,
    "次の次の金曜": _AFTER_NEXT_FRIDAY,
    "来週末": "21 21 21 21 21 21",
    "on Friday": _COMING_FRIDAY,
    "this Friday": _THIS_FRIDAY,
    "this coming Friday": _COMING_FRIDAY,
    "next Friday": _NEXT_FRIDAY,
    "Friday next week": _NEXT_FRIDAY,
    "next week Friday": _NEXT_FRIDAY,
    "a week on Friday": _WEEK_AFTER_FRIDAY,
    "a week from Friday": _WEEK_AFTER_FRIDAY,
    "Friday week": _WEEK_AFTER_FRIDAY,
    "Friday after next": _AFTER_NEXT_FRIDAY,
    "a week today": "16 17 18 20 21 22",
    "a week from tomorrow": "17 18 19 21 22 23",
    "tomorrow week": "17 18 19 21 22 23",
    "two weeks from Monday": "30 30 30 30 30 30",
    "the weekend after next": "28 28 28 28 28 28",
    "这周五": _THIS_FRIDAY,
    "下周五": _NEXT_FRIDAY,
    "下个周五": _NEXT_FRIDAY,
    "下下周五": _AFTER_NEXT_FRIDAY,
}
"""For each phrase the day of November 2026 that it means, said on each of the days."""


def said(day: str) -> datetime:
    return datetime(2026, 11, DAYS[day], 21, tzinfo=UTC)


@pytest.mark.proves("F05")
@pytest.mark.parametrize(
    ("phrase", "day", "expected"),
    [
        (phrase, day, date(2026, 11, int(number)))
        for phrase, row in PHRASES.items()
        for day, number in zip(DAYS, row.split(), strict=True)
    ],
)
def test_the_day_that_a_weekday_phrase_means(phrase: str, day: str, expected: date) -> None:
    found = due(phrase, said=said(day))

    assert found is not None
    assert found.at.date() == expected


@pytest.mark.proves("F05")
@pytest.mark.parametrize(
    ("phrase", "day", "guess", "expected"),
    [
        ("다음 일요일", "Tue", "2026-11-15", "2026-11-15"),
        ("다음 일요일", "Tue", "2026-11-29", "2026-11-22"),
        ("다음 주 일요일", "Tue", "2026-11-15", "2026-11-22"),
        ("돌아오는 일요일", "Tue", "2026-11-22", "2026-11-15"),
        ("今度の日曜", "Tue", "2026-11-22", "2026-11-22"),
        ("次の金曜", "Tue", "2026-11-20", "2026-11-20"),
        ("次の金曜", "Tue", "2026-11-27", "2026-11-13"),
        ("next Friday", "Tue", "2026-11-13", "2026-11-13"),
        ("next Friday", "Sun", "2026-11-27", "2026-11-27"),
        ("next Friday at 3 pm", "Tue", "2026-11-13", "2026-11-13"),
        ("Thursday after next", "Tue", "2026-11-19", "2026-11-19"),
        ("a week on Friday", "Tue", "2026-11-13", "2026-11-20"),
    ],
)
def test_a_model_decides_only_between_what_speakers_differ_in(
    phrase: str, day: str, guess: str, expected: str
) -> None:
    found = due(phrase, said=said(day), guess=guess)

    assert found is not None
    assert found.at.date().isoformat() == expected


@pytest.mark.parametrize(
    ("phrase", "day", "over"),
    [
        ("이번 주 금요일", "Sat", True),
        ("이번 주 금요일", "Sun", False),
        ("今週の金曜", "Sat", True),
        ("last Friday", "Sun", True),
    ],
)
def test_a_day_of_this_week_is_over_behind_it_but_for_a_week_that_begins_on_sunday(
    phrase: str, day: str, over: bool
) -> None:
    assert past(phrase, said=said(day)) is over
