"""How fast Omoide writes and recalls, beside ChromaDB on the same data and in the same run.

    python -m benchmarks.latency --memories 100000 --scopes 100 [--json]

Vectors are made beforehand and handed to both; their making is never timed. Each side is a process of its
own, so that its peak memory is its own; they take turns, so that the noise of the machine hits both.
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
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.talk import Talk

if TYPE_CHECKING:
    from benchmarks.latency_chroma import ChromaSide
    from benchmarks.latency_omoide import OmoideSide

ROUNDS = 5
QUESTIONS = 80
"""Recalls in one round."""
WRITES = 20
"""Single writes in one round."""
COLD = 20
"""Scopes whose first recall is timed."""
WITHOUT_CHROMA = "chromadb is not installed: pip install chromadb, and run this again to see it beside Omoide"


class Side:
    """The process of one side: does what it is told, line by line."""

    def __init__(self, name: str, folder: str, *, scopes: int, per_scope: int) -> None:
        command = [sys.executable, "-m", "benchmarks.latency", "--side", name, "--folder", folder]
        command += ["--memories", str(scopes * per_scope), "--scopes", str(scopes)]
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

    def end(self) -> None:
        """Let the process end."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()


def compare(names: list[str], *, scopes: int, per_scope: int) -> dict[str, dict[str, Any]]:
    """The figures of each side, which take turns."""
    with tempfile.TemporaryDirectory() as folder:
        sides = {}
        for name in names:
            (Path(folder) / name).mkdir()
            sides[name] = Side(name, str(Path(folder) / name), scopes=scopes, per_scope=per_scope)
        figures: dict[str, dict[str, Any]] = {name: side.tell("fill") for name, side in sides.items()}
        for side in sides.values():
            side.tell("ask", [(scope, 1) for scope in range(scopes)])
            side.tell("forget phases")
        recalls, writes = _rounds(sides, scopes=scopes, per_scope=per_scope)
        for name, side in sides.items():
            figures[name] |= {"recall_ms": _spread(recalls[name]), "write_ms": _spread(writes[name])}
            figures[name] |= _besides(name, side, scopes=scopes, per_scope=per_scope)
            figures[name] |= side.tell("finish")
            side.end()
    return figures


def grown(*, scopes: int, against: int, per_scope: int) -> dict[str, Any]:
    """Recall in the same scopes of a small database, and of the large one that it grows into."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        side = Side("omoide", folder, scopes=against, per_scope=per_scope)
        for first, end in ((0, scopes), (scopes, against)):
            side.tell("fill", list(range(first, end)))
            side.tell("ask", [(scope, 1) for scope in range(scopes)])
            recalls, writes = _rounds({"omoide": side}, scopes=scopes, per_scope=per_scope)
            figures[str(end)] = {
                "recall_ms": _spread(recalls["omoide"]),
                "write_ms": _spread(writes["omoide"]),
            }
        side.end()
    return figures


def _rounds(
    sides: dict[str, Side], *, scopes: int, per_scope: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    dice = np.random.default_rng(11)
    recalls: dict[str, list[float]] = {name: [] for name in sides}
    writes: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        asked = dice.integers((scopes, per_scope), size=(QUESTIONS, 2)).tolist()
        places = dice.integers(scopes, size=WRITES).tolist()
        for name, side in sides.items():
            recalls[name] += side.tell("ask", asked)
        for name, side in sides.items():
            writes[name] += side.tell("write", places)
    return recalls, writes


def _besides(name: str, side: Side, *, scopes: int, per_scope: int) -> dict[str, Any]:
    dice = np.random.default_rng(12)
    found: dict[str, Any] = {}
    if name == "omoide":
        asked = dice.integers((scopes, per_scope), size=(QUESTIONS, 2)).tolist()
        embedded = side.tell("ask_embedding", asked)
        found["recall_embedding_ms"] = None if embedded is None else _spread(embedded)
    found["cold_ms"] = _spread(side.tell("cold", list(range(min(scopes, COLD)))))
    return found


def _spread(took: list[float]) -> dict[str, float]:
    return {"p50": statistics.median(took), "p95": float(np.percentile(took, 95))}


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
    for name in ("omoide", "chroma"):
        side = figures[name]
        if side is None:
            lines.append(figures["note"])
            continue
        lines.append(f"\n{name}")
        for key, value in side.items():
            shown = value if isinstance(value, dict) else {"": value}
            parts = [f"{part} {number:,.2f}" for part, number in shown.items() if number is not None]
            lines.append(f"  {key:20} {'  '.join(parts)}")
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--scopes", type=int, default=100)
    parser.add_argument("--against", type=int, help="compare with a database of so many such scopes instead")
    parser.add_argument("--alone", action="store_true", help="without ChromaDB")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--side", choices=["omoide", "chroma"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _side(name: str, folder: Path, *, scopes: int, per_scope: int) -> OmoideSide | ChromaSide:
    if name == "chroma":
        from benchmarks.latency_chroma import ChromaSide  # noqa: PLC0415 - an extra

        return ChromaSide(folder, Talk(), scopes=scopes, per_scope=per_scope)
    from benchmarks.latency_omoide import OmoideSide  # noqa: PLC0415 - so that the other side's memory is its own

    return OmoideSide(folder, Talk(), scopes=scopes, per_scope=per_scope)


def main() -> None:
    """Measure, and print."""
    given = _arguments()
    per_scope = given.memories // given.scopes
    if given.side:
        asyncio.run(serve(_side(given.side, given.folder, scopes=given.scopes, per_scope=per_scope)))
        return
    if given.against:
        figures = grown(scopes=given.scopes, against=given.against, per_scope=per_scope)
        print(json.dumps({"per_scope": per_scope, "scopes": figures}, indent=None if given.json else 2))
        return
    with_chroma = not given.alone and find_spec("chromadb") is not None
    names = ["omoide", "chroma"] if with_chroma else ["omoide"]
    found = compare(names, scopes=given.scopes, per_scope=per_scope)
    figures = {"memories": given.memories, "scopes": given.scopes, "chroma": None, **found}
    if not with_chroma:
        figures["note"] = WITHOUT_CHROMA
    print(json.dumps(figures) if given.json else _table(figures))


if __name__ == "__main__":
    main()
