"""`omoide search`: the filter language in a shell."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from omoide import Layer, Omoide, Past
from omoide.domain.diary import Diary
from omoide.domain.partial_date import PartialDate
from omoide.domain.query import USUAL

if TYPE_CHECKING:
    from command_line import CommandLine


async def _life(omoide: CommandLine) -> None:
    async with Omoide.open(omoide.store) as engine:
        await engine.scope(character="Akane").write(
            [
                Diary(
                    text=text,
                    past=Past(layer=Layer.DIRECT, confidence=9, age=age),
                    day=PartialDate.parse(day),
                    place="Los Angeles",
                    scores={"frustration": felt},
                )
                for text, age, day, felt in (
                    ("転んで、誰も見ていなかった。", 5, "2010-05", 7.5),
                    ("The lift stopped and I kicked the door.", 7, "2012-autumn", 9),
                    ("自転車に乗れた。", 9, "2014", 0),
                )
            ]
        )


@pytest.mark.proves("K7", "K8")
def test_memories_are_searched_by_values_and_by_a_text(omoide: CommandLine) -> None:
    asyncio.run(_life(omoide))
    asked = ["search", "--age", "5..7", "--place", "Los Angeles", "--emotion", "frustration>7"]

    down = omoide(*asked, "--order", "-frustration", "--json").json
    assert [memory["scores"]["frustration"] for memory in down] == [9, 7.5]
    twice = ("--emotion", "frustration<9.5")
    table = omoide(*asked, *twice, "--order", "-frustration").out.splitlines()
    assert table[0].split("\t")[1:] == ["day", "age", "place", "layer", "importance", "frustration", "text"]
    assert table[1].split("\t")[1:4] == ["2012-autumn", "7", "Los Angeles"]
    assert "転んで" in omoide("search", "誰も見ていなかった", "--day", "<2014").out
    assert "自転車" in omoide("search", "--order=-day", "--limit", "1").out
    assert omoide("search", "--age", "90..").err == "omoide: nothing fits\n"


def test_as_many_come_as_anywhere_else_where_nobody_says_how_many(omoide: CommandLine) -> None:
    async def dozen() -> None:
        async with Omoide.open(omoide.store) as engine:
            scope = engine.scope(character="Akane")
            past = Past(layer=Layer.DIRECT, confidence=9)
            await scope.write([Diary(text=f"The lift stopped {n} times.", past=past) for n in range(12)])
            assert len(await scope.search()) == USUAL

    asyncio.run(dozen())
    assert len(omoide("search", "--json").json) == USUAL
    assert f"{USUAL} where it is left out" in " ".join(omoide("search", "--help").out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--age", "seven"), "age='seven' cannot be read; write 5..7"),
        (("--emotion", "frustration"), "write frustration>7"),
        (("--emotion", "bogus>7"), "no memory here has a score 'bogus'; choose from joy, sadness, anxiety,"),
        (("--day", "soon"), "2011-summer"),
        (("--order", "-joyfulness"), "nothing is ordered by 'joyfulness'; choose from age"),
        (("--layer", "dreamt"), "direct, heard, inferred"),
        (("--limit", "0"), "1 to 1000"),
        (("--limit", "many"), "got 'many'"),
        (("--limit=1.5",), "got '1.5'"),
        (("--day", "2011-02-30"), "day='2011-02-30' cannot be read: there is no such day"),
        (("--since", "2013", "--until", "2011"), "no time lies in since='2013' and until='2011' at once"),
        (("--event", " "), "event=' ' names nothing"),
    ],
)
def test_a_wrong_filter_is_shown_with_how_it_is_written(
    omoide: CommandLine, arguments: tuple[str, ...], said: str
) -> None:
    asyncio.run(_life(omoide))

    assert said in omoide("search", *arguments, status=2).err
