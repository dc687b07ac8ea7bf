"""A chat model without a model: it says what it is told to say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from pydantic import BaseModel

from omoide.domain.chat import Answer, Task, Turn, Usage
from omoide.domain.text import tokens
from omoide.errors import ModelUnavailable, UnreadableAnswer
from omoide.prompts.parsing import Unreadable, read_answer, read_value

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

T = TypeVar("T")

Piece: TypeAlias = str | Exception
Saying: TypeAlias = str | BaseModel | Mapping[str, object] | Exception | Sequence[Piece]
"""What a scripted model says once: a text, the value of a typed answer, an error, or a reply in pieces, of
which one may be an error."""

Script: TypeAlias = Iterable[Saying] | Callable[[Sequence[Turn]], Saying]
"""Sayings in their order, or a rule that makes one of the turns that were shown."""

_PIECE: Final = 4
"""Characters in a piece of a reply that was given whole."""


class ScriptedModel:
    """A chat model that answers by script or rule, and notes what it was shown.

    It is a `ChatModel`, and also `ChatModels` in which it does all tasks. A text as a typed answer is read
    like that of a real model; there is no repair.

    Args:
        replies: what it says where a reply is asked for.
        answers: what it says where a typed answer is asked for.
        name: the model's name.
    """

    def __init__(self, *, replies: Script = (), answers: Script = (), name: str = "scripted") -> None:
        self._replies = _rule(replies, what="replies")
        self._answers = _rule(answers, what="answers")
        self._name = name
        self.seen: list[tuple[Turn, ...]] = []
        self.costs: dict[Task, Usage] = {}

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    async def stream(self, turns: Sequence[Turn]) -> AsyncIterator[str]:
        """The next reply, piece by piece.

        Raises:
            ModelUnavailable: the script has no more of them.
        """
        self.seen.append(tuple(turns))
        for piece in _pieces(self._replies(turns)):
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def answer(self, turns: Sequence[Turn], form: type[T]) -> Answer[T]:
        """The next answer.

        Raises:
            ModelUnavailable: the script has no more of them.
            UnreadableAnswer: what the script says is not of this type.
        """
        self.seen.append(tuple(turns))
        saying = self._answers(turns)
        if isinstance(saying, Exception):
            raise saying
        value = _typed(saying, form)
        if isinstance(value, Unreadable):
            msg = f"the script's answer is no {form.__name__}: {value.problem}"
            raise UnreadableAnswer(msg, expected=value.expected)
        prompt = sum(tokens(turn.text) for turn in turns)
        return Answer(value=value, usage=Usage(calls=1, prompt=prompt, answer=tokens(str(saying))))

    async def model(self, task: Task) -> ScriptedModel:
        """Itself, for every task."""
        return self

    def offer(self, model: str, *, key: str | None) -> None:
        """Nothing: it does every task itself."""

    def spent(self, task: Task, usage: Usage) -> None:
        """Count what a task has cost, in `costs`."""
        self.costs[task] = self.costs.get(task, Usage()) + usage

    async def aclose(self) -> None:
        """Nothing to close."""


def _rule(script: Script, *, what: str) -> Callable[[Sequence[Turn]], Saying]:
    if callable(script):
        return script
    sayings = iter(script)

    def following(_turns: Sequence[Turn]) -> Saying:
        for saying in sayings:
            return saying
        msg = f"the script has no more {what}"
        raise ModelUnavailable(msg)

    return following


def _pieces(saying: Saying) -> Sequence[Piece]:
    if isinstance(saying, BaseModel | Mapping):
        msg = f"a reply is a text, not {type(saying).__name__}"
        raise TypeError(msg)
    if isinstance(saying, Exception):
        return [saying]
    if isinstance(saying, str):
        return [saying[start : start + _PIECE] for start in range(0, len(saying), _PIECE)]
    return saying


def _typed(saying: Saying, form: type[T]) -> T | Unreadable:
    if isinstance(saying, form):
        return saying
    if isinstance(saying, str):
        return read_answer(saying, form)
    return read_value(saying.model_dump() if isinstance(saying, BaseModel) else saying, form)
