r"""What extraction costs and what it brings, through the engine's own path and with any model.

    python -m benchmarks.extraction --data benchmarks/days/ko --model NAME --url http://127.0.0.1:11434/v1 \
        --store run-ko --resume --json > ko.json

The endpoint is any that speaks like OpenAI, or Anthropic's (--provider anthropic, no --url); a key comes from
OMOIDE_MODEL_KEY. A model that is slow, or a person who answers, needs --seconds 3600. --output says how the
answer's form is asked for: as a tool's arguments, natively by the server, or in the prompt.

A data folder holds messages.jsonl (conv, id, session, time, speaker, role, text) and, if questions are to be
asked, questions.jsonl (conv, id, query, evidence, category). benchmarks/days has 20 windows and 16 questions
in each of ko, ja and en. Each conversation is told exchange by exchange to a store of its own, and read by
the worker when a window is due. Then its questions are asked, with what was extracted and in a second store
without; with --limit-windows, only questions whose evidence was told by then.

With --replay in place of --model, answers that were given once are given again, from a file of the data
folder's name: `--data benchmarks/days/ko --replay tests/cases/extraction`. Tokens are our estimates then, and
those of the form are in prompt_parts only.

Progress goes to stderr, a line for each window. The store folder keeps everything: the stores, a line for
each window with its answer (windows.jsonl), and verdicts. Stop it whenever you like, by Ctrl-C or by
--limit-windows: the same command goes on with the first window that was not finished, and asks for no other
one again.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter, defaultdict
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.arguments import parser_of, print_json
from benchmarks.extraction_judge import JUDGED, Judge
from benchmarks.extraction_play import Played, played, untaught
from benchmarks.extraction_reader import Limit, Stage, Stopped, listed
from benchmarks.extraction_replay import replay
from benchmarks.recall import BLOCK_OF, Tally, ask, grouped
from benchmarks.rows import read
from benchmarks.vectors import RememberingEmbedder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

Tallies = dict[str, dict[str, Tally]]


def main() -> None:
    """Play each folder and print what was found."""
    options = _options()
    with ExitStack() as stack:
        home = options.store or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        home.mkdir(parents=True, exist_ok=True)
        if (home / "windows.jsonl").exists() and not options.resume:
            sys.exit(f"{home} holds an earlier run: go on with --resume, or take another folder")
        try:
            results, trouble = asyncio.run(_all(home, options))
        except KeyboardInterrupt:
            sys.exit("stopped; the same command with --resume goes on")
    if options.json:
        print_json(results if len(results) > 1 else results[0])
    else:
        for result in results:
            show(result)
    if trouble is not None:
        sys.exit(f"stopped early: {trouble}; --resume goes on")


def _options() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, help="a folder; may be repeated")
    parser.add_argument("--model", help="the model's name, as its server knows it")
    parser.add_argument("--replay", type=Path, help="a folder of answers, in place of a model")
    parser.add_argument("--url", help="its server, such as http://127.0.0.1:11434/v1")
    parser.add_argument("--provider", choices=["openai", "anthropic"], default="openai")
    parser.add_argument("--output", choices=["native", "tool", "prompted"], default="tool", help="see above")
    parser.add_argument(
        "--seconds", type=float, default=120.0, help="deadline of a call, and of a window; 3600 at most"
    )
    parser.add_argument("--limit-windows", type=int, help="windows to read in all, earlier runs included")
    parser.add_argument("--at-once", type=int, default=1, help="conversations played at the same time")
    parser.add_argument(
        "--store", type=Path, help="a folder that keeps everything; by default a temporary one"
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with what the store folder holds, if anything"
    )
    parser.add_argument(
        "--judge", action="store_true", help="let the model judge claims against their quotes"
    )
    parser.add_argument("--words-only", action="store_true", help="without an embedder")
    options = parser.parse_args()
    if (options.model is None) is (options.replay is None):
        parser.error("give either --model or --replay")
    return options


async def _all(home: Path, options: argparse.Namespace) -> tuple[list[dict[str, Any]], str | None]:
    embedder = None if options.words_only else RememberingEmbedder(home / "vectors.npz")
    settings = {
        "model": options.model,
        "model_url": options.url,
        "model_provider": options.provider,
        "model_output": options.output,
        "model_seconds": options.seconds,
        "window_seconds": options.seconds,
        "daily_tokens": 0,
    }
    earlier = _windows(home, None)
    limit = Limit(options.limit_windows, read=sum(one["outcome"] == "read" for one in earlier))
    stage = Stage(folder=home, settings=settings, embedder=embedder, limit=limit)
    results, trouble = [], None
    for folder in options.data:
        result, stopped = await measure(folder, _staged(stage, folder, options.replay), options)
        results.append(result)
        trouble = trouble or stopped
    if embedder is not None:
        embedder.save()
        await embedder.aclose()
    return results, trouble


def _staged(stage: Stage, folder: Path, answers: Path | None) -> Stage:
    """The stage for a folder: with a model, or with the answers that were given for it."""
    if answers is None:
        return stage
    return replace(stage, settings={"models": replay(answers / f"{folder.name}.jsonl"), "daily_tokens": 0})


async def measure(
    folder: Path, stage: Stage, options: argparse.Namespace
) -> tuple[dict[str, Any], str | None]:
    """Play a folder's conversations; returns its figures, and why it stopped early if it did."""
    asked = read(folder / "questions.jsonl") if (folder / "questions.jsonl").exists() else []
    run = _Run(stage, asked, Judge(stage.folder / "judged.jsonl") if options.judge else None)
    slots = asyncio.Semaphore(options.at_once)

    async def one(name: str, messages: Sequence[dict[str, Any]]) -> str | None:
        async with slots:
            try:
                await run.conversation(name, f"{folder.name}-{name}".replace("/", "_"), messages)
            except Stopped as stopped:
                return str(stopped)
        return None

    conversations = grouped(read(folder / "messages.jsonl"), "conv")
    stops = await asyncio.gather(*(one(name, messages) for name, messages in conversations.items()))
    return run.figures(folder.name), next((stop for stop in stops if stop), None)


