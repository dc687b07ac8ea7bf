"""What processes that run on note on standard error, for people and for programs."""

from __future__ import annotations

import json
import logging
from datetime import datetime
from typing import TYPE_CHECKING

import httpx2
import pytest
from test_serve import served

from omoide.cli.logs import noting
from omoide.config import Settings

if TYPE_CHECKING:
    from pathlib import Path


def test_requests_are_objects_a_line_without_names(tmp_path: Path) -> None:
    with served(tmp_path, "--log-format", "json") as one:
        httpx2.get(f"{one.url}/api/memories", params={"user": "민준", "character": "하루"})
        _, err = one.stop()
    lines = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    (request,) = [line for line in lines if line.get("route") == "/api/memories"]
    assert (request["method"], request["status"], request["level"]) == ("GET", 404, "info")
    assert request["logger"] == "omoide.access"
    assert request["ms"] >= 0
    assert datetime.fromisoformat(request["time"]).tzinfo is not None
    assert "민준" not in err


def test_a_form_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="log_format"), served(tmp_path, "--log-format", "xml"):
        pass


@pytest.mark.parametrize("form", ["text", "json"])
def test_errors_of_others_are_noted_by_their_kind(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    with noting(Settings.read(log_format=form)):
        try:
            int("민준 loves barley tea")
        except ValueError:
            logging.getLogger("omoide").exception("something failed")
        logging.getLogger("omoide").info("of no interest")
        logging.getLogger("uvicorn.error").warning("from below")
    err = capsys.readouterr().err
    assert "something failed" in err
    assert "from below" in err
    assert "ValueError" in err
    assert "barley" not in err
    assert "interest" not in err
    assert logging.getLogger("uvicorn").handlers == []
