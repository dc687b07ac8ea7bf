"""A pooler in transaction mode between: each transaction may come to another connection of the server.

Where no PgBouncer is installed, what it needs of us is looked at without it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rings import OLD, STORE, ring_url
from sqlalchemy import make_url, text

from omoide import Omoide
from omoide.errors import StoreError
from omoide.stores.keys.database_place import DatabasePlace
from omoide.stores.keys.keyring import Keyring
from omoide.stores.postgres.database import PostgresDatabase
from omoide.testing import WordEmbedder
from postgres import OWNER, database_for, server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

UNPREPARED = "prepare_threshold=none"


@pytest.fixture
def pooled() -> Iterator[Callable[[str], str]]:
    """Gives the address of a database through a pooler with fewer connections than it is asked for."""
    program = shutil.which("pgbouncer")
    if program is None:
        pytest.skip("needs pgbouncer, which no wheel brings")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "pgbouncer.ini"
        settings.write_text(
            f"[databases]\n* = host={server().folder} user={OWNER}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
            "auth_type = any\npool_mode = transaction\ndefault_pool_size = 3\n"
        )
        Path(folder).chmod(0o755)
        as_another = ["-u", "nobody"] if os.geteuid() == 0 else []
        with subprocess.Popen([program, "-q", *as_another, settings], stderr=subprocess.DEVNULL) as process:
            try:
                _wait_for(port)
                yield lambda url: _through(url, port)
            finally:
                process.terminate()


def _wait_for(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return


def _through(url: str, port: int) -> str:
    database = make_url(url).database
    return f"postgresql+psycopg://{OWNER}@127.0.0.1:{port}/{database}?{UNPREPARED}"


async def test_users_and_tenants_are_kept_apart_over_shared_connections(
    tmp_path: Path, pooled: Callable[[str], str]
) -> None:
    given = {
        "store": pooled(database_for(tmp_path / "x.db")),
        "keyring": pooled(ring_url(tmp_path)),
        "embedder": WordEmbedder(),
        "master_key_file": tmp_path / "key",
        "worker": False,
    }

    async def talk(omoide: Omoide, user: str, likes: str) -> None:
        scope = omoide.scope(user=user, character="haru")
        for number in range(8):  # more often than a statement needs to be prepared
            await scope.observe(f"오늘도 {number}번째로 {likes} 마셨어", "나도!", session="s")
            recall = await scope.recall("뭐 마셨지?")
            assert not recall.degraded
        texts = [memory.text for memory in await scope.memories()]
        assert len(texts) == 8
        assert all(likes in one for one in texts)

    async with Omoide.open(**given) as one, Omoide.open(**given, tenant="acme") as other:
        async with asyncio.TaskGroup() as group:
            for number in range(3):
                group.create_task(talk(one, f"user {number}", "보리차"))
                group.create_task(talk(other, f"user {number}", "커피"))
        assert (await one.erase_user("user 0")).key_destroyed
        assert len(one.store.all_scopes()) == 2
        assert len(other.store.all_scopes()) == 3


def test_nothing_is_prepared_where_the_address_says_so(tmp_path: Path) -> None:
    database = PostgresDatabase.unchanged(f"{database_for(tmp_path / 'x.db')}&{UNPREPARED}")
    with database.read() as connection:
        assert connection.connection.driver_connection.prepare_threshold is None
    with pytest.raises(StoreError, match=UNPREPARED), database.read() as connection:
        connection.execute(text("EXECUTE prepared_elsewhere"))
    database.close()


def test_a_keyring_asks_nothing_of_its_connection_but_of_each_transaction(tmp_path: Path) -> None:
    place = DatabasePlace(ring_url(tmp_path), store_id=STORE)
    Keyring.open(place, OLD, store_id=STORE, create=True)
    with place.changing() as held:
        assert held._run("SHOW lock_timeout").scalar() == "15s"
    with place._engine.connect() as connection:
        assert connection.connection.driver_connection.info.options == ""
        assert connection.execute(text("SHOW lock_timeout")).scalar() == "0"
    place.close()
