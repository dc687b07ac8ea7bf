from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.recall.fuse import (
    CANDIDATES,
    LARGE_SCOPE,
    TOLD_WEIGHTS,
    Weights,
    bm25,
    decayed,
    published,
    standard,
)
from omoide.stores.index.inverted import Hits

NAN = float("nan")


def floats(*values):
    return np.array(values, dtype=np.float32)


def rows(*values):
    return np.array(values, dtype=np.int32)


def hits(*postings):
    """Terms by the rows that hold them, and how often."""
    nothing = rows()
    return Hits(
        counts=np.array([len(held) for held, _ in postings], dtype=np.int64),
        terms=np.repeat(np.arange(len(postings)), [len(held) for held, _ in postings]),
        rows=np.concatenate([nothing, *(held for held, _ in postings)]),
        often=np.concatenate([nothing, *(often for _, often in postings)]),
    )


def alone(size):
    """Rows without neighbours or session."""
    nothing = np.full(size, -1, dtype=np.int32)
    return {"before": nothing, "after": nothing, "session": nothing}


def in_one_session(size):
    before = np.arange(size, dtype=np.int32) - 1
    after = np.arange(size, dtype=np.int32) + 1
    after[-1:] = -1
    return {"before": before, "after": after, "session": np.zeros(size, dtype=np.int32)}


def order(scores):
    return np.argsort(-scores, kind="stable").tolist()


@pytest.mark.proves("P13")
def test_first_by_meaning_and_third_by_words_has_the_published_score():
    scores = published(floats(0.9, 0.5, 0.4, 0.1), floats(1, 3, 2, 0), age=rows(3, 2, 1, 0))
    assert scores[0] == pytest.approx(1 / 60 + 1 / 62)
    assert scores[1] == pytest.approx(1 / 61 + 1 / 60)
    assert scores[3] == pytest.approx(1 / 63)


@pytest.mark.proves("P9")
def test_each_list_takes_twenty_candidates():
    meaning = np.linspace(1, 0.1, 50, dtype=np.float32)
    scores = published(meaning, np.zeros(50, dtype=np.float32), age=rows(*range(50)))
    assert np.flatnonzero(scores).tolist() == list(range(CANDIDATES))


@pytest.mark.proves("P9")
def test_equal_words_go_newest_first():
    scores = published(floats(NAN, NAN, NAN), floats(1, 1, 1), age=rows(2, 0, 1))
    assert order(scores) == [1, 2, 0]


@pytest.mark.proves("P10")
def test_decay_reorders_both_lists_before_they_are_fused():
    scores = published(floats(0.9, 0.8), floats(2, 1.9), age=rows(1, 0), decay=floats(0.5, 1))
    assert scores.tolist() == pytest.approx([2 / 61, 2 / 60])


@pytest.mark.proves("P10")
def test_decay_never_changes_which_rows_are_candidates():
    meaning = np.linspace(1, 0.1, 30, dtype=np.float32)
    decay = np.linspace(0.3, 1, 30, dtype=np.float32)
    scores = published(meaning, np.zeros(30, dtype=np.float32), age=rows(*range(30)), decay=decay)
    assert set(np.flatnonzero(scores)) == set(range(CANDIDATES))


@pytest.mark.proves("P17")
def test_without_a_hit_by_words_the_order_is_that_of_meaning():
    assert order(published(floats(0.1, 0.9, 0.5), floats(0, 0, 0), age=rows(2, 1, 0))) == [1, 2, 0]
    assert order(standard(floats(0.1, 0.9, 0.5), floats(0, 0, 0), **alone(3))) == [1, 2, 0]


@pytest.mark.proves("P17")
def test_without_vectors_the_order_is_that_of_words():
    assert order(standard(floats(NAN, NAN, NAN), floats(0.1, 0, 0.4), **alone(3))) == [2, 0, 1]


def test_a_row_without_a_vector_counts_as_average_in_meaning():
    scores = standard(floats(0.9, NAN, 0.7), floats(0, 0, 0), **alone(3))
    assert scores[0] > scores[1] > scores[2]


def test_an_answer_is_lifted_by_its_question():
    meaning = np.full(40, 0.7, dtype=np.float32)
    meaning[20] = 0.9
    scores = standard(meaning, np.zeros(40, dtype=np.float32), **in_one_session(40))
    assert set(order(scores)[:5]) == {18, 19, 20, 21, 22}
    assert order(scores)[0] == 20


def test_a_neighbour_lowers_no_row():
    meaning = floats(0.1, 0.9, 0.2, 0.3)
    without = standard(meaning, floats(0, 0, 0, 0), **alone(4), weights=Weights(session=0))
    with_them = standard(meaning, floats(0, 0, 0, 0), **in_one_session(4), weights=Weights(session=0))
    assert (with_them >= without).all()


