"""Memories from before there were links are tied later, just as if they were stored now (K8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide import Omoide
from omoide.authoring import carry_in, read_folder
from omoide.domain.affect import Feeling
from omoide.testing import WordEmbedder
from postgres import place, rows_of

pytestmark = pytest.mark.proves("K8")

SAMPLES = Path(__file__).parents[2] / "samples"

Rows = list[tuple[int, int, str, float]]


def links(folder: Path, statement: str = "") -> Rows:
    with rows_of(folder) as run:
        if statement:
            run(statement)
        rows = run("SELECT from_id, to_id, kind, weight FROM links ORDER BY 1, 2, 3")
    return [tuple(row) for row in rows]


async def tied(folder: Path) -> int:
    async with Omoide.open(
        place(folder), embedder=WordEmbedder(), master_key_file=folder / "key", worker=False
    ) as omoide:
        return sum([await scope.tie() for scope in await omoide.scopes()])


@pytest.fixture
async def stored(tmp_path: Path) -> Rows:
    async with Omoide.open(
        place(tmp_path), embedder=WordEmbedder(), master_key_file=tmp_path / "key", worker=False
    ) as omoide:
        await carry_in(omoide, read_folder(SAMPLES / "sisters"))
        talk = omoide.scope(user="u", character="志帆")
        for said in ("I lost my keys at the station.", "The exam went badly.", "The cat ran away."):
            await talk.observe(said, "Oh no.", feeling=Feeling(emotion="sad", intensity=0.8))
        await talk.remember("We lost the keys of the boat house.")
        await talk.remember("We lost the keys of the old boat house again.")
        await talk.remember("Gran keeps bees.", about="Gran")
        await talk.remember("Gran is from Lisbon.", about="Gran")
        for scope in await omoide.scopes():
            await scope.vectorise()
    return links(tmp_path)


async def test_links_come_back_as_they_were(tmp_path: Path, stored: Rows) -> None:
    assert {kind for _, _, kind, _ in stored} >= {"event", "person", "place", "feeling", "similar"}
    links(tmp_path, "DELETE FROM links")

    assert await tied(tmp_path) > 0

    assert {(start, end, kind) for start, end, kind, _ in links(tmp_path)} == {
        (start, end, kind) for start, end, kind, _ in stored
    }
    assert await tied(tmp_path) == 0


async def test_only_what_is_missing_is_made(tmp_path: Path, stored: Rows) -> None:
    half = stored[len(stored) // 2][0]
    links(tmp_path, f"DELETE FROM links WHERE from_id >= {half}")
    links(tmp_path, f"UPDATE links SET weight = 0.123 WHERE from_id < {half}")

    await tied(tmp_path)

    after = links(tmp_path)
    assert {row[3] for row in after if row[0] < half} == {0.123}
    assert {row[:3] for row in after} == {row[:3] for row in stored}


async def test_nothing_missing_changes_nothing(tmp_path: Path, stored: Rows) -> None:
    assert await tied(tmp_path) == 0
    assert links(tmp_path) == stored


async def test_a_recall_that_is_open_learns_of_them(tmp_path: Path, stored: Rows) -> None:
    assert stored
    async with Omoide.open(
        place(tmp_path), embedder=WordEmbedder(), master_key_file=tmp_path / "key", worker=False
    ) as omoide:
        links(tmp_path, "DELETE FROM links")
        scope = omoide.scope(character="志帆")
        question = "灯台"
        before = await scope.recall(question)
        await scope.tie()
        after = await scope.recall(question)

        assert not any(found.why.links for found in before.memories)
        assert any(found.why.links for found in after.memories)
