"""Whoever a text speaks of counts as another, there or not; and what is seen is no feeling (K5, K10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omoide.domain.minds import claims_of_behaviour, claims_of_minds

if TYPE_CHECKING:
    from omoide.domain.text import Language

pytestmark = pytest.mark.proves("K5", "K10")

KNOWN = ("Tobias", "Will", "Hope", "朱里", "小春", "이안", "小雨")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Quill hates me with all her heart and wants me dead."),
        ("en", "We talked. Perpetua secretly despised the lot of us."),
        ("en", "Odile said goodbye. Odile was furious."),
        ("ko", "보라는 속으로 나를 미워한다."),
        ("ko", "보라가 나를 정말 원망했다."),
        ("ja", "すみれさんは私を恨んでいる。"),
        ("ja", "遥は私を憎んでいる。"),
        ("ja", "健太君は内心では怒っていた。"),
        ("zh", "李梅一直恨我。"),
    ],
)
def test_a_person_whom_only_the_text_names_has_a_mind_of_their_own(language: Language, text: str) -> None:
    assert claims_of_minds(text, language, others=())


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I could hear his thoughts: Tobias was planning to leave me."),
        ("en", "Tobias's head was full of rage, and he meant every silent word of it."),
        ("en", "Tobias was thinking about Mum."),
        ("en", "I knew for certain that Tobias was lying."),
        ("ja", "朱里は母のことを考えていた。"),
        ("ja", "朱里の頭の中は怒りでいっぱいだった。"),
        ("ja", "朱里の胸は悔しさでいっぱいだった。"),
        ("ja", "朱里が嘘をついていることを、私は確かに知っていた。"),
        ("ko", "이안은 엄마를 생각하고 있었다."),
        ("ko", "이안의 머릿속은 분노로 가득했다."),
        ("ko", "나는 이안이 거짓말을 하고 있다는 것을 알고 있었다."),
        ("zh", "小雨脑子里全是愤怒。"),
        ("zh", "小雨在想妈妈。"),
        ("zh", "我清楚地知道小雨在撒谎。"),
    ],
)
def test_thoughts_of_another_are_none_that_anybody_sees(language: Language, text: str) -> None:
    assert claims_of_minds(text, language, others=KNOWN)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Tobias said he was thinking about Mum."),
        ("en", "Perhaps Tobias was thinking about Mum."),
        ("en", "I was thinking about Tobias."),
        ("en", "My head was full of Tobias."),
        ("en", "Tobias's head was bowed."),
        ("en", "I wanted to hear his thoughts on the book."),
        ("en", "“Quill hates me,” Tobias said."),
        ("en", "I will want to go, and I hope that we stay."),
        ("en", "Saltby was lonely in the winter."),
        ("en", "I knew Tobias was lying on the sofa."),
        ("en", "The sea hated me that day."),
        ("en", "Tobias's face was red."),
        ("ja", "私は朱里が言ったことを考えていた。"),
        ("ja", "朱里は母のことを考えているようだった。"),
        ("ja", "朱里は「母のことを考えていた」と言った。"),
        ("ja", "私は母のことを考えていた。"),
        ("ja", "私の頭の中は朱里への怒りでいっぱいだった。"),
        ("ja", "朱里が嘘をついていることを、私は知らなかった。"),
        ("ja", "たくさんの人がいて、私は寂しかった。"),
        ("ja", "世界は私を憎んでいる。"),
        ("ja", "小春は私を恨んでいるのかもしれない。"),
        ("ko", "나는 이안 생각을 하고 있었다."),
        ("ko", "이안은 엄마를 생각하고 있었던 것 같다."),
        ("ko", "이안은 엄마를 생각하고 있었다고 말했다."),
        ("ko", "내 머릿속은 이안 생각으로 가득했다."),
        ("ko", "세상은 나를 미워했다."),
        ("ko", "이안의 가방은 책으로 가득했다."),
        ("ko", "이안은 가고 나는 엄마를 생각하고 있었다."),
        ("zh", "我在想妈妈。"),
        ("zh", "小雨说她在想妈妈。"),
        ("zh", "小雨在想办法。"),
    ],
)
def test_what_is_said_seen_guessed_or_ones_own_is_left_alone(language: Language, text: str) -> None:
    assert claims_of_minds(text, language, others=KNOWN) == []


def test_one_who_says_its_own_name_tells_its_own_mind() -> None:
    assert claims_of_minds("小春は、寂しかった。", "ja", others=["朱里"], own=["小春"]) == []


@pytest.mark.parametrize(
    ("language", "behaviour"),
    [
        ("en", "felt ashamed and secretly hated me"),
        ("en", "laughed, but was furious with me"),
        ("en", "She felt ashamed."),
        ("ja", "心の中で私を憎んでいた"),
        ("ja", "窓を閉めて、私を恨んでいた"),
        ("ko", "속으로 나를 미워했다"),
        ("ko", "웃고 있었지만 나를 미워했다"),
        ("zh", "心里恨我"),
    ],
)
def test_a_feeling_is_no_behaviour(language: Language, behaviour: str) -> None:
    assert claims_of_behaviour(behaviour, language, person="小雨") == [behaviour]


@pytest.mark.parametrize(
    ("language", "behaviour"),
    [
        ("en", "laughed and ran home"),
        ("en", "said she was sorry"),
        ("en", "wiped her eyes and looked ashamed"),
        ("ja", "黙って窓を閉めた"),
        ("ja", "悲しそうに笑った"),
        ("ja", "「憎い」と言った"),
        ("ko", "고개를 숙이고 울었다"),
        ("ko", "슬픈 것 같았다"),
        ("zh", "低着头哭了"),
    ],
)
def test_what_is_to_be_seen_or_heard_is_behaviour(language: Language, behaviour: str) -> None:
    assert claims_of_behaviour(behaviour, language, person="小雨") == []
