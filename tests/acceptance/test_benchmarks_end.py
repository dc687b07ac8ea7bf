"""A benchmark that is told to stop leaves nothing running: no server, no side, no process of a pool."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where it keeps everything; PostgreSQL runs as a user of its own, who reads no folder of pytest's."""
    made = Path(tempfile.mkdtemp(prefix="omoide-ending-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def running(folder: Path) -> list[str]:
    """The processes that work in a folder, as their commands or their environments say."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ"]):
        line = " ".join(process.info["cmdline"] or ())
        if any(str(folder) in told for told in (line, *(process.info["environ"] or {}).values())):
            found.append(line)
    return found


def wait_until(what: str, folder: Path) -> None:
    end = time.monotonic() + 60
    while not any(what in line for line in running(folder)):
        assert time.monotonic() < end, running(folder)
        time.sleep(0.05)


SCALING = ["benchmarks.scaling", "--scopes", "3", "--per-scope", "60"]
LATENCY = ["benchmarks.latency", "--alone", "--memories", "20000", "--scopes", "2"]
LOAD = ["benchmarks.load", "--chats", "2", "--rate", "1", "--seconds", "60", "--valkey"]
FAULTS = ["benchmarks.faults", "--chats", "2", "--rate", "1", "--kills", "60"]
POSTGRES = ["benchmarks.postgres", "--memories", "20000", "--scopes", "10", "--processes", "1"]


@pytest.mark.parametrize(
    ("command", "waits_for", "number"),
    [
        pytest.param(SCALING, "postgresql/postgres", signal.SIGTERM, id="scaling"),
        pytest.param(LATENCY, "--side omoide", signal.SIGTERM, id="latency"),
        pytest.param(POSTGRES, "postgres -D", signal.SIGTERM, id="postgres"),
        pytest.param(POSTGRES, "postgres -D", signal.SIGINT, id="postgres, from the keyboard"),
        pytest.param(LOAD, "cluster replica", signal.SIGTERM, id="load, while it starts"),
        pytest.param(FAULTS, "cluster replica", signal.SIGINT, id="faults, while it starts"),
    ],
)
def test_a_benchmark_that_is_stopped_leaves_nothing_running(
    command: list[str], waits_for: str, folder: Path, number: signal.Signals
) -> None:
    environment = {**os.environ, "TMPDIR": str(folder), "XDG_RUNTIME_DIR": str(folder)}
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            wait_until(waits_for, folder)
            time.sleep(0.2)
            pool = psutil.Process(process.pid).children(recursive=True)
            process.send_signal(number)
            process.communicate(timeout=60)
            assert process.returncode not in (0, None)
            psutil.wait_procs(pool, timeout=10)
            assert not [child for child in pool if child.is_running()]
            assert running(folder) == []
            assert list(folder.glob("tmp*")) == []
        finally:
            process.kill()
