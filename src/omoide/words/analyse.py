"""The analyser of keyword search that needs no extras: stems of words, bigrams of ko, ja and zh.

An analyser turns a text into the terms it is found by, and a query into the terms to look for. Both go
through the same folding, so that Hangul of any composition, kana of any width and Latin of any case meet.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import Stemmer

from omoide.domain.text import fold
from omoide.words.function_words import (
    CHINESE_GRAMMAR,
    ENGLISH,
    JAPANESE_GRAMMAR,
    KOREAN_FILLERS,
    korean_stems,
)

PUBLISHED_TERMS = 20
"""The cap on the terms of a query in the published design (P11)."""

MOST_TERMS = 64
"""The default cap on the terms of a query: bigrams spend several terms on what was one word in P11."""

_HANGUL = "\uac00-\ud7a3"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA = "\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff"
# Jamo on their own are laughter or crying, never a word; NFKC has made them conjoining ones.
_JAMO = "\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff"

# A run of one script family: a Latin word glued to Hangul or kana ends where the other begins.
_RUN = re.compile(
    rf"([{_HANGUL}]+)|([{_HAN}{_KANA}]+)"
    rf"|((?:(?![{_HANGUL}{_HAN}{_KANA}{_JAMO}])[^\W_])+(?:['’][a-z]+)*)"
)
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)*")
_HAN_CHARACTER = re.compile(rf"[{_HAN}]")
_KATAKANA_WORD = re.compile("[\u30a1-\u30ff]{3,}")

_stemmer = Stemmer.Stemmer("english")
_stemmer_lock = threading.Lock()


class Analyser(Protocol):
    """What finds the terms of texts and queries."""

    @property
    def identity(self) -> str:
        """What names the way of analysing; terms of two identities are never mixed."""
        ...

    def document(self, text: str) -> dict[str, int]:
        """The terms a text is found by, each with its frequency."""
        ...

    def query(self, text: str) -> list[str]:
        """The distinct terms to look for, the most telling kinds first."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class BigramAnalyser:
    """The default analyser: it needs no dictionary, and finds names that no dictionary knows.

    Words of Latin and other alphabets are stemmed, English stop words left out. Hangul words give their
    character bigrams, their first syllable, and their stems less known particles; Han and kana give bigrams,
    single Han characters and Katakana words. Frequencies are kept of alphabetic words only (ruling 23).

    Attributes:
        most_terms: at most so many terms of a query are looked for (P11: 20).
    """

    most_terms: int = MOST_TERMS

    @property
    def identity(self) -> str:
        """The name of this way of analysing."""
        return "bigram/1"

    def document(self, text: str) -> dict[str, int]:
        """The terms a text is found by, each with its frequency."""
        counts: dict[str, int] = {}
        folded = fold(text)
        if folded.isascii():
            _count_words(_ASCII_WORD.findall(folded), counts)
            return counts
        singles: set[str] = set()
        words: list[str] = []
        for hangul, han_or_kana, word in _RUN.findall(folded):
            if word:
                words.append(word)
            elif hangul:
                singles.update(_korean(hangul))
                if len(hangul) == 2:
                    singles.update(hangul)
            else:
                singles.update(_han_and_kana(han_or_kana))
        _count_words(words, counts)
        counts.update(dict.fromkeys(singles, 1))
        return counts

    def query(self, text: str) -> list[str]:
        """The distinct terms to look for, in the order of the text, at most ``most_terms``."""
        terms: dict[str, None] = {}
        for hangul, han_or_kana, word in _RUN.findall(fold(text)):
            if word:
                stem = _stem(word)
                if stem:
                    terms[stem] = None
            else:
                terms.update(dict.fromkeys(_korean(hangul) if hangul else _han_and_kana(han_or_kana)))
        return list(terms)[: self.most_terms]


def is_weak(term: str) -> bool:
    """Whether a term stands for no whole word, such as the first syllable of a Korean one."""
    return term.endswith("*")


def _count_words(words: list[str], counts: dict[str, int]) -> None:
    for word in words:
        stem = _stem(word)
        if stem:
            counts[stem] = counts.get(stem, 0) + 1


@lru_cache(maxsize=32_768)
def _stem(word: str) -> str:
    """The stem of a folded word, empty for a stop word."""
    plain = word.replace("’", "'")
    if plain in ENGLISH:
        return ""
    with _stemmer_lock:  # a stemmer object serves one thread at a time
        stem: str = _stemmer.stemWord(plain)
    return stem


@lru_cache(maxsize=32_768)
def _korean(word: str) -> tuple[str, ...]:
    """The terms of one Hangul word: stems where they are no bigram, bigrams, first syllable.

    The first syllable is marked, so that it finds the inflections of a verb but no noun of one syllable.
    """
    stems = korean_stems(word)
    terms = [stem for stem in (word, *stems) if len(stem) == 1]
    if len(word) > 1:
        terms += [stem for stem in stems if len(stem) > 2]
        terms += _bigrams(word)
        if word not in KOREAN_FILLERS:
            terms.append(f"{word[0]}*")
    return tuple(term for term in terms if term not in KOREAN_FILLERS)


@lru_cache(maxsize=32_768)
def _han_and_kana(run: str) -> tuple[str, ...]:
    """The terms of one run without spaces: Katakana words, bigrams and single Han characters."""
    if len(run) == 1:
        return (run,)
    terms: list[str] = _KATAKANA_WORD.findall(run)
    terms += [bigram for bigram in _bigrams(run) if bigram not in JAPANESE_GRAMMAR]
    terms += _HAN_CHARACTER.findall(run)
    if CHINESE_GRAMMAR.isdisjoint(run):
        return tuple(terms)
    return tuple(term for term in terms if not CHINESE_GRAMMAR.issuperset(term))


def _bigrams(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]
