"""Where a conversation departs from the log."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.alignment import align, front_replaced, replaced

letters = st.text("abcdeo", max_size=12)


def of(text):
    return [letter.encode() for letter in text]


def now(logged, shown):
    """The conversation as the alignment has it, and what is withdrawn."""
    alignment = align(of(logged), of(shown))
    text = "".join(logged[s.logged] if s.logged is not None else shown[s.shown] for s in alignment.steps)
    return text, "".join(logged[place] for place in alignment.withdrawn)


@pytest.mark.parametrize(
    ("case", "logged", "shown", "result", "withdrawn"),
    [
        ("new", "", "abc", "abc", ""),
        ("identical", "abc", "abc", "abc", ""),
        ("grown", "abc", "abcd", "abcd", ""),
        ("cut", "abcd", "cd", "abcd", ""),
        ("cut and grown", "abcd", "cde", "abcde", ""),
        ("window moved on", "abc", "xyz", "abcxyz", ""),
        ("nothing shown", "abc", "", "abc", ""),
        ("newest swiped", "abc", "abx", "abx", "c"),
        ("swiped behind a cut", "abcde", "cdx", "abcdx", "e"),
        ("rewound", "abcd", "ab", "ab", "cd"),
        ("rewound behind a cut", "abcde", "bc", "abc", "de"),
        ("rewound and told anew", "abcd", "abxy", "abxy", "cd"),
        ("first edited", "abcd", "xbcd", "xbcd", "a"),
        ("edited inside", "abcd", "axcd", "axcd", "b"),
        ("deleted inside", "abcd", "acd", "acd", "b"),
        ("inserted inside", "abcd", "abxcd", "abxcd", ""),
        ("edited and grown", "abcd", "axcde", "axcde", "b"),
        ("unknown words before a cut", "abcd", "xcd", "abxcd", ""),
        ("repeated words grow", "oo", "ooo", "ooo", ""),
        ("repeated words, cut and grown", "aoboc", "ocd", "aobocd", ""),
        ("repeated words, cut and swiped", "oroqcd", "oqcx", "oroqcx", "d"),
        ("repeated words rewound", "aobo", "ao", "ao", "bo"),
    ],
)
def test_what_the_client_shows_is_the_truth_but_a_missing_beginning_is_a_cut(
    case, logged, shown, result, withdrawn
):
    assert now(logged, shown) == (result, withdrawn)


@given(logged=letters, shown=letters)
def test_every_shown_message_is_kept_once_and_in_order(logged, shown):
    steps = align(of(logged), of(shown)).steps
    assert [step.shown for step in steps if step.shown is not None] == list(range(len(shown)))


@given(logged=letters, shown=letters)
def test_every_logged_message_is_kept_in_order_or_withdrawn(logged, shown):
    alignment = align(of(logged), of(shown))
    kept = [step.logged for step in alignment.steps if step.logged is not None]
    assert kept == sorted(kept)
    assert sorted([*kept, *alignment.withdrawn]) == list(range(len(logged)))


@given(logged=letters, shown=letters)
def test_what_is_common_has_the_same_words(logged, shown):
    for step in align(of(logged), of(shown)).steps:
        if step.logged is not None and step.shown is not None:
            assert logged[step.logged] == shown[step.shown]


@given(logged=letters, shown=letters)
def test_nothing_is_withdrawn_before_the_first_common_message_unless_the_client_shows_as_much_there(
    logged, shown
):
    alignment = align(of(logged), of(shown))
    common = [s for s in alignment.steps if s.logged is not None and s.shown is not None]
    if not common:
        assert alignment.withdrawn == ()
    elif common[0].logged > common[0].shown:
        assert all(place > common[0].logged for place in alignment.withdrawn)


@given(text=letters)
def test_identical_lists_change_nothing(text):
    assert now(text, text) == (text, "")


@given(logged=letters, new=letters)
def test_a_log_that_is_only_continued_loses_nothing(logged, new):
    assert now(logged, logged + new) == (logged + new, "")


@given(logged=st.lists(st.integers(0, 50).map(lambda n: b"%d" % n), unique=True), data=st.data())
def test_the_end_of_a_log_without_repeated_words_is_recognised_from_anywhere(logged, data):
    start = data.draw(st.integers(0, len(logged)))
    alignment = align(logged, [*logged[start:], b"new"])
    assert alignment.withdrawn == ()
    assert alignment.matched == len(logged) - start


@given(logged=letters, shown=letters)
def test_each_replaced_message_is_withdrawn_and_replaced_once(logged, shown):
    alignment = align(of(logged), of(shown))
    replaced_places = [step.replaces for step in alignment.steps if step.replaces is not None]
    assert len(set(replaced_places)) == len(replaced_places)
    assert set(replaced_places) <= set(alignment.withdrawn)


@given(logged=letters, shown=letters)
def test_what_stands_unknown_behind_a_cut_may_replace_as_much_that_stood_there(logged, shown):
    alignment = align(of(logged), of(shown))
    edited = front_replaced(alignment)
    assert edited.withdrawn == (*alignment.front, *alignment.withdrawn)
    assert [step.shown for step in edited.steps if step.shown is not None] == list(range(len(shown)))
    kept = [step.logged for step in edited.steps if step.logged is not None]
    assert sorted([*kept, *edited.withdrawn]) == list(range(len(logged)))


def test_the_first_words_behind_a_cut_are_in_front():
    assert [*align(of("abcdef"), of("xyefg")).front] == [2, 3]
    for logged, shown in (("abcd", "cd"), ("abcd", "xbcd"), ("abcd", "xyz"), ("", "ab")):
        assert not align(of(logged), of(shown)).front


def test_a_list_that_is_replaced_goes_as_a_whole():
    alignment = replaced(2, 3)
    assert alignment.withdrawn == (0, 1)
    assert [step.shown for step in alignment.steps] == [0, 1, 2]
    assert [step.replaces for step in alignment.steps] == [0, 1, None]


@pytest.mark.parametrize(
    ("case", "logged", "shown"),
    [
        ("unique words, edited everywhere", range(30_000), [n if n % 100 else -n - 1 for n in range(30_000)]),
        ("the same words, swiped", [0] * 30_000, [1, *[0] * 30_000, 2]),
        ("few words, edited", [n % 7 for n in range(30_000)], [-1, *[n % 5 for n in range(30_000)]]),
    ],
)
def test_long_conversations_are_aligned_in_a_moment(case, logged, shown):
    old = [b"%d" % n for n in logged]
    new = [b"%d" % n for n in shown]
    start = time.perf_counter()
    align(old, new)
    assert time.perf_counter() - start < 3
