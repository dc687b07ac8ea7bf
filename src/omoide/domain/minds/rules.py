"""What the rules on minds of one language are made of (K5, K10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex


@dataclass(frozen=True, kw_only=True, slots=True)
class MindRules:
    """How a language tells what goes on in somebody, and how it guesses.

    Attributes:
        knowing: another's mind told as a fact; ``NAMES`` stands for those of others.
        reading: reading minds, by whatever name.
        somebody: others without their names.
        called: where ``NAMES`` are somebody's, and not a part of a longer word.
        behind: what may stand behind a name and still belongs to it.
        hedges: what makes a guess or a report of it, or says that it cannot be known.
        apart: where a sentence goes on with something that a guess made before does not hold for.
        against: where it goes on with something whose guess does not hold for what came before.
        inward: what goes on inside, where what was to be seen is told without the one who does it.
        persons: who does what only persons do; the group ``name`` is what the text calls them.
        joints: where what somebody does goes on with something else that the same one does.
    """

    knowing: tuple[str, ...]
    reading: str
    somebody: str
    called: str = "(?:NAMES)"
    behind: str = ""
    hedges: regex.Pattern[str]
    apart: regex.Pattern[str]
    against: regex.Pattern[str]
    inward: regex.Pattern[str]
    persons: regex.Pattern[str]
    joints: regex.Pattern[str]


def any_of(words: str) -> str:
    """A pattern of any of these, apart by blanks; ``_`` is a blank of the text."""
    return f"(?:{'|'.join(words.split()).replace('_', chr(92) + 's')})"
