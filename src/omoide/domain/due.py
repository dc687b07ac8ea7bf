"""When something is due: the day that words mean, seen from when they were said (F05)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING
from unicodedata import normalize

from omoide.domain.heard_days import AHEAD, heard, precision, readings
from omoide.domain.loose_times import from_now, last_day, part_of_month, spelt_out
from omoide.domain.partial_date import Precision
from omoide.domain.times import resolve

if TYPE_CHECKING:
    from omoide.domain.times import Span

_DAY = timedelta(days=1)
_CLOCK = re.compile(
    r"""
      (?P<half1>오전|오후|아침|저녁|밤|새벽|낮)?\s*(?P<hour1>\d{1,2})시(?!간)\s*(?:(?P<minute1>\d{1,2})분|(?P<thirty1>반))?
    | (?P<half2>午前|午後|朝|夜|夕方|上午|下午|晚上|早上|中午)?\s*(?P<hour2>\d{1,2})[時点](?!間)
          (?:(?P<minute2>\d{1,2})分|(?P<thirty2>半))?
    | (?P<hour3>\d{1,2}):(?P<minute3>\d{2})\s*(?P<half3>[ap]\.?m\b)?
    | (?P<hour4>\d{1,2})\s*(?P<half4>[ap]\.?m\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LATE = ("오후", "저녁", "밤", "낮", "午後", "夜", "夕方", "下午", "晚上", "中午", "pm", "p.m")
_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2}):(\d{2}))?)?)?")
_ISO_SEASON = re.compile(r"(\d{4})-(spring|summer|autumn|fall|winter)\b", re.IGNORECASE)
_SEASON_BEGINS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_HENCE = re.compile(r"[뒤후後后]|\b(?:in|later|from now)\b", re.IGNORECASE)
_MAY = re.compile(r"\b(?:may|march)\b")
"""Months that are other words too; not in words for a day."""

_EXACT = (Precision.DAY, Precision.MINUTE)
_YEARS = 30
"""Years around now that a date of a model's lies in."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Due:
    """An instant that something is due, aware, and how exactly it is known."""

    at: datetime
    precision: Precision


def due(words: str, *, said: datetime, guess: str = "") -> Due | None:
    """When something is due that was said to be so in these words.

    A guess stands where the words leave open what it is, or mean it for some speakers; all else a rule makes
    of the words wins over it. Where a phrase may be past or future, it is future; what is over already is no
    day to come.

    Args:
        words: such as "next Friday at 3 pm" or "the end of October"; empty where nobody said.
        said: when they were said, aware, in the speaker's zone.
        guess: what a model made of them: a year, a season (2026-summer), a month, a day or a minute, in ISO
            form.
    """
    if not words.strip():
        return None
    guessed = _guessed(guess, said)
    told = heard(_MAY.sub(lambda month: month.group().title(), words), said=said)
    exact = guessed is not None and guessed.precision in _EXACT
    day = told.meant(guessed.at.date() if guessed is not None and exact else None)
    span = next(iter(told.stretches or told.spans), None)
    if day is not None:
        found = Due(at=datetime.combine(day, time.min, tzinfo=said.tzinfo), precision=Precision.DAY)
    elif span is None:  # where the words are of the past, the guess is wrong
        return None if told.over else guessed
    else:
        span = _as_guessed(span, guessed)
        found = Due(at=span.start, precision=precision(span))
        if found.precision is Precision.MONTH:
            return _ahead(_part(found, words), said)
        if found.precision is not Precision.DAY:
            return guessed if guessed is not None and _weeks_on(words, guessed, span, said) else found
    clock = _clock(words)
    if clock is not None:
        hour, minute = clock
        return Due(at=found.at.replace(hour=hour, minute=minute), precision=Precision.MINUTE)
    if guessed is not None and guessed.precision is Precision.MINUTE and guessed.at.date() == found.at.date():
        return guessed
    return found


def past(words: str, *, said: datetime) -> bool:
    """Whether words for a day name one that was over when they were said, and none to come."""
    return heard(words, said=said).over


def named(text: str, *, said: datetime, guess: str) -> Due | None:
    """A model's guess, where the message that it comes from names that day; None where it does not."""
    guessed = _guessed(guess, said)
    if guessed is None:
        return None
    told = heard(text, said=said)
    if any(first <= guessed.at < end for span in told.spans for first, end in readings(span)):
        return guessed
    numbered = told.told.numbers or told.told.nth is not None
    return guessed if numbered and guessed.at.date() in told.fitting() else None


