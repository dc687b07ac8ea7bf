"""Qdrant as an index outside of the store: it follows, it may fail, and it is never the truth."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import grpc
import numpy as np
import pytest
from qdrant_client import models

from omoide.bootstrap import Omoide
from omoide.checkup import stored_findings
from omoide.config import Settings
from omoide.errors import IndexForeign, InvalidInput
from omoide.stores.copies import Verified, catch_up
from omoide.stores.debts import scopes_owing
from omoide.stores.erasure import Erasure
from omoide.stores.index.block import Block
from omoide.stores.index.scope_index import ROW, ScopeIndex
from omoide.stores.qdrant import QdrantIndex
from omoide.stores.qdrant.collections import Collections
from omoide.stores.qdrant.points import Points
from omoide.testing import WordEmbedder
from postgres import place
from qdrant_grpc import QdrantGrpcServer
from qdrant_server import QdrantServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from omoide.scope import Scope
    from omoide.stores.erasure import Erased
    from omoide.stores.index.scope_index import Snapshot
    from qdrant_server import Mood

SAID = ("I keep bees on the roof.", "나 롤 게임 좋아해", "京都で桜を見た", "My sister Ann moved to Oslo.")


@pytest.fixture
def server() -> Iterator[QdrantServer]:
    made = QdrantServer()
    yield made
    made.stop()


@asynccontextmanager
async def opened(folder: Path, server: QdrantServer | None, **given: Any) -> AsyncIterator[Omoide]:
    where = {} if server is None else {"qdrant_url": server.url}
    settings = {"vectors": "qdrant", "qdrant_seconds": 1, **where, **given}
    async with Omoide.open(
        place(folder),
        master_key_file=folder / "key",
        worker=False,
        **{"embedder": WordEmbedder(), **settings},
    ) as omoide:
        if isinstance(omoide.store.index, QdrantIndex):
            omoide.store.index.circuit.rest = 0.1
        yield omoide


async def remembered(omoide: Omoide, *, user: str = "mina") -> Scope:
    """A scope that holds what was said, with its vectors."""
    scope = omoide.scope(user=user, character="haru")
    for text in SAID:
        await scope.remember(text)
    await embedded(omoide, scope)
    return scope


async def embedded(omoide: Omoide, scope: Scope) -> None:
    row = omoide.store.scope(scope.user, scope.character)
    assert row is not None
    while await omoide.vectorise(row, limit=32):
        pass


def owed(omoide: Omoide) -> int:
    with omoide.store.database.read() as connection:
        return scopes_owing(connection, tenant=omoide.store.tenant)


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that happens in the background."""
    async with asyncio.timeout(5.0):
        while not true():  # noqa: ASYNC110 - it tells in no other way
            await asyncio.sleep(0.01)


def index_of(omoide: Omoide) -> QdrantIndex:
    assert isinstance(omoide.store.index, QdrantIndex)
    return omoide.store.index


async def rested(omoide: Omoide) -> None:
    """Wait until Qdrant, having failed, is tried again."""
    await until(lambda: not index_of(omoide).circuit.rests)


def number_of(point: models.Record) -> int:
    return int((point.payload or {})["number"])


def numbers(server: QdrantServer) -> list[int]:
    return sorted(map(number_of, server.points()))


@pytest.mark.proves("H24")
async def test_vectors_lie_there_with_numbers_and_no_word_of_anybody(
    server: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, server) as omoide:
        await remembered(omoide)

    assert len(server.points()) == len(SAID)
    assert {frozenset(point.payload or {}) for point in server.points()} == {
        frozenset({"tenant", "scope", "number"})
    }
    sent = "".join(server.received)
    for word in ("bees", "roof", "롤", "桜", "Ann", "mina", "haru"):
        assert word not in sent


async def test_the_scope_is_a_tenant_of_the_collection(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server):
        pass

    made = [body for body, asked in zip(server.received, server.asked, strict=True) if asked == "PUT index"]
    assert ['"is_tenant":true' in body.replace(" ", "") for body in made] == [True, False]
    assert all('"field_name"' in body for body in made)


