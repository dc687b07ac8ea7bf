"""The comparison of search with plain SQL runs and reports; its figures are for quiet machines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.proves("K11")
def test_the_benchmark_of_search_reports_both_sides_and_what_memories_weigh() -> None:
    program = "import benchmarks.structured as b; b.PUBLISHED_MEMORIES = 90; b.ROUNDS = 2; b.main()"

    ran = subprocess.run(
        [sys.executable, "-c", program, "--memories", "200,1000", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    figures = json.loads(ran.stdout)
    assert [size["memories"] for size in figures["sizes"]] == [200, 1_000]
    for size in figures["sizes"]:
        assert {search["hybrid"] for search in size["searches"]} == {False, True}
        for search in size["searches"]:
            assert search["found"] > 0 or size["memories"] < 10_000
            assert search["bar_ms"] == pytest.approx(2 * search["plain_ms"] + 0.5)
    published = {search["hybrid"]: search["published_ms"] for search in figures["sizes"][1]["searches"]}
    assert published == {False: 5.0, True: 10.0}
    assert [weight["memories"] for weight in figures["bytes"]] == [30, 90]
    assert all(weight["mb"]["vectors"] > 0 for weight in figures["bytes"])
