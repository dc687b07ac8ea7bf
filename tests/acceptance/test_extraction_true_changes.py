"""A true change replaces what it ended, in whatever words; what a careless model names beside it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from extracting import fact, heard, texts

from omoide import Kind

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.proves("F20")

FACTS = [Kind.FACT]
CHANGES = [
    ("나 채식주의자야", "채식주의자다", "이젠 고기 다시 먹어", "고기를 다시 먹는다"),
    ("나 지금 솔로야", "솔로다", "나 여자친구 생겼어", "여자친구가 생겼다"),
    ("나 대학원생이야", "대학원생이다", "지난달에 드디어 졸업했어", "졸업했다"),
    ("작은 스타트업 다녀", "작은 스타트업에 다닌다", "나 은행으로 이직했어", "은행으로 이직했다"),
    ("菜食主義なんだ", "菜食主義である", "もう肉も普通に食べてる", "肉も普通に食べる"),
    ("独身だよ", "独身である", "先月から彼氏がいるんだ", "彼氏がいる"),
    ("高校生です", "高校生である", "春に卒業したよ", "卒業した"),
    ("ベンチャーで働いてる", "ベンチャーで働いている", "銀行に転職したんだ", "銀行に転職した"),
    ("I'm a vegetarian", "is a vegetarian", "I have meat again on Sundays", "has meat again on Sundays"),
    ("I'm single", "is single", "I'm dating Otto now", "is dating Otto"),
    ("I'm an undergraduate", "is an undergraduate", "I finally graduated", "graduated"),
    ("I'm at a tiny startup", "is at a tiny startup", "I work for a bank these days", "works for a bank"),
    ("I'm 41", "is 41", "I turned 42 on Sunday", "is 42"),
]  # fmt: skip
UNRELATED = [
    ("나 채식주의자야", "채식주의자다", "우리 강아지가 왔어", "강아지가 왔다"),
    ("나 지금 솔로야", "솔로다", "은행으로 이직했어", "은행으로 이직했다"),
    ("나 대학원생이야", "대학원생이다", "서울로 이사했어", "서울로 이사했다"),
    ("菜食主義なんだ", "菜食主義である", "犬を飼い始めた", "犬を飼っている"),
    ("独身だよ", "独身である", "銀行に転職したんだ", "銀行に転職した"),
    ("高校生です", "高校生である", "筋肉がついてきた", "筋肉がついてきた"),
    ("I'm a vegetarian", "is a vegetarian", "I have a dog again", "has a dog again"),
    ("I'm single", "is single", "I work for a bank these days", "works for a bank"),
    ("I'm an undergraduate", "is an undergraduate", "I moved to Hull again", "moved to Hull again"),
    ("I'm 41", "is 41", "I run 42 miles a week now", "runs 42 miles a week"),
]


@pytest.mark.parametrize(("first", "old", "then", "new"), CHANGES)
async def test_a_true_change_leaves_one_of_two(
    tmp_path: Path, first: str, old: str, then: str, new: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, facts=[fact(old, 1, first)])
        await talk.told(then, facts=[fact(new, 1, then, relation="replaces", known="f1")])
        assert texts(await talk.scope.memories(kinds=FACTS)) == [new]


@pytest.mark.parametrize(("first", "old", "then", "new"), UNRELATED)
async def test_another_matter_replaces_nothing(
    tmp_path: Path, first: str, old: str, then: str, new: str
) -> None:
    async with heard(tmp_path) as talk:
        await talk.told(first, facts=[fact(old, 1, first)])
        found = await talk.told(then, facts=[fact(new, 1, then, relation="replaces", known="f1")])
        assert set(texts(await talk.scope.memories(kinds=FACTS))) == {old, new}
        assert found.dropped == {"unrelated to what it replaces": 1}


@pytest.mark.parametrize(
    ("then", "new"), [("I bought a lamp", "is single"), ("My brother is single", "is single")]
)
async def test_a_state_that_nobody_told_replaces_nothing(tmp_path: Path, then: str, new: str) -> None:
    async with heard(tmp_path) as talk:
        await talk.told("I'm dating Otto", facts=[fact("is dating Otto", 1, "I'm dating Otto")])
        await talk.told(then, facts=[fact(new, 1, then, relation="replaces", known="f1")])
        assert texts(await talk.scope.memories(kinds=FACTS)) == ["is dating Otto"]
