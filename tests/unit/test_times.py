from __future__ import annotations

import unicodedata
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.times import resolve
from omoide.errors import InvalidInput

SEOUL = ZoneInfo("Asia/Seoul")
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 6, 10, 21, 30, tzinfo=SEOUL)  # a Wednesday


def dates(text: str, now: datetime = NOW) -> list[tuple[str, str]]:
    """First and last day of each span, as written in a table."""
    return [
        (span.start.date().isoformat(), (span.end.date() - timedelta(days=1)).isoformat())
        for span in resolve(text, now=now)
    ]


def one(text: str, now: datetime = NOW) -> str:
    [(first, last)] = dates(text, now)
    return first if first == last else f"{first} {last}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("어제 뭐 먹었지", "2026-06-09"),
        ("그저께 본 영화", "2026-06-08"),
        ("아까 말한 거", "2026-06-10"),
        ("내일모레 만나자", "2026-06-12"),
        ("지난주에 우리 어디 갔었지?", "2026-06-01 2026-06-07"),
        ("지난주 금요일", "2026-06-05"),
        ("저번 주말에 뭐 했더라", "2026-06-06 2026-06-07"),
        ("지지난주 얘기야", "2026-05-25 2026-05-31"),
        ("금요일에 봤던 거", "2026-06-05"),
        ("수요일에 봤던 거", "2026-06-03"),
        ("지난달에 이사했어", "2026-05-01 2026-05-31"),
        ("지난달 5일", "2026-05-05"),
        ("작년 여름에 바다 갔잖아", "2025-06-01 2025-08-31"),
        ("작년 겨울", "2025-12-01 2026-02-28"),
        ("올여름", "2026-06-01 2026-08-31"),
        ("재작년", "2024-01-01 2024-12-31"),
        ("3월에 만났지", "2026-03-01 2026-03-31"),
        ("9월에 만났지", "2025-09-01 2025-09-30"),
        ("시월 생일 파티", "2025-10-01 2025-10-31"),
        ("2023년 5월", "2023-05-01 2023-05-31"),
        ("2023년 5월 7일", "2023-05-07"),
        ("23년 5월", "2023-05-01 2023-05-31"),
        ("5월 7일", "2026-05-07"),
        ("6월 11일", "2025-06-11"),
        ("3일 전에", "2026-06-07"),
        ("３일 전에", "2026-06-07"),
        ("사흘 전", "2026-06-07"),
        ("일주일 전쯤", "2026-06-01 2026-06-07"),
        ("두 달 전", "2026-04-01 2026-04-30"),
        ("스물세 달 전", "2024-07-01 2024-07-31"),
        ("십오 년 전", "2011-01-01 2011-12-31"),
        ("3년 전 여름", "2023-06-01 2023-08-31"),
        ("두세 달 전", "2026-03-01 2026-04-30"),
        ("2~3일 전", "2026-06-07 2026-06-08"),
        ("몇 년 전", "2020-01-01 2024-12-31"),
        ("지난 3일 동안", "2026-06-08 2026-06-10"),
        ("작년 크리스마스 때", "2025-12-25"),
        ("다음 주 금요일", "2026-06-19"),
        ("일주일 후", "2026-06-15 2026-06-21"),
        ("작년 말에 이사했지", "2025-12-01 2025-12-31"),
        ("올해 초", "2026-01-01 2026-03-31"),
        ("2023년 초부터", "2023-01-01 2023-03-31"),
        ("지난해 말", "2025-12-01 2025-12-31"),
        ("연말에 뭐 했더라", "2025-12-01 2025-12-31"),
        ("작년 연말", "2025-12-01 2025-12-31"),
        ("작년 말이야", "2025-01-01 2025-12-31"),
        ("작년 초등학교 때", "2025-01-01 2025-12-31"),
        ("여름방학 때", "2026-06-01 2026-08-31"),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_korean_phrases(text: str, expected: str, form: str) -> None:
    assert one(unicodedata.normalize(form, text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("昨日は楽しかった", "2026-06-09"),
        ("一昨日の話", "2026-06-08"),
        ("おととい会ったよね", "2026-06-08"),
        ("こんにちは、今日は海に行った", "2026-06-10"),
        ("先週どこに行ったっけ", "2026-06-01 2026-06-07"),
        ("先週の金曜日", "2026-06-05"),
        ("先週末", "2026-06-06 2026-06-07"),
        ("この前の金曜日", "2026-06-05"),
        ("先月の5日", "2026-05-05"),
        ("先月引っ越した", "2026-05-01 2026-05-31"),
        ("去年の夏の花火", "2025-06-01 2025-08-31"),
        ("一昨年", "2024-01-01 2024-12-31"),
        ("3日前", "2026-06-07"),
        ("２、３日前", "2026-06-07 2026-06-08"),
        ("二十三日前", "2026-05-18"),
        ("2か月前", "2026-04-01 2026-04-30"),
        ("三年前の夏", "2023-06-01 2023-08-31"),
        ("何年か前", "2020-01-01 2024-12-31"),
        ("5月7日に会った", "2026-05-07"),
        ("9月に会った", "2025-09-01 2025-09-30"),
        ("二〇二三年五月七日", "2023-05-07"),
        ("金曜日に", "2026-06-05"),
        ("この3日間", "2026-06-08 2026-06-10"),
        ("来週の月曜", "2026-06-15"),
        ("明後日", "2026-06-12"),
        ("お正月に何してた？", "2026-01-01 2026-01-07"),
        ("去年のお正月", "2025-01-01 2025-01-07"),
        ("年末は忙しかった", "2025-12-01 2025-12-31"),
        ("年末年始はどこにいた？", "2025-12-28 2026-01-04"),
        ("去年の初め", "2025-01-01 2025-03-31"),
        ("昨年末に会った", "2025-12-01 2025-12-31"),
        ("2023年の終わり", "2023-12-01 2023-12-31"),
        ("令和6年に引っ越した", "2024-01-01 2024-12-31"),
        ("令和元年", "2019-01-01 2019-12-31"),
        ("平成十二年の夏", "2000-06-01 2000-08-31"),
        ("昭和64年1月7日", "1989-01-07"),
        ("大晦日に会った", "2025-12-31"),
        ("お盆に帰った", "2025-08-13 2025-08-16"),
    ],
)
def test_japanese_phrases(text: str, expected: str) -> None:
    assert one(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("昨天你说的", "2026-06-09"),
        ("前天吃了火锅", "2026-06-08"),
        ("上周我们去哪了", "2026-06-01 2026-06-07"),
        ("上周五", "2026-06-05"),
        ("上个星期天", "2026-06-07"),
        ("上周末", "2026-06-06 2026-06-07"),
        ("上个月", "2026-05-01 2026-05-31"),
        ("上個月5號", "2026-05-05"),
        ("去年夏天", "2025-06-01 2025-08-31"),
        ("前年", "2024-01-01 2024-12-31"),
        ("三天前", "2026-06-07"),
        ("两个月前", "2026-04-01 2026-04-30"),
        ("几年前", "2020-01-01 2024-12-31"),
        ("2023年5月", "2023-05-01 2023-05-31"),
        ("最近三天", "2026-06-08 2026-06-10"),
        ("下周一", "2026-06-15"),
        ("圣诞节我们去哪了", "2025-12-25"),
        ("去年聖誕節", "2025-12-25"),
        ("年底很忙", "2025-12-01 2025-12-31"),
        ("去年年底", "2025-12-01 2025-12-31"),
        ("去年底", "2025-12-01 2025-12-31"),
        ("今年初", "2026-01-01 2026-03-31"),
        ("2023年初", "2023-01-01 2023-03-31"),
        ("暑假我做了什么", "2025-07-01 2025-08-31"),
        ("去年国庆", "2025-10-01 2025-10-07"),
        ("元旦那天", "2026-01-01"),
    ],
)
def test_chinese_phrases(text: str, expected: str) -> None:
    assert one(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did we do yesterday?", "2026-06-09"),
        ("the day before yesterday", "2026-06-08"),
        ("Where did we go last week?", "2026-06-01 2026-06-07"),
        ("Friday last week", "2026-06-05"),
        ("last Friday", "2026-06-05"),
        ("we met on Wednesday", "2026-06-03"),
        ("over the weekend", "2026-06-06 2026-06-07"),
        ("last month", "2026-05-01 2026-05-31"),
        ("that trip last summer", "2025-06-01 2025-08-31"),
        ("last winter", "2025-12-01 2026-02-28"),
        ("the summer of 2021", "2021-06-01 2021-08-31"),
        ("last year", "2025-01-01 2025-12-31"),
        ("March of last year", "2025-03-01 2025-03-31"),
        ("two days ago", "2026-06-08"),
        ("twenty-three days ago", "2026-05-18"),
        ("a couple of weeks ago", "2026-05-18 2026-05-31"),
        ("2-3 weeks ago", "2026-05-18 2026-05-31"),
        ("a few years ago", "2020-01-01 2024-12-31"),
        ("the past two weeks", "2026-05-28 2026-06-10"),
        ("in May 2023", "2023-05-01 2023-05-31"),
        ("in march", "2026-03-01 2026-03-31"),
        ("in September", "2025-09-01 2025-09-30"),
        ("on May 7", "2026-05-07"),
        ("the 7th of May, 2023", "2023-05-07"),
        ("2023-05-07", "2023-05-07"),
        ("2023. 5. 7.", "2023-05-07"),
        ("25/12/2023", "2023-12-25"),
        ("12/25/2023", "2023-12-25"),
        ("5/5/2023", "2023-05-05"),
        ("back in 2019", "2019-01-01 2019-12-31"),
        ("at Christmas", "2025-12-25"),
        ("next Friday", "2026-06-19"),
        ("What did we do over the holidays?", "2025-12-20 2026-01-02"),
        ("on New Year’s Eve", "2025-12-31"),
        ("we met on the 3rd", "2026-06-03"),
        ("on the 21st, at noon", "2026-05-21"),
        ("on the 3rd of last month", "2026-05-03"),
        ("on the 3rd of May", "2026-05-03"),
        ("late last year", "2025-10-01 2025-12-31"),
        ("early in 2023", "2023-01-01 2023-03-31"),
        ("since late 2023", "2023-10-01 2023-12-31"),
        ("at the end of last year", "2025-12-01 2025-12-31"),
        ("the beginning of this year", "2026-01-01 2026-03-31"),
        ("by the end of the year", "2025-12-01 2025-12-31"),
        ("tomorrow", "2026-06-11"),
    ],
)
def test_english_phrases(text: str, expected: str) -> None:
    assert one(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "내 생일 기억나?", "매일 일해", "이 일 전에 전화해", "아까워", "오늘날", "그제야 알았어",
        "지난 주인공 이름", "지난 달리기 대회", "며칠 전화가 안 돼", "매주 금요일", "일요일마다 가",
        "언어제한", "완전 좋아", "今日は！", "こんにちは", "誕生日はいつ？", "日本が好き", "毎週金曜日",
        "探しました", "一番好き", "3日間かかる", "一周一次", "每周五", "以前天天去", "今后",
        "may I come in?", "march on", "wait a second", "this may be fun", "every Friday", "I like Fridays",
        "on the 3rd floor", "on the 5th try", "the holidays are over", "年末調整", "正月太り", "圣诞树",
        "圣诞节快乐", "每年年底", "こんばんは、元気？", "연말정산", "추석에", "春节",
        "you may 2", "5/7/2023", "5/7", "2月30日", "Feb 30", "2030.5.", "12:30",
    ],
)  # fmt: skip
def test_words_that_only_look_like_times_are_none(text: str) -> None:
    assert resolve(text, now=NOW) == []


