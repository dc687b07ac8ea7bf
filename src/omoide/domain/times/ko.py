"""Time phrases of Korean."""

from __future__ import annotations

import re
from itertools import product

from omoide.domain.times.lexicon import EARLY, END, FEW, Count, Holiday, Lexicon, choice, shifts, unspaced
from omoide.domain.times.reckoning import Season, Shift, Turn, Unit

_RELATIVES = (
    shifts(
        "day", {"그끄저께": -3, "그저께": -2, "그제": -2, "어제": -1, "어저께": -1, "어젯밤": -1, "간밤": -1}
    )
    | shifts("day", {"오늘": 0, "아까": 0, "내일": 1, "모레": 2, "내일 모레": 2, "낼 모레": 2, "글피": 3})
    | shifts("day", {"이따": 0, "이따가": 0, "방금": 0, "낼": 1})
    | {"엊그제": Shift(unit="day", first=-3, last=-1), "엊그저께": Shift(unit="day", first=-3, last=-1)}
    | shifts("year", {"재작년": -2, "작년": -1, "금년": 0, "올해": 0, "내년": 1, "내후년": 2})
)
_DAY_WORDS = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9,
    "열흘": 10, "보름": 15,
}  # fmt: skip
# These end in 주, 달, 해, 전 or 후, with which many other words begin (주말, 달리기, 해외, 전화).
_OPEN_RELATIVES = (
    shifts(
        "week", {"지지난 주": -2, "저저번 주": -2, "지난 주": -1, "저번 주": -1, "이번 주": 0, "요번 주": 0}
    )
    | shifts("week", {"다음 주": 1, "담 주": 1, "차주": 1, "다다음 주": 2, "다담 주": 2})
    | shifts(
        "month", {"지지난 달": -2, "저저번 달": -2, "지난 달": -1, "저번 달": -1, "이번 달": 0, "이달": 0}
    )
    | shifts("month", {"다음 달": 1, "담 달": 1, "다다음 달": 2})
    | shifts("year", {"지지난 해": -2, "지난 해": -1})
    | shifts("day", {f"{word} 전": -days for word, days in _DAY_WORDS.items()})
    | shifts("day", {f"{word} {after}": days for word, days in _DAY_WORDS.items() for after in ("후", "뒤")})
    | {
        "며칠 전": Shift(unit="day", first=-7, last=-2),
        "얼마 전": Shift(unit="day", first=-30, last=-2),
        "반년 전": Shift(unit="month", first=-7, last=-5),
    }
)
_TURNS = (
    dict.fromkeys(("지난번", "지난", "저번"), Turn.LAST)
    | dict.fromkeys(("이번", "요번", "올"), Turn.THIS)
    | dict.fromkeys(("다음", "담"), Turn.NEXT)
    | dict.fromkeys(("오는", "돌아오는"), Turn.COMING)
    | {"다다음": Turn.AFTER_NEXT}
)
_UNITS: dict[str, Unit] = {
    "일": "day", "주": "week", "주일": "week", "달": "month", "개월": "month", "년": "year", "해": "year",
}  # fmt: skip
_MONTHS = {
    "일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "유": 6, "칠": 7, "팔": 8, "구": 9, "시": 10,
    "십일": 11, "십이": 12,
}  # fmt: skip
_SEASONS: dict[str, Season] = {"봄": "spring", "여름": "summer", "가을": "autumn", "겨울": "winter"}
_HOLIDAYS: dict[str, Holiday] = {
    "크리스마스": (12, 25, 1), "성탄절": (12, 25, 1), "연말": END, "연초": EARLY,
}  # fmt: skip
_STRETCHES = {"초": EARLY, "말": END}

_NATIVE_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_NATIVE_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_SINO_TENS = ("", "십", *(f"{one}십" for one in "이삼사오육칠팔구"))
_SINO_ONES = ("", *"일이삼사오육칠팔구")
_ABOUT = {
    "한두": (1, 2), "두세": (2, 3), "두어": (2, 3), "서너": (3, 4), "네댓": (4, 5), "대여섯": (5, 6),
    "몇": FEW, "수": FEW, "여러": FEW,
}  # fmt: skip


def _numbers(tens: tuple[str, ...], ones: tuple[str, ...]) -> dict[str, Count]:
    pairs = product(enumerate(tens), enumerate(ones))
    return {ten + one: (i * 10 + j, i * 10 + j) for (i, ten), (j, one) in pairs if i or j}


_NUMBERS: dict[str, Count] = (
    _numbers(_NATIVE_TENS, _NATIVE_ONES)
    | _numbers(_SINO_TENS, _SINO_ONES)
    | {"스무": (20, 20), "석": (3, 3), "넉": (4, 4)}
    | _ABOUT
)

