"""Every way in which chat programs write a date.

A date without a zone was written on the clock of the machine that ran the chat, so it gets the zone that
the caller names and never Z.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

_MILLISECONDS_FROM = 1e11
_SECONDS_FROM = 1e8
"""A smaller number (before March 1973) is a counter or a calendar day in digits, not an instant."""

_YEARS = range(2, 9999)
"""Years whose days exist in every zone; .NET writes year 1 for "never"."""

_DIGITS = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_AT_SIGN = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s(?:\s*(\d{1,3})ms)?", re.ASCII
)
_ENGLISH = re.compile(
    r"([a-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])\.?m\.?",
    re.ASCII | re.IGNORECASE,
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


def read(value: object, *, zone: tzinfo) -> datetime | None:
    """Return when something was said, aware; None if the value is no date that we know.

    Known are: epoch seconds and milliseconds as numbers or digits (below 10^11 they are seconds),
    ISO 8601, ``2024-07-12@01h31m37s`` with or without blanks and milliseconds, and
    ``June 19, 2023 2:20pm``.

    Args:
        value: the date as the source wrote it.
        zone: what a date without a zone is local to.
    """
    try:
        found = _read(value, zone)
    except (ValueError, OverflowError, OSError):
        return None
    if found is None or found.year not in _YEARS:
        return None
    return found


def _read(value: object, zone: tzinfo) -> datetime | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_number(float(value))
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _DIGITS.fullmatch(text):
        return _from_number(float(text))
    return _from_at_sign(text, zone) or _from_english(text, zone) or _from_iso(text, zone)


def _from_number(value: float) -> datetime | None:
    if not math.isfinite(value) or value < _SECONDS_FROM:
        return None
    seconds = value if value < _MILLISECONDS_FROM else value / 1000
    return datetime.fromtimestamp(seconds, tz=UTC)


def _from_at_sign(text: str, zone: tzinfo) -> datetime | None:
    match = _AT_SIGN.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, millisecond = (int(part or 0) for part in match.groups())
    return datetime(year, month, day, hour, minute, second, millisecond * 1000, tzinfo=zone)


def _from_english(text: str, zone: tzinfo) -> datetime | None:
    match = _ENGLISH.fullmatch(text)
    if match is None:
        return None
    month, half = match[1][:3].lower(), match[7].lower()
    day, year, hour, minute, second = (int(match[group] or 0) for group in (2, 3, 4, 5, 6))
    if month not in _MONTHS or not 1 <= hour <= 12:
        return None
    hour = hour % 12 + (12 if half == "p" else 0)
    return datetime(year, _MONTHS.index(month) + 1, day, hour, minute, second, tzinfo=zone)


def _from_iso(text: str, zone: tzinfo) -> datetime | None:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is not None else found.replace(tzinfo=zone)
