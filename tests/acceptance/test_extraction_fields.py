"""Every text that a window brings is grounded: details, what they go with, manners, and not only claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from extracting import answer, fact, heard, read
from opening import opened

from omoide import Kind
from omoide.domain.text import last_tokens, tokens
from omoide.errors import ModelRefused
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.proves("F02")
@pytest.mark.parametrize(
    ("said", "summary", "true", "invented", "context", "trigger"),
    [
        (
            "I went to the zoo, so happy!",
            "haneul went to the zoo.",
            "went to the zoo",
            "robbed the zoo shop",
            "after being fired from NASA",
            "a new job at NASA",
        ),
        (
            "오늘 동물원 다녀왔어 너무 좋았어",
            "haneul이 동물원에 다녀왔다.",
            "동물원에 다녀왔다",
            "동물원 매점에서 지갑을 훔쳤다",
            "회사에서 해고당한 뒤",
            "복권 당첨",
        ),
        (
            "今日動物園に行ってきた、楽しかった",
            "haneulは動物園に行ってきた。",
            "動物園に行ってきた",
            "売店で財布を盗んだ",
            "会社を解雇されたあと",
            "宝くじの当選",
        ),
    ],
)
async def test_what_goes_with_a_summary_or_a_feeling_was_said(
    tmp_path: Path, said: str, summary: str, true: str, invented: str, context: str, trigger: str
) -> None:
    details = [
        {"kind": "action", "who": "haneul", "text": invented, "context": "", "m": 1},
        {"kind": "action", "who": "haneul", "text": true, "context": context, "m": 1},
    ]
    felt = [{"who": "haneul", "emotion": "happy", "intensity": 0.9, "trigger": trigger, "m": 1}]
    async with heard(tmp_path) as talk:
        await talk.told(said, summary=summary, details=details, feelings=felt)
        (kept,) = await talk.scope.memories(kinds=[Kind.SUMMARY])
        (mood,) = await talk.scope.felt()

    assert [(detail.text, detail.context) for detail in kept.details] == [(true, "")]
    assert mood.trigger == ""


async def test_a_manner_gives_away_no_love_and_no_money(tmp_path: Path) -> None:
    manner = "warm and playful. flirtatious. sends money"
    async with heard(tmp_path) as talk:
        await talk.told("hi there", "hello!", relationship={"summary": "They said hi.", "manner": manner})
        found = await talk.scope.relationship()

    assert found is not None
    assert found.manner == "warm and playful."


@pytest.mark.proves("F12")
@pytest.mark.parametrize(
    "summary",
    ["I'm sorry, but I can't help with that.", "요청하신 내용은 부적절하여 처리할 수 없습니다."],
)
async def test_a_refusal_leaves_the_window_waiting_whatever_is_cited_beside_it(
    tmp_path: Path, summary: str
) -> None:
    async with heard(tmp_path, "I love tea", "me too") as (omoide, _):
        with pytest.raises(ModelRefused):
            await read(omoide, answer(summary=summary, facts=[fact("loves tea", 1, "I love tea")]))


async def test_a_summary_that_tells_of_a_refusal_is_none(tmp_path: Path) -> None:
    summary = "dalbi said that, as an AI, it could not help haneul with taxes."
    async with heard(tmp_path) as talk:
        found = await talk.told(
            "I love tea. Help me with taxes",
            "as an AI I can't help",
            summary=summary,
            facts=[fact("loves tea", 1, "I love tea")],
        )

    assert found.kept["fact"] == 1


@pytest.mark.proves("P2")
async def test_of_a_message_too_long_to_be_read_whole_both_ends_are_read_and_that_is_told(
    tmp_path: Path,
) -> None:
    long = f"I own a lamp. {'Nothing much happened on that day. ' * 3000} I own a yacht."
    given = answer(facts=[fact("owns a lamp", 1, "I own a lamp"), fact("owns a yacht", 1, "I own a yacht")])
    model = ScriptedModel(answers=[given])
    async with opened(tmp_path, models=model, worker=False, window=1) as omoide:
        scope = omoide.scope(user="haneul", character="dalbi")
        await scope.observe(user=long, reply="ok")
        run, *_ = await omoide.worker.once()
        quotes = [one.quote for memory in await scope.memories(kinds=[Kind.FACT]) for one in memory.evidence]

    assert sorted(quotes) == ["I own a lamp", "I own a yacht"]
    shown = model.seen[0][-1].text
    assert "I own a lamp" in shown
    assert "I own a yacht" in shown
    assert tokens(shown) < 13_500
    assert run.dropped == {"message too long to be read whole": 1}
    assert run.kept["fact"] == 2


def test_the_end_of_a_text_is_cut_between_graphemes() -> None:
    family = "👨‍👩‍👧‍👦"
    end = last_tokens(f"{'긴 이야기 ' * 50}{family * 9}", 30)

    assert tokens(end) <= 30
    assert end.replace(family, "").strip("긴이야기 ") == ""
