"""How long the first byte takes through the proxy, beside a call without it, in the same run.

    python -m benchmarks.proxy [--requests 60] [--history 200] [--json]

A model server without a model answers after 50 ms: a model thinks longer, and meanwhile the proxy writes to
the log. Each turn shows a history that grows by an exchange, in a scope of 1,000 memories, and goes three
ways: straight to the model server; through the proxy naming nobody, which hands it on without memory; and
through it with memory. The ways take turns in going first. The proxy is a process of its own, and tells by
`Server-Timing` what of the time is memory's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import httpx2
import uvicorn

from benchmarks.arguments import parser_of
from benchmarks.ending import heed_signals
from benchmarks.spread import Spread
from benchmarks.talk import Talk
from omoide import Omoide
from omoide.models.local import local_unfit
from omoide.server.app import create_app
from omoide.testing import FakeModelServer, WordEmbedder
from omoide.testing.replies import slow

if TYPE_CHECKING:
    from collections.abc import Sequence

MEMORIES = 1_000
THINKS = 0.05
"""Seconds until the model server answers."""
PAUSE = 0.5
"""Seconds between two turns; people take longer to read a reply."""
WARM = 10
"""Turns before the measured ones."""
USER, CHARACTER, SESSION = "minjun", "haru", "now"
NAMES = f"/u/{USER}/c/{CHARACTER}"
_REPLY = "Sure, let us talk about it. " * 4
_PHASE = re.compile(r"([\w-]+);dur=([\d.]+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """Milliseconds of one turn.

    Attributes:
        direct, handed_on, proxied: to the first byte: without the proxy, through it, and with memory.
        phases: what the proxy tells of its own time.
    """

    direct: float
    handed_on: float
    proxied: float
    phases: dict[str, float]


class Conversation:
    """A chat that goes on: each turn shows all of it, and one new message."""

    def __init__(self, talk: Talk, *, history: int) -> None:
        self._talk = talk
        self._shown = [_message(number, talk.message(3, number).text) for number in range(history)]
        self._asked = 0

    def body(self) -> dict[str, Any]:
        """The next turn's request: its new message half repeats something that is remembered."""
        question = self._talk.question(0, self._asked * 17 % MEMORIES).text
        self._asked += 1
        self._shown.append({"role": "user", "content": question})
        return {"model": "fake", "messages": list(self._shown), "stream": True}

    def answered(self) -> None:
        """Show the reply from now on."""
        self._shown.append({"role": "assistant", "content": _REPLY})


def _message(number: int, text: str) -> dict[str, str]:
    return {"role": ("user", "assistant")[number % 2], "content": text}


