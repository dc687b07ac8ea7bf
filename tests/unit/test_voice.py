"""What a memory of one's own sounds like, in four languages, and what nobody can know of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omoide.domain.voice import claims_of_minds, is_first_person

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


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ja", "詩織は心の中で私を許せないと思っていた。"),
        ("ja", "私には詩織の心が読めた。"),
        ("ja", "彼女の気持ちは全部わかっている。"),
        ("ko", "지우는 속으로 나를 부러워했다고 생각했을 리 없다. 지우는 마음속으로 나를 원망하길 바랐다."),
        ("ko", "나는 지우의 마음을 읽었다."),
        ("en", "Nora secretly wanted to leave."),
        ("en", "I knew exactly what Nora was thinking."),
        ("en", "She felt ashamed of the letter."),
        ("en", "I can read her mind like a page."),
        ("zh", "小林心里觉得我很傻。"),
        ("zh", "我看穿了小林的心思。"),
    ],
)
def test_another_mind_told_as_a_fact_is_found(language: Language, text: str) -> None:
    assert claims_of_minds(text, language, others=("詩織", "지우", "Nora", "小林"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ja", "詩織は黙って下を向いた。怒っているように見えた。"),
        ("ja", "詩織の心は私には読めない。"),
        ("ja", "詩織は「本当は怖かった」と言った。"),
        ("ko", "지우는 말없이 창밖을 봤다. 속상한 것 같았다."),
        ("ko", "지우의 마음은 나는 알 수 없다. 지우의 생각을 읽을 수 없다."),
        ("en", "Nora went quiet. Perhaps she felt left out."),
        ("en", "Nora said she felt left out."),
        ("en", "I cannot know what she was thinking. Nora thought aloud for a while."),
        ("en", "I thought of the harbour, and my hands felt cold."),
        ("zh", "小林没有说话，好像有点难过。"),
    ],
)
def test_what_is_seen_told_or_guessed_is_fine(language: Language, text: str) -> None:
    assert claims_of_minds(text, language, others=("詩織", "지우", "Nora", "小林")) == []


def test_names_of_any_shape_do_no_harm() -> None:
    assert claims_of_minds("I said (hello. to them.", "en", others=("(", "a+b", "", ".*", "{names}")) == []
