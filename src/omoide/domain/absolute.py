"""Texts that last: days in words, seen from when they were said, as days in figures (F05).

"Tomorrow" would be tomorrow for ever. What stands in its place has to leave a sentence: a preposition in
English, に in Japanese, the form of a particle in Korean, 年 and 년 behind a year.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from omoide.domain.day_marks import unmarked
from omoide.domain.loose_times import from_now
from omoide.domain.times import resolve
from omoide.domain.undated import undated

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, datetime

    from omoide.domain.text import Language
    from omoide.domain.times import Span

_DAY: Final = timedelta(days=1)
_WITHIN: Final = re.compile(r"\b(?:would|could)\b[^.!?]*\bin an?\s", re.IGNORECASE)
"""Where "in a week" tells how long something takes, and not when it is."""

_KANA: Final = re.compile("[ぁ-んァ-ヶ]")
_HANGUL: Final = re.compile("[가-힣]")
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_QUOTES: Final = {"“": "”", "‘": "’", "「": "」", "『": "』", "《": "》", "〈": "〉", '"': '"', "'": "'"}
_A_TITLE: Final = re.compile(r"^(?:Tomorrow|Today|Yesterday|Tonight)\b")
_CALLED: Final = re.compile(r"이?라는|という|[年]?度")

_PARTS_OF_DAY: Final[dict[Language, tuple[tuple[str, str], ...]]] = {
    "ko": (("밤", " 밤"),),
    "ja": (("夜晩べ夕ん", "の夜"), ("朝さ", "の朝")),
    "zh": (("晚", "晚上"), ("早", "早上")),
}
"""The last letters of a word for a part of a day, and what tells that part behind the day."""

_EN_PART: Final = re.compile(r"(?i)\b(?:to)?(night|morning|afternoon|evening)\b|nite\b")
_EN_PART_BEHIND: Final = re.compile(r"(?i)\s+(night|morning|afternoon|evening)\b")
_EN_LED: Final = re.compile(
    r"(?i)\b(?:by|until|till|since|from|for|on|in|at|before|after|of|to|than|around|about|through|over|during|the|a"
    r"|his|her|their|my|(?:spen[dt]|spends|spending|remember\w*|dread\w*|enjoy\w*))\s+$"
)
"""Behind these a day is a noun, and needs no preposition."""

_EN_SUBJECT: Final = re.compile(r"(?i)\s+(?:is|was|will|would|has|had|may|might|(?:is|was|wo)n['’]t)\b")
_EN_BEGINS: Final = re.compile(
    r"(?i)(?:^|[.!?:,]\s|\b(?:that|because|and|but|if|sa(?:ys|id)|(?:think|believe|feel|hope|know|fear)s?)\s)\W*$"
)
_EN_FREE: Final = re.compile(r"(?i)\s+(?:off|free)\b")
_EN_GENITIVE: Final = re.compile(r"^['’]s\s+")
_EN_IS: Final = re.compile(r"(?:my|his|her|their|our|its|the|an?)\b|[A-Z]\w+['’]s\b")
"""Behind "tomorrow's" these tell that it "is" something."""

_NO_NI: Final = re.compile(
    r"$|[。.!?！？、,)）」』\s]|から|まで|以[降来内前後]|[のはもにへだでがをかとや中末頃生付\d]|ごろ|くらい|より|こそ|なら|って|午[前後]"
)
"""What follows a day that takes no に in Japanese."""

_PART_BEHIND: Final = re.compile(r"[朝夜晩昼夕]")
_KO_PARTICLE: Final = re.compile(r"(는|가|를|와|랑|야|예요|여서|였)(?=$|[^가-힣]|(?<=였))")
_BEHIND_CONSONANT: Final = {
    "는": "은", "가": "이", "를": "을", "와": "과", "랑": "이랑", "야": "이야", "예요": "이에요",
    "여서": "이어서", "였": "이었",
}  # fmt: skip


def absolute(text: str, *, said: datetime | None, names: Iterable[str] = (), day: date | None = None) -> str:
    """The text with days in words, seen from when it was said, as days in figures.

    What comes again, such as a weekday or a birthday, stays as it is, and so do names, titles and what is
    meant of no day in particular. Without a time nothing can be reckoned.

    Args:
        text: what is to be kept.
        said: when it was said, aware, in the speaker's zone.
        names: of people and characters, in which no time is meant.
        day: which is known to be meant, where speakers differ in what a phrase means.
    """
    if said is None or _WITHIN.search(text):
        return text
    shown = from_now(text)
    done, end = "", 0
    for named in resolve(shown, now=said):
        span = _without_weekday(named, said)
        head, tail = shown[: span.at], shown[span.at + len(span.phrase) :]
        if not span.moves or _is_name(span, head, tail, names) or undated(span, head, tail, said=said):
            continue
        written, eaten = _written(_meant(span, day), shown[end : span.at], head, tail, text)
        done, end = done + written, len(shown) - len(tail) + eaten
    return done + shown[end:] if done else text


def _meant(span: Span, day: date | None) -> Span:
    readings = ((span.start, span.end), *span.others)
    start, end = next(
        (one for one in readings if day is not None and one[0].date() <= day < one[1].date()), readings[0]
    )
    return replace(span, start=start, end=end)


def _without_weekday(span: Span, said: datetime) -> Span:
    """A month or more without a weekday of it: "this month" in place of "Sunday of this month"."""
    inner = resolve(unmarked(span.phrase), now=said)
    if len(inner) != 1 or (inner[0].start, inner[0].end) != (span.start, span.end):
        return span
    return replace(span, phrase=inner[0].phrase, at=span.at + inner[0].at)


def _is_name(span: Span, head: str, tail: str, names: Iterable[str]) -> bool:
    """Whether what looks like a time is a name, a title, or called so."""
    if _CALLED.match(tail) or _QUOTES.get(head[-1:]) == tail[:1] != "":
        return True
    if _A_TITLE.match(span.phrase) and _EN_BEGINS.search(head) is None:
        return True
    stop = span.at + len(span.phrase)
    text = head + span.phrase + tail
    called = [found.span() for name in names if name for found in re.finditer(re.escape(name), text)]
    return any(begin <= span.at and stop <= end for begin, end in called)


def _written(span: Span, before: str, head: str, tail: str, text: str) -> tuple[str, int]:
    """What stands ahead of a phrase and in its place, and how many letters behind it that takes in."""
    if _HANGUL.search(span.phrase):
        shown, eaten = _korean(span, tail)
    elif not _HAN.search(span.phrase) and not _KANA.search(span.phrase):
        shown, eaten = _english(span, head, tail)
    elif _KANA.search(text):
        shown, eaten = _japanese(span, tail), 0
    else:
        shown, eaten = _figures(span, "zh") + _part(span, "zh"), 0
    return before + shown, eaten


def _korean(span: Span, tail: str) -> tuple[str, int]:
    shown = _figures(span, "ko") + _part(span, "ko")
    particle = _KO_PARTICLE.match(tail)
    if particle is None:
        return shown, 0
    return shown + _BEHIND_CONSONANT[particle[1]], len(particle[1])


def _japanese(span: Span, tail: str) -> str:
    shown = _figures(span, "ja") + _part(span, "ja")
    if _PART_BEHIND.match(tail) and _days(span) == 1:
        return shown + "の"
    return shown if _NO_NI.match(tail) else shown + "に"


def _part(span: Span, language: Language) -> str:
    if _days(span) > 1:
        return ""
    return next((part for last, part in _PARTS_OF_DAY[language] if span.phrase[-1] in last), "")


def _english(span: Span, head: str, tail: str) -> tuple[str, int]:
    """A day with the preposition that it needs where it stands."""
    figures = _figures(span, "en")
    behind = _EN_PART_BEHIND.match(tail) if _days(span) == 1 else None
    part = behind or (_EN_PART.search(span.phrase) if _days(span) == 1 else None)
    eaten = behind.end() if behind else 0
    named = "" if part is None else (part[1] or "night").lower()
    genitive = _EN_GENITIVE.match(tail[eaten:])
    if genitive and not _EN_IS.match(tail[eaten + genitive.end() :]):
        article = "" if _EN_LED.search(head) and head.lower().endswith("the ") else "the "
        attribute = f"{article}{figures} {named}".rstrip() + " "
        return _begun(attribute, head), eaten + genitive.end()
    noun = f"the {named} of {figures}" if named else f"the week of {figures}" if _a_week(span) else figures
    noun = f"the weekend of {figures}" if "weekend" in span.phrase.lower() else noun
    if genitive:
        return _begun(noun, head) + " is ", eaten + genitive.end()
    rest = tail[eaten:]
    subject = _EN_SUBJECT.match(rest) and _EN_BEGINS.search(head)
    if _EN_LED.search(head):
        return (figures if head.lower().endswith(("the ", " a ")) else noun), eaten
    if subject or _EN_FREE.match(rest):
        return _begun(noun, head), eaten
    preposition = "on" if _days(span) <= _A_WEEKEND else "in"
    return _begun(f"{preposition} {noun}", head), eaten


def _begun(words: str, head: str) -> str:
    """Words with a capital where they begin a sentence."""
    begins = not head.strip() or head.rstrip()[-1] in ".!?"
    return words[:1].upper() + words[1:] if begins else words


_A_WEEKEND: Final = 2
_WEEK: Final = 7
_A_YEAR: Final = 365
_MONTH: Final = range(28, 32)


def _days(span: Span) -> int:
    return (span.end.date() - span.start.date()).days


def _a_week(span: Span) -> bool:
    return _days(span) == _WEEK and span.start.weekday() == 0


def _figures(span: Span, language: Language) -> str:
    """A stretch of time in figures: in English 2026-10, in Korean 2026년 10월."""
    first, last = span.start.date(), span.end.date() - _DAY
    days = _days(span)
    if days == 1:
        return f"{first:%Y-%m-%d}"
    if days >= _A_YEAR:
        years = f"{first.year}" if first.year == last.year else f"{first.year}~{last.year}"
        return years + _SIGNS[language][0]
    if first.day == 1 and (last + _DAY).day == 1:
        return _months(first, last, language)
    return f"{first:%Y-%m-%d}~{last:%m-%d}"


_SIGNS: Final[dict[Language, tuple[str, str]]] = {
    "ko": ("년", "월"), "ja": ("年", "月"), "zh": ("年", "月"), "en": ("", ""),
}  # fmt: skip


def _months(first: date, last: date, language: Language) -> str:
    one = (first.year, first.month) == (last.year, last.month)
    if language == "en":
        return f"{first:%Y-%m}" if one else f"{first:%Y-%m}~{last:%m}"
    year, month = _SIGNS[language]
    begin = f"{first.year}{year}{' ' if language == 'ko' else ''}{first.month}"
    if one:
        return begin + month
    if first.year == last.year:
        return f"{begin}~{last.month}{month}"
    return f"{begin}{month}~{last.year}{year}{' ' if language == 'ko' else ''}{last.month}{month}"
