"""Wrong values of a past by hand: refused with the value as it was given, and the way out (K2, K3)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from omoide import Layer, Omoide, Past
from omoide.domain.diary import Diary, Unwritten
from omoide.domain.event import Event
from omoide.domain.model import Kind
from omoide.domain.partial_date import PartialDate
from omoide.errors import InvalidInput
from omoide.testing import FixedClock
from postgres import place

if TYPE_CHECKING:
    from pathlib import Path

    from command_line import CommandLine

pytestmark = pytest.mark.proves("K2", "K3")

LIVED = Past(layer=Layer.DIRECT, confidence=9)
NOW = datetime(2026, 6, 10, 3, tzinfo=UTC)


def told_by(source: str) -> Past:
    return Past(layer=Layer.HEARD, confidence=6, source=source)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--kind", "diary"), "give its layer: direct, heard, inferred"),
        (("--layer", "direct"), "leave the layer out"),
        (("--source", "Gran", "--age", "5"), "--source, --age belongs to a character's own past"),
        (("--kind", "diary", "--layer", "dreamt"), "'dreamt'; choose from direct, heard, inferred"),
        (("--kind", "diary", "--layer", "heard"), "names who told it; add a source"),
        (("--kind", "diary", "--layer", "heard", "--source", "me"), "got source='me'; name who told it"),
        (("--kind", "diary", "--layer", "heard", "--source", "ADA"), "got source='ADA'"),
        (("--kind", "diary", "--layer", "inferred"), "rests on; add a basis"),
        (
            ("--kind", "diary", "--layer", "inferred", "--basis", "x", "--confidence", "8"),
            "of an inferred memory",
        ),
        (("--kind", "diary", "--layer", "direct", "--age", "-1"), "before birth, got age=-1.0; make it"),
        (("--kind", "diary", "--layer", "direct", "--age", "young"), "got 'young'"),
        (("--kind", "diary", "--layer", "direct", "--at", "2099-01-01"), "got '2099-01-01T00:00:00"),
        (
            ("--kind", "diary", "--layer", "direct", "--place", " "),
            "place has something to read in it, got ' '",
        ),
    ],
)
def test_a_shell_is_told_what_it_said(omoide: CommandLine, arguments: tuple[str, ...], said: str) -> None:
    who = ("--user", "", "--character", "Ada", "--new")

    line = omoide("remember", "I counted the lamps.", *who, *arguments, status=2).err.splitlines()[-1]

    assert said in line
    assert "None" not in line


def test_a_layer_without_a_confidence_has_the_middle_of_it(omoide: CommandLine) -> None:
    who = ("--user", "", "--character", "Ada")
    given = ("--new", "--kind", "diary", "--layer", "inferred", "--basis", "a look")
    made = omoide("remember", "She left.", *who, *given).out.strip()

    assert omoide("show", made, *who, "--json").json["past"]["confidence"] == 4.5


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"past": told_by("myself")}, "got source='myself'"),
        ({"past": told_by("Bumble")}, "got source='Bumble'"),
        ({"past": told_by("Gran"), "day": PartialDate.parse("2031-05")}, "'2031-05' is after '2026-06-10'"),
        ({"text": "I " * 200_000}, "text has up to 10000 characters, got 400000; make several of it"),
        ({"place": "x" * 513}, "place has up to 512 characters, got 513"),
        ({"people": tuple(map(str, range(101)))}, "people: up to 100 may stand here, got 101"),
    ],
)
async def test_a_library_is_told_the_same(tmp_path: Path, given: dict[str, Any], said: str) -> None:
    async with Omoide.open(
        place(tmp_path), embedder="none", master_key_file=tmp_path / "key", clock=FixedClock(NOW)
    ) as engine:
        diary = Diary(**{"text": "I ran.", "past": LIVED, **given})
        with pytest.raises(InvalidInput) as refusal:
            await engine.scope(character="Ada").write([diary], profile=Unwritten(nickname="Bumble"))

        assert said in str(refusal.value)
        assert "None" not in str(refusal.value)


async def test_an_event_is_no_chapter(tmp_path: Path) -> None:
    async with Omoide.open(place(tmp_path), embedder="none", master_key_file=tmp_path / "key") as engine:
        with pytest.raises(InvalidInput, match="description has up to 10000 characters, got 10001"):
            await engine.add_events([Event(name="x", participants=("Ada",), description="x" * 10_001)])
        with pytest.raises(InvalidInput, match="has no participants; name one character"):
            Event(name="x", participants=())
        with pytest.raises(InvalidInput, match="names 'Ada' twice"):
            Event(name="x", participants=("Ada", " Ada"))


async def test_what_an_older_store_held_is_restored_as_it_was(tmp_path: Path) -> None:
    from omoide.retain.noted import Noted
    from omoide.retain.transfer import load

    async with Omoide.open(place(tmp_path), embedder="none", master_key_file=tmp_path / "key") as engine:
        scope = engine.scope(character="Ada")
        await scope._noted([Noted(text="I " * 6_000, kind=Kind.DIARY, past=told_by("me"))])
        other = engine.scope(character="Bea")
        await other.restore_export(load(await scope.export()))

        assert [len(memory.text) for memory in await other.memories()] == [12_000]


@pytest.mark.proves("K6")
@pytest.mark.parametrize("again", ["nao", "ＮＡＯ", " Nao\u200b"])
async def test_one_participant_is_named_once_however_it_is_written(tmp_path: Path, again: str) -> None:
    async with Omoide.open(place(tmp_path), embedder="none", master_key_file=tmp_path / "key") as engine:
        with pytest.raises(InvalidInput, match=r"the event 'x' names .* twice, first as 'Nao'"):
            await engine.add_events([Event(name="x", participants=("Nao", again))])
        await engine.add_events([Event(name="x", participants=("Nao", "Mio"))])

        assert [event.participants for event in await engine.events()] == [("Nao", "Mio")]