class _Run:
    """The conversations of one folder, and what is counted over them."""

    def __init__(self, stage: Stage, asked: list[dict[str, Any]], judge: Judge | None) -> None:
        self._stage = stage
        self._asked = asked
        self._judge = judge
        self._names: list[str] = []
        self._messages = 0
        self._standing: Counter[str] = Counter()
        self._duplicates = 0
        self._tallies: Tallies = {"with": defaultdict(Tally), "without": defaultdict(Tally)}

    async def conversation(self, name: str, store: str, messages: Sequence[dict[str, Any]]) -> None:
        """Play one conversation, and ask its questions."""
        self._names.append(store)
        async with played(store, messages, self._stage) as found:
            self._messages += len(found.names)
            self._standing.update(memory.kind.value for memory in found.memories)
            self._duplicates += await self._same(found)
            if self._judge is not None:
                await self._judge.judge(store, found, messages)
            told = set(found.names.values())
            questions = [
                one
                for one in self._asked
                if one["conv"] == name and one["evidence"] and told.issuperset(one["evidence"])
            ]
            if not questions:
                return
            async with untaught(store, messages, self._stage, told=told) as (plain, names):
                for question in questions:
                    await ask(found.scope, question, found.names, self._tallies["with"])
                    await ask(plain, question, names, self._tallies["without"])

    async def _same(self, found: Played) -> int:
        """How many standing claims say the same as another about the same person."""
        by_subject = defaultdict(set)
        for memory in found.memories:
            if memory.kind in JUDGED:
                by_subject[memory.kind, memory.subject].add(" ".join(memory.text.split()))
        count = sum(one.kind in JUDGED for one in found.memories) - sum(map(len, by_subject.values()))
        embedder = self._stage.embedder
        if embedder is None:
            return count
        for texts in by_subject.values():
            vectors = await embedder.embed_documents(sorted(texts))
            alike = np.triu(vectors @ vectors.T >= embedder.thresholds.same, 1)
            count += int(alike.any(axis=0).sum())
        return count

    def figures(self, name: str) -> dict[str, Any]:
        """The result as it is printed."""
        windows = _windows(self._stage.folder, self._names)
        read_ones = [one for one in windows if one["outcome"] == "read"]
        kept: Counter[str] = Counter()
        dropped: Counter[str] = Counter()
        for one in read_ones:
            kept.update(one["kept"])
            dropped.update(one["dropped"])
        spent = {
            key: sum(one[key] for one in read_ones) for key in ("calls", "prompt_tokens", "answer_tokens")
        }
        covered = sum(one["messages"] for one in read_ones)
        return {
            "set": name,
            "messages": self._messages,
            "windows": len(read_ones),
            "failures": [one["failure"] for one in windows if one["failure"]],
            **spent,
            "tokens_per_1000_messages": _per_thousand(spent, covered),
            "prompt_parts": _parts(read_ones),
            "kept": dict(kept),
            "dropped": dict(dropped),
            "confirmed": kept["confirmed"],
            "replaced": kept["replaced"],
            "standing": dict(self._standing),
            "duplicates": self._duplicates,
            "recall": {which: recall_of(tallies) for which, tallies in self._tallies.items()},
            "judged": None if self._judge is None else self._judge.figures(self._names),
            "by_window": [{key: value for key, value in one.items() if key != "answer"} for one in windows],
        }


