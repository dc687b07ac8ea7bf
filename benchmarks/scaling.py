"""What a memory, a recall and a window cost on this machine, and what a billion of them would need.

    python -m benchmarks.scaling [--scopes 6] [--per-scope 1000] [--store postgresql+psycopg://…] [--json]

Bytes are those between a third and all of the scopes, so that what every store has is not counted. Times are
CPU of the process, medians over the recalls and writes of a busy scope, without embedding. PostgreSQL is
started from a wheel unless an empty database is named; its CPU is counted only where it was started here.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import statistics
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from rich.console import Console
from rich.progress import Progress

from benchmarks.arguments import parser_of, print_json
from benchmarks.cluster import Postgres
from benchmarks.ending import heed_signals
from benchmarks.scaling_arithmetic import Assumptions, Plan, Quantities, plan
from benchmarks.talk import DIMENSIONS, Talk
from omoide import Message, Omoide, Role
from omoide.stores.postgres.database import is_postgres, postgres_url
from omoide.testing import ScriptedModel, WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable

    from omoide import Scope

ROUNDS = 60
SIZES = (100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000)
READING = {
    "summary": "They talked about a trip to the sea and a brother who moves to another town.",
    "importance": 5,
    "facts": [{"text": "They plan a trip to the sea.", "about": "user", "mode": "asserted", "evidence": []}],
}
"""About what a model says of a window."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """One store, filled.

    Attributes:
        bytes: on disk for an exchange, by table.
        memory: bytes for a memory in the index of a scope at hand.
        recall_ms, write_ms: CPU of this process.
        recall_wall_ms, write_wall_ms: as a caller sees it; other work on the machine counts.
        database_ms: CPU of the database for a recall and a write; 0 where it was not started here.
        window: tokens of prompt and answer of a window of five exchanges.
    """

    bytes: dict[str, float]
    memory: float
    recall_ms: float
    write_ms: float
    recall_wall_ms: float
    write_wall_ms: float
    database_ms: float
    window: tuple[float, float]


class Filled:
    """A store that is filled scope by scope, and measured.

    Args:
        folder: for its keys, and for the store if that is a file.
        store: its path or URL.
        per_scope: exchanges of each scope.
        vectors: where they are compared.
        busy: CPU seconds of the database so far.
        filled: is told of each scope that is filled.
    """

    def __init__(
        self,
        folder: Path,
        store: str,
        *,
        per_scope: int,
        vectors: str,
        busy: Callable[[], float],
        filled: Callable[[], None],
    ) -> None:
        self._store = store
        self._filled = filled
        self._per_scope = per_scope
        self._busy = busy
        self._talk = Talk()
        self._given: dict[str, Any] = {
            "embedder": WordEmbedder(DIMENSIONS),
            "master_key_file": folder / "key",
            "keyring": folder / "ring",
            "vectors": vectors,
            "worker": False,
        }

    async def measure(self, scopes: int) -> Measured:
        """Fill so many scopes, and measure."""
        await self._fill(range(scopes // 3))
        first = _sizes(self._store)
        await self._fill(range(scopes // 3, scopes))
        last = _sizes(self._store)
        added = (scopes - scopes // 3) * self._per_scope
        sizes = {table: (size - first.get(table, 0)) / added for table, size in last.items()}
        async with Omoide.open(self._store, **self._given) as omoide:
            scope = _scope(omoide, 0)
            memory = await self._at_hand(omoide, scope)
            before = self._busy()
            recalls = [await self._recalled(scope, number) for number in range(ROUNDS)]
            writes = [await self._written(scope, self._per_scope + number) for number in range(ROUNDS)]
            database = (self._busy() - before) / ROUNDS * 1_000
        return Measured(
            bytes={table: round(size, 1) for table, size in sizes.items() if size >= 0.5},
            memory=memory,
            recall_ms=statistics.median(cpu for cpu, _ in recalls),
            write_ms=statistics.median(cpu for cpu, _ in writes),
            recall_wall_ms=statistics.median(wall for _, wall in recalls),
            write_wall_ms=statistics.median(wall for _, wall in writes),
            database_ms=database,
            window=await self._window(),
        )

    async def _fill(self, scopes: range) -> None:
        async with Omoide.open(self._store, **self._given) as omoide:
            for number in scopes:
                scope = _scope(omoide, number)
                turns = [turn for at in range(self._per_scope) for turn in self._exchange(number, at)]
                await scope.observe(messages=turns, session="chat")
                await scope.vectorise()
                self._filled()

    def _exchange(self, scope: int, number: int) -> list[Message]:
        said = self._talk.message(scope, 2 * number).text
        reply = self._talk.message(scope, 2 * number + 1).text
        return [Message(role=Role.USER, text=said), Message(role=Role.CHARACTER, text=reply)]

    async def _at_hand(self, omoide: Omoide, scope: Scope) -> float:
        await scope.recall(self._talk.question(0, 1).text)  # which takes the scope in
        row = omoide.store.scope(scope.user, scope.character)
        known = None if row is None else omoide.store.known(row)
        return 0.0 if known is None else known.index.nbytes / self._per_scope

    async def _recalled(self, scope: Scope, number: int) -> tuple[float, float]:
        question = self._talk.question(0, 2 * number).text
        began, idle = time.perf_counter(), time.process_time()
        await scope.recall(question, rehearse=False)
        return (time.process_time() - idle) * 1_000, (time.perf_counter() - began) * 1_000

    async def _written(self, scope: Scope, number: int) -> tuple[float, float]:
        user, reply = self._exchange(0, number)
        began, idle = time.perf_counter(), time.process_time()
        await scope.observe(user=user.text, reply=reply.text, session="chat")
        await scope.vectorise()
        return (time.process_time() - idle) * 1_000, (time.perf_counter() - began) * 1_000

    async def _window(self) -> tuple[float, float]:
        model = ScriptedModel(answers=lambda _: json.dumps(READING))
        given = {**self._given, "models": model, "window": 5}
        async with Omoide.open(self._store, **given) as omoide:
            for number in range(3):  # one of each language
                scope = omoide.scope(user="sam", character=f"reader {number}")
                for at in range(7):
                    user, reply = self._exchange(number, at)
                    await scope.observe(user=user.text, reply=reply.text, session="chat")
            runs = await omoide.worker.once()
            used = [run.usage for run in runs if run.usage.prompt]
        return (
            statistics.median(usage.prompt for usage in used),
            statistics.median(usage.answer for usage in used),
        )


def _scope(omoide: Omoide, number: int) -> Scope:
    return omoide.scope(user="sam", character=f"character {number}")


def _sizes(store: str) -> dict[str, float]:
    """Bytes of each table with its indexes."""
    if is_postgres(store):
        url = postgres_url(store).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM")
            return dict(
                connection.execute(
                    "SELECT relname, pg_total_relation_size(oid)::float8 FROM pg_class "
                    "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
                ).fetchall()
            )
    with closing(sqlite3.connect(store)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return dict(
            file.execute(
                "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_master USING (name) GROUP BY tbl_name"
            ).fetchall()
        )


async def measure(
    folder: Path, *, scopes: int, per_scope: int, store: str | None, progress: Progress
) -> dict[str, Measured]:
    """SQLite, PostgreSQL, and PostgreSQL with pgvector; where a database is named, it stands for both."""
    kinds = {"sqlite": "memory", "postgresql": "memory", "pgvector": "pgvector"}
    if store is not None:
        del kinds["pgvector"]  # one database was named, and is full by then
    found = {}
    for name, vectors in kinds.items():
        own = folder / name
        own.mkdir()
        task = progress.add_task(name, total=scopes)
        with ExitStack() as stack:
            url, busy = store or "", _idle
            if name == "sqlite":
                url = str(own / "x.db")
            elif store is None:
                postgres = stack.enter_context(Postgres(own))
                url, busy = postgres.url, postgres.cpu_seconds
            step = partial(progress.advance, task)
            filled = Filled(own, url, per_scope=per_scope, vectors=vectors, busy=busy, filled=step)
            found[name] = await filled.measure(scopes)
    return found


def _idle() -> float:
    """What nobody measures: the CPU of a server that runs elsewhere, or of none."""
    return 0.0


def quantities(found: dict[str, Measured]) -> Quantities:
    """What the arithmetic takes of it: bytes of each store, times of PostgreSQL."""
    server = found["postgresql"]
    added = found["pgvector"].bytes.get("embeddings", 0.0) if "pgvector" in found else 0.0
    return Quantities(
        sqlite_bytes=sum(found["sqlite"].bytes.values()),
        postgres_bytes=sum(server.bytes.values()),
        pgvector_bytes=added,
        memory_bytes=server.memory,
        recall_ms=server.recall_ms,
        write_ms=server.write_ms,
        database_ms=server.database_ms,
        window_prompt=server.window[0],
        window_answer=server.window[1],
    )


def _shown(found: dict[str, Measured], plans: list[Plan]) -> str:
    lines = ["| | SQLite | PostgreSQL | with pgvector |", "|---|---|---|---|"]
    rows: list[tuple[str, Callable[[Measured], str]]] = [
        ("bytes of an exchange on disk", lambda one: f"{sum(one.bytes.values()):,.0f}"),
        ("bytes of a memory at hand in a process", lambda one: f"{one.memory:,.0f}"),
        ("recall, ms of CPU (as waited for)", lambda one: f"{one.recall_ms:.1f} ({one.recall_wall_ms:.1f})"),
        ("write, ms of CPU (as waited for)", lambda one: f"{one.write_ms:.1f} ({one.write_wall_ms:.1f})"),
        ("both, ms of CPU of the database", lambda one: f"{one.database_ms:.1f}"),
        ("window, tokens of prompt + answer", lambda one: f"{one.window[0]:,.0f} + {one.window[1]:,.0f}"),
    ]
    order = ("sqlite", "postgresql", "pgvector")
    for label, show in rows:
        cells = [show(found[name]) if name in found else "-" for name in order]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    lines += ["", "| memories | turns/s | SQLite | PostgreSQL | + pgvector | replicas | indexes at hand |"]
    lines[-1] += " databases | tokens a day |"
    lines.append("|---" * 9 + "|")
    for one in plans:
        shard = f" (by {one.shards_by})" if one.shards_by else ""
        lines.append(
            f"| {one.memories:,} | {one.turns_per_s:,.1f} | {one.sqlite_gb:,.1f} GB "
            f"| {one.postgres_gb:,.1f} GB | {one.pgvector_gb:,.1f} GB | {one.replicas} "
            f"| {one.replica_gb:,.1f} GB | {one.databases}{shard} | {one.tokens_per_day:,.1f} M |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, and reckon."""
    parser = parser_of(__doc__)
    parser.add_argument("--scopes", type=int, default=6)
    parser.add_argument("--per-scope", type=int, default=1_000)
    parser.add_argument("--store", help="an empty database on PostgreSQL; otherwise one from a wheel")
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    heed_signals()
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        Progress(console=Console(stderr=True)) as progress,
    ):
        sizes = {"scopes": max(3, given.scopes), "per_scope": given.per_scope}
        found = asyncio.run(measure(Path(folder), store=given.store, progress=progress, **sizes))
    cost, how = quantities(found), Assumptions()
    plans = [plan(memories, cost, how) for memories in SIZES]
    if given.json:
        figures = {
            "measured": {name: asdict(one) for name, one in found.items()},
            "quantities": asdict(cost),
            "assumptions": asdict(how),
            "plans": [asdict(one) for one in plans],
        }
        print_json(figures, indent=2)
    else:
        print(_shown(found, plans))


if __name__ == "__main__":
    main()