def measure(embedder: str, *, requests: int, history: int) -> list[Turn]:
    """Turns through the proxy and without it, after some to warm up."""
    conversation = Conversation(Talk(), history=history)
    with tempfile.TemporaryDirectory() as folder, FakeModelServer(slow(_REPLY, delay=THINKS)) as upstream:
        command = [sys.executable, "-m", "benchmarks.proxy", "--serve", folder]
        command += ["--embedder", embedder, "--upstream", upstream.url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - this program
            try:
                turns = asyncio.run(
                    _turns(conversation, upstream.url, _address(process), count=WARM + requests)
                )
            finally:
                process.terminate()
    return turns[WARM:]


def _address(process: subprocess.Popen[str]) -> str:
    line = "" if process.stdout is None else process.stdout.readline()
    if not line:
        msg = "the proxy ended; what it said stands above"
        raise RuntimeError(msg)
    return line.strip()


async def _turns(conversation: Conversation, upstream: str, proxy: str, *, count: int) -> list[Turn]:
    async with httpx2.AsyncClient(trust_env=False, timeout=60) as client:
        ways = (("direct", upstream), ("handed_on", f"{proxy}/v1"), ("proxied", f"{proxy}{NAMES}/v1"))
        turns = []
        for number in range(count):
            body = conversation.body()
            took: dict[str, float] = {}
            told: dict[str, str] = {}
            for place in range(3):
                way, base = ways[(number + place) % 3]
                took[way], headers = await _first_byte(client, f"{base}/chat/completions", body)
                told = headers if way == "proxied" else told
            conversation.answered()
            if not told["x-omoide-memory"].startswith("used="):
                msg = f"the proxy should bring memories, got {told['x-omoide-memory']!r}"
                raise RuntimeError(msg)
            phases = {name: float(dur) for name, dur in _PHASE.findall(told.get("server-timing", ""))}
            turns.append(Turn(**took, phases=phases))
            await asyncio.sleep(PAUSE)
        return turns


async def _first_byte(
    client: httpx2.AsyncClient, address: str, body: dict[str, Any]
) -> tuple[float, dict[str, str]]:
    """Milliseconds to the first byte of the answer's body, and its headers."""
    sent = json.dumps(body, ensure_ascii=False).encode()
    headers = {"content-type": "application/json", "x-omoide-session": SESSION}
    begun = time.perf_counter()
    async with client.stream("POST", address, content=sent, headers=headers) as answer:
        pieces = answer.aiter_raw()
        await anext(pieces)
        took = (time.perf_counter() - begun) * 1000
        async for _ in pieces:
            pass
        return took, dict(answer.headers)


async def serve(folder: Path, *, embedder: Literal["words", "local"], upstream: str) -> None:
    """Fill a scope, and serve the proxy until it is told to end; prints the base URL."""
    async with Omoide.open(
        folder / "x.db",
        embedder=WordEmbedder() if embedder == "words" else embedder,
        master_key_file=folder / "key",
        api_keys=folder / "keys.json",
        upstream=upstream,
        requests_per_minute=0,
        extraction="off",
        recall_seconds=60,
    ) as omoide:
        await _fill(omoide)
        server = uvicorn.Server(uvicorn.Config(create_app(omoide), port=0, log_config=None))
        serving = asyncio.create_task(server.serve())
        while not server.started:  # noqa: ASYNC110 - it tells in no other way
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        print(f"http://127.0.0.1:{port}", flush=True)
        await serving


async def _fill(omoide: Omoide) -> None:
    talk, scope = Talk(), omoide.scope(user=USER, character=CHARACTER)
    for number in range(MEMORIES):
        await scope.observe(talk.message(0, number).text, "Mm.", session=f"before {number // 100}")
    await scope.vectorise()
    if (held := len(await scope.memories())) != MEMORIES:
        msg = f"the scope should hold {MEMORIES} memories, got {held}"
        raise RuntimeError(msg)


def figures(turns: Sequence[Turn]) -> dict[str, Spread]:
    """What a number of turns took."""
    named = {
        "direct": [turn.direct for turn in turns],
        "handed on": [turn.handed_on for turn in turns],
        "proxied": [turn.proxied for turn in turns],
        "added by memory": [turn.proxied - turn.handed_on for turn in turns],
        "added": [turn.proxied - turn.direct for turn in turns],
    }
    phases = {name: [turn.phases[name] for turn in turns] for name in turns[0].phases}
    return {name: Spread.of(took) for name, took in {**named, **phases}.items()}


def _arguments() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--requests", type=int, default=60, help="measured turns of each way")
    parser.add_argument("--history", type=int, default=200, help="messages that the first turn shows")
    parser.add_argument("--embedder", choices=["words", "local"], help="one of the two only")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--upstream", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Measure, and print."""
    given = _arguments()
    if given.serve:
        asyncio.run(serve(given.serve, embedder=given.embedder, upstream=given.upstream))
        return
    heed_signals()
    embedders = [given.embedder] if given.embedder else ["words"] + ["local"] * (local_unfit() is None)
    found = {}
    for embedder in embedders:
        turns = measure(embedder, requests=given.requests, history=given.history)
        found[embedder] = {name: asdict(spread) for name, spread in figures(turns).items()}
    if given.json:
        print(json.dumps({"requests": given.requests, "history": given.history, "ms": found}))
        return
    for embedder, rows in found.items():
        print(f"{embedder}: milliseconds to the first byte, {given.requests} turns")
        for name, spread in rows.items():
            print(f"  {name:16} p50 {spread['p50']:7.2f}  p95 {spread['p95']:7.2f}")


if __name__ == "__main__":
    main()
