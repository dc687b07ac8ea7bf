"""Numbers in words bear out figures, and syllables of other words bear out none but their own (F02)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.grounding.claims import invented_figures
from omoide.domain.grounding.number_words import numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("서른둘이고 스무 명", {32, 20}),
        ("만 오천 원, 3만 5천 원, 백스물셋", {15_000, 35_000, 123}),
        ("이천십년에 십이만 명", {2010, 120_000}),
        ("오백이 넘어", {500, 502}),
        ("둘이서 30만 2명", {2, 300_000}),
        ("二十歳、一九八五年、千二百円", {20, 1985, 1200}),
        ("三万五千元,一百零五", {35_000, 105}),
        ("thirty-two, in her forties, nineteen eighty-five", {32, 40, 1985}),
        ("a hundred and five, two hundred thousand, 35,000", {105, 200_000, 35_000}),
        ("often written", set()),
    ],
)
def test_numbers_in_words_are_read(text: str, expected: set[int]) -> None:
    assert numbers(text) == expected


@pytest.mark.proves("F02")
@pytest.mark.parametrize(
    ("claim", "said", "invented"),
    [
        ("34살이다", "하지만 천천히 열심히 할 거야, 나만 만나", True),
        ("34살이다", "서른넷이야", False),
        ("5만 원을 냈다", "하지만 비쌌어", True),
        ("5만 원을 냈다", "오만 원 냈어", False),
        ("35,000원을 냈다", "3만 5천 원 냈어", False),
        ("10만이 모였고 12한 팀이 왔다", "십만이 모이고 12한팀이 왔대", False),
        ("takes 12 two-hour lessons", "12 lessons, two hours each", False),
        ("34歳だ", "千葉の百貨店で万年筆を買った", True),
        ("34歳だ", "三十四になった", False),
        ("is 34", "I have often written to ten people, a hundred times", True),
        ("is 34", "I turned thirty-four", False),
    ],
)
def test_only_the_number_that_was_said_bears_out_a_figure(claim: str, said: str, invented: bool) -> None:
    assert invented_figures(claim, [said]) is invented


@given(st.text(alphabet="0123456789.,만천백십열서른둘이일一二〇千万 -thousandtwe", max_size=400))
def test_any_text_has_numbers(text: str) -> None:
    assert all(number >= 0 for number in numbers(text))
    assert numbers("9" * 5000)
