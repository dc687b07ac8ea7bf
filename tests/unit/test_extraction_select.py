"""Which known items a window is shown: those that it may confirm, close or overturn, within a bound."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from claiming import AT, FACT, line, view

from omoide.domain.due import Due
from omoide.domain.model import Kind, PlanState
from omoide.domain.partial_date import Precision
from omoide.domain.text import tokens
from omoide.retain.extraction.select import ROOM, SHOWN, select

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from omoide.retain.extraction.view import Known


def known(number: int, text: str) -> Known:
    return replace(FACT, number=number, text=text, position=number)


def plan(number: int, text: str, *, days_ago: int) -> Known:
    due = Due(at=AT - timedelta(days=days_ago), precision=Precision.DAY)
    return replace(known(number, text), kind=Kind.PLAN, state=PlanState.OPEN, due=due)


def others(count: int) -> list[Known]:
    return [known(100 + n, f"keeps shelf {n} of cupboard {n * 7} tidy") for n in range(count)]


def selected(items: Sequence[Known], text: str, *, near: Mapping[int, float] | None = None) -> list[Known]:
    before = line(0, "good night", at=AT - timedelta(days=4))
    return list(select(items, view(line(1, text), context=(before,)), near=near or {}))


def shown(items: Sequence[Known], text: str, *, near: Mapping[int, float] | None = None) -> list[int]:
    return [one.number for one in selected(items, text, near=near)]


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("박물관 면접을 보러 간다", "박물관으로 옮길까 생각한다", "면접 잘 봤는데 안 가기로 했어"),
        ("転勤の内示が出る", "転勤になるかもしれない", "内示出たよ、小松だって"),
        ("has an interview at the museum", "may leave for the museum", "the interview went well, I said no"),
    ],
)
def test_what_tells_of_the_same_matter_comes_along(first: str, second: str, said: str) -> None:
    found = shown([known(1, first), known(2, second), *others(60)], said)

    assert {1, 2} <= set(found)


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("text", "said", "other"),
    [
        ("채식을 한다", "삼겹살이 정말 맛있었어", "삼겹살 {}번 집이 맛있다고 한다"),
        ("菜食をしている", "焼肉がおいしかった", "焼肉の店{}がおいしいと言う"),
        ("is a vegetarian", "that steak was delicious", "knows a delicious steak at place {}"),
    ],
)
def test_what_shares_only_its_meaning_with_the_talk_is_shown_beside_what_shares_its_words(
    text: str, said: str, other: str
) -> None:
    wordy = [known(10 + n, other.format(n)) for n in range(60)]
    found = shown([known(1, text), *wordy], said, near={1: 2.0})

    assert 1 in found
    assert len(found) > SHOWN // 2


@pytest.mark.proves("H12")
def test_a_plan_whose_day_came_since_the_last_talk_is_shown_whatever_is_said() -> None:
    plans = [plan(1, "takes the train", days_ago=3), plan(2, "fixes the roof", days_ago=40)]
    likes = [known(10 + n, f"likes shelf {n} most") for n in range(60)]
    found = shown([*plans, *likes], "back, shelf and all")

    assert 1 in found
    assert 2 not in found


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("text", "touching", "other"),
    [
        ("치과에 간다", "치과 다녀왔어", "비가 온다"),
        ("歯医者に行く", "歯医者に行ってきた", "雨が降る"),
        ("goes to the dentist", "been to the dentist", "it rains"),
    ],
)
def test_a_plan_long_past_takes_a_place_only_if_something_is_said_of_it(
    text: str, touching: str, other: str
) -> None:
    past, lately = plan(1, text, days_ago=8), plan(2, text, days_ago=2)

    assert shown([past, lately], touching) == [1, 2]
    assert shown([past, lately], other) == [2]
    assert shown([past], other, near={1: 1.5}) == [1]


def test_a_rare_word_in_common_counts_more_than_a_common_one() -> None:
    often = [known(10 + n, f"restores radio number {n}") for n in range(40)]
    found = shown([known(1, "keeps a cello beside the radio"), *often], "the radio sang with a cello")

    assert found[0] == 1


def test_no_more_is_shown_than_there_is_room_for_and_in_the_order_of_the_log() -> None:
    many = shown(others(60), "tidy shelf and cupboard")
    texts = [known(n, "a very long story about a shelf, told at length " * 12) for n in range(1, 30)]
    few = selected(texts, "shelf")

    assert len(many) == SHOWN
    assert many == sorted(many)
    assert 0 < sum(tokens(one.text) for one in few) <= ROOM
