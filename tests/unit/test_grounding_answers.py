"""A question of the character bears out what a plain yes says to it, and nothing else."""

from __future__ import annotations

import pytest
from claiming import claim, grounded, heard


def kept(question: str, answer: str, text: str) -> bool:
    """Whether a claim stands that cites a question and its answer."""
    said = ["…", question, answer]
    return bool(grounded(heard(said), facts=[claim(text, (2, question), (3, answer))]).items)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("question", "answer", "text"),
    [
        ("Do you keep bees?", "no", "keeps bees"),
        ("Do you keep bees?", "No, I don't.", "keeps bees"),
        ("Do you keep bees?", "not really", "keeps bees"),
        ("Do you keep bees?", "maybe", "keeps bees"),
        ("Do you keep bees?", "no idea, why?", "keeps bees"),
        ("Do you keep bees?", "are you serious", "keeps bees"),
        ("Do you keep bees?", "yeah right, as if", "keeps bees"),
        ("Are you from Cork?", "no, Galway", "is from Cork"),
        ("Are you a pilot?", "never", "is a pilot"),
        ("Do you keep bees? Want some honey?", "yes please", "keeps bees"),
        ("Do you keep bees?", "yes", "does not keep bees"),
        ("토끼 키워?", "아니", "토끼를 키운다"),
        ("토끼 키워?", "ㄴㄴ", "토끼를 키운다"),
        ("토끼 키워?", "글쎄", "토끼를 키운다"),
        ("혹시 약사야?", "아니거든", "약사다"),
        ("혹시 약사야?", "응 아니야", "약사다"),
        ("토끼 키워? 차 마실래?", "응 좋아", "토끼를 키운다"),
        ("うさぎを飼ってる？", "いいえ", "うさぎを飼っている"),
        ("うさぎを飼ってる？", "ううん", "うさぎを飼っている"),
        ("うさぎを飼ってる？", "うんざりだよ", "うさぎを飼っている"),
        ("薬剤師さんなの？", "違うよ", "薬剤師である"),
        ("薬剤師さんなの？", "さあね", "薬剤師である"),
        ("结婚了吗？", "没有", "结婚了"),
    ],
)
def test_what_is_no_plain_yes_bears_out_no_question(question: str, answer: str, text: str) -> None:
    assert not kept(question, answer, text)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("question", "answer", "text"),
    [
        ("Do you keep bees?", "lol yes", "keeps bees"),
        ("Do you keep bees?", "I do!", "keeps bees"),
        ("Do you keep bees?", "Yeah, but I don't sell the honey", "keeps bees"),
        ("Do you keep bees?", "for ten years now", "keeps bees"),
        ("Do you keep bees?", "no", "does not keep bees"),
        ("Do you like opera?", "love it", "loves opera"),
        ("Do you like it? Do you like opera?", "sure", "likes opera"),
        ("Where do you live?", "Galway", "lives in Galway"),
        ("I adore opera! You?", "me too", "adores opera"),
        ("토끼 키워?", "응 두 마리", "토끼를 키운다"),
        ("토끼 키워?", "키우지", "토끼를 키운다"),
        ("매운 거 좋아해?", "엄청", "매운 것을 좋아한다"),
        ("담배 피워?", "아니", "담배를 피우지 않는다"),
        ("うさぎを飼ってる？", "うん、二匹いるよ", "うさぎを飼っている"),
        ("うさぎを飼ってる？", "飼ってるよ", "うさぎを飼っている"),
        ("タバコ吸う？", "ううん", "タバコを吸わない"),
        ("结婚了吗？", "嗯", "结婚了"),
    ],
)
def test_a_plain_yes_says_what_it_was_asked(question: str, answer: str, text: str) -> None:
    assert kept(question, answer, text)
