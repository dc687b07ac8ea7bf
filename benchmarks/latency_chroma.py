"""ChromaDB's side of the comparison of speed, in its best layout: one collection a scope."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import chromadb
from chromadb.config import Settings

from benchmarks.latency_timed import Timed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.latency_timed import Took
    from benchmarks.talk import Said, Talk


class ChromaSide:
    """A persistent client in a folder."""

    def __init__(self, folder: Path, talk: Talk, *, scopes: int, per_scope: int) -> None:
        self._folder = folder
        self._talk = talk
        self._scopes = scopes
        self._per_scope = per_scope
        self._written = 0
        self._client = self._opened()

    async def fill(self) -> dict[str, float]:
        """Fill the collections, in the largest batches that it takes."""
        spent, busy, size = 0.0, 0.0, min(self._client.get_max_batch_size(), self._per_scope)
        for start in range(0, self._per_scope, size):
            for scope in range(self._scopes):
                numbers = range(start, min(start + size, self._per_scope))
                said = [self._talk.message(scope, number) for number in numbers]
                idle = time.process_time()
                spent += self._add(scope, said, numbers)
                busy += time.process_time() - idle
        count = self._scopes * self._per_scope
        return {"bulk_per_s": count / spent, "bulk_cpu_us": busy / count * 1e6}

    async def ask(self, questions: Sequence[tuple[int, int]]) -> list[Took]:
        """What queries took: questions by scope and number."""
        asked = [(scope, self._talk.question(scope, number)) for scope, number in questions]
        spent: list[Took] = []
        for scope, question in asked:
            with Timed(spent):
                self._query(scope, question)
        return spent

    def forget_phases(self) -> None:
        """It tells no phases."""

    async def write(self, places: Sequence[int]) -> list[Took]:
        """What single writes took, each until a query brings it."""
        spent: list[Took] = []
        for scope in places:
            number = self._per_scope + self._written
            said = self._talk.message(scope, number)
            self._written += 1
            with Timed(spent):
                self._add(scope, [said], [number])
                while str(number) not in self._query(scope, said):
                    pass
        return spent

    async def cold(self, places: Sequence[int]) -> list[Took]:
        """What the first query of collections took after opening."""
        self._client.clear_system_cache()
        self._client = self._opened()
        return await self.ask([(scope, 0) for scope in places])

    async def finish(self) -> dict[str, object]:
        """Weigh the folder."""
        memories = self._scopes * self._per_scope + self._written
        size = sum(path.stat().st_size for path in self._folder.rglob("*") if path.is_file())
        return {"bytes_per_memory": size / memories, "phases_ms": None}

    def _add(self, scope: int, said: Sequence[Said], numbers: Sequence[int]) -> float:
        vectors = [one.vector for one in said]
        began = time.perf_counter()
        self._collection(scope).add(
            ids=[str(number) for number in numbers],
            embeddings=vectors,
            documents=[one.text for one in said],
            metadatas=[{"speaker": "mina", "at": number} for number in numbers],
        )
        return time.perf_counter() - began

    def _query(self, scope: int, said: Said) -> list[str]:
        found = self._collection(scope).query(query_embeddings=[said.vector], n_results=12)
        ids: list[str] = found["ids"][0]
        return ids

    def _collection(self, scope: int) -> chromadb.Collection:
        """A handle, kept once made: looking it up by name would be timed with each query."""
        if scope not in self._handles:
            self._handles[scope] = self._client.get_or_create_collection(
                f"scope-{scope}", embedding_function=None, metadata={"hnsw:space": "cosine"}
            )
        return self._handles[scope]

    def _opened(self) -> chromadb.ClientAPI:
        self._handles: dict[int, chromadb.Collection] = {}
        return chromadb.PersistentClient(
            path=str(self._folder / "chroma"), settings=Settings(anonymized_telemetry=False)
        )
