"""What becomes of extracted memories: said again, replaced, taken back, brought back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from extracting import EXTRACTED, answer, fact, heard, read, row_of, texts
from opening import NOW

from omoide import Kind, Message, Role
from omoide.domain.model import Status
from omoide.testing import FixedClock, ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.proves("F14", "F20")
async def test_a_new_state_replaces_the_old_one_which_stays_for_questions_about_then(tmp_path: Path) -> None:
    async with heard(tmp_path, clock=(clock := FixedClock(NOW))) as talk:
        await talk.told("나 부산 살아", "바다 좋겠다", facts=[fact("부산에 산다", 1, "나 부산 살아")])
        clock.advance(timedelta(days=30))
        moved = await talk.scope.observe("드디어 서울로 이사 왔다!", "축하해", session="s")
        model = ScriptedModel(
            answers=[
                answer(facts=[fact("서울에 산다", 1, "서울로 이사 왔다", relation="replaces", known="f1")])
            ]
        )
        found = await read(talk.omoide, "", model=model)
        now = await talk.scope.memories(kinds=[Kind.FACT])
        (old,) = await talk.scope.memories(kinds=[Kind.FACT], statuses=[Status.REPLACED])
        then = await talk.scope.recall("어디 살아?", as_of=NOW + timedelta(days=1))
        await talk.scope.delete(moved.messages[0])
        back = await talk.scope.memories(kinds=[Kind.FACT])

    assert "f1 [haneul] 부산에 산다" in model.seen[0][1].text
    assert found.kept == {"fact": 1, "replaced": 1}
    assert texts(now) == ["서울에 산다"]
    assert (old.text, old.valid_until) == ("부산에 산다", NOW + timedelta(days=30))
    known_then = next(one.memory for one in then.memories if one.memory.text == "부산에 산다")
    assert (known_then.status, known_then.valid_until) == (Status.CONFIRMED, None)  # nobody knew it would end
    assert moved.messages[0] not in then.block
    assert "2026" not in then.block.partition("부산에 산다")[2].partition("\n")[0]
    assert texts(back) == ["부산에 산다"]


@pytest.mark.parametrize("held", ["written by hand", "pinned"])
async def test_what_somebody_holds_on_to_is_never_replaced_by_a_model(tmp_path: Path, held: str) -> None:
    async with heard(tmp_path) as (omoide, scope):
        if held == "pinned":
            await scope.observe("나 부산 살아", "바다 좋겠다", session="s")
            await read(omoide, answer(facts=[fact("부산에 산다", 1, "나 부산 살아")]))
            (known,) = await scope.memories(kinds=[Kind.FACT])
            await scope.pin(known.id)
        else:
            await scope.remember("부산에 산다", kind=Kind.FACT, about="haneul")
        await scope.observe("드디어 서울로 이사 왔다!", "축하해", session="s")
        moved = fact("서울에 산다", 1, "서울로 이사 왔다", relation="replaces", known="f1")
        await read(omoide, answer(facts=[moved]))
        assert sorted(texts(await scope.memories(kinds=[Kind.FACT]))) == ["부산에 산다", "서울에 산다"]


@pytest.mark.parametrize("relation", ["confirms", "new"])
@pytest.mark.proves("H12")
async def test_what_is_said_again_is_counted_once_and_surer(tmp_path: Path, relation: str) -> None:
    async with heard(tmp_path) as (omoide, scope):
        known = ""
        for _ in range(7):
            await scope.observe("나 민트초코 진짜 좋아해", "나도!", session="s")
            given = fact("민트초코를 좋아한다.", 1, "민트초코 진짜 좋아해", relation=relation, known=known)
            await read(omoide, answer(facts=[given]))
            known = "f1"
        (kept,) = await scope.memories(kinds=[Kind.FACT])

    assert (kept.confirmed, kept.confidence) == (7, 10.0)


async def test_recalled_text_and_the_characters_echo_do_not_make_a_fact_surer(tmp_path: Path) -> None:
    async with heard(tmp_path) as talk:
        await talk.told("난 고수 싫어", "그렇구나", facts=[fact("고수를 싫어한다", 1, "난 고수 싫어")])
        await talk.scope.observe(
            "오늘 쌀국수 먹으러 갈까?", "고수 빼달라고 하자, 너 고수 싫어하잖아", session="s"
        )
        again = fact("고수를 싫어한다", 2, "너 고수 싫어하잖아", relation="confirms", known="f1")
        found = await read(talk.omoide, answer(facts=[again]))
        (kept,) = await talk.scope.memories(kinds=[Kind.FACT])

    assert found.dropped == {"the character's words": 1}
    assert (kept.confirmed, kept.confidence) == (1, 8.0)


async def test_one_thing_said_in_several_ways_by_one_answer_is_kept_once(tmp_path: Path) -> None:
    words = "다음 달에 홍대에서 밴드 공연해"
    async with heard(tmp_path) as talk:
        found = await talk.told(
            words,
            "멋지다",
            facts=[
                fact("홍대에서 밴드 공연을 한다", 1, words),
                fact("홍대에서 밴드 공연을 한다.", 1, words, category="goal"),
                fact("밴드 공연을 한다", 1, words),
            ],
        )

    assert found.kept == {"fact": 1}
    assert found.dropped == {"repeated": 2}


@pytest.mark.proves("P16")
async def test_rewinding_takes_extracted_memories_back_and_an_edit_has_the_rest_read_again(
    tmp_path: Path,
) -> None:
    async with heard(tmp_path) as (omoide, scope):
        first = await scope.observe("우리 강아지 이름은 콩이야", "귀여워", session="s")
        await scope.observe("콩이는 세 살이야", "어리네", session="s")
        both = fact("강아지 콩이는 세 살이다", 1, "강아지 이름은 콩이야")
        both["evidence"].append({"m": 3, "words": "콩이는 세 살이야"})
        await read(
            omoide,
            answer(
                summary="haneul이 강아지 콩이 이야기를 했다.",
                facts=[fact("강아지 이름은 콩이다", 1, "강아지 이름은 콩이야"), both],
                relationship={"summary": "강아지 이야기를 나누는 사이", "manner": "편한 반말"},
            ),
        )
        before = await scope.memories(kinds=EXTRACTED)
        taken = await scope.rewind(first.messages[-1])
        after = await scope.memories(kinds=EXTRACTED)
        with omoide.store.read(row_of(omoide)) as unit:
            left = [one.number for one in unit.windows.uncovered()[0]]
            relationship = unit.relationships.current()

    assert len(before) == 3
    assert texts(after) == ["강아지 이름은 콩이다"]
    assert taken.suppressed >= 2
    assert len(left) == 2
    assert relationship is None


async def test_what_comes_back_brings_its_memories_back(tmp_path: Path) -> None:
    talk = [
        Message(role=Role.USER, text="나 요즘 수영 배워"),
        Message(role=Role.CHARACTER, text="물 무섭지 않아?"),
        Message(role=Role.USER, text="하나도 안 무서워"),
        Message(role=Role.CHARACTER, text="대단하다"),
    ]
    other = [Message(role=Role.USER, text="나 요즘 등산 다녀"), *talk[1:]]
    async with heard(tmp_path) as (omoide, scope):
        await scope.sync(talk, session="s", live=False)
        await read(omoide, answer(facts=[fact("수영을 배운다", 1, "나 요즘 수영 배워")]))
        await scope.sync(other, session="s", live=False)
        edited = await scope.memories(kinds=EXTRACTED)
        await scope.sync(talk, session="s", live=False)
        again = await scope.memories(kinds=EXTRACTED)
        found = await scope.recall("수영 배운 지 얼마나 됐지?")

    assert edited == []
    assert texts(again) == ["수영을 배운다"]
    assert "수영을 배운다" in texts([one.memory for one in found.memories])


async def test_what_was_forgotten_by_hand_is_neither_shown_nor_learned_again(tmp_path: Path) -> None:
    async with heard(tmp_path, "나 민준이랑 헤어졌어, 이건 잊어줘", "응…") as (omoide, scope):
        await scope.forget(*[memory.id for memory in await scope.memories()])
        await scope.observe("오늘은 영화 봤어", "재밌었어?", session="s")
        model = ScriptedModel(answers=[answer(facts=[fact("영화를 봤다", 1, "오늘은 영화 봤어")])])
        found = await read(omoide, "", model=model)

    assert "민준" not in model.seen[0][1].text
    assert found.kept == {"fact": 1}
