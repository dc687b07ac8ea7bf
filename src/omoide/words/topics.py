"""The words of a message that say what it is about, as a reader would name its topics (H5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from omoide.domain.text import fold
from omoide.words.function_words import CHINESE_FUNCTION, ENGLISH, KOREAN_FILLERS, korean_stems

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST: Final = 12
"""Words of one message; what holds more is about many things."""

_LONGEST: Final = 24
_LOOKED_AT: Final = 4_000
"""Characters of a message that are looked at."""

_WORD = re.compile(
    "(?P<ko>[가-힣]+)"
    "|(?P<kata>[ァ-ヺー]{2,})"
    "|(?P<han>[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff]{2,})"
    "|(?P<word>[^\\W\\d_\u3041-\u30ff\u3400-\u9fff가-힣]{3,}(?:['’][a-z]+)?)"
)
# What a Korean verb or adjective ends in; such a word says what happened, and seldom what with.
_KOREAN_VERB = re.compile(
    r"""(?:
        [다요죠까자며서면데네게던든럼돼아어해고기지]
      | 니까 | 거든 | 지만 | 잖아 | 구나 | 려고
      | [았었했됐갔왔봤줬겠렸났쳤였졌하되싶있없][어다지네던는고은]?
    )$""",
    re.VERBOSE,
)
_NOUN_BEFORE = ("을", "를", "은", "는")
"""Particles after which a single syllable is a word, such as a game's name."""

_TIMES_AND_TALK = """
    오늘 어제 내일 요즘 지금 아까 나중 다시 그냥 아주 많이 조금 이번 저번 지난 다음 매일 가끔 아직 벌써
    今日 昨日 明日 最近 今度 今朝 今夜 毎日 本当 全然 今天 昨天 明天 现在 現在 真的
    today yesterday tomorrow tonight lately always never often went come came know think tell told said say
    want make made see saw one two things thing lot bit little much many good nice day time near far don
"""
_COMMON = ENGLISH | KOREAN_FILLERS | frozenset(_TIMES_AND_TALK.split())
_KANA = re.compile("[ぁ-ヺ]")
_CHINESE_JOINTS = re.compile(f"[{''.join(sorted(CHINESE_FUNCTION))}]+")


def content_words(text: str) -> list[str]:
    """The distinct content words of a message, folded, in their order; at most `MOST`.

    Korean words lose their particles, and those that end like verbs are left out; of Japanese and Chinese,
    runs of Han and Katakana count; of other alphabets, words of three letters and more. There is no
    dictionary behind it, so some are missed.
    """
    folded = fold(text[:_LOOKED_AT])
    if _KANA.search(folded) is None:
        folded = _CHINESE_JOINTS.sub(" ", folded)
    words = [_korean(word) if kind == "ko" else word for kind, word in _words(folded)]
    found = dict.fromkeys(word for word in words if word and len(word) <= _LONGEST and word not in _COMMON)
    return list(found)[:MOST]


def _words(folded: str) -> Iterator[tuple[str | None, str]]:
    return ((match.lastgroup, match[0]) for match in _WORD.finditer(folded))


def _korean(word: str) -> str:
    """A Korean word less its particle; empty for what ends like a verb, and for a lone syllable."""
    stems = korean_stems(word)
    long = [stem for stem in stems if len(stem) > 1]
    if long:
        return long[0]
    if stems and word.endswith(_NOUN_BEFORE):
        return stems[0]
    return "" if len(word) < 2 or _KOREAN_VERB.search(word) else word
