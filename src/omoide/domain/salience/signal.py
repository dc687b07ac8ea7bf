"""The kinds of signal, and how the patterns of a language are put together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum


class Signal(StrEnum):
    """What a turn speaks of that makes it worth more (H7)."""

    LIKES = "likes"
    DISLIKES = "dislikes"
    OCCASIONS = "occasions"
    """Birthdays, anniversaries, weddings, graduations."""
    NAMES = "names"
    """Names, and what to call someone."""
    HABITS = "habits"
    """What is always or never so."""
    FIRSTS = "firsts"
    """Firsts, lasts and onlys."""
    WARMTH = "warmth"
    """Thanks, love, missing someone."""
    HARDSHIP = "hardship"
    """Fear, hardship, loneliness, sadness."""


Rules = Mapping[Signal, re.Pattern[str]]


def compiled(patterns: Mapping[Signal, str], *, before: str = "") -> Rules:
    r"""Compile the patterns of a language, which are written over many lines and match folded text.

    A space within a pattern is written ``\s``. What stands ``before`` every match, such as the edge of a
    word, is looked at once for all alternatives, which makes it several times faster.
    """
    return {signal: re.compile(f"{before}(?:{pattern})", re.VERBOSE) for signal, pattern in patterns.items()}
