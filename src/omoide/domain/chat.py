"""What passes between the engine and chat models: turns, answers, what they cost, and the port itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Generic, Literal, Protocol, TypeVar

from omoide.domain.text import tokens

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

T = TypeVar("T")


class Task(StrEnum):
    """What a chat model is used for; which model does which task is a row that changes at run time (P4)."""

    CHAT = "chat"
    EXTRACTION = "extraction"
    SCORING = "scoring"
    DISCUSSION = "discussion"
    DIARY = "diary"
    JUDGING = "judging"
    SAFETY = "safety"


BACKGROUND: Final = tuple(task for task in Task if task is not Task.CHAT)
"""Tasks that go on by themselves, and share the tokens of a day; replies that somebody waits for do not."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a prompt, in the roles of the wire. At most one system turn, and it comes first."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """What calls to a model cost.

    Attributes:
        calls: requests, repairs and retries included.
        prompt, answer: tokens as the server counts them, or as we estimate them where it does not tell.
    """

    calls: int = 0
    prompt: int = 0
    answer: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Both together."""
        return Usage(
            calls=self.calls + other.calls,
            prompt=self.prompt + other.prompt,
            answer=self.answer + other.answer,
        )

    @property
    def tokens(self) -> int:
        """Of prompts and answers together."""
        return self.prompt + self.answer

    @classmethod
    def of_prompt(cls, turns: Sequence[Turn]) -> Usage:
        """What a call costs before anything is answered, as we estimate it."""
        return cls(calls=1, prompt=sum(tokens(turn.text) for turn in turns))


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer(Generic[T]):
    """A model's answer as the type that was asked for, and what it cost."""

    value: T
    usage: Usage


class ChatModel(Protocol):
    """A chat model behind two methods.

    Both raise `omoide.errors.ModelError`: `ModelUnavailable` where the server cannot be reached, fails, is
    too slow or limits the rate, `ModelRefused` where it answers with nothing or declines, and
    `UnreadableAnswer` where what it says is not of the type, also after one repair.
    """

    @property
    def name(self) -> str:
        """The model's name, for reports."""

    def stream(self, turns: Sequence[Turn]) -> AsyncIterator[str]:
        """The reply, piece by piece as it comes; closing the iterator ends the request."""

    async def answer(self, turns: Sequence[Turn], form: type[T]) -> Answer[T]:
        """An answer of a given type, which is a pydantic model."""

    async def aclose(self) -> None:
        """Let go of connections."""


class ChatModels(Protocol):
    """Which model does which task, as it is set at this moment (P4)."""

    @property
    def costs(self) -> Mapping[Task, Usage]:
        """What each task has cost in this process."""

    async def model(self, task: Task) -> ChatModel | None:
        """The model of a task; None where none is set. It stays open, for others use it too.

        Raises `omoide.errors.ModelUnavailable` where one is set that cannot be used now: what is set is
        wrong, or its server is left alone for a while; `TokensSpent` where the day's tokens are spent, which
        concerns tasks in the background only.
        """

    def offer(self, model: str, *, key: str | None) -> None:
        """Know of a model that a chat uses through the proxy: it does the tasks that have none of their own.

        Args:
            model: its name on the upstream.
            key: the client's own API key there, which is held in memory only.
        """

    def spent(self, task: Task, usage: Usage) -> None:
        """Count what an answer has cost; replies, and answers that failed, are counted by the model."""

    async def aclose(self) -> None:
        """Close all models."""
