"""`omoide events`: which there are, and every side of one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine

from omoide import Layer, Omoide, Past
from omoide.domain.diary import Diary
from omoide.domain.event import Event
from omoide.domain.partial_date import PartialDate

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    return CommandLine(tmp_path, monkeypatch, capsys)


async def _lives(command: CommandLine) -> None:
    async with Omoide.open(command.store) as omoide:
        festival = Event(
            name="夏祭り",
            participants=("Akane", "Nao"),
            day=PartialDate.parse("2014-summer"),
            place="神社",
            category="祭り",
            description="三人で出かけた夜。",
        )
        await omoide.add_events([festival])
        lived = Past(layer=Layer.DIRECT, confidence=9, age=9)
        told = Past(layer=Layer.HEARD, confidence=6, source="Akane")
        await omoide.scope(character="Akane").write(
            [Diary(text="金魚を二匹すくった。", past=lived, event="夏祭り")]
        )
        await omoide.scope(character="Yui").write(
            [Diary(text="姉は金魚をすくったそうだ。", past=told, event="夏祭り")]
        )


@pytest.mark.proves("K6")
def test_events_are_listed_and_shown_from_every_side(command: CommandLine) -> None:
    asyncio.run(_lives(command))
    listed = command("events", "list").out
    assert "2014-summer\t夏祭り\t神社\t祭り\tAkane, Nao" in listed
    shown = command("events", "show", "夏祭り").out
    assert "三人で出かけた夜。" in shown
    assert "Akane (was there" in shown
    assert "direct: 金魚を二匹すくった。" in shown
    assert "heard, Akane: 姉は金魚をすくったそうだ。" in shown
    assert "tells nothing of it" in shown
    (event,) = command("events", "list", "--json").json
    assert event["participants"] == ["Akane", "Nao"]
    sides = command("events", "show", "夏祭り", "--json").json["sides"]
    assert [(side["character"], side["present"]) for side in sides] == [
        ("Akane", True),
        ("Nao", True),
        ("Yui", False),
    ]
    assert "no event is called" in command("events", "show", "火事", status=1).err


@pytest.mark.proves("K2")
def test_a_day_is_shown_no_more_exact_than_it_is_known(command: CommandLine) -> None:
    async def write() -> None:
        async with Omoide.open(command.store) as omoide:
            told = Past(layer=Layer.DIRECT, confidence=9)
            await omoide.scope(character="Nao").write(
                [Diary(text="I learned to swim in the river.", past=told, day=PartialDate.parse("2000"))]
            )

    asyncio.run(write())
    asked = ("the river", "--character", "Nao", "--user", "")
    for shown in (command("recall", "--why", *asked).out, command("search", *asked).out):
        assert "2000" in shown
        assert "2000-01-01" not in shown
