"""One place for what says one thing: what shares whose (P14)."""

import pytest

from omoide.domain.instants import NO_TIME
from omoide.domain.model import Kind
from omoide.recall.places import by_place
from omoide.stores.index.scope_index import ROW, ScopeIndex

pytestmark = pytest.mark.proves("P14")


def placed(*ranked):
    """What has a place, and what shares whose, of kinds and the messages they rest on, best first."""
    index = ScopeIndex()
    rows = []
    for number, (kind, _) in enumerate(ranked, start=1):
        row = dict.fromkeys(ROW.names, 0) | {"number": number, "alive": True, "session": 1}
        row |= {"kind": tuple(Kind).index(kind), "position": number, "valid_until": NO_TIME}
        rows.append(tuple(row[name] for name in ROW.names))
    index.apply(rows, postings=(), blocks=(), said=[])
    said = {number: messages for number, (_, messages) in enumerate(ranked, start=1)}
    own, sharing = by_place(
        index.snapshot(),
        [(row, -float(row)) for row in range(len(ranked))],
        lambda numbers: {number: said[number] for number in numbers},
    )
    return [row for row, _ in own], [(place, row) for place, (row, _) in sharing]


def test_a_claim_and_the_exchange_it_was_told_in_share_a_place():
    assert placed((Kind.FACT, [1]), (Kind.EPISODE, [1, 2])) == ([0], [(0, 1)])
    assert placed((Kind.EPISODE, [1, 2]), (Kind.FACT, [1])) == ([0], [(0, 1)])


def test_an_answer_does_not_share_the_place_of_its_question():
    ranked = ((Kind.FACT, [1]), (Kind.EPISODE, [1, 2]), (Kind.STATEMENT, [2]))
    assert placed(*ranked) == ([0, 2], [(0, 1)])


def test_an_exchange_that_comes_first_holds_both_question_and_answer():
    ranked = ((Kind.EPISODE, [1, 2]), (Kind.FACT, [1]), (Kind.STATEMENT, [2]))
    assert placed(*ranked) == ([0], [(0, 1), (0, 2)])


@pytest.mark.parametrize("better", [(Kind.FACT, [3]), (Kind.PLAN, [2, 3]), (Kind.EPISODE, [3, 4])])
def test_a_summary_shares_the_place_of_something_better_from_its_window(better):
    ranked = (better, (Kind.SUMMARY, [1, 2, 3, 4]), (Kind.FACT, [9]))
    assert placed(*ranked) == ([0, 2], [(0, 1)])


def test_a_summary_that_comes_first_has_its_place_and_takes_nobody_elses():
    ranked = ((Kind.SUMMARY, [1, 2, 3, 4]), (Kind.FACT, [3]), (Kind.EPISODE, [1, 2]))
    assert placed(*ranked) == ([0, 1, 2], [])


def test_a_summary_of_another_window_has_a_place():
    assert placed((Kind.FACT, [9]), (Kind.SUMMARY, [1, 2, 3])) == ([0, 1], [])
