"""Numbers in Han characters, and the dates that Japanese and Chinese write alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.times.lexicon import FEW, Count

if TYPE_CHECKING:
    from omoide.domain.times.reckoning import Season

_DIGITS = {one: number for number, one in enumerate("〇一二三四五六七八九")}
_DIGITS |= {"零": 0, "○": 0, "两": 2, "兩": 2}

SEASONS: dict[str, Season] = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}

NUMBER = r"(?:\d{1,2}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九两兩])"
YEAR = r"(?<!\d)(?P<year>(?:19|20)\d\d|[一二][〇零○九][〇零○一二三四五六七八九]{2})\s*年(?![前后後間间代])"
MONTH = rf"(?<![\d一二三四五六七八九十])(?P<month>{NUMBER})\s*月(?![前后後間间])"
DAY = rf"(?P<day>{NUMBER})\s*[日号號](?![前后後間间])"
COUNTED = rf"(?P<number>{NUMBER}|好几|好幾|[数數几幾何])(?:\s*[~〜、,或-]\s*(?P<upto>{NUMBER}))?"


def count(word: str) -> Count | None:
    """Read a number in Han characters, from one to ninety-nine or digit by digit; None where it is none."""
    if word in {"数", "數", "几", "幾", "何", "好几", "好幾"}:
        return FEW
    if "十" in word:
        tens, _, ones = word.partition("十")
        number = 10 * _DIGITS.get(tens, 1) + _DIGITS.get(ones, 0)
        return number, number
    digits = [_DIGITS[one] for one in word if one in _DIGITS]
    if len(digits) != len(word) or not digits:
        return None
    number = int("".join(map(str, digits)))
    return number, number
