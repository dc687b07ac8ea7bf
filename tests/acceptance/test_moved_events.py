"""Events that their author moves: what followed from the old day moves along (K2, K6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from opening import opened

from omoide import Layer, Past
from omoide.domain.diary import Diary, Unwritten
from omoide.domain.event import Event
from omoide.domain.partial_date import PartialDate
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Memory, Omoide

pytestmark = pytest.mark.proves("K6")

LIVES = {"Nao": Unwritten(birthday=date(2005, 5, 1)), "Riku": Unwritten(birthday=date(2003, 1, 20))}
FAIR = Event(name="fair", participants=("Nao", "Riku"), day=PartialDate.parse("2016-08-14"), place="pier")
LATER = replace(FAIR, day=PartialDate.parse("2017-08-15"), place="hill")


def account(**more: Any) -> Diary:
    return Diary(
        id="fair-nao",
        text="나는 시장에서 풍선을 놓쳤다.",
        past=Past(layer=Layer.DIRECT, confidence=9, age=more.pop("age", None)),
        event="fair",
        **more,
    )


async def told(omoide: Omoide, diary: Diary) -> None:
    await omoide.add_events([FAIR], profiles=LIVES)
    await omoide.scope(character="Nao").write([diary], profile=LIVES["Nao"])


async def only(omoide: Omoide, character: str = "Nao") -> Memory:
    [memory] = await omoide.scope(character=character).memories()
    return memory


def placed(memory: Memory) -> tuple[str, str | None, float | None, int | None]:
    assert memory.past is not None
    return str(memory.day), memory.place, memory.past.age, memory.past.absolute_day


@pytest.mark.parametrize("profiles", [LIVES, None])
async def test_an_account_follows_its_event(profiles: dict[str, Unwritten] | None, tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide, account(scores={"joy": 2}))
        heard = Past(layer=Layer.HEARD, confidence=7, source="Nao")
        await omoide.scope(character="Mika").write([Diary(text="I heard of it.", past=heard, event="fair")])
        before = await only(omoide)
        await omoide.add_events([LATER], profiles=profiles)

        after, sides = await only(omoide), (await omoide.event("fair")).sides
        found = await omoide.scope(character="Nao").search(day="2017", place="hill")
        old = await omoide.scope(character="Nao").search(day="2016")
        elsewhere = await only(omoide, "Mika")

    assert placed(before) == ("2016-08-14", "pier", 11, 4123)
    assert placed(after) == ("2017-08-15", "hill", 12, 4489)
    assert (after.text, after.scores, after.derived) == (before.text, before.scores, before.derived)
    assert {side.character: (side.age, side.absolute_day) for side in sides if side.present} == {
        "Nao": (12, 4489),
        "Riku": (14, 5321),
    }
    assert [side.account for side in sides if side.character == "Nao"] == [after]
    assert (found, old) == ([after], [])
    assert str(elsewhere.day) == "2017-08-15"


async def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide, account())
        await omoide.add_events([LATER])
        once = await only(omoide)
        await omoide.add_events([LATER], profiles=LIVES)
        assert await only(omoide) == once


@pytest.mark.parametrize("diary", [account(day=PartialDate.parse("2016-08")), account(age=11)])
async def test_an_event_is_not_moved_against_the_word_of_who_tells_of_it(
    diary: Diary, tmp_path: Path
) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide, diary)
        before = await only(omoide)
        with pytest.raises(InvalidInput, match="what 'Nao' tells of the event 'fair' says otherwise"):
            await omoide.add_events([LATER], profiles=LIVES)
        assert [await only(omoide), *await omoide.events()] == [before, FAIR]


@pytest.mark.proves("K2")
async def test_an_age_stays_where_the_birthday_is_not_known_any_more(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide, account())
        before = await only(omoide)
        nao = omoide.scope(character="Nao")
        await nao.write([account()])
        assert await only(omoide) == before
        await nao.write([account(age=11)])  # as an export without the birthday tells it
        assert await only(omoide) == before
        await nao.write([replace(account(), text="I lost the balloon.")])
        assert placed(await only(omoide)) == placed(before)


@pytest.mark.parametrize("layer", [Layer.DIRECT, Layer.HEARD])
async def test_what_was_forgotten_comes_back_as_its_event_is_now(layer: Layer, tmp_path: Path) -> None:
    past = Past(layer=layer, confidence=8, source="Riku" if layer is Layer.HEARD else None)
    async with opened(tmp_path) as omoide:
        await told(omoide, replace(account(), past=past))
        nao, before = omoide.scope(character="Nao"), await only(omoide)
        await nao.forget(before.id)
        await omoide.add_events([LATER], profiles=LIVES)
        await nao.restore(before.id)

        after, [side, _] = await only(omoide), (await omoide.event("fair")).sides
        found = await nao.search(day="2017")

    assert (str(after.day), after.text, after.derived) == ("2017-08-15", before.text, before.derived)
    assert found == [after]
    assert (side.age, side.absolute_day) == (12, 4489)
    if layer is Layer.DIRECT:
        assert placed(after) == ("2017-08-15", "hill", 12, 4489)
        assert side.account == after


async def test_what_was_forgotten_stays_so_where_it_says_otherwise_than_its_event(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await told(omoide, account(day=PartialDate.parse("2016-08")))
        nao, before = omoide.scope(character="Nao"), await only(omoide)
        await nao.forget(before.id)
        await omoide.add_events([LATER], profiles=LIVES)
        with pytest.raises(InvalidInput, match="what 'Nao' tells of the event 'fair' says otherwise"):
            await nao.restore(before.id)

        assert await nao.memories() == []
        assert (await omoide.event("fair")).sides[0].age == 12
