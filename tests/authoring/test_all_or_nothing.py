"""An import is one transaction: whatever fails, the store is as it was, and a second try goes well (K12)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lives_files import opened

from omoide.authoring import carry_in, pasts, read_folder
from omoide.domain.diary import Diary
from omoide.domain.layer import Layer
from omoide.domain.model import Past
from omoide.errors import InvalidInput, StoreError
from postgres import rows_of

if TYPE_CHECKING:
    from omoide.authoring import Pasts

pytestmark = pytest.mark.proves("K12")

SISTERS = Path(__file__).parents[2] / "samples" / "sisters"


def counts(folder: Path) -> dict[str, int]:
    tables = ("scopes", "memories", "scores", "people", "links", "postings", "events", "participants")
    with rows_of(folder, "lives.db") as run:
        return {table: run(f"SELECT count(*) FROM {table}")[0][0] for table in tables}


def disturb(folder: Path, statement: str) -> None:
    with rows_of(folder, "lives.db") as run:
        run(statement)


async def brought(folder: Path, lives: Path, *, prune: bool = False) -> Pasts:
    async with opened(folder) as engine:
        await carry_in(engine, read_folder(lives), prune=prune)
        return await pasts(engine)


@pytest.mark.sqlite  # whose triggers these are
@pytest.mark.parametrize("written", [0, 1, 40, 99])
async def test_a_disk_that_fails_half_way_leaves_nothing(tmp_path: Path, written: int) -> None:
    async with opened(tmp_path):
        pass
    before = counts(tmp_path)
    disturb(
        tmp_path,
        "CREATE TRIGGER failing BEFORE INSERT ON memories "
        f"WHEN (SELECT count(*) FROM memories) >= {written} BEGIN SELECT RAISE(ABORT, 'failing'); END",
    )

    async with opened(tmp_path) as engine:
        with pytest.raises(StoreError):
            await carry_in(engine, read_folder(SISTERS))
        assert await engine.events() == []
        assert await engine.scopes() == []

    assert counts(tmp_path) == before
    disturb(tmp_path, "DROP TRIGGER failing")
    told = await brought(tmp_path, SISTERS)
    assert {name: len(diaries) for name, diaries in told.diaries.items()} == {
        "朱里": 33,
        "小春": 33,
        "志帆": 34,
    }


async def test_an_edit_that_cannot_be_leaves_the_pasts_as_they_were(tmp_path: Path, sisters: Path) -> None:
    whole = await brought(tmp_path, sisters)
    before = counts(tmp_path)
    first = sisters / "akari" / "diary.yaml"
    first.write_text(first.read_text(encoding="utf-8").replace("海まで", "山まで", 1), encoding="utf-8")
    last = sisters / "shiho" / "diary.yaml"
    entries = last.read_text(encoding="utf-8").split("\n\n")
    last.write_text(
        "\n\n".join([*entries[1:], "- {id: before-she-was-born, day: 1900, text: 私は見た。}\n"]),
        encoding="utf-8",
    )

    async with opened(tmp_path) as engine:
        with pytest.raises(InvalidInput, match="before birth"):  # as lint would have told
            await carry_in(engine, read_folder(sisters), prune=True)
        assert await pasts(engine) == whole

    assert counts(tmp_path) == before


async def test_others_may_write_to_the_same_pasts_meanwhile(tmp_path: Path) -> None:
    await brought(tmp_path, SISTERS)
    past = Past(layer=Layer.DIRECT, confidence=9)
    async with opened(tmp_path) as engine, opened(tmp_path) as other:

        async def writes(name: str) -> None:
            for number in range(8):
                await other.scope(character=name).write(
                    [Diary(id=f"{name} {number}", text="私は見た。", past=past)]
                )

        again, *_ = await asyncio.gather(
            carry_in(engine, read_folder(SISTERS)), *(writes(name) for name in ("朱里", "小春", "志帆"))
        )
        told = (await pasts(engine)).diaries

    assert [(one.new, one.changed) for one in again] == [(0, 0)] * 3
    assert {name: len(diaries) for name, diaries in told.items()} == {"朱里": 41, "小春": 41, "志帆": 42}
