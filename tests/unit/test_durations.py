"""Lengths of time that were said, and the days that they reckon to."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.durations import reckoned
from omoide.domain.grounding.relatives import relative, same_relative

SAID = date(2026, 4, 8)


@pytest.mark.proves("F05")
@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("한 2주 됐어", "2026-03-25", "2026-04-22"),
        ("보름 뒤에 만나", "2026-03-24", "2026-04-23"),
        ("석 달째 다녀", "2026-01-08", "2026-07-08"),
        ("반년 전에 샀어", "2025-10-08", "2026-10-08"),
        ("薬を二週間飲む", "2026-03-25", "2026-04-22"),
        ("もう三ヶ月になる", "2026-01-08", "2026-07-08"),
        ("10天前", "2026-03-29", "2026-04-18"),
        ("我学了两个月", "2026-02-08", "2026-06-08"),
        ("for two weeks now", "2026-03-25", "2026-04-22"),
        ("in half a year", "2025-10-08", "2026-10-08"),
        ("a fortnight ago", "2026-03-25", "2026-04-22"),
        ("been at it for six years", "2020-04-08", "2032-04-08"),
    ],
)
def test_a_length_reckons_to_a_day_before_and_one_after(text: str, before: str, after: str) -> None:
    assert sorted(map(str, reckoned(text, said=SAID))) == [before, after]


@pytest.mark.parametrize(
    "text", ["", "나는 오늘 쉬어", "4월 3일에 봐", "4月3日に", "I am here", "at 10 o'clock"]
)
def test_what_tells_no_length_reckons_to_nothing(text: str) -> None:
    assert reckoned(text, said=SAID) == frozenset()


def test_a_month_with_fewer_days_ends_earlier() -> None:
    assert date(2026, 2, 28) in reckoned("a month", said=date(2026, 3, 31))


@given(st.text(max_size=40), st.dates())
def test_any_text_on_any_day_is_reckoned(text: str, said: date) -> None:
    assert all(day != said or "0" in text for day in reckoned(text, said=said))


@pytest.mark.parametrize(
    ("name", "word", "whose"),
    [
        ("Tomas's mother", "mother", "Tomas"),
        ("my mum", "mum", None),
        ("서윤의 엄마", "엄마", "서윤"),
        ("우리 언니", "언니", None),
        ("健太さんの母", "母", "健太"),
        ("うちの妻", "妻", None),
        ("小雨的妈妈", "妈妈", "小雨"),
        ("엄마", "엄마", None),
    ],
)
def test_a_relative_is_told_by_the_word_and_by_whose_they_are(
    name: str, word: str, whose: str | None
) -> None:
    found = relative(name)

    assert found is not None
    assert (found.word, found.whose) == (word, whose)


@pytest.mark.parametrize("name", ["Ela", "校長先生", "友達の健太", "지호 언니", "민지 엄마", "Mumbai", ""])
def test_other_names_are_no_relatives_of_anybody(name: str) -> None:
    assert relative(name) is None


def test_one_mother_has_many_names_and_sisters_are_many() -> None:
    assert same_relative("Mum", "mother")
    assert same_relative("엄마", "어머니")
    assert same_relative("お母さん", "母")
    assert not same_relative("언니", "여동생")
    assert not same_relative("mother", "grandmother")
    assert not same_relative("姉", "妹")
