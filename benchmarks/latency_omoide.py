"""Omoide's side of the comparison of speed."""

from __future__ import annotations

import gc
import sqlite3
import statistics
import time
from collections import Counter
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.latency_timed import Timed
from benchmarks.talk import DIMENSIONS, Said, Talk
from omoide import Message, Omoide, Role, Scope
from omoide.domain.embedding import EmbeddingIdentity, Thresholds
from omoide.stores.postgres.database import is_postgres

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from benchmarks.latency_timed import Took
    from omoide.models.local import LocalEmbedder

SPEAKERS = ("roxy", "max")
"""Two people take turns, so that each message is a memory of its own."""

_BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
_GROUPS = {
    "words_and_values": ("messages", "session_messages", "memories", "memory_scopes", "evidence"),
    "postings": ("postings",),
    "vectors": ("vectors",),
    "copies": ("embeddings",),
}


class TableEmbedder:
    """Knows the vectors of the texts that it was shown, so that embedding costs a look-up.

    Attributes:
        model: a real embedder, whose time a query takes while it is set.
        asked: the vector of the next query.
    """

    identity = EmbeddingIdentity(backend="benchmark", model="table", dimensions=DIMENSIONS)
    thresholds = Thresholds(same=0.995, relevant=0.3)

    def __init__(self) -> None:
        self._known: dict[str, NDArray[np.float32]] = {}
        self.model: LocalEmbedder | None = None
        self.asked = np.zeros(DIMENSIONS, dtype=np.float32)

    def show(self, said: Sequence[Said]) -> None:
        """Know these texts, and no others."""
        self._known = {one.text: one.vector for one in said}

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of memories: of a message alone, its words."""
        return np.stack([self._known[text] for text in texts])

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of what is asked now, however the engine has put it."""
        if self.model is not None:
            await self.model.embed_query(text)
        return self.asked

    async def aclose(self) -> None:
        """Nothing to close."""