def test_phrases_come_in_order_and_never_overlap() -> None:
    spans = resolve("어제랑 last summer, それから先週の金曜日", now=NOW)
    assert [span.phrase for span in spans] == ["어제", "last summer", "先週の金曜日"]


@pytest.mark.proves("F22")
def test_the_day_is_that_of_the_zone_of_now() -> None:
    [span] = resolve("오늘", now=datetime(2026, 6, 10, 1, 0, tzinfo=SEOUL))
    assert span.start.astimezone(UTC) == datetime(2026, 6, 9, 15, tzinfo=UTC)
    assert span.end.astimezone(UTC) == datetime(2026, 6, 10, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "hours"),
    [(datetime(2026, 3, 30, 9, tzinfo=BERLIN), 23), (datetime(2026, 10, 26, 9, tzinfo=BERLIN), 25)],
)
def test_a_day_on_which_the_clock_changes_is_whole(now: datetime, hours: int) -> None:
    [span] = resolve("yesterday", now=now)
    assert span.end.astimezone(UTC) - span.start.astimezone(UTC) == timedelta(hours=hours)
    assert span.start.hour == span.end.hour == 0


@pytest.mark.parametrize(
    ("today", "text", "expected"),
    [
        (date(2026, 1, 1), "어제", "2025-12-31"),
        (date(2026, 1, 1), "last week", "2025-12-22 2025-12-28"),
        (date(2026, 1, 1), "今週", "2025-12-29 2026-01-04"),
        (date(2026, 1, 15), "지난달", "2025-12-01 2025-12-31"),
        (date(2026, 1, 15), "last winter", "2025-12-01 2026-02-28"),
        (date(2026, 1, 15), "작년 겨울", "2025-12-01 2026-02-28"),
        (date(2026, 1, 15), "이번 겨울", "2025-12-01 2026-02-28"),
        (date(2026, 12, 5), "last winter", "2025-12-01 2026-02-28"),
        (date(2026, 7, 15), "last summer", "2025-06-01 2025-08-31"),
        (date(2026, 7, 15), "this summer", "2026-06-01 2026-08-31"),
        (date(2026, 3, 15), "in March", "2026-03-01 2026-03-31"),
        (date(2026, 3, 15), "last March", "2025-03-01 2025-03-31"),
        (date(2026, 6, 14), "주말에", "2026-06-13 2026-06-14"),
        (date(2026, 6, 14), "지난 주말", "2026-06-06 2026-06-07"),
        (date(2026, 5, 31), "한 달 전", "2026-04-01 2026-04-30"),
        (date(2024, 2, 29), "작년", "2023-01-01 2023-12-31"),
        (date(2024, 3, 1), "어제", "2024-02-29"),
        (date(2026, 6, 10), "2월 29일", "2024-02-29"),
        (date(2024, 2, 29), "on Feb 29", "2024-02-29"),
    ],
)
def test_at_the_ends_of_years_months_weeks_and_seasons(today: date, text: str, expected: str) -> None:
    now = datetime(today.year, today.month, today.day, 12, tzinfo=SEOUL)
    assert one(text, now) == expected


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(InvalidInput, match="time zone"):
        resolve("어제", now=NOW.replace(tzinfo=None))


PIECES = (
    "어제", "지난", "저번", "주", "주말", "작년", "여름", "2월", "29일", "99년", "전", "몇", "두", "달", " ",
    "2023년", "금요일에", "昨日", "先週", "の", "夏", "三", "十", "日", "年前", "月", "上", "周", "五", "前",
    "个月", "last", "Friday", "in May", "2000", "1900", "Feb", "31", "ago", "a", "few", "99", "years", "next",
    "winter", "/", "-", ".", "２",
)  # fmt: skip


@given(
    st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.text(max_size=40)),
    st.datetimes(timezones=st.sampled_from([UTC, SEOUL, BERLIN])),
)
def test_any_text_at_any_time_gives_spans_that_end_after_they_start(text: str, now: datetime) -> None:
    for span in resolve(text, now=now):
        assert span.start < span.end
        assert span.start.tzinfo is span.end.tzinfo is now.tzinfo
        assert span.phrase
