"""What stands between one who feels and the feeling hides nothing; a guess holds for its own clause (K5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omoide.domain.minds import claims_of_behaviour, claims_of_minds

if TYPE_CHECKING:
    from omoide.domain.text import Language

pytestmark = pytest.mark.proves("K5", "K10")

KNOWN = ("Wren", "小春", "세나")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ja", "小春は心の底から私を憎んでいる。"),
        ("ja", "小春は、心から私を憎んでいる。"),
        ("ja", "小春はあの日から私を憎んでいる。"),
        ("ja", "小春は昔から私を憎んでいる。"),
        ("ja", "小春は私のことを心から嫌っている。"),
        ("ja", "私を憎んでいるのは小春だ。"),
        ("ko", "세나는 나를 죽도록 미워한다."),
        ("ko", "세나는 나를 진심으로 미워한다."),
        ("ko", "세나는 나를 너무 미워한다."),
        ("ko", "세나는 나를 끔찍이 싫어했다."),
        ("en", "Wren has always hated me."),
        ("en", "Wren had always hated me."),
        ("en", "Wren has hated me for years."),
        ("en", "Wren will always hate me."),
        ("en", "Wren would never forgive me."),
        ("en", "Wren doesn't love me."),
        ("en", "Wren doesn’t like me."),
        ("en", "Wren does not trust me."),
        ("en", "Wren can't stand me."),
        ("en", "Wren cannot stand me."),
        ("en", "Wren, my friend, hates me."),
        ("en", "Quill has always hated me."),
        ("en", "It is Wren who hates me."),
        ("en", "Wren simply hates me."),
        ("ko", "나를 미워하는 사람은 세나다."),
    ],
)
def test_an_adverb_or_a_tense_between_hides_nothing(language: Language, text: str) -> None:
    assert claims_of_minds(text, language, others=KNOWN)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I think of the sea, and Wren hates me."),
        ("en", "Perhaps it will rain, but Wren hates me."),
        ("en", "Wren hates me, but it may rain."),
        ("en", "It was in May that Wren hated me."),
        ("ja", "明日は雨らしいが、小春は私を憎んでいる。"),
        ("ja", "小春は私を憎んでいるが、明日は雨らしい。"),
        ("ko", "비가 오는 것 같지만 세나는 나를 미워한다."),
        ("ko", "세나는 나를 미워하지만 비가 오는 것 같다."),
    ],
)
def test_a_guess_frees_its_own_clause_alone(language: Language, text: str) -> None:
    assert claims_of_minds(text, language, others=KNOWN)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Wren may hate me."),
        ("en", "Wren possibly hates me."),
        ("en", "I think that Wren hates me."),
        ("en", "Wren hates me, I think, and always has."),
        ("en", "Wren said that she was tired, and that she hated me."),
        ("en", "Does Wren love me?"),
        ("en", "I wish that Wren loved me."),
        ("en", "I hoped that Wren loved me."),
        ("en", "I was afraid that Wren hated me."),
        ("en", "In her letter Wren loved me."),
        ("en", "Wren looked like me."),
        ("en", "Wren trusted me with the key."),
        ("en", "I thought nobody but Wren hated me."),
        ("ja", "たぶん、小春は私を憎んでいる。"),
        ("ja", "小春は私を憎んでいるの?"),
        ("ja", "小春は私を憎んでいるのだろうか？"),
        ("ja", "小春が私を愛していたらいい。"),
        ("ja", "小春は私を憎んでいると手紙に書いた。"),
        ("ja", "小春は疲れたから、私を恨んでいると言った。"),
        ("ja", "小春は帰ったから、私は悲しんでいた。"),
        ("ko", "세나는 나를 미워할까?"),
        ("ko", "세나는 나를 미워할까."),
        ("ko", "세나가 나를 좋아했으면 좋겠다."),
        ("ko", "세나는 나를 미워한다고 편지에 썼다."),
        ("ko", "나는 세나가 나를 좋아하기를 바랐다."),
        ("ko", "세나가 나를 미워할까 봐 무서웠다."),
        ("ko", "세나는 나를 안고 사랑 노래를 불렀다."),
    ],
)
def test_questions_hopes_fears_and_letters_claim_nothing(language: Language, text: str) -> None:
    assert claims_of_minds(text, language, others=KNOWN) == []


@pytest.mark.parametrize(
    ("language", "behaviour"),
    [
        ("ja", "寂しがっていた"),
        ("ja", "心の底から私を憎んでいた"),
        ("ko", "나를 죽도록 미워했다"),
        ("ko", "혼자 외로워하고 있었다"),
        ("en", "sat there, ashamed of me"),
        ("en", "missing her mother"),
    ],
)
def test_a_feeling_without_its_subject_is_no_behaviour(language: Language, behaviour: str) -> None:
    assert claims_of_behaviour(behaviour, language, person="Wren") == [behaviour]


@pytest.mark.parametrize(
    ("language", "behaviour"),
    [
        ("ja", "寂しがっている顔をした"),
        ("ko", "외로워하고 있는 것 같았다"),
        ("en", "sat there, missing the last bus"),
        ("en", "sat there as if ashamed"),
        ("en", "fell and hurt her knee"),
    ],
)
def test_what_shows_of_a_feeling_is_behaviour(language: Language, behaviour: str) -> None:
    assert claims_of_behaviour(behaviour, language, person="Wren") == []
