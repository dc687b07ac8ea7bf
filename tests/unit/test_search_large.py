"""A filter that everything passes: the limit holds, and no more than that is held in memory."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from omoide import Omoide
from omoide.domain.instants import from_micros, zone_of
from omoide.domain.layer import Layer
from omoide.domain.model import Kind, Origin, Past
from omoide.domain.query import search
from omoide.domain.records import Draft
from omoide.stores.fixed import raw
from omoide.stores.search import Searching
from postgres import place

if TYPE_CHECKING:
    from pathlib import Path

    from omoide.stores.scopes import ScopeRow

MANY = 12_000
UTC = zone_of("UTC")


def _fill(omoide: Omoide, row: ScopeRow, *, first: int, count: int) -> None:
    past = Past(layer=Layer.DIRECT, confidence=9)
    with omoide.store.write(row) as unit:
        drafts = [
            Draft(
                kind=Kind.DIARY,
                origin=Origin.AUTHORED,
                importance=1 + number % 9,
                position=number,
                text=f"day {number}",
                at=from_micros(number * 1_000_000),
                past=past,
                place=f"place {number % 7}",
                scores=(("joy", number % 10),),
            )
            for number in range(first, first + count)
        ]
        unit.memories.add(drafts, change=unit.change())


@pytest.mark.parametrize(
    "filters",
    [
        {"importance": "1..", "order": "-importance"},
        {"emotion": {"joy": "0..10"}, "order": "-joy"},
        {"order": "-joy,day"},
        {"place": "place 3", "order": "day"},
        {"order": "-place,-day"},
        {"layer": "direct"},
    ],
)
@pytest.mark.proves("K7")
async def test_a_filter_that_everything_passes_holds_no_more_than_it_gives(
    tmp_path: Path, filters: dict[str, Any]
) -> None:
    async with Omoide.open(place(tmp_path), embedder="none", master_key_file=tmp_path / "key") as omoide:
        row = omoide.store.meet(None, "yuki")
        _fill(omoide, row, first=0, count=MANY)
        asked = search(zone=UTC, limit=7, **filters)
        omoide.searcher.find(row, asked)
        tracemalloc.start()
        try:
            found = omoide.searcher.find(row, asked)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

        assert len(found) == 7
        assert peak < 1_000_000


@pytest.mark.sqlite
@pytest.mark.proves("K7")
async def test_a_small_scope_never_reads_through_a_large_store(tmp_path: Path) -> None:
    async with Omoide.open(place(tmp_path), embedder="none", master_key_file=tmp_path / "key") as omoide:
        large, small = omoide.store.meet(None, "yuki"), omoide.store.meet(None, "mio")
        _fill(omoide, large, first=0, count=MANY)
        _fill(omoide, small, first=0, count=20)
        with omoide.store.read(small) as unit:
            steps = 0

            def count() -> None:
                nonlocal steps
                steps += 1

            connection = raw(unit.connection)
            connection.set_progress_handler(count, 100)
            searching = Searching(
                unit.connection, small, lambda: omoide.store.events(unit.connection), now=unit.now
            )
            for filters in ({"emotion": "joy>5"}, {"order": "-joy"}, {"day": "1970"}, {"place": "place 3"}):
                asked: Any = filters
                assert searching.numbers(search(zone=UTC, **asked))
            connection.set_progress_handler(None, 0)

    assert steps < 200


async def test_what_changes_in_a_memory_changes_in_what_is_searched(tmp_path: Path) -> None:
    async with Omoide.open(place(tmp_path), embedder="none", master_key_file=tmp_path / "key") as omoide:
        row = omoide.store.meet(None, "yuki")
        _fill(omoide, row, first=0, count=3)
        with omoide.store.write(row) as unit:
            numbers = unit.memories.numbers()
            unit.extracted.weigh(numbers[:1], 9.5)
            unit.extracted.confirm(numbers[0], confidence=0.5, rests=())
            unit.extracted.suppress(numbers[1])

        heavy = omoide.searcher.find(row, search(zone=UTC, importance=">9", confidence="9.5"))
        rest = omoide.searcher.find(row, search(zone=UTC))
        with omoide.store.write(row) as unit:
            unit.extracted.revive(numbers[1])

        assert len(heavy) == 1
        assert len(rest) == 2
        assert len(omoide.searcher.find(row, search(zone=UTC))) == 3
