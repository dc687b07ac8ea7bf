from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.text import (
    clean,
    cut,
    cut_tokens,
    fold,
    graphemes,
    is_blank,
    language,
    sentences,
    tokens,
)

PIECES = (
    "안녕", "오늘은 좋아.", "각", "ㅋㅋ", "こんにちは。", "ｶﾞｷﾞ", "「そう！」", "你好", "hello", "Mr. Kim",
    "3.14", "e\u0301", "👨‍👩‍👧‍👦", "🇰🇷", "🇯🇵", "👍🏽", "❤️", "\u200d", "\ufe0f", "\u0301", "\u0600", "!", "?!",
    "…", "。", ".", '"', "」", " ", "  ", "\n", "\r\n", "\t", "\u3000", "\x00", "\ud83d",
)  # fmt: skip
talk = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=20).map("".join),
    st.text(max_size=60),
    st.text(st.characters(codec=None), max_size=20),
)


def grapheme_ends(text: str) -> set[int]:
    ends = {0}
    for grapheme in graphemes(text):
        ends.add(max(ends) + len(grapheme))
    return ends


def kept(shortened: str, whole: str) -> int:
    beginning = shortened if whole.startswith(shortened) else shortened.removesuffix("…")
    assert whole.startswith(beginning)
    return len(beginning)


@given(talk)
def test_clean_text_is_storable_and_stays_so(text: str) -> None:
    once = clean(text)
    assert "\x00" not in once
    once.encode("utf-8")
    assert clean(once) == once


@given(talk)
def test_fold_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(talk)
def test_text_that_folds_to_something_visible_was_not_blank(text: str) -> None:
    assert is_blank(fold(text)) == is_blank(text)


@given(talk)
def test_graphemes_and_sentences_join_to_the_text(text: str) -> None:
    assert "".join(graphemes(text)) == text
    assert "".join(sentences(text)) == text
    assert "" not in sentences(text)


@given(talk)
def test_no_sentence_begins_inside_a_grapheme(text: str) -> None:
    ends, end = grapheme_ends(text), 0
    for sentence in sentences(text):
        end += len(sentence)
        assert end in ends


@pytest.mark.proves("H20")
@given(talk, st.integers(-1, 30))
def test_cut_keeps_the_limit_and_whole_graphemes(text: str, limit: int) -> None:
    shortened = cut(text, limit)
    assert len(graphemes(shortened)) <= max(limit, 0)
    assert kept(shortened, text) in grapheme_ends(text)


@given(talk, st.integers(0, 30))
def test_cut_of_clean_text_is_valid_utf8(text: str, limit: int) -> None:
    cut(clean(text), limit).encode("utf-8")


@pytest.mark.proves("H22")
@given(talk, st.integers(0, 40))
def test_cut_tokens_keeps_the_budget_and_whole_graphemes(text: str, budget: int) -> None:
    shortened = cut_tokens(text, budget)
    assert tokens(shortened) <= budget
    assert kept(shortened, text) in grapheme_ends(text)


@pytest.mark.proves("H22")
@given(talk, talk)
def test_tokens_of_a_whole_lie_between_its_parts_and_their_sum(left: str, right: str) -> None:
    whole = tokens(left + right)
    assert max(tokens(left), tokens(right)) <= whole <= tokens(left) + tokens(right)


@given(talk)
def test_language_is_one_of_four(text: str) -> None:
    assert language(text) in {"ko", "ja", "zh", "en"}
