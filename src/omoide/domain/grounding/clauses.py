"""The clauses of what was said: the smallest stretches that claim, ask, deny or suppose something (H11)."""

from __future__ import annotations

from itertools import pairwise

import regex

from omoide.domain.text import sentences

_BORDER = regex.compile(
    r"""
      [,，、;；](?!\d)\s*
    | (?<!\s)\s++(?=(?:but|because|since|although|though|and\s+(?:i|i['’]m|he|she|they|we|you|my|it|never
        |where|what|how|is|are|do|does|can|should))\b)
    | (?<=\p{Hangul}(?:고|지만|는데|은데|인데|한데|니까|라서|며)) \s++ (?!싶|있|나서|말)
    | (?<=[았었였했갔왔봤됐줬냈렸졌쳤켰꼈샀탔잤났섰]더니) \s++
    | (?<=(?:て|い|た|る|だ|す)(?:けど|けれど|から|ので)|なので)、?
    """,
    regex.VERBOSE | regex.IGNORECASE,
)


def clauses(text: str) -> list[tuple[int, int]]:
    """Where the clauses of a text begin and end; joined, they are the text."""
    found: list[tuple[int, int]] = []
    begin = 0
    for sentence in sentences(text):
        ends = [match.end() for match in _BORDER.finditer(sentence) if match.end() > 0]
        edges = sorted({0, *ends, len(sentence)})
        found += [(begin + a, begin + b) for a, b in pairwise(edges)]
        begin += len(sentence)
    return found


def clauses_of(text: str, start: int, end: int) -> list[str]:
    """The clauses that a stretch of a text touches."""
    return [text[a:b] for a, b in clauses(text) if a < end and start < b]


def sentences_of(text: str, start: int, end: int) -> list[tuple[int, str]]:
    """The sentences that a stretch of a text touches, each with where it begins."""
    found = []
    begin = 0
    for sentence in sentences(text):
        if begin < end and start < begin + len(sentence):
            found.append((begin, sentence))
        begin += len(sentence)
    return found
