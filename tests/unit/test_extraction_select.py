"""Which known items a window is shown: those that it may confirm, close or overturn, within a bound."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from omoide.domain.due import Due
from omoide.domain.model import Kind, PlanState, Role
from omoide.domain.partial_date import Precision
from omoide.domain.text import tokens
from omoide.retain.extraction.select import ROOM, SHOWN, select
from omoide.retain.extraction.view import Known, Line, View

NOW = datetime(2026, 3, 16, 20, tzinfo=UTC)


def line(m: int, text: str, at: datetime) -> Line:
    return Line(m=m, number=m, role=Role.USER, speaker=1, name="Haneul", text=text, at=at, position=m)


def view(text: str) -> View:
    return View(
        lines=(line(1, text, NOW),),
        context=(line(0, "good night", NOW - timedelta(days=4)),),
        language="en",
        now=NOW,
        user=1,
        character=2,
        names={1: "Haneul", 2: "Dalbi", 3: "Otto"},
        nicknames={},
        relationship=None,
    )


def known(number: int, text: str, *, due: datetime | None = None, name: str = "Haneul") -> Known:
    return Known(
        key="",
        number=number,
        kind=Kind.FACT if due is None else Kind.PLAN,
        text=text,
        subject=1 if name == "Haneul" else 3,
        name=name,
        rests=frozenset(),
        position=number,
        state=None if due is None else PlanState.OPEN,
        due=None if due is None else Due(at=due, precision=Precision.DAY),
    )


def others(count: int) -> list[Known]:
    return [known(100 + n, f"keeps shelf {n} of cupboard {n * 7} tidy") for n in range(count)]


def shown(items: list[Known], text: str) -> list[int]:
    return [one.number for one in select(items, view(text), near={})]


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
    found = [one.number for one in select([known(1, text), *wordy], view(said), near={1: 2.0})]

    assert 1 in found
    assert len(found) > SHOWN // 2


@pytest.mark.proves("H12")
def test_a_plan_whose_day_came_since_the_last_talk_is_shown_whatever_is_said() -> None:
    come, long_past = known(1, "takes the train", due=NOW - timedelta(days=3)), NOW - timedelta(days=40)
    past = known(2, "fixes the roof", due=long_past)
    found = shown(
        [come, past, *(known(10 + n, f"likes shelf {n} most") for n in range(60))], "back, shelf and all"
    )

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
    past = known(1, text, due=NOW - timedelta(days=8))
    lately = known(2, text, due=NOW - timedelta(days=2))
    near = {1: 1.5}

    assert shown([past, lately], touching) == [1, 2]
    assert shown([past, lately], other) == [2]
    assert [one.number for one in select([past], view(other), near=near)] == [1]


def test_a_rare_word_in_common_counts_more_than_a_common_one() -> None:
    often = [known(10 + n, f"restores radio number {n}") for n in range(40)]
    found = shown([known(1, "keeps a cello beside the radio"), *often], "the radio sang with a cello")

    assert found[0] == 1


def test_no_more_is_shown_than_there_is_room_for_and_in_the_order_of_the_log() -> None:
    many = shown(others(60), "tidy shelf and cupboard")
    texts = [known(n, "a very long story about a shelf, told at length " * 12) for n in range(1, 30)]
    few = select(texts, view("shelf"), near={})

    assert len(many) == SHOWN
    assert many == sorted(many)
    assert 0 < sum(tokens(one.text) for one in few) <= ROOM
