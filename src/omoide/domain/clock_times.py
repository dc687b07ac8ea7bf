"""Times of the day that a text tells, in figures or in words: 오후 세 시 반, 五時半, "half five", 17:30."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

_EN: Final = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_KO: Final = ("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두")
_HAN: Final = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_PARTS_KO: Final = (
    "오",
    "십",
    "십오",
    "이십",
    "이십오",
    "삼십",
    "삼십오",
    "사십",
    "사십오",
    "오십",
    "오십오",
)
_PARTS_HAN: Final = (
    "五",
    "十",
    "十五",
    "二十",
    "二十五",
    "三十",
    "三十五",
    "四十",
    "四十五",
    "五十",
    "五十五",
)
_PARTS_EN: Final = (
    "five",
    "ten",
    "fifteen",
    "twenty",
    "twenty-five",
    "thirty",
    "thirty-five",
    "forty",
    "forty-five",
)
_HOURS: Final = {word: hour for words in (_EN, _KO, _HAN) for hour, word in enumerate(words, 1)} | {
    "两": 2, "兩": 2,
}  # fmt: skip
_MINUTES: Final = {
    word: 5 * step for words in (_PARTS_KO, _PARTS_HAN, _PARTS_EN) for step, word in enumerate(words, 1)
} | {"half": 30, "반": 30, "半": 30, "quarter": 15, "一刻": 15, "三刻": 45}  # fmt: skip


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_HOUR_EN: Final = rf"(?P<hour>{_any(_EN)}|\d{{1,2}})"
_CLOCK: Final = regex.compile(
    rf"""
      (?P<half>오전|오후|아침|저녁|밤|새벽|낮)?\s?(?<!\d)(?P<hour>\d{{1,2}}|(?<!\p{{Hangul}})(?:{_any(_KO)}))\s?시(?!간)
        \s?(?:(?P<minute>\d{{1,2}}|{_any(_PARTS_KO)})\s?분|(?P<minute>반)(?!찬))?
    | (?P<half>午前|午後|朝|夜|夕方|上午|下午|晚上|早上|中午)?\s?(?<![\d{"".join(_HAN[:10])}])
        (?P<hour>\d{{1,2}}|两|兩|{_any(_HAN)})[時时点點](?!間|间)
        (?:(?P<minute>\d{{1,2}}|{_any(_PARTS_HAN)})分|(?P<minute>半|[一三]刻))?
    | \b(?P<minute>half)(?:[\s-]past)?[\s-]{_HOUR_EN}\b(?:\s?(?P<half>[ap]\.?m\b))?
    | \b(?:(?P<minute>{_any(_PARTS_EN)})(?:\sminutes)?|an?\s(?P<minute>quarter)|(?P<minute>quarter))
        \s(?:(?:past|after)|(?P<to>to|till|of))\s{_HOUR_EN}\b(?!\s(?:minutes|hours|days))(?:\s?(?P<half>[ap]\.?m\b))?
    | (?<![\d:])(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(?![\d:])(?:\s?(?P<half>[ap]\.?m\b))?
    | (?<![\d:.])(?P<hour>\d{{1,2}})\s?(?P<half>[ap]\.?m\b)
    | \b(?P<hour>{_any(_EN)})(?:\s(?P<minute>{_any(_PARTS_EN[2:])}))?
        (?:\s?(?P<half>[ap]\.?m\b)|\so['’]?clock\b)
    | \b(?P<hour>{_any(_EN)})\s(?P<minute>fifteen|thirty|forty-five)\b
    """,
    regex.IGNORECASE | regex.VERBOSE,
)
_LATE: Final = ("오후", "저녁", "밤", "낮", "午後", "夜", "夕方", "下午", "晚上", "中午", "pm", "p.m")
_EARLY: Final = ("am", "a.m", "오전", "새벽", "午前", "上午")
_BESIDE: Final = regex.compile(
    r"\s?(?:以[降後后前]|過ぎ|すぎ|前|頃|ごろ|まで|から|이후|이전|까지|부터|쯤|경)"
)
_DAY: Final = 24
_NOON: Final = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockTime:
    """A time of the day as a text tells it.

    Attributes:
        hour: 0 to 23 where it is sure, otherwise as it was said.
        minute: 0 to 59.
        sure: whether it is told which half of the day is meant.
        begin: where its words begin in the text, in NFKC form.
        end: where they end, with what says whether it is before or after.
    """

    hour: int
    minute: int
    sure: bool
    begin: int
    end: int

    def agrees(self, other: ClockTime) -> bool:
        """Whether two may be the same time."""
        apart = _DAY if self.sure and other.sure else _NOON
        return (self.hour - other.hour) % apart == 0 and self.minute == other.minute


def clock_times(text: str) -> list[ClockTime]:
    """The times of the day that a text tells, in the order in which they stand."""
    text = normalize("NFKC", text)
    found = (_read(match, text) for match in _CLOCK.finditer(text))
    return [one for one in found if one is not None]


def _read(match: regex.Match[str], text: str) -> ClockTime | None:
    half = (match["half"] or "").lower().rstrip(".")
    hour = _number(match["hour"], _HOURS)
    minute = _number(match["minute"], _MINUTES) if match["minute"] else 0
    if match["to"]:
        hour, minute = hour - 1, 60 - minute
    sure = bool(half) or hour > _NOON
    if half in _LATE and hour < _NOON:
        hour += _NOON
    if half in _EARLY and hour == _NOON:
        hour = 0
    beside = _BESIDE.match(text, match.end())
    end = match.end() if beside is None else beside.end()
    if hour not in range(_DAY) or minute not in range(60):
        return None
    return ClockTime(hour=hour, minute=minute, sure=sure, begin=match.start(), end=end)


def _number(word: str, words: dict[str, int]) -> int:
    return int(word) if word.isdecimal() else words[word.lower()]
