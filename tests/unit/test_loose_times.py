"""Rough days: parts of months, bare seasons, and days in figures as far as they are known."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from omoide.domain.due import Due, due, moment, named
from omoide.domain.loose_times import in_figures, last_day
from omoide.domain.partial_date import Precision

SAID = datetime(2026, 3, 15, 21, tzinfo=UTC)
"""A Sunday."""

DUES = [
    ("10월 말", "2026-10", "2026-10-21~31"),
    ("5월 중순", "2026-05", "2026-05-11~20"),
    ("6월 초", "", "2026-06"),
    ("이번 달 말", "2026-03-31", "2026-03-21~31"),
    ("여름", "2026-07", "2026-06~08"),
    ("올여름", "2026-summer", "2026-06~08"),
    ("十月の終わり", "2026-10", "2026-10-21~31"),
    ("五月中旬", "", "2026-05-11~20"),
    ("夏", "2026", "2026-06~08"),
    ("今月末", "", "2026-03-21~31"),
    ("十月底", "", "2026-10-21~31"),
    ("明年夏天", "", "2027-06~08"),
    ("the end of October", "2026-10-31", "2026-10-21~31"),
    ("mid-May", "", "2026-05-11~20"),
    ("by the end of the month", "", "2026-03-21~31"),
    ("summer", "2026", "2026-06~08"),
    ("next year", "2027-01-01", "2027"),
    ("once the choir is back", "2026-winter", "2026-12~02"),
    ("once the choir is back", "2026-11", "2026-11"),
    ("once the choir is back", "2026-02", None),
    ("once the choir is back", "2025-summer", None),
    ("once a week", "", None),
]


@pytest.mark.proves("F05")
@pytest.mark.parametrize(("words", "guess", "expected"), DUES)
def test_a_rough_day_is_no_more_exact_than_its_words(words: str, guess: str, expected: str | None) -> None:
    found = due(words, said=SAID, guess=guess)

    assert (None if found is None else in_figures(found.at, found.precision)) == expected


@pytest.mark.parametrize(
    ("text", "guess", "expected"),
    [
        ("4월 1일에 이사해", "2026-04-01", "2026-04-01"),
        ("4월 1일에 이사해", "2026-04-02", None),
        ("四月から小松の学校だよ", "2026-04", "2026-04"),
        ("we open on Friday at 9", "2026-03-20T09:00", "2026-03-20 09:00"),
        ("we opened last Friday", "2026-03-06", None),
        ("we open soon", "2026-03-20", None),
    ],
)
def test_a_guess_needs_a_message_that_names_the_day(text: str, guess: str, expected: str | None) -> None:
    found = named(text, said=SAID, guess=guess)

    assert (None if found is None else in_figures(found.at, found.precision)) == expected


@pytest.mark.parametrize(
    ("text", "guess", "expected"),
    [
        ("월요일에 담배 끊었어", "2026-03-09", date(2026, 3, 9)),
        ("四月から小松の学校だよ", "2026-04", date(2026, 4, 1)),
        ("I quit on Monday", "2026-03-09", date(2026, 3, 9)),
        ("I started in 2019", "2019", date(2019, 1, 1)),
        ("I quit on Monday", "2020", None),
        ("I have done it for six years", "2020", None),
    ],
)
def test_since_when_is_what_both_the_message_and_the_guess_say(
    text: str, guess: str, expected: date | None
) -> None:
    found = moment(text, said=SAID, guess=guess)

    assert (None if found is None else found.date()) == expected


@pytest.mark.parametrize(
    ("begin", "precision", "expected"),
    [
        (date(2028, 2, 1), Precision.MONTH, date(2028, 2, 29)),
        (date(2026, 2, 11), Precision.MONTH, date(2026, 2, 20)),
        (date(2026, 2, 21), Precision.MONTH, date(2026, 2, 28)),
        (date(2026, 12, 1), Precision.SEASON, date(2027, 2, 28)),
        (date(2026, 12, 28), Precision.WEEK, date(2027, 1, 3)),
        (date(2026, 1, 1), Precision.YEAR, date(2026, 12, 31)),
        (date(2026, 5, 4), Precision.DAY, date(2026, 5, 4)),
    ],
)
def test_the_last_day_of_a_stretch(begin: date, precision: Precision, expected: date) -> None:
    assert last_day(begin, precision) == expected


def test_an_instant_and_a_week_in_figures() -> None:
    exact = Due(at=SAID, precision=Precision.MINUTE)

    assert in_figures(exact.at, exact.precision) == "2026-03-15 21:00"
    assert in_figures(datetime(2026, 12, 28, tzinfo=UTC), Precision.WEEK) == "2026-12-28~01-03"
