"""Time phrases of a message, such as "last summer", 지난주에 and 去年の夏, as spans of time (F88, F22)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime, time
from typing import TYPE_CHECKING

from omoide.domain.times import digits, en, ja, ko, zh
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from datetime import date

    from omoide.domain.times.lexicon import Lexicon
    from omoide.domain.times.reckoning import Dates

_LEXICONS = (ko.LEXICON, ja.LEXICON, zh.LEXICON, en.LEXICON, digits.LEXICON)

_MOVING = ("relative", "turn", "unit", "later")
"""Groups of what means another day tomorrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time that a phrase names.

    Attributes:
        start: the first instant, aware.
        end: the first instant after it, in the same zone.
        phrase: the words, in NFKC form.
        at: where they begin in the text, in NFKC form.
        moves: whether it is seen from when it is said, as "tomorrow" is and "on Fridays" or a date is not.
        others: what other speakers mean by the same words, as "next Friday" is for some the first to come.
    """

    start: datetime
    end: datetime
    phrase: str
    at: int = 0
    moves: bool = False
    others: tuple[tuple[datetime, datetime], ...] = ()


def resolve(text: str, *, now: datetime) -> list[Span]:
    """Find the time phrases in a message, in the order in which they stand.

    Days begin at local midnight and weeks on Monday, in the zone of ``now``. Where a phrase can be read as
    past or future, it is past. Of phrases that overlap, the first counts, and the longest of those.

    Args:
        text: a message in Korean, Japanese, Chinese, English, or a mix of them.
        now: the aware time at which the message is said, in the zone of the user.

    Raises:
        InvalidInput: ``now`` has no zone.
    """
    if now.tzinfo is None:
        raise InvalidInput(f"now={now!r} has no time zone; give an aware datetime")
    shown = unicodedata.normalize("NFKC", text)
    found = sorted(_phrases(shown, now.date()), key=lambda phrase: (phrase[0].start(), -phrase[0].end()))
    spans, end = [], 0
    for match, readings in found:
        if match.start() < end:
            continue
        end = match.end()
        (start, until), *others = [
            (_midnight(first, now), _midnight(after, now)) for first, after in readings
        ]
        phrase = match.group().strip()
        at = shown.index(phrase, match.start())
        moves = any(match.groupdict().get(group) for group in _MOVING)
        spans.append(Span(start=start, end=until, phrase=phrase, at=at, moves=moves, others=tuple(others)))
    return spans


def _phrases(text: str, today: date) -> Iterator[tuple[re.Match[str], list[Dates]]]:
    for lexicon in _LEXICONS:
        if lexicon.hint.search(text) is None:
            continue
        for pattern in lexicon.patterns:
            for match in pattern.finditer(text):
                dates = [one for one in _readings(match, lexicon, today) if one[0] < one[1]]
                if dates:
                    yield match, list(dict.fromkeys(dates))


def _readings(match: re.Match[str], lexicon: Lexicon, today: date) -> list[Dates]:
    try:
        return lexicon.readings(match, today)
    except (ValueError, OverflowError):  # 2월 30일, or a date outside the calendar
        return []


def _midnight(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time.min, tzinfo=now.tzinfo)
