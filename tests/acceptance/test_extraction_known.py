"""What claims may take from what is known: days, figures, names and relatives; what nobody said still falls.

Each test is a slip of the rules that a second independent reader showed, told again in words of its own.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from extracting import answer, fact, heard, plan, texts
from opening import NOW

from omoide import Kind
from omoide.domain.model import PlanState
from omoide.testing import FixedClock, ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path


OVER = {"state": "done", "relation": "replaces", "known": "p1"}


def named(called: str) -> dict[str, str]:
    return {"name": "haneul", "called": called, "by": "dalbi"}


ENDS = [
    ("6월 23일에 도자기 공방 체험을 해", "도자기 공방 체험", "6월 23일", "도자기 공방 체험 재밌었어",
     "2026-06-23 도자기 공방 체험이 재미있게 끝났다", "2026-06-23 도자기 공방 체험에서 컵을 48개 만들었다"),
    ("6月23日に陶芸の体験教室に行く", "陶芸の体験教室", "6月23日", "陶芸、楽しかった",
     "2026-06-23の陶芸の体験教室が楽しく終わった", "2026-06-23の陶芸の体験教室で茶碗を48個作った"),
    ("I have a pottery workshop on 23 June", "pottery workshop", "23 June", "The pottery was fun",
     "The pottery workshop on 23 June 2026 was fun", "Made 48 cups at the pottery workshop on 23 June 2026"),
]  # fmt: skip


@pytest.mark.proves("H12")
@pytest.mark.proves("F02")
@pytest.mark.parametrize(("said", "text", "day", "then", "end", "invention"), ENDS)
async def test_a_plans_end_may_tell_its_day_and_no_figure_that_nobody_said(
    tmp_path: Path, said: str, text: str, day: str, then: str, end: str, invention: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, plans=[plan(text, 1, said, due="2026-06-23", due_words=day)])
        invented, over = fact(invention, 1, then), plan(end, 1, then, **OVER)
        found = await talk.told(then, "!", session="t", summary=end, facts=[invented], plans=[over])
        done = await talk.scope.plans(states=(PlanState.DONE,))
        left = await talk.scope.plans()
        facts = await talk.scope.memories(kinds=[Kind.FACT])
        (summary,) = await talk.scope.memories(kinds=[Kind.SUMMARY])

    assert [one.text.startswith(end) for one in done] == [True]
    assert (left, facts) == ([], [])
    assert summary.text == end
    assert found.dropped == {"unsupported": 1}


@pytest.mark.proves("F05")
@pytest.mark.parametrize(("said", "text", "day", "then", "end"), [case[:5] for case in ENDS])
async def test_a_plan_lapses_by_the_clock_and_what_is_said_of_it_later_still_closes_it(
    tmp_path: Path, said: str, text: str, day: str, then: str, end: str
) -> None:
    clock = FixedClock(NOW)
    async with heard(tmp_path, clock=clock) as talk:
        await talk.told(said, plans=[plan(text, 1, said, due="2026-06-23", due_words=day)])
        before = [len(await talk.scope.plans(states=(state,))) for state in PlanState]
        clock.advance(timedelta(days=40))
        lapsed = [len(await talk.scope.plans(states=(state,))) for state in PlanState]
        await talk.told(then, "!", session="t", plans=[plan(end, 1, then, **OVER)])
        after = [len(await talk.scope.plans(states=(state,))) for state in PlanState]

    assert list(PlanState) == ["open", "done", "dropped", "lapsed"]
    assert (before, lapsed, after) == ([1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0])


TAKEN = [
    ("1962년 라디오를 고쳤어", "1962년 라디오를 고쳤다", "고친 라디오 듣고 이모가 울었어",
     "고친 1962년 라디오를 듣고 울었다", "고친 1971년 라디오를 듣고 울었다", "62살이고 라디오를 듣고 울었다",
     "이모"),
    ("1962年のラジオを修理した", "1962年のラジオを修理した", "修理したラジオを聞いて叔母が泣いた",
     "修理した1962年のラジオを聞いて泣いた", "修理した1971年のラジオを聞いて泣いた",
     "62歳で、修理したラジオを聞いて泣いた", "叔母"),
    ("I repaired a radio from 1962", "repaired a radio from 1962", "My aunt cried at the repaired radio",
     "cried at the repaired radio from 1962", "cried at the repaired radio from 1971",
     "is 62 and cried at the repaired radio", "aunt"),
]  # fmt: skip


@pytest.mark.proves("F02")
@pytest.mark.parametrize(("said", "text", "then", "good", "other", "invention", "who"), TAKEN)
async def test_a_figure_may_come_from_something_known_on_the_same_matter(
    tmp_path: Path, said: str, text: str, then: str, good: str, other: str, invention: str, who: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, facts=[fact(text, 1, said)])
        claims = [fact(claim, 1, then, about=who) for claim in (good, other, invention)]
        found = await talk.told(then, "!", session="t", facts=claims)
        facts = await talk.scope.memories(kinds=[Kind.FACT])

    assert set(texts(facts)) == {text, good}
    assert found.dropped == {"unsupported": 2}


@pytest.mark.proves("F02")
@pytest.mark.parametrize(
    ("said", "text", "then", "unlike"),
    [
        ("47번 버스를 타고 출근해", "47번 버스를 타고 출근한다", "수영을 시작했어", "수영을 47번 했다"),
        ("47番のバスで通勤してる", "47番のバスで通勤している", "水泳を始めた", "水泳を47番で始めた"),
        ("I take bus 47 to work", "takes bus 47 to work", "I started swimming", "started swimming at 47"),
    ],
)
async def test_a_figure_of_another_matter_stays_an_invention(
    tmp_path: Path, said: str, text: str, then: str, unlike: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, facts=[fact(text, 1, said)])
        found = await talk.told(then, "!", session="t", facts=[fact(unlike, 1, then)])

    assert found.dropped == {"unsupported": 1}


@pytest.mark.proves("F02")
@pytest.mark.parametrize(
    ("said", "text", "kept"),
    [
        ("요즘 홍차를 두 잔 마셔", "홍차를 두 잔 마신다 (2025-11-29까지는 세 잔)", "홍차를 두 잔 마신다"),
        ("最近は紅茶を二杯だけ飲む", "紅茶を二杯だけ飲む（2025-11-29までは三杯）", "紅茶を二杯だけ飲む"),
        ("I only drink two cups of black tea now",
         "only drinks two cups of black tea (three until 2025-11-29)", "only drinks two cups of black tea"),
    ],
)  # fmt: skip
async def test_an_aside_with_a_figure_nobody_said_costs_itself_alone(
    tmp_path: Path, said: str, text: str, kept: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, facts=[fact(text, 1, said)])
        facts = await talk.scope.memories(kinds=[Kind.FACT])

    assert texts(facts) == [kept]


LENGTHS = [
    ("허리가 아픈 지 3주 됐어", "2026-05-20쯤부터 허리가 아프다", "2026-05-24쯤부터 허리가 아프다"),
    ("腰が痛くなって三週間", "2026-05-20ごろから腰が痛い", "2026-05-24ごろから腰が痛い"),
    ("My back has hurt for three weeks", "back has hurt since about 20 May 2026",
     "back has hurt since about 24 May 2026"),
    ("我腰疼三个星期了", "2026-05-20开始腰疼", "2026-05-24开始腰疼"),
]  # fmt: skip
"""Said on 2026-06-10, with a day that it reckons to and one that it does not."""


@pytest.mark.proves("F05")
@pytest.mark.parametrize(("said", "text", "invention"), LENGTHS)
async def test_a_day_may_be_reckoned_from_a_length_of_time(
    tmp_path: Path, said: str, text: str, invention: str
) -> None:
    async with heard(tmp_path) as talk:
        found = await talk.told(said, facts=[fact(text, 1, said), fact(invention, 1, said)])
        facts = await talk.scope.memories(kinds=[Kind.FACT])

    assert texts(facts) == [text]
    assert found.dropped == {"unsupported": 1}


@pytest.mark.proves("F05")
@pytest.mark.parametrize(
    ("said", "words", "text"),
    [
        ("약을 먹고 2주 뒤에 스케일링하기로 했어", "2주 뒤", "2주 뒤인 2026-06-24쯤 스케일링을 하기로 했다"),
        ("薬を飲んで二週間後に検査を受けることにした", "二週間後", "2026-06-24ごろに検査を受ける"),
        ("We agreed on a check-up in two weeks", "in two weeks", "goes for a check-up about 24 June 2026"),
    ],
)  # fmt: skip
async def test_a_plan_so_many_weeks_on_may_name_its_day(
    tmp_path: Path, said: str, words: str, text: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, plans=[plan(text, 1, said, due="2026-06-24", due_words=words)])
        (kept,) = await talk.scope.plans()

    assert kept.plan is not None
    assert kept.plan.due is not None
    assert f"{kept.plan.due:%Y-%m-%d}" == "2026-06-24"
    assert "2026" in kept.text


@pytest.mark.proves("F46")
@pytest.mark.parametrize(
    ("said", "called", "never"),
    [
        ("날 곰이라고 불러 줘. 오늘은 쉬었어", "곰이", "여우"),
        ("くまちゃんって呼んで。今日は休み", "くまちゃん", "きつね"),
        ("Call me Bear. I rested today", "Bear", "Foxy"),
    ],
)
async def test_a_name_that_is_known_is_nothing_new_and_one_nobody_said_is_not_said(
    tmp_path: Path, said: str, called: str, never: str
) -> None:
    async with heard(tmp_path) as talk:
        first = await talk.told(said, people=[named(called)])
        await talk.scope.observe("…", "…", session="t")
        again = await talk.told("비 온다 雨だ rain", "!", session="t", people=[named(called)])
        invented = await talk.told("바람 분다 風だ wind", "!", session="u", people=[named(never)])

    assert first.kept == {"nickname": 1}
    assert again.dropped == {"known already": 1}
    assert invented.dropped == {"not said": 1}


RELATIVES = [
    ("우리 엄마는 대전에 살아", "대전에 산다", "haneul의 엄마", "어머니가 꽃집을 열었어", "꽃집을 열었다",
     "어머니"),
    ("母は奈良に住んでる", "奈良に住んでいる", "haneulの母", "お母さんが花屋を開いた", "花屋を開いた",
     "お母さん"),
    ("My mother lives in Derby", "lives in Derby", "haneul's mother", "Mum opened a flower shop",
     "opened a flower shop", "Mum"),
]  # fmt: skip


@pytest.mark.proves("F31")
@pytest.mark.parametrize(("said", "text", "whose", "then", "more", "word"), RELATIVES)
async def test_the_users_mother_is_one_person_however_she_is_called(
    tmp_path: Path, said: str, text: str, whose: str, then: str, more: str, word: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, facts=[fact(text, 1, said, about=whose)])
        found = await talk.told(then, "!", session="t", facts=[fact(more, 1, then, about=word)])
        facts = await talk.scope.memories(kinds=[Kind.FACT])

    assert found.dropped == {}
    assert set(texts(facts)) == {text, more}
    assert len({one.subject for one in facts}) == 1
    assert {one.subject for one in facts} != {"haneul"}


@pytest.mark.proves("F31")
@pytest.mark.parametrize(
    ("said", "text", "nobody", "anothers"),
    [
        ("어제 집에서 쉬었어", "집에서 쉬었다", "haneul의 엄마", "서진의 엄마"),
        ("昨日は家で休んだ", "家で休んだ", "haneulの母", "翔の母"),
        ("I rested at home yesterday", "rested at home", "haneul's mother", "Ela's mother"),
    ],
)
async def test_a_relative_of_whom_nobody_spoke_is_nobody(
    tmp_path: Path, said: str, text: str, nobody: str, anothers: str
) -> None:
    async with heard(tmp_path) as talk:
        claims = [fact(text, 1, said, about=whose) for whose in (nobody, anothers)]
        found = await talk.told(said, facts=claims)

    assert found.dropped == {"about nobody": 2}


PASTS = [
    ("작년 가을에 전역했어", "작년 가을에 군대에서 전역했다", "2025-autumn", "전역했어?"),
    ("去年の秋に退院したよ", "病院から退院した", "2025-autumn", "退院した?"),
    ("I left the army last autumn", "left the army in autumn 2025", "2025-autumn", "left the army?"),
]


@pytest.mark.proves("H12")
@pytest.mark.parametrize(("said", "text", "until", "asked"), PASTS)
async def test_what_is_told_as_past_does_not_cease_to_be_true(
    tmp_path: Path, said: str, text: str, until: str, asked: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, facts=[fact(text, 1, said, until=until)])
        (kept,) = await talk.scope.memories(kinds=[Kind.FACT])
        recalled = await talk.scope.recall(asked)

    assert kept.valid_until is None
    assert kept.text in [one.memory.text for one in recalled.memories]


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "text", "until"),
    [
        ("작년 가을까지 부산 지점에서 일해", "부산 지점에서 일한다", "2025-autumn"),
        ("去年の秋まで大阪支店で働く", "大阪支店で働く", "2025-autumn"),
        ("I work in the Porto branch until last autumn", "works in the Porto branch", "2025-autumn"),
    ],
)
async def test_what_is_told_as_present_ends_when_it_was_said_to(
    tmp_path: Path, said: str, text: str, until: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, facts=[fact(text, 1, said, until=until)])
        (kept,) = await talk.scope.memories(kinds=[Kind.FACT])

    assert kept.valid_until is not None


ADDRESSES = [
    ("이제 날 곰이라고 불러", "알겠어, 곰이!",
     "dalbi는 haneul이 부탁한 대로 haneul을 '곰이'라고 부르기로 했다",
     "dalbi는 haneul을 '여우님'이라고 부르기로 했다"),
    ("これからはくまって呼んで", "わかった、くま!", "dalbiはhaneulが頼んだとおり「くま」と呼ぶ",
     "dalbiはhaneulを「きつね様」と呼ぶ"),
    ("You can call me Bear by the way, everyone does", "Bear it is!",
     "dalbi may call haneul 'Bear', as haneul asked on 10 June 2026; dalbi agreed",
     "dalbi may call haneul 'Foxy', as haneul asked on 10 June 2026; dalbi agreed"),
]  # fmt: skip


@pytest.mark.proves("P22")
@pytest.mark.proves("F46")
@pytest.mark.parametrize(("said", "reply", "good", "invention"), ADDRESSES)
async def test_a_form_of_address_may_tell_since_when_and_at_whose_wish_it_holds(
    tmp_path: Path, said: str, reply: str, good: str, invention: str
) -> None:
    async with heard(tmp_path) as talk:
        found = await talk.told(said, reply, relationship={"summary": "", "address": [good, invention]})
        kept = await talk.scope.relationship()

    assert kept is not None
    assert kept.address == (good,)
    assert found.dropped == {"unsupported": 1}


@pytest.mark.parametrize(
    ("called", "said"),
    [("곰이", "곰이라고 불러 줘"), ("くまちゃん", "くまちゃんって呼んで"), ("Bear", "Call me Bear")],
)
async def test_other_names_of_people_are_shown_where_the_talk_uses_them(
    tmp_path: Path, called: str, said: str
) -> None:
    model = ScriptedModel(answers=[answer(), answer()])
    async with heard(tmp_path) as talk:
        await talk.told(said, people=[named(called)])
        for words in (f"ok {called} 비 雨", "바람 風 wind"):
            await talk.told(words, "!", session="t", model=model)

    shown = [turns[-1].text.partition("<known>")[2].partition("</known>")[0] for turns in model.seen]
    assert [f"[haneul] = {called}" in one for one in shown] == [True, False]
