"""Known names in a query: cut out before it is embedded, and the person it asks about.

A name pulls the meaning of a short query towards every row that holds it, and away from what is asked.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from omoide.words.function_words import ENGLISH, KOREAN_PARTICLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HANGUL = "\uac00-\ud7a3"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a1-\u30ff"

_KOREAN_HONORIFICS = ("선생님", "선배님", "선배", "언니", "오빠", "누나", "쌤", "님", "씨", "형", "양", "군")
_JAPANESE_HONORIFICS = ("さん", "ちゃん", "くん", "君", "様", "さま", "先輩", "先生", "たん", "殿", "氏")
_JAPANESE_PARTICLES = (
    "について", "にとって", "によって", "には", "では", "とは", "からは", "から", "まで", "より", "って",
    "たち", "は", "が", "を", "に", "の", "と", "も", "へ", "で", "や", "か", "よ", "ね",
)  # fmt: skip

# Names that are also words; they count as names only as they are written.
_ORDINARY_WORDS = """
    angel april art august autumn bill chance charity chase dawn drew faith frank gene grace guy hope hunter
    ivy joy june lily mark may miles pat ray rich robin rose sky sue summer sunny violet wade
"""
_ORDINARY = ENGLISH | frozenset(_ORDINARY_WORDS.split())
_BLANK = re.compile(r"[\W_]*")
_KANA = re.compile(f"[{_HIRAGANA}{_KATAKANA}]")
_LEADING_MARKS = re.compile(r"^[\s,.:;、，。：；·~!！]+")


def named(query: str, names: Sequence[str]) -> list[str]:
    """Which of the known names stand in a query, in the order of ``names``, each once.

    Latin names count as whole words; Korean and Japanese ones with any particle or honorific after them.
    """
    text = unicodedata.normalize("NFKC", query)
    spaced = _is_spaced(text)
    return [
        name
        for name in dict.fromkeys(names)
        if (pattern := _pattern(name, spaced=spaced)) and pattern.search(text)
    ]


def cut_names(query: str, names: Sequence[str]) -> str:
    """The query without known names, their honorifics and particles.

    It is the query itself where it holds no name, or nothing but names.
    """
    text = unicodedata.normalize("NFKC", query)
    rest, spaced = text, _is_spaced(text)
    for name in sorted(set(names), key=lambda name: (-len(name), name)):
        if pattern := _pattern(name, spaced=spaced):
            rest = pattern.sub(" ", rest)
    if rest == text:
        return query
    rest = _LEADING_MARKS.sub("", " ".join(rest.split()))
    return query if _BLANK.fullmatch(rest) else rest


def _is_spaced(text: str) -> bool:
    """Whether a change of script tells where a Han name ends: with kana it does, in Chinese nothing does."""
    return _KANA.search(text) is not None


@lru_cache(maxsize=4_096)
def _pattern(name: str, *, spaced: bool) -> re.Pattern[str] | None:
    plain = unicodedata.normalize("NFKC", name).strip()
    if _BLANK.fullmatch(plain):
        return None
    body = re.escape(plain)
    last = plain[-1]
    if re.match(f"[{_HANGUL}]", last):
        return re.compile(_korean(body, closed=_has_final(last)))
    if re.match(f"[{_HAN}{_HIRAGANA}{_KATAKANA}]", last):
        return re.compile(_japanese(body, last) if spaced else body if len(plain) > 1 else _alone(body))
    return _latin(body, ordinary=plain.casefold() in _ORDINARY)


def _latin(body: str, *, ordinary: bool) -> re.Pattern[str]:
    particles = (
        rf"(?:['’]s?\b|(?=[{_HANGUL}]){_korean_tail(closed=True)}"
        rf"|{_one_of(_JAPANESE_HONORIFICS)}?{_one_of(_JAPANESE_PARTICLES)}?)"
    )
    word = rf"(?<![^\W{_HANGUL}{_HAN}{_HIRAGANA}{_KATAKANA}]){body}(?![a-zA-Z0-9\u00c0-\u024f]){particles}"
    if ordinary:  # "Will you …", "May I …": a capital at the beginning says nothing
        return re.compile(rf"(?!\A){word}|{body}['’]s\b|{body}(?=,)")
    return re.compile(word, re.IGNORECASE)


def _has_final(syllable: str) -> bool:
    return (ord(syllable) - 0xAC00) % 28 != 0


def _korean_tail(*, closed: bool) -> str:
    link = "이?" if closed else ""
    return rf"{link}{_one_of(_KOREAN_HONORIFICS)}?{_one_of(KOREAN_PARTICLES)}?(?![{_HANGUL}])"


def _korean(body: str, *, closed: bool) -> str:
    return rf"(?<![{_HANGUL}]){body} ?{_korean_tail(closed=closed)}|(?<![{_HANGUL}]){body}(?![{_HANGUL}])"


def _japanese(body: str, last: str) -> str:
    honorific, particle = _one_of(_JAPANESE_HONORIFICS), _one_of(_JAPANESE_PARTICLES)
    if re.match(f"[{_HIRAGANA}]", last):
        # Kana on both sides tell nothing: only an honorific, a particle or a mark ends such a name.
        return rf"{body}(?:{honorific}{particle}?|{particle}|(?![{_HIRAGANA}]))"
    script = _KATAKANA if re.match(f"[{_KATAKANA}]", last) else _HAN
    return rf"(?<![{script}]){body}(?:{honorific}|(?![{script}])){particle}?"


def _alone(body: str) -> str:
    return rf"(?<!\w){body}(?!\w)"


def _one_of(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))})"
