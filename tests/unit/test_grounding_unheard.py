"""What a claim adds of its own is not kept: details, trades, chance quotes, what was only seen, opposites."""

from __future__ import annotations

import pytest

from omoide.domain.grounding.opposites import opposite
from omoide.domain.grounding.unheard import by_chance, only_seen, unheard


@pytest.mark.proves("F02")
@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("works as a software engineer", "The work server crashed again lol"),
        ("is a Python developer", "because of the Python version"),
        ("has an orange tabby cat", "I adopted a cat"),
        ("plays the violin", "my brother plays drums"),
        ("파이썬 개발자다", "파이썬 버전 때문이었대"),
        ("간호사로 일한다", "오늘 병원 다녀왔어"),
        ("주황색 얼룩 고양이를 키운다", "고양이 입양했어"),
        ("エンジニアとして働いている", "会社のサーバーがまた落ちた"),
        ("茶トラの猫を飼っている", "猫を引き取った"),
    ],
)
def test_a_claim_adds_no_detail_and_no_trade_that_nobody_spoke_of(claim: str, said: str) -> None:
    assert unheard(claim, said)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("works at the library from Monday", "I start at the library on Monday"),
        ("has a new job at the library", "I start at the library on Monday"),
        ("is a teacher", "I teach maths"),
        ("works as a nurse", "I'm a nurse"),
        ("has trouble sleeping lately", "can't sleep lately"),
        ("병원에 입원해 있다", "엄마 지난주부터 입원 중이셔"),
        ("사랑니를 뺐다.", "사랑니 뺐어"),
        ("토익 시험을 본다", "내일모레 토익 봐"),
        ("간호사로 일한다", "나 간호사야"),
        ("図書館で働くことになった", "図書館に就職決まった"),
        ("会社員だ", "毎日会社に行ってる"),
    ],
)
def test_a_claim_may_be_put_in_other_words(claim: str, said: str) -> None:
    assert not unheard(claim, said)


def test_what_tells_of_the_talk_may_use_words_for_that() -> None:
    assert unheard("told Wren in confidence", "I cried in the kitchen", names=["Wren"])
    assert not unheard("told Wren in confidence", "I cried in the kitchen", names=["Wren"], telling=True)


@pytest.mark.parametrize(
    ("words", "text", "chance"),
    [
        ("plays", "my brother plays drums", True),
        ("love", "I love tea", True),
        ("좋아한다", "누나는 차를 좋아한다", True),
        ("plays drums", "my brother plays drums", False),
        ("tea", "I love tea", False),
        ("I said no", "It went well, but I said no", False),
        ("좋아해", "좋아해!", False),
    ],
)
def test_a_quote_is_more_than_a_word_of_any_claim(words: str, text: str, chance: bool) -> None:
    assert by_chance(words, text) is chance


@pytest.mark.parametrize(
    ("claim", "clause", "seen"),
    [
        ("has a dog", "I saw a huge dog in the park near my office", True),
        ("강아지를 키운다", "공원에서 강아지를 봤어", True),
        ("犬を飼っている", "公園で犬を見かけた", True),
        ("has a dog", "I saw my dog at the vet", False),
        ("has a dog", "I have a dog and saw the sea", False),
        ("강아지를 키운다", "우리 강아지 봤어?", False),
        ("犬を飼っている", "うちの犬を見た？", False),
    ],
)
def test_what_was_only_seen_is_nobodys(claim: str, clause: str, seen: bool) -> None:
    assert only_seen(claim, clause) is seen


@pytest.mark.parametrize(
    ("claim", "clause", "expected"),
    [
        ("likes long detailed answers", "Keep it short, I'm tired", True),
        ("긴 대답을 좋아한다", "짧게 말해줘", True),
        ("敬語で話してほしい", "タメ口で話して", True),
        ("prefers short answers", "Keep it short, I'm tired", False),
        ("존댓말 말고 반말을 바란다", "반말로 해", False),
        ("wants no long answers", "Keep it short", False),
        ("敬語ではなくタメ口で話してほしい", "敬語じゃなくてタメ口がいい", False),
    ],
)
def test_guidance_is_not_the_opposite_of_what_was_asked_for(claim: str, clause: str, expected: bool) -> None:
    assert opposite(claim, clause) is expected