def moment(text: str, *, said: datetime, guess: str) -> datetime | None:
    """When a stretch begins that a message names and a model's guess agrees with, be it past or to come."""
    found = _in_season(guess, said) or _in_figures(guess, said)
    if found is None:
        return None
    first, last = found.at.date(), last_day(found.at.date(), found.precision)
    readings = (resolve(spelt_out(text), now=said + days * _DAY) for days in AHEAD)
    spans = (span for spans in readings for span in spans)
    return next((s.start for s in spans if s.start.date() <= last and first < s.end.date()), None)


def _part(found: Due, words: str) -> Due:
    """A month, from the part of it on that the words name."""
    day = part_of_month(words)
    return found if day is None else Due(at=found.at.replace(day=day), precision=found.precision)


def _ahead(found: Due, said: datetime) -> Due | None:
    return found if last_day(found.at.date(), found.precision) >= said.date() else None


def _weeks_on(words: str, guessed: Due, span: Span, said: datetime) -> bool:
    """Whether a guess is the day that "in a week" means, of which a rule knows the week only."""
    if (
        guessed.precision not in _EXACT
        or precision(span) is not Precision.WEEK
        or _HENCE.search(words) is None
    ):
        return False
    days = (guessed.at.date() - said.date()).days
    return span.start <= guessed.at < span.end and days > 0 and days % 7 == 0


def span_of(words: str, *, said: datetime) -> Span | None:
    """The one stretch of time that words name; None for none, or for several."""
    spans = resolve(from_now(words), now=said)
    return spans[0] if len(spans) == 1 else None


def _as_guessed(span: Span, guessed: Due | None) -> Span:
    """A stretch as a guess takes it, where speakers differ in what its words mean."""
    for start, end in span.others:
        if guessed is not None and start <= guessed.at < end:
            return replace(span, start=start, end=end)
    return span


def _clock(words: str) -> tuple[int, int] | None:
    """Hour and minute, where it is sure which half of the day is meant."""
    match = _CLOCK.search(normalize("NFKC", words))
    if match is None:
        return None
    given = match.groupdict()
    kind = next(kind for kind in "1234" if given[f"hour{kind}"])
    half = (given.get(f"half{kind}") or "").lower().rstrip(".")
    hour = int(given[f"hour{kind}"])
    minute = 30 if given.get(f"thirty{kind}") else int(given.get(f"minute{kind}") or 0)
    if not half and hour < 13 and kind != "3":
        return None
    if half in _LATE and hour < 12:
        hour += 12
    if half in ("am", "a.m", "오전", "새벽", "午前", "上午") and hour == 12:
        hour = 0
    return (hour, minute) if hour < 24 and minute < 60 else None


def _guessed(guess: str, said: datetime) -> Due | None:
    """A guess in figures that lies within some years, and not before the day on which it was said."""
    found = _in_season(guess, said) or _in_figures(guess, said)
    return None if found is None else _ahead(found, said)


def _in_season(guess: str, said: datetime) -> Due | None:
    match = _ISO_SEASON.search(guess)
    if match is None or abs(int(match[1]) - said.year) > _YEARS:
        return None
    month = _SEASON_BEGINS[match[2].lower()]
    return Due(at=datetime(int(match[1]), month, 1, tzinfo=said.tzinfo), precision=Precision.SEASON)


def _in_figures(guess: str, said: datetime) -> Due | None:
    match = _ISO.search(guess)
    if match is None:
        return None
    year, month, day, hour, minute = (None if part is None else int(part) for part in match.groups())
    if year is None or abs(year - said.year) > _YEARS:
        return None
    try:
        at = datetime(year, month or 1, day or 1, hour or 0, minute or 0, tzinfo=said.tzinfo)
    except ValueError:
        return None
    if hour is not None:
        return Due(at=at, precision=Precision.MINUTE)
    return Due(
        at=at,
        precision=Precision.DAY if day else Precision.MONTH if month else Precision.YEAR,
    )
