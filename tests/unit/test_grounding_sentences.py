"""What stands around a quote: it is over, untrue, wished for, bound to a condition, or another's words."""

from __future__ import annotations

import pytest
from claiming import claim, grounded, heard, whose


def kept(said: str, words: str, text: str) -> bool:
    """Whether a claim stands that cites words of what the user said."""
    return bool(grounded(heard([said]), facts=[claim(text, (1, words))]).items)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "words", "text"),
    [
        ("I quit drinking tea", "drinking tea", "drinks tea"),
        ("I gave up tennis years ago", "tennis", "plays tennis"),
        ("I sold my boat", "my boat", "has a boat"),
        ("Our dog passed away", "Our dog", "has a dog"),
        ("I liked ballet as a kid, not anymore", "I liked ballet", "likes ballet"),
        ("It's not true that I snore", "I snore", "snores"),
        ("I was kidding when I said I own a castle", "I own a castle", "owns a castle"),
        ("Nobody would call me someone who likes golf", "likes golf", "likes golf"),
        ("I'm afraid of nothing", "I'm afraid", "is afraid"),
        ("I'd love to own a boat", "own a boat", "owns a boat"),
        ("I want a tattoo", "a tattoo", "has a tattoo"),
        ("If I get the job I'll move to Cork", "move to Cork", "moved to Cork"),
        ("나 술 끊었어", "나 술", "술을 마신다"),
        ("테니스 관뒀어", "테니스", "테니스를 친다"),
        ("토끼가 죽었어", "토끼가", "토끼를 키운다"),
        ("오토바이 팔아 버렸어", "오토바이", "오토바이가 있다"),
        ("김치는 그닥이야", "김치는", "김치를 좋아한다"),
        ("어릴 때 야구를 좋아했는데 지금은 아니야", "야구를 좋아했는데", "야구를 좋아한다"),
        ("나 유학했다는 건 농담이야", "유학했다", "유학했다"),
        ("토끼 키우고 싶다", "토끼 키우고", "토끼를 키운다"),
        ("취직하면 부산으로 이사 갈 거야", "부산으로 이사", "부산으로 이사 갔다"),
        ("お酒はもうやめた", "お酒は", "お酒を飲む"),
        ("バイク手放した", "バイク", "バイクを持っている"),
        ("うちの犬が死んじゃった", "犬が", "犬を飼っている"),
        ("キムチは微妙かな", "キムチは", "キムチが好き"),
        ("フランス語を話せるってのは冗談", "フランス語を話せる", "フランス語を話せる"),
        ("猫を飼いたい", "猫を飼い", "猫を飼っている"),
        ("就職したら東京に引っ越す", "東京に引っ越す", "東京に引っ越した"),
    ],
)
def test_a_sentence_that_takes_back_its_quote_speaks_against_a_claim(
    said: str, words: str, text: str
) -> None:
    assert not kept(said, words, text)


@pytest.mark.proves("H11")
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I gave up tennis", "gave up tennis"),
        ("I stopped at the bakery I like", "likes the bakery"),
        ("I lost my job in May, so I drive a taxi", "drives a taxi"),
        ("My cat died but I have another one", "has a cat"),
        ("My cat died and I miss her", "misses the cat"),
        ("I like nothing more than opera", "loves opera"),
        ("I want to keep living in Cork", "lives in Cork"),
        ("I want a raise at the bank where I work", "works at a bank"),
        ("I was joking with my wife when you called", "has a wife"),
        ("담배 끊은 지 3년 됐어", "담배를 끊었다"),
        ("술은 끊었지만 커피는 마셔", "커피를 마신다"),
        ("차 팔고 자전거 샀어", "자전거가 있다"),
        ("비 오면 우울해져", "비 오면 우울해진다"),
        ("떡볶이 좋아해서 매일 먹고 싶어", "떡볶이를 좋아한다"),
        ("거짓말하는 사람 싫어해", "거짓말하는 사람을 싫어한다"),
        ("会社をやめてカフェをやってる", "カフェをやっている"),
        ("犬を飼いたいけど猫を飼ってる", "猫を飼っている"),
        ("暇なら絵を描く", "絵を描く"),
        ("冷たいものが好き", "冷たいものが好き"),
    ],
)
def test_what_a_sentence_takes_back_is_no_more_than_it_says(said: str, text: str) -> None:
    assert kept(said, said, text)


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "text", "owner"),
    [
        ('My boss said "I am allergic to bees"', "is allergic to bees", "boss"),
        ("My sister told me: I am moving to Cork", "is moving to Cork", "sister"),
        ('Her exact words: "I adore opera"', "adores opera", None),
        ('My boss said "you are fired"', "was fired", "Sam"),
        ('I said "I am vegan" to my boss', "is vegan", "Sam"),
        ('I love "Let me go"', "loves Let me go", "Sam"),
        ("동생이 '나 퇴사했어'라고 하더라", "퇴사했다", "동생"),
        ("내가 '나 채식해'라고 했어", "채식한다", "Sam"),
        ("先輩が「俺、会社やめる」って", "会社をやめる", "先輩"),
        ("部長が離婚するって", "離婚する", "部長"),
        ("部長が怖い", "部長が怖い", "Sam"),
    ],
)
def test_a_quotation_that_says_i_is_of_whoever_said_it(said: str, text: str, owner: str | None) -> None:
    assert whose(said, text=text) == owner


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "text", "owner"),
    [
        ("Everyone in my family drives except me", "drives", None),
        ("나 빼고 다 결혼했어", "결혼했다", None),
        ("私以外みんな運転できる", "運転できる", None),
        ("Everyone except me likes beer", "does not like beer", "Sam"),
        ("나 말고 다 커피 마셔", "커피를 마시지 않는다", "Sam"),
    ],
)
def test_what_all_others_do_is_not_the_speakers(said: str, text: str, owner: str | None) -> None:
    assert whose(said, text=text) == owner


@pytest.mark.proves("H12")
@pytest.mark.parametrize(
    ("said", "text", "owner"),
    [
        ("姉は薬剤師で、甘いものが苦手なんだ", "甘いものが苦手", "姉"),
        ("彼氏は料理人だから休みが少ない", "休みが少ない", "彼氏"),
        ("父は料理人なので休みが少ない", "休みが少ない", "父"),
        ("누나는 의사라서 월급이 많아", "월급이 많다", "누나"),
        ("나는 의사라서 야근이 많아", "야근이 많다", "Sam"),
        ("엄마는 의사라서 내가 요리를 많이 해", "요리를 많이 한다", "Sam"),
        ("彼氏は料理人だから会えない", "彼氏に会えない", "Sam"),
    ],
)
def test_a_reason_goes_on_about_whom_it_is_about(said: str, text: str, owner: str) -> None:
    assert whose(said, text=text) == owner
