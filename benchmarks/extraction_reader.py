"""The worker at work on one conversation: what it reads, what that costs, and what comes of it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from omoide.domain.chat import Answer, Task
from omoide.errors import OmoideError
from omoide.retain.extraction.schema import Reading
from omoide.retain.worker import Outcome, Worker
from omoide.stores.leases import DatabaseLeases

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from pathlib import Path

    from benchmarks.vectors import RememberingEmbedder
    from omoide import Omoide, Scope
    from omoide.domain.chat import ChatModel, Turn
    from omoide.domain.windows import Window
    from omoide.retain.extraction.extract import Extracted, Extractor
    from omoide.retain.worker import WindowRun
    from omoide.stores.scopes import ScopeRow
    from omoide.testing import FixedClock

T = TypeVar("T")

_TRIES = 3
"""Tries of a window; after as many the worker goes past it."""


class Stopped(Exception):
    """The model cannot be asked now; what was read stays, and another run goes on."""


@dataclass
class Limit:
    """How many windows may be read in all, those of earlier runs included; None for any number."""

    most: int | None
    read: int = 0

    @property
    def reached(self) -> bool:
        """Whether no more may be read."""
        return self.most is not None and self.read >= self.most


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What conversations are played on.

    Attributes:
        folder: where stores and reports lie.
        settings: of every store: the model and how to reach it.
        embedder: lent to every store; None for words only.
        limit: of windows.
    """

    folder: Path
    settings: dict[str, Any]
    embedder: RememberingEmbedder | None
    limit: Limit

    @property
    def reports(self) -> Path:
        """The file with a line for each window that was read, its answer included."""
        return self.folder / "windows.jsonl"


@dataclass
class _Heard:
    """What is known of a window while it is read."""

    messages: int
    answer: dict[str, Any] = field(default_factory=dict)
    parts: dict[str, int] = field(default_factory=dict)


class Reader:
    """Reads what is due with the worker, and writes a line about each window.

    Args:
        omoide: the store.
        scope: the conversation's scope.
        conversation: its name.
        stage: where the lines go, and how many windows may be read.
        clock: the store's; it moves on to the next try of a window that failed.
    """

    def __init__(
        self, omoide: Omoide, scope: Scope, conversation: str, stage: Stage, *, clock: FixedClock
    ) -> None:
        self._omoide = omoide
        self._scope = scope
        self._conversation = conversation
        self._stage = stage
        self._clock = clock
        self._noting = _NotingExtractor(omoide.extractor)
        self._worker = Worker(
            omoide.store,
            self._noting,
            omoide.models,
            DatabaseLeases(omoide.store),
            settings=omoide.settings,
            run=omoide.run,
        )
        self.quiet_minutes = omoide.settings.window_quiet_minutes

    async def read(self) -> None:
        """Read every window that is due; one that fails is tried as often as the worker would.

        Raises:
            Stopped: the model cannot be asked.
        """
        row = self._omoide.store.scope(self._scope.user, self._scope.character)
        if row is None or self._stage.limit.reached:
            return
        for _ in range(_TRIES):
            runs = await self._runs(row)
            for run in runs:
                self._note(run)
            if not runs or runs[-1].outcome is not Outcome.FAILED:
                return
            if (runs[-1].failure or "").startswith("ModelUnavailable"):
                raise Stopped(runs[-1].failure)
            self._clock.advance(timedelta(hours=1))

    async def _runs(self, row: ScopeRow) -> list[WindowRun]:
        try:
            if await self._omoide.models.model(Task.EXTRACTION) is None:
                msg = "no model is set for extraction"
                raise Stopped(msg)
            return await self._worker.scope(row)
        except OmoideError as error:
            raise Stopped(str(error)) from error

    def _note(self, run: WindowRun) -> None:
        heard = self._noting.heard.pop(run.window, _Heard(messages=0))
        line = {
            "conversation": self._conversation,
            "window": run.window,
            "messages": heard.messages,
            "outcome": run.outcome.value,
            "failure": run.failure,
            "calls": run.usage.calls,
            "prompt_tokens": run.usage.prompt,
            "answer_tokens": run.usage.answer,
            "parts": heard.parts,
            "kept": dict(run.kept),
            "dropped": dict(run.dropped),
            "answer": heard.answer,
        }
        self._stage.limit.read += run.outcome is Outcome.READ
        with self._stage.reports.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        told = run.failure or f"kept {listed(run.kept)}; dropped {listed(run.dropped)}"
        done = f"{self._stage.limit.read} read"
        if self._stage.limit.most is not None:
            done += f" of {self._stage.limit.most}"
        print(f"[{done}] {self._conversation}, window {run.window}: {told}", file=sys.stderr, flush=True)


def listed(counts: Mapping[str, int]) -> str:
    """Counts for people."""
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "nothing"


class _NotingExtractor:
    """The engine's extractor, of which the answers and the parts of the prompts are noted."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self.heard: dict[int, _Heard] = {}

    async def extract(self, scope: ScopeRow, window: Window, model: ChatModel) -> Extracted:
        """Read a window."""
        heard = self.heard[window.id] = _Heard(messages=len(window.messages))
        found = await self._extractor.extract(scope, window, _NotingModel(model, heard))
        heard.parts = dict(found.parts)
        return found


class _NotingModel:
    """A model of which the readings are noted."""

    def __init__(self, model: ChatModel, heard: _Heard) -> None:
        self._model = model
        self._heard = heard

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def stream(self, turns: Sequence[Turn]) -> AsyncIterator[str]:
        """The model's reply."""
        return self._model.stream(turns)

    async def answer(self, turns: Sequence[Turn], form: type[T]) -> Answer[T]:
        """The model's answer."""
        answer = await self._model.answer(turns, form)
        if isinstance(answer.value, Reading):
            self._heard.answer = answer.value.model_dump(mode="json")
        return answer

    async def aclose(self) -> None:
        """Nothing: others use the model too."""
