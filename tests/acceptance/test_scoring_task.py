"""The task that scores exchanges has a model of its own, where a row sets one (P4, H8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from extracting import answer, fact
from opening import opened

from omoide.domain.chat import Task, Usage
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SAID = "나는 어릴 때부터 개가 무서워"
READ = answer(facts=[fact("개를 무서워한다", 1, "개가 무서워")])


class ByTask:
    """A model for each task; none for the others."""

    def __init__(self, **models: ScriptedModel) -> None:
        self._models = models
        self.costs: Mapping[Task, Usage] = {}

    async def model(self, task: Task) -> ScriptedModel | None:
        return self._models.get(task.value)

    def offer(self, model: str, *, key: str | None) -> None:
        """Nothing."""

    def spent(self, task: Task, usage: Usage) -> None:
        self.costs = {**self.costs, task: self.costs.get(task, Usage()) + usage}

    async def aclose(self) -> None:
        """Nothing."""


@pytest.mark.proves("P4")
@pytest.mark.proves("H8")
@pytest.mark.parametrize("own", [True, False])
async def test_scoring_is_done_by_the_model_of_its_task_and_else_by_the_one_that_reads(
    tmp_path: Path, own: bool
) -> None:
    score: dict[str, Any] = {"score": 0.9}
    reader = ScriptedModel(answers=[READ] if own else [READ, score])
    scorer = ScriptedModel(answers=[score])
    models = ByTask(extraction=reader, **({"scoring": scorer} if own else {}))
    async with opened(tmp_path, models=models, scoring="model", window=1, worker=False) as omoide:
        await omoide.scope(user="haneul", character="dalbi").observe(SAID, "그랬구나", session="s")
        (run,) = await omoide.worker.once()

    assert run.failure is None
    assert dict(run.kept) == {"fact": 1}
    assert (len(reader.seen), len(scorer.seen)) == ((1, 1) if own else (2, 0))
    assert {task: usage.calls for task, usage in models.costs.items()} == {
        Task.EXTRACTION: 1,
        Task.SCORING: 1,
    }
    assert run.usage.calls == 2
