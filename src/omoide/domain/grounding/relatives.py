"""Relatives by whose they are: "Tomas's mother" is who Tomas calls "my mother", or "Mum" (F31)."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from omoide.domain.grounding.kin import KIN_EN, KIN_JA, KIN_KO, KIN_ZH
from omoide.domain.text import fold

_OF = regex.compile(
    rf"""(?:
      (?P<mine>(?:my|our)\s) (?:own\s)?(?P<word>{KIN_EN})
    | (?P<whose>\S.*?)(?:['’]s?)\s(?:own\s)?(?P<word>{KIN_EN})
    | (?P<mine>(?:우리|내|제|나의|저의)\s?) (?P<word>{KIN_KO})
    | (?P<whose>\S.*?)(?:의|이?네)\s?(?P<word>{KIN_KO})
    | (?P<mine>(?:うちの|私の|僕の|俺の|わたしの|自分の)) (?P<word>{KIN_JA})
    | (?P<whose>\S.*?)(?:さん|ちゃん|くん|君)?の(?P<word>{KIN_JA})
    | (?P<mine>(?:我|我的|我们的)) (?P<word>{KIN_ZH})
    | (?P<whose>\S.*?)的(?P<word>{KIN_ZH})
    | (?P<word>{KIN_EN}|{KIN_KO}|{KIN_JA}|{KIN_ZH})
    )""",
    regex.VERBOSE | regex.IGNORECASE,
)
_ONE_EACH = (
    "mother mom mum mommy mummy mama ma 엄마 어머니 어머님 お母さん 母さん 母親 母 ママ 妈妈 媽媽 母亲 妈",
    "father dad daddy papa pa 아빠 아버지 아버님 お父さん 父さん 父親 父 パパ 爸爸 父亲 爸",
    "wife 아내 와이프 집사람 妻 嫁 奥さん 老婆 妻子",
    "husband hubby 남편 신랑 夫 旦那 主人 老公 丈夫",
)
"""Words for one and the same relative, of whom nobody has two."""

_LONGEST = 80
"""Letters of a name at most; what is longer is none."""

_SAME = {word: words.split()[0] for words in _ONE_EACH for word in words.split()}


@dataclass(frozen=True, kw_only=True, slots=True)
class Relative:
    """A relative as a name tells of them: the word, and whose they are; None for the speaker's own."""

    word: str
    whose: str | None


def relative(name: str) -> Relative | None:
    """What a name tells that is made of a word for a relative or a friend; None for any other name."""
    if len(name) > _LONGEST:
        return None
    found = _OF.fullmatch(" ".join(name.split()))
    return None if found is None else Relative(word=found["word"], whose=found["whose"])


def same_relative(one: str, other: str) -> bool:
    """Whether two words mean one relative of the same person: "Mum" and "mother", 엄마 and 어머니."""
    first, second = fold(one), fold(other)
    return first == second or _SAME.get(first, first) == _SAME.get(second, second)
