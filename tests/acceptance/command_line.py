"""Runs the command line in a home of its own, in this process or in one that can be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omoide.cli import run
from postgres import place

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


@dataclass(frozen=True, kw_only=True, slots=True)
class Ran:
    """What a command printed, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


class CommandLine:
    """`omoide` with a fresh home, and without an embedder."""

    def __init__(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self._capsys = capsys
        self.home = home
        for name in [name for name in os.environ if name.startswith("OMOIDE_")]:
            monkeypatch.delenv(name)
        for name, value in self.environment.items():
            monkeypatch.setenv(name, value)

    @property
    def store(self) -> str:
        """Where the store lies."""
        return str(place(self.home / "store", "omoide.db"))

    @property
    def environment(self) -> dict[str, str]:
        """The variables that keep it at home."""
        return {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_DATA_HOME": str(self.home / "data"),
            "OMOIDE_STORE": self.store,
            "OMOIDE_EMBEDDER": "none",
        }

    def __call__(self, *arguments: str, status: int = 0) -> Ran:
        """Run a command line in this process, and check its exit code."""
        self._capsys.readouterr()
        ended = run(list(arguments))
        printed = self._capsys.readouterr()
        assert ended == status, (ended, printed.err)
        assert "Traceback" not in printed.err
        return Ran(status=ended, out=printed.out, err=printed.err)

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """Start a command line in a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "omoide.cli", *arguments],
            env={**os.environ, **self.environment, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def on_terminal(self, *arguments: str, typed: str = "", **environment: str) -> Ran:
        """Run a command line on a terminal where something is typed; errors are part of the output."""
        ours, theirs = os.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "omoide.cli", *arguments],
            env={**os.environ, **self.environment, "TERM": "xterm", "COLUMNS": "150", **environment},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        os.write(ours, typed.encode())
        shown = b""
        while part := _read(ours):
            shown += part
        os.close(ours)
        return Ran(status=process.wait(30), out=shown.decode("utf-8", "replace"), err="")

    def file(self, name: str, *lines: Any) -> str:
        """Write a file of JSON lines, and return its path."""
        path = self.home / name
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
        return str(path)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the other end was closed
        return b""


def refused(ran: Ran) -> str:
    """The one line that an error is told in."""
    [line] = ran.err.splitlines()
    assert line.startswith("omoide: ")
    assert ran.out == ""
    return line
