from __future__ import annotations

from importlib.util import find_spec

import pytest

from omoide.errors import InvalidInput, MissingExtra
from omoide.words.analyse import BigramAnalyser
from omoide.words.morphemes import load_analyser

EXTRAS = {"kiwi": "kiwipiepy", "sudachi": "sudachipy"}


def installed(name):
    return find_spec(EXTRAS[name]) is not None


def test_the_default_needs_no_extra():
    assert load_analyser("bigram") == BigramAnalyser()


def test_an_unknown_analyser_is_refused_with_the_known_ones():
    with pytest.raises(InvalidInput, match=r"'mecab'.*bigram, kiwi, sudachi"):
        load_analyser("mecab")


@pytest.mark.parametrize("name", EXTRAS)
def test_a_missing_extra_is_named(name):
    if installed(name):
        pytest.skip("the extra is installed")
    with pytest.raises(MissingExtra, match=r"omoide\["):
        load_analyser(name)


@pytest.mark.parametrize(
    ("name", "query", "text"),
    [
        ("kiwi", "먹다", "점심에 국수를 먹었어"),
        ("kiwi", "하린", "하린이가 왔어"),
        ("kiwi", "coffee", "커피 말고 coffee"),
        ("sudachi", "食べる", "昼にそばを食べました"),
        ("sudachi", "ミナト", "ミナトさんと話した"),
        ("sudachi", "猫", "他养了两只猫"),
    ],
)
def test_dictionary_forms_are_found_beside_bigrams(name, query, text):
    if not installed(name):
        pytest.skip("the extra is not installed")
    analyser = load_analyser(name)
    terms = analyser.query(query)
    assert set(terms) & set(analyser.document(text))
    assert len(terms) == len(set(terms))
    assert analyser.identity != BigramAnalyser().identity