def test_a_session_on_the_topic_comes_before_another():
    meaning = floats(0.9, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7)
    nothing = rows(*[-1] * 8)
    session = rows(0, 0, 0, 0, 1, 1, 1, 1)
    scores = standard(meaning, np.zeros(8, dtype=np.float32), before=nothing, after=nothing, session=session)
    assert set(order(scores)[:4]) == {0, 1, 2, 3}


def test_a_fact_without_a_session_keeps_up_with_talk():
    meaning, words = floats(0.9, 0.9, 0.1, 0.1), floats(0, 0, 0, 0)
    nothing = rows(-1, -1, -1, -1)
    scores = standard(meaning, words, before=nothing, after=nothing, session=rows(-1, 0, 0, 0))
    assert scores[0] == pytest.approx(scores[1])


def test_rows_of_the_named_person_rise():
    named = np.array([False, True])
    scores = standard(floats(0.5, 0.5), floats(0, 0), **alone(2), named=named)
    assert order(scores) == [1, 0]


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_small_scopes_are_scored(size):
    scores = standard(np.full(size, 0.8, dtype=np.float32), np.ones(size, dtype=np.float32), **alone(size))
    assert scores.size == size
    assert np.isfinite(scores).all()


scope = st.integers(1, 30).flatmap(
    lambda size: st.tuples(
        st.lists(st.one_of(st.floats(-1, 1, width=32), st.just(NAN)), min_size=size, max_size=size),
        st.lists(st.floats(0, 1, width=32), min_size=size, max_size=size),
        st.booleans(),
    )
)


@given(scope)
def test_fusing_keeps_every_row_and_stays_finite(drawn):
    meaning, words, together = drawn
    size = len(meaning)
    place = in_one_session(size) if together else alone(size)
    default = standard(floats(*meaning), floats(*words), **place)
    ranked = published(floats(*meaning), floats(*words), age=np.arange(size))
    for scores in (default, ranked):
        assert scores.shape == (size,)
        assert scores.dtype == np.float32
        assert np.isfinite(scores).all()


@given(scope)
def test_inputs_are_left_as_they_were(drawn):
    meaning, words = floats(*drawn[0]), floats(*drawn[1])
    before = (meaning.copy(), words.copy())
    standard(meaning, words, **in_one_session(meaning.size))
    published(meaning, words, age=np.arange(meaning.size), decay=np.full(meaning.size, 0.5, np.float32))
    assert np.array_equal(meaning, before[0], equal_nan=True)
    assert np.array_equal(words, before[1])


def test_rare_terms_weigh_more_than_common_ones():
    common, rare = (rows(0, 1, 2, 3), rows(1, 1, 1, 1)), (rows(4), rows(1))
    scores = bm25(hits(common, rare), np.full(6, 5, dtype=np.float32))
    assert scores[4] > scores[0] > scores[5] == 0


def test_more_of_a_term_weighs_more_and_length_costs():
    scores = bm25(hits((rows(0, 1, 2), rows(1, 3, 1))), floats(5, 5, 20))
    assert scores[1] > scores[0] > scores[2]


def test_a_score_by_words_stays_below_one():
    postings = [(rows(0), rows(50)), (rows(0, 1), rows(50, 1))]
    assert 0 < bm25(hits(*postings), floats(3, 3, 3)).max() < 1


def test_in_a_large_scope_terms_that_many_rows_hold_are_skipped():
    many = np.arange(LARGE_SCOPE // 2, dtype=np.int32)
    scores = bm25(hits((many, np.ones_like(many))), np.ones(LARGE_SCOPE + 1, dtype=np.float32))
    assert not scores.any()


@pytest.mark.parametrize("size", [0, 3])
def test_no_terms_score_nothing(size):
    assert bm25(hits(), np.zeros(size, dtype=np.float32)).tolist() == [0.0] * size


@pytest.mark.proves("P10")
def test_fading_lowers_old_candidates_of_any_score():
    faded = decayed(floats(-1.0, 2.0, 2.0), floats(0.5, 0.5, 1.0))
    assert faded.tolist() == pytest.approx([0.0, 1.5, 3.0])


def test_what_is_told_is_not_lifted_by_its_session():
    meaning, words = floats(0.9, 0.2, 0.3, 0.21), floats(0, 0, 0, 0)
    nothing = rows(-1, -1, -1, -1)
    where = {"before": nothing, "after": nothing, "session": rows(0, 0, 1, 0)}
    asking = standard(meaning, words, **where)
    telling = standard(meaning, words, **where, weights=TOLD_WEIGHTS)
    assert order(telling) == [0, 2, 3, 1]
    assert asking[1] - asking[2] > telling[1] - telling[2]
