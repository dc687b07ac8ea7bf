"""Odd words and bad values: kept and found, or refused with a clear error."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from opening import NOW, opened
from recalling import haru

from omoide import Filter, Kind, Message, Noted, Role, Status
from omoide.errors import (
    InvalidInput,
    UnknownMemory,
    UnknownMessage,
    UnknownScope,
    UnknownSession,
)
from omoide.prompts.rules import standing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omoide import Scope

FAMILY = "👨‍👩‍👧‍👦"
CAT, CAT_ASKED = "우리 고양이 이름은 감자예요", "우리 고양이 이름은?"
ODD_TEXTS = {
    "NUL": "저는 감자\x00튀김을 좋아해요",
    "lone surrogate": "저는 감자튀김을 좋아해요 \ud83d",
    "decomposed": "저는 감자튀김을 좋아해요",
    "family emoji": f"우리 가족 {FAMILY} 감자튀김을 좋아해요",
    "right to left": "אני אוהב 감자튀김 מאוד \u202eabc\u202c",
    "byte order mark": "\ufeff저는 감자튀김을 좋아해요",
    "zalgo": "감자튀김 z" + "\u0301" * 500 + " 좋아해요",
    "line ends": "저는\r\n감자튀김을\u2028좋아해요\r",
    "escape codes": "\x1b[31m저는 감자튀김을 좋아해요\x1b[0m",
}


@pytest.mark.proves("F90")
@pytest.mark.proves("F93")
@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
async def test_odd_text_is_kept_and_found(tmp_path: Path, text: str) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        assert (await scope.observe(user=text, reply=text, session="s1")).added == 2
        recall = await scope.recall("감자튀김 먹을래?")
        assert not recall.degraded
        assert "감자튀김" in recall.block
        recall.prompt.encode()
        (memory,) = await scope.memories()
        assert memory.text
        assert "\x00" not in memory.text


@pytest.mark.proves("F93")
@pytest.mark.parametrize("text", ["", " \n\t", "\u200b\u200d", "\x00", "\ud800", "\u2800", "\ufe0f"])
async def test_blank_messages_are_counted_and_not_kept(tmp_path: Path, text: str) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        recorded = await scope.observe(user=text, session="s1")
        assert (recorded.blank, recorded.added) == (1, 0)
        recall = await scope.recall(text)
        assert (recall.block, recall.degraded) == ("", ())


async def test_one_blank_message_does_not_cost_the_others(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        recorded = await haru(omoide).observe(user=CAT, reply="  ", session="s1")
        assert (recorded.added, recorded.blank, recorded.made) == (1, 1, 1)


@pytest.mark.proves("F75")
@pytest.mark.parametrize("text", ["나 임신했어", "母が亡くなった", "我辞职了", "I quit."])
async def test_short_messages_that_say_something_are_kept(tmp_path: Path, text: str) -> None:
    """No floor on length."""
    async with opened(tmp_path) as omoide:
        assert (await haru(omoide).observe(user=text, session="s1")).made == 1


@pytest.mark.proves("F38")
@pytest.mark.proves("F79")
async def test_a_message_of_a_megabyte_is_kept_and_takes_no_more_than_the_budget(tmp_path: Path) -> None:
    novel = "옛날 옛적에 등대지기가 살았어요. 파도가 높은 밤이면 종을 울렸지요. " * 11_000
    assert len(novel.encode()) > 1_000_000
    async with opened(tmp_path, embedder="none") as omoide:
        scope = haru(omoide)
        began = time.perf_counter()
        await scope.observe(user=novel, reply="긴 이야기네요", session="s1")
        await scope.observe(user="저는 등대 사진을 좋아해요", reply="멋져요", session="s2")
        recall = await scope.recall("등대지기가 살았어요", budget=300)
        assert time.perf_counter() - began < 10
        assert recall.block
        assert len(recall.block) < 2_000
        assert (await scope.recall(novel)).degraded == ()


async def test_ten_thousand_messages_in_one_call(tmp_path: Path) -> None:
    talk = [
        Message(
            role=(Role.USER, Role.CHARACTER)[number % 2],
            text=f"{number}번째 등대 이야기를 좋아해요",
            at=NOW + timedelta(seconds=number),
        )
        for number in range(10_000)
    ]
    async with opened(tmp_path, embedder="none") as omoide:
        began = time.perf_counter()
        recorded = await haru(omoide).observe(messages=talk, session="s1")
        assert (recorded.added, recorded.made) == (10_000, 5_000)
        assert time.perf_counter() - began < 20
        assert "7778번째" in (await haru(omoide).recall("7778번째 이야기", limit=1)).block


BAD_VALUES: dict[str, Callable[[Scope], object]] = {
    "no words": lambda scope: scope.observe(session="s1"),
    "words and messages": lambda scope: scope.observe("a", messages=[Message(role=Role.USER, text="a")]),
    "naive time": lambda scope: scope.observe("a", at=datetime(2026, 1, 1)),
    "naive as_of": lambda scope: scope.recall("a", as_of=datetime(2026, 1, 1)),
    "no memories": lambda scope: scope.recall("a", limit=0),
    "too many memories": lambda scope: scope.recall("a", limit=1_000),
    "no budget": lambda scope: scope.recall("a", budget=0),
    "a budget that holds nothing": lambda scope: scope.recall("a", budget=49),
    "unknown fusion": lambda scope: scope.recall("a", fusion="best"),
    "the last day of time": lambda scope: scope.observe("a", at=datetime.max.replace(tzinfo=UTC)),
    "the first day of time": lambda scope: scope.remember("a", at=datetime.min.replace(tzinfo=UTC)),
    "blank memory": lambda scope: scope.remember("\u200b"),
    "importance too low": lambda scope: scope.remember("a", importance=0.9),
    "importance too high": lambda scope: scope.remember("a", importance=10.1),
    "importance no number": lambda scope: scope.remember("a", importance=float("nan")),
    "confidence too high": lambda scope: scope.remember("a", confidence=11),
    "score too high": lambda scope: scope.remember("a", scores={"joy": 10.5}),
    "diary without a past": lambda scope: scope.remember("a", kind=Kind.DIARY),
    "surrogate in a place": lambda scope: scope.remember("a", place="x\ud800"),
    "surrogate in a key": lambda scope: scope.remember("a", keys=("x\ud800",)),
}


@pytest.mark.parametrize("call", BAD_VALUES.values(), ids=BAD_VALUES.keys())
async def test_a_value_that_cannot_be_used_is_refused_and_nothing_is_written(
    tmp_path: Path, call: Callable[[Scope], object]
) -> None:
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        await scope.observe(user=CAT, reply="귀엽다", session="s1")
        with pytest.raises(InvalidInput):
            await call(scope)
        assert len(await scope.memories(statuses=tuple(Status))) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: Filter(since=datetime(2026, 1, 1)),
        lambda: Filter(since=NOW, until=NOW),
        lambda: Filter(importance=11),
        lambda: Filter(importance=float("nan")),
        lambda: Filter(emotion={"joy": -1}),
        lambda: Message(role=Role.USER, text="a", at=datetime(2026, 1, 1)),
        lambda: Message(role=Role.USER, text="a", heard=-1),
        lambda: Noted(text="a", at=datetime(2026, 1, 1)),
    ],
)
def test_values_check_themselves(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput):
        make()


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\x00"])
async def test_a_blank_name_is_refused(tmp_path: Path, name: str) -> None:
    async with opened(tmp_path) as omoide:
        for names in ({"user": name, "character": "haru"}, {"user": "u", "character": name}):
            with pytest.raises(InvalidInput):
                omoide.scope(**names)


@pytest.mark.proves("P21")
@pytest.mark.parametrize(
    ("said", "language"), [("안녕?", "ko"), ("こんにちは", "ja"), ("你好，在吗", "zh"), ("hello", "en")]
)
async def test_the_first_turn_of_a_new_scope_works(tmp_path: Path, said: str, language: str) -> None:
    async with opened(tmp_path) as omoide:
        recall = await haru(omoide).recall(said, session="s1")
        assert (recall.block, recall.memories, recall.degraded) == ("", (), ())
        assert recall.prompt == recall.standing == standing(language)
        assert await omoide.scopes() == []


async def test_unknown_names_and_ids_are_told_and_near_ones_shown(tmp_path: Path) -> None:
    nobody = "01a22b5f-2169-7762-be22-22587aa6fbb9"
    async with opened(tmp_path) as omoide:
        scope = haru(omoide)
        first = await scope.observe(user=CAT, reply="귀엽다", session="s1")
        with pytest.raises(UnknownScope, match="minjun"):
            await omoide.scope(user="minjum", character="haru").memories()
        for call in (scope.show(nobody), scope.forget("?"), scope.pin(nobody), scope.restore(nobody)):
            with pytest.raises(UnknownMemory):
                await call
        for call in (scope.rewind(nobody), scope.rewind("?"), scope.delete(nobody)):
            with pytest.raises(UnknownMessage):
                await call
        with pytest.raises(UnknownSession):
            await scope.rewind(first.messages[0], session="s9")
        with pytest.raises(UnknownScope):
            await omoide.erase_user("nobody")
