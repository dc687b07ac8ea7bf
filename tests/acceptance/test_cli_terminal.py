"""Talking on a terminal: what is waited for is told, and Ctrl-C stops a reply before it stops the talk."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine

from omoide.testing import FakeModelServer, Reply

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self._ours, theirs = os.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "omoide.cli", *arguments],
            env={**os.environ, **environment, "TERM": "xterm", "COLUMNS": "150"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        self.seen = ""

    def until(self, words: str, *, seconds: float = 60) -> None:
        """Read until these words have come since it was last asked."""
        came, end = "", time.monotonic() + seconds
        while words not in came:
            ready, _, _ = select.select([self._ours], [], [], max(0.0, end - time.monotonic()))
            assert ready, (words, self.seen + came)
            came += self._read()
        self.seen += came

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    def interrupt(self) -> None:
        """What Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        """The exit code, once the command has ended."""
        while piece := self._read():
            self.seen += piece
        return self.process.wait(30)

    def close(self) -> None:
        """End it, if it has not ended."""
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def _read(self) -> str:
        try:
            return os.read(self._ours, 65_536).decode("utf-8", "replace")
        except OSError:  # the other end was closed
            return ""


@pytest.fixture
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer() as running:
        yield running


@pytest.fixture
def terminal(
    server: FakeModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Terminal]:
    home = CommandLine(tmp_path, monkeypatch, capsys)
    model = {"OMOIDE_MODEL": "fake", "OMOIDE_MODEL_URL": server.url}
    begun = Terminal(["chat", "--user", "Sam", "--character", "wren"], {**home.environment, **model})
    yield begun
    begun.close()


def test_ctrl_c_stops_the_wait_then_the_reply_and_then_the_talk(
    terminal: Terminal, server: FakeModelServer
) -> None:
    server.replies += [Reply(delay=60), Reply(text="A very long story. " * 200, pause=0.1), "I am."]
    terminal.until("> ")
    assert "/help" in terminal.seen

    terminal.type("My boat is called Heron\n")
    terminal.until("waiting for the model")
    terminal.interrupt()
    terminal.until("stopped")
    terminal.type("Tell me a story\n")
    terminal.until("Wren: A very")
    terminal.interrupt()
    terminal.until("stopped")
    terminal.type("Are you still there?\n")
    terminal.until("Wren: I am.")
    terminal.until("> ")
    terminal.interrupt()

    assert terminal.ended() == 130
    assert terminal.seen.endswith("\n")
    assert "Traceback" not in terminal.seen
    shown = [turn.text for turn in server.requests[-1].turns]
    assert "Heron" in shown[1]
    assert shown[2].startswith("A very")
    assert shown[-1] == "Are you still there?"


def test_the_end_of_input_ends_the_talk_on_a_line_of_its_own(terminal: Terminal) -> None:
    terminal.until("> ")
    terminal.type("\x04")

    assert terminal.ended() == 0
    assert terminal.seen.endswith("> \r\n")
