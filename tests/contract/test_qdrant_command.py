"""`omoide reindex --verify` over Qdrant: what is wrong there is put right, and said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

import pytest
from embedding_server import EmbeddingServer
from qdrant_client import models

from omoide.cli import run
from postgres import place
from qdrant_server import QdrantServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WHOSE = ("--user", "mina", "--character", "haru")
SAID = ("I keep bees on the roof.", "나 롤 게임 좋아해", "京都で桜を見た")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[QdrantServer]:
    """A Qdrant that a command line uses, whose vectors come from a server too."""
    embedding, made = EmbeddingServer(), QdrantServer()
    embedding.start()
    for name, value in {
        "HOME": tmp_path,
        "XDG_CONFIG_HOME": tmp_path / "config",
        "XDG_DATA_HOME": tmp_path / "data",
        "OMOIDE_STORE": place(tmp_path),
        "OMOIDE_EMBEDDER": "openai",
        "OMOIDE_EMBEDDER_MODEL": "some-model",
        "OMOIDE_EMBEDDER_URL": f"{embedding.url}/v1",
        "OMOIDE_VECTORS": "qdrant",
        "OMOIDE_QDRANT_URL": made.url,
    }.items():
        monkeypatch.setenv(name, str(value))
    yield made
    made.stop()
    embedding.stop()


def verified(capsys: pytest.CaptureFixture[str], *named: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["reindex", "--verify", "--json", *named]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {name: found[name] for name in ("right", "made", "replaced", "dropped", "strays")}


def test_points_of_no_memory_are_dropped_and_missing_ones_are_made(
    server: QdrantServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in SAID:
        assert run(["remember", text, *WHOSE, "--new"]) == 0
    well = {"right": 3, "made": 0, "replaced": 0, "dropped": 0, "strays": 0}
    verified(capsys)
    assert verified(capsys) == well
    before = {str(point.id) for point in server.points()}
    [name] = [one.name for one in server.client.get_collections().collections]
    first, second, _ = server.points()
    payload = first.payload or {}
    gone = str(uuid5(UUID(payload["scope"]), "4242"))  # its deletion was lost
    of_no_memory = models.PointStruct(id=gone, vector=first.vector, payload={**payload, "number": 4242})
    of_no_scope = models.PointStruct(
        id="5f0f4b62-2b3a-4b0e-9a51-1d2f5a3c7e12",
        vector=first.vector,
        payload={**payload, "scope": "0198c1f0-0000-7000-8000-000000000001"},
    )
    server.client.upsert(name, [of_no_memory, of_no_scope])
    server.client.delete(name, [second.id])

    assert verified(capsys) == {"right": 2, "made": 1, "replaced": 0, "dropped": 1, "strays": 1}
    assert {str(point.id) for point in server.points()} == before
    assert verified(capsys, *WHOSE) == well
