"""The copies in Qdrant are those of the store: filled, followed, erased, compared and repaired."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from on_qdrant import SAID, embedded, index_of, number_of, numbers, opened, owed, remembered, rested, until
from qdrant_client import models

from omoide.checkup import stored_findings
from omoide.config import Settings
from omoide.errors import IndexForeign
from omoide.stores.copies import Verified, catch_up
from omoide.stores.erasure import Erasure
from omoide.stores.index.block import Block
from omoide.stores.index.scope_index import ROW, ScopeIndex
from omoide.stores.qdrant.collections import Collections
from omoide.stores.qdrant.points import Points
from omoide.testing import WordEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from omoide.stores.erasure import Erased
    from omoide.stores.index.scope_index import Snapshot
    from qdrant_server import QdrantServer

SPACE = WordEmbedder().identity


OTHER = models.VectorParams(size=SPACE.dimensions, distance=models.Distance.DOT)


SMALL = models.VectorParams(size=8, distance=models.Distance.COSINE)


ALIKE = models.VectorParams(size=SPACE.dimensions, distance=models.Distance.COSINE)


@pytest.mark.parametrize("made", [OTHER, SMALL, ALIKE, {"image": ALIKE}])
@pytest.mark.parametrize("mark", [None, {"made by": "omoide", "store": "another"}])
async def test_a_collection_of_somebody_else_is_left_as_it_is(
    qdrant: QdrantServer, tmp_path: Path, made: Any, mark: Any
) -> None:
    async with opened(tmp_path, qdrant, embedder="none", vectors="memory") as omoide:
        store_id = omoide.store.keyring.store_id
    name = Collections(Settings.read(qdrant_url=qdrant.url), store_id=store_id, space=SPACE).name
    qdrant.client.create_collection(name, vectors_config=made, metadata=mark)
    qdrant.client.create_collection("omoide", vectors_config=SMALL)
    before = qdrant.client.get_collection(name).config

    with pytest.raises(IndexForeign, match="made by somebody else"):
        async with opened(tmp_path, qdrant):
            pass
    assert qdrant.client.get_collection(name).config == before
    assert len(qdrant.client.get_collections().collections) == 2


async def test_one_that_lost_everything_is_filled_again(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        qdrant.lose_all()
        found = await scope.recall("Do I keep bees?")
        assert "answers 404" in found.degraded[0]
        await until(lambda: numbers(qdrant) == [1, 2, 3, 4] and not omoide.store.index.behind)
        assert not (await scope.recall("Do I keep bees?")).degraded


async def test_a_store_that_was_there_before_is_copied_as_it_is_opened(
    qdrant: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, qdrant, vectors="memory") as omoide:
        await remembered(omoide)
        await remembered(omoide, user="jun")
    async with opened(tmp_path, qdrant) as omoide:
        assert len(qdrant.points()) == 2 * len(SAID)
        for user in ("mina", "jun"):
            assert not (await omoide.scope(user=user, character="haru").recall("bees?")).degraded


async def test_what_was_forgotten_while_it_was_not_used_does_not_stay(
    qdrant: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        await remembered(omoide)
        await remembered(omoide, user="jun")
    async with opened(tmp_path, qdrant, vectors="memory") as omoide:
        await omoide.erase_user("jun")
        scope = omoide.scope(user="mina", character="haru")
        await scope.forget((await scope.memories())[0].id)
    async with opened(tmp_path, qdrant):
        assert len(qdrant.points()) == len(SAID) - 1


async def test_a_user_who_is_erased_while_it_is_dead_goes_when_it_is_back(
    qdrant: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        await remembered(omoide)
        await remembered(omoide, user="jun")
        qdrant.stop()
        erased = await omoide.erase_user("mina")
        assert erased.copies_wait
        assert owed(omoide) == 1
        [finding] = [one for one in stored_findings(omoide) if one.what == "qdrant"]
        assert finding.state == "wrong"
        assert "may lie there until it is back" in finding.detail

        qdrant.start()
        await rested(omoide)
        await omoide.scope(user="jun", character="haru").recall("bees?")
        await until(lambda: owed(omoide) == 0)
        [finding] = [one for one in stored_findings(omoide) if one.what == "qdrant"]
        assert finding.state == "ok"
    assert len(qdrant.points()) == len(SAID)
    assert not (await erasure(tmp_path, qdrant, "jun")).copies_wait
    assert qdrant.points() == []


@pytest.mark.proves("F10")
async def test_an_erasure_that_is_stopped_leaves_no_points(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        await remembered(omoide)
        await remembered(omoide, user="jun")
        stay = Erasure(omoide.store).shut("mina")
        assert [scope.user for scope in await omoide.scopes()] == ["jun"]
        assert len(stay) == 1
        catch_up(omoide.store)
        assert len(qdrant.points()) == len(SAID)  # jun's
        assert owed(omoide) == 0
        erased = await omoide.finish_erasures()
        assert (erased.memories, erased.key_destroyed, erased.copies_wait) == (len(SAID), True, False)
        assert owed(omoide) == 0


async def erasure(folder: Path, qdrant: QdrantServer, user: str) -> Erased:
    """Erase somebody as the command line does, which has no embedder for it."""
    async with opened(folder, qdrant, embedder="none") as omoide:
        return await omoide.erase_user(user)


async def test_verifying_repairs_what_differs(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        [name] = [one.name for one in qdrant.client.get_collections().collections]
        first, second, third, _ = sorted(qdrant.points(), key=number_of)
        unlike = np.flip(np.array(first.vector)).tolist()
        moved = models.PointStruct(id=first.id, vector=unlike, payload=first.payload)
        ghost = models.PointStruct(
            id="5f0f4b62-2b3a-4b0e-9a51-1d2f5a3c7e11",
            vector=unlike,
            payload={**(second.payload or {}), "scope": "0198c1f0-0000-7000-8000-000000000001"},
        )
        qdrant.client.upsert(name, [moved, ghost])
        qdrant.client.delete(name, [third.id])

        found = await scope.verify()
        assert (found.right, found.made, found.replaced, found.dropped) == (2, 1, 1, 0)
        assert await omoide.sweep() == 1
        assert numbers(qdrant) == [1, 2, 3, 4]
        assert (await scope.verify()).right == len(SAID)
        assert await omoide.sweep() == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"scope": 4242},
        {"scope": "not-a-uuid"},
        {"scope": None},
        {"number": "four"},
        {"number": 1 << 70},
        {"tenant": 7},
        {"tenant": "nobody"},
        {},  # a second one of the same memory
    ],
)
async def test_points_of_others_are_taken_out_and_counted(
    qdrant: QdrantServer, tmp_path: Path, changed: dict[str, Any]
) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        other = await remembered(omoide.beside("acme"))
        [name] = [one.name for one in qdrant.client.get_collections().collections]
        mine = next(point for point in qdrant.points() if (point.payload or {})["tenant"] == "")
        foreign = models.PointStruct(
            id="5f0f4b62-2b3a-4b0e-9a51-1d2f5a3c7e11",
            vector=np.flip(np.array(mine.vector)).tolist(),
            payload={**(mine.payload or {}), **changed},
        )
        qdrant.client.upsert(name, [foreign])

        assert (await scope.verify()) == (await other.verify()) == Verified(right=len(SAID))
        degraded = (await scope.recall("Do you keep bees?")).degraded
        assert all("lacks the vectors of 1" in one for one in degraded)  # where it took the place of ours
        assert await omoide.beside("acme").sweep() == 0
        assert await omoide.sweep() == 1
        assert (await scope.recall("Do you keep bees?")).degraded == ()
        assert len(qdrant.points()) == 2 * len(SAID)
        assert await omoide.sweep() == 0


async def test_a_point_of_ours_that_says_something_else_is_written_again(
    qdrant: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        [name] = [one.name for one in qdrant.client.get_collections().collections]
        first, *_ = qdrant.points()
        wrong = {**(first.payload or {}), "number": 99}
        qdrant.client.upsert(name, [models.PointStruct(id=first.id, vector=first.vector, payload=wrong)])
        assert "lacks the vectors of 1" in (await scope.recall("Do you keep bees?")).degraded[0]
        found = await scope.verify()
        assert (found.right, found.made) == (len(SAID) - 1, 1)
        assert (await scope.recall("Do you keep bees?")).degraded == ()
        assert await omoide.sweep() == 0
        assert numbers(qdrant) == [1, 2, 3, 4]


async def test_another_embedder_has_a_collection_of_its_own(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        await remembered(omoide)
    async with opened(tmp_path, qdrant, embedder=WordEmbedder(dimensions=64)) as omoide:
        scope = omoide.scope(user="mina", character="haru")
        await embedded(omoide, scope)
        assert not (await scope.recall("bees?")).degraded
        assert len(qdrant.points()) == 2 * len(SAID)
        await scope.reset()
        assert qdrant.points() == []


async def test_several_processes_follow_one_store(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as one, opened(tmp_path, qdrant) as other:
        scope = await remembered(one)
        there = other.scope(user="mina", character="haru")
        assert not (await there.recall("bees?")).degraded
        for memory in await scope.memories():
            await (there if "bees" in memory.text else scope).forget(memory.id)
        assert qdrant.points() == []


async def test_a_large_scope_has_its_nearest_exact_and_the_mean_and_spread_of_all(
    qdrant: QdrantServer, tmp_path: Path
) -> None:
    count = 3_000
    matrix = np.random.default_rng(5).normal(size=(count, SPACE.dimensions)).astype(np.float32)
    matrix[:40] += 2 * matrix[7]
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    async with opened(tmp_path, qdrant) as omoide:
        await omoide.scope(user="mina", character="haru").remember("The first one.")
        row = omoide.store.scope("mina", "haru")
        assert row is not None
        settings = Settings.read(qdrant_url=qdrant.url)
        points = Points(Collections(settings, store_id=omoide.store.keyring.store_id, space=SPACE))
        for start in range(0, count, 250):
            part = np.arange(start, start + 250)
            points.put(row, Block(part, matrix[part]))
        points.collections.close()
        index_of(omoide).everything = 2_000
        with omoide.store.read(row) as unit:
            scores = omoide.store.index.nearness(unit.connection, unit.scope, snapshot_of(count), matrix[7])
    true = matrix @ matrix[7]

    best = np.argsort(-true)[:1_000]
    np.testing.assert_allclose(scores[best], true[best], atol=1e-3)
    assert scores.mean() == pytest.approx(true.mean(), abs=0.01)
    assert scores.std() == pytest.approx(true.std(), rel=0.1)
    assert np.isfinite(scores).all()


def snapshot_of(count: int) -> Snapshot:
    """A scope whose memories are numbered from 0, each with a vector elsewhere."""
    made = ScopeIndex(in_process=False)
    rows = np.zeros(count, dtype=ROW)
    rows["number"] = rows["position"] = np.arange(count)
    rows["alive"] = True
    nothing = np.empty((0, 0), dtype=np.float32)
    made.apply(
        [tuple(row) for row in rows.tolist()],
        postings=[],
        blocks=[Block(np.arange(count), nothing)],
        said=np.empty(0, dtype=np.int64),
    )
    return made.snapshot()


@pytest.mark.proves("H24")
async def test_it_answers_as_the_process_itself_would(qdrant: QdrantServer, tmp_path: Path) -> None:
    asked = ("Do I keep bees?", "요즘 무슨 게임 해?", "桜はどこ？", "Where does my sister live?", "hello")
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        there = [await scope.recall(question) for question in asked]
        found = [await scope.search(question) for question in asked]
    async with opened(tmp_path, qdrant, vectors="memory") as omoide:
        scope = omoide.scope(user="mina", character="haru")
        assert [one.block for one in there] == [(await scope.recall(question)).block for question in asked]
        here = [await scope.search(question) for question in asked]
    assert [[one.id for one in hits] for hits in found] == [[one.id for one in hits] for hits in here]


async def test_old_vectors_are_not_taken_for_those_of_new_memories(
    qdrant: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        qdrant.stop()
        await scope.reset()  # whose numbers a file gives away again
        for text in reversed(SAID):
            await scope.remember(f"{text} Really!")
        await embedded(omoide, scope)
        qdrant.start()
        await rested(omoide)
        row = omoide.store.scope("mina", "haru")
        assert row is not None
        assert omoide.store.embedding is not None
        query = np.asarray(await WordEmbedder().embed_query("I keep bees on the roof."))
        with omoide.store.recalling(row) as now:
            truth = now.unit.vectors(omoide.store.embedding).some(now.snapshot.rows["number"].tolist())
            scores, vectors = now.nearness(query), now.vectors(range(len(SAID)))
            np.testing.assert_allclose(scores, truth.vectors @ query, atol=1e-3)
            np.testing.assert_allclose(vectors, truth.vectors, atol=1e-3)
            assert not now.trouble
        await scope.recall("bees?")
        await until(lambda: owed(omoide) == 0)
        assert len(qdrant.points()) == len(SAID)
        assert (await scope.verify()).right == len(SAID)


async def test_what_is_rolled_back_is_not_there(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        await remembered(omoide)
        row = omoide.store.scope("mina", "haru")
        assert row is not None

        def fail() -> None:
            with omoide.store.write(row) as unit:
                unit.removal.erase()
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert owed(omoide) == 0
        assert numbers(qdrant) == [1, 2, 3, 4]


@pytest.mark.proves("H24")
async def test_tenants_share_a_collection_and_nothing_else(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        await remembered(omoide)
    async with opened(tmp_path, qdrant, tenant="acme") as omoide:
        scope = omoide.scope(user="mina", character="haru")
        await scope.remember("Only this.")
        await embedded(omoide, scope)
        assert [one.memory.text for one in (await scope.recall("bees?")).memories] in ([], ["Only this."])
        assert await omoide.sweep() == 0
        assert len(qdrant.points()) == len(SAID) + 1
        await omoide.erase_user("mina")
        assert {(point.payload or {})["tenant"] for point in qdrant.points()} == {""}
        assert len(qdrant.client.get_collections().collections) == 1
