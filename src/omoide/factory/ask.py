"""Asking models: within the time that is left, counted, and traced."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import BaseModel

from omoide import tracing
from omoide.domain.chat import Task, Usage
from omoide.errors import ModelUnavailable
from omoide.factory.spoken import LONGEST, heard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from contextlib import AbstractContextManager

    from omoide.domain.chat import ChatModel, Turn
    from omoide.engine import Engine
    from omoide.factory.cast import Player

Form = TypeVar("Form", bound=BaseModel)

ANSWERS: Final = {Task.DISCUSSION: LONGEST + 100, Task.DIARY: 800, Task.JUDGING: 500, Task.SAFETY: 250}
"""Tokens that an answer is reckoned to take at most, before it is asked for; most take less than half."""


class NoRoom(Exception):
    """The next call may take more tokens than are left; nothing was asked. It never leaves this package.

    Attributes:
        needed: what the call may take.
    """

    def __init__(self, needed: int) -> None:
        super().__init__()
        self.needed = needed


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

    async def answer(
        self, task: Task, turns: Sequence[Turn], form: type[Form], *, left: int
    ) -> tuple[Form, Usage]:
        """A typed answer, and what it cost.

        Args:
            task: what it is for.
            turns: the prompt.
            form: the type.
            left: tokens that it may take.

        Raises:
            ModelError: there is none.
            NoRoom: it may take more tokens than are left.
            TimeUp: the time is up.
        """
        _check_room(task, turns, left)
        model = await self._model(task)
        with self._span(model, "json") as traced:
            traced.shown(turns)
            async with self._in_time(turns):
                answer = await model.answer(turns, form)
            self.engine.models.spent(task, answer.usage)
            traced.cost(answer.usage)
            traced.said(answer.value.model_dump_json())
            return answer.value, answer.usage

    async def words(
        self, task: Task, turns: Sequence[Turn], player: Player, *, left: int
    ) -> tuple[str, Usage]:
        """What a character says, and what it cost as we estimate it; raises as `answer` does."""
        _check_room(task, turns, left)
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


def _check_room(task: Task, turns: Sequence[Turn], left: int) -> None:
    needed = Usage.of_prompt(turns).prompt + ANSWERS[task]
    if needed > left:
        raise NoRoom(needed)
