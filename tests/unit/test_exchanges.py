"""How the log falls into exchanges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.exchanges import LONGEST, Spoken, exchanges
from omoide.domain.model import Role

paths = st.text("aBCX", max_size=40)


def path(text):
    """Small letters are people, capitals characters; each letter one speaker."""
    return [Spoken(speaker=ord(s), role=Role.USER if s.islower() else Role.CHARACTER) for s in text]


def pieces(text):
    return [text[span.start : span.stop] for span in exchanges(path(text))]


@pytest.mark.parametrize(
    ("case", "text", "expected"),
    [
        ("nothing", "", []),
        ("a greeting alone", "C", []),
        ("two greetings", "CC", []),
        ("a question without a reply", "a", ["a"]),
        ("an exchange", "aC", ["aC"]),
        ("two exchanges", "aCaC", ["aC", "aC"]),
        ("a greeting first", "CaC", ["aC"]),
        ("a question in two messages", "aaC", ["aaC"]),
        ("a reply in two messages", "aCC", ["aCC"]),
        ("two characters answer", "aCD", ["aCD"]),
        ("two people speak", "abC", ["a", "bC"]),
        ("two people take turns", "abab", ["a", "b", "a", "b"]),
        ("a monologue", "a" * (LONGEST + 1), ["a" * LONGEST, "a"]),
        ("a long reply", "a" + "C" * LONGEST, ["a" + "C" * (LONGEST - 1), "C"]),
        ("a new exchange after a long one", "a" * LONGEST + "CaC", ["a" * LONGEST, "C", "aC"]),
    ],
)
def test_an_exchange_is_what_somebody_says_and_the_reply_to_it(case, text, expected):
    assert pieces(text) == expected


@given(text=paths)
def test_everything_from_the_first_words_of_a_person_on_is_in_one_exchange(text):
    spoken = text.lstrip("BCX")
    assert "".join(pieces(text)) == spoken


@given(text=paths)
def test_no_exchange_is_empty_or_too_long(text):
    assert all(1 <= len(piece) <= LONGEST for piece in pieces(text))


@given(text=paths, more=paths)
def test_what_follows_never_changes_finished_exchanges(text, more):
    before = pieces(text)
    assert pieces(text + more)[: len(before[:-1])] == before[:-1]


@given(text=paths)
def test_exchanges_can_be_cut_again_from_where_one_begins(text):
    for span in exchanges(path(text)):
        again = exchanges(path(text)[span.start :])
        if path(text)[span.start].role is Role.USER:
            assert text[span.start :][again[0].start : again[0].stop] == text[span.start : span.stop]
