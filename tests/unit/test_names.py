from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.recall.names import cut_names, named

NAMES = ("Mina", "Theo", "Will", "하린", "도윤", "ミナト", "健", "さくら", "小明", "Kai")


@pytest.mark.parametrize(
    ("query", "rest", "people"),
    [
        ("When did Mina move?", "When did move?", ["Mina"]),
        ("Mina's brother", "brother", ["Mina"]),
        ("mina, what is it?", "what is it?", ["Mina"]),
        ("What did Theo give Mina?", "What did give ?", ["Mina", "Theo"]),
        ("Will you come with Will?", "Will you come with ?", ["Will"]),
        ("Will you come?", "Will you come?", []),
        ("a minaret", "a minaret", []),
        ("하린이가 좋아하는 게임 뭐야?", "좋아하는 게임 뭐야?", ["하린"]),
        ("하린이한테는 뭐라고 했지", "뭐라고 했지", ["하린"]),
        ("하린 씨는 뭘 좋아해?", "뭘 좋아해?", ["하린"]),
        ("도윤아, 내 생일 기억해?", "내 생일 기억해?", ["도윤"]),
        ("Kai는 몇 살?", "몇 살?", ["Kai"]),
        ("하린마을 가봤어?", "하린마을 가봤어?", []),
        ("ミナトさんは何が好き?", "何が好き?", ["ミナト"]),
        ("健と行った店", "行った店", ["健"]),
        ("健康は大事", "健康は大事", []),
        ("さくらちゃんの誕生日", "誕生日", ["さくら"]),
        ("Kaiさんの犬", "犬", ["Kai"]),
        ("小明喜欢什么", "喜欢什么", ["小明"]),
    ],
)
def test_names_are_cut_with_what_clings_to_them(query, rest, people):
    assert cut_names(query, NAMES) == rest
    assert named(query, NAMES) == people


@pytest.mark.parametrize("query", ["Mina", "Mina?", "하린아!", "ミナトさん", "Mina 하린", "", "  "])
def test_a_query_of_names_alone_is_left_as_it_is(query):
    assert cut_names(query, NAMES) == query


def test_blank_names_and_no_names_cut_nothing():
    assert cut_names("What now?", ["", " ", "?"]) == "What now?"
    assert cut_names("What now?", []) == "What now?"


def test_the_longer_name_is_cut_first():
    assert cut_names("Where is Mina Park?", ["Mina", "Mina Park"]) == "Where is ?"


@given(st.text(max_size=60), st.lists(st.text(max_size=6), max_size=4))
def test_any_query_and_names_leave_something_to_search_for(query, names):
    rest = cut_names(query, names)
    assert rest == query or rest.strip()
    assert set(named(query, names)) <= set(names)
