"""The command line with vectors in Qdrant: what waits is told, and `reindex --verify` puts things right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine

from omoide.models.local import local_unfit
from qdrant_server import QdrantServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WHOSE = ("--user", "mina", "--character", "haru")


@pytest.fixture
def server() -> Iterator[QdrantServer]:
    made = QdrantServer()
    yield made
    made.stop()


@pytest.fixture
def omoide(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    server: QdrantServer,
) -> CommandLine:
    if reason := local_unfit():
        pytest.skip(reason)
    made = CommandLine(tmp_path, monkeypatch, capsys)
    monkeypatch.setenv("OMOIDE_EMBEDDER", "local")
    monkeypatch.setenv("OMOIDE_VECTORS", "qdrant")
    monkeypatch.setenv("OMOIDE_QDRANT_URL", server.url)
    made("remember", "I keep bees on the roof.", *WHOSE)
    made("reindex")
    return made


def test_verifying_makes_what_is_missing_and_lets_go_of_strays(
    omoide: CommandLine, server: QdrantServer
) -> None:
    assert len(server.points()) == 1
    server.lose_all()
    assert omoide("reindex", "--verify", "--json").json["right"] == 1
    assert len(server.points()) == 1
    assert omoide("reindex", "--verify", "--json").json["strays"] == 0


def test_a_search_goes_by_words_and_says_so(omoide: CommandLine, server: QdrantServer) -> None:
    assert "words alone" not in omoide("search", "bees", *WHOSE).err
    server.stop()
    ran = omoide("search", "bees", *WHOSE, "--json")
    assert [memory["text"] for memory in ran.json] == ["I keep bees on the roof."]
    assert "words alone" in ran.err


def test_erasing_tells_that_copies_still_lie_there(omoide: CommandLine, server: QdrantServer) -> None:
    server.stop()
    ran = omoide("erase", "mina", "--yes")
    assert "copies of vectors still lie in an index out of reach" in ran.out
    findings = omoide("doctor", "--json", status=1).json["findings"]
    [finding] = [one for one in findings if one["what"] == "qdrant"]
    assert finding["state"] == "wrong"
    assert "changes of 1 scopes wait" in finding["detail"]

    server.start()
    omoide("doctor", "--json")
    assert server.points() == []
