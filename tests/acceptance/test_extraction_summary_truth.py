"""What a summary says of the user, sentence by sentence: nothing denied, nothing told of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from extracting import heard, texts

from omoide import Kind

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.proves("F02")


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("팀장이 회식에서 울었어. 나는 우산 샀어", "haneul은 회식에서 울었다.", "haneul은 우산을 샀다."),
        ("난 마라톤 안 뛰었어. 대신 수영했어", "haneul은 마라톤을 뛰었다.", "haneul은 수영했다."),
        ("姉は看護師なんだ。私は傘を買った", "haneulは看護師だ。", "haneulは傘を買った。"),
        ("マラソンは走らなかった。水泳はした", "haneulはマラソンを走った。", "haneulは水泳をした。"),
        ("My boss hates cats. I bought a lamp.", "haneul hates cats.", "haneul bought a lamp."),
        ("I did not run the marathon. I swam a mile.", "haneul did run the marathon.", "haneul swam a mile."),
    ],
)  # fmt: skip
async def test_a_wrong_sentence_falls_and_the_rest_of_the_summary_stays(
    tmp_path: Path, said: str, wrong: str, right: str
) -> None:
    async with heard(tmp_path) as talk:
        found = await talk.told(said, summary=f"{wrong} {right}")
        (summary,) = texts(await talk.scope.memories(kinds=[Kind.SUMMARY]))

    assert summary == right
    assert sum(found.dropped.values()) == 1


async def test_what_a_summary_tells_of_others_and_denies_itself_stays(tmp_path: Path) -> None:
    told = "haneul did not run the marathon. haneul's boss lied to his wife."
    async with heard(tmp_path) as talk:
        await talk.told("I did not run the marathon. My boss lied to his wife.", summary=told)
        assert texts(await talk.scope.memories(kinds=[Kind.SUMMARY])) == [told]