def _windows(home: Path, names: Sequence[str] | None) -> list[dict[str, Any]]:
    """The lines about the windows of some conversations, or of all."""
    file = home / "windows.jsonl"
    lines = read(file) if file.exists() else []
    return [line for line in lines if names is None or line["conversation"] in names]


def _per_thousand(spent: dict[str, int], covered: int) -> int | None:
    tokens = spent["prompt_tokens"] + spent["answer_tokens"]
    return round(tokens / covered * 1_000) if covered else None


def _parts(windows: Sequence[dict[str, Any]]) -> dict[str, int]:
    """The mean tokens of each part of a prompt, as we estimate them."""
    shown = [one["parts"] for one in windows if one["parts"]]
    return {name: round(fmean(one[name] for one in shown)) for name in shown[0]} if shown else {}


def recall_of(tallies: dict[str, Tally]) -> dict[str, Any]:
    """The share of the evidence among the first twelve messages, and in the block, by category."""
    return {
        group: {
            "questions": len(tally.recall[BLOCK_OF]),
            f"recall@{BLOCK_OF}": round(fmean(tally.recall[BLOCK_OF]), 4),
            "in_block": round(fmean(tally.in_block), 4),
        }
        for group, tally in sorted(tallies.items())
        if tally.recall[BLOCK_OF]
    }


def show(result: dict[str, Any]) -> None:
    """Print a result for people."""
    print(f"{result['set']}: {result['windows']} windows of {result['messages']} messages")
    print(
        f"  cost: {result['calls']} calls, {result['prompt_tokens']} + {result['answer_tokens']} tokens, "
        f"{result['tokens_per_1000_messages']} for 1,000 messages"
    )
    print(f"  prompt: {listed(result['prompt_parts'])}")
    print(f"  kept: {listed(result['kept'])}")
    print(f"  dropped: {listed(result['dropped'])}")
    print(f"  standing: {listed(result['standing'])}; {result['duplicates']} duplicates")
    for which, groups in result["recall"].items():
        if "all" in groups:
            found = groups["all"]
            print(f"  recall@{BLOCK_OF} {which}: {found[f'recall@{BLOCK_OF}']:.3f} of {found['questions']}")
    if result["judged"] is not None:
        print(f"  follow from their quotes: {result['judged']['follow']} of {result['judged']['claims']}")
    for failure in result["failures"]:
        print(f"  failed: {failure}")


if __name__ == "__main__":
    main()
