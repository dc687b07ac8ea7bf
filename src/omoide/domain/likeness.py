"""How far two texts are the same words, in any language: by their letters alone, whatever stands between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.text import fold, letters, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

_RUN = regex.compile(
    r"[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]+|[^\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]+"
)
_UNSPACED = regex.compile(r"[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]")
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+")
_LABEL = regex.compile(r"\A[^\n:：]{1,60}[:：]\s*")

_FEWEST: Final = 12
"""Bytes of letters in a sentence that tells anything: twelve letters of English, four of Korean, Japanese."""

_LONGEST: Final = 4_000
"""Characters at a text's end that are looked at: what was said lately stands there."""

_TELLING: Final = 24
_MOSTLY: Final = 0.8


def overlap(one: str, other: str) -> float:
    """The share of the shorter text that the other one holds too, 0 to 1, in pieces of a few letters.

    A changed word leaves 0.4 or more; two texts that have nothing to do with each other share less than that.
    A text that is shorter than a piece is held as a word.
    """
    short, long = sorted((one, other), key=lambda text: len(letters(text)))
    word = letters(short)
    if 0 < len(word) < _size(word):
        return float(any(_is_word(word, there) for there in _WORD.findall(fold(long))))
    pieces, others = _pieces(one), _pieces(other)
    return len(pieces & others) / max(1, min(len(pieces), len(others)))


def repeats(text: str, *, said: Sequence[str], by_others: Sequence[str]) -> bool:
    """Whether a text is made of what others said: a copy of it, a part, or a transcript of a talk.

    Args:
        text: whose sentences may stand behind a name, as in a transcript.
        said: what whoever sends the text has said; what is theirs is no copy, though others said it too.
        by_others: what others said.
    """
    own, theirs = [letters(one) for one in said], [letters(one) for one in by_others]
    total = known = copied = 0
    for sentence in sentences(text[-_LONGEST:]):
        forms = [letters(sentence), letters(_LABEL.sub("", sentence))]
        size = len(forms[0].encode())
        if size < _FEWEST:
            continue
        total += size
        if any(form in one for form in forms for one in own if form):
            known += size
        elif any(form in one for form in forms for one in theirs if form):
            known, copied = known + size, copied + size
    return copied > 0 and total >= _TELLING and known >= _MOSTLY * total


def _pieces(text: str) -> set[str]:
    """Runs of two letters of Korean, Japanese and Chinese, and of four of others."""
    found: set[str] = set()
    for run in _RUN.findall(letters(text)):
        size = _size(run)
        found.update(run[at : at + size] for at in range(max(1, len(run) - size + 1)))
    return found


def _size(run: str) -> int:
    return 2 if _UNSPACED.match(run) else 4


def _is_word(word: str, there: str) -> bool:
    """Whether this is the word; what is written without spaces, or with endings, only begins with it."""
    return there.startswith(word) if _UNSPACED.match(word) else there == word
