"""`omoide events`: which there are, and every side of one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from omoide import Layer, Omoide, Past
from omoide.domain.diary import Diary
from omoide.domain.event import Event
from omoide.domain.partial_date import PartialDate

if TYPE_CHECKING:
    from command_line import CommandLine


async def _lives(omoide: CommandLine) -> None:
    async with Omoide.open(omoide.store) as engine:
        festival = Event(
            name="夏祭り",
            participants=("Akane", "Nao"),
            day=PartialDate.parse("2014-summer"),
            place="神社",
            category="祭り",
            description="三人で出かけた夜。",
        )
        await engine.add_events([festival])
        lived = Past(layer=Layer.DIRECT, confidence=9, age=9)
        told = Past(layer=Layer.HEARD, confidence=6, source="Akane")
        await engine.scope(character="Akane").write(
            [Diary(text="金魚を二匹すくった。", past=lived, event="夏祭り")]
        )
        await engine.scope(character="Yui").write(
            [Diary(text="姉は金魚をすくったそうだ。", past=told, event="夏祭り")]
        )


@pytest.mark.proves("K6")
def test_events_are_listed_and_shown_from_every_side(omoide: CommandLine) -> None:
    asyncio.run(_lives(omoide))
    listed = omoide("events", "list").out
    assert "2014-summer\t夏祭り\t神社\t祭り\tAkane, Nao" in listed
    shown = omoide("events", "show", "夏祭り").out
    assert "三人で出かけた夜。" in shown
    assert "Akane (was there" in shown
    assert "direct: 金魚を二匹すくった。" in shown
    assert "heard, Akane: 姉は金魚をすくったそうだ。" in shown
    assert "tells nothing of it" in shown
    (event,) = omoide("events", "list", "--json").json
    assert event["participants"] == ["Akane", "Nao"]
    sides = omoide("events", "show", "夏祭り", "--json").json["sides"]
    assert [(side["character"], side["present"]) for side in sides] == [
        ("Akane", True),
        ("Nao", True),
        ("Yui", False),
    ]
    assert "no event is called" in omoide("events", "show", "火事", status=1).err


@pytest.mark.proves("K2")
def test_a_day_is_shown_no_more_exact_than_it_is_known(omoide: CommandLine) -> None:
    async def write() -> None:
        async with Omoide.open(omoide.store) as engine:
            told = Past(layer=Layer.DIRECT, confidence=9)
            await engine.scope(character="Nao").write(
                [Diary(text="I learned to swim in the river.", past=told, day=PartialDate.parse("2000"))]
            )

    asyncio.run(write())
    asked = ("the river", "--character", "Nao", "--user", "")
    for shown in (omoide("recall", "--why", *asked).out, omoide("search", *asked).out):
        assert "2000" in shown
        assert "2000-01-01" not in shown
