"""Whose a plan is, what its end says later on, and when its day is past (H14, H12)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from claiming import AT, FACT, claim, grounded, heard

from omoide.domain.due import Due
from omoide.domain.model import Kind, Plan, PlanState
from omoide.domain.partial_date import Precision
from omoide.domain.plans import passed
from omoide.domain.text import language
from omoide.retain.extraction.endings import lasting
from omoide.retain.extraction.reconcile import Act, Decision, reconcile

if TYPE_CHECKING:
    from omoide.retain.extraction.grounded import Item
    from omoide.retain.extraction.view import Known

PLAN = replace(FACT, key="p1", kind=Kind.PLAN, state=PlanState.OPEN, due=Due(at=AT, precision=Precision.DAY))


def planned(said: str, text: str, *, of: Known | None = None, **more: Any) -> list[Item]:
    """What becomes of a plan that a model gives the user, resting on one message of theirs."""
    view = heard([said], known=() if of is None else [of])
    return list(grounded(view, plans=[claim(text, (1, said), **more)]).items)


OTHERS = [
    ("My brother will move to Leeds in May", "moves to Leeds in May", "brother"),
    ("My brother's moving to Leeds in May", "moves to Leeds in May", "brother"),
    ("My sister told me she'll marry in June", "gets married in June", "sister"),
    ("My parents are selling the house in May", "sells the house in May", "parents"),
    ("Mum and Dad are selling the house in May", "sells the house in May", "Mum and Dad"),
    ("Zadie is flying to Rome on Friday", "flies to Rome", "Zadie"),
    ("남동생이 5월에 부산으로 이사 가", "5월에 부산으로 이사한다", "남동생"),
    ("남동생이 5월에 부산으로 이사 간대", "5월에 부산으로 이사한다", "남동생"),
    ("우리 언니 6월에 결혼해", "6월에 결혼한다", "언니"),
    ("언니가 6월에 결혼하기로 했대", "6월에 결혼한다", "언니"),
    ("혜림이가 금요일에 제주도 간대", "금요일에 제주도에 간다", "혜림"),
    ("부모님이 5월에 집을 파신대", "5월에 집을 판다", "부모님"),
    ("弟が五月に大阪へ引っ越すんだって", "五月に大阪へ引っ越す", "弟"),
    ("姉が六月に結婚することになった", "六月に結婚する", "姉"),
    ("両親が五月に家を売るって", "五月に家を売る", "両親"),
    ("ひなたちゃんは金曜にローマへ行く", "金曜にローマへ行く", "ひなた"),
    ("我弟弟五月要搬到上海", "五月搬到上海", "弟弟"),
]


@pytest.mark.proves("H12")
@pytest.mark.parametrize(("said", "text", "owner"), OTHERS)
def test_what_somebody_else_means_to_do_is_their_plan(said: str, text: str, owner: str) -> None:
    (item,) = planned(said, text)
    assert item.about is not None
    assert item.intent is not None
    assert (item.about.name, item.intent.who.name) == (owner, owner)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("My brother and I are moving in May", "moves in May with the brother"),
        ("I'm helping my brother move in May", "helps the brother move in May"),
        ("We're going skating with Zadie on Friday", "goes skating with Zadie"),
        ("My boss wants me to fly to Rome in May", "flies to Rome in May"),
        ("동생이랑 5월에 이사 가", "5월에 동생과 이사한다"),
        ("엄마가 나보고 금요일에 병원 가래", "금요일에 병원에 간다"),
        ("팀장님이 금요일에 회식한대", "금요일에 회식한다"),
        ("금요일에 언니 결혼식 가", "금요일에 언니 결혼식에 간다"),
        ("우리 언니 결혼식 금요일에 가", "금요일에 언니 결혼식에 간다"),
        ("弟と五月に引っ越す", "五月に弟と引っ越す"),
        ("上司に金曜に発表しろって言われた", "金曜に発表する"),
        ("我和弟弟五月要搬到上海", "五月和弟弟搬到上海"),
    ],
)
def test_what_the_user_does_with_others_or_for_them_is_their_own_plan(said: str, text: str) -> None:
    (item,) = planned(said, text)
    assert item.about is not None
    assert item.about.name == "Sam"


def test_what_became_of_the_users_plan_may_be_told_of_somebody_else() -> None:
    lunch = replace(PLAN, text="혜림과 점심을 먹는다")
    over = {"state": "dropped", "relation": "replaces", "known": "p1"}
    (item,) = planned("혜림이가 점심 취소했대", "점심이 취소되었다", of=lunch, **over)
    assert item.about is not None
    assert item.about.name == "Sam"


def kept_as(plan: str, said: str, end: str, state: str) -> str:
    """The words that are kept of what became of a plan."""
    known = replace(PLAN, text=plan)
    due = {"due": "2026-06-10", "due_words": "2026-06-10"} if state == "open" else {}
    over = {"state": state, "relation": "replaces", "known": "p1", **due}
    decisions, _ = reconcile(planned(said, end, of=known, **over), [known], alike=lambda *_: False)
    (decision,) = lasting(decisions, language=language(said))
    return decision.item.text


@pytest.mark.proves("H14")
@pytest.mark.parametrize(
    ("plan", "said", "end", "state", "text"),
    [
        (
            "Has dinner with Ingrid at seven.",
            "Dinner was lovely",
            "It was lovely.",
            "done",
            "It was lovely (planned: Has dinner with Ingrid at seven)",
        ),
        ("Calls Ingrid", "I called Ingrid", "Called Ingrid.", "done", "Called Ingrid."),
        (
            "민재와 강릉에 가서 바다를 본다.",
            "잘 다녀왔어",
            "잘 다녀왔다.",
            "done",
            "잘 다녀왔다 (계획: 민재와 강릉에 가서 바다를 본다)",
        ),
        (
            "민재와 강릉에 간다.",
            "민재랑 강릉 다녀왔어",
            "민재와 강릉에 다녀왔다.",
            "done",
            "민재와 강릉에 다녀왔다.",
        ),
        (
            "お義父さんの船で釣りに行く。",
            "何も釣れなかったよ",
            "何も釣れなかった。",
            "done",
            "何も釣れなかった（予定：お義父さんの船で釣りに行く）",
        ),
        ("和小雅去爬山。", "取消了", "取消了。", "dropped", "取消了（原计划：和小雅去爬山）"),
        (
            "Sees the dentist (planned: has a tooth pulled)",
            "It is off now, put off to 2026-06-10",
            "Is put off to 2026-06-10.",
            "open",
            "Is put off to 2026-06-10 (planned: has a tooth pulled)",
        ),
        (
            "Sees the dentist",
            "The dentist is on 2026-06-10 now",
            "Sees the dentist.",
            "open",
            "Sees the dentist.",
        ),
    ],
)
def test_what_became_of_a_plan_still_tells_what_was_planned(
    plan: str, said: str, end: str, state: str, text: str
) -> None:
    assert kept_as(plan, said, end, state) == text


def test_of_two_plans_that_are_over_the_text_tells_the_one_of_whom_it_is_about() -> None:
    reminder = replace(PLAN, text="알려 주기로 했다", subject=2, name="Wren")
    dentist = replace(PLAN, key="p2", number=10, text="치과에 간다")
    (item,) = planned("다녀왔어", "다녀왔다.", of=reminder, state="done", relation="replaces", known="p1")
    end = Decision(item=item, act=Act.REPLACE, of=reminder, also=(dentist,))
    (kept,) = lasting([end], language="ko")
    assert kept.item.text == "다녀왔다 (계획: 치과에 간다)"


@pytest.mark.parametrize(
    ("due", "precision", "state", "days", "past"),
    [
        (AT, Precision.DAY, PlanState.OPEN, 2, False),
        (AT, Precision.DAY, PlanState.OPEN, 3, True),
        (AT, Precision.MINUTE, PlanState.OPEN, 3, True),
        (AT.replace(day=1), Precision.MONTH, PlanState.OPEN, 20, False),
        (AT.replace(day=1), Precision.MONTH, PlanState.OPEN, 31, True),
        (AT, Precision.DAY, PlanState.DONE, 30, False),
        (None, None, PlanState.OPEN, 900, False),
    ],
)
def test_a_plans_day_is_past_once_nobody_would_ask_any_more(
    due: datetime | None, precision: Precision | None, state: PlanState, days: int, past: bool
) -> None:
    plan = Plan(who="Sam", due=due, precision=precision, state=state)
    assert passed(plan, now=AT + timedelta(days=days)) is past
