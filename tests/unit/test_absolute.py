"""Nothing that is kept says "tomorrow": days stand there in figures, in sentences that can be read."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from omoide.domain.absolute import absolute

SAID = datetime(2026, 11, 10, 12, tzinfo=UTC)
"""A Tuesday."""

KEPT = [
    ("陽太は明日試験がある。", "陽太は2026-11-11に試験がある。"),
    ("友達とあした会う", "友達と2026-11-11に会う"),
    ("陽太はあさって試験がある", "陽太は2026-11-12に試験がある"),
    ("陽太はしあさって試験がある", "陽太は2026-11-13に試験がある"),
    ("ゆうじときのう会った", "ゆうじと2026-11-09に会った"),
    ("おととい転んだ", "2026-11-08に転んだ"),
    ("きょうは休みだ", "2026-11-10は休みだ"),
    ("今夜の飲み会に行く", "2026-11-10の夜の飲み会に行く"),
    ("けさ転んだ", "2026-11-10の朝に転んだ"),
    ("明日朝出発する", "2026-11-11の朝出発する"),
    ("三年前亡くなった", "2023年に亡くなった"),
    ("先月から通っている", "2026年10月から通っている"),
    ("낼 시험을 본다", "2026-11-11 시험을 본다"),
    ("낼모레 시험이 있다", "2026-11-12 시험이 있다"),
    ("이따 저녁에 시험이 있다", "2026-11-10 저녁에 시험이 있다"),
    ("어젯밤에 울었다", "2026-11-09 밤에 울었다"),
    ("어제는 쉬었다", "2026-11-09은 쉬었다"),
    ("올해가 마지막이다", "2026년이 마지막이다"),
    ("아빠가 3년 전에 돌아가셨다", "아빠가 2023년에 돌아가셨다"),
    ("두 달 전에 그만뒀다", "2026년 9월에 그만뒀다"),
    ("몇 년 전에 이사했다", "2020~2024년에 이사했다"),
    ("오는 일요일에 이사한다", "2026-11-15에 이사한다"),
    ("has an exam tmrw", "has an exam on 2026-11-11"),
    ("has an exam in a fortnight's time", "has an exam in the week of 2026-11-23~11-29"),
    ("has an exam a week from today", "has an exam on 2026-11-17"),
    ("father died three years ago", "father died in 2023"),
    ("lived in Leeds until last year", "lived in Leeds until 2025"),
    ("fell last night", "fell on the night of 2026-11-09"),
    ("flies at 9 tomorrow morning", "flies at 9 on the morning of 2026-11-11"),
    ("spent last week in bed", "spent the week of 2026-11-02~11-08 in bed"),
    ("dreads tomorrow's exam", "dreads the 2026-11-11 exam"),
    ("Tomorrow's his last day at the mill", "2026-11-11 is his last day at the mill"),
    ("Tomorrow is his last day", "2026-11-11 is his last day"),
    ("Yesterday Robin fell", "On 2026-11-09 Robin fell"),
    ("has tomorrow off", "has 2026-11-11 off"),
    ("去年搬家了", "2025年搬家了"),
    ("今晚去看电影", "2026-11-10晚上去看电影"),
    ("明早出发", "2026-11-11早上出发"),
]
NO_DAYS = [
    "あしたばを育てている",
    "きょうだいがいる",
    "寝るときのうたが好き",
    "ネットであさっている",
    "ゴミをあさって食べた",
    "さっきょくを習っている",
    "彼のことしか考えない",
    "来年度に転勤する",
    "이따금 운동한다",
    "아까시나무를 심었다",
    "내일배움카드를 신청했다",
    "숙제를 낼 것이다",
    "돈 낼 사람이 없다",
    "'내일'이라는 카페에 간다",
    "내일이라는 카페에 간다",
    "watched Tomorrow Never Dies",
    "reads USA Today",
    "金曜日に面接がある",
    "would forget him in a week",
]


@pytest.mark.proves("F05")
@pytest.mark.parametrize(("text", "kept"), KEPT)
def test_days_seen_from_now_become_figures_in_whole_sentences(text: str, kept: str) -> None:
    assert absolute(text, said=SAID) == kept


@pytest.mark.parametrize("text", NO_DAYS)
def test_words_that_look_like_days_and_days_that_come_again_stay(text: str) -> None:
    assert absolute(text, said=SAID) == text


@pytest.mark.parametrize(
    ("text", "names"), [("내일 언니와 산다", ["내일 언니"]), ("met Tonight Josephine", ["Tonight Josephine"])]
)
def test_names_of_people_are_no_days(text: str, names: list[str]) -> None:
    assert absolute(text, said=SAID, names=names) == text


def test_the_day_that_is_known_to_be_meant_is_written() -> None:
    assert absolute("moves next Friday", said=SAID) == "moves on 2026-11-20"
    assert absolute("moves next Friday", said=SAID, day=date(2026, 11, 13)) == "moves on 2026-11-13"


def test_without_a_time_nothing_is_reckoned() -> None:
    assert absolute("moves tomorrow", said=None) == "moves tomorrow"
