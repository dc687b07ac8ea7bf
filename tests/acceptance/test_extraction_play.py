"""What playing long conversations has shown: names, plans that end, and days reckoned from what was said."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from extracting import answer, fact, heard, plan, read, row_of, texts

from omoide import Kind
from omoide.domain.absolute import absolute
from omoide.domain.due import due
from omoide.domain.model import PlanState
from omoide.domain.partial_date import Precision

if TYPE_CHECKING:
    from pathlib import Path

SATURDAY = datetime(2026, 3, 28, 13, tzinfo=UTC)


@pytest.mark.proves("F46")
@pytest.mark.parametrize(
    ("said", "called", "by"),
    [
        ("우리 이모 순자는 나를 콩이라고 불러", "콩이", "순자"),
        ("おばの和子は私をまめって呼ぶの", "まめ", "和子"),
        ("My aunt Greta calls me Pumpkin", "Pumpkin", "Greta"),
        ("You can call me Pip, everyone at work does", "Pip", "everyone at work"),
        ("콩이라고 불러 줘", "콩이", "haneul"),
    ],
)
async def test_what_others_call_somebody_is_not_their_name(
    tmp_path: Path, said: str, called: str, by: str
) -> None:
    async with heard(tmp_path, said, "…") as (omoide, scope):
        people = [{"name": "haneul", "called": called, "by": by}]
        found = await read(omoide, answer(people=people, involved=["haneul", "순자", "和子", "Greta"]))
        names = {person.id: person.name for person in await scope.people()}
        with omoide.store.read(row_of(omoide)) as unit:
            nicknames = [name for _, name, _ in unit.people.nicknames()]

    assert found.kept == {"nickname": 1}
    assert names["haneul"] == "haneul"
    assert nicknames == [called]
    assert "everyone at work" not in names


@pytest.mark.proves("P5")
async def test_the_user_can_tell_what_became_of_a_plan_of_the_character(tmp_path: Path) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(
            "Remind me of the blue mittens",
            "I will remind you",
            plans=[plan("remind haneul of the mittens", 2, "I will remind", about="dalbi")],
        )
        given = plan("remind haneul of the mittens; forgotten", 1, "I forgot the mittens", about="dalbi")
        more = {"state": "dropped", "relation": "replaces", "known": "p1"}
        found = await talk.told("I forgot the mittens", "Oh no", plans=[given | more])
        (left,) = await talk.scope.memories(kinds=[Kind.PLAN])

    assert found.dropped == {}
    assert left.plan is not None
    assert left.plan.state is PlanState.DROPPED


@pytest.mark.proves("P5")
async def test_a_plan_that_is_closed_may_repeat_what_is_known_of_it(tmp_path: Path) -> None:
    async with heard(tmp_path, "저녁에 가족끼리 집에서 엄마 잡채 먹기로 했어", "좋겠다") as (omoide, scope):
        words = "저녁에 가족끼리 집에서 엄마 잡채 먹기로 했어"
        await read(omoide, answer(plans=[plan("저녁에 가족끼리 집에서 엄마 잡채를 먹는다", 1, words)]))
        await scope.observe("어제 엄마 잡채 최고였어", "맛있었겠다", session="s")
        given = plan("저녁에 가족끼리 집에서 엄마 잡채를 먹었다", 1, "어제 엄마 잡채")
        more = {"state": "done", "relation": "replaces", "known": "p1"}
        found = await read(omoide, answer(plans=[given | more]))

    assert (found.kept.get("replaced"), found.dropped) == (1, {})


@pytest.mark.proves("P5")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Physio twice a week starting Tuesday", "goes to physio twice a week from 2026-06-16"),
        ("토요일에 치과 예약했어", "2026-06-13에 치과 예약을 했다"),
    ],
)
async def test_a_day_that_is_reckoned_from_a_weekday_is_not_invented(
    tmp_path: Path, said: str, text: str
) -> None:
    async with heard(tmp_path) as talk:
        found = await talk.told(said, facts=[fact(text, 1, said)])

    assert (found.kept, found.dropped) == ({"fact": 1}, {})


@pytest.mark.parametrize("words", ["일주일 뒤", "一週間後", "in a week", "一周后"])
def test_in_a_week_is_a_day_where_the_answer_says_which(words: str) -> None:
    found = due(words, said=SATURDAY, guess="2026-04-04")
    assert found is not None
    assert (found.at.date().isoformat(), found.precision) == ("2026-04-04", Precision.DAY)


def test_next_week_is_no_day() -> None:
    found = due("next week", said=SATURDAY, guess="2026-04-04")
    assert found is not None
    assert found.precision is Precision.WEEK


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("来年度、転勤になるかもしれない", "来年度、転勤になるかもしれない"),
        ("来年結婚する", "2027年に結婚する"),
        ("작년 가을에 제대했다", "2025년 9~11월에 제대했다"),
        ("thinks she would forget him in a week", "thinks she would forget him in a week"),
    ],
)
def test_words_for_days_become_figures_only_where_they_mean_days(text: str, shown: str) -> None:
    assert absolute(text, said=SATURDAY) == shown


async def test_the_name_of_somebody_who_is_only_talked_about_is_looked_for(tmp_path: Path) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(
            "엄마는 대구 살아", "머네", facts=[fact("대구에 산다", 1, "엄마는 대구 살아", about="엄마")]
        )
        with talk.omoide.store.recalling(row_of(talk.omoide)) as now:
            common = now.common
        found = await talk.scope.recall("엄마 어디 사시는지 기억나?")

    assert set(common) == {"haneul", "dalbi"}
    assert any("대구" in text for text in texts([one.memory for one in found.memories]))
