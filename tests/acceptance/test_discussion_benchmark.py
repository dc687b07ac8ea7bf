"""The benchmark of a discussion's tokens tells of every call, and the documentation shows what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.proves("K9")
def test_a_discussion_costs_what_is_documented() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.discussion", "--sample", "siblings-en", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    rows = json.loads(ran.stdout)
    calls = [[row["calls"] for row in rows if row["revised"] is revised] for revised in (False, True)]
    assert calls == [[8, 2, 2, 2, 14], [8, 4, 4, 4, 20]]
    told = (ROOT / "docs/factory.md").read_text(encoding="utf-8")
    for row in rows:
        if row["step"] == "together":
            assert f"{row['calls']} calls: {row['prompt']:,} |" in told
