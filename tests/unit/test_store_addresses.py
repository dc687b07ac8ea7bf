"""What names a store or its neighbours: what cannot be meant is refused before anything is made."""

from __future__ import annotations

from pathlib import Path

import pytest
from psycopg import ProgrammingError

from omoide import Omoide
from omoide.config import Settings
from omoide.errors import InvalidInput
from omoide.stores.postgres.errors import translated
from omoide.stores.sqlite import sqlite_path


def made_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


@pytest.mark.parametrize(
    "location",
    [
        "postgresql:/omoide:s3cret@x",
        "postgres:omoide:s3cret@x",
        "mysql://omoide:s3cret@x/y",
        "HTTP:/s3cret@x",
    ],
)
def test_what_looks_like_a_url_is_no_file(location: str) -> None:
    with pytest.raises(InvalidInput, match="a store is a file or a database on PostgreSQL") as refused:
        sqlite_path(location)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    "location",
    [
        "postgresql+psycopg:/omoide:s3cret@x",
        "mysql://omoide:s3cret@x/y",
        Path("postgresql+psycopg://omoide:s3cret@x/y"),  # which takes a slash away
        "postgresql+asyncpg://omoide:s3cret@x/y",
    ],
)
async def test_a_keyring_that_looks_like_a_url_is_no_file(location: str | Path, tmp_path: Path) -> None:
    given = {"master_key_file": tmp_path / "key", "embedder": "none", "worker": False}
    with pytest.raises(InvalidInput, match=r"a keyring is a file or a database|psycopg, got") as refused:
        async with Omoide.open(tmp_path / "x.db", keyring=location, **given):
            pass
    assert "s3cret" not in str(refused.value)
    assert made_in(tmp_path) == []


@pytest.mark.parametrize("location", ["haru.db", "C:/haru.db", "/data/a:b/haru.db", "보리:차.db"])
def test_a_path_may_hold_a_colon(location: str) -> None:
    assert sqlite_path(location) == Path(location)


@pytest.mark.parametrize("location", ["nonsense://", "grpc://127.0.0.1:6334", "://x"])
def test_qdrant_is_reached_by_http(location: str) -> None:
    with pytest.raises(InvalidInput, match="http"):
        Settings.read(qdrant_url=location)


@pytest.mark.parametrize(
    "location",
    ["http:/127.0.0.1:6333", "https:", "HTTP:/x", "http://x:abc", "http://x:99999", "http://[::1", "http://"],
)
def test_half_an_address_of_qdrant_is_no_folder_and_no_server(location: str) -> None:
    with pytest.raises(InvalidInput, match="qdrant_url: a server is written http://HOST:PORT"):
        Settings.read(qdrant_url=location)


@pytest.mark.parametrize("location", ["http://[::1]:6333", "HTTPS://x/qdrant", "https_vectors", "C:/vectors"])
def test_whole_addresses_of_qdrant_and_folders_are_taken(location: str) -> None:
    assert Settings.read(qdrant_url=location).qdrant_url == location


@pytest.mark.parametrize(
    "said", ['invalid connection option "sslmod"\n', 'invalid URI query parameter: "sslmod"\n']
)
def test_a_parameter_that_libpq_does_not_know_is_named(said: str) -> None:
    error = translated(ProgrammingError(said), name="postgresql://x/y")
    assert isinstance(error, InvalidInput)
    assert "'sslmod'" in str(error)
