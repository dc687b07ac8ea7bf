"""Honest answers in other words than the user's are kept, beside their wrong neighbours (H11, H12, H28)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from extracting import fact, heard, plan, texts
from opening import NOW

from omoide import Kind
from omoide.domain.model import PlanState
from omoide.testing import FixedClock

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.proves("H28")
@pytest.mark.parametrize(
    ("said", "text", "kept"),
    [
        ("From now on no emojis please", "prefers answers without emoticons", True),
        ("From now on no emojis please", "wants lots of emojis", False),
        ("Can you be less formal with me?", "wants a casual tone", True),
        ("Can you be less formal with me?", "wants formal speech", False),
        ("Make it brief, I'm at work", "prefers concise replies", True),
        ("Make it brief, I'm at work", "prefers lengthy replies", False),
        ("Can you recommend a ramen place?", "prefers short answers", False),
        ("I went to the park today", "prefers short answers", False),
        ("My uncle likes long answers", "prefers long answers", False),
        ("농담 말고 진지하게 들어줘", "장난스러운 반응보다 진지한 공감을 원한다", True),
        ("농담 말고 진지하게 들어줘", "농담을 섞어 주기를 원한다", False),
        ("간단하게 말해 줘", "짧은 답변을 선호한다", True),
        ("간단하게 말해 줘", "길고 자세한 답변을 원한다", False),
        ("敬語やめてよ", "くだけた口調で話してほしい", True),
        ("敬語やめてよ", "丁寧な言葉を望む", False),
        ("手短に頼む", "短い返信を好む", True),
        ("ラーメン屋教えて", "短い返事を好む", False),
    ],
)
async def test_a_wish_is_told_in_other_words_and_not_turned_round(
    tmp_path: Path, said: str, text: str, kept: bool
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, guidance=[{"text": text, "evidence": [{"m": 1, "words": said}]}])
        found = await talk.scope.memories(kinds=[Kind.GUIDANCE])

    assert texts(found) == ([text] if kept else [])


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("planned", "words", "said", "text", "state"),
    [
        (
            "blind date on Thursday",
            "on Thursday",
            "he never showed up",
            "was stood up at the blind date",
            "dropped",
        ),
        ("audition on Thursday", "on Thursday", "nailed it, they clapped", "the audition went well", "done"),
        ("audition on Thursday", "on Thursday", "I failed, of course", "passed the audition", ""),
        (
            "audition on Thursday",
            "on Thursday",
            "the film last night was great",
            "the audition was great",
            "",
        ),
        ("목요일에 오디션 봐", "목요일에", "탈락했대 ㅠㅠ 춤에서", "오디션에서 떨어졌다", "done"),
        ("목요일에 오디션 봐", "목요일에", "탈락했대 ㅠㅠ 춤에서", "오디션에 합격했다", ""),
        ("木曜にオーディション", "木曜に", "不合格だった、ダンスで", "オーディションに落ちた", "done"),
        ("木曜にオーディション", "木曜に", "不合格だった、ダンスで", "オーディションに合格した", ""),
    ],
)
async def test_how_a_plan_went_is_told_without_naming_it(
    tmp_path: Path, planned: str, words: str, said: str, text: str, state: str
) -> None:
    clock = FixedClock(NOW)
    async with heard(tmp_path, clock=clock) as talk:
        day = (NOW + timedelta(days=1)).date().isoformat()
        await talk.told(planned, plans=[plan(planned, 1, planned, due=day, due_words=words)])
        clock.advance(timedelta(days=3))
        over = {"state": state or "done", "relation": "replaces", "known": "p1"}
        found = await talk.told(said, plans=[plan(text, 1, said, **over)], session="later")
        left = await talk.scope.plans(states=tuple(PlanState))

    assert [one.plan.state.value for one in left if one.plan] == [state or "open"], found.dropped


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("first", "facts", "then", "claim", "over"),
    [
        (
            "my dog Biscuit is lovely",
            "has a dog called Biscuit",
            "Biscuit is gone. He died in my arms",
            "dog Biscuit died in the arms of haneul",
            True,
        ),
        (
            "my dog Biscuit is lovely",
            "has a dog called Biscuit",
            "Biscuit passed the agility test",
            "dog Biscuit passed the agility test",
            False,
        ),
        (
            "우리 강아지 콩이 귀엽지",
            "콩이라는 강아지를 키운다",
            "콩이가 무지개다리를 건넜어",
            "강아지 콩이가 무지개다리를 건넜다",
            True,
        ),
        (
            "うちの犬のモカかわいいよ",
            "モカという犬を飼っている",
            "モカが死んじゃった",
            "犬のモカが死んだ",
            True,
        ),
    ],
)
async def test_a_death_ends_what_somebody_has(
    tmp_path: Path, first: str, facts: str, then: str, claim: str, over: bool
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, facts=[fact(facts, 1, first)])
        await talk.told(then, facts=[fact(claim, 1, then)])
        found = await talk.scope.memories(kinds=[Kind.FACT])

    assert set(texts(found)) == ({claim} if over else {facts, claim})


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text", "kept"),
    [
        ("We got a puppy, she's called Nutmeg", "has a puppy called Nutmeg", True),
        ("Theo came by. He hates cats", "hates cats", False),
        ("회의 때 과장님께 말씀드렸더니 부장님이 놀라시더라", "과장님께 말씀드렸다", True),
        ("エビ食べるとだめなの、アレルギーで", "エビアレルギーがある", True),
        ("もう残業やってない", "残業を辞めた", True),
        ("福岡に引っ越したの知ってるよね？", "福岡に引っ越した", True),
        ("福岡に引っ越したかな？", "福岡に引っ越した", False),
        ("I got the sack on Friday", "got fired", True),
        ("We tied the knot in May", "got married", True),
        ("We tied the knot in May", "got divorced", False),
        ("I'm up at half six every day", "gets up at 6:30", True),
        ("I'm up at six every day", "gets up at 6:30", False),
    ],
)
async def test_what_was_said_in_other_words_is_kept(tmp_path: Path, said: str, text: str, kept: bool) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(said, facts=[fact(text, 1, said)])
        found = await talk.scope.memories(kinds=[Kind.FACT])

    assert (text in [one.text for one in found if one.subject == "haneul"]) is kept
