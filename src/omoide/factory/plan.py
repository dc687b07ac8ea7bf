"""Who speaks when, and what comes next: pure rules on how far a discussion has come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from omoide.errors import InvalidInput
from omoide.factory.record import Movement, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.factory.record import Account, Discussion

FEWEST: Final = 2
MOST: Final = 12
"""Characters in one discussion."""

WRITINGS: Final = 2
"""A memory is written once, and revised once (K10)."""

TALK: Final = 0.6
"""The part of all tokens that the talk may take; the rest is for the memories."""


class Step(StrEnum):
    """One thing to do; what has been done is written down after each."""

    SPEAK = "speak"
    WRITE = "write"
    KEEP = "keep"
    JUDGE = "judge"
    CHECK = "check"
    DECIDE = "decide"


@dataclass(frozen=True, kw_only=True, slots=True)
class Due:
    """A step, the character that it concerns, and the movement that a turn belongs to."""

    step: Step
    character: str
    movement: Movement = Movement.INTRODUCTION


def check_cast(characters: Sequence[str], *, turns: int) -> None:
    """See that these can hold a discussion.

    Raises:
        InvalidInput: too few or too many, one named twice, or fewer turns than characters or movements.
    """
    if not FEWEST <= len(characters) <= MOST:
        msg = (
            f"a discussion has {FEWEST} to {MOST} characters, got {len(characters)}; "
            "name them as --with a,b,c"
        )
        raise InvalidInput(msg)
    doubled = sorted({name for name in characters if characters.count(name) > 1})
    if doubled:
        msg = f"each character takes part once, got {', '.join(map(repr, doubled))} more than once"
        raise InvalidInput(msg)
    least = max(len(characters), len(Movement))
    if turns < least:
        msg = f"{len(characters)} characters need {least} turns or more, got turns={turns!r}"
        raise InvalidInput(msg)


def schedule(characters: Sequence[str], *, turns: int) -> list[tuple[Movement, str]]:
    """The turns of a talk, one character after another: each once a movement where there are enough turns."""
    count = min(turns, len(characters) * len(Movement))
    movements = [list(Movement)[place * len(Movement) // count] for place in range(count)]
    return [(movement, characters[place % len(characters)]) for place, movement in enumerate(movements)]


def due(discussion: Discussion) -> Due | None:
    """What comes next; None where all is done that can be done without an author."""
    turns = schedule(discussion.characters, turns=discussion.limits.turns)
    if not discussion.cut and len(discussion.spoken) < len(turns):
        movement, character = turns[len(discussion.spoken)]
        return Due(step=Step.SPEAK, character=character, movement=movement)
    for character in discussion.characters:
        step = _next(discussion.account(character))
        if step is not None:
            return Due(step=step, character=character)
    return None


def left_of_talk(discussion: Discussion) -> int:
    """Tokens that the talk may still take."""
    return int(discussion.limits.tokens * TALK) - discussion.spent.tokens


def cut(discussion: Discussion, *, needed: int) -> Discussion:
    """The discussion with its talk ended before its time, for the next turn may take too many tokens."""
    spent, most = discussion.spent.tokens, int(discussion.limits.tokens * TALK)
    why = (
        f"the talk was cut after {len(discussion.spoken)} turns: it took {spent} tokens of {most}, and the "
        f"next turn may take {needed}"
    )
    return discussion.model_copy(update={"cut": why})


def is_mute(discussion: Discussion) -> bool:
    """Whether so few have said anything that there is nothing to remember."""
    return len({spoken.character for spoken in discussion.spoken if spoken.text}) < FEWEST


def waits(discussion: Discussion) -> bool:
    """Whether an author has something to decide."""
    return any(account.outcome is Outcome.CANDIDATE for account in discussion.accounts)


def _next(account: Account) -> Step | None:
    if account.outcome is not None:
        return None
    last = account.versions[-1] if account.versions else None
    if last is None or last.reasons is not None:
        return Step.WRITE
    if last.diary is None or last.refused:
        return Step.DECIDE if last.diary is None or last.memory else Step.KEEP
    if last.memory is None:
        return Step.KEEP
    if last.marks is None and not last.unjudged:
        return Step.JUDGE
    if last.dangers is None and not last.unchecked:
        return Step.CHECK
    return Step.DECIDE