_START = r"(?<![가-힣\d])(?<!매[주년달]\s)"
# What may follow a noun: no letter, or a particle.
_END = (
    r"(?=$|[^가-힣]|[에의은는이가도엔을를](?![가-힣])|에[는도서만]|[월화수목금토일](?:요일|욜)"
    r"|부터|까지|쯤|처럼|만|때|였|이[었라야]|인데|여서|으로|동안)"
)
# 낼 is short for 내일 only where it is no form of 내다: 숙제를 낼 거야, 시간 낼게, 돈 낼 사람.
_OTHER_NAEL = (
    r"(?<=[을를]\s)낼|낼(?!\s?모레)(?=[가-힣]|\s*(?:것|거|게|수|줄|때|만|예정|계획|생각|사람|돈|테|뿐|듯))"
)
_DIGITS = r"\d{1,2}"
_NATIVE_TEN = r"(?:열|스물|스무|서른|마흔|쉰|예순|일흔|여든|아흔)"
_NATIVE = rf"(?:{_NATIVE_TEN}?\s?(?:한|두|세|석|네|넉|다섯|여섯|일곱|여덟|아홉)|{_NATIVE_TEN})"
_SINO = r"(?:[이삼사오육칠팔구]?십[일이삼사오육칠팔구]?|[일이삼사오육칠팔구])"

_MONTH = rf"(?P<month>{_DIGITS}|{choice(_MONTHS)})월(?!드|요)(?:\s*(?P<day>{_DIGITS})일)?"
_WEEKDAY = r"(?P<weekday>[월화수목금토일])(?:요일|욜)(?!마다)"
_WEEKEND = r"(?P<weekend>주말)(?!마다)"
_SEASON = rf"(?P<season>{choice(_SEASONS)})(?!마다)"
_HOLIDAY = rf"(?P<holiday>{choice(_HOLIDAYS)})(?!마다)"
_STRETCH = rf"(?:(?<=[년해])|(?<=[년해]\s))(?P<stretch>{choice(_STRETCHES)})(?=$|[^가-힣]|에|엔|부터|까지|쯤)"
_PART = rf"(?:{_MONTH}|{_WEEKDAY}|{_WEEKEND}|{_SEASON}|{_HOLIDAY})"
# Native numbers go with 달, 주, 해, the others with the rest; 이 일 is "this thing", no two days.
_COUNTED = rf"""
    (?= {_DIGITS} | {choice(_ABOUT)} | {_NATIVE}\s*(?:달|주|해) | {_SINO}(?:일|\s*(?:주|개월|년)) )
    (?P<number>{_DIGITS}|{choice(_ABOUT)}|{_NATIVE}|{_SINO}) (?:\s*[~,-]\s*(?P<upto>{_DIGITS}))?
    \s* (?P<unit>{choice(_UNITS)})
"""
_PATTERNS = (
    # 지난 금요일, 이번 여름, 다음 3월
    rf"{_START} (?P<turn>{choice(_TURNS)}) \s* {_PART}",
    # 작년 여름, 지난주 금요일, 지난달 5일, 2023년 5월 7일
    rf"""
    {_START}
    (?: (?P<relative>
            (?!{_OTHER_NAEL})(?:{choice(_RELATIVES)}) (?!야|서야|날|[워우운울와왔금위]|시나무|배움)
          | (?:{choice(_OPEN_RELATIVES)}) {_END}
        )
      | (?P<year>(?:19|20)\d\d(?=\s*년(?!\s*(?:[전후뒤간대]|동안))) | \d\d(?=년\s*\d{{1,2}}월)) \s*년
    )
    (?: 의?\s*(?:{_PART} | {_STRETCH} | (?P<monthday>{_DIGITS})일(?!\s*(?:[전후뒤간]|동안))) )?
    """,
    # 5월 7일, 금요일에, 주말에, 여름에
    rf"""
    {_START}
    (?: {_MONTH} | {_WEEKDAY} | {_WEEKEND}(?=에|엔|동안|내내|\s*때) | {_SEASON}(?=에|엔|\s*(?:때|방학|휴가))
      | {_HOLIDAY}(?=에|엔|\s*때|\s*이브)
    )
    """,
    # 3일 전, 두 달 전, 3년 전 여름, 일주일 후
    rf"""
    {_START} {_COUNTED} \s* (?:전|(?P<ahead>후|뒤)) {_END}
    (?: (?:(?<=[년해]전)|(?<=[년해]\s전)) 의?\s*{_PART} )?
    """,
    # 지난 3일 동안, 최근 두 달
    rf"{_START} (?P<window>지난|최근) \s* {_COUNTED} (?:간|\s*동안)? {_END}",
)

LEXICON = Lexicon(
    hint=re.compile(
        r"[그저어]제|[그어]저께|어젯밤|간밤|오늘|아까|내일|모레|글피|낼|이따|방금|작년|[금내후]년|올해?|이달|[지저]난"
        r"|[저이요]번|다음|다?담[주 달월화수목금토일]|차주|오는|최근|전|[후뒤]|\d\s*[년월]"
        r"|[일이삼사오유칠팔구시]월|요일|[월화수목금토일]욜|주말|[봄을름울](?:에|엔|\s*[때방휴])|크리스마스|성탄절|연[말초]"
    ),
    patterns=tuple(re.compile(pattern, re.VERBOSE) for pattern in _PATTERNS),
    count=_NUMBERS.get,
    relatives=unspaced(_RELATIVES | _OPEN_RELATIVES),
    turns=_TURNS,
    units=_UNITS,
    months=_MONTHS,
    weekdays={day: number for number, day in enumerate("월화수목금토일")},
    seasons=_SEASONS,
    holidays=_HOLIDAYS | _STRETCHES,
)
