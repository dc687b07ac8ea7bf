"""How memories fade, by the figures of the specification."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.decay import FORGET_BELOW, RECALL_FROM, conversation_factor, retention, strength

counts = st.integers(min_value=0, max_value=1000)
importances = st.floats(min_value=1, max_value=10)
distances = st.floats(min_value=0, max_value=1e6)


@pytest.mark.proves("H15")
@pytest.mark.parametrize(
    ("importance", "confirmed", "days"), [(9, 5, 20), (9, 20, 50), (3, 1, 6), (7, 1, 10), (1, 0, 2)]
)
def test_strength_has_the_published_check_values(importance: float, confirmed: int, days: float) -> None:
    assert strength(importance, confirmed=confirmed) == days
    assert retention(days, importance=importance, confirmed=confirmed) == pytest.approx(1 / math.e)


@pytest.mark.proves("H15")
def test_what_was_just_stored_is_retained_whole() -> None:
    assert retention(0, importance=1) == 1.0
    assert retention(-3, importance=1) == 1.0  # a clock that went back


@pytest.mark.proves("H10")
def test_each_recall_adds_two_days_of_strength() -> None:
    assert strength(5, recalls=1) - strength(5) == 2
    assert strength(5, recalls=4) == strength(5, confirmed=5)


@pytest.mark.proves("H16")
@pytest.mark.proves("H9")
def test_what_is_pruned_was_out_of_searches_before() -> None:
    assert FORGET_BELOW == 0.05
    assert RECALL_FROM == 0.1


@pytest.mark.proves("P10")
@pytest.mark.parametrize(
    ("distance", "factor"),
    [(0, 1), (20, 2**-0.5), (40, 0.5), (69, 2 ** (-69 / 40)), (70, 0.3), (10_000, 0.3)],
)
def test_fading_by_conversation_halves_in_forty_steps_and_ends_at_three_tenths(
    distance: float, factor: float
) -> None:
    assert conversation_factor(distance) == pytest.approx(factor)


@given(days=distances, importance=importances, confirmed=counts, recalls=counts)
def test_retention_lies_between_nothing_and_all_and_never_rises(
    days: float, importance: float, confirmed: int, recalls: int
) -> None:
    now = retention(days, importance=importance, confirmed=confirmed, recalls=recalls)
    later = retention(days + 1, importance=importance, confirmed=confirmed, recalls=recalls)
    assert 0 <= later <= now <= 1


@given(distance=distances, confirmed=counts, recalls=counts)
def test_what_is_recalled_more_never_fades_faster(distance: float, confirmed: int, recalls: int) -> None:
    less = conversation_factor(distance, confirmed=confirmed, recalls=recalls)
    more = conversation_factor(distance, confirmed=confirmed, recalls=recalls + 1)
    assert 0.3 <= less <= more <= 1
