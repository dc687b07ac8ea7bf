"""The index of a scope in memory: what was read bit by bit is what would be read at once."""

import numpy as np
import pytest

from omoide.domain.instants import NO_TIME
from omoide.stores.index.block import Block
from omoide.stores.index.inverted import MERGE_AT, Inverted
from omoide.stores.index.nearest import nearness
from omoide.stores.index.neighbours import Neighbours
from omoide.stores.index.scope_index import ScopeIndex
from omoide.stores.postings import ENTRY

NOTHING = np.empty(0, dtype=np.int64)


def row(number, *, position=None, session=1, alive=True):
    place = number if position is None else position
    times = (NO_TIME, 0, NO_TIME, NO_TIME)
    return (number, place, session, -1, *times, 0, 3.0, -1.0, 1, 0, -1, True, False, alive, False)


def packed(**terms):
    return np.array([(int(term[1:]), often) for term, often in terms.items()], dtype=ENTRY).tobytes()


def block(numbers, seed=0):
    dice = np.random.default_rng(seed)
    vectors = dice.standard_normal((len(numbers), 16)).astype(np.float32)
    return Block(np.array(numbers, dtype=np.int64), vectors)


def put(index, *rows, postings=(), blocks=(), said=NOTHING):
    index.apply(rows, postings=postings, blocks=blocks, said=said)


def found(index, term):
    return held(index.snapshot().terms([term]))


def held(hits):
    """How often each row holds the terms that were looked for."""
    return dict(sorted(zip(hits.rows.tolist(), hits.often.tolist(), strict=True)))


def seen(index):
    """All that a recall sees, by the memories' numbers."""
    snapshot = index.snapshot()
    numbers = snapshot.rows["number"].tolist()
    name = {-1: None, **dict(enumerate(numbers))}
    return {
        number: (
            snapshot.rows[place].item(),
            snapshot.vectors[place].tolist() if snapshot.embedded[place] else None,
            float(snapshot.lengths[place]),
            name[snapshot.before[place]],
            name[snapshot.after[place]],
        )
        for place, number in enumerate(numbers)
    }


def test_rows_that_come_one_by_one_give_the_index_that_a_whole_read_gives():
    rows = [row(n, session=1 + n % 3, alive=n % 7 != 0) for n in range(1, 60)]
    postings = [(n, packed(t1=1, t2=n % 3 + 1)) for n in range(1, 60)]
    vectors = block(range(1, 60))
    whole, piecemeal = ScopeIndex(), ScopeIndex()
    put(whole, *rows, postings=postings, blocks=[vectors])
    for n, one in enumerate(rows):
        put(piecemeal, one, postings=[postings[n]])
        piecemeal.snapshot()
        put(piecemeal, blocks=[Block(vectors.members[n : n + 1], vectors.vectors[n : n + 1])])
    assert seen(piecemeal) == seen(whole)
    assert found(piecemeal, 2) == found(whole, 2)


def test_a_changed_row_replaces_what_was_known_of_it():
    index = ScopeIndex()
    put(index, row(1), row(2), row(3), postings=[(n, packed(t1=1)) for n in (1, 2, 3)])
    put(index, row(2, position=9), postings=[(2, packed(t5=4))])
    assert found(index, 1) == {0: 1, 2: 1}
    assert found(index, 5) == {1: 4}
    assert [seen(index)[n][3:] for n in (1, 3, 2)] == [(None, 3), (1, 2), (3, None)]


def test_a_dead_row_is_nobodys_neighbour():
    index = ScopeIndex()
    put(index, row(1), row(2), row(3))
    put(index, row(2, alive=False))
    assert seen(index)[1][4] == 3
    assert seen(index)[2][3:] == (None, None)


def test_rows_are_neighbours_in_their_own_session_only():
    index = ScopeIndex()
    put(index, row(1, session=1), row(2, session=2), row(3, session=1), row(4, session=-1))
    assert [seen(index)[n][3:] for n in (1, 2, 3, 4)] == [(None, 3), (None, None), (1, None), (None, None)]
    assert index.session_numbers == {1, 2}
    assert index.snapshot().sessions.tolist() == [0, 1, 0, -1]


@pytest.mark.parametrize("late", [0, 5, 15, 25])
def test_what_comes_late_finds_its_place_among_the_others(late):
    rows = np.zeros(4, dtype=ScopeIndex().snapshot().rows.dtype)
    rows["number"], rows["session"], rows["alive"] = range(4), 1, True
    rows["position"] = (10, 20, 30, late)
    neighbours = Neighbours()
    neighbours.changed(rows[:3], [0, 1, 2], only_new=True)
    neighbours.of(rows[:3])
    neighbours.changed(rows[3:], [3], only_new=True)
    before, after = neighbours.of(rows)
    order = sorted(range(4), key=lambda place: rows["position"][place])
    assert [before[place] for place in order] == [-1, *order[:-1]]
    assert [after[place] for place in order] == [*order[1:], -1]


