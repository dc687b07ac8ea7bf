"""Whether a claim counts, from two to nine, what nobody counted so: 두 마리, 二匹, "two cats" (F02).

Larger numbers are read by `number_words`. One is no claim ("a cat"), nor is what tells a day or an hour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from unicodedata import normalize

import regex

from omoide.domain.grounding.number_words import numbers

if TYPE_CHECKING:
    from collections.abc import Iterable

_COUNTERS_KO: Final = (
    r"(?:마리|명|분|사람|살|개|병|잔|권|대|번|채|벌|켤레|송이|그루|장|곡|편|달|시간|주|가지|곳|군데|차례|배|판|알|통|줄|쌍"
    r"|년|해|학년|층|등|급|차|박|세|인|교대|남매|형제|자매|총사|킬로|키로|[십백천만])"
)
_COUNTERS_JA: Final = (
    r"(?:匹|頭|羽|人|名|つ|本|杯|枚|台|冊|歳|才|回|個|軒|着|足|度|[ヶかカヵ]月|年|週|時間|部屋|階|段"
    r"|只|条|岁|次|个|张|瓶|口)"
)
_EACH: Final = (  # what counts wherever it stands, and what does before a counter alone
    (2, "둘|이틀|부부|커플|쌍둥이|ふた[つり]|ふつか|両|夫婦|双子|ペア|两|兩", "두|이"),
    (3, "셋|사흘|세쌍둥이|みっ[つか]", "세|석|삼"),
    (4, "넷|나흘|よっ[つか]|よん", "네|넉|사"),
    (5, "다섯|닷새|いつ[つか]", "오"),
    (6, "여섯|엿새|むっつ|むいか|반\\s?년|半年", "육"),
    (7, "일곱|이레|なな", "칠"),
    (8, "여덟|여드레|やっつ|ようか", "팔"),
    (9, "아홉|아흐레|ここの[つか]", "구"),
)
_HAN: Final = "二三四五六七八九"
_SAID: Final = tuple(
    (
        number,
        regex.compile(
            rf"{anywhere}|{_HAN[number - 2]}|(?:{counting})(?=\s?{_COUNTERS_KO})"
            rf"|(?<=[초중고])(?:{counting})(?!\p{{Hangul}})"
        ),
    )
    for number, anywhere, counting in _EACH
)
_SAID_EN: Final = (
    (2, regex.compile(r"(?i)\b(?:both|couple|pair|twins?|twice|double|duo|fortnight|halves)\b")),
    (3, regex.compile(r"(?i)\b(?:triple\w*|thrice|trio)\b")),
    (6, regex.compile(r"(?i)\bhalf\s+a\s+year\b")),
    (7, regex.compile(r"(?i)\bweek\b")),
)
_FIGURE: Final = regex.compile(r"\d+")
_DAY_OR_HOUR: Final = regex.compile(
    r"\d{1,9}[-/.:]\d+(?:[-/.:]\d+)*|\d{1,9}(?:st|nd|rd|th)\b"
    r"|\d{1,9}\s?(?:월|일(?!곱)|시(?!간)|분|月|日|時(?!間)|分|点|号|a\.?m\b|p\.?m\b|o['’]clock)"
    r"|(?i:\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d+)"
    r"|(?i:\d{1,9}\s+(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)"
)
_CLAIMED: Final = regex.compile(
    rf"""(?<![\p{{Latin}}\d.,])(?P<figure>[2-9])(?![\d.,]\d|\d)
    | (?<!\p{{Hangul}})(?P<ko>두|세|네|다섯|여섯|일곱|여덟|아홉)\s?(?!사람){_COUNTERS_KO}
    | (?<![\p{{Han}}])(?P<han>[{_HAN}])(?!人(?![兄姉家暮]))(?={_COUNTERS_JA})
    | (?i:(?<!\bthe\s)\b(?P<en>two|three|four|five|six|seven|eight|nine)\b(?!\s+of\b|-))""",
    regex.VERBOSE,
)
_NUMBERED: Final = (
    *("두 二 two", "세 三 three", "네 四 four", "다섯 五 five", "여섯 六 six", "일곱 七 seven"),
    *("여덟 八 eight", "아홉 九 nine"),
)
_WORDS: Final = {word: number for number, words in enumerate(_NUMBERED, 2) for word in words.split()}
_JOINED: Final = regex.compile(r"(?i)\band\b|&|[,、，·]|(?:이?랑|하고|와|과)\s|と|和")
_SUMS: Final = (7, 12)
"""Days of a week, and months of a year: 14 days are two weeks."""


def miscounted(claim: str, said: Iterable[str]) -> bool:
    """Whether a claim tells of two to nine of something, and what it rests on holds no such number.

    What was told one by one may be counted ("Mochi and Bean": two cats), where no number was said; and a
    year that was said may be reckoned with.
    """
    text = normalize("NFKC", " ".join(said))
    heard = _heard(text)
    claimed = _claimed(claim) - heard - {number // of for number in heard for of in _SUMS}
    if not claimed or any(1900 <= number <= 2100 for number in heard):
        return False
    counted = 0 if heard & set(range(2, 10)) else len(_JOINED.findall(text)) + 1
    return any(number > counted for number in claimed)


def _claimed(claim: str) -> set[int]:
    plain = _DAY_OR_HOUR.sub(" ", normalize("NFKC", claim))
    words = (next(filter(None, found.groups())).lower() for found in _CLAIMED.finditer(plain))
    return {_WORDS.get(word) or int(word) for word in words}


def _heard(text: str) -> set[int]:
    plain = {int(figure[:6]) for figure in _FIGURE.findall(text)} | numbers(text)
    return plain | {number for number, words in (*_SAID, *_SAID_EN) if words.search(text)}
