"""Plans, guidance, past states and other people's matters, held against what was said (ruling 36)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from extracting import answer, fact, heard, plan, read

from omoide import Kind

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text", "words", "state", "kept"),
    [
        ("나 이번 파티 안 갈 거야", "파티에 간다", "파티 안 갈 거야", "open", False),
        ("パーティーには行かないよ", "パーティーに行く", "パーティーには行かない", "open", False),
        (
            "I'm not going to the party on Friday",
            "goes to the party",
            "not going to the party",
            "open",
            False,
        ),
        ("금요일엔 못 가고 토요일 파티에 갈게", "토요일 파티에 간다", "토요일 파티에 갈게", "open", True),
        (
            "金曜日は行けないから、土曜日のパーティーに行く",
            "土曜日のパーティーに行く",
            "土曜日のパーティーに行く",
            "open",
            True,
        ),
        (
            "I can't come on Friday, I'll go to the party on Saturday",
            "goes to the party",
            "I'll go to the party on Saturday",
            "open",
            True,
        ),
    ],
)
async def test_a_plan_that_was_denied_is_none(
    tmp_path: Path, said: str, text: str, words: str, state: str, kept: bool
) -> None:
    async with heard(tmp_path) as talk:
        found = await talk.told(said, plans=[plan(text, 1, words, state=state)])

    assert (dict(found.kept), dict(found.dropped)) == (
        ({"plan": 1}, {}) if kept else ({}, {"turned round": 1})
    )


@pytest.mark.proves("H28")
@pytest.mark.parametrize(
    ("said", "text", "kept"),
    [
        ("조언하지 마 제발", "조언을 바란다", False),
        ("アドバイスしないで", "アドバイスがほしい", False),
        ("Please don't give me tips when I'm venting", "wants tips when venting", False),
        ("조언하지 마 제발", "조언을 바라지 않는다", True),
        ("アドバイスしないで", "アドバイスは求めていない", True),
        ("Please don't give me tips when I'm venting", "wants no tips when venting", True),
    ],
)
async def test_guidance_wants_nothing_that_somebody_asked_not_to_do(
    tmp_path: Path, said: str, text: str, kept: bool
) -> None:
    async with heard(tmp_path, said, "…") as (omoide, _):
        given = {"text": text, "mode": "asserted", "evidence": [{"m": 1, "words": said}]}
        found = await read(omoide, answer(guidance=[given]))

    assert (dict(found.kept), dict(found.dropped)) == (
        ({"guidance": 1}, {}) if kept else ({}, {"turned round": 1})
    )


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "now", "then"),
    [
        ("대학 때 부산에 살았어", "부산에 산다", "대학 때 부산에 살았다"),
        ("学生のとき大阪に住んでた", "大阪に住んでいる", "学生のとき大阪に住んでいた"),
        ("I lived in Busan as a student", "lives in Busan", "lived in Busan as a student"),
    ],
)
async def test_what_was_so_is_kept_as_past_and_never_as_present(
    tmp_path: Path, said: str, now: str, then: str
) -> None:
    async with heard(tmp_path) as talk:
        found = await talk.told(said, facts=[fact(now, 1, said), fact(then, 1, said)])
        (kept,) = await talk.scope.memories(kinds=[Kind.FACT])

    assert kept.text == then
    assert kept.valid_until is None  # when it ended, nobody said
    assert found.dropped == {"turned round": 1}


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "text", "words", "whose"),
    [
        ("My sister is allergic to nuts", "is allergic to nuts", "allergic to nuts", "sister"),
        ("My mom is called Maria", "is called Maria", "called Maria", "mom"),
        ("우리 언니는 견과류 알레르기가 있어", "견과류 알레르기가 있다", "견과류 알레르기", "언니"),
        ("姉はナッツアレルギーで大変", "ナッツアレルギーである", "ナッツアレルギー", "姉"),
        ("I have a sister", "has a sister", "have a sister", "haneul"),
        ("엄마가 해준 김치찌개 좋아해", "김치찌개를 좋아한다", "김치찌개 좋아해", "haneul"),
        # A clause that leaves the subject out goes on with it.
        ("우리 언니는 간호사인데 매운 걸 못 먹어", "매운 걸 못 먹는다", "매운 걸 못 먹어", "언니"),
        ("姉は看護師で、コーヒーが嫌い", "コーヒーが嫌い", "コーヒーが嫌い", "姉"),
        ("My sister is a nurse, hates coffee", "hates coffee", "hates coffee", "sister"),
        ("My sister came over. She is a vegetarian", "is a vegetarian", "a vegetarian", "sister"),
        ("우리 언니는 간호사고 나는 매운 걸 못 먹어", "매운 걸 못 먹는다", "매운 걸 못 먹어", "haneul"),
        ("姉は看護師で、私はコーヒーが嫌い", "コーヒーが嫌い", "コーヒーが嫌い", "haneul"),
        ("My sister is a nurse, I hate coffee", "hates coffee", "I hate coffee", "haneul"),
    ],
)
async def test_a_relatives_fact_is_the_relatives_though_the_model_says_the_users(
    tmp_path: Path, said: str, text: str, words: str, whose: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, facts=[fact(text, 1, words)])
        (kept,) = await talk.scope.memories(kinds=[Kind.FACT])

    assert kept.subject == whose


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "facts", "later", "new"),
    [
        (
            "아침에 커피를 마셔. 저녁에도 커피를 마셔. 좋아하는 차는 없어",
            ["아침에 커피를 마신다", "저녁에도 커피를 마신다"],
            "커피 이제 끊었어",
            "커피를 끊었다",
        ),
        (
            "朝はコーヒーを飲む。夜もコーヒーを飲む。お茶は飲まない",
            ["朝はコーヒーを飲む", "夜もコーヒーを飲む"],
            "コーヒーはもうやめた",
            "コーヒーをやめた",
        ),
        (
            "I drink coffee in the morning. I drink coffee at night too. No tea",
            ["drinks coffee in the morning", "drinks coffee at night too"],
            "I gave up coffee",
            "gave up coffee",
        ),
    ],
)
@pytest.mark.parametrize("listed", [True, False])
async def test_one_saying_takes_the_place_of_several(
    tmp_path: Path, said: str, facts: list[str], later: str, new: str, listed: bool
) -> None:
    async with heard(tmp_path) as (omoide, scope):
        first = await scope.observe(said, "…", session="s")
        words = [one.strip("。. ") for one in said.replace(". ", "。").split("。")]
        given = [fact(text, 1, words[place]) for place, text in enumerate(facts)]
        await read(omoide, answer(facts=given))
        await scope.observe(later, "!", session="s")
        both = ["f1", "f2"] if listed else "f1, f2"
        found = await read(omoide, answer(facts=[fact(new, 1, later, relation="replaces", known=both)]))
        standing = [memory.text for memory in await scope.memories(kinds=[Kind.FACT])]
        await scope.rewind(first.messages[-1])
        back = sorted(memory.text for memory in await scope.memories(kinds=[Kind.FACT]))

    assert found.kept == {"fact": 1, "replaced": 2}
    assert standing == [new]
    assert back == sorted(facts)