@pytest.mark.proves("H24")
async def test_what_is_forgotten_is_gone_there_at_once(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        [memory] = [one for one in await scope.memories() if "bees" in one.text]
        await scope.forget(memory.id)
        assert len(server.points()) == len(SAID) - 1
        await scope.reset()
        assert server.points() == []


async def test_names_are_no_filters(server: QdrantServer, tmp_path: Path) -> None:
    hostile = '"}]},{"must_not":[]}', "..", "mina/../jun", "*", "scope' OR '1'='1", "\u202e%00\n"
    async with opened(tmp_path, server) as omoide:
        await remembered(omoide)
        for name in hostile:
            scope = omoide.scope(user=name, character="haru")
            await scope.remember("Only this.")
            await embedded(omoide, scope)
            found = await scope.recall("bees on the roof?")
            assert [one.memory.text for one in found.memories] in ([], ["Only this."])
            assert not found.degraded
        await omoide.erase_user(hostile[0])
    assert len(server.points()) == len(SAID) + len(hostile) - 1
    assert not any(name in path for name in hostile for path in server.asked)


@pytest.mark.proves("H24")
async def test_a_dead_qdrant_costs_the_meaning_and_is_told(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        server.stop()
        found = await scope.recall("Do I keep bees?")
        assert "bees" in found.block
        assert "cannot be reached; recalled by words alone" in found.degraded[0]
        assert "127.0.0.1" in found.degraded[0]

        server.start()
        await rested(omoide)
        again = await scope.recall("Do I keep bees?")
        assert not again.degraded


async def test_a_dead_one_leaves_what_there_is_without_an_embedder(
    server: QdrantServer, tmp_path: Path
) -> None:
    asked = (
        "Well, I was just wondering about the bees and whatever else is going on with you today, my friend?",
        "Good morning, how are you?",
        "요즘 무슨 게임 해?",
    )
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        server.stop()
        dead = [await scope.recall(question) for question in asked]
    async with opened(tmp_path, server, vectors="memory", embedder="none") as omoide:
        scope = omoide.scope(user="mina", character="haru")
        without = [await scope.recall(question) for question in asked]
    assert [found.block for found in dead] == [found.block for found in without]
    assert without[0].memories


async def test_what_is_written_while_it_is_dead_comes_there_later(
    server: QdrantServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path, server) as omoide:
        server.stop()
        with caplog.at_level(logging.WARNING, logger="omoide"):
            scope = await remembered(omoide)
        assert owed(omoide) == 1
        assert "copies of vectors wait" in caplog.text
        assert "bees" not in caplog.text

        server.start()
        await rested(omoide)
        found = await scope.recall("Do I keep bees?")
        assert not found.degraded  # what it does not have yet is compared here
        await until(lambda: owed(omoide) == 0)
        assert numbers(server) == [1, 2, 3, 4]


async def test_it_is_paid_when_the_store_is_opened(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as omoide:
        server.stop()
        await remembered(omoide)
    server.start()
    async with opened(tmp_path, server) as omoide:
        assert owed(omoide) == 0
    assert numbers(server) == [1, 2, 3, 4]


async def test_a_worker_pays_in_its_rounds(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as omoide:
        await remembered(omoide)
        server.stop()
        await omoide.scope(user="mina", character="haru").reset()
        assert owed(omoide) == 1
        server.start()
        await rested(omoide)
        omoide.start_worker()
        await until(lambda: owed(omoide) == 0)
    assert server.points() == []


@pytest.mark.proves("H24")
@pytest.mark.parametrize(
    ("mood", "told"),
    [("broken", "answers 500"), ("foreign", "something that is not Qdrant's"), ("hanging", "in 1 seconds")],
)
async def test_however_it_fails_a_recall_goes_on_by_words(
    server: QdrantServer, tmp_path: Path, mood: Mood, told: str
) -> None:
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        server.mood = mood
        found = await scope.recall("Do I keep bees?")
        assert "bees" in found.block
        assert told in found.degraded[0]


@pytest.mark.proves("H24")
@pytest.mark.parametrize(
    ("status", "told"),
    [
        (grpc.StatusCode.UNAVAILABLE, "cannot be reached"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, "did not answer in 1 seconds"),
        (grpc.StatusCode.PERMISSION_DENIED, "refuses the key; see qdrant_key"),
        (grpc.StatusCode.INTERNAL, "answers INTERNAL"),
        (grpc.StatusCode.NOT_FOUND, "answers NOT_FOUND"),
    ],
)
async def test_the_same_by_grpc(tmp_path: Path, status: grpc.StatusCode, told: str) -> None:
    by_grpc = QdrantGrpcServer(key="right-7f")
    given = {"qdrant_url": "http://127.0.0.1:1", "qdrant_grpc": by_grpc.port, "qdrant_key": "right-7f"}
    try:
        async with opened(tmp_path, None, **given) as omoide:
            scope = await remembered(omoide)
            assert not (await scope.recall("Do I keep bees?")).degraded
            assert "Query" in by_grpc.asked
            by_grpc.mood = status
            found = await scope.recall("Do I keep bees?")
            assert "bees" in found.block
            assert told in found.degraded[0]
            by_grpc.mood = None
    finally:
        by_grpc.stop()


async def test_one_that_hangs_costs_no_more_than_a_moment_once_in_a_while(
    server: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        index_of(omoide).circuit.rest = 60.0
        server.mood = "hanging"
        for _ in range(2):
            await scope.recall("Do I keep bees?")
        started, asked = time.monotonic(), len(server.asked)
        for _ in range(5):
            found = await scope.recall("Do I keep bees?")
        assert time.monotonic() - started < 1.0
        assert len(server.asked) == asked
        assert "tried again every 60 seconds only" in found.degraded[0]


async def test_a_wrong_key_is_told_and_the_key_is_not(
    server: QdrantServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.key = "right-7f"
    async with opened(tmp_path, server, qdrant_key="wrong-7f") as omoide:
        scope = await remembered(omoide)
        await scope.recall("Do I keep bees?")
        details = " ".join(one.detail for one in stored_findings(omoide) if one.what == "qdrant")
        assert "wait for it" in details
    assert "refuses the key; see qdrant_key" in caplog.text
    assert "wrong-7f" not in caplog.text + details

    async with opened(tmp_path, server, qdrant_key="right-7f") as omoide:
        assert not (await omoide.scope(user="mina", character="haru").recall("bees?")).degraded
    assert numbers(server) == [1, 2, 3, 4]


@pytest.mark.parametrize("url", ["http://me:secret-7f@127.0.0.1:9", "me:secret-7f@127.0.0.1:6333"])
def test_a_password_in_the_address_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(InvalidInput, match="qdrant_key") as caught:
        Settings.read(qdrant_url=url)
    assert "secret-7f" not in str(caught.value)


def test_a_folder_may_have_an_at_sign_in_its_name() -> None:
    assert Settings.read(qdrant_url="/data/me@home").qdrant_url == "/data/me@home"


async def test_a_server_without_its_scheme_is_no_folder(server: QdrantServer, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="write 'http://127\\.0\\.0\\.1:6333'"):
        async with opened(tmp_path, server, qdrant_url="127.0.0.1:6333"):
            pass


async def test_a_folder_is_its_owner_s_alone_and_one_process_s_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    async with opened(tmp_path, None, qdrant_url=str(folder)) as omoide:
        await remembered(omoide)
        assert not folder.stat().st_mode & 0o077
        async with opened(tmp_path, None, qdrant_url=str(folder)) as other:
            scope = other.scope(user="mina", character="haru")
            found = await scope.recall("Do I keep bees?")
            assert "bees" in found.block
            assert "does not hold all vectors yet" in found.degraded[0]
            await scope.forget(next(one.id for one in await scope.memories() if "bees" in one.text))
            assert owed(other) == 1
        await omoide.scope(user="mina", character="haru").recall("桜?")
        await until(lambda: owed(omoide) == 0)
        assert (await omoide.scope(user="mina", character="haru").verify()).right == len(SAID) - 1


SPACE = WordEmbedder().identity
OTHER = models.VectorParams(size=SPACE.dimensions, distance=models.Distance.DOT)
SMALL = models.VectorParams(size=8, distance=models.Distance.COSINE)
ALIKE = models.VectorParams(size=SPACE.dimensions, distance=models.Distance.COSINE)


@pytest.mark.parametrize("made", [OTHER, SMALL, ALIKE, {"image": ALIKE}])
@pytest.mark.parametrize("mark", [None, {"made by": "omoide", "store": "another"}])
async def test_a_collection_of_somebody_else_is_left_as_it_is(
    server: QdrantServer, tmp_path: Path, made: Any, mark: Any
) -> None:
    async with opened(tmp_path, server, embedder="none", vectors="memory") as omoide:
        store_id = omoide.store.keyring.store_id
    name = Collections(Settings.read(qdrant_url=server.url), store_id=store_id, space=SPACE).name
    server.client.create_collection(name, vectors_config=made, metadata=mark)
    server.client.create_collection("omoide", vectors_config=SMALL)
    before = server.client.get_collection(name).config

    with pytest.raises(IndexForeign, match="made by somebody else"):
        async with opened(tmp_path, server):
            pass
    assert server.client.get_collection(name).config == before
    assert len(server.client.get_collections().collections) == 2


async def test_one_that_lost_everything_is_filled_again(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        server.lose_all()
        found = await scope.recall("Do I keep bees?")
        assert "answers 404" in found.degraded[0]
        await until(lambda: numbers(server) == [1, 2, 3, 4] and not omoide.store.index.behind)
        assert not (await scope.recall("Do I keep bees?")).degraded


async def test_a_store_that_was_there_before_is_copied_as_it_is_opened(
    server: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, server, vectors="memory") as omoide:
        await remembered(omoide)
        await remembered(omoide, user="jun")
    async with opened(tmp_path, server) as omoide:
        assert len(server.points()) == 2 * len(SAID)
        for user in ("mina", "jun"):
            assert not (await omoide.scope(user=user, character="haru").recall("bees?")).degraded


async def test_what_was_forgotten_while_it_was_not_used_does_not_stay(
    server: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, server) as omoide:
        await remembered(omoide)
        await remembered(omoide, user="jun")
    async with opened(tmp_path, server, vectors="memory") as omoide:
        await omoide.erase_user("jun")
        scope = omoide.scope(user="mina", character="haru")
        await scope.forget((await scope.memories())[0].id)
    async with opened(tmp_path, server):
        assert len(server.points()) == len(SAID) - 1


async def test_a_user_who_is_erased_while_it_is_dead_goes_when_it_is_back(
    server: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, server) as omoide:
        await remembered(omoide)
        await remembered(omoide, user="jun")
        server.stop()
        erased = await omoide.erase_user("mina")
        assert erased.copies_wait
        assert owed(omoide) == 1
        [finding] = [one for one in stored_findings(omoide) if one.what == "qdrant"]
        assert finding.state == "wrong"
        assert "may lie there until it is back" in finding.detail

        server.start()
        await rested(omoide)
        await omoide.scope(user="jun", character="haru").recall("bees?")
        await until(lambda: owed(omoide) == 0)
        [finding] = [one for one in stored_findings(omoide) if one.what == "qdrant"]
        assert finding.state == "ok"
    assert len(server.points()) == len(SAID)
    assert not (await erasure(tmp_path, server, "jun")).copies_wait
    assert server.points() == []


@pytest.mark.proves("F10")
async def test_an_erasure_that_is_stopped_leaves_no_points(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as omoide:
        await remembered(omoide)
        await remembered(omoide, user="jun")
        stay = Erasure(omoide.store).shut("mina")
        assert [scope.user for scope in await omoide.scopes()] == ["jun"]
        assert len(stay) == 1
        catch_up(omoide.store)
        assert len(server.points()) == len(SAID)  # jun's
        assert owed(omoide) == 0
        erased = await omoide.finish_erasures()
        assert (erased.memories, erased.key_destroyed, erased.copies_wait) == (len(SAID), True, False)
        assert owed(omoide) == 0


async def erasure(folder: Path, server: QdrantServer, user: str) -> Erased:
    """Erase somebody as the command line does, which has no embedder for it."""
    async with opened(folder, server, embedder="none") as omoide:
        return await omoide.erase_user(user)


async def test_verifying_repairs_what_differs(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        [name] = [one.name for one in server.client.get_collections().collections]
        first, second, third, _ = sorted(server.points(), key=number_of)
        unlike = np.flip(np.array(first.vector)).tolist()
        moved = models.PointStruct(id=first.id, vector=unlike, payload=first.payload)
        ghost = models.PointStruct(
            id="5f0f4b62-2b3a-4b0e-9a51-1d2f5a3c7e11",
            vector=unlike,
            payload={**(second.payload or {}), "scope": "0198c1f0-0000-7000-8000-000000000001"},
        )
        server.client.upsert(name, [moved, ghost])
        server.client.delete(name, [third.id])

        found = await scope.verify()
        assert (found.right, found.made, found.replaced, found.dropped) == (2, 1, 1, 0)
        assert await omoide.sweep() == 1
        assert numbers(server) == [1, 2, 3, 4]
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
    server: QdrantServer, tmp_path: Path, changed: dict[str, Any]
) -> None:
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        other = await remembered(omoide.beside("acme"))
        [name] = [one.name for one in server.client.get_collections().collections]
        mine = next(point for point in server.points() if (point.payload or {})["tenant"] == "")
        foreign = models.PointStruct(
            id="5f0f4b62-2b3a-4b0e-9a51-1d2f5a3c7e11",
            vector=np.flip(np.array(mine.vector)).tolist(),
            payload={**(mine.payload or {}), **changed},
        )
        server.client.upsert(name, [foreign])

        assert (await scope.verify()) == (await other.verify()) == Verified(right=len(SAID))
        assert (await scope.recall("Do you keep bees?")).degraded == ()
        assert await omoide.beside("acme").sweep() == 0
        assert await omoide.sweep() == 1
        assert len(server.points()) == 2 * len(SAID)
        assert await omoide.sweep() == 0


async def test_a_point_of_ours_that_says_something_else_is_written_again(
    server: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        [name] = [one.name for one in server.client.get_collections().collections]
        first, *_ = server.points()
        wrong = {**(first.payload or {}), "number": 99}
        server.client.upsert(name, [models.PointStruct(id=first.id, vector=first.vector, payload=wrong)])
        assert (await scope.recall("Do you keep bees?")).degraded == ()
        found = await scope.verify()
        assert (found.right, found.made) == (len(SAID) - 1, 1)
        assert await omoide.sweep() == 0
        assert numbers(server) == [1, 2, 3, 4]


async def test_another_embedder_has_a_collection_of_its_own(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as omoide:
        await remembered(omoide)
    async with opened(tmp_path, server, embedder=WordEmbedder(dimensions=64)) as omoide:
        scope = omoide.scope(user="mina", character="haru")
        await embedded(omoide, scope)
        assert not (await scope.recall("bees?")).degraded
        assert len(server.points()) == 2 * len(SAID)
        await scope.reset()
        assert server.points() == []


async def test_several_processes_follow_one_store(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as one, opened(tmp_path, server) as other:
        scope = await remembered(one)
        there = other.scope(user="mina", character="haru")
        assert not (await there.recall("bees?")).degraded
        for memory in await scope.memories():
            await (there if "bees" in memory.text else scope).forget(memory.id)
        assert server.points() == []


async def test_a_large_scope_has_its_nearest_exact_and_the_mean_and_spread_of_all(
    server: QdrantServer, tmp_path: Path
) -> None:
    count = 3_000
    matrix = np.random.default_rng(5).normal(size=(count, SPACE.dimensions)).astype(np.float32)
    matrix[:40] += 2 * matrix[7]
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    async with opened(tmp_path, server) as omoide:
        await omoide.scope(user="mina", character="haru").remember("The first one.")
        row = omoide.store.scope("mina", "haru")
        assert row is not None
        settings = Settings.read(qdrant_url=server.url)
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
async def test_it_answers_as_the_process_itself_would(server: QdrantServer, tmp_path: Path) -> None:
    asked = ("Do I keep bees?", "요즘 무슨 게임 해?", "桜はどこ？", "Where does my sister live?", "hello")
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        there = [await scope.recall(question) for question in asked]
        found = [await scope.search(question) for question in asked]
    async with opened(tmp_path, server, vectors="memory") as omoide:
        scope = omoide.scope(user="mina", character="haru")
        assert [one.block for one in there] == [(await scope.recall(question)).block for question in asked]
        here = [await scope.search(question) for question in asked]
    assert [[one.id for one in hits] for hits in found] == [[one.id for one in hits] for hits in here]


async def test_old_vectors_are_not_taken_for_those_of_new_memories(
    server: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, server) as omoide:
        scope = await remembered(omoide)
        server.stop()
        await scope.reset()  # whose numbers a file gives away again
        for text in reversed(SAID):
            await scope.remember(f"{text} Really!")
        await embedded(omoide, scope)
        server.start()
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
        assert len(server.points()) == len(SAID)
        assert (await scope.verify()).right == len(SAID)


async def test_what_is_rolled_back_is_not_there(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as omoide:
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
        assert numbers(server) == [1, 2, 3, 4]


@pytest.mark.proves("H24")
async def test_tenants_share_a_collection_and_nothing_else(server: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, server) as omoide:
        await remembered(omoide)
    async with opened(tmp_path, server, tenant="acme") as omoide:
        scope = omoide.scope(user="mina", character="haru")
        await scope.remember("Only this.")
        await embedded(omoide, scope)
        assert [one.memory.text for one in (await scope.recall("bees?")).memories] in ([], ["Only this."])
        assert await omoide.sweep() == 0
        assert len(server.points()) == len(SAID) + 1
        await omoide.erase_user("mina")
        assert {(point.payload or {})["tenant"] for point in server.points()} == {""}
        assert len(server.client.get_collections().collections) == 1
