"""What names a store or its neighbours: what cannot be meant is refused before anything is made."""

from __future__ import annotations

from pathlib import Path

import pytest
from psycopg import ProgrammingError

from omoide.config import Settings
from omoide.errors import InvalidInput
from omoide.stores.postgres.errors import translated
from omoide.stores.sqlite import sqlite_path


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


@pytest.mark.parametrize("location", ["haru.db", "C:/haru.db", "/data/a:b/haru.db", "보리:차.db"])
def test_a_path_may_hold_a_colon(location: str) -> None:
    assert sqlite_path(location) == Path(location)


@pytest.mark.parametrize("location", ["nonsense://", "grpc://127.0.0.1:6334", "://x"])
def test_qdrant_is_reached_by_http(location: str) -> None:
    with pytest.raises(InvalidInput, match="http"):
        Settings.read(qdrant_url=location)


@pytest.mark.parametrize(
    "said", ['invalid connection option "sslmod"\n', 'invalid URI query parameter: "sslmod"\n']
)
def test_a_parameter_that_libpq_does_not_know_is_named(said: str) -> None:
    error = translated(ProgrammingError(said), name="postgresql://x/y")
    assert isinstance(error, InvalidInput)
    assert "'sslmod'" in str(error)
