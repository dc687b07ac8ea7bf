"""Whether a claim holds figures or days that nobody said, and nothing that is known has (F02)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from unicodedata import normalize

import regex

from omoide.domain.clock_times import clock_times
from omoide.domain.durations import reckoned
from omoide.domain.grounding.claims import content, invented_figures
from omoide.domain.grounding.counts import miscounted
from omoide.domain.heard_days import AHEAD
from omoide.domain.loose_times import from_now, last_day, spelt_out
from omoide.domain.text import fold
from omoide.domain.times import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from omoide.domain.times import Span
    from omoide.retain.extraction.view import Known, Line, View

_COUNTED = regex.compile(r"(?P<figure>\d+)(?P<of>\p{L}?)")
"""A figure, and the letter that stands right behind it: 70th, 41살."""

_DATE = regex.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_ASIDE = regex.compile(r"(?<!\s)\s*[(（][^()（）]*[)）]")
_PIECES = 2
"""Pieces of content, besides names, that something known shares with a claim, for its figures to count."""


def figures_invented(
    text: str,
    lines: Sequence[Line],
    view: View,
    *,
    known: Sequence[Known] = (),
    whole: bool = False,
) -> bool:
    """Whether a claim holds a number from two on, or a day, that what it rests on does not.

    What tells of the whole window may count up to nine by itself.

    A day may be reckoned from a length of time that was said; it, and a number, may be taken from something
    known that is shown and tells of the same matter.

    Args:
        text: the claim.
        lines: the messages that it rests on.
        view: what is said and known.
        known: what the claim confirms or replaces.
        whole: the text tells of the whole window, and may take from all that is known.
    """
    near = [one for one in view.known if whole or one in known or _same_matter(text, one, view)]
    taken = _counted([one.text for one in near] + (_standing(view) if whole else []))
    left = _without(text, [*_reckoned(lines), *_due(near), *_dated(near, view, whole=whole)], view)
    left = _COUNTED.sub(lambda match: " " if match.group() in taken else match.group(), left)
    said = [*(one.text for one in known), *(line.text for line in lines)]
    left, _ = _without_clock(left, said)
    return invented_figures(left, said, allowed=_days(lines)) or (not whole and miscounted(left, said))


def without_times(text: str, lines: Sequence[Line]) -> tuple[str, int]:
    """A claim without the days and times of the day in figures that messages name, and how many these are."""
    left, clock = _without_clock(text, [line.text for line in lines])
    dated = _DATE.search(left) is not None
    days = [span.start.date() for line in lines for span in _named(line)] if dated else []
    found = [match for match in _DATE.finditer(left) if any(f"{day}" == match.group() for day in days)]
    for match in reversed(found):
        left = left[: match.start()] + " " + left[match.end() :]
    return left, clock + len(found)


def without_asides(text: str, lines: Sequence[Line], view: View, *, known: Sequence[Known] = ()) -> str:
    """A claim without what stands in parentheses and holds a figure that nobody said: the rest may hold."""

    def kept(match: regex.Match[str]) -> str:
        aside = match.group()
        return "" if figures_invented(aside, lines, view, known=known) else aside

    rest: str = _ASIDE.sub(kept, text)
    return rest if rest.strip() else text


def _same_matter(text: str, known: Known, view: View) -> bool:
    names = [fold(name) for name in view.names.values()]
    shared = content(text) & content(known.text)
    return len([piece for piece in shared if not any(piece in name for name in names)]) >= _PIECES


def _counted(texts: Iterable[str]) -> frozenset[str]:
    """Figures with what they count; those of dates are no numbers."""
    plain = (_DATE.sub(" ", normalize("NFKC", one)) for one in texts)
    return frozenset(match.group() for one in plain for match in _COUNTED.finditer(one))


def _standing(view: View) -> list[str]:
    """What is held of how the two stand with each other."""
    held = view.relationship
    return [] if held is None else [held.summary, *held.address, *held.promises, *held.lines]


def _without(text: str, days: Sequence[date], view: View) -> str:
    """A claim without the dates in figures that are among the days."""
    text = normalize("NFKC", text)
    for span in resolve(text, now=view.now) if days else ():
        if any(span.start.date() <= day < span.end.date() for day in days):
            text = text.replace(span.phrase, " ", 1)
    return text


def _without_clock(text: str, said: Iterable[str]) -> tuple[str, int]:
    """A claim without the times of the day that were said, in figures or words, and how many these are."""
    left = normalize("NFKC", text)
    told = [one for line in said for one in clock_times(line)]
    same = [one for one in clock_times(left) if any(one.agrees(other) for other in told)]
    for one in reversed(same):
        left = left[: one.begin] + " " + left[one.end :]
    return left, len(same)


def _reckoned(lines: Sequence[Line]) -> list[date]:
    """Days that lengths of time which were said reckon to."""
    return [day for line in lines if line.at is not None for day in reckoned(line.text, said=line.at.date())]


def _due(known: Sequence[Known]) -> list[date]:
    dues = [one.due for one in known if one.due is not None]
    return [day for due in dues for day in (due.at.date(), last_day(due.at.date(), due.precision))]


def _dated(known: Sequence[Known], view: View, *, whole: bool) -> list[date]:
    """The days that stand in something known, and since or until when it holds."""
    texts = [*(one.text for one in known), *(_standing(view) if whole else [])]
    spans = [span for one in texts for span in resolve(one, now=view.now)]
    held = [at.date() for one in known for at in (one.since, one.until) if at is not None]
    return [*(span.start.date() for span in spans), *held]


def _days(lines: Sequence[Line]) -> frozenset[int]:
    """Numbers of the dates that the messages speak of, past or to come, and of their own."""
    days = [line.at for line in lines if line.at is not None]
    for span in (span for line in lines for span in _named(line)):
        days += [span.start, span.end, span.end - timedelta(days=1)]
    return frozenset(
        number for day in days for number in (day.year, day.month, day.day, day.hour, day.minute)
    )


def _named(line: Line) -> list[Span]:
    """The stretches of time that a message names, past or to come."""
    if line.at is None:
        return []
    words = spelt_out(from_now(line.text))
    return [span for ahead in AHEAD for span in resolve(words, now=line.at + timedelta(days=ahead))]
