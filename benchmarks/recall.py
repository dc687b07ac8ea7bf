"""How much of what bears on a question is recalled, through the engine's own path.

    python -m benchmarks.recall --data FOLDER [--data FOLDER …] [--json]
    python -m benchmarks.recall --cues [--json]

A folder holds `messages.jsonl` (conv, id, session, time, speaker, text) and `questions.jsonl` (conv, id,
query, evidence, category, gold). Each conversation becomes a scope of its own, in which every message is
said by a person with a stable id; a recalled memory counts with its evidence messages, best first.
`recall@k` is the share of a question's evidence among the first k distinct messages, `hit@k` whether any of
it is there. `--cues` asks the cues that only hint, as `benchmarks.cues` does. `--store` names an empty store,
such as postgresql+psycopg://role@host/database; what compares vectors there is the setting `OMOIDE_VECTORS`.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from benchmarks import cues
from benchmarks.arguments import parser_of, print_json
from benchmarks.rows import read
from benchmarks.vectors import RememberingEmbedder
from omoide import Message, Omoide, Role

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from omoide import Recall, Scope

RECALL_AT = (5, 12, 20)
HIT_AT = (1, 10)
BLOCK_OF = 12
ADVERSARIAL = "adversarial"


@dataclass
class Tally:
    """Figures of one category."""

    recall: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    hit: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    in_block: list[float] = field(default_factory=list)


def main() -> None:
    """Measure each folder and print what was found."""
    parser = parser_of(__doc__)
    parser.add_argument("--data", type=Path, action="append", help="a folder; may be repeated")
    parser.add_argument("--cues", action="store_true", help="ask cues that only hint, with links and without")
    parser.add_argument("--store", help="a store to use; by default a new one in a temporary folder")
    parser.add_argument("--fusion", choices=["standard", "published"], default="standard")
    parser.add_argument("--vectors", type=Path, help="a file that keeps vectors for the next run")
    parser.add_argument("--words-only", action="store_true", help="without an embedder")
    options = parser.parse_args()
    if options.cues:
        cues.report(asyncio.run(cues.measure(cues.FILES, options.vectors)), as_json=options.json)
        return
    if not options.data:
        parser.error("name a folder by --data, or ask for --cues")
    results = [asyncio.run(measure(folder, options)) for folder in options.data]
    if options.json:
        print_json(results if len(results) > 1 else results[0])
        return
    for result in results:
        show(result)


async def measure(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Fill a store with a folder's conversations and ask its questions."""
    said, asked = read(folder / "messages.jsonl"), read(folder / "questions.jsonl")
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        settings = {"master_key_file": home / "master.key", "fusion": options.fusion}
        embedder = None if options.words_only else RememberingEmbedder(options.vectors)
        if embedder is None:
            settings["embedder"] = "none"
        store = options.store or home / "benchmark.db"
        async with Omoide.open(store, embedder=embedder, **settings) as omoide:
            tallies: dict[str, Tally] = defaultdict(Tally)
            for name, messages in grouped(said, "conv").items():
                scope = omoide.scope(user=f"{folder.name}/{name}", character="listener")
                names = await fill(scope, messages)
                for question in asked:
                    if question["conv"] == name and question["evidence"]:
                        await ask(scope, question, names, tallies)
        if embedder is not None:
            embedder.save()
    return figures(folder.name, tallies)


async def fill(scope: Scope, messages: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Tell a scope what was said; returns the name in the data of each message's id."""
    names: dict[str, str] = {}
    for session, spoken in grouped(messages, "session").items():
        kept = [message for message in spoken if message["text"].strip()]
        recorded = await scope.observe(
            messages=[
                Message(role=Role.USER, speaker=line["speaker"], text=line["text"], at=instant(line["time"]))
                for line in kept
            ],
            session=str(session),
        )
        names.update(zip(recorded.messages, (message["id"] for message in kept), strict=True))
    await scope.vectorise()
    return names


async def ask(
    scope: Scope, question: dict[str, Any], names: dict[str, str], tallies: dict[str, Tally]
) -> None:
    """Ask one question, once for each number of memories, and count what came of its evidence."""
    evidence, category = set(question["evidence"]), question["category"]
    listed, in_block = {}, 0.0
    for k in sorted({*RECALL_AT, *HIT_AT}):
        recall = await scope.recall(question["query"], limit=k, rehearse=False)
        if recall.degraded:
            msg = f"a recall should have all that it needs, but {recall.degraded}"
            raise RuntimeError(msg)
        listed[k] = distinct(
            names[quote.message] for recalled in recall.memories for quote in recalled.memory.evidence
        )
        if k == BLOCK_OF:
            in_block = share(evidence, recalled_in_block(recall, names))
    for group in [category] if category == ADVERSARIAL else [category, "all"]:
        tally = tallies[group]
        for k in HIT_AT:
            tally.hit[k].append(float(bool(evidence & set(listed[k][:k]))))
        if question.get("gold") != "weak":
            for k in RECALL_AT:
                tally.recall[k].append(share(evidence, listed[k][:k]))
            tally.in_block.append(in_block)


def share(evidence: set[str], found: Iterable[str]) -> float:
    """How much of the evidence was found."""
    return len(evidence & set(found)) / len(evidence)


def recalled_in_block(recall: Recall, names: dict[str, str]) -> list[str]:
    """The messages whose memories stand in the block of the default size."""
    return [
        names[quote.message]
        for recalled in recall.memories
        if recalled.in_block
        for quote in recalled.memory.evidence
    ]


def figures(name: str, tallies: dict[str, Tally]) -> dict[str, Any]:
    """The result as it is printed."""
    everything = tallies["all"]
    return {
        "set": name,
        "questions": len(everything.hit[HIT_AT[0]]),
        "recall": {
            group: {str(k): round(fmean(tally.recall[k]), 4) for k in RECALL_AT}
            for group, tally in sorted(tallies.items())
            if tally.recall
        },
        "hit": {
            group: {str(k): round(fmean(tally.hit[k]), 4) for k in HIT_AT}
            for group, tally in sorted(tallies.items())
        },
        "recall_in_block": {
            group: round(fmean(tally.in_block), 4)
            for group, tally in sorted(tallies.items())
            if tally.in_block
        },
    }


def show(result: dict[str, Any]) -> None:
    """Print a result for people."""
    print(f"{result['set']}: {result['questions']} questions")
    for group, hits in result["hit"].items():
        parts = [f"hit@{k} {value:.3f}" for k, value in hits.items()]
        parts += [f"recall@{k} {value:.3f}" for k, value in result["recall"].get(group, {}).items()]
        if group in result["recall_in_block"]:
            parts.append(f"in the block {result['recall_in_block'][group]:.3f}")
        print(f"  {group:14} {'  '.join(parts)}")


def grouped(rows: Iterable[dict[str, Any]], key: str) -> dict[Any, list[dict[str, Any]]]:
    """Rows by the value of a key, in the order in which the values come."""
    found: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row[key], []).append(row)
    return found


def distinct(names: Iterable[str]) -> list[str]:
    """Each name once, where it comes first."""
    return list(dict.fromkeys(names))


def instant(written: str | None) -> datetime | None:
    """A time of the data, which tells no zone."""
    return None if written is None else datetime.fromisoformat(written).replace(tzinfo=UTC)


if __name__ == "__main__":
    main()
