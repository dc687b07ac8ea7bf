"""How far two texts are the same words."""

import pytest

from omoide.domain.likeness import overlap, repeats


@pytest.mark.parametrize(
    ("one", "edited", "other"),
    [
        ("I like the red one", "I like the blue one", "Today I saw a fox"),
        ("Do you remember my birthday?", "Do you remember my father's birthday?", "Do you know this song?"),
        ("오늘 회사에서 힘들었어", "오늘 회사에서 진짜 힘들었어!", "오늘 학교에서 시험 봤어"),
        ("テストに受かった", "テストに落ちた", "妹の名前は愛です"),
        ("我对花生过敏", "我对核桃过敏", "我妹妹叫小雨"),
    ],
)
def test_an_edit_is_nearer_than_something_else(one: str, edited: str, other: str) -> None:
    assert overlap(one, edited) >= 0.4 > overlap(one, other)
    assert overlap(edited, one) == overlap(one, edited)


@pytest.mark.parametrize(
    ("word", "held", "other"),
    [
        ("lol", "lol, that was a funny film", "I saw a lollipop"),
        ("no", "oh no, not again", "I know a song"),
        ("응", "응 그 영화 봤어", "오늘 반응 좋았어"),
        ("え", "え、もう見たの", "答えが出た"),
    ],
)
def test_a_very_short_text_is_held_as_a_word(word: str, held: str, other: str) -> None:
    assert overlap(word, held) == overlap(held, word) == 1
    assert overlap(word, other) == 0


def test_a_text_without_letters_is_like_nothing() -> None:
    assert overlap("!?", "I like the red one") == overlap("…", "나도!") == 0


SAID = ["나는 바이올린을 배우고 있어", "I have three brothers", "妹はトリノに住んでいます"]
BY_OTHERS = [
    "*웃으며* 와, 멋지다! 언제부터 배웠어? 나도 들어 보고 싶다.",
    "Lovely! I am Juniper and I live in Bath. Tell me about them.",
    "素敵ですね。わたしもいつか行ってみたいです。",
]


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        ("와, 멋지다! 언제부터 배웠어? 나도 들어 보고 싶다.", True),
        ("언제부터 배웠어? 나도 들어 보고 싶다.", True),
        ("lovely! i am juniper and i live in bath.", True),
        ("素敵ですね。わたしもいつか行ってみたいです", True),
        ("Sam: I have three brothers\n\nJuniper: Lovely! I am Juniper and I live in Bath.", True),
        ("민준: 나는 바이올린을 배우고 있어\n하루: 와, 멋지다! 언제부터 배웠어?", True),
        ("ユーザー：妹はトリノに住んでいます\n遥：素敵ですね。わたしもいつか行ってみたいです。", True),
        ("I have three brothers", False),  # sent again, with the beginning cut off
        ("나는 바이올린을 배우고 있어", False),
        ("Hello!", False),
        ("멋지다!", False),
        ("You said: I live in Bath. But I live in Ghent, and my brothers in Turin.", False),
        ("나도 들어 보고 싶다. 나 어제 피아노도 샀거든, 엄마가 사 줬어.", False),
        ("今日は妹と海に行きました。わたしもいつか行ってみたいです。", False),
    ],
)
def test_what_others_said_is_known_whole_in_part_and_as_a_transcript(text: str, copied: bool) -> None:
    assert repeats(text, said=SAID, by_others=BY_OTHERS) == copied


def test_what_both_said_is_the_users_own() -> None:
    assert not repeats(BY_OTHERS[1], said=[*SAID, BY_OTHERS[1]], by_others=BY_OTHERS)
