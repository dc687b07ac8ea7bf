"""Times of the day in figures and in words."""

from __future__ import annotations

import pytest

from omoide.domain.clock_times import clock_times


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("I get up at half five", "gets up at 5:30"),
        ("half past five pm", "at 17:30"),
        ("a quarter to six", "at 5:45"),
        ("ten past nine", "at 9:10 am"),
        ("nine o'clock", "at 9 a.m."),
        ("five thirty", "at 17:30"),
        ("다섯 시 반에", "5시 30분에"),
        ("오후 세 시에", "15시에"),
        ("열한 시 십오 분", "11:15"),
        ("五時半に", "5時30分に"),
        ("夜11時過ぎたら", "23時以降は"),
        ("下午三点一刻", "15:15"),
    ],
)
def test_times_in_words_and_in_figures_agree(said: str, claim: str) -> None:
    ((one,), (other,)) = clock_times(said), clock_times(claim)
    assert one.agrees(other)


@pytest.mark.parametrize(
    ("said", "claim"),
    [("half five", "4:30"), ("다섯 시 반", "6시 30분"), ("오전 세 시", "15시"), ("五時半", "5時")],
)
def test_other_times_do_not_agree(said: str, claim: str) -> None:
    ((one,), (other,)) = clock_times(said), clock_times(claim)
    assert not one.agrees(other)


@pytest.mark.parametrize(
    "text", ["3시간 동안", "3時間", "half the team of five", "version 3.11", "2026-04-04", "다시 반"]
)
def test_what_is_no_time_of_the_day_is_not_read(text: str) -> None:
    assert clock_times(text) == []


def test_more_than_a_time_is_told_apart_from_it() -> None:
    (one,) = clock_times("3時以降は空いている")
    assert "3時以降は空いている"[one.end :] == "は空いている"
