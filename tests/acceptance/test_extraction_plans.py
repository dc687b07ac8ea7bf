"""Plans, drawn from talk by a model or written by hand: their day, whose they are, and how they end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from extracting import EXTRACTED, answer, extractor, fact, heard, read, row_of, window_of
from opening import NOW, opened

from omoide import Kind
from omoide.domain.model import PlanState
from omoide.domain.partial_date import Precision
from omoide.errors import InvalidInput
from omoide.testing import FixedClock, ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("said", "text", "words", "shown", "due", "precision"),
    [
        ("내일 운전면허 시험이야ㅠ", "내일 운전면허 시험을 본다", "내일", "2026-06-11 운전면허 시험을 본다",
         datetime(2026, 6, 10, 15, tzinfo=UTC), Precision.DAY),
        ("金曜日の午後3時に面接がある", "金曜日に面接がある", "金曜日の午後3時", "金曜日に面接がある",
         datetime(2026, 6, 12, 6, tzinfo=UTC), Precision.MINUTE),
        ("My exam is next week", "has an exam next week", "next week",
         "has an exam in the week of 2026-06-15~06-21",
         datetime(2026, 6, 14, 15, tzinfo=UTC), Precision.WEEK),
    ],
)  # fmt: skip
async def test_days_in_words_become_days_and_the_rule_wins_over_the_model(
    tmp_path: Path, said: str, text: str, words: str, shown: str, due: datetime, precision: Precision
) -> None:
    plan = {
        "text": text,
        "who": "haneul",
        "due": "2023-05-25",
        "due_words": words,
        "evidence": [{"m": 1, "words": said}],
    }
    async with heard(tmp_path) as talk:
        await talk.told(said, "화이팅", plans=[plan])
        (kept,) = await talk.scope.memories(kinds=[Kind.PLAN])

    assert kept.text == shown
    assert kept.plan is not None
    assert (kept.plan.who, kept.plan.due, kept.plan.precision) == ("haneul", due, precision)
    assert kept.plan.state is PlanState.OPEN


async def test_a_day_that_nobody_named_stays_unknown(tmp_path: Path) -> None:
    plan = {
        "text": "자장가를 불러 주기로 했다",
        "who": "dalbi",
        "due": "2026-07-01",
        "condition": "다음에 오면",
        "evidence": [{"m": 2, "words": "내가 자장가 불러줄게"}],
    }
    async with heard(tmp_path) as talk:
        await talk.told("잠이 안 와", "다음에 오면 내가 자장가 불러줄게", plans=[plan])
        (kept,) = await talk.scope.memories(kinds=[Kind.PLAN])

    assert kept.plan is not None
    assert (kept.plan.who, kept.plan.due, kept.plan.condition) == ("dalbi", None, "다음에 오면")


async def test_a_plan_that_is_over_takes_the_place_of_the_open_one(tmp_path: Path) -> None:
    async with heard(tmp_path, "내일 면접이야", "잘 될 거야", clock=(clock := FixedClock(NOW))) as (
        omoide,
        scope,
    ):
        plan = {"text": "면접을 본다", "who": "haneul", "due_words": "내일"}
        await read(omoide, answer(plans=[plan | {"evidence": [{"m": 1, "words": "내일 면접이야"}]}]))
        clock.advance(timedelta(days=2))
        done = await scope.observe("면접 잘 봤어!", "다행이다", session="s")
        over = {
            "text": "면접을 봤다",
            "who": "haneul",
            "state": "done",
            "relation": "replaces",
            "known": "p1",
        }
        await read(omoide, answer(plans=[over | {"evidence": [{"m": 1, "words": "면접 잘 봤어"}]}]))
        (now,) = await scope.memories(kinds=[Kind.PLAN])
        with omoide.store.read(row_of(omoide)) as unit:
            still_open = unit.plans.open_ones()
        await scope.delete(done.messages[0])
        (again,) = await scope.memories(kinds=[Kind.PLAN])

    assert now.plan is not None
    assert again.plan is not None
    assert (now.plan.state, still_open) == (PlanState.DONE, [])
    assert (again.text, again.plan.state) == ("면접을 본다", PlanState.OPEN)


async def test_a_plan_written_by_hand_has_a_day_and_is_told_from_other_memories(tmp_path: Path) -> None:
    due = datetime(2026, 6, 12, 6, 30, tzinfo=UTC)
    async with heard(tmp_path) as (_, scope):
        made = await scope.remember("치과 예약", kind=Kind.PLAN, due=due)
        kept = await scope.show(made)
        corrected = await scope.show(await scope.correct(made, "안과 예약"))
        with pytest.raises(InvalidInput, match="only a plan"):
            await scope.remember("치과", due=due)

    assert kept.plan is not None
    assert (kept.plan.who, kept.plan.due, kept.plan.precision) == ("haneul", due, Precision.MINUTE)
    assert corrected.plan == kept.plan


@pytest.mark.parametrize(
    ("said", "text", "plan"),
    [
        ("금요일에 치과 예약 있어", "금요일에 동네 치과 예약이 있다", "치과 예약이 있다"),
        ("金曜日に歯医者の予約がある", "金曜日に歯医者の予約がある", "歯医者の予約がある"),
        (
            "I have a dentist appointment on Friday",
            "has a dentist appointment on Friday, at the dentist",
            "has a dentist appointment",
        ),
    ],
)
async def test_of_a_fact_and_a_plan_that_say_the_same_the_plan_is_kept(
    tmp_path: Path, said: str, text: str, plan: str
) -> None:
    async with heard(tmp_path, said, "!") as (omoide, scope):
        due = {"who": "haneul", "due_words": said, "evidence": [{"m": 1, "words": said}]}
        found = await read(omoide, answer(facts=[fact(text, 1, said)], plans=[{"text": plan, **due}]))
        (kept,) = await scope.memories(kinds=EXTRACTED)

    assert kept.plan is not None
    assert kept.plan.due == datetime(2026, 6, 11, 15, tzinfo=UTC)
    assert found.dropped == {"repeated": 1}


@pytest.mark.proves("F03")
@pytest.mark.parametrize(
    ("offer", "reply", "text", "words", "kept"),
    [
        ("토요일에 영화 볼래?", "토요일은 좀...", "토요일에 달비와 영화를 본다", "토요일", False),
        ("土曜に映画行かない？", "ごめん、土曜はちょっと…", "土曜にdalbiと映画に行く", "土曜", False),
        ("Wanna see a film on Saturday?", "Saturday's tricky", "sees a film with dalbi", "Saturday", False),
        ("Wanna see a film on Saturday?", "sounds great", "sees a film with dalbi", "Saturday", True),
        (
            "Wanna see a film on Saturday?",
            "Saturday's tricky but Sunday works",
            "sees a film",
            "Sunday",
            True,
        ),
        ("Wanna see a film on Saturday?", "Saturday's tricky, exam", "has an exam", "Saturday", True),
    ],
)
async def test_what_is_declined_politely_is_no_plan(
    tmp_path: Path, offer: str, reply: str, text: str, words: str, kept: bool
) -> None:
    async with heard(tmp_path, "!", offer) as talk:
        cites = [{"m": 2, "words": offer}, {"m": 3, "words": reply}]
        plan = {"text": text, "who": "haneul", "due_words": words, "evidence": cites}
        found = await talk.told(reply, "!", plans=[plan])
        plans = await talk.scope.memories(kinds=[Kind.PLAN])

    assert len(plans) == kept
    assert found.dropped == ({} if kept else {"turned round": 1})


@pytest.mark.proves("F20")
@pytest.mark.parametrize(
    ("said", "planned", "told", "end", "closes"),
    [
        ("내일 운전면허 시험이야", "운전면허 시험을 본다", "나 면허 붙었어", "운전면허에 붙었다", True),
        ("driving test tomorrow", "takes a driving test", "I passed first time", "passed the test", True),
        ("내일 운전면허 시험이야", "운전면허 시험을 본다", "김밥 먹었어", "운전면허 시험을 봤다", False),
    ],
)
async def test_a_plan_is_closed_by_what_names_it_for_short_or_not_at_all(
    tmp_path: Path, said: str, planned: str, told: str, end: str, closes: bool
) -> None:
    plan = {"text": planned, "who": "haneul", "evidence": [{"m": 1, "words": said}]}
    over = {"text": end, "who": "haneul", "state": "done", "relation": "replaces", "known": "p1"}
    async with heard(tmp_path) as talk:
        await talk.told(said, plans=[plan])
        await talk.told(told, plans=[over | {"evidence": [{"m": 1, "words": told}]}])
        (left,) = await talk.scope.memories(kinds=[Kind.PLAN])

    assert left.plan is not None
    assert left.plan.state is (PlanState.DONE if closes else PlanState.OPEN)


@pytest.mark.proves("F05")
async def test_what_goes_with_an_item_says_tomorrow_no_more_than_the_item(tmp_path: Path) -> None:
    plan = {
        "text": "우산을 산다",
        "who": "haneul",
        "condition": "내일 비가 오면",
        "evidence": [{"m": 1, "words": "내일 비가 오면 우산 살게"}],
    }
    mood = {"who": "haneul", "emotion": "nervous", "intensity": 0.5, "trigger": "내일 시험", "m": 1}
    async with heard(tmp_path) as talk:
        await talk.told("내일 비가 오면 우산 살게, 내일 시험이라", plans=[plan], feelings=[mood])
        (kept,) = await talk.scope.memories(kinds=[Kind.PLAN])
        (felt,) = await talk.scope.felt()

    assert kept.plan is not None
    assert (kept.plan.condition, felt.trigger) == ("2026-06-11 비가 오면", "2026-06-11 시험")


@pytest.mark.proves("F12")
async def test_few_han_are_japanese_where_the_character_has_a_name_in_kana(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="陽太", character="ミオ")
        await scope.observe("来週試験", "ok", session="s")
        row = row_of(omoide, "陽太", "ミオ")
        model = ScriptedModel(answers=[answer(summary="陽太は来週試験がある。")])
        found = await extractor(omoide).extract(row, window_of(omoide, row), model)
        (kept,) = await scope.memories(kinds=[Kind.SUMMARY])

    assert found.dropped == {}
    assert kept.text == "陽太は2026-06-15~06-21に試験がある。"
