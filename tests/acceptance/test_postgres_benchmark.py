"""The measurement of a large store on PostgreSQL runs and reports; its figures are for quiet machines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.postgres_shape import LEAST, STEP, Shape

from postgres import database_for

ROOT = Path(__file__).parents[2]


def test_a_million_memories_lie_in_scopes_of_very_different_sizes() -> None:
    shape = Shape.of(1_000_000, 1_000)

    assert {name: (len(shape.classes[name]), shape.size(name)) for name in shape.classes} == {
        "large": (2, 100_000),
        "medium": (10, 10_000),
        "usual": (500, 1_000),
        "small": (488, 410),
    }
    assert min(shape.sizes) == LEAST
    assert sum(shape.sizes) == pytest.approx(1_000_000, abs=10)


def test_scopes_grow_side_by_side_and_what_is_there_does_not_come_again() -> None:
    shape = Shape.of(10_000, 40)
    left, right = shape.parts(2)
    done = {left[0]: STEP + 1}

    turns = list(shape.turns(left, done=done))

    came = {scope: sum(turn.end - turn.start for turn in turns if turn.scope == scope) for scope in left}
    assert came == {scope: shape.sizes[scope] - done.get(scope, 0) for scope in left}
    assert sorted(left + right) == list(range(40))
    first = [turn for turn in turns if turn.scope == left[0]]
    assert [turn.start for turn in first] == sorted(turn.start for turn in first)
    assert turns.index(first[-1]) - turns.index(first[0]) > len(first)


def test_the_benchmark_of_a_large_store_measures_every_way_of_asking(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.postgres", "--memories", "400", "--scopes", "8", "--json"]
    command += ["--store", database_for(tmp_path / "x.db"), "--folder", str(tmp_path), "--processes", "1"]

    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    figures = json.loads(ran.stdout)
    assert figures["fill"]["messages"] == figures["plain_fill"]["messages"] == figures["memories"]
    for found in figures["classes"].values():
        for name in ("omoide, pgvector", "omoide, memory"):
            assert found[name]["search_recall"] > 0.98
            assert found[name]["recall_ms"]["p50"] > 0
            assert found[name]["write_ms"]["p50"] > 0
        assert found["plain, index of scopes"]["write_ms"]["p50"] > 0
        assert found["plain, as it comes"]["by_graph"].keys() == {"recall", "search"}
