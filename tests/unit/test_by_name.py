"""The user and the character by their names, where a model calls them as its rules do."""

from __future__ import annotations

import pytest

from omoide.domain.grounding.by_name import by_name


@pytest.mark.proves("F31")
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("사용자와 산책하기로 했다", "하늘과 산책하기로 했다"),
        ("캐릭터는 사용자를 기다린다", "달비는 하늘을 기다린다"),
        ("ユーザーと散歩する", "하늘と散歩する"),
        ("用户和角色去爬山", "하늘和달비去爬山"),
        (
            "Walks with the user, and waits for the character's call",
            "Walks with 하늘, and waits for 달비's call",
        ),
        ("designs the user interface", "designs the user interface"),
        ("사용자 인터페이스를 만든다", "사용자 인터페이스를 만든다"),
        ("キャラクターデザインをする", "キャラクターデザインをする"),
        ("산책하기로 했다", "산책하기로 했다"),
    ],
)
def test_both_are_called_by_their_names(text: str, named: str) -> None:
    assert by_name(text, user="하늘", character="달비", said=["내일 산책하자"]) == named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("사용자가 많은 앱을 만든다", "사용자가 많은 앱을 만들어"),
        ("designs the character", "I design a character"),
        ("好きなキャラの絵を描く", "好きなキャラを描いてる"),
    ],
)
def test_a_talk_of_users_or_characters_is_left_alone(text: str, said: str) -> None:
    assert by_name(text, user="하늘", character="달비", said=[said]) == text


def test_who_has_no_name_yet_stays_as_they_are() -> None:
    assert by_name("사용자를 기다린다", user="", character="", said=[]) == "사용자를 기다린다"
