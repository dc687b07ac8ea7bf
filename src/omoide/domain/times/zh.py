"""Time phrases of Chinese, simplified and traditional."""

from __future__ import annotations

import re

from omoide.domain.times import han
from omoide.domain.times.lexicon import EARLY, END, Holiday, Lexicon, choice, shifts
from omoide.domain.times.reckoning import Shift, Turn, Unit

_WEEKS = ("周", "週", "个星期", "個星期", "星期", "个礼拜", "個禮拜", "礼拜", "禮拜")
_MONTHS = ("个月", "個月", "月")
_RELATIVES = (
    shifts("day", {"大前天": -3, "前天": -2, "昨天": -1, "昨晚": -1, "今天": 0})
    | shifts("day", {"昨儿": -1, "今儿": 0, "明儿": 1, "待会儿": 0, "等会儿": 0, "明早": 1, "明晚": 1})
    | shifts("day", {"今早": 0, "今晚": 0, "刚才": 0, "剛才": 0, "明天": 1, "后天": 2, "後天": 2})
    | shifts("day", {"大后天": 3, "大後天": 3})
    | shifts("week", {f"上上{week}": -2 for week in _WEEKS} | {f"上{week}": -1 for week in _WEEKS})
    | shifts("week", {f"{this}{week}": 0 for this in ("这", "這", "本") for week in _WEEKS})
    | shifts("week", {f"下{week}": 1 for week in _WEEKS} | {f"下下{week}": 2 for week in _WEEKS})
    | shifts("month", {f"上上{month}": -2 for month in _MONTHS} | {f"上{month}": -1 for month in _MONTHS})
    | shifts("month", {f"{this}{month}": 0 for this in ("这", "這", "本") for month in _MONTHS})
    | shifts("month", {f"下{month}": 1 for month in _MONTHS} | {f"下下{month}": 2 for month in _MONTHS})
    | shifts("year", {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2, "後年": 2})
    | {
        "前几天": Shift(unit="day", first=-7, last=-2),
        "前幾天": Shift(unit="day", first=-7, last=-2),
        "前些天": Shift(unit="day", first=-14, last=-2),
        "前阵子": Shift(unit="day", first=-60, last=-7),
        "前陣子": Shift(unit="day", first=-60, last=-7),
        "半年前": Shift(unit="month", first=-7, last=-5),
    }
)
_UNITS: dict[str, Unit] = {"天": "day", "日": "day", "个月": "month", "個月": "month", "年": "year"}
_WEEK_UNIT: Unit = "week"
_UNITS |= dict.fromkeys(_WEEKS, _WEEK_UNIT)
_TURNS = (
    dict.fromkeys(("上个", "上個"), Turn.LAST)
    | dict.fromkeys(("这个", "這個", "这", "這"), Turn.THIS)
    | dict.fromkeys(("下个", "下個"), Turn.NEXT)
    | dict.fromkeys(("下下个", "下下個"), Turn.AFTER_NEXT)
)
_CHRISTMAS: Holiday = (12, 25, 1)
_NATIONAL: Holiday = (10, 1, 7)
_HOLIDAYS: dict[str, Holiday] = {
    **dict.fromkeys(("圣诞节", "聖誕節", "圣诞", "聖誕"), _CHRISTMAS),
    **dict.fromkeys(("国庆", "國慶", "国庆节", "國慶節"), _NATIONAL),
    "元旦": (1, 1, 1), "暑假": (7, 1, 62), "年初": EARLY, "年底": END,
}  # fmt: skip
_STRETCHES = {"初": EARLY, "底": END, "末": END}

_WEEK = "(?:周|週|星期|礼拜|禮拜)"
# After 上周 the sign for "week" need not come again: 上周五, 上周末.
_IN_WEEK = f"(?:(?<=[周週期拜])|{_WEEK})"
_WEEKDAYS = "[一二三四五六日天]"
_MONTH = rf"{han.MONTH}份?(?:\s*{han.DAY})?"
_SEASON = rf"(?P<season>{choice(han.SEASONS)})[天季]?(?!节|節)"
_HOLIDAY = rf"(?P<holiday>{choice(_HOLIDAYS)})"
_STRETCH = rf"(?<=年)(?P<stretch>{choice(_STRETCHES)})(?![一二三四五六七八九十\d])"
_PART = rf"""(?:
    {_MONTH} | {_IN_WEEK}(?P<weekday>{_WEEKDAYS}) | (?P<weekend>{_IN_WEEK}末) | {_SEASON} | {_HOLIDAY}
)"""
_COUNTED = rf"(?<![\d第每]){han.COUNTED}\s*(?P<unit>{choice(_UNITS)})"

_PATTERNS = (
    # 上个夏天, 这个周末
    rf"(?<!每)(?P<turn>{choice(_TURNS)}){_PART}",
    # 去年夏天, 上周五, 上周末, 上个月5号, 2023年5月7日; but not 以前天天, 早上周末
    rf"""
    (?: (?!(?<=[以之然])[前后後]|(?<=[早晚马馬身路])上) (?P<relative>{choice(_RELATIVES)}) | {han.YEAR} )
    (?: 的?(?:{_PART} | {_STRETCH} | (?P<monthday>{han.NUMBER})[日号號](?![前后後間间])) )?
    """,
    # 5月7日, 周五, 周末, 夏天的时候; but not 一周一次
    rf"""
    {_MONTH}
    | (?<![一二两兩三四五六七八九十\d])(?<![几幾每数數整])
      (?:{_WEEK}(?P<weekday>{_WEEKDAYS}) | (?P<weekend>{_WEEK}末))
    | {_SEASON}(?=的?时候|的?時候|里|裡)
    | (?<![每学學])(?<!每年) (?!(?:圣诞|聖誕)(?![节節的时時那前])) {_HOLIDAY}(?![快节節]|[礼禮]物)
    """,
    # 三天前, 两个月前, 几年前, 三年前的夏天, 两周后
    rf"{_COUNTED}(?:(?:以|之)?前(?![往面提途景半])|(?P<ahead>(?:以|之)?[后後]))(?:(?<=年前)的?{_PART})?",
    # 最近三天, 过去两年
    rf"(?P<window>最近|过去|過去|近|这|這)的?{_COUNTED}",
)

LEXICON = Lexicon(
    hint=re.compile(
        "[前昨今明后後][天年日晚夜早儿些几幾阵陣]|[待等]会儿|[上下这這本][周週星礼禮个個月下上]|[周週期拜][一二三四五六日天末]|去年"
        "|[0-9一二三四五六七八九十][月年]|[年天日周週月期拜][以之]?[前后後]|最近|[过過]去|近|[这這]|[刚剛]才|[天夏冬秋春季][里裡的]"
        "|[圣聖][诞誕]|[国國][庆慶]|元旦|暑假|年[底末初]"
    ),
    patterns=tuple(re.compile(pattern, re.VERBOSE) for pattern in _PATTERNS),
    count=han.count,
    relatives=_RELATIVES,
    turns=_TURNS,
    units=_UNITS,
    weekdays={day: number for number, day in enumerate("一二三四五六日")} | {"天": 6},
    seasons=han.SEASONS,
    holidays=_HOLIDAYS | _STRETCHES,
)
