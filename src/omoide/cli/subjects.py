"""What can be asked about something that was said: its things and names, found by what stands beside them.

No dictionary is used: a Korean word with the particle of an object, a Japanese compound before a particle, an
English noun after an article, and whatever stands in quotation marks are things, most of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from omoide.domain.text import cut
from omoide.words.function_words import CHINESE_FUNCTION, ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omoide.domain.text import Language

_LONGEST = 24
"""Letters of a quoted beginning."""

_TITLE = regex.compile(
    r"[「『《“‘](?P<thing>[^「『《“‘」』》”’\n]{2,20})[」』》”’]|[\"'](?P<thing>\p{Hangul}[^\"'\n]{1,19})[\"']"
)
_KOREAN = regex.compile(
    r"(?<![\p{L}\d])(?P<thing>[\p{Hangul}]{2,6}?)(?:에서는|에서|에게|한테|까지|부터|이랑|랑|으로|을|를)(?![\p{L}])"
)
_KOREAN_VERB = regex.compile(
    r"[았었였겠했갔왔셨났됐렸졌]$|(?:이것|저것|그것|여기|저기|거기|지금|오늘|어제|내일|우리|나중|처음)$"
)
_JAPANESE = regex.compile(
    r"(?<![\p{Han}\p{Katakana}ー])(?P<thing>[\p{Han}\p{Katakana}ー]{2,12}|\p{Han}+の\p{Han}{1,4})(?=[のをがはにでとへもやっだ、。]|$)"
)
_JAPANESE_TIME = regex.compile(
    r"[今昨明来先毎][日年月週晩朝夜]|最近|自分|一緒|本当|時間|今度|[前後]に?$|\p{N}|[一二三四五六七八九十]+[日月年時分人回]"
)
_ENGLISH = regex.compile(
    r"\b(?P<article>my|our|the|an?)\s+(?P<thing>(?:[\p{Latin}'’-]+\s+)?[\p{Latin}'’-]{3,})"
    r"(?=\s*[.,!?;:)]|\s+(?:in|on|at|of|is|was|are|were|and|but|with|for|to|that|who|from|because|called|named|"
    r"has|had|about|yesterday|today|last|this|when|while|after|before)\b|\s*$)",
    regex.IGNORECASE,
)
_ENGLISH_NAME = regex.compile(r"(?<=[\p{Ll},]\s)(?P<thing>\p{Lu}\p{Ll}{2,}(?:\s\p{Lu}\p{Ll}+)*)")
_ENGLISH_EMPTY = regex.compile(
    r"(?i)\b(?:way|thing|things|time|day|lot|bit|one|other|same|whole|week|month|year|kind|morning|night|end)$"
)
_HAN_RUN = regex.compile(r"\p{Han}+")
_CHINESE_EMPTY = frozenset(
    f"{''.join(CHINESE_FUNCTION)}到给跟对从做看买吃喝找住为以可没过上下里今昨明天年月日次个只一两三"
)
_CLAUSE = regex.compile(r"[^\n.,!?;:。、，！？；：…~*]+")


def things(text: str, spoken: Language) -> list[str]:
    """What a text is about, as it can stand in a question; each once, in the order of the text."""
    titles = [found["thing"].strip() for found in _TITLE.finditer(text)]
    return list(dict.fromkeys([*titles, *_FINDERS[spoken](text)]))


def beginning(text: str) -> str:
    """The first words of a text, to be quoted where it is about nothing that can be named."""
    clauses = [clause.strip() for clause in _CLAUSE.findall(text)]
    return cut(next((clause for clause in clauses if len(clause) > 3), text.strip()), _LONGEST)


def _korean(text: str) -> Iterator[str]:
    for found in _KOREAN.finditer(text):
        if not _KOREAN_VERB.search(found["thing"]):
            yield found["thing"]


def _japanese(text: str) -> Iterator[str]:
    for found in _JAPANESE.finditer(text):
        if not _JAPANESE_TIME.search(found["thing"]):
            yield found["thing"]


def _english(text: str) -> Iterator[str]:
    for found in _ENGLISH.finditer(text):
        words = found["thing"].split()
        if words[-1].lower() not in ENGLISH and not _ENGLISH_EMPTY.search(found["thing"]):
            article = found["article"].lower()
            yield f"{'the' if article.startswith('a') else article} {found['thing']}"
    for found in _ENGLISH_NAME.finditer(text):
        if found["thing"].lower() not in ENGLISH:
            yield found["thing"]


def _chinese(text: str) -> Iterator[str]:
    for run in _HAN_RUN.findall(text):
        pieces = "".join(" " if letter in _CHINESE_EMPTY else letter for letter in run).split()
        yield from (piece for piece in pieces if 2 <= len(piece) <= 6)


_FINDERS: dict[Language, Callable[[str], Iterator[str]]] = {
    "ko": _korean,
    "ja": _japanese,
    "en": _english,
    "zh": _chinese,
}
