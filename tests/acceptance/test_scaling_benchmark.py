"""The measurement of what a memory costs runs and reports; its figures are for quiet machines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_benchmark_of_scale_measures_every_store_and_reckons_to_a_billion() -> None:
    program = "import benchmarks.scaling as b; b.ROUNDS = 2; b.main()"

    ran = subprocess.run(
        [sys.executable, "-c", program, "--scopes", "3", "--per-scope", "30", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    figures = json.loads(ran.stdout)
    assert set(figures["measured"]) == {"sqlite", "postgresql", "pgvector"}
    for name, one in figures["measured"].items():
        assert one["bytes"]["messages"] > 0
        assert ("embeddings" in one["bytes"]) == (name == "pgvector")
        assert one["recall_ms"] > 0
        assert one["window"][0] > 500
    assert [one["memories"] for one in figures["plans"]][-1] == 10**9
    assert figures["plans"][-1]["databases"] > 1
