"""What an item says it confirms or replaces has to be of the same person, and spoken of (H11, H12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from extracting import fact, heard, plan, texts

from omoide import Kind
from omoide.domain.model import PlanState

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.proves("H12")

CLAIMS = [Kind.FACT, Kind.STATEMENT, Kind.PLAN, Kind.GUIDANCE]
UNRELATED = "unrelated to what it replaces"


def claim(text: str, words: str, **more: Any) -> dict[str, Any]:
    return fact(text, 1, words, **more)


def instead(text: str, words: str, *, known: str = "f1", **more: Any) -> dict[str, Any]:
    return claim(text, words, relation="replaces", known=known, **more)


@pytest.mark.parametrize("relation", ["replaces", "confirms"])
@pytest.mark.parametrize(
    ("first", "known", "then", "text"),
    [
        ("나 견과류 알레르기 있어", "견과류 알레르기가 있다", "램프를 하나 샀어", "램프를 샀다"),
        ("ナッツのアレルギーがある", "ナッツのアレルギーがある", "ランプを買った", "ランプを買った"),
        ("I am allergic to nuts", "is allergic to nuts", "I bought a lamp", "owns a lamp"),
        ("I love tea", "loves tea", "I love my lamp", "loves a lamp"),
    ],
)
async def test_what_is_not_spoken_of_is_neither_replaced_nor_confirmed(
    tmp_path: Path, relation: str, first: str, known: str, then: str, text: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, facts=[claim(known, first)])
        found = await talk.told(then, facts=[claim(text, then, relation=relation, known="f1")])
        facts = await talk.scope.memories(kinds=CLAIMS)

    assert set(texts(facts)) == {known, text}
    assert found.dropped == {UNRELATED: 1}


@pytest.mark.parametrize(
    ("first", "known", "then", "text"),
    [
        ("나 견과류 알레르기 있어", "견과류 알레르기가 있다", "견과류 이제 괜찮대", "견과류가 이제 괜찮다"),
        ("ナッツのアレルギーがある", "ナッツのアレルギーがある", "ナッツはもう平気", "ナッツがもう平気だ"),
        ("I am allergic to nuts", "is allergic to nuts", "Nuts are fine now", "is fine with nuts now"),
    ],
)  # fmt: skip
async def test_what_is_spoken_of_is_replaced(
    tmp_path: Path, first: str, known: str, then: str, text: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, facts=[claim(known, first)])
        found = await talk.told(then, facts=[instead(text, then)])
        facts = await talk.scope.memories(kinds=CLAIMS)

    assert (texts(facts), found.dropped) == ([text], {})


async def test_what_answers_a_question_speaks_of_what_was_asked(tmp_path: Path) -> None:
    async with heard(tmp_path) as talk:
        await talk.told("I'm seeing the dentist", plans=[plan("sees the dentist", 1, "seeing the dentist")])
        await talk.scope.observe("hello", "How was the dentist?", session="s")
        over = {"state": "done", "relation": "replaces", "known": "p1"}
        end = plan("saw the dentist, which was quick", 3, "It was quick", **over)
        await talk.told("It was quick", plans=[end])
        done = await talk.scope.plans(states=(PlanState.DONE,))

    assert len(done) == 1


@pytest.mark.parametrize("relation", ["replaces", "confirms"])
@pytest.mark.parametrize(
    ("first", "whose", "text", "then"),
    [
        ("엄마는 고양이를 키워", "엄마", "고양이를 키운다", "나도 고양이를 키워"),
        ("母は猫を飼ってる", "母", "猫を飼っている", "私も猫を飼ってる"),
        ("My mother has a cat", "mother", "has a cat", "I have a cat too"),
    ],
)
async def test_what_is_of_one_person_says_nothing_of_another(
    tmp_path: Path, relation: str, first: str, whose: str, text: str, then: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, facts=[claim(text, first, about=whose, confidence=6)])
        found = await talk.told(then, facts=[claim(text, then, relation=relation, known="f1")])
        facts = await talk.scope.memories(kinds=CLAIMS)

    assert len({one.subject for one in facts}) == len(facts) == 2
    assert {one.confirmed for one in facts} == {1}
    assert found.dropped == {UNRELATED: 1}


@pytest.mark.parametrize(
    ("first", "known", "reply", "text"),
    [
        ("나 홍차 좋아해", "홍차를 좋아한다", "난 홍차 싫어", "홍차를 싫어한다"),
        ("紅茶が好き", "紅茶が好き", "私は紅茶が嫌い", "紅茶が嫌い"),
        ("I love black tea", "loves black tea", "I hate black tea", "hates black tea"),
    ],
)
async def test_what_the_character_says_of_itself_replaces_nothing_of_the_user(
    tmp_path: Path, first: str, known: str, reply: str, text: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, facts=[claim(known, first)])
        given = fact(text, 2, reply, about="dalbi", relation="replaces", known="f1")
        await talk.told("…", reply, facts=[given])
        facts = await talk.scope.memories(kinds=[Kind.FACT])

    assert texts(facts) == [known]


@pytest.mark.parametrize(
    ("first", "known", "then"),
    [
        ("나 등산 좋아해", "등산을 좋아한다", "등산은 최악이야"),
        ("登山が好き", "登山が好き", "登山は最悪だった"),
        ("I love hiking", "loves hiking", "hiking is terrible"),
    ],
)
async def test_the_contrary_confirms_nothing(tmp_path: Path, first: str, known: str, then: str) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, facts=[claim(known, first)])
        found = await talk.told(then, facts=[claim(known, then, relation="confirms", known="f1")])
        (kept,) = await talk.scope.memories(kinds=CLAIMS)

    assert kept.confirmed == 1
    assert found.dropped["turned round"] == 1


@pytest.mark.parametrize("state", ["done", "dropped"])
@pytest.mark.parametrize(
    ("first", "text", "then", "end"),
    [
        ("금요일에 치과 가", "치과에 간다", "램프 사서 재밌었어", "치과에 갔고 재밌었다"),
        ("金曜日に歯医者に行く", "歯医者に行く", "動物園、楽しかった", "歯医者に行って楽しかった"),
        ("Dentist on Friday", "goes to the dentist", "It was fun at the zoo", "saw the dentist, it was fun"),
    ],
)  # fmt: skip
async def test_no_plan_is_closed_by_words_on_something_else(
    tmp_path: Path, state: str, first: str, text: str, then: str, end: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, plans=[plan(text, 1, first)])
        await talk.told(then, plans=[instead(end, then, known="p1", state=state)])
        (left,) = await talk.scope.plans()

    assert left.text == text


@pytest.mark.parametrize(
    ("first", "text", "then", "other"),
    [
        ("금요일에 치과 가", "치과에 간다", "일요일에 영화 보러 가", "영화를 보러 간다"),
        ("金曜日に歯医者に行く", "歯医者に行く", "日曜に映画に行く", "映画に行く"),
        ("Dentist on Friday", "goes to the dentist", "Cinema on Sunday", "goes to the cinema"),
    ],
)
async def test_no_plan_is_moved_by_another_one(
    tmp_path: Path, first: str, text: str, then: str, other: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, plans=[plan(text, 1, first)])
        await talk.told(then, plans=[instead(other, then, known="p1")])
        left = await talk.scope.plans()

    assert set(texts(left)) == {text, other}


@pytest.mark.proves("H28")
@pytest.mark.parametrize(
    ("first", "text", "then", "other"),
    [
        ("전 남친 얘기는 꺼내지 마", "전 남친 얘기를 바라지 않는다", "짧게 대답해 줘", "짧은 대답을 바란다"),
        ("元彼の話はしないで", "元彼の話を望まない", "短く返事して", "短い返事を望む"),
        ("never mention my ex", "wants no mention of the ex", "keep answers short", "likes short answers"),
    ],
)  # fmt: skip
async def test_guidance_is_not_replaced_by_guidance_on_something_else(
    tmp_path: Path, first: str, text: str, then: str, other: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, guidance=[claim(text, first)])
        await talk.told(then, guidance=[instead(other, then)])
        left = await talk.scope.memories(kinds=CLAIMS)

    assert set(texts(left)) == {text, other}


@pytest.mark.proves("F05")
@pytest.mark.parametrize(
    ("said", "text", "words"),
    [
        ("어제 치과 갔다 왔어", "치과에 간다", "어제"),
        ("지난주 일요일에 조를 만나기로 했었어", "조를 만난다", "지난주 일요일"),
        ("昨日歯医者に行ってきた", "歯医者に行く", "昨日"),
        ("I was at the dentist yesterday", "goes to the dentist", "yesterday"),
        ("I was supposed to meet Jo last Sunday", "meets Jo", "last Sunday"),
    ],
)
async def test_a_plan_whose_day_was_past_when_it_was_said_is_over_already(
    tmp_path: Path, said: str, text: str, words: str
) -> None:
    async with heard(tmp_path) as talk:
        found = await talk.told(said, plans=[plan(text, 1, said, due_words=words)])
        left = await talk.scope.plans()

    assert (left, found.dropped) == ([], {"over already": 1})


@pytest.mark.proves("F20")
@pytest.mark.parametrize(
    ("first", "old", "then", "new", "left"),
    [
        ("나 부산 살아", "부산에 산다", "드디어 서울로 이사 왔다!", "서울에 산다", 1),
        ("大阪に住んでる", "大阪に住んでいる", "東京に引っ越した!", "東京に住んでいる", 1),
        ("I live in Busan", "lives in Busan", "I finally moved to Seoul!", "lives in Seoul", 1),
        ("나 서울 살아", "서울에 산다", "마포에 살아", "마포에 산다", 2),
        ("東京に住んでる", "東京に住んでいる", "上野に住んでる", "上野に住んでいる", 2),
        ("I live in Leeds", "lives in Leeds", "I live in Headingley", "lives in Headingley", 2),
        ("나 부산 살아", "부산에 산다", "더 큰 아파트로 이사 왔어", "아파트에 산다", 2),
    ],
)
async def test_of_two_homes_the_later_one_holds_where_a_move_is_told(
    tmp_path: Path, first: str, old: str, then: str, new: str, left: int
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, facts=[claim(old, first)])
        await talk.told(then, facts=[claim(new, then)])
        facts = await talk.scope.memories(kinds=[Kind.FACT])

    assert set(texts(facts)) == ({new} if left == 1 else {old, new})
