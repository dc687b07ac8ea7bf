"""Names as people are called by them, without the grammar that clings to them (F97)."""

from __future__ import annotations

import regex

_QUOTES = "'\"“”‘’「」『』《》〈〉"
_CLINGING = regex.compile(
    r"(?<=\p{Hangul}{2})(?:이?라고|이라|님?이라고)$"
    r"|(?<=\p{Hangul}{2})(?:으로|로)$"
    r"|(?<=[\p{Hiragana}\p{Katakana}\p{Han}ー])(?:って|と|で)$"
    r"|(?<=\p{Han}{2})(?:就好了?|就行了?|吧|好了)$"
)
_LONGEST = 40
"""Graphemes of a name at most; what is longer is no name."""


def bare(name: str) -> str:
    """The name alone, without quotes and without the particles of "call me …"; empty where it is none."""
    stripped = " ".join(name.split()).strip(_QUOTES + " .,!?。、！？~")
    stripped = _CLINGING.sub("", stripped).strip(_QUOTES + " ")
    return stripped if len(stripped) <= _LONGEST else ""
