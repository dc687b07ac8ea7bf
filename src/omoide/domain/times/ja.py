"""Time phrases of Japanese."""

from __future__ import annotations

import re

from omoide.domain.times import han
from omoide.domain.times.lexicon import EARLY, END, Count, Holiday, Lexicon, choice, shifts
from omoide.domain.times.reckoning import Shift, Turn, Unit

_RELATIVES = (
    shifts("day", {"一昨々日": -3, "一昨日": -2, "おととい": -2, "おとつい": -2, "一昨夜": -2, "昨日": -1})
    | shifts("day", {"きのう": -1, "昨夜": -1, "昨晩": -1, "ゆうべ": -1, "今日": 0, "本日": 0, "今朝": 0})
    | shifts("day", {"きょう": 0, "けさ": 0, "今晩": 0, "今夜": 0, "今夕": 0, "こんや": 0, "こんばん": 0})
    | shifts("day", {"さっき": 0, "ついさっき": 0, "先ほど": 0, "先程": 0, "さきほど": 0, "のちほど": 0})
    | shifts("day", {"明日": 1, "あした": 1, "あす": 1, "明朝": 1, "明晩": 1, "明夜": 1, "明後日": 2})
    | shifts("day", {"あさって": 2, "明々後日": 3, "明明後日": 3, "しあさって": 3})
    | shifts("week", {"先々週": -2, "先先週": -2, "先週": -1, "せんしゅう": -1, "今週": 0, "こんしゅう": 0})
    | shifts("week", {"来週": 1, "らいしゅう": 1, "再来週": 2, "さらいしゅう": 2, "再々来週": 3})
    | shifts("month", {"せんげつ": -1, "こんげつ": 0, "らいげつ": 1, "さらいげつ": 2})
    | shifts("month", {"先々月": -2, "先先月": -2, "先月": -1, "今月": 0, "来月": 1, "再来月": 2})
    | shifts("year", {"一昨年": -2, "おととし": -2, "去年": -1, "昨年": -1, "今年": 0, "ことし": 0})
    | shifts("year", {"きょねん": -1, "来年": 1, "らいねん": 1, "再来年": 2, "さらいねん": 2})
    | {
        "先日": Shift(unit="day", first=-14, last=-1),
        "この間": Shift(unit="day", first=-14, last=-1),
        "この前": Shift(unit="day", first=-14, last=-1),
        "こないだ": Shift(unit="day", first=-14, last=-1),
        "半年前": Shift(unit="month", first=-7, last=-5),
    }
)
_TURNS = dict.fromkeys(("この前の", "こないだの", "この間の", "先日の", "前の"), Turn.LAST) | {
    "この": Turn.THIS, "今度の": Turn.SOON, "次の": Turn.SOON, "次の次の": Turn.AFTER_NEXT,
}  # fmt: skip
_MONTH_SIGNS = ("か月", "カ月", "ヵ月", "ヶ月", "ケ月", "箇月")
_UNITS: dict[str, Unit] = {"日": "day", "週": "week", "週間": "week", "年": "year"}
_MONTH_UNIT: Unit = "month"
_UNITS |= dict.fromkeys(_MONTH_SIGNS, _MONTH_UNIT)
_NEW_YEAR: Holiday = (1, 1, 7)
_HOLIDAYS: dict[str, Holiday] = {
    "クリスマス": (12, 25, 1), "大晦日": (12, 31, 1), "元旦": (1, 1, 1), "元日": (1, 1, 1), "年末": END,
    "お正月": _NEW_YEAR, "正月": _NEW_YEAR, "年始": _NEW_YEAR, "年末年始": (12, 28, 8),
    "ゴールデンウィーク": (4, 29, 8), "お盆": (8, 13, 4),
}  # fmt: skip
_STRETCHES = dict.fromkeys(("初め", "はじめ", "初頭"), EARLY) | dict.fromkeys(("末", "終わり", "暮れ"), END)
_REIGNS = {"令和": 2018, "平成": 1988, "昭和": 1925}


def _count(word: str) -> Count | None:
    """A number in Han characters, or a year by the reign (令和6)."""
    before = _REIGNS.get(word[:2])
    if before is None:
        return han.count(word)
    rest = word[2:]
    number = (int(rest), 0) if rest.isdecimal() else (1, 0) if rest == "元" else han.count(rest)
    return None if number is None else (before + number[0], before + number[0])


