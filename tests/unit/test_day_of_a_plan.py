"""Which day a plan has, where words name a weekday and more: a guess stands where they leave it (F05)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from omoide.domain.due import due, named, past
from omoide.domain.partial_date import Precision

SAID = datetime(2026, 4, 14, 20, tzinfo=UTC)
"""A Tuesday."""

OPEN = [
    ("GW明けの土曜に", "2026-05-09"),
    ("夏休みの最初の月曜に", "2026-07-20"),
    ("2週間後の土曜に", "2026-05-02"),
    ("한 달 뒤 금요일에", "2026-05-15"),
    ("5월 말 토요일에", "2026-05-30"),
    ("the saturday after easter break", "2026-04-25"),
    ("5월 첫 주말에", "2026-05-02"),
    ("5월 첫 주말에", "2026-05-03"),
    ("来月頭の週末に", "2026-05-02"),
    ("5月最初の週末に", "2026-05-02"),
    ("the first weekend of may", "2026-05-02"),
    ("금요일이나 토요일에", "2026-04-18"),
    ("on the 3rd or the 4th of may", "2026-05-04"),
    ("saturday may 17th", "2026-05-17"),
    ("어린이날에", "2026-05-05"),
]


@pytest.mark.proves("F05")
@pytest.mark.parametrize(("words", "guess"), OPEN)
def test_a_guess_stands_that_agrees_with_what_words_say(words: str, guess: str) -> None:
    found = due(words, said=SAID, guess=guess)
    assert found is not None
    assert (f"{found.at:%Y-%m-%d}", found.precision) == (guess, Precision.DAY)


@pytest.mark.proves("F05", "F17")
@pytest.mark.parametrize(
    ("words", "guess", "day"),
    [
        ("saturday may 16th", "2026-04-18", "2026-05-16"),
        ("friday the 24th", "2026-04-17", "2026-04-24"),
        ("next saturday, the 18th", "2026-04-25", "2026-04-18"),
        ("2週間後の土曜に", "2026-04-18", "2026-05-02"),
        ("내일", "2026-05-01", "2026-04-15"),
        ("on saturday", "2026-04-25", "2026-04-18"),
        ("토요일에", "2026-04-19", "2026-04-18"),
        ("the 27th", "2026-04-28", "2026-04-27"),
        ("on may 3rd next year", "2026-05-03", "2027-05-03"),
    ],
)
def test_words_win_over_a_guess_that_they_contradict(words: str, guess: str, day: str) -> None:
    found = due(words, said=SAID, guess=guess)
    assert found is not None
    assert f"{found.at:%Y-%m-%d}" == day


@pytest.mark.parametrize(
    ("words", "guess"),
    [("on a friday in june", "2026-06"), ("다음 달 주말에", "2026-05"), ("5月のどこかの土曜に", "")],
)
def test_what_is_known_roughly_stays_rough(words: str, guess: str) -> None:
    found = due(words, said=SAID, guess=guess)
    assert found is not None
    assert found.precision is Precision.MONTH


def test_the_last_friday_of_a_month_to_come_is_not_past() -> None:
    assert not past("the last friday of may", said=SAID)
    assert past("last friday", said=SAID)
    assert due("last friday", said=SAID, guess="2026-04-17") is None


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("wedding is on may 16th", "2026-05-16"),
        ("the wedding's on the 16th of may", "2026-05-16"),
        ("the exam is on friday the 24th", "2026-04-24"),
        ("24일 금요일에 시험이야", "2026-04-24"),
        ("6月の第2土曜に同窓会", "2026-06-13"),
    ],
)
def test_a_message_names_a_day_by_its_number(text: str, guess: str) -> None:
    found = named(text, said=SAID, guess=guess)
    assert found is not None
    assert f"{found.at:%Y-%m-%d}" == guess
    assert named(text, said=SAID, guess="2026-05-28") is None