class OmoideSide:
    """A store, filled and asked through the public API.

    Args:
        folder: for its keys, and for the store itself where it is a file.
        talk: what is said.
        scopes, per_scope: how many, and the memories of each.
        store: the URL of a database on PostgreSQL; a file otherwise.
        vectors: what compares vectors, as the setting has it.
    """

    def __init__(
        self,
        folder: Path,
        talk: Talk,
        *,
        scopes: int,
        per_scope: int,
        store: str | None = None,
        vectors: str = "memory",
    ) -> None:
        self._folder = folder
        self._store = store or str(folder / "x.db")
        self._vectors = vectors
        self._talk = talk
        self._scopes = scopes
        self._per_scope = per_scope
        self._embedder = TableEmbedder()
        self._stack = AsyncExitStack()
        self._phases: dict[str, list[float]] = {}
        self._written: Counter[int] = Counter()
        self._open_ms: list[float] = []

    async def fill(self, scopes: Sequence[int] | None = None) -> dict[str, float]:
        """Fill these scopes, or all, turn by turn; memories a second, and microseconds of CPU a memory."""
        await self._reopen()
        filled = range(self._scopes) if scopes is None else scopes
        spent, busy, size = 0.0, 0.0, min(5_000, self._per_scope)
        for start in range(0, self._per_scope, size):
            for scope in filled:
                numbers = range(start, min(start + size, self._per_scope))
                said = [self._talk.message(scope, number) for number in numbers]
                self._embedder.show(said)
                messages = [_message(one, number) for one, number in zip(said, numbers, strict=True)]
                began, idle = time.perf_counter(), time.process_time()
                where = self._scope(scope)
                await where.observe(messages=messages, session="chat")
                await where.vectorise()
                spent += time.perf_counter() - began
                busy += time.process_time() - idle
        if is_postgres(self._store):
            from benchmarks.postgres_sizes import settle

            settle(self._store)
        count = len(filled) * self._per_scope
        return {"bulk_per_s": count / spent, "bulk_cpu_us": busy / count * 1e6}

    async def ask(self, questions: Sequence[tuple[int, int]]) -> list[Took]:
        """What recalls took: questions by scope and number."""
        asked = [(scope, self._talk.question(scope, number)) for scope, number in questions]
        spent: list[Took] = []
        for scope, question in asked:
            where, self._embedder.asked = self._scope(scope), question.vector
            with Timed(spent):
                recall = await where.recall(question.text)
            if recall.degraded or len(recall.memories) != 12:
                msg = f"a recall should bring 12 memories, got {len(recall.memories)}: {recall.degraded}"
                raise RuntimeError(msg)
            for phase, took in recall.timing_ms.items():
                self._phases.setdefault(phase, []).append(took)
        return spent

    def forget_phases(self) -> None:
        """Count phases from here on."""
        self._phases = {}

    async def write(self, places: Sequence[int]) -> list[Took]:
        """What single writes took, each until a recall brings it."""
        spent: list[Took] = []
        for scope in places:
            number = self._per_scope + self._written[scope]
            said = self._talk.message(scope, number)
            self._embedder.show([said])
            self._embedder.asked = said.vector
            self._written[scope] += 1
            where, message = self._scope(scope), _message(said, number)
            with Timed(spent):
                await where.observe(messages=[message], session="chat")
                recall = await where.recall(said.text)
            if not any(memory.memory.evidence[0].quote == said.text for memory in recall.memories):
                msg = f"what was written cannot be recalled: {said.text!r}"
                raise RuntimeError(msg)
        return spent

    async def cold(self, places: Sequence[int]) -> list[Took]:
        """What the first recall of scopes took after opening."""
        await self._reopen()
        phases, self._phases = self._phases, {}
        spent = await self.ask([(scope, 0) for scope in places])
        self._phases = phases
        return spent

    async def ask_embedding(self, questions: Sequence[tuple[int, int]]) -> list[Took] | None:
        """As `ask`, with the time of the bundled embedder; None where it cannot run."""
        from omoide.models.local import LocalEmbedder, local_unfit

        if local_unfit() is not None:
            return None
        phases, self._phases = self._phases, {}
        self._embedder.model = LocalEmbedder()
        await self._embedder.model.embed_query("warm")
        spent = await self.ask(questions)
        await self._embedder.model.aclose()
        self._embedder.model, self._phases = None, phases
        return spent

    async def finish(self) -> dict[str, object]:
        """Close the store, and weigh it."""
        await self._stack.aclose()
        memories = self._scopes * self._per_scope + self._written.total()
        if is_postgres(self._store):
            from benchmarks.postgres_sizes import database_bytes, settle, table_bytes

            settle(self._store)
            sizes: Mapping[str, float] | None
            sizes, total = table_bytes(self._store), database_bytes(self._store)
        else:
            files = [path for path in self._folder.iterdir() if path.name.startswith("x.db")]
            sizes, total = _of_file(self._folder / "x.db"), sum(path.stat().st_size for path in files)
        return {
            "bytes_per_memory": total / memories,
            "bytes_by_part": None if sizes is None else _by_part(sizes, memories),
            "phases_ms": {name: statistics.median(took) for name, took in self._phases.items()},
            "open_ms": statistics.median(self._open_ms),
        }

    async def _reopen(self) -> None:
        await self._stack.aclose()
        gc.collect()
        began = time.perf_counter()
        self._omoide = await self._stack.enter_async_context(
            Omoide.open(
                self._store,
                embedder=self._embedder,
                master_key_file=self._folder / "key",
                vectors=self._vectors,
            )
        )
        self._open_ms.append((time.perf_counter() - began) * 1000)

    def _scope(self, number: int) -> Scope:
        return self._omoide.scope(user=SPEAKERS[0], character=f"character {number}")


def _message(said: Said, number: int) -> Message:
    return Message(
        role=Role.USER,
        text=said.text,
        speaker=SPEAKERS[number % 2],
        at=_BEGIN + timedelta(minutes=number),
    )


def _by_part(sizes: Mapping[str, float], memories: int) -> dict[str, float]:
    """Bytes a memory of groups of tables with their indexes."""
    tables = {table: group for group, members in _GROUPS.items() for table in members}
    found = dict.fromkeys((*_GROUPS, "rest"), 0.0)
    for table, size in sizes.items():
        found[tables.get(table, "rest")] += size / memories
    return found


def _of_file(file: Path) -> dict[str, float] | None:
    """Bytes of each table with its indexes; None where SQLite cannot tell."""
    query = "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_master USING (name) GROUP BY tbl_name"
    with closing(sqlite3.connect(file)) as connection:
        try:
            return dict(connection.execute(query).fetchall())
        except sqlite3.OperationalError:
            return None
