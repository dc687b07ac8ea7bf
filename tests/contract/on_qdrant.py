"""A store whose vectors lie in Qdrant, as the contract tests open it and look into it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from omoide.bootstrap import Omoide
from omoide.stores.debts import scopes_owing
from omoide.stores.qdrant import QdrantIndex
from omoide.testing import WordEmbedder
from postgres import place

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from qdrant_client import models

    from omoide.scope import Scope
    from qdrant_server import QdrantServer

SAID = ("I keep bees on the roof.", "나 롤 게임 좋아해", "京都で桜を見た", "My sister Ann moved to Oslo.")


@asynccontextmanager
async def opened(folder: Path, qdrant: QdrantServer | None, **given: Any) -> AsyncIterator[Omoide]:
    where = {} if qdrant is None else {"qdrant_url": qdrant.url}
    settings = {"vectors": "qdrant", "qdrant_seconds": 1, **where, **given}
    async with Omoide.open(
        place(folder),
        master_key_file=folder / "key",
        worker=False,
        **{"embedder": WordEmbedder(), **settings},
    ) as omoide:
        if isinstance(omoide.store.index, QdrantIndex):
            omoide.store.index.circuit.rest = 0.1
        yield omoide


async def remembered(omoide: Omoide, *, user: str = "mina") -> Scope:
    """A scope that holds what was said, with its vectors."""
    scope = omoide.scope(user=user, character="haru")
    for text in SAID:
        await scope.remember(text)
    await embedded(omoide, scope)
    return scope


async def embedded(omoide: Omoide, scope: Scope) -> None:
    row = omoide.store.scope(scope.user, scope.character)
    assert row is not None
    while await omoide.vectorise(row, limit=32):
        pass


def owed(omoide: Omoide) -> int:
    with omoide.store.database.read() as connection:
        return scopes_owing(connection, tenant=omoide.store.tenant)


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that happens in the background."""
    async with asyncio.timeout(5.0):
        while not true():
            await asyncio.sleep(0.01)


def index_of(omoide: Omoide) -> QdrantIndex:
    assert isinstance(omoide.store.index, QdrantIndex)
    return omoide.store.index


async def rested(omoide: Omoide) -> None:
    """Wait until Qdrant, having failed, is tried again."""
    await until(lambda: not index_of(omoide).circuit.rests)


def number_of(point: models.Record) -> int:
    return int((point.payload or {})["number"])


def numbers(qdrant: QdrantServer) -> list[int]:
    return sorted(map(number_of, qdrant.points()))
