"""Facts come to mind from a likeness up that belongs to the embedding space (H13)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from opening import opened

from omoide.domain.embedding import EmbeddingIdentity, Thresholds
from omoide.models.thresholds import thresholds_for

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


class Likeness:
    """An embedder of a family that nobody measured, in which facts have a chosen likeness to every query."""

    identity = EmbeddingIdentity(backend="testing", model="likeness", dimensions=8)
    thresholds = Thresholds()

    def __init__(self, likeness: float) -> None:
        self.likeness = likeness

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.eye(8, dtype=np.float32)[0]

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        one = np.zeros(8, dtype=np.float32)
        one[0], one[1] = self.likeness, math.sqrt(1.0 - self.likeness**2)
        return np.tile(one, (len(texts), 1))

    async def aclose(self) -> None: ...


@pytest.mark.proves("H13")
@pytest.mark.parametrize(("likeness", "found"), [(0.69, 0), (0.71, 1), (0.95, 1)])
async def test_a_fact_comes_from_a_likeness_of_seven_tenths_up(
    tmp_path: Path, likeness: float, found: int
) -> None:
    async with opened(tmp_path, embedder=Likeness(likeness)) as omoide:
        scope = omoide.scope(user="mina", character="haru")
        await scope.remember("plays the cello in an orchestra")
        await scope.vectorise()
        recall = await scope.recall("Anything new at rehearsals?")
        assert len(recall.memories) == found


@pytest.mark.proves("H13")
def test_a_family_with_compressed_cosines_has_a_threshold_of_its_own() -> None:
    assert Thresholds().relevant == 0.7
    assert thresholds_for("intfloat/multilingual-e5-small").relevant != Thresholds().relevant
