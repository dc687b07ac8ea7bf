"""Whether a claim says no more than the words it rests on, and whether two claims say the same (ruling 36).

Cheap rules that catch what is plainly invented or plainly repeated; they understand nothing. They err towards
keeping: what a model decided stands unless a rule speaks against it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import normalize

import regex

from omoide.domain.grounding.number_words import figures, numbers
from omoide.domain.grounding.wording import Heard, plain
from omoide.domain.text import fold, letters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

_SHARED = 0.25
"""The share of a claim's content that its evidence has to hold."""

_ALIKE = 0.9
"""The share of pieces from which two claims say the same, where nothing else tells them apart."""

_UNIT = regex.compile(
    r"(?P<hangul>\p{Hangul}+)|(?P<han>\p{Han}+)|(?P<katakana>[\p{Katakana}ー]{2,})|(?P<latin>[\p{Latin}']{3,})"
)
_HIRAGANA = regex.compile(r"\p{Hiragana}{2,}")
_FUNCTION = frozenset(
    {
        *("the", "and", "that", "this", "with", "for", "from", "has", "have", "had", "was", "were", "are"),
        *("his", "her", "their", "they", "she", "user", "person", "who", "about", "not", "does", "did"),
        *("than", "anything", "everything"),
        *("사용", "유저", "그는", "그녀", "것을", "것이", "있다", "한다", "이다", "하는", "있는"),
        *("않는", "않다", "않았", "않고", "않기", "않으", "못한", "못하", "못했", "하지", "했다", "하고"),
    }
)
_FIGURES = re.compile(r"\d{1,15}")
_SMALL = 9
"""Numbers up to it are no claim: they come with counting of any kind."""

_CAPITALISED = regex.compile(r"(?<![.!?]\s)(?<!^)(?<=\s)\p{Lu}\p{Ll}[\p{L}-]*")
_CALENDAR = regex.compile(
    r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|christmas|easter"
)
_NEGATIVE = regex.compile(
    r"않|(?<!\p{Hangul})[안못](?!\p{Hangul}{0,1}녕|전|심|경|내)|싫|없|아니|그만|끊|질렸"
    r"|ない|なかった|ません|ぬ(?!\p{Han})|嫌|苦手|やめ|不|没|別|别|讨厌|討厭"
    r"|(?i:\bnot\b|n't\b|n’t\b|\bno\b|\bnever\b|\bdis|\bhate|\bstop|\bquit|\bwithout\b|\bno longer\b)"
)


def supported(claim: str, said: Iterable[str], *, known: Iterable[str] = ()) -> bool:
    """Whether the content of a claim is to be found in what was said.

    Args:
        claim: what a memory would say.
        said: the messages that it cites.
        known: names that need no support.
    """
    names = {fold(name) for name in known}
    units = [unit for unit in _units(claim) if not any(unit in name or name in unit for name in names)]
    said = list(said)
    return not units or _share(units, said) >= _SHARED or _tells_number(claim, said)


def _tells_number(claim: str, said: Sequence[str]) -> bool:
    """Whether a figure above 9 of a claim was said, in figures or in words: 30 of "turned thirty"."""
    text = normalize("NFKC", " ".join(said))
    heard = numbers(text) | {int(figure) for figure in _FIGURES.findall(text)}
    return any(figure > _SMALL for figure in figures(claim) & heard)


def likeness(claim: str, said: Iterable[str]) -> float:
    """The share of a claim's content that is found in what was said, 0 to 1."""
    units = _units(claim)
    return _share(units, said) if units else 0.0


def content(text: str) -> frozenset[str]:
    """The pieces of a text that carry its content: beginnings of words, pairs of Han, words in katakana."""
    return frozenset(_units(text))


def invented_figures(claim: str, said: Iterable[str], *, allowed: AbstractSet[int] = frozenset()) -> bool:
    """Whether a claim holds a figure above 9 for which no such number was said, in figures or in words."""
    text = normalize("NFKC", " ".join(said))
    heard = numbers(text) | {int(figure) for figure in _FIGURES.findall(text)}
    return any(figure > _SMALL for figure in figures(claim) - heard - allowed)


def invented_names(claim: str, said: Iterable[str], *, known: Iterable[str] = ()) -> bool:
    """Whether a claim in a language with capitals names somebody or something that was not named."""
    text = fold(" ".join([*said, *known]))
    return any(
        fold(word) not in text for word in _CAPITALISED.findall(claim) if not _CALENDAR.fullmatch(word)
    )


def same(one: str, other: str, *, least: float = _ALIKE) -> bool:
    """Whether two claims on the same subject say the same, as far as letters tell."""
    first, second = letters(one), letters(other)
    if first == second:
        return True
    return _compatible(one, other) and _likeness(first, second) >= least


def negative(text: str) -> bool:
    """Whether a text denies something, or says that it is disliked or over."""
    return _NEGATIVE.search(text) is not None


def holds(one: str, other: str) -> bool:
    """Whether a claim says all that a shorter one says."""
    first, second = _pieces(letters(one)), _pieces(letters(other))
    return (
        bool(second) and _compatible(one, other, figures=False) and len(second - first) <= len(second) // 10
    )


def _compatible(one: str, other: str, *, figures: bool = True) -> bool:
    """Whether no negation and no number tells two claims apart."""
    numbers = [sorted(_FIGURES.findall(normalize("NFKC", text))) for text in (one, other)]
    return negative(one) == negative(other) and (not figures or numbers[0] == numbers[1])


def _likeness(one: str, other: str) -> float:
    """The share of pieces in common, 0 to 1."""
    first, second = _pieces(one), _pieces(other)
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else 0.0


def _pieces(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(max(1, len(text) - 1))} if text else set()


def _share(units: Sequence[str], said: Iterable[str]) -> float:
    heard = Heard(said)
    return sum(unit in heard for unit in units) / len(units)


def _units(text: str) -> list[str]:
    folded = plain(text)
    units: list[str] = []
    for match in _UNIT.finditer(folded):
        piece = match.group().strip("'")
        if match.lastgroup == "han":
            units += [piece[place : place + 2] for place in range(max(1, len(piece) - 1))]
        elif match.lastgroup == "katakana":
            units.append(piece)
        elif piece not in _FUNCTION:
            units.append(piece[:2] if match.lastgroup == "hangul" else piece[:4])
    units = [unit for unit in units if unit not in _FUNCTION]
    if not units:
        units = [
            piece[place : place + 2] for piece in _HIRAGANA.findall(folded) for place in range(len(piece) - 1)
        ]
    return units
