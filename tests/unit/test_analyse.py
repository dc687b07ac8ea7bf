from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.words.analyse import PUBLISHED_TERMS, BigramAnalyser

analyser = BigramAnalyser()


def finds(query, text):
    return bool(set(analyser.query(query)) & set(analyser.document(text)))


@pytest.mark.proves("P11")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("하린", "하린이가 어제 왔어"),
        ("하린이가", "하린 생일이 언제였지"),
        ("하린이한테", "하린이랑 싸웠어"),
        ("롤", "오늘 롤을 했어"),
        ("롤을", "롤 재밌다"),
        ("롤에서", "롤은 어려워"),
        ("도윤아", "도윤이는 잔다"),
        ("미유", "미유랑 놀았어"),
        ("배포", "배포는 금요일에"),
        ("배포는", "배포 끝났다"),
        ("결제", "결제 오류가 났다"),
        ("달콩", "달콩이라고 불러"),
        ("먹고", "아침에 먹었어"),
        ("ミナト", "ミナトさんと話した"),
        ("さくら", "昨日さくらが来た"),
        ("横浜", "新しい職場は横浜です"),
        ("猫", "他养了两只猫"),
        ("猫", "うちの猫はまだ小さい"),
        ("小明", "我和小明去了上海"),
        ("苹果", "我最爱吃苹果"),
        ("db", "The DB is down"),
        ("running", "She runs every day"),
        ("café", "We met at the CAFÉ"),
    ],
)
def test_a_word_is_found_whatever_clings_to_it(query, text):
    assert finds(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("롤", "롤러코스터를 탔다"),
        ("猫", "犬と散歩した"),
        ("the of and", "the end of the day and night"),
        ("ㅋㅋㅋ", "ㅋㅋㅋㅋ 웃기다"),
        ("したのでした", "そうでした"),
        ("因为怎么样", "如果可以,应该怎么办"),
        ("為什麼會這樣", "因為應該這樣說"),
    ],
)
def test_what_is_not_said_is_not_found(query, text):
    assert not finds(query, text)


@pytest.mark.proves("P11")
@pytest.mark.parametrize("query", ["", "  ", "?!… -*\"'()", "👍🎉", "NEAR() AND OR NOT"])
def test_punctuation_and_operators_are_dropped(query):
    assert set(analyser.query(query)) <= {"near"}


@pytest.mark.proves("P11")
def test_a_query_holds_a_term_once_and_at_most_as_many_as_allowed():
    text = "커피 커피 coffee coffee コーヒー " + " ".join(f"word{n}" for n in range(200))
    terms = analyser.query(text)
    assert len(terms) == len(set(terms)) == analyser.most_terms
    assert len(BigramAnalyser(most_terms=PUBLISHED_TERMS).query(text)) == PUBLISHED_TERMS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (unicodedata.normalize("NFD", "달콩이라고 불러"), "달콩이라고 불러"),
        ("ﾐﾅﾄです", "ミナトです"),
        ("ＡＢＣ１２３", "abc123"),
        ("Straße", "STRASSE"),
        ("he’s friendly", "he's friendly"),
    ],
)
def test_one_word_written_in_two_ways_has_the_same_terms(one, other):
    assert analyser.document(one) == analyser.document(other)
    assert analyser.query(one) == analyser.query(other)


@pytest.mark.parametrize("text", ["iPhone이 고장났어", "새iPhone샀어", "iPhoneを買った"])
def test_latin_ends_where_another_script_begins(text):
    assert finds("iphone", text)


def test_frequencies_are_kept_of_words_but_not_of_bigrams():
    assert analyser.document("tea, tea and more tea")["tea"] == 3
    assert set(analyser.document("커피 커피 커피").values()) == {1}
    assert set(analyser.document("寿司、寿司、寿司").values()) == {1}


def test_the_identity_does_not_depend_on_the_cap():
    assert BigramAnalyser(most_terms=5).identity == analyser.identity


@given(st.text(max_size=80))
def test_any_text_is_found_by_its_own_terms(text):
    document = analyser.document(text)
    assert all(term and not term.isspace() and count >= 1 for term, count in document.items())
    assert set(BigramAnalyser(most_terms=10_000).query(text)) <= set(document)


def test_analysing_a_message_takes_microseconds():
    text = (
        "주말에 하린이랑 한강에서 자전거를 탔는데 바람이 많이 불어서 모자가 날아갔어 그래도 재미있었고 " * 2
    )
    analyser.document(text)
    started = time.perf_counter()
    for _ in range(200):
        analyser.document(text)
    assert (time.perf_counter() - started) / 200 < 0.001
