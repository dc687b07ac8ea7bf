"""What a nod does to a confidence, and who somebody is from one window to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from extracting import answer, extractor, fact, heard, row_of, window_of
from opening import opened

from omoide import Kind
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from omoide import Omoide


async def _read(omoide: Omoide, given: dict[str, Any], *, user: str) -> None:
    row = row_of(omoide, user=user)
    await extractor(omoide).extract(row, window_of(omoide, row), ScriptedModel(answers=[given]))


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "text", "echo", "nod"),
    [
        ("나 고수 정말 싫어해", "고수를 싫어한다", "고수 빼달라고 하자, 너 싫어하잖아", "ㅋㅋ 그래"),
        ("パクチーが苦手なんだ", "パクチーが苦手", "パクチー抜きでね、苦手だから", "笑 うん"),
        ("I hate cilantro", "hates cilantro", "No cilantro then, you hate it", "lol ok"),
    ],
)
async def test_the_characters_echo_makes_nothing_surer(
    tmp_path: Path, said: str, text: str, echo: str, nod: str
) -> None:
    async with heard(tmp_path, said, "…") as (omoide, scope):
        await _read(omoide, answer(facts=[fact(text, 1, said)]), user="haneul")
        await scope.observe("…?", echo, session="s")
        await scope.observe(nod, "…", session="s")
        again = fact(text, 3, nod, relation="confirms", known="f1")
        await _read(omoide, answer(facts=[again]), user="haneul")
        (kept,) = await scope.memories(kinds=[Kind.FACT])

    assert (kept.confidence, kept.confirmed) == (8.0, 1)


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "name", "text", "later", "then"),
    [
        ("I'm Ren and I'm left-handed", "Ren", "is left-handed", "I live in Leeds", "lives in Leeds"),
        ("나 렌이야. 왼손잡이야", "렌", "왼손잡이다", "부산에 살아", "부산에 산다"),
        ("私はレンです。左利きなんだ", "レン", "左利きだ", "大阪に住んでる", "大阪に住んでいる"),
    ],
)
async def test_who_gave_their_name_is_one_person_ever_after(
    tmp_path: Path, said: str, name: str, text: str, later: str, then: str
) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="ren01", character="dalbi")
        for words, told in ((said, text), (later, then)):
            await scope.observe(words, "…", session="s")
            await _read(omoide, answer(facts=[fact(told, 1, words, about=name)]), user="ren01")
        kept = await scope.memories(kinds=[Kind.FACT])

    assert {(memory.subject, memory.text) for memory in kept} == {("ren01", text), ("ren01", then)}
