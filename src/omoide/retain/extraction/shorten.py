"""Of messages too long to be read whole, both ends: what a flood of words costs is bounded (P2, F33)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from omoide.domain.text import cut_tokens, last_tokens, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.retain.extraction.view import Line

_TALK: Final = 12_000
"""Tokens of a window's talk from which long messages are read by their ends."""

_LEAST: Final = 200
"""Tokens of each message that are read in any case."""

_ELLIPSIS: Final = "…"
GAP: Final = " […] "
"""What stands for what is left out."""


def shortened(lines: Sequence[Line]) -> list[Line]:
    """The messages of a window, of those that are too long for it the beginning and the end."""
    sizes = [tokens(line.text) for line in lines]
    if sum(sizes) <= _TALK:
        return list(lines)
    share = max(_LEAST, _TALK // len(lines))
    return [
        line if size <= share else _shortened(line, share) for line, size in zip(lines, sizes, strict=True)
    ]


def _shortened(line: Line, share: int) -> Line:
    beginning, end = both_ends(line.text, share)
    resumes = len(beginning) + len(GAP)
    skipped = len(line.text) - len(end) - resumes
    return replace(line, text=f"{beginning}{GAP}{end}", resumes=resumes, skipped=skipped)


def both_ends(text: str, most: int) -> tuple[str, str]:
    """The beginning and the end of a text, of so many tokens together."""
    return cut_tokens(text, most - most // 2).removesuffix(_ELLIPSIS), last_tokens(text, most // 2)
