"""What takes one of a recall's places, what shares one, and what comes on top (P14, H28)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from extracting import answer, fact, heard, read

from omoide import Kind
from omoide.recall.result import ON_TOP, Slot
from omoide.testing import FixedClock

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Recall

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
PETS = {
    "ko": [
        ("우리 고양이 나비는 생선을 좋아해", "나비는 생선을 좋아한다", "나비는 생선을 좋아해"),
        ("우리 고양이 두부는 우유를 좋아해", "두부는 우유를 좋아한다", "두부는 우유를 좋아해"),
        ("우리 고양이 감자는 빵을 좋아해", "감자는 빵을 좋아한다", "감자는 빵을 좋아해"),
    ],
    "ja": [
        ("うちの猫のタマは魚が好き", "タマは魚が好き", "タマは魚が好き"),
        ("うちの猫のモモは牛乳が好き", "モモは牛乳が好き", "モモは牛乳が好き"),
        ("うちの猫のクロはパンが好き", "クロはパンが好き", "クロはパンが好き"),
    ],
    "en": [
        ("My cat Biscuit likes fish", "Biscuit the cat likes fish", "Biscuit likes fish"),
        ("My cat Pepper likes milk", "Pepper the cat likes milk", "Pepper likes milk"),
        ("My cat Domino likes bread", "Domino the cat likes bread", "Domino likes bread"),
    ],
}
ASKED = {"ko": "우리 고양이가 뭘 좋아해?", "ja": "うちの猫は何が好き?", "en": "What does my cat like?"}

BARLEY = [
    *("The barley by the river was sown in March", "Grandfather never trusted barley on the hill"),
    *("A storm flattened half of the barley", "The miller pays well for barley this year"),
    *("Crows eat the young barley every spring", "Barley soup was served at the wedding"),
    *("The harvester broke down in the barley", "Ina paints barley at sunset"),
    *("The brewery wants two tons of barley", "Beside the barley stands an old chapel"),
    *("Hares sleep in the barley in June", "The barley prize went to the neighbours"),
    *("A map of the barley hangs in the kitchen", "Rain in August spoiled the barley"),
]


def asked_for(recall: Recall) -> list[str]:
    return [one.memory.text for one in recall.memories if one.why.slot not in ON_TOP]


@pytest.mark.proves("P14")
@pytest.mark.parametrize("language", PETS)
async def test_a_fact_and_the_exchange_it_was_told_in_take_one_place(tmp_path: Path, language: str) -> None:
    async with heard(tmp_path, clock=FixedClock(NOON)) as (omoide, scope):
        for said, text, words in PETS[language]:
            await scope.observe(user=said)
            name = words.split()[0].partition("は")[0].removesuffix("는")
            await read(omoide, answer(facts=[fact(text, 1, words, about=name)]))
        await scope.vectorise()
        recall = await scope.recall(ASKED[language], limit=3)

    told = {quote.message for one in recall.memories for quote in one.memory.evidence}
    assert len(asked_for(recall)) == 3
    assert len(told) == 3
    assert [one.why.slot for one in recall.memories[3:]] == [Slot.SHARED]
    assert all(one.in_block for one in recall.memories)


@pytest.mark.proves("H28")
async def test_what_comes_unasked_costs_no_answer_its_place(tmp_path: Path) -> None:
    clock = FixedClock(NOON)
    async with heard(tmp_path, clock=clock) as (omoide, scope):
        await scope.observe(user="I see the dentist tomorrow")
        plan = {"text": "sees the dentist", "about": "haneul", "mode": "asserted", "due_words": "tomorrow"}
        await read(
            omoide, answer(plans=[{**plan, "evidence": [{"m": 1, "words": "see the dentist tomorrow"}]}])
        )
        for text in BARLEY[:6]:
            await scope.remember(text)
        await scope.remember("When talk is about barley, wants numbers", kind=Kind.GUIDANCE)
        await scope.vectorise()
        recall = await scope.recall("What happened to the barley?", limit=4)

    slots = [one.why.slot for one in recall.memories]
    assert slots[:4] == [Slot.SEARCH] * 4
    assert set(slots[4:]) <= {Slot.PLAN, Slot.GUIDANCE}
    assert Slot.PLAN in slots
    assert "dentist" in recall.block


@pytest.mark.proves("P14")
async def test_a_claim_has_a_place_held_for_it_only_by_an_importance_of_its_own(tmp_path: Path) -> None:
    async with heard(tmp_path, clock=FixedClock(NOON)) as (omoide, scope):
        await scope.observe(user="I'm allergic to penicillin. And the cellar needs a lamp")
        facts = [
            fact("is allergic to penicillin", 1, "I'm allergic to penicillin", importance=9),
            fact("has a cellar that needs a lamp", 1, "the cellar needs a lamp"),
        ]
        await read(omoide, answer(importance=9, facts=facts))
        for text in BARLEY:
            await scope.remember(text)
        await scope.vectorise()
        known = {memory.text: memory.importance for memory in await scope.memories(kinds=[Kind.FACT])}
        recall = await scope.recall("What happened to the barley?")

    held = [one.memory.text for one in recall.memories if one.why.slot is Slot.IMPORTANCE]
    assert held == ["is allergic to penicillin"]
    assert [known[one["text"]] for one in facts] == [9.0, 5.0]
    assert len(recall.memories) == 12
