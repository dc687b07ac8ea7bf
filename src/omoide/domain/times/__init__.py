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


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time that a phrase names.

    Attributes:
        start: the first instant, aware.
        end: the first instant after it, in the same zone.
        phrase: the words, in NFKC form.
    """

    start: datetime
    end: datetime
    phrase: str


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
    for match, (first, after) in found:
        if match.start() < end:
            continue
        end = match.end()
        spans.append(
            Span(start=_midnight(first, now), end=_midnight(after, now), phrase=match.group().strip())
        )
    return spans


def _phrases(text: str, today: date) -> Iterator[tuple[re.Match[str], Dates]]:
    for lexicon in _LEXICONS:
        if lexicon.hint.search(text) is None:
            continue
        for pattern in lexicon.patterns:
            for match in pattern.finditer(text):
                dates = _dates(match, lexicon, today)
                if dates is not None and dates[0] < dates[1]:
                    yield match, dates


def _dates(match: re.Match[str], lexicon: Lexicon, today: date) -> Dates | None:
    try:
        return lexicon.dates(match, today)
    except (ValueError, OverflowError):  # 2월 30일, or a date outside the calendar
        return None


def _midnight(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time.min, tzinfo=now.tzinfo)
