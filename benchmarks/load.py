"""Many chats at once over several replicas and workers on one PostgreSQL, at a fixed rate of arrival.

    python -m benchmarks.load [--chats 200] [--rate 15] [--seconds 300] [--replicas 2] [--workers 2] [--json]

Everything runs on this machine, over loopback: replicas and workers with the word embedder of
`omoide.testing`, a scripted model that answers after 50 ms, and PostgreSQL from a wheel, or `--store`. Turns
arrive at their times whether or not earlier ones have been answered; a chat says one thing at a time. One
turn in ten is put to the model itself as well, and what its first token takes there is subtracted: the rest
is what Omoide and its store add. In the end the store is opened, and every message and window is counted.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
from rich.console import Console
from rich.progress import Progress, TaskID

from benchmarks.arguments import parser_of
from benchmarks.cluster import Cluster
from benchmarks.cluster_talk import Chatter, held
from benchmarks.ending import heed_signals
from benchmarks.spread import Spread

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Coroutine, Sequence

_DIRECT = 10
"""One turn in so many is put to the model itself as well."""

_QUIET = 10
"""Seconds without any change after which nothing more is waited for."""

_CATCH_UP = 180.0
"""Seconds that workers have for what is left at the end."""


async def arrive(
    chats: Sequence[Chatter], cluster: Cluster, *, rate: float, seconds: float, tries: int, progress: Progress
) -> list[float]:
    """Let turns arrive, and wait until all are answered; milliseconds that the model alone took."""
    direct: list[float] = []
    task = progress.add_task("turns", total=int(rate * seconds))
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=200)
    async with httpx2.AsyncClient(trust_env=False, timeout=60, limits=limits) as client:
        warm = Chatter(len(chats))  # the first talk of a process imports what the later ones find there
        for _ in cluster.urls() * 2:
            await warm.say(client, cluster.urls(), tries=3)
        await _arrivals(
            client, chats, cluster, task, direct, rate=rate, seconds=seconds, tries=tries, progress=progress
        )
    return direct


async def _arrivals(
    client: httpx2.AsyncClient,
    chats: Sequence[Chatter],
    cluster: Cluster,
    task: TaskID,
    direct: list[float],
    *,
    rate: float,
    seconds: float,
    tries: int,
    progress: Progress,
) -> None:
    async with asyncio.TaskGroup() as group:
        begun = time.perf_counter()
        for number in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, begun + number / rate - time.perf_counter()))
            chat = chats[number % len(chats)]
            group.create_task(chat.say(client, cluster.urls(), tries=tries))
            if number % _DIRECT == 0:
                group.create_task(_ask_directly(client, cluster.settings["OMOIDE_MODEL_URL"], direct))
            progress.advance(task)


async def _ask_directly(client: httpx2.AsyncClient, url: str, took: list[float]) -> None:
    body = {
        "model": "scripted",
        "stream": True,
        "messages": [{"role": "user", "content": "This is turn-0-0: hello."}],
    }
    begun = time.perf_counter()
    async with client.stream("POST", f"{url}/chat/completions", json=body) as answer:
        pieces = answer.aiter_raw()
        await anext(pieces)
        took.append((time.perf_counter() - begun) * 1000)
        async for _ in pieces:
            pass


async def measure(given: argparse.Namespace, cluster: Cluster, console: Console) -> dict[str, Any]:
    """One run, from an empty store to a counted one."""
    chats = [Chatter(number) for number in range(given.chats)]
    with Progress(console=console) as progress:
        begun = time.perf_counter()
        direct = await arrive(
            chats, cluster, rate=given.rate, seconds=given.seconds, tries=1, progress=progress
        )
        spent = time.perf_counter() - begun
    await caught_up(cluster)
    for part in (*cluster.replicas, *cluster.workers):
        part.stop()
    found = await held(cluster.settings, chats)
    firsts = [took for chat in chats for took in chat.firsts]
    ended = sum(len(chat.ended) for chat in chats)
    return {
        "chats": given.chats,
        "replicas": given.replicas,
        "workers": given.workers,
        "rate_per_s": given.rate,
        "seconds": round(spent, 1),
        "turns": ended,
        "throughput_per_s": round(ended / spent, 2),
        "errors": Counter(error for chat in chats for error in chat.errors),
        "first_token_ms": asdict(Spread.of(firsts)),
        "model_alone_ms": asdict(Spread.of(direct)),
        "overhead_ms": asdict(Spread.of(firsts, less=statistics.median(direct))),
        "store": asdict(found),
    }


async def caught_up(cluster: Cluster) -> None:
    """Wait until no window waits and nothing more gets done, as a replica tells it, or `_CATCH_UP` seconds.

    A few messages stay unread in most chats: too few for a window, until they have been quiet for long.
    """
    end, last, quiet = time.monotonic() + _CATCH_UP, None, 0
    async with httpx2.AsyncClient(trust_env=False, timeout=10) as client:
        while time.monotonic() < end and quiet < _QUIET:
            await asyncio.sleep(1.0)
            try:
                ready = (await client.get(f"{cluster.urls()[0]}/ready")).json()
            except (httpx2.HTTPError, ValueError):
                continue
            waits = ready.get("windows"), ready.get("behind")
            quiet = quiet + 1 if waits == last and not waits[0] else 0
            last = waits


def _arguments() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--chats", type=int, default=200)
    parser.add_argument("--rate", type=float, default=15.0, help="turns a second, over all chats")
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--valkey", action="store_true", help="leases on a Valkey server from a wheel")
    parser.add_argument("--store", help="an empty database; otherwise a server is started from a wheel")
    return parser.parse_args()


def run(
    given: argparse.Namespace,
    measure: Callable[[argparse.Namespace, Cluster, Console], Coroutine[Any, Any, dict[str, Any]]],
    *,
    valkey: bool,
    store: str | None = None,
) -> dict[str, Any]:
    """Measure a cluster in a folder that is gone afterwards, and print the figures."""
    heed_signals()
    console = Console(stderr=True, quiet=given.json)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as a user of its own where this program is root
        parts = {"replicas": given.replicas, "workers": given.workers, "valkey": valkey, "store": store}
        with Cluster(Path(folder), **parts) as cluster:
            figures = asyncio.run(measure(given, cluster, console))
    if given.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:18} {value}")
    return figures


def main() -> None:
    """Measure, and print."""
    given = _arguments()
    run(given, measure, valkey=given.valkey, store=given.store)


if __name__ == "__main__":
    main()
