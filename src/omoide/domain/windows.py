"""Windows: which messages one extraction reads (P2, ruling 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain.model import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_TOKENS = 6_000
"""Tokens of talk in one window at most; a single message that is longer is a window of its own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """A stretch of messages that one extraction reads.

    Attributes:
        id: its number in the store.
        messages: the numbers of the messages, in log order.
        context: up to a few messages before them, which help to understand and are never cited.
        attempts: which attempt this is, from 1; whoever holds an older number has lost the window.
    """

    id: int
    messages: tuple[int, ...]
    context: tuple[int, ...] = ()
    attempts: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Uncovered:
    """A settled message that no window holds yet."""

    number: int
    role: Role
    tokens: int


def next_window(uncovered: Sequence[Uncovered], *, size: int, quiet: bool) -> tuple[int, ...]:
    """The numbers of the messages that the next window holds; empty if there is none yet.

    A window ends before the user message after its last one, so that replies stay with what they answer.

    Args:
        uncovered: in log order, over all sessions of the scope.
        size: user messages that make a window.
        quiet: whether it has been quiet for so long that fewer will do, as long as there is one.
    """
    held: list[int] = []
    asked = tokens = 0
    for message in uncovered:
        from_user = message.role is Role.USER
        full = asked >= size if from_user else False
        if held and (full or tokens + message.tokens > MOST_TOKENS):
            return tuple(held)
        held.append(message.number)
        asked += from_user
        tokens += message.tokens
    return tuple(held) if asked >= size or (quiet and asked) or tokens >= MOST_TOKENS else ()
