"""What every vector index promises: cosines in the order of the rows, and NaN where it knows none."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from omoide.bootstrap import Omoide
from omoide.errors import EmbedderFailed
from omoide.stores.index.block import Block
from omoide.testing import WordEmbedder
from postgres import database_for
from qdrant_grpc import QdrantGrpcServer
from qdrant_server import QdrantServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Recalling, Store

SAID = ("I keep bees on the roof.", "나 롤 게임 좋아해", "京都で桜を見た", "My sister Ann moved to Oslo.")


class QueryEmbedder(WordEmbedder):
    """Embeds no memory, so that those have a vector that a test gives one."""

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        msg = f"no vectors of {len(texts)} texts"
        raise EmbedderFailed(msg)


@pytest.fixture(
    params=[
        "memory",
        "pgvector",
        "qdrant in the process",
        "qdrant in a folder",
        "qdrant server",
        "qdrant by grpc",
    ]
)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    vectors = request.param.split()[0]
    async with Omoide.open(
        database_for(tmp_path / "x.db") if vectors == "pgvector" else tmp_path / "x.db",
        vectors=vectors,
        **where_qdrant_is(request, tmp_path),
        embedder=QueryEmbedder(),
        master_key_file=tmp_path / "key",
        worker=False,
    ) as omoide:
        for user in ("mina", "jun"):
            scope = omoide.scope(user=user, character="haru")
            for text in SAID:
                await scope.remember(text)
        yield omoide.store


def where_qdrant_is(request: pytest.FixtureRequest, folder: Path) -> dict[str, Any]:
    """The settings for what the parameter of a test names."""
    if request.param == "qdrant server":
        server = QdrantServer()
        request.addfinalizer(server.stop)
        return {"qdrant_url": server.url}
    if request.param == "qdrant by grpc":
        by_grpc = QdrantGrpcServer()
        request.addfinalizer(by_grpc.stop)
        return {"qdrant_url": "http://127.0.0.1:1", "qdrant_grpc": by_grpc.port}
    return {"qdrant_url": str(folder / "qdrant") if request.param == "qdrant in a folder" else ":memory:"}


@pytest.fixture
def scope(store: Store) -> ScopeRow:
    found = store.scope("mina", "haru")
    assert found is not None
    return found


@contextmanager
def looking(store: Store, scope: ScopeRow) -> Iterator[Recalling]:
    with store.recalling(scope) as now:
        yield now


def written(store: Store, scope: ScopeRow, *, count: int) -> np.ndarray:
    """Give the first memories of a scope vectors of our own; shape (count, 384)."""
    size = WordEmbedder().identity.dimensions
    rows = np.random.default_rng(scope.id).normal(size=(count, size)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    with looking(store, scope) as now:
        numbers = now.snapshot.rows["number"][:count].tolist()
    assert store.embedding is not None
    with store.write(scope) as unit:
        unit.vectors(store.embedding).put(numbers, rows, change=unit.change())
        unit.pending.embedded(numbers, store.embedding, change=None)
    return rows


@pytest.mark.proves("H24")
def test_rows_with_a_vector_get_their_cosine_and_the_others_nan(store: Store, scope: ScopeRow) -> None:
    rows = written(store, scope, count=3)
    with looking(store, scope) as now:
        found = now.nearness(rows[1])
    np.testing.assert_allclose(found[:3], rows @ rows[1], atol=1e-3)
    assert np.isnan(found[3:]).all()


def test_the_vectors_of_rows_are_theirs_and_nan_where_there_is_none(store: Store, scope: ScopeRow) -> None:
    rows = written(store, scope, count=3)
    with looking(store, scope) as now:
        found = now.vectors([2, 0, 3])
    np.testing.assert_allclose(found[:2], rows[[2, 0]], atol=1e-3)
    assert np.isnan(found[2]).all()


def test_without_a_query_nothing_is_near(store: Store, scope: ScopeRow) -> None:
    written(store, scope, count=4)
    with looking(store, scope) as now:
        assert np.isnan(now.nearness(None)).all()


def test_a_scope_without_vectors_is_no_error(store: Store, scope: ScopeRow) -> None:
    size = WordEmbedder().identity.dimensions
    with looking(store, scope) as now:
        assert np.isnan(now.nearness(np.ones(size, dtype=np.float32))).all()


def test_a_scope_sees_no_vectors_of_another(store: Store, scope: ScopeRow) -> None:
    other = store.scope("jun", "haru")
    assert other is not None
    rows = written(store, other, count=4)
    with looking(store, scope) as now:
        assert np.isnan(now.nearness(rows[0])).all()


@pytest.mark.proves("H24")
def test_what_is_dropped_has_no_vector_at_once(store: Store, scope: ScopeRow) -> None:
    rows = written(store, scope, count=4)
    with looking(store, scope) as now:
        gone = int(now.snapshot.rows["number"][2])
    with store.write(scope) as unit:
        unit.removal.unindex([gone])
        unit.start_anew()
    with looking(store, scope) as now:
        place = now.snapshot.places[gone]
        found = now.nearness(rows[2])
    assert np.isnan(found[place])
    assert np.isfinite(np.delete(found, place)).all()


def test_a_lent_vector_counts_before_the_store_holds_it(store: Store, scope: ScopeRow) -> None:
    rows = written(store, scope, count=3)
    query = np.flip(rows[0]).copy()
    with looking(store, scope) as now:
        number = int(now.snapshot.rows["number"][3])
    with store.recalling(scope, fresh=Block(np.array([number]), query[None, :])) as now:
        found = now.nearness(query)
    assert found[3] == pytest.approx(1.0, abs=1e-3)
    np.testing.assert_allclose(found[:3], rows @ query, atol=1e-3)
