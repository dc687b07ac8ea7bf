"""How a character stands in a session follows from what was said, and moves by small steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain import salience
from omoide.domain.session_state import TOPICS, SessionState, intimacy, topics, warmth
from omoide.words.topics import content_words


@pytest.mark.proves("H4")
def test_no_emotion_leaves_the_state_as_it_was() -> None:
    state = SessionState(emotion="shy", intensity=0.8, intimacy=3.0)

    assert state.moved(None) is state


@pytest.mark.proves("H1")
def test_a_new_emotion_begins_in_the_middle_and_deepens_while_it_lasts() -> None:
    first = SessionState().moved("happy")
    deeper = first.moved("happy").moved("happy").moved("happy").moved("happy")

    assert (first.emotion, first.intensity) == ("happy", 0.5)
    assert deeper.intensity == 1.0
    assert deeper.moved("sad").feeling.intensity == 0.5


@pytest.mark.proves("H5")
@pytest.mark.parametrize(
    ("said", "reply", "warm"),
    [
        ("정말 고마워, 네 덕분이야", "나도!", True),
        ("ありがとう、会いたかった", "うん", True),
        ("I missed you so much", "me too", True),
        ("내일 비 온대", "우산 챙겨", False),
        ("The bus was late", "oh no", False),
    ],
)
def test_thanks_and_love_make_an_exchange_warm(said: str, reply: str, warm: bool) -> None:
    assert (warmth(salience.score(said, reply).signals, emotion="calm") > 0) is warm


def test_a_warm_feeling_of_the_character_counts_less_than_warm_words() -> None:
    assert 0 < warmth((), emotion="happy") < warmth((salience.Signal.WARMTH,), emotion="calm")
    assert warmth((), emotion="angry") == 0


@pytest.mark.proves("H5")
@given(st.dictionaries(st.integers(0, 40), st.floats(0, 500), max_size=40), st.integers(0, 40))
def test_intimacy_grows_and_never_jumps(days: dict[int, float], day: int) -> None:
    before = intimacy(days)
    after = intimacy({**days, day: days.get(day, 0.0) + 1.25})

    assert 0 <= before <= after <= 10
    assert after - before <= 0.25


@pytest.mark.proves("H5")
def test_a_flood_of_warm_words_in_one_day_does_not_make_friends() -> None:
    assert intimacy({1: 1_000.0}) < 0.6
    assert 7 < intimacy(dict.fromkeys(range(25), 3.0)) < 8
    assert intimacy({}) == 0


@pytest.mark.proves("H5")
@pytest.mark.parametrize(
    ("said", "words"),
    [
        (["어제 동생이랑 부산 여행 다녀왔어", "요즘 롤을 자주 해"], ["롤", "동생", "부산", "여행"]),
        (["昨日、友達と京都へ行った", "ゲームが好き"], ["ゲーム", "友達", "京都"]),
        (["I went hiking with my sister", "We saw an owl by the lake"], ["owl", "lake", "hiking", "sister"]),
        (["我昨天和朋友去了北京"], ["朋友", "北京"]),
        (["ㅋㅋㅋ", "응", "ok", "…"], []),
    ],
)
def test_topics_are_the_newest_content_words(said: list[str], words: list[str]) -> None:
    found = topics([content_words(text) for text in said])

    assert [word for word in found if word in words] == words


def test_topics_are_few_however_much_is_said() -> None:
    many = " ".join(f"topic{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10]}" for n in range(100))

    assert len(topics([content_words(many * 100)])) == TOPICS
    assert content_words("가" * 100_000) == []
