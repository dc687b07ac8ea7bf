"""Plans, drawn from talk by a model or written by hand: their day, whose they are, and how they end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from extracting import EXTRACTED, answer, fact, heard, read, row_of
from opening import NOW

from omoide import Kind
from omoide.domain.model import PlanState
from omoide.domain.partial_date import Precision
from omoide.errors import InvalidInput
from omoide.testing import FixedClock

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("said", "text", "words", "shown", "due", "precision"),
    [
        ("내일 운전면허 시험이야ㅠ", "내일 운전면허 시험을 본다", "내일", "2026-06-11 운전면허 시험을 본다",
         datetime(2026, 6, 10, 15, tzinfo=UTC), Precision.DAY),
        ("金曜日の午後3時に面接がある", "金曜日に面接がある", "金曜日の午後3時", "金曜日に面接がある",
         datetime(2026, 6, 12, 6, tzinfo=UTC), Precision.MINUTE),
        ("My exam is next week", "has an exam next week", "next week", "has an exam 2026-06-15~06-21",
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
