"""A server that dies and a network that fails in the middle: nothing acknowledged is lost or doubled."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import insert, select, text

from omoide import Message, Omoide, Role
from omoide.errors import OmoideError, StoreLost, StoreUncertain
from omoide.stores.fixed import raw
from omoide.stores.postgres.database import PostgresDatabase
from omoide.stores.tables import meta
from postgres import PostgresServer, database_for, database_name, server
from wire import Wire, wire_to

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from omoide import Scope

COMMIT = b"COMMIT\0"
"""As it is sent; READ COMMITTED is none."""

NOTED = "of a test"


@pytest.fixture(scope="module")
def mortal() -> Iterator[PostgresServer]:
    """A server that may be killed."""
    made = PostgresServer()
    yield made
    made.stop()


@pytest.fixture
def wire() -> Iterator[Wire]:
    with wire_to(server()) as made:
        yield made


@pytest.fixture
def database(wire: Wire, tmp_path: Path) -> Iterator[PostgresDatabase]:
    opened = PostgresDatabase.open(through(wire, tmp_path))
    yield opened
    wire.silent = False
    opened.close()


def through(wire: Wire, folder: Path) -> str:
    """A fresh database by way of a wire."""
    return wire.url(database_name(database_for(folder / "x.db")))


def opened(url: str, folder: Path, **given: Any) -> AbstractAsyncContextManager[Omoide]:
    given = {"embedder": "none", "worker": False, "master_key_file": folder / "key", **given}
    return Omoide.open(url, **given)


def write(database: PostgresDatabase, key: str) -> None:
    with database.write(scope=1) as connection:
        connection.execute(insert(meta).values(key=key, value=NOTED))


def written(database: PostgresDatabase) -> list[str]:
    with database.read() as connection:
        query = select(meta.c.key).where(meta.c.value == NOTED).order_by(meta.c.key)
        return list(connection.execute(query).scalars())


async def said(scope: Scope) -> list[str]:
    return [one.text for one in await scope.memories()]


# The moment of the commit


def test_a_commit_that_never_arrived_is_uncertain_and_was_not_done(
    wire: Wire, database: PostgresDatabase
) -> None:
    wire.cut_at = COMMIT
    with pytest.raises(StoreUncertain, match="may be there or not"):
        database.again(lambda: write(database, "one"))
    assert written(database) == []


def test_a_commit_whose_answer_is_lost_is_uncertain_and_was_done(
    wire: Wire, database: PostgresDatabase
) -> None:
    wire.cut_after = COMMIT
    with pytest.raises(StoreUncertain, match="look before it is made again"):
        database.again(lambda: write(database, "one"))
    assert written(database) == ["one"]


@pytest.mark.parametrize("mark", [b"BEGIN", b"pg_advisory_xact_lock", b"INSERT INTO meta"])
@pytest.mark.parametrize("answered", [False, True])
def test_whatever_is_cut_before_the_commit_is_done_again_once(
    wire: Wire, database: PostgresDatabase, mark: bytes, answered: bool
) -> None:
    wire.cut_at, wire.cut_after = (b"", mark) if answered else (mark, b"")
    database.again(lambda: write(database, "one"))
    assert wire.cuts == 0
    assert written(database) == ["one"]


@pytest.mark.parametrize("mark", [b"BEGIN", b"SELECT", b"ROLLBACK", COMMIT])
async def test_a_recall_does_not_notice_a_cut(wire: Wire, tmp_path: Path, mark: bytes) -> None:
    async with opened(through(wire, tmp_path), tmp_path) as omoide:
        haru = omoide.scope(user="minjun", character="haru")
        await haru.observe(user="나는 보리차를 제일 좋아해", session="s")
        wire.cut_after = mark
        assert "보리차" in (await haru.recall("보리차 얘기 기억나?")).block


# A bad network


async def test_talk_goes_on_over_a_connection_that_keeps_breaking(wire: Wire, tmp_path: Path) -> None:
    flapping = True

    def flap() -> None:
        while flapping:
            time.sleep(0.3)
            wire.cut()

    async with opened(through(wire, tmp_path), tmp_path) as omoide:
        haru = omoide.scope(user="minjun", character="haru")
        thread = threading.Thread(target=flap)
        thread.start()
        kept, unsure = await _talk(haru, 15)
        flapping = False
        thread.join()
        _nothing_lost_or_doubled(await said(haru), kept, unsure)


async def test_a_server_that_is_gone_costs_a_recall_a_moment(wire: Wire, tmp_path: Path) -> None:
    async with opened(through(wire, tmp_path), tmp_path) as omoide:
        haru = omoide.scope(user="minjun", character="haru")
        await haru.observe(user="나는 보리차를 제일 좋아해", session="s")
        wire.closed = True
        wire.cut()
        took = []
        for _ in range(3):
            begun = time.monotonic()
            assert (await haru.recall("보리차 얘기 기억나?")).degraded
            took.append(time.monotonic() - begun)
        assert took[0] < 2
        assert max(took[1:]) < 0.5
        wire.closed = False
        assert "보리차" in (await haru.recall("보리차 얘기 기억나?")).block  # nobody need wait


async def test_keys_that_keep_silent_cost_a_recall_a_moment_where_they_are_needed(
    wire: Wire, tmp_path: Path
) -> None:
    store, given = database_for(tmp_path / "x.db"), {"keyring": through(wire, tmp_path / "keys")}
    async with opened(store, tmp_path, **given) as before:
        for user in ("minjun", "seoyeon"):
            scope = before.scope(user=user, character="haru")
            await scope.observe(user="나는 보리차를 제일 좋아해", session="s")
    async with opened(store, tmp_path, **given) as omoide:
        known, unopened = (omoide.scope(user=user, character="haru") for user in ("minjun", "seoyeon"))
        assert (await known.recall("보리차 얘기 기억나?")).block
        wire.silent = True
        begun = time.monotonic()
        assert (await unopened.recall("보리차 얘기 기억나?")).degraded
        assert time.monotonic() - begun < 4
        assert "보리차" in (await known.recall("보리차 얘기 기억나?")).block
        wire.silent = False
        wire.cut()


async def test_a_slow_network_costs_time_and_nothing_else(wire: Wire, tmp_path: Path) -> None:
    async with opened(through(wire, tmp_path), tmp_path) as omoide:
        haru = omoide.scope(user="minjun", character="haru")
        wire.lag = 0.02
        await haru.observe(user="나는 보리차를 제일 좋아해", session="s")
        assert "보리차" in (await haru.recall("보리차 얘기 기억나?")).block


def test_a_network_that_says_nothing_any_more_is_left(wire: Wire, database: PostgresDatabase) -> None:
    def asking() -> None:
        with database.read() as connection:
            raw(connection).silence = 0.3
            wire.silent = True
            connection.execute(text("SELECT 1"))

    begun = time.monotonic()
    with pytest.raises(StoreLost):
        asking()
    assert time.monotonic() - begun < 3
    wire.silent = False
    write(database, "after")
    assert written(database) == ["after"]


def test_a_commit_in_silence_is_uncertain(wire: Wire, database: PostgresDatabase) -> None:
    def silenced() -> None:
        with database.write(scope=1) as connection:
            connection.execute(insert(meta).values(key="one", value=NOTED))
            raw(connection).silence = 0.3
            wire.silent = True

    with pytest.raises(StoreUncertain):
        silenced()


def test_what_takes_long_and_is_answered_is_waited_for(wire: Wire, database: PostgresDatabase) -> None:
    wire.lag = 0.1
    with database.read() as connection:
        raw(connection).silence = 0.4
        rows = connection.execute(text("SELECT repeat('x', 1000) FROM generate_series(1, 500)")).all()
    assert len(rows) == 500


def test_a_database_that_stays_away_is_waited_for_once_and_then_tried_at_each_call(
    wire: Wire, database: PostgresDatabase
) -> None:
    wire.closed = True
    wire.cut()
    took = []
    for _ in range(3):
        begun = time.monotonic()
        with pytest.raises(StoreLost):
            database.again(lambda: write(database, "one"))
        took.append(time.monotonic() - begun)
    assert took[0] > 4
    assert max(took[1:]) < 2
    wire.closed = False
    database.again(lambda: write(database, "one"))
    assert written(database) == ["one"]
    wire.cut_at, wire.cuts = b"INSERT INTO meta", 1  # it is back, so it is waited for again
    database.again(lambda: write(database, "two"))
    assert written(database) == ["one", "two"]


def test_connections_that_broke_while_nobody_used_them_are_made_anew(
    wire: Wire, database: PostgresDatabase
) -> None:
    """All of a pool at once, not one at each try."""
    held = threading.Barrier(8)

    def hold() -> None:
        with database.read() as connection:
            connection.execute(text("SELECT 1"))
            held.wait(10)

    threads = [threading.Thread(target=hold) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wire.cut()
    database.again(lambda: write(database, "one"))
    assert written(database) == ["one"]


# A server that dies


async def test_a_killed_server_loses_nothing_that_was_acknowledged(
    mortal: PostgresServer, tmp_path: Path
) -> None:
    mortal.drop("mortal")
    async with opened(mortal.migrated("mortal"), tmp_path) as omoide:
        scopes = [omoide.scope(user=f"user {number}", character="haru") for number in range(3)]
        talking = [asyncio.create_task(_talk(scope, 40)) for scope in scopes]
        asking = asyncio.create_task(_ask(scopes[0], talking))
        for _ in range(3):
            await asyncio.sleep(0.4)
            await asyncio.to_thread(_kill_and_start, mortal)
        for scope, talk in zip(scopes, talking, strict=True):
            kept, unsure = await talk
            _nothing_lost_or_doubled(await said(scope), kept, unsure)
        assert await asking == []


def _kill_and_start(mortal: PostgresServer) -> None:
    mortal.kill()
    mortal.start()


async def _talk(scope: Scope, count: int) -> tuple[list[str], list[str]]:
    """What was acknowledged, and what may have been written or not."""
    kept, unsure = [], []
    for number in range(count):
        line = f"{number}번째로 좋아하는 것은 보리차 {number}호야"
        try:
            await scope.observe(user=line, session="s")
            kept.append(line)
        except (StoreUncertain, StoreLost):
            unsure.append(line)
    return kept, unsure


async def _ask(scope: Scope, until: list[asyncio.Task[Any]]) -> list[OmoideError]:
    """What went wrong with recalls, which may always be done again."""
    wrong = []
    while not all(task.done() for task in until):
        try:
            await scope.recall("보리차 좋아해?")
        except OmoideError as error:
            wrong.append(error)
        await asyncio.sleep(0.05)
    return wrong


def _nothing_lost_or_doubled(found: list[str], kept: list[str], unsure: list[str]) -> None:
    texts = "\n".join(found)
    assert [line for line in kept if texts.count(line) != 1] == []
    assert [line for line in unsure if texts.count(line) > 1] == []
    assert len(found) <= len(kept) + len(unsure)
    assert kept


@pytest.mark.parametrize("arrived", [False, True])
async def test_what_was_uncertain_is_said_again_and_written_once(
    wire: Wire, tmp_path: Path, arrived: bool
) -> None:
    said_once = Message(role=Role.USER, text="나는 보리차를 제일 좋아해", external_id="m1")
    async with opened(through(wire, tmp_path), tmp_path) as omoide:
        haru = omoide.scope(user="minjun", character="haru")
        await haru.observe(user="안녕, 오늘은 산책을 했어", session="s")
        wire.armed_by = b"pg_advisory_xact_lock"  # a reader's commit may be done again
        wire.cut_at, wire.cut_after = (b"", COMMIT) if arrived else (COMMIT, b"")
        with pytest.raises(StoreUncertain):
            await haru.observe(messages=[said_once], session="s")
        await haru.observe(messages=[said_once], session="s")
        await haru.observe(messages=[said_once], session="s")
        assert sum("보리차" in text for text in await said(haru)) == 1
