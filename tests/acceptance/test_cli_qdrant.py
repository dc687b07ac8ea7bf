"""The command line with vectors in Qdrant: what waits is told, and `reindex --verify` puts things right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine

from omoide.models.local import local_unfit

if TYPE_CHECKING:
    from pathlib import Path

    from qdrant_server import QdrantServer

WHOSE = ("--user", "mina", "--character", "haru")


@pytest.fixture
def omoide(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    qdrant: QdrantServer,
) -> CommandLine:
    if reason := local_unfit():
        pytest.skip(reason)
    made = CommandLine(tmp_path, monkeypatch, capsys)
    monkeypatch.setenv("OMOIDE_EMBEDDER", "local")
    monkeypatch.setenv("OMOIDE_VECTORS", "qdrant")
    monkeypatch.setenv("OMOIDE_QDRANT_URL", qdrant.url)
    made("remember", "I keep bees on the roof.", *WHOSE)
    made("reindex")
    return made


def test_verifying_makes_what_is_missing_and_lets_go_of_strays(
    omoide: CommandLine, qdrant: QdrantServer
) -> None:
    assert len(qdrant.points()) == 1
    qdrant.lose_all()
    assert omoide("reindex", "--verify", "--json").json["right"] == 1
    assert len(qdrant.points()) == 1
    assert omoide("reindex", "--verify", "--json").json["strays"] == 0


def test_a_search_goes_by_words_and_says_so(omoide: CommandLine, qdrant: QdrantServer) -> None:
    assert "words alone" not in omoide("search", "bees", *WHOSE).err
    qdrant.stop()
    ran = omoide("search", "bees", *WHOSE, "--json")
    assert [memory["text"] for memory in ran.json] == ["I keep bees on the roof."]
    assert "words alone" in ran.err


def test_erasing_tells_that_copies_still_lie_there(omoide: CommandLine, qdrant: QdrantServer) -> None:
    qdrant.stop()
    ran = omoide("erase", "mina", "--yes")
    assert "copies of vectors still lie in an index out of reach" in ran.out
    findings = omoide("doctor", "--json", status=1).json["findings"]
    [finding] = [one for one in findings if one["what"] == "qdrant"]
    assert finding["state"] == "wrong"
    assert "changes of 1 scopes wait" in finding["detail"]

    qdrant.start()
    omoide("doctor", "--json")
    assert qdrant.points() == []
