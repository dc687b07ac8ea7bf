"""What every vector index promises: cosines in the order of the rows, and NaN where it knows none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from omoide.recall.nearest import InProcess, VectorIndex
from omoide.stores.index import ROW, ScopeIndex
from omoide.stores.vectors import Block

if TYPE_CHECKING:
    from omoide.stores.index import Snapshot

COUNT, DIMENSIONS = 40, 16


@pytest.fixture(params=[InProcess], ids=["in process"])
def index(request: pytest.FixtureRequest) -> VectorIndex:
    return request.param()


def unit(seed: int, count: int) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, DIMENSIONS)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def snapshot(embedded: int) -> tuple[Snapshot, np.ndarray]:
    names = ROW.names or ()
    rows = [tuple({"number": n, "alive": True}.get(name, 0) for name in names) for n in range(COUNT)]
    matrix = unit(1, embedded)
    scope = ScopeIndex()
    block = Block(np.arange(embedded, dtype=np.int64), matrix)
    scope.apply(rows, postings=[], blocks=[block] if embedded else [], said=np.empty(0, dtype=np.int64))
    return scope.snapshot(), matrix


@pytest.mark.proves("H24")
def test_rows_with_a_vector_get_their_cosine_and_the_others_nan(index: VectorIndex) -> None:
    held, matrix = snapshot(30)
    query = unit(2, 1)[0]

    found = index.nearness(held, query)

    np.testing.assert_allclose(found[:30], matrix @ query, atol=1e-5)
    assert np.isnan(found[30:]).all()


def test_without_a_query_or_in_another_space_nothing_is_near(index: VectorIndex) -> None:
    held, _ = snapshot(COUNT)

    assert np.isnan(index.nearness(held, None)).all()
    assert np.isnan(index.nearness(held, np.ones(DIMENSIONS * 2, dtype=np.float32))).all()


def test_a_scope_without_vectors_is_no_error(index: VectorIndex) -> None:
    held, _ = snapshot(0)

    assert np.isnan(index.nearness(held, unit(2, 1)[0])).all()
