"""What `omoide doctor` says of an embedding server that fails."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from embedding_server import EmbeddingServer, Reply

from omoide.cli import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.proves("F16")
def test_doctor_says_how_recalls_go_on_where_the_embedder_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server = EmbeddingServer()
    server.start()
    server.replies.append(Reply())
    server.always = Reply(status=404)
    for name, value in {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "OMOIDE_EMBEDDER": "openai",
        "OMOIDE_EMBEDDER_MODEL": "some-model",
        "OMOIDE_EMBEDDER_URL": f"{server.url}/v1",
    }.items():
        monkeypatch.setenv(name, value)

    assert run(["doctor", "--json"]) == 1

    server.stop()
    found = json.loads(capsys.readouterr().out)["findings"]
    (detail,) = [one["detail"] for one in found if one["state"] == "wrong"]
    assert "404" in detail
    assert "by words" in detail
    assert "every 30 seconds" in detail
