"""Qdrant as an index outside of the store: it follows, it may fail, and it is never the truth."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

import grpc
import pytest
from on_qdrant import SAID, embedded, index_of, numbers, opened, owed, remembered, rested, until

from omoide.checkup import stored_findings
from omoide.config import Settings
from omoide.errors import InvalidInput
from qdrant_grpc import QdrantGrpcServer

if TYPE_CHECKING:
    from pathlib import Path

    from qdrant_server import Mood, QdrantServer


@pytest.mark.proves("H24")
async def test_vectors_lie_there_with_numbers_and_no_word_of_anybody(
    qdrant: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        await remembered(omoide)

    assert len(qdrant.points()) == len(SAID)
    assert {frozenset(point.payload or {}) for point in qdrant.points()} == {
        frozenset({"tenant", "scope", "number"})
    }
    sent = "".join(qdrant.received)
    for word in ("bees", "roof", "롤", "桜", "Ann", "mina", "haru"):
        assert word not in sent


async def test_the_scope_is_a_tenant_of_the_collection(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant):
        pass

    made = [body for body, asked in zip(qdrant.received, qdrant.asked, strict=True) if asked == "PUT index"]
    assert ['"is_tenant":true' in body.replace(" ", "") for body in made] == [True, False]
    assert all('"field_name"' in body for body in made)


@pytest.mark.proves("H24")
async def test_what_is_forgotten_is_gone_there_at_once(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        [memory] = [one for one in await scope.memories() if "bees" in one.text]
        await scope.forget(memory.id)
        assert len(qdrant.points()) == len(SAID) - 1
        await scope.reset()
        assert qdrant.points() == []


async def test_names_are_no_filters(qdrant: QdrantServer, tmp_path: Path) -> None:
    hostile = '"}]},{"must_not":[]}', "..", "mina/../jun", "*", "scope' OR '1'='1", "\u202e%00"
    async with opened(tmp_path, qdrant) as omoide:
        await remembered(omoide)
        for name in hostile:
            scope = omoide.scope(user=name, character="haru")
            await scope.remember("Only this.")
            await embedded(omoide, scope)
            found = await scope.recall("bees on the roof?")
            assert [one.memory.text for one in found.memories] in ([], ["Only this."])
            assert not found.degraded
        await omoide.erase_user(hostile[0])
    assert len(qdrant.points()) == len(SAID) + len(hostile) - 1
    assert not any(name in path for name in hostile for path in qdrant.asked)


@pytest.mark.proves("H24")
async def test_a_dead_qdrant_costs_the_meaning_and_is_told(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        qdrant.stop()
        found = await scope.recall("Do I keep bees?")
        assert "bees" in found.block
        assert "cannot be reached; recalled by words alone" in found.degraded[0]
        assert "127.0.0.1" in found.degraded[0]

        qdrant.start()
        await rested(omoide)
        again = await scope.recall("Do I keep bees?")
        assert not again.degraded


async def test_a_dead_one_leaves_what_there_is_without_an_embedder(
    qdrant: QdrantServer, tmp_path: Path
) -> None:
    asked = (
        "Well, I was just wondering about the bees and whatever else is going on with you today, my friend?",
        "Good morning, how are you?",
        "요즘 무슨 게임 해?",
    )
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        qdrant.stop()
        dead = [await scope.recall(question) for question in asked]
    async with opened(tmp_path, qdrant, vectors="memory", embedder="none") as omoide:
        scope = omoide.scope(user="mina", character="haru")
        without = [await scope.recall(question) for question in asked]
    assert [found.block for found in dead] == [found.block for found in without]
    assert without[0].memories


async def test_what_is_written_while_it_is_dead_comes_there_later(
    qdrant: QdrantServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        qdrant.stop()
        with caplog.at_level(logging.WARNING, logger="omoide"):
            scope = await remembered(omoide)
        assert owed(omoide) == 1
        assert "copies of vectors wait" in caplog.text
        assert "bees" not in caplog.text

        qdrant.start()
        await rested(omoide)
        found = await scope.recall("Do I keep bees?")
        assert not found.degraded  # what it does not have yet is compared here
        await until(lambda: owed(omoide) == 0)
        assert numbers(qdrant) == [1, 2, 3, 4]


async def test_it_is_paid_when_the_store_is_opened(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        qdrant.stop()
        await remembered(omoide)
    qdrant.start()
    async with opened(tmp_path, qdrant) as omoide:
        assert owed(omoide) == 0
    assert numbers(qdrant) == [1, 2, 3, 4]


async def test_a_worker_pays_in_its_rounds(qdrant: QdrantServer, tmp_path: Path) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        await remembered(omoide)
        qdrant.stop()
        await omoide.scope(user="mina", character="haru").reset()
        assert owed(omoide) == 1
        qdrant.start()
        await rested(omoide)
        omoide.start_worker()
        await until(lambda: owed(omoide) == 0)
    assert qdrant.points() == []


@pytest.mark.proves("H24")
@pytest.mark.parametrize(
    ("mood", "told"),
    [("broken", "answers 500"), ("foreign", "something that is not Qdrant's"), ("hanging", "in 1 seconds")],
)
async def test_however_it_fails_a_recall_goes_on_by_words(
    qdrant: QdrantServer, tmp_path: Path, mood: Mood, told: str
) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        qdrant.mood = mood
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
    qdrant: QdrantServer, tmp_path: Path
) -> None:
    async with opened(tmp_path, qdrant) as omoide:
        scope = await remembered(omoide)
        index_of(omoide).circuit.rest = 60.0
        qdrant.mood = "hanging"
        for _ in range(2):
            await scope.recall("Do I keep bees?")
        started, asked = time.monotonic(), len(qdrant.asked)
        for _ in range(5):
            found = await scope.recall("Do I keep bees?")
        assert time.monotonic() - started < 1.0
        assert len(qdrant.asked) == asked
        assert "tried again every 60 seconds only" in found.degraded[0]


async def test_a_wrong_key_is_told_and_the_key_is_not(
    qdrant: QdrantServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    qdrant.key = "right-7f"
    async with opened(tmp_path, qdrant, qdrant_key="wrong-7f") as omoide:
        scope = await remembered(omoide)
        await scope.recall("Do I keep bees?")
        details = " ".join(one.detail for one in stored_findings(omoide) if one.what == "qdrant")
        assert "wait for it" in details
    assert "refuses the key; see qdrant_key" in caplog.text
    assert "wrong-7f" not in caplog.text + details

    async with opened(tmp_path, qdrant, qdrant_key="right-7f") as omoide:
        assert not (await omoide.scope(user="mina", character="haru").recall("bees?")).degraded
    assert numbers(qdrant) == [1, 2, 3, 4]


@pytest.mark.parametrize("url", ["http://me:secret-7f@127.0.0.1:9", "me:secret-7f@127.0.0.1:6333"])
def test_a_password_in_the_address_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(InvalidInput, match="qdrant_key") as caught:
        Settings.read(qdrant_url=url)
    assert "secret-7f" not in str(caught.value)


def test_a_folder_may_have_an_at_sign_in_its_name() -> None:
    assert Settings.read(qdrant_url="/data/me@home").qdrant_url == "/data/me@home"


async def test_a_server_without_its_scheme_is_no_folder(qdrant: QdrantServer, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="write 'http://127\\.0\\.0\\.1:6333'"):
        async with opened(tmp_path, qdrant, qdrant_url="127.0.0.1:6333"):
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