_NOT_EACH = r"(?<!毎)(?<!毎週)(?<!毎年)(?<!毎週の)(?<!毎年の)"
# A word in hiragana is one where a particle or no hiragana leads into it (ました), and where it is no part of
# another word: あしたば, きょうだい, 作曲 as さっきょく, 漁っている as あさっている, 寝るとき＋のうるささ.
_LEADS_IN = r"(?:(?<![ぁ-ん])|(?<=[はがもとにでやへのらを、]))"
_KANA_WORDS = (
    "しあさって", "あさって", "あした", "あす", "きのう", "きょう", "けさ", "こんや", "こんばん", "ゆうべ",
    "さっき", "ついさっき", "さきほど", "のちほど", "ことし", "きょねん", "らいねん", "さらいねん",
    "せんげつ", "こんげつ", "らいげつ", "さらいげつ",
    "せんしゅう", "こんしゅう", "らいしゅう", "さらいしゅう",
)  # fmt: skip
_SHORT_WORDS = r"(?:きょう|けさ|あす|こんや|こんばん|ことし|(?<=と)(?<![^るたいのなん]と)きのう)"
_BEHIND_SHORT = r"(?=[^ぁ-ん]|$|[のもに、]|は(?![くじん])|から|まで|が[^ぁ-ん]|こそ)"
_NO_TIME = (
    r"あしたば|ゆうべん|(?:さっき|のちほど)[ょんゅ]|さっきょ"
    r"|(?<=を)あさって|あさって(?:い[るたて]|[たる]|ばかり|み[たる]|き[たて]|くる|しま|ます|お[いく])"
)
_START = (
    rf"{_NOT_EACH}(?!{_NO_TIME})(?!{_SHORT_WORDS}(?!{_BEHIND_SHORT}))"
    rf"(?:{_LEADS_IN}|(?!{choice(_KANA_WORDS)}))"
)
_MONTH = rf"{han.MONTH}(?:\s*{han.DAY})?"
_WEEKDAY = r"(?P<weekday>[月火水木金土日])曜日?(?!ごと|毎)"
_SEASON = rf"(?P<season>{choice(han.SEASONS)})(?![季至分節])"
_HOLIDAY = rf"(?P<holiday>{choice(_HOLIDAYS)})"
_STRETCH = rf"(?:(?<=年)|(?<=年の))(?P<stretch>{choice(_STRETCHES)})"
_YEAR = han.YEAR.replace("(?P<year>", rf"(?P<year>(?:{choice(_REIGNS)})(?:元|{han.NUMBER})|")
# 末 of 先週末 is a weekend as 週末 is.
_WEEKEND = r"(?P<weekend>週末|(?<=週)末)"
_PART = rf"(?:{_MONTH}|{_WEEKDAY}|{_WEEKEND}|{_SEASON}|{_HOLIDAY})"
_COUNTED = rf"(?<![\d第毎]){han.COUNTED}\s*(?P<unit>{choice(_UNITS)})"

_PATTERNS = (
    # この前の金曜日, この夏
    rf"{_NOT_EACH}(?P<turn>{choice(_TURNS)}){_PART}",
    # 去年の夏, 先週の金曜日, 先月5日, 2023年5月7日; but the greeting 今日は！
    rf"""
    {_START}
    (?: (?!今日は(?:[!〜~。]|$)|こんばんは) (?P<relative>{choice(_RELATIVES)})(?!香)
      | {_YEAR}
    )
    (?: の?(?:{_PART} | {_STRETCH} | (?P<monthday>{han.NUMBER})日(?![前後間])) )?
    """,
    # 5月7日, 金曜日に, 週末に, 夏に, 夏休み
    rf"""
    {_NOT_EACH}
    (?: {_MONTH} | {_WEEKDAY} | (?<![\u4e00-\u9fff]){_WEEKEND}(?!ごと)
      | (?<![\u4e00-\u9fff]){_SEASON}(?=に|休み|の間|頃|ごろ)
      | (?<![\u4e00-\u9fff]){_HOLIDAY}(?=[にのはも、。?]|イブ|何|なに|どこ|どう|誰|$)
    )
    """,
    # 3日前, 二か月前, 何年か前, 三年前の夏, 2週間後
    rf"{_COUNTED}か?(?:ほど|くらい|ぐらい)?(?:前(?![後半期提])|(?P<ahead>後)(?!半))(?:(?<=年前)の{_PART})?",
    # この3日間, ここ数年
    rf"(?P<window>この|ここ|最近の?|過去){_COUNTED}間?",
)

LEXICON = Lexicon(
    hint=re.compile(
        rf"[昨今明本先][日夜晩朝夕々明先後週月年]|[来去]|おとと|おとつい|あさって|先[ほ程]|{choice(_KANA_WORDS)}"
        "|この|こないだ|前|後|ここ|最近|過去|今度|次|[月金木土日水火]曜|週末|[0-9一二三四五六七八九十][月年]"
        "|[春夏秋冬][に休の頃ご]|クリスマス|正月|年[末始]|大晦日|元[旦日年]|ゴールデン|お盆|令和|平成|昭和"
    ),
    patterns=tuple(re.compile(pattern, re.VERBOSE) for pattern in _PATTERNS),
    count=_count,
    relatives=_RELATIVES,
    turns=_TURNS,
    units=_UNITS,
    weekdays={day: number for number, day in enumerate("月火水木金土日")},
    seasons=han.SEASONS,
    holidays=_HOLIDAYS | _STRETCHES,
)
