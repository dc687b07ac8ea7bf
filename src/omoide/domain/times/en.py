"""Time phrases of English."""

from __future__ import annotations

import re

from omoide.domain.times.lexicon import (
    EARLY,
    END,
    FEW,
    LATE,
    Count,
    Holiday,
    Lexicon,
    choice,
    shifts,
    unspaced,
)
from omoide.domain.times.reckoning import Season, Shift, Turn, Unit

_RELATIVES = (
    shifts("day", {"the day before yesterday": -2, "day before yesterday": -2})
    | shifts("day", {"yesterday": -1, "last night": -1, "today": 0, "earlier today": 0, "tonight": 0})
    | shifts("day", {"this morning": 0, "this afternoon": 0, "this evening": 0, "tomorrow": 1})
    | shifts("day", {"the day after tomorrow": 2, "day after tomorrow": 2, "later today": 0})
    | shifts("day", {"the night before last": -2, "last evening": -1})
    | shifts("day", dict.fromkeys(("yday", "yest'day"), -1) | dict.fromkeys(("tonite", "2nite", "2day"), 0))
    | shifts("day", dict.fromkeys(("tmrw", "tmr", "tmrrw", "tmw", "tomoz", "tomorow", "2moro", "2morrow"), 1))
    | shifts("week", {"the week before last": -2, "last week": -1, "this past week": -1, "this week": 0})
    | shifts("week", {"next week": 1, "the week after next": 2, "week after next": 2})
    | shifts("week", {"a fortnight ago": -2, "a fortnight from now": 2})
    | shifts("month", {"the month before last": -2, "last month": -1, "this past month": -1, "this month": 0})
    | shifts("month", {"next month": 1, "the month after next": 2, "month after next": 2})
    | shifts("year", {"the year before last": -2, "last year": -1, "this past year": -1, "this year": 0})
    | shifts("year", {"next year": 1, "the year after next": 2, "year after next": 2})
    | {
        "the other day": Shift(unit="day", first=-14, last=-1),
        "the other night": Shift(unit="day", first=-14, last=-1),
        "the other week": Shift(unit="week", first=-4, last=-1),
        "half a year ago": Shift(unit="month", first=-7, last=-5),
    }
)
_TURNS = {
    "last": Turn.LAST, "this past": Turn.LAST, "this": Turn.THIS, "next": Turn.NEXT,
    "this coming": Turn.COMING, "the coming": Turn.COMING, "coming": Turn.COMING,
    "after next": Turn.AFTER_NEXT,
}  # fmt: skip
_UNITS: dict[str, Unit] = {
    "day": "day", "days": "day", "week": "week", "weeks": "week",
    "month": "month", "months": "month", "year": "year", "years": "year",
}  # fmt: skip
_SEASONS: dict[str, Season] = {
    "spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn", "winter": "winter",
}  # fmt: skip
_HOLIDAYS: dict[str, Holiday] = {
    "christmas": (12, 25, 1), "halloween": (10, 31, 1), "new year's eve": (12, 31, 1),
    "new year's day": (1, 1, 1), "valentine's day": (2, 14, 1), "the holidays": (12, 20, 14),
}  # fmt: skip
_STRETCHES = {"early": EARLY, "beginning of": EARLY, "start of": EARLY, "late": LATE, "end of": END}
_MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTHS = (
    {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
    | {name[:3]: number for number, name in enumerate(_MONTH_NAMES, 1)}
    | {"sept": 9}
)
_WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_ONES = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FEW_WORDS = ("a few", "few", "several", "some", "a couple of", "a couple", "couple of", "couple")
_NUMBERS: dict[str, Count] = (
    {word: (number, number) for number, word in enumerate(_ONES, 1)}
    | {word: (number, number) for number, word in enumerate(_TENS, 2) for number in (number * 10,)}
    | {"a": (1, 1), "an": (1, 1), "week": (1, 1), "fortnight": (2, 2)}
    | {word.replace(" ", ""): (2, 3) if "couple" in word else FEW for word in _FEW_WORDS}
)


def _count(word: str) -> Count | None:
    if word in _NUMBERS:
        return _NUMBERS[word]
    for ten in _TENS:
        one = _NUMBERS.get(word.removeprefix(ten).lstrip("-"))
        if word.startswith(ten) and one:
            number = _NUMBERS[ten][0] + one[0]
            return number, number
    return None


_TWO_WORDS = rf"(?:{choice(_TENS)})(?:[\s-]?(?:{choice(_ONES[:9])}))?"
_NUMBER = rf"(?:\d{{1,2}}|{_TWO_WORDS}|{choice(_ONES)}|{choice(_FEW_WORDS)}|an?)"
_COUNTED = rf"""
    (?P<number>{_NUMBER}) (?:\s*(?:-|or|to)\s*(?P<upto>{_NUMBER}))?
    \s+ (?P<unit>{choice(_UNITS)})\b
"""
# "may" and "march" are months only with a capital, after "in", or beside "the 16th".
_CLEAR_MONTHS = choice(name for name in _MONTH_NAMES if name not in {"march", "may"})
_CAPITALS = "(?-i:May|March|MAY|MARCH)"
_SHORT_MONTHS = "(?-i:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
_MONTH = rf"(?P<month>{_CLEAR_MONTHS}|{_CAPITALS})\b"
_ANY_MONTH = rf"(?P<month>{choice(_MONTH_NAMES)})\b"
_NUMBERED = (
    r"(?:may|march)(?=\s+\d{1,2}(?:st|nd|rd|th)\b)"
    r"|(?<=\d(?:st|nd|rd|th)\sof\s)(?:may|march)"
)
_DATED_MONTH = rf"(?P<month>{_CLEAR_MONTHS}|{_CAPITALS}|{_NUMBERED}|{_SHORT_MONTHS})\b\.?"
_DAY_FIRST = rf"(?P<monthday>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_DATED_MONTH}"
_DAY_LAST = rf"{_DATED_MONTH}\s*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d|%)"
_WEEKDAY = rf"(?P<weekday>{choice(_WEEKDAY_NAMES)})\b"
_WEEKEND = r"(?P<weekend>weekend)\b"
_SEASON = rf"(?P<season>{choice(_SEASONS)})\b"
_HOLIDAY = rf"(?P<holiday>{choice(_HOLIDAYS)})\b".replace("'", "['’]")
_PART = rf"(?:{_MONTH}|{_WEEKDAY}|{_WEEKEND}|{_SEASON}|{_HOLIDAY})"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b(?![,/-]\d)"
_RELATIVE = rf"(?P<relative>{choice(_RELATIVES)})\b"

_PATTERNS = (
    *(
        # a week on Friday, two weeks from next Friday, a fortnight tomorrow
        rf"""
        (?<![\w.]) {weeks} \s+ (?:(?:on|from|after)\s+)?
        (?:(?P<relative>today|tomorrow)\b | (?:(?P<turn>{choice(_TURNS)})\s+)?{_WEEKDAY})
        """
        for weeks in (r"(?:an?\s+)?(?P<later>fortnight)", rf"(?P<later>{_NUMBER})\s+weeks?")
    ),
    # Friday week, tomorrow week
    rf"\b(?:on\s+)?(?:(?P<relative>today|tomorrow)|{_WEEKDAY})\s+(?P<later>week|fortnight)\b",
    # Friday after next, the weekend after next
    rf"\b(?:(?:on\s+)?the\s+|on\s+)?(?:{_WEEKDAY}|{_WEEKEND})\s+(?P<turn>after\s+next)\b(?!\s+week)",
    # last Friday, this summer
    rf"\b(?P<turn>{choice(_TURNS)})\s+{_PART}",
    # yesterday, last week on Friday, last year in March
    rf"\b{_RELATIVE}(?:,?\s+(?:on|in|at)\s+(?:the\s+)?{_PART})?",
    # next week Friday
    rf"\b(?P<relative>(?:last|this|next)\s+week)\s+{_WEEKDAY}",
    # Friday last week, summer of last year, in May 2023
    rf"\b(?:(?:in|on|at)\s+(?:the\s+)?)?{_PART},?\s+(?:of\s+|in\s+)?(?:{_YEAR}|{_RELATIVE})",
    # May 7, May 7th, 2023
    rf"\b(?:on\s+)?{_DAY_LAST}(?:,?\s+{_YEAR})?",
    # 7 May, the 7th of May 2023
    rf"\b(?:on\s+)?(?:the\s+)?{_DAY_FIRST}(?:,?\s+{_YEAR})?",
    # early last year, late in 2023, at the end of the year
    rf"""
    \b(?:(?:in|at)\s+)?(?:the\s+)?(?P<stretch>{choice(_STRETCHES)})\s+(?:in\s+)?
    (?:{_YEAR}|(?P<relative>(?:last|this|next)\s+year)\b|the\s+year\b)
    """,
    # on the 3rd, on the 3rd of last month
    r"""
    \bon\s+the\s+(?P<monthday>\d{1,2})(?:st|nd|rd|th)\b
    (?: \s+of\s+(?P<relative>(?:last|this|next)\s+month)\b
      | (?=\W*$|\s*[,.?!;]|\s+(?:and|at|in|with|for|did|was|is|what|where|I|we|you|he|she|they|my|our)\b) )
    """,
    # in March, in 2023
    rf"\b(?:in|since|during|around)\s+(?:early\s+|mid[\s-]?|late\s+)?(?:{_ANY_MONTH}(?:\s+{_YEAR})?)",
    rf"\b(?:in|since|during|around)\s+(?:mid[\s-]?)?{_YEAR}",
    # on Friday, over the weekend, in the summer, at Christmas
    rf"""
    \b(?:on\s+{_WEEKDAY} | (?:on|over|at|during)\s+the\s+{_WEEKEND}
      | (?:in|over|during)\s+(?:the\s+)?{_SEASON} | (?:at|on|over|during|for|around)\s+{_HOLIDAY})
    """,
    # two days ago, a couple of weeks ago, three weeks from now
    rf"(?<![\w.]){_COUNTED}\s+(?:ago\b|(?P<ahead>from\s+now)\b)",
    # the last three days, the past few weeks, the past month
    rf"""
    \b(?:the\s+)?(?P<window>last(?=\s+{_NUMBER}\s+\w)|past)
    \s+(?:(?P<number>{_NUMBER})\s+)?(?P<unit>{choice(_UNITS)})\b
    """,
)

LEXICON = Lexicon(
    hint=re.compile(
        r"(?=[a-z\d])(?:day|night|week|month|year|this (?:morning|afternoon|evening)|tomo|tmr|tmw|2mo"
        r"|nite|evening|fortnight|after next|19\d\d|20\d\d"
        r"|spring|summer|autumn|\bfall\b|winter|christmas|halloween|valentine|holidays|\bmay\b|march|ary\b|april|june|july|august|ember\b|october"
        r"|\d +[a-z]{3}\b|\b[a-z]{3,4}\.? ?\d)",
        re.IGNORECASE,
    ),
    patterns=tuple(re.compile(pattern, re.VERBOSE | re.IGNORECASE) for pattern in _PATTERNS),
    count=_count,
    relatives=unspaced(_RELATIVES),
    turns=unspaced(_TURNS),
    units=_UNITS,
    months=_MONTHS,
    weekdays={name: number for number, name in enumerate(_WEEKDAY_NAMES)},
    seasons=_SEASONS,
    holidays=unspaced(_HOLIDAYS | _STRETCHES),
)
