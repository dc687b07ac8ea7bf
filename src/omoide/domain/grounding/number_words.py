"""Numbers that a text holds in words, or in figures and words: 서른둘, 3만 5천, 二十歳, thirty-two.

Nothing is asked of what stands around a word. 하지만 holds the word for 10,000, and bears out 10,000 alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from unicodedata import normalize

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

_DIGITS: Final = ("일 一", "이 二 两 兩", "삼 三", "사 四", "오 五", "육 六", "칠 七", "팔 八", "구 九")
_TENS_KO: Final = ("열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_ONES_KO: Final = ("하나 한", "둘 두", "셋 세", "넷 네", "다섯", "여섯", "일곱", "여덟", "아홉")
_TO_TWENTY: Final = (
    *("one first", "two second", "three third", "four fourth", "five fifth", "six sixth", "seven seventh"),
    *("eight eighth", "nine ninth", "ten tenth", "eleven eleventh", "twelve twelfth", "thirteen thirteenth"),
    *("fourteen fourteenth", "fifteen fifteenth", "sixteen sixteenth", "seventeen seventeenth"),
    *("eighteen eighteenth", "nineteen nineteenth"),
)
_TENS_EN: Final = ("ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def _numbered(words: Iterable[str], *, step: int = 1) -> dict[str, int]:
    return {word: step * place for place, same in enumerate(words, 1) for word in same.split()}


_ADDED: Final = {
    **_numbered(_DIGITS),
    "〇": 0,
    "零": 0,
    **_numbered(_ONES_KO),
    **_numbered(_TENS_KO, step=10),
    "스무": 20,
    **_numbered(_TO_TWENTY),
    **_numbered((f"{ten} {ten[:-1]}ies {ten[:-1]}ieth" for ten in _TENS_EN), step=10),
}
_TIMES: Final = {
    "십": 10,
    "十": 10,
    "백": 100,
    "百": 100,
    "천": 1000,
    "千": 1000,
    "hundred": 100,
    "dozen": 12,
}
_CLOSING: Final = {
    "만": 10**4,
    "万": 10**4,
    "萬": 10**4,
    "억": 10**8,
    "億": 10**8,
    "亿": 10**8,
    "thousand": 1000,
    "million": 10**6,
}
_WORDS: Final = (*_ADDED, *_TIMES, *_CLOSING)
_SINO: Final = "[일이삼사오육칠팔구]"
_NATIVE: Final = "|".join(word for words in _ONES_KO for word in words.split())
_LATIN: Final = "|".join(word for word in _WORDS if word.isascii())
_OTHER: Final = "|".join(word for word in _WORDS if not word.isascii())
# A Korean digit counts only beside a word for tens, hundreds and so on: 일, 이 and 한 are words of all kinds.
_WORD: Final = rf"""(?:\d{{1,15}}(?:\.\d+)?|(?<!\p{{Latin}})(?:{_LATIN})(?!\p{{Latin}})
    |{_SINO}(?=[십백천만억])|(?<=[십백천만억]){_SINO}|(?<=[열물른흔쉰순든])(?:{_NATIVE})|(?!{_SINO}|{_NATIVE})(?:{_OTHER}))"""
_BETWEEN: Final = r"""(?:(?<=\p{Latin})[\s-]+(?:and\s)?(?=\p{Latin})|[\s-]+(?=hundred|thousand|million|dozen)
    |(?<=[만万萬억億亿])\s(?=[\d\p{L}]{1,3}[십백천十百千]))"""
_RUN: Final = regex.compile(rf"{_WORD}(?:{_BETWEEN}?{_WORD})*", regex.VERBOSE)
_EACH: Final = regex.compile(_WORD, regex.VERBOSE)
_HOUR: Final = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d)"
_MINUTES: Final = {
    "30": regex.compile(rf"(?i)\bhalf\s+(?:past|{_HOUR})\b|시\s?반|時半|点半"),
    "15": regex.compile(rf"(?i)\bquarter\s+past\s+{_HOUR}"),
    "45": regex.compile(rf"(?i)\bquarter\s+(?:to|of)\s+{_HOUR}"),
}
"""Minutes of a clock that are told as a part of the hour."""

_MOST: Final = 10.0**18
_GROUPS: Final = regex.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def numbers(text: str) -> frozenset[int]:
    """The whole numbers of a text, each run of figures and number words as one: 만 오천 is 15,000."""
    runs = [*_runs(text), *(minutes for minutes, words in _MINUTES.items() if words.search(text))]
    # 이 behind a number may be a particle: 오백이 is 502, or 500.
    return frozenset(map(_value, [*runs, *(run[:-1] for run in runs if run.endswith("이"))]))


def figures(text: str) -> frozenset[int]:
    """Those that begin with a figure, and are no doubt numbers."""
    return frozenset(_value(run.removesuffix("이")) for run in _runs(text) if run[0].isdecimal())


def _runs(text: str) -> list[str]:
    return list(_RUN.findall(_GROUPS.sub("", normalize("NFKC", text).lower())))


def _value(run: str) -> int:
    whole, part, last = 0.0, 0.0, 0.0
    for word in _EACH.findall(run):
        if word in _CLOSING:
            whole, part, last = whole + ((part + last) or 1) * _CLOSING[word], 0.0, 0.0
        elif word in _TIMES:
            part, last = part + (last or 1) * _TIMES[word], 0.0
        else:
            last = _behind(last, float(_ADDED.get(word, word)), word)
    return int(min(whole + part + last, _MOST))


def _behind(last: float, added: float, word: str) -> float:
    """A number behind another: 一九 is 19, nineteen eighty is 1980, and all else is a sum, as twenty-two."""
    if regex.match(r"\p{Han}", word):
        return 10 * last + added
    is_year = min(last, added) >= 10 and word.isascii() and word.isalpha()
    return (100 * last if is_year else last) + added
