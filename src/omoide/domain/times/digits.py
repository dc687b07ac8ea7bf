"""Dates in figures alone: 2023-05-07, and 25/12/2023 where the order of day and month is clear."""

from __future__ import annotations

import re

from omoide.domain.times.lexicon import Lexicon

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_MONTH = r"(?P<month>0?[1-9]|1[0-2])"
_NO_MONTH = r"1[3-9]|2\d|3[01]"
_SIGN, _SAME_SIGN = r"(?P<sign>[-/.])\s?", r"(?P=sign)\s?"
_START, _END = r"(?<![\d./-])", r"(?![\d/-])"

_PATTERNS = (
    rf"{_START}{_YEAR}{_SIGN}(?P<month>\d{{1,2}}){_SAME_SIGN}(?P<day>\d{{1,2}}){_END}",
    # The order is clear where one of the two can be no month, or where both are the same.
    rf"{_START}{_MONTH}{_SIGN}(?P<day>{_NO_MONTH}|(?P=month)){_SAME_SIGN}{_YEAR}{_END}",
    rf"{_START}(?P<day>{_NO_MONTH}){_SIGN}{_MONTH}{_SAME_SIGN}{_YEAR}{_END}",
)

LEXICON = Lexicon(
    hint=re.compile(r"\d[-/.] ?\d{1,2}[-/.] ?\d"),
    patterns=tuple(re.compile(pattern, re.ASCII) for pattern in _PATTERNS),
    count=lambda _: None,
)
