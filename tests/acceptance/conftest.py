"""What many acceptance tests need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def omoide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    """The command line, in a home of its own."""
    return CommandLine(tmp_path, monkeypatch, capsys)
