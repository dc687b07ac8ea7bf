"""How fast Omoide writes and recalls, beside ChromaDB on the same data and in the same run.

    python -m benchmarks.latency --memories 100000 --scopes 100 [--json]
    python -m benchmarks.latency --store postgresql [--json]
    python -m benchmarks.latency --store postgresql+psycopg://role@host/database [--json]

With a store, PostgreSQL stands beside the file: once with vectors compared in the process, once with
pgvector. `postgresql` alone starts a server from a wheel. A URL names a database whose role may make others:
the two that are measured are made beside it, and dropped at the end.

Vectors are made beforehand and handed to all; their making is never timed. Each side is a process of its
own, so that its peak memory is its own; they take turns, so that the noise of the machine hits all alike.
`cpu` is that of the side's process, a mean; `server` that of the database's processes, where they run here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.arguments import parser_of
from benchmarks.ending import heed_signals
from benchmarks.latency_timed import spread
from benchmarks.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

    from benchmarks.latency_chroma import ChromaSide
    from benchmarks.latency_omoide import OmoideSide
    from benchmarks.latency_timed import Took
    from benchmarks.postgres_server import Backends

ROUNDS = 5
QUESTIONS = 80
"""Recalls in one round."""
WRITES = 20
"""Single writes in one round."""
COLD = 20
"""Scopes whose first recall is timed."""
ON_POSTGRES = {"postgresql": "memory", "pgvector": "pgvector"}
"""What is measured on PostgreSQL, and what compares vectors there."""

WITHOUT_CHROMA = "chromadb is not installed: pip install chromadb, and run this again to see it beside Omoide"


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """What is measured.

    Attributes:
        name: as it stands in the figures.
        program: whose side it is.
        store: a database on PostgreSQL; otherwise a file.
        vectors: what compares vectors, as the setting has it.
        backends: the processes of its server, where they run here.
    """

    name: str
    program: str = "omoide"
    store: str | None = None
    vectors: str = "memory"
    backends: Backends | None = None


class Side:
    """The process of one side: does what it is told, line by line."""

    def __init__(self, kind: Kind, folder: Path, *, scopes: int, per_scope: int) -> None:
        own = folder / kind.name
        own.mkdir()
        self.kind = kind
        command = [sys.executable, "-m", "benchmarks.latency", "--side", kind.program, "--folder", str(own)]
        command += ["--memories", str(scopes * per_scope), "--scopes", str(scopes)]
        command += ["--vectors", kind.vectors, *(["--store", kind.store] if kind.store else [])]
        self._process = subprocess.Popen(  # noqa: S603 - this very program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # as the command line sets it for itself
        )

    def tell(self, order: str, *arguments: object) -> Any:  # noqa: ANN401 - whatever the order gives
        """Give an order, and wait for its result."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError(order)
        self._process.stdin.write(json.dumps([order, *arguments]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            msg = f"the side ended at {order!r}; what it said stands above"
            raise RuntimeError(msg)
        return json.loads(line)

    def timed(self, order: str, places: Sequence[object]) -> tuple[list[Took], float | None]:
        """Give an order that tells times; also milliseconds of the server's CPU for one of them."""
        backends = self.kind.backends
        if backends is None:
            return [(wall, cpu) for wall, cpu in self.tell(order, places)], None
        backends.look()
        before = backends.seconds()
        times = [(wall, cpu) for wall, cpu in self.tell(order, places)]
        after = backends.seconds()
        return times, None if before is None or after is None else (after - before) / len(times) * 1_000

    def __enter__(self) -> Self:
        """It runs already."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Let the process end; at once, where nobody waits for what it does."""
        if kind is not None:
            self._process.terminate()
        self.end()

    def end(self) -> None:
        """Let the process end."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()


@dataclass(slots=True)
class Times:
    """What one side's rounds took."""

    times: list[Took] = field(default_factory=list)
    server: list[float] = field(default_factory=list)

    def add(self, side: Side, order: str, places: Sequence[object]) -> None:
        """Let a side do a round."""
        times, server = side.timed(order, places)
        self.times += times
        self.server += [] if server is None else [server]

    def spread(self) -> dict[str, float]:
        """Its figures."""
        return spread(self.times) | ({"server": statistics.fmean(self.server)} if self.server else {})


def compare(kinds: list[Kind], *, scopes: int, per_scope: int) -> dict[str, dict[str, Any]]:
    """The figures of each side, which take turns."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, ExitStack() as stack:
        sides = [
            stack.enter_context(Side(kind, Path(folder), scopes=scopes, per_scope=per_scope))
            for kind in kinds
        ]
        figures: dict[str, dict[str, Any]] = {side.kind.name: side.tell("fill") for side in sides}
        for side in sides:
            side.tell("ask", [(scope, 1) for scope in range(scopes)])
            side.tell("forget phases")
        measured = _rounds(sides, scopes=scopes, per_scope=per_scope)
        for side in sides:
            name = side.kind.name
            figures[name] |= measured[name] | _besides(side, scopes=scopes, per_scope=per_scope)
            figures[name] |= side.tell("finish")
            side.end()  # so that the others have the machine for themselves
    return figures


def grown(*, scopes: int, against: int, per_scope: int) -> dict[str, Any]:
    """Recall in the same scopes of a small database, and of the large one that it grows into."""
    figures = {}
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        Side(Kind(name="omoide"), Path(folder), scopes=against, per_scope=per_scope) as side,
    ):
        for first, end in ((0, scopes), (scopes, against)):
            side.tell("fill", list(range(first, end)))
            side.tell("ask", [(scope, 1) for scope in range(scopes)])
            figures[str(end)] = _rounds([side], scopes=scopes, per_scope=per_scope)["omoide"]
    return figures


def _rounds(sides: list[Side], *, scopes: int, per_scope: int) -> dict[str, dict[str, dict[str, float]]]:
    dice = np.random.default_rng(11)
    recalls, writes = ({side.kind.name: Times() for side in sides} for _ in range(2))
    for _ in range(ROUNDS):
        asked = dice.integers((scopes, per_scope), size=(QUESTIONS, 2)).tolist()
        places = dice.integers(scopes, size=WRITES).tolist()
        for side in sides:
            recalls[side.kind.name].add(side, "ask", asked)
        for side in sides:
            writes[side.kind.name].add(side, "write", places)
    return {
        name: {"recall_ms": recalls[name].spread(), "write_ms": writes[name].spread()} for name in recalls
    }


def _besides(side: Side, *, scopes: int, per_scope: int) -> dict[str, Any]:
    dice = np.random.default_rng(12)
    found: dict[str, Any] = {}
    if side.kind.program == "omoide":
        asked = dice.integers((scopes, per_scope), size=(QUESTIONS, 2)).tolist()
        embedded = side.tell("ask_embedding", asked)
        found["recall_embedding_ms"] = None if embedded is None else spread(embedded)
    found["cold_ms"] = spread(side.tell("cold", list(range(min(scopes, COLD)))))
    return found


async def serve(side: OmoideSide | ChromaSide) -> None:
    """Obey the orders on standard input, one a line."""
    for line in sys.stdin:
        order, *arguments = json.loads(line)
        match order:
            case "forget phases":
                result: Any = side.forget_phases()
            case "finish":
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                result = {**await side.finish(), "peak_mb": peak}
            case _:
                result = await getattr(side, order)(*arguments)
        print(json.dumps(result), flush=True)


def _table(figures: dict[str, Any]) -> str:
    lines = [f"{figures['memories']} memories in {figures['scopes']} scopes"]
    if "note" in figures:
        lines.append(figures["note"])
    for name in ("omoide", "chroma", *ON_POSTGRES):
        if not figures.get(name):
            continue
        lines.append(f"\n{name}")
        for key, value in figures[name].items():
            shown = value if isinstance(value, dict) else {"": value}
            parts = [f"{part} {number:,.2f}" for part, number in shown.items() if number is not None]
            lines.append(f"  {key:20} {'  '.join(parts)}")
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--scopes", type=int, default=100)
    parser.add_argument("--against", type=int, help="compare with a database of so many such scopes instead")
    parser.add_argument("--alone", action="store_true", help="without ChromaDB")
    parser.add_argument("--store", help="'postgresql', or the URL of a database on a server")
    parser.add_argument("--vectors", default="memory", help=argparse.SUPPRESS)
    parser.add_argument("--side", choices=["omoide", "chroma"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.against and given.store:
        parser.error("--against measures a file; `python -m benchmarks.postgres` measures large databases")
    return given


def _side(given: argparse.Namespace, *, per_scope: int) -> OmoideSide | ChromaSide:
    sizes = {"scopes": given.scopes, "per_scope": per_scope}
    if given.side == "chroma":
        from benchmarks.latency_chroma import ChromaSide

        return ChromaSide(given.folder, Talk(), **sizes)
    from benchmarks.latency_omoide import OmoideSide

    return OmoideSide(given.folder, Talk(), store=given.store, vectors=given.vectors, **sizes)


@contextmanager
def _on_postgres(store: str | None) -> Iterator[list[Kind]]:
    """Databases to measure, which are gone afterwards; none without a store."""
    if store is None:
        yield []
        return
    from benchmarks.postgres_server import Backends, serving

    with tempfile.TemporaryDirectory() as folder, serving(store, Path(folder)) as server:
        names = {name: f"omoide_latency_{name}" for name in ON_POSTGRES}
        try:
            yield [
                Kind(
                    name=name,
                    store=server.database(names[name]),
                    vectors=vectors,
                    backends=Backends(server, names[name]) if server.here else None,
                )
                for name, vectors in ON_POSTGRES.items()
            ]
        finally:
            for name in names.values():
                server.drop(name)


def main() -> None:
    """Measure, and print."""
    given = _arguments()
    per_scope = given.memories // given.scopes
    if given.side:
        asyncio.run(serve(_side(given, per_scope=per_scope)))
        return
    heed_signals()
    if given.against:
        figures = grown(scopes=given.scopes, against=given.against, per_scope=per_scope)
        print(json.dumps({"per_scope": per_scope, "scopes": figures}, indent=None if given.json else 2))
        return
    with_chroma = not given.alone and find_spec("chromadb") is not None
    kinds = [Kind(name="omoide"), *([Kind(name="chroma", program="chroma")] if with_chroma else [])]
    with _on_postgres(given.store) as databases:
        found = compare([*kinds, *databases], scopes=given.scopes, per_scope=per_scope)
    figures = {"memories": given.memories, "scopes": given.scopes, "chroma": None, **found}
    if not with_chroma and not given.alone:
        figures["note"] = WITHOUT_CHROMA
    print(json.dumps(figures) if given.json else _table(figures))


if __name__ == "__main__":
    main()