@pytest.mark.parametrize("whole", [True, False])
def test_a_long_pause_parts_neighbours(whole):
    hour = 3_600_000_000
    rows = np.zeros(5, dtype=ScopeIndex().snapshot().rows.dtype)
    rows["number"], rows["position"], rows["session"], rows["alive"] = range(5), range(5), 1, True
    rows["at"] = (0, hour, 30 * hour, NO_TIME, 90 * hour)
    neighbours = Neighbours()
    if not whole:
        neighbours.of(rows[:0])
        neighbours.changed(rows, range(5), only_new=True)
    before, after = neighbours.of(rows)
    assert before.tolist() == [-1, 0, -1, 2, 3]
    assert after.tolist() == [1, -1, 3, 4, -1]


@pytest.mark.parametrize("count", [1, MERGE_AT - 1, MERGE_AT, 3 * MERGE_AT + 5])
def test_terms_are_found_before_and_after_they_are_merged(count):
    one_by_one, at_once = Inverted(), Inverted()
    postings = [(n, packed(t7=2, **{f"t{100 + n % 5}": 1})) for n in range(count)]
    lengths = [one_by_one.add([posting])[0] for posting in postings]
    assert lengths == at_once.add(postings) == [3] * count
    for term in (7, 100, 104, 999):
        assert held(one_by_one.find([term])) == held(at_once.find([term]))
    hits = one_by_one.find([999, 7, 100])
    assert hits.counts.tolist() == [0, count, len(range(0, count, 5))]
    assert sorted(hits.terms.tolist()) == sorted([1] * count + [2] * len(range(0, count, 5)))


@pytest.mark.parametrize("count", [3, MERGE_AT + 3])
def test_a_removed_row_is_found_by_none_of_its_terms(count):
    inverted = Inverted()
    inverted.add([(n, packed(t7=1)) for n in range(count)])
    inverted.add([(count, packed(t7=1, t8=1))])
    inverted.remove([0, count])
    assert list(held(inverted.find([7]))) == list(range(1, count))
    assert not held(inverted.find([8]))


def clustered(count, dimensions=128, seed=1):
    """Vectors as models make them: around one direction, and in topics."""
    dice = np.random.default_rng(seed)
    topics = dice.standard_normal((count // 20, dimensions))
    vectors = topics[dice.integers(len(topics), size=count)] + 0.8 * dice.standard_normal((count, dimensions))
    vectors += 1.5 * dice.standard_normal(dimensions)
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def large(vectors, *, bit_by_bit=0):
    count = len(vectors)
    index = ScopeIndex(large=1_000)
    members = np.arange(count, dtype=np.int64)
    first = count - bit_by_bit
    put(index, *(row(n) for n in range(first)), blocks=[Block(members[:first], vectors[:first])])
    index.snapshot()
    for n in range(first, count):
        put(index, row(n), blocks=[Block(members[n : n + 1], vectors[n : n + 1])])
    return index.snapshot()


@pytest.mark.parametrize("bit_by_bit", [0, 200])
def test_two_steps_find_what_an_exact_search_finds(bit_by_bit):
    vectors = clustered(20_000)
    snapshot = large(vectors, bit_by_bit=bit_by_bit)
    assert snapshot.signs is not None
    kept, spread = [], []
    for place in range(0, 20_000, 400):
        question = vectors[place] + 0.5 * clustered(40, seed=place)[0]
        question /= np.linalg.norm(question)
        told, exact = nearness(snapshot, question), vectors @ question
        best = np.argsort(-exact)[:20]
        kept.append(len(np.intersect1d(best, np.argsort(-told)[:20])) / 20)
        np.testing.assert_allclose(told.max(), exact.max(), rtol=1e-5)
        spread.append((told.std() / exact.std(), told.mean() - exact.mean()))
    assert np.mean(kept) >= 0.95
    deviations, means = np.array(spread).T
    assert np.all(np.abs(deviations - 1) < 0.2)
    assert np.all(np.abs(means) < 0.02)


def test_a_row_without_a_vector_is_near_to_nothing_in_a_large_scope():
    vectors = clustered(2_000)
    index = ScopeIndex(large=1_000)
    with_vector = np.arange(0, 2_000, 2, dtype=np.int64)
    put(index, *(row(n) for n in range(2_000)), blocks=[Block(with_vector, vectors[::2])])
    near = nearness(index.snapshot(), vectors[4])
    assert np.isnan(near[1::2]).all()
    assert np.argmax(np.nan_to_num(near, nan=-1.0)) == 4


def test_a_small_scope_is_searched_exactly():
    vectors = clustered(500)
    index = ScopeIndex(large=1_000)
    put(index, *(row(n) for n in range(500)), blocks=[Block(np.arange(500), vectors)])
    snapshot = index.snapshot()
    assert snapshot.signs is None
    np.testing.assert_allclose(nearness(snapshot, vectors[3]), vectors @ vectors[3], rtol=1e-6)


def test_columns_by_themselves_are_those_of_the_rows():
    index = ScopeIndex()
    for n in range(1, 40):
        put(index, row(n, alive=n % 5 != 0))
    put(index, row(7, alive=False), row(3))
    snapshot = index.snapshot()
    for name, column in (
        ("alive", snapshot.alive),
        ("kind", snapshot.kinds),
        ("importance", snapshot.importances),
        ("place", snapshot.at_places),
    ):
        assert column.tolist() == snapshot.rows[name].tolist()
