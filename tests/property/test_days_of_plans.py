"""A weekday with a date, in four languages, is that day: a right guess stands, a wrong one is corrected."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.due import due
from omoide.domain.partial_date import Precision

if TYPE_CHECKING:
    from collections.abc import Iterator

_EN = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_KO, _JA, _ZH = "월화수목금토일", "月火水木金土日", "一二三四五六日"
_WHICH = (
    ("first", "첫째", "一"),
    ("second", "둘째", "二"),
    ("third", "셋째", "三"),
    ("fourth", "넷째", "四"),
)


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _dated(day: date) -> Iterator[str]:
    """A day by its month, its number and its weekday."""
    month, number, weekday = f"{day:%B}", _ordinal(day.day), _EN[day.weekday()]
    for words in (
        f"{weekday} {month} {number}",
        f"{weekday} {day.day} {month}",
        f"{weekday}, the {number} of {month}",
        f"{month} {number}, a {weekday}",
    ):
        yield from (words, words.lower())
    ko, ja, zh = _KO[day.weekday()], _JA[day.weekday()], _ZH[day.weekday()]
    yield from (f"{day:%-m월 %-d일} {ko}요일에", f"{ko}요일, {day:%-m월 %-d일}", f"{day:%-m월 %-d일}({ko})에")
    yield from (f"{day:%-m月%-d日}の{ja}曜に", f"{ja}曜、{day:%-m月%-d日}", f"{day:%-m月%-d日}({ja})に")
    yield from (f"{day:%-m月%-d日}星期{zh}", f"周{zh}，{day:%-m月%-d}号")


def _numbered(day: date, said: date) -> Iterator[str]:
    """A day by its number, as one says it within four weeks or of the month to come."""
    number, weekday = _ordinal(day.day), _EN[day.weekday()]
    ko, ja, zh = _KO[day.weekday()], _JA[day.weekday()], _ZH[day.weekday()]
    if (day - said).days < 28:
        yield from (f"{weekday} the {number}", f"{day.day}일 {ko}요일에", f"{day.day}日の{ja}曜に")
        yield from (f"{day.day}号周{zh}", f"the {number}", f"{day.day}일에", f"{day.day}日に")
    if day.year * 12 + day.month - said.year * 12 - said.month == 1:
        yield from (f"next month on the {number}", f"{weekday} the {number} of next month")
        yield from (
            f"다음 달 {day.day}일 {ko}요일에",
            f"来月{day.day}日の{ja}曜に",
            f"下个月{day.day}号星期{zh}",
        )


def _which_of_its_month(day: date, said: date) -> Iterator[str]:
    """A day as the second Saturday of a month to come, or the last."""
    if day.month == said.month:
        return
    weekday, month = _EN[day.weekday()].lower(), f"{day:%B}".lower()
    ko, ja, zh = _KO[day.weekday()], _JA[day.weekday()], _ZH[day.weekday()]
    if day.day <= 28:
        en, korean, han = _WHICH[(day.day - 1) // 7]
        yield from (f"the {en} {weekday} of {month}", f"in {month}, on the {en} {weekday}")
        yield from (
            f"{day:%-m월} {korean} {ko}요일에",
            f"{day:%-m月}の第{han}{ja}曜に",
            f"{day:%-m月}第{han}个星期{zh}",
        )
    if (day + timedelta(days=7)).month != day.month:
        yield from (
            f"the last {weekday} of {month}",
            f"{day:%-m월} 마지막 {ko}요일에",
            f"{day:%-m月}最後の{ja}曜に",
        )


@pytest.mark.proves("F05")
@given(
    said=st.dates(date(2026, 1, 1), date(2027, 12, 31)),
    ahead=st.integers(1, 119),
    off=st.sampled_from([0, 1, -1, 7]),
)
def test_all_that_words_tell_of_a_day_is_heard_whatever_a_model_makes_of_them(
    said: date, ahead: int, off: int
) -> None:
    day = said + timedelta(days=ahead)
    guess = f"{day + timedelta(days=off)}"
    at = datetime(said.year, said.month, said.day, 20, tzinfo=UTC)
    for words in (*_dated(day), *_numbered(day, said), *_which_of_its_month(day, said)):
        found = due(words, said=at, guess=guess)
        assert found is not None, words
        assert (found.at.date(), found.precision) == (day, Precision.DAY), words
