"""Whether memories come at cues that only hint at them, with links between memories and without (K8).

    python -m benchmarks.cues [--data FILE …] [--json]

A file holds a header (language, user, character), memories, and cues with the memories that should come.
A memory is a note as extraction leaves it (text, people, place, scores), or an exchange (session, user,
reply, feeling). The cues in odd places, counted from 1, were looked at while weights were chosen; those in
even places were held out.
"""

from __future__ import annotations

import asyncio
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from benchmarks.arguments import parser_of, print_json
from benchmarks.rows import read
from benchmarks.vectors import Lent, RememberingEmbedder
from omoide import Message, Omoide, Role
from omoide.domain.affect import Feeling
from omoide.retain.noted import Noted

if TYPE_CHECKING:
    from omoide import Memory, Scope

HIT_AT = (1, 3, 5, 12)
FILES = sorted((Path(__file__).parent.parent / "tests" / "cases" / "cues").glob("*.jsonl"))
_BEGAN = datetime(2026, 1, 5, 9, tzinfo=UTC)


def main() -> None:
    """Measure each file and print what was found."""
    parser = parser_of(__doc__)
    parser.add_argument("--data", type=Path, action="append", help="a file; may be repeated")
    parser.add_argument("--vectors", type=Path, help="a file that keeps vectors for the next run")
    parser.add_argument("--list", action="store_true", help="show for each cue where its memory stood")
    options = parser.parse_args()
    results = asyncio.run(measure(options.data or FILES, options.vectors))
    report(results, as_json=options.json, every=options.list)


def report(results: list[dict[str, Any]], *, as_json: bool, every: bool = False) -> None:
    """Print results as JSON or for people."""
    if as_json:
        print_json(results)
        return
    for result in results:
        show(result, every=every)


async def measure(files: list[Path], vectors: Path | None) -> list[dict[str, Any]]:
    """Ask every file's cues with links and without; the last result is of all files together."""
    embedder = RememberingEmbedder(vectors)
    places = []
    for path in files:
        rows = read(path)
        places.append({linked: await asked(rows, embedder, links=linked) for linked in (False, True)})
    embedder.save()
    await embedder.aclose()
    results = [figures(path.stem, [found]) for path, found in zip(files, places, strict=True)]
    return [*results, figures("all", places)]


async def asked(rows: list[dict[str, Any]], embedder: RememberingEmbedder, *, links: bool) -> dict[str, Any]:
    """For each cue the place at which its memory came, from 0; None where it did not come."""
    header = rows[0]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        own = Lent(embedder)
        async with Omoide.open(
            home / "x.db", embedder=own, master_key_file=home / "key", links=links
        ) as omoide:
            scope = omoide.scope(user=header["user"], character=header["character"])
            names = await tell(scope, rows)
            found: dict[str, Any] = {}
            for row in rows:
                if "cue" in row:
                    found[row["cue"]] = await place(scope, row, names)
    return found


async def place(scope: Scope, row: dict[str, Any], names: dict[str, str]) -> dict[str, int | None]:
    """Where a cue's memory stands, by how many memories may come."""
    places: dict[str, int | None] = {}
    for k in HIT_AT:
        recall = await scope.recall(row["cue"], limit=k, rehearse=False)
        listed = [
            next(names[made] for made in (one.memory.id, *said(one.memory)) if made in names)
            for one in recall.memories
        ]
        places[str(k)] = next((at for at, name in enumerate(listed) if name in row["expects"]), None)
    return places


def said(memory: Memory) -> list[str]:
    """The messages that a memory rests on."""
    return [quote.message for quote in memory.evidence]


async def tell(scope: Scope, rows: list[dict[str, Any]]) -> dict[str, str]:
    """Write the memories, a day apart; returns their names in the file by memory or message id."""
    names: dict[str, str] = {}
    day = _BEGAN
    for row in rows:
        if "session" in row:
            recorded = await scope.observe(session=row["session"], messages=exchange(row, day))
            names.update(dict.fromkeys(recorded.messages, row["id"]))
            day += timedelta(minutes=1)
        elif "text" in row:
            day += timedelta(days=1)
            (made,) = await scope.remember_all([note(row, day)])
            names[made] = row["id"]
    await scope.vectorise()
    return names


def note(row: dict[str, Any], at: datetime) -> Noted:
    """A memory as extraction leaves it."""
    return Noted(
        text=row["text"],
        at=at,
        importance=row.get("importance", 4),
        involved=tuple(row.get("people", ())),
        place=row.get("place"),
        scores=row.get("scores"),
    )


def exchange(row: dict[str, Any], at: datetime) -> list[Message]:
    """What was said, with what is known of the feeling."""
    felt = row.get("feeling")
    feeling = None if felt is None else Feeling(emotion=felt[0], intensity=felt[1])
    return [
        Message(role=Role.USER, text=row["user"], at=at, feeling=feeling),
        Message(role=Role.CHARACTER, text=row["reply"], at=at),
    ]


def figures(name: str, places: list[dict[bool, dict[str, Any]]]) -> dict[str, Any]:
    """The result as it is printed: hits with links and without, over all cues and each half."""
    result: dict[str, Any] = {"set": name}
    for linked in (False, True):
        cues = [(at, found) for one in places for at, found in enumerate(one[linked].values(), 1)]
        halves = {
            "all": [found for _, found in cues],
            "tuned on": [found for at, found in cues if at % 2],
            "held out": [found for at, found in cues if not at % 2],
        }
        result["with" if linked else "without"] = {
            half: {str(k): round(fmean(found[str(k)] is not None for found in kept), 4) for k in HIT_AT}
            for half, kept in halves.items()
        }
    result["cues"] = sum(len(one[True]) for one in places)
    if len(places) == 1:
        result["places"] = {
            cue: [places[0][linked][cue][str(HIT_AT[-1])] for linked in (False, True)]
            for cue in places[0][True]
        }
    return result


def show(result: dict[str, Any], *, every: bool) -> None:
    """Print a result for people."""
    print(f"{result['set']}: {result['cues']} cues")
    for way in ("without", "with"):
        for half, hits in result[way].items():
            told = "  ".join(f"hit@{k} {value:.3f}" for k, value in hits.items())
            print(f"  {way:8} {half:9} {told}")
    for cue, (without, with_links) in result.get("places", {}).items() if every else ():
        print(f"    {without!s:>5} {with_links!s:>5}  {cue}")


if __name__ == "__main__":
    main()
