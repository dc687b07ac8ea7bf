"""A discussion as far as it has come: all that a step needs, so that a break costs one step at most."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from omoide.factory.answers import Dangers, DiaryAnswer, Marks

if TYPE_CHECKING:
    from omoide.domain.chat import Usage


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Movement(StrEnum):
    """The four movements of a discussion: ki, shō, ten, ketsu."""

    INTRODUCTION = "introduction"
    DEVELOPMENT = "development"
    TURN = "turn"
    CONCLUSION = "conclusion"


class Outcome(StrEnum):
    """What became of a memory: a candidate waits for an author."""

    CONFIRMED = "confirmed"
    CANDIDATE = "candidate"
    REJECTED = "rejected"


class Limits(_Kept):
    """What a discussion may cost.

    Attributes:
        turns: of the talk.
        tokens: of all prompts and answers, those of memories, judge and safety check included.
        seconds: of one run; a resumed one has as many again.
        review: whether memories wait for an author.
        bar: what a judge gives at least by each criterion, 0 to 10.
    """

    turns: Annotated[int, Field(ge=2, le=200)]
    tokens: Annotated[int, Field(ge=1_000)]
    seconds: Annotated[float, Field(gt=0, le=86_400)]
    review: bool
    bar: Annotated[float, Field(ge=0, le=10)]


class Spoken(_Kept):
    """One turn of the talk; without words where the character had nothing to say that could be used."""

    character: str
    movement: Movement
    text: str


class Version(_Kept):
    """One writing of a memory, and what was found out about it.

    Attributes:
        diary: what the character wrote; None where it could not be read.
        memory: its id in the store.
        refused: what the rules have against it; None before they were asked.
        marks: what the judge says.
        unjudged: why there are no marks that count.
        dangers: what the safety check says.
        unchecked: why there is none.
        reasons: why it did not pass, and what of it was left out; None before that was decided.
    """

    diary: DiaryAnswer | None = None
    memory: str | None = None
    refused: tuple[str, ...] | None = None
    marks: Marks | None = None
    unjudged: str = ""
    dangers: Dangers | None = None
    unchecked: str = ""
    reasons: tuple[str, ...] | None = None


class Account(_Kept):
    """What one character remembers of the talk: at most two writings, the second one a revision."""

    character: str
    versions: tuple[Version, ...] = ()
    outcome: Outcome | None = None
    decided_because: str = ""

    def with_last(self, version: Version) -> Account:
        """The same with another last version."""
        return self.model_copy(update={"versions": (*self.versions[:-1], version)})


class Spent(_Kept):
    """What all calls to models have cost."""

    calls: int = 0
    prompt: int = 0
    answer: int = 0

    @property
    def tokens(self) -> int:
        """Of prompts and answers together."""
        return self.prompt + self.answer

    def and_(self, usage: Usage) -> Spent:
        """Both together."""
        return Spent(
            calls=self.calls + usage.calls,
            prompt=self.prompt + usage.prompt,
            answer=self.answer + usage.answer,
        )


class Discussion(_Kept):
    """A discussion.

    Attributes:
        topic: what it is about.
        characters: the ids of those who take part, in the order in which they speak.
        names: what memories call them, in the same order.
        limits: what it may cost.
        spoken: the talk so far.
        cut: why the talk ended early; empty where it did not.
        accounts: what became of each character's memory, in their order.
        spent: what all calls have cost.
        event: the shared event that its memories tell of; empty while there is none.
        trouble: why it cannot go on for now.
    """

    topic: str
    characters: tuple[str, ...]
    limits: Limits
    names: tuple[str, ...] = ()
    spoken: tuple[Spoken, ...] = ()
    cut: str = ""
    accounts: tuple[Account, ...] = ()
    spent: Spent = Spent()
    event: str = ""
    trouble: str = ""

    @property
    def left(self) -> int:
        """Tokens that it may still take."""
        return self.limits.tokens - self.spent.tokens

    def account(self, character: str) -> Account:
        """What became of a character's memory."""
        found = (account for account in self.accounts if account.character == character)
        return next(found, Account(character=character))

    def with_account(self, changed: Account) -> Discussion:
        """The same with another account of that character."""
        every = (self.account(character) for character in self.characters)
        accounts = tuple(changed if one.character == changed.character else one for one in every)
        return self.model_copy(update={"accounts": accounts})
