"""Whether off-topic messages stay without memories, and on-topic ones keep theirs (ruling 35).

    python -m benchmarks.emptiness --data tests/cases/topics_ko.jsonl [--data …] [--json]

A file holds a header (language, user, character), memories (id, user, reply), on-topic messages (on,
expects) and off-topic ones (off, hard). The engine is asked twice: as it is, and with its gate held open, so
that a lost hit is one that only the gate took away.
"""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.arguments import parser_of, print_json
from benchmarks.rows import read
from benchmarks.vectors import RememberingEmbedder
from omoide import Omoide

if TYPE_CHECKING:
    from omoide import Recall, Scope
    from omoide.domain.embedding import Thresholds


class OpenGate(RememberingEmbedder):
    """The local embedder with a gate that lets everything in."""

    @property
    def thresholds(self) -> Thresholds:
        """Those of the local embedder, without a bar."""
        return replace(super().thresholds, gate=None, relevant=-1.0)


def main() -> None:
    """Measure each file and print what was found."""
    parser = parser_of(__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--list", action="store_true", help="name the messages that went wrong")
    options = parser.parse_args()
    results = [asyncio.run(measure(path)) for path in options.data]
    if options.json:
        print_json(results)
        return
    for result in results:
        print(
            f"{result['set']}: {result['off_empty']:.0%} of {result['off']} off-topic messages empty "
            f"({result['hard_empty']:.0%} of the hard ones), "
            f"{result['lost']:.1%} of {result['hits']} hits lost"
        )
        if options.list:
            print("  kept:", *result["kept_messages"], sep="\n    ")
            print("  lost:", *result["lost_messages"], sep="\n    ")


async def measure(path: Path) -> dict[str, Any]:
    """Tell one scope the memories, and ask it everything, with the gate and without."""
    rows = read(path)
    header, messages = rows[0], [row for row in rows if "on" in row or "off" in row]
    with tempfile.TemporaryDirectory() as folder:
        closed = await answers(Path(folder) / "closed", rows, RememberingEmbedder(None))
        opened = await answers(Path(folder) / "open", rows, OpenGate(None))
    off = [row for row in messages if "off" in row]
    kept = [row for row in off if closed[row["off"]]]
    hits = [row for row in messages if "on" in row and opened[row["on"]] & set(row["expects"])]
    lost = [row for row in hits if not closed[row["on"]]]
    hard = [row for row in off if row.get("hard")]
    return {
        "set": path.stem,
        "language": header["language"],
        "off": len(off),
        "off_empty": 1 - len(kept) / len(off),
        "hard_empty": 1 - sum(bool(closed[row["off"]]) for row in hard) / max(1, len(hard)),
        "hits": len(hits),
        "lost": len(lost) / max(1, len(hits)),
        "kept_messages": [row["off"] for row in kept],
        "lost_messages": [row["on"] for row in lost],
    }


async def answers(
    folder: Path, rows: list[dict[str, Any]], embedder: RememberingEmbedder
) -> dict[str, set[str]]:
    """For each message the ids of the memories that came back."""
    header = rows[0]
    await asyncio.to_thread(folder.mkdir)
    async with Omoide.open(folder / "x.db", embedder=embedder, master_key_file=folder / "key") as omoide:
        scope = omoide.scope(user=header["user"], character=header["character"])
        named = await tell(scope, rows)
        found: dict[str, set[str]] = {}
        for row in rows:
            message = row.get("on") or row.get("off")
            if message:
                found[message] = ids(await scope.recall(message), named)
        return found


async def tell(scope: Scope, rows: list[dict[str, Any]]) -> dict[str, str]:
    """Observe each memory's exchange; returns the memory's id in the file by message."""
    named: dict[str, str] = {}
    for row in rows:
        if "id" in row:
            recorded = await scope.observe(row["user"], row["reply"], session=row["id"])
            named.update(dict.fromkeys(recorded.messages, row["id"]))
    await scope.vectorise()
    return named


def ids(recall: Recall, named: dict[str, str]) -> set[str]:
    """The ids in the file of what came back."""
    return {named[quote.message] for one in recall.memories for quote in one.memory.evidence}


if __name__ == "__main__":
    main()
