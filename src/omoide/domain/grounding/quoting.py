"""Finding quoted words in the message that they were said in, however the quote is spaced and pointed."""

from __future__ import annotations

import unicodedata

import regex

_GRAPHEME = regex.compile(r"\X")
_KEPT = regex.compile(r"[\p{L}\p{N}\p{M}]")
_DENSE = regex.compile(r"[\p{Hangul}\p{Hiragana}\p{Katakana}\p{Han}]")
_GAP = regex.compile(r"…+|\.{3,}|⋯+")
_LEAST_DENSE, _LEAST = 2, 3
"""Letters that a quote has at least: of Hangul, kana and Han, and of other scripts."""


def locate(words: str, text: str) -> tuple[int, int] | None:
    """Where words stand in a text: from the first character to behind the last one, in whole graphemes.

    Letters and digits count, in any width, case and composition; spaces and punctuation do not. A quote that
    leaves something out with an ellipsis is found by its parts, in their order.

    Returns:
        None where they do not stand there, or are too few to tell: below 2 letters of Korean, Japanese or
        Chinese, or 3 of others, unless they are the whole text.
    """
    shown, starts, ends = _letters(text)
    parts = [_letters(part)[0] for part in _GAP.split(words)]
    parts = [part for part in parts if part]
    if not parts or (not _enough("".join(parts)) and "".join(parts) != shown):
        return None
    first = at = -1
    for part in parts:
        at = shown.find(part, max(0, at))
        if at < 0:
            return None
        first = at if first < 0 else first
        at += len(part)
    return starts[first], ends[at - 1]


def _letters(text: str) -> tuple[str, list[int], list[int]]:
    """The letters and digits of a text, with where each one's grapheme begins and ends."""
    kept: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _GRAPHEME.finditer(text):
        for character in unicodedata.normalize("NFKC", match.group()).casefold():
            if _KEPT.match(character):
                kept.append(character)
                starts.append(match.start())
                ends.append(match.end())
    return "".join(kept), starts, ends


def _enough(kept: str) -> bool:
    return len(kept) >= (_LEAST_DENSE if _DENSE.search(kept) else _LEAST)
