"""Kills parts of a cluster at random while many chats go on, and counts what is lost or doubled in the end.

    python -m benchmarks.faults [--kills 200] [--chats 200] [--rate 8] [--json]

As `benchmarks.load`, with leases on Valkey; every second or so a replica, a worker, PostgreSQL with all its
processes, or Valkey gets SIGKILL, and is started again a moment later. Who chats sends a turn that broke off
again under the same id, to another replica, as a client that never gives up would; so does who is told that
nothing was kept. In the end nothing that was acknowledged may be missing, neither message nor reply of a turn
that ended with `done`; nothing may stand there twice, and no message may have been read by two windows.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.progress import Progress

from benchmarks.arguments import parser_of
from benchmarks.cluster import Cluster, parts
from benchmarks.cluster_talk import Chatter, held
from benchmarks.load import arrive, caught_up, run

if TYPE_CHECKING:
    import argparse

    from rich.console import Console
    from rich.progress import TaskID

    from benchmarks.cluster import Part, Postgres, Valkey

_TRIES = 40
"""How often a turn is sent at most."""

_DOWN = (0.1, 1.0)
"""Seconds that a killed part stays down."""


async def kill(
    cluster: Cluster, *, kills: int, every: float, dice: random.Random, progress: Progress, task: TaskID
) -> None:
    """Kill one part after another, and start each again."""
    everything = list(parts(cluster))
    for _ in range(kills):
        await asyncio.sleep(dice.uniform(0.5, 1.5) * every)
        part = dice.choice(everything)
        await asyncio.to_thread(part.kill)
        await asyncio.sleep(dice.uniform(*_DOWN))
        await asyncio.to_thread(_start, part)
        for other in (*cluster.replicas, *cluster.workers):  # as what watches over them does
            if other.ended:
                other.start()
        progress.advance(task)


def _start(part: Part | Postgres | Valkey) -> None:
    """Start it; again if what the killed one left is in the way."""
    for _ in range(20):
        with suppress(OSError, RuntimeError):
            part.start()
            return
        time.sleep(0.5)
    msg = f"{part!r} does not start again"
    raise RuntimeError(msg)


async def measure(given: argparse.Namespace, cluster: Cluster, console: Console) -> dict[str, Any]:
    """One run, from an empty store to a counted one."""
    chats = [Chatter(number) for number in range(given.chats)]
    dice = random.Random(given.seed)
    begun = time.perf_counter()
    with Progress(console=console) as progress:
        task = progress.add_task("kills", total=given.kills)
        seconds = given.kills * (given.every + sum(_DOWN) / 2)
        await asyncio.gather(
            arrive(chats, cluster, rate=given.rate, seconds=seconds, tries=_TRIES, progress=progress),
            kill(cluster, kills=given.kills, every=given.every, dice=dice, progress=progress, task=task),
        )
    await caught_up(cluster)
    for part in (*cluster.replicas, *cluster.workers):
        part.stop()
    found = await held(cluster.settings, chats)
    return {
        "kills": {
            "replicas": sum(part.kills for part in cluster.replicas),
            "workers": sum(part.kills for part in cluster.workers),
            "postgresql": 0 if cluster.postgres is None else cluster.postgres.kills,
            "valkey": 0 if cluster.valkey is None else cluster.valkey.kills,
        },
        "seconds": round(time.perf_counter() - begun, 1),
        "chats": given.chats,
        "turns": sum(len(chat.ended) for chat in chats),
        "sent_again": sum(chat.again for chat in chats),
        "given_up": Counter(error for chat in chats for error in chat.errors),
        "store": asdict(found),
        "right": found.right,
    }


def _arguments() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--every", type=float, default=1.2, help="seconds between two kills, about")
    parser.add_argument("--chats", type=int, default=200)
    parser.add_argument("--rate", type=float, default=8.0, help="turns a second, over all chats")
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Measure, and print; exits 1 where anything is lost or doubled."""
    raise SystemExit(0 if run(_arguments(), measure, valkey=True)["right"] else 1)


if __name__ == "__main__":
    main()
