"""What so many memories need: arithmetic over measured quantities and stated assumptions, no more."""

from __future__ import annotations

import math
from dataclasses import dataclass

_GB = 1e9
_DAY = 86_400


@dataclass(frozen=True, kw_only=True, slots=True)
class Quantities:
    """What one thing costs, as measured.

    Attributes:
        sqlite_bytes: of one exchange with its memory, vector and terms on disk, in SQLite.
        postgres_bytes: the same in PostgreSQL.
        pgvector_bytes: what a copy of its vector for pgvector adds there.
        memory_bytes: of a memory in the index of a scope that is at hand in a process.
        recall_ms: CPU of a replica for one recall in a scope of 1,000, without embedding.
        write_ms: CPU of a replica for keeping one exchange, its vector included, without embedding.
        database_ms: CPU of the database for both.
        window_prompt, window_answer: tokens of one extraction of five exchanges.
    """

    sqlite_bytes: float
    postgres_bytes: float
    pgvector_bytes: float
    memory_bytes: float
    recall_ms: float
    write_ms: float
    database_ms: float
    window_prompt: float
    window_answer: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Assumptions:
    """How people use it, and what a machine has. Change these to your own.

    Attributes:
        per_scope: memories of one user with one character.
        active: the share of scopes in which anything is said on a day.
        turns: exchanges of such a scope on that day.
        peak: how many times the mean rate the busiest hour has.
        at_hand: the share of active scopes whose indexes are in memory at once in the busiest hour.
        window: exchanges that one extraction reads.
        cores: of one machine.
        memory_gb: of one machine.
        disk_gb: of one database machine.
        used: the share of cores, memory and disk that is planned for; the rest is for peaks and repairs.
        spread: how many replicas hold the same scope at hand; 1 where a scope's requests go to one of them.
    """

    per_scope: int = 1_000
    active: float = 0.1
    turns: int = 40
    peak: float = 4.0
    at_hand: float = 0.3
    window: int = 5
    cores: int = 8
    memory_gb: float = 32.0
    disk_gb: float = 2_000.0
    used: float = 0.6
    spread: int = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What so many memories need.

    Attributes:
        memories, scopes: how many.
        sqlite_gb, postgres_gb, pgvector_gb: on disk; the last is what pgvector adds to PostgreSQL.
        turns_per_s: exchanges in a second of the busiest hour.
        replica_cores: busy cores of all replicas then.
        replica_gb: indexes at hand in all replicas then.
        replicas: machines for them.
        database_cores: busy cores of all databases then.
        databases: machines for them, each with a standby beside.
        shards_by: what decides how many databases there are: ``disk``, ``cores``, or nothing for one.
        tokens_per_day: that extraction reads and writes, in millions.
    """

    memories: int
    scopes: int
    sqlite_gb: float
    postgres_gb: float
    pgvector_gb: float
    turns_per_s: float
    replica_cores: float
    replica_gb: float
    replicas: int
    database_cores: float
    databases: int
    shards_by: str
    tokens_per_day: float


def plan(memories: int, cost: Quantities, how: Assumptions, *, pgvector: bool = False) -> Plan:
    """What so many memories need.

    Args:
        memories: how many.
        cost: what one costs.
        how: how they are used.
        pgvector: whether vectors are compared in PostgreSQL, so that replicas do not hold them.
    """
    scopes = math.ceil(memories / how.per_scope)
    talking = scopes * how.active
    turns_per_s = talking * how.turns / _DAY * how.peak
    replica_cores = turns_per_s * (cost.recall_ms + cost.write_ms) / 1_000
    replica_gb = talking * how.at_hand * how.per_scope * cost.memory_bytes * how.spread / _GB
    postgres_gb = memories * cost.postgres_bytes / _GB
    pgvector_gb = memories * cost.pgvector_bytes / _GB
    database_cores = turns_per_s * cost.database_ms / 1_000
    by_disk = _machines(postgres_gb + (pgvector_gb if pgvector else 0.0), how.disk_gb * how.used)
    by_cores = _machines(database_cores, how.cores * how.used)
    databases = max(by_disk, by_cores)
    return Plan(
        memories=memories,
        scopes=scopes,
        sqlite_gb=memories * cost.sqlite_bytes / _GB,
        postgres_gb=postgres_gb,
        pgvector_gb=pgvector_gb,
        turns_per_s=turns_per_s,
        replica_cores=replica_cores,
        replica_gb=replica_gb,
        replicas=max(
            2,  # so that one may be away
            _machines(replica_cores, how.cores * how.used),
            _machines(replica_gb, how.memory_gb * how.used),
        ),
        database_cores=database_cores,
        databases=databases,
        shards_by="" if databases == 1 else "disk" if by_disk >= by_cores else "cores",
        tokens_per_day=talking * how.turns / how.window * (cost.window_prompt + cost.window_answer) / 1e6,
    )


def _machines(needed: float, each: float) -> int:
    return max(1, math.ceil(needed / each))
