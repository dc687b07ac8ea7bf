"""Files that are nearly named as those that are read, and ages that no profile tells of (K12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lives_files import BEA, EVENTS, Folder, opened
from test_round_trip import carried, export

from omoide.authoring import errors
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Memory, Omoide

pytestmark = pytest.mark.proves("K12")


@pytest.mark.parametrize(
    "name",
    [
        "bea/diary.yml",
        "bea/Diary.yaml",
        "bea/diary (copy).yaml",
        "bea/日記.yaml",
        "bea/the-prize.md",
        "bea/diary/notes.txt",
        "bea/diaries/the-prize.md",
        "events.yml",
        "Events.yaml",
    ],
)
async def test_a_file_that_is_nearly_named_so_is_told_of(name: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives")
    async with opened(tmp_path) as engine:
        await carried(engine, folder.path)
        before = await engine.scope(character="Bea").memories()
        (folder.path / "bea" / "diary.yaml").unlink()
        folder.write(name, EVENTS if "vents" in name else BEA)
        [told] = [one for one in folder.problems() if one.unread]

        assert errors([told]) == []
        assert errors([told], prune=True) == [told]
        assert name.startswith(told.file)
        with pytest.raises(InvalidInput, match="nothing is pruned while a file is not read"):
            await carried(engine, folder.path, prune=True)
        assert await engine.scope(character="Bea").memories() == before


@pytest.mark.parametrize("left", ["bea/diary.yaml.bak", "bea/notes", None])
async def test_a_whole_past_is_never_pruned(left: str | None, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives")
    async with opened(tmp_path) as engine:
        await carried(engine, folder.path)
        before = await engine.scope(character="Bea").memories()
        diary = folder.path / "bea" / "diary.yaml"
        if left is None:
            diary.unlink()
        else:
            diary.rename(folder.path / left)
        (folder.path / "ada" / "diary.yaml").write_text("- {id: new, text: I slept.}\n", encoding="utf-8")

        with pytest.raises(
            InvalidInput, match="no memory of 'Bea' lies in the folder, and the store holds 1"
        ):
            await carried(engine, folder.path, prune=True)
        assert await engine.scope(character="Bea").memories() == before
        assert [one.external_id for one in await engine.scope(character="Ada").memories()] == ["the-wheel"]
        assert (await carried(engine, folder.path))["Bea"].missing == ("the-prize",)


@pytest.mark.parametrize(
    "name", ["bea/_old.yaml", "bea/.hidden.yaml", "README.md", "bea/photo.png", "bea/card.json"]
)
def test_what_is_plainly_something_else_is_not(name: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives")
    folder.write(name, "notes")
    assert not [one for one in folder.problems() if one.unread]


async def ages(engine: Omoide) -> dict[str | None, tuple[float | None, int | None, str]]:
    found: list[Memory] = await engine.scope(character="Ada").memories()
    return {one.external_id: (one.past.age, one.past.absolute_day, str(one.day)) for one in found if one.past}


async def test_ages_come_back_though_no_profile_tells_the_birthday(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives")
    folder.change("ada/diary.yaml", "  day: 2012-08-04\n", "")
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
    async with opened(tmp_path / "one") as engine:
        await carried(engine, folder.path)
        before = await ages(engine)
        out = await export(engine, tmp_path / "out", None)
        again = await carried(engine, out)
        same = await ages(engine)
    async with opened(tmp_path / "two") as engine:
        await carried(engine, out)
        elsewhere = await ages(engine)

    assert before == {"the-wheel": (8.0, 3107, "2012-08-04")}
    assert (again["Ada"].same, again["Ada"].ageless) == (1, ())
    assert before == same == elsewhere


async def test_an_age_that_goes_is_told_of(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "lives")
    async with opened(tmp_path) as engine:
        await carried(engine, folder.path)
        folder.change("ada/profile.yaml", "birthday: 2004-02-01\n", "")
        unchanged = await carried(engine, folder.path)
        folder.change("ada/diary.yaml", "  event: the fair\n", "")
        folder.change("ada/diary.yaml", "day: 2012-08-04", "day: 2013-08-04")
        changed = await carried(engine, folder.path)

    assert (unchanged["Ada"].same, unchanged["Ada"].ageless) == (1, ())
    assert changed["Ada"].ageless == ("the-wheel",)
