"""What a memory of one's own sounds like, in four languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omoide.domain.voice import is_first_person

if TYPE_CHECKING:
    from omoide.domain.text import Language

pytestmark = pytest.mark.proves("K10")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ja", "縁側で三人でスイカを食べた。私は種を数えていた。"),
        ("ja", "夜の道を歩いて帰った。風が冷たかった。"),
        ("ko", "나는 우산을 두고 왔다."),
        ("ko", "비가 와서 뛰어서 집에 돌아왔다."),
        ("en", "I kept the ticket in my pocket."),
        ("en", "We waited; nobody told us why."),
        ("zh", "我把伞忘在了车上。"),
    ],
)
def test_a_diary_in_the_first_person_is_one(language: Language, text: str) -> None:
    assert is_first_person(text, language, own=("Suzu", "すず", "은비"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ja", "すずはスイカの種を数えていた。とても楽しそうだった。"),
        ("ko", "은비는 우산을 두고 왔다. 그리고 비를 맞으며 걸었다."),
        ("en", "Suzu kept the ticket in her pocket and went home."),
        ("zh", "小铃把伞忘在了车上。"),
    ],
)
def test_a_report_about_oneself_is_not(language: Language, text: str) -> None:
    assert not is_first_person(text, language, own=("Suzu", "すず", "은비", "小铃"))
