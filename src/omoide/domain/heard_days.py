"""What words for a day say: the stretches of time that they name, and which days they fit (F05)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from omoide.domain.day_marks import Marks, marks, unread
from omoide.domain.loose_times import from_now, part_of_month, spelt_out
from omoide.domain.partial_date import Precision
from omoide.domain.times import Span, resolve

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

AHEAD = (0, 8, 367)
"""Days later from which a phrase is read again, to find its next occurrence: a weekday's, then a date's."""

_DAY = timedelta(days=1)
_SOON = timedelta(days=63)
"""Within it lies the day that "Friday the 24th" means."""

_A_YEAR = timedelta(days=366)
_A_PART = 10
"""Days of a part of a month, the last one apart."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """Words for a day as they are read.

    Attributes:
        text: the words, without what tells which of a month's days it is.
        said: when they were said.
        told: what they tell of the day besides when it is.
        spans: the stretches of time that they name, none over when they were said; the first to come first.
        stretches: those that are more than a weekday or a number, the shortest first.
        part: the day on which the part of a month begins that they name.
        opened: whether something in them is not read.
    """

    text: str
    said: datetime
    told: Marks
    spans: Sequence[Span]
    stretches: Sequence[Span]
    part: int | None
    opened: bool

    @property
    def over(self) -> bool:
        """Whether they name a time that was over when they were said, and none to come."""
        return not self.spans and bool(resolve(from_now(self.text), now=self.said))

    def meant(self, guess: date | None) -> date | None:
        """The day that words mean by all that they tell of it, or a guess that fits where they leave it open.

        None where they are but one phrase, or tell no day.
        """
        if (not self.told and len(self.stretches) <= 1) or self.over:
            return None
        days = self.fitting()
        if guess is not None and self._agrees(guess, days):
            return guess
        if not days or self._weekday_alone or (self.opened and not self.stretches and not self.told.weekdays):
            return None
        return days[0] if days[-1] - days[0] <= _DAY or not self.stretches else None

    def fitting(self) -> list[date]:
        """The days to come that all of the words are true of, of all that they name in common."""
        today = self.said.date()
        within = _common(self.stretches, self.said) if self.stretches else [(today + _DAY, today + _SOON)]
        of_month = not self.stretches or any(precision(one) is Precision.MONTH for one in self.stretches)
        days = [first + n * _DAY for first, end in within for n in range((end - first).days)]
        return [
            day
            for day in days
            if day >= today and self._in_part(day) and self.told.fit(day, of_month=of_month)
        ]

    @property
    def _weekday_alone(self) -> bool:
        return not self.stretches and not self.told.numbers and self.told.nth is None

    def _agrees(self, guess: date, days: Sequence[date]) -> bool:
        """Whether a guess is one of several days that the words are for, or fits what they leave open."""
        if not days or not self.told:  # words for several days, or said amiss
            return self.told.tell_one(guess) or _among(guess, self.stretches)
        if self.stretches:
            return guess in days
        return self.told.fit(guess, of_month=not self.opened) and (self.opened or not self._weekday_alone)

    def _in_part(self, day: date) -> bool:
        if self.part is None or day.day < self.part:
            return self.part is None
        return day.day < self.part + _A_PART or self.part > 2 * _A_PART


def heard(words: str, *, said: datetime) -> Heard:
    """Read words for a day that were said at a time, which is aware."""
    told, text = marks(words)
    plain = _coming(text, said)
    rest = spelt_out(_without(text, plain))
    loose = _coming(rest, said)
    spans = sorted([*plain, *loose], key=lambda span: span.start)
    return Heard(
        text=text,
        said=said,
        told=told,
        spans=spans,
        stretches=sorted((one for one in spans if not _a_mark(one)), key=lambda span: span.end - span.start),
        part=part_of_month(words),
        opened=unread(_without(rest, loose)),
    )


def readings(span: Span) -> list[tuple[datetime, datetime]]:
    """What speakers mean by a phrase: most of them first."""
    return [(span.start, span.end), *span.others]


def precision(span: Span) -> Precision:
    """How exactly a stretch of time is known."""
    days = (span.end.date() - span.start.date()).days
    for most, kind in (
        (3, Precision.DAY),
        (9, Precision.WEEK),
        (31, Precision.MONTH),
        (100, Precision.SEASON),
    ):
        if days <= most:
            return kind
    return Precision.YEAR


def _coming(words: str, said: datetime) -> list[Span]:
    """The stretches that words name, none of them over when they were said."""
    today = said.replace(hour=0, minute=0, second=0, microsecond=0)
    found: dict[str, Span] = {}
    for later, spans in enumerate(resolve(from_now(words), now=said + days * _DAY) for days in AHEAD):
        for span in spans:
            ahead = [one for one in readings(span) if one[1] > today]
            if ahead and not (later and span.moves):
                (start, end), *others = ahead
                found.setdefault(span.phrase, replace(span, start=start, end=end, others=tuple(others)))
    return sorted(found.values(), key=lambda span: span.start)


def _without(text: str, spans: Sequence[Span]) -> str:
    text = from_now(text)
    for span in spans:
        text = text.replace(span.phrase, " ")
    return text


def _a_mark(span: Span) -> bool:
    """Whether a phrase is a weekday or a number that comes again, and no more."""
    return not span.moves and bool(marks(span.phrase)[0]) and not unread(span.phrase)


def _common(stretches: Sequence[Span], said: datetime) -> list[tuple[date, date]]:
    """What all of the stretches have in common; a date that comes again may be a later one then."""
    later = [[span, *(() if span.moves else _coming(span.phrase, said + _A_YEAR))] for span in stretches]
    for ones in ([[span] for span in stretches], later):
        found: list[tuple[date, date]] = []
        for place, spans in enumerate(ones):
            given = [(first.date(), end.date()) for span in spans for first, end in readings(span)]
            both = [(max(a, c), min(b, d)) for a, b in found for c, d in given] if place else given
            found = [one for one in both if one[0] < one[1]]
        if found:
            return found
    return []


def _among(day: date, stretches: Sequence[Span]) -> bool:
    exact = [one for span in stretches if precision(span) is Precision.DAY for one in readings(span)]
    return any(first.date() <= day < end.date() for first, end in exact)
