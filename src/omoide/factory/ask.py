"""Asking models: within the time that is left, counted, and traced."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from omoide import tracing
from omoide.domain.chat import Usage
from omoide.errors import ModelUnavailable
from omoide.factory.spoken import heard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from contextlib import AbstractContextManager

    from omoide.domain.chat import ChatModel, Task, Turn
    from omoide.engine import Engine
    from omoide.factory.cast import Player

Form = TypeVar("Form", bound=BaseModel)


class TimeUp(Exception):
    """The time of a run is up; it never leaves this package.

    Attributes:
        usage: what the call has cost that was under way, as we estimate it.
    """

    def __init__(self, usage: Usage) -> None:
        super().__init__()
        self.usage = usage


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking:
    """What all calls of one run share.

    Attributes:
        engine: knows the models.
        job: whose calls they are.
        deadline: when the run has to end, by the event loop's clock.
    """

    engine: Engine
    job: str
    deadline: float

    def check_time(self) -> None:
        """See that there is time left.

        Raises:
            TimeUp: there is none.
        """
        if asyncio.get_running_loop().time() >= self.deadline:
            raise TimeUp(Usage())

    async def answer(self, task: Task, turns: Sequence[Turn], form: type[Form]) -> tuple[Form, Usage]:
        """A typed answer, and what it cost.

        Raises:
            ModelError: there is none.
            TimeUp: the time is up.
        """
        model = await self._model(task)
        with self._span(model, "json") as traced:
            traced.shown(turns)
            async with self._in_time(turns):
                answer = await model.answer(turns, form)
            self.engine.models.spent(task, answer.usage)
            traced.cost(answer.usage)
            traced.said(answer.value.model_dump_json())
            return answer.value, answer.usage

    async def words(self, task: Task, turns: Sequence[Turn], player: Player) -> tuple[str, Usage]:
        """What a character says, and what it cost as we estimate it; raises as `answer` does."""
        model = await self._model(task)
        with self._span(model, "text") as traced:
            traced.shown(turns)
            async with self._in_time(turns):
                text, came = await heard(model, turns, player)
            usage = Usage.of_prompt(turns) + Usage(answer=came)
            traced.cost(usage)
            traced.said(text)
            return text, usage

    @asynccontextmanager
    async def _in_time(self, turns: Sequence[Turn]) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout_at(self.deadline):
                yield
        except TimeoutError:
            raise TimeUp(Usage.of_prompt(turns)) from None

    async def _model(self, task: Task) -> ChatModel:
        model = await self.engine.models.model(task)
        if model is None:
            name = task.value
            msg = f"no model is set for {name}; say `omoide models set {name} MODEL`, or set model"
            raise ModelUnavailable(msg)
        return model

    def _span(self, model: ChatModel, output: str) -> AbstractContextManager[tracing.Traced]:
        return tracing.span(
            f"chat {model.name}",
            operation=tracing.CHAT,
            client=True,
            values={
                tracing.MODEL: model.name,
                tracing.PROVIDER: self.engine.settings.model_provider,
                tracing.CONVERSATION: self.job,
                tracing.OUTPUT_TYPE: output,
            },
        )
