"""What all tests share: no settings of this machine reach them, and the points they prove are counted."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

import postgres
from llama import start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qdrant_server import QdrantServer

for name in [name for name in os.environ if name.startswith("OMOIDE_")]:
    del os.environ[name]

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("searching", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

SAMPLES = Path(__file__).parents[1] / "samples"
PROVEN: set[str] = set()
COLLECTED: list[int] = [0]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Note which points the collected tests prove, and run the count of them last."""
    if postgres.on_postgres():
        items[:] = [item for item in items if item.get_closest_marker("sqlite") is None]
    for item in items:
        for mark in item.iter_markers("proves"):
            PROVEN.update(mark.args)
    COLLECTED[0] = len({item.path for item in items})
    items.sort(key=lambda item: item.path.name == "test_points.py")


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Let go of the databases that the tests of a file have made."""
    if nextitem is None or nextitem.path != item.path:
        postgres.drop_databases()


@pytest.fixture
def proven() -> set[str]:
    """The points that the tests of this run prove."""
    return PROVEN


@pytest.fixture
def test_files() -> int:
    """How many files this run collected tests from."""
    return COLLECTED[0]


@pytest.fixture
def sisters(tmp_path: Path) -> Path:
    """The lives of the sisters, in a folder that may be changed."""
    return Path(shutil.copytree(SAMPLES / "sisters", tmp_path / "sisters"))


@pytest.fixture
def qdrant() -> Iterator[QdrantServer]:
    """A Qdrant that is empty, and can be made to fail."""
    from qdrant_server import QdrantServer

    made = QdrantServer()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def llama() -> Iterator[str]:
    """Where a real llama.cpp server listens, without /v1; tests that use it are marked live and grouped."""
    server = start()
    yield server.listening_address
    del server
