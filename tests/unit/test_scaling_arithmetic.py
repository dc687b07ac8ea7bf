"""The arithmetic of docs/scaling.md: what so many memories need."""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmarks.scaling_arithmetic import Assumptions, Quantities, plan
from hypothesis import given
from hypothesis import strategies as st

COST = Quantities(
    sqlite_bytes=3_000,
    postgres_bytes=4_000,
    pgvector_bytes=2_000,
    memory_bytes=4_000,
    recall_ms=3,
    write_ms=7,
    database_ms=5,
    window_prompt=2_000,
    window_answer=100,
)
HOW = Assumptions()


def test_a_million_memories_worked_out_by_hand() -> None:
    found = plan(1_000_000, COST, HOW)
    assert found.scopes == 1_000
    assert (found.sqlite_gb, found.postgres_gb, found.pgvector_gb) == (3, 4, 2)
    assert found.turns_per_s == pytest.approx(100 * 40 / 86_400 * 4)
    assert found.replica_cores == pytest.approx(found.turns_per_s * 0.010)
    assert found.replica_gb == pytest.approx(100 * 0.3 * 1_000 * 4_000 * 2 / 1e9)
    assert (found.replicas, found.databases, found.shards_by) == (2, 1, "")
    assert found.tokens_per_day == pytest.approx(100 * 40 / 5 * 2_100 / 1e6)


def test_what_is_short_decides_how_many_machines_there_are() -> None:
    assert plan(10**9, COST, HOW).shards_by == "disk"
    assert plan(10**9, COST, HOW, pgvector=True).databases > plan(10**9, COST, HOW).databases
    busy = replace(COST, postgres_bytes=1, database_ms=500)
    assert plan(10**9, busy, HOW).shards_by == "cores"
    heavy = replace(COST, memory_bytes=400_000)
    assert plan(10**8, heavy, HOW).replicas > plan(10**8, COST, HOW).replicas


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_more_memories_never_need_less(one: int, other: int) -> None:
    small, large = (plan(memories, COST, HOW) for memories in sorted((one, other)))
    assert small.postgres_gb <= large.postgres_gb
    assert small.replicas <= large.replicas
    assert small.databases <= large.databases
    assert small.tokens_per_day <= large.tokens_per_day
