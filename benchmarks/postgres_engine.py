"""The engine over a store on PostgreSQL: filled with messages, asked, and written to."""

from __future__ import annotations

from collections import Counter
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
import psycopg

from benchmarks.latency_omoide import SPEAKERS, TableEmbedder
from benchmarks.postgres_sizes import plain
from omoide import Message, Omoide, Role, Scope

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable
    from pathlib import Path

    from benchmarks.postgres_shape import Turn
    from benchmarks.talk import Said, Talk

AT_ONCE = 20
"""Memories that a search brings."""

_CACHE_MB = 16_384
"""So much that no scope is let go."""

_BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
_HELD = "SELECT scope_id, count(*) FROM messages GROUP BY scope_id"


class EngineSide:
    """The engine with one way of comparing vectors.

    Attributes:
        name: as it stands in the figures.
        writes: whether writing is measured.
        counts: messages of each scope.
    """

    writes = True

    def __init__(self, name: str, omoide: Omoide, embedder: TableEmbedder, counts: Counter[int]) -> None:
        self.name = name
        self.omoide = omoide
        self.embedder = embedder
        self.counts = counts

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        store: str,
        folder: Path,
        *,
        vectors: str,
        name: str | None = None,
        beside: EngineSide | None = None,
    ) -> AsyncIterator[EngineSide]:
        """Open the store, whose keys lie in a folder; perhaps beside another side that has it open."""
        embedder = TableEmbedder() if beside is None else beside.embedder
        async with Omoide.open(
            store,
            embedder=embedder,
            master_key_file=folder / "key",
            vectors=vectors,
            cache_mb=_CACHE_MB,
            extraction="off",
        ) as omoide:
            counts = _counts(store, omoide) if beside is None else beside.counts
            yield cls(name or f"omoide, {vectors}", omoide, embedder, counts)

    def held(self, scope: int) -> int:
        """Messages of a scope."""
        return self.counts[scope]

    async def fill(self, talk: Talk, turns: Iterable[Turn]) -> int:
        """Write turn by turn, each with its vectors; how many messages came."""
        count = 0
        for scope, start, end in turns:
            said = [talk.message(scope, number) for number in range(start, end)]
            self.embedder.show(said)
            where = self._scope(scope)
            await where.observe(messages=_messages(said, start), session="chat")
            await where.vectorise()
            self.counts[scope] = end
            count += len(said)
        return count

    async def complete(self, talk: Talk, scopes: Iterable[int]) -> None:
        """Make the vectors that a fill which was cut off left to be made."""
        for scope in scopes:
            held = self.counts[scope]
            if held:
                self.embedder.show([talk.message(scope, number) for number in range(held)[-512:]])
                await self._scope(scope).vectorise()

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[None]:
        """Nothing has to be prepared."""
        yield

    async def recall(self, scope: int, question: Said) -> int:
        """Recall; how many memories came."""
        self.embedder.asked = question.vector
        recall = await self._scope(scope).recall(question.text)
        if recall.degraded:
            raise RuntimeError(recall.degraded)
        return len(recall.memories)

    async def search(self, scope: int, question: Said) -> list[int]:
        """The numbers of the nearest memories, best first; `places` tells which messages they are."""
        row = self.omoide.store.scope(SPEAKERS[0], _character(scope))
        if row is None:
            return []
        with self.omoide.store.recalling(row) as now:
            scores = np.nan_to_num(now.nearness(question.vector), nan=-2.0)
            best = np.argpartition(-scores, min(AT_ONCE, len(scores) - 1))[:AT_ONCE]
            numbers: list[int] = now.snapshot.rows["number"][best[np.argsort(-scores[best])]].tolist()
        return numbers

    def places(self, scope: int, numbers: list[int]) -> list[int]:
        """Which of a scope's messages these memories are, in order of arrival: each one is a memory."""
        row = self.omoide.store.scope(SPEAKERS[0], _character(scope))
        known = None if row is None else self.omoide.store.known(row)
        if known is None:
            return []
        places = np.searchsorted(np.sort(known.index.snapshot().rows["number"]), numbers)
        return [int(place) for place in places]

    async def write(self, scope: int, said: Said) -> None:
        """Write a message, and its vector."""
        self.embedder.show([said])
        where = self._scope(scope)
        await where.observe(messages=_messages([said], self.counts[scope]), session="chat")
        await where.vectorise()
        self.counts[scope] += 1

    def _scope(self, number: int) -> Scope:
        return self.omoide.scope(user=SPEAKERS[0], character=_character(number))


def _messages(said: list[Said], start: int) -> list[Message]:
    return [
        Message(
            role=Role.USER,
            text=one.text,
            speaker=SPEAKERS[number % 2],
            at=_BEGIN + timedelta(minutes=number),
        )
        for number, one in enumerate(said, start)
    ]


def _counts(store: str, omoide: Omoide) -> Counter[int]:
    """How many messages each scope holds already."""
    with psycopg.connect(plain(store), autocommit=True) as connection:
        counts: dict[int, int] = dict(connection.execute(_HELD).fetchall())
    return Counter(
        {int(row.character.split()[-1]): counts.get(row.id, 0) for row in omoide.store.all_scopes()}
    )


def _character(number: int) -> str:
    return f"character {number}"
