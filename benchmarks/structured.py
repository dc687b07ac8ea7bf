"""How fast structured and hybrid search are, beside the same filters as plain SQL on the same file.

    python -m benchmarks.structured --memories 1000,10000,100000 [--json]

Plain SQL is sqlite3 and a statement by hand, of two the faster one: over the tables of memories, or over the
copies that Omoide keeps for search. It fetches the rows and stops there, and nothing is unsealed. It knows no
meaning, so beside a hybrid search it fetches the numbers of all that passes, and as many of the rows as are
asked for. Both sides take turns. Vectors are made beforehand, and the query's is handed over.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.arguments import parser_of
from benchmarks.latency_omoide import TableEmbedder
from benchmarks.structured_life import live, place
from benchmarks.talk import Talk
from omoide import Omoide
from omoide.domain.query import USUAL
from omoide.stores.lookups import place_tag

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractAsyncContextManager

    from omoide import Scope
    from omoide.domain.query import Filters

ROUNDS = 40
_WARM = 3
FACTOR, PLUS_MS = 2.0, 0.5
"""The bar: at most so many times plain SQL, and so many milliseconds more (ruling 33)."""

PUBLISHED_MS = {1_000: (5.0, 10.0), 10_000: (10.0, 20.0), 100_000: (30.0, 50.0)}
"""Published figures by memories: structured, and with vectors (K11)."""

PUBLISHED_MEMORIES = 55_845
PUBLISHED_MB = {"words_and_values": 31.0, "vectors": 170.0}
SISTERS = 3

_GROUPS = {
    "words_and_values": (
        "memories",
        "memory_scopes",
        "scores",
        "events",
        "participants",
        "memory_people",
        "observations",
        "links",
    ),
    "postings": ("postings",),
    "vectors": ("vectors",),
}
_LIMIT = USUAL


@dataclass(frozen=True, slots=True)
class Case:
    """A search as it is asked of Omoide, and by hand.

    `joins`, `where` and `order` are SQL over `v`, the row with a memory's values; they take `values`.
    """

    name: str
    filters: Filters
    where: str
    order: str
    values: tuple[object, ...]
    joins: str = ""
    text: bool = False


_SCORE = "JOIN scores s ON s.memory_id = {id} AND s.name = 'frustration' AND s.value > 7"
_EVENT = "JOIN events e ON e.id = v.event_id"


def cases(tag: bytes, category: bytes) -> list[Case]:
    """What is asked; `tag` blinds the place, `category` the kind of event."""
    frustrated: Filters = {"emotion": {"frustration": ">7"}}
    young = "v.age >= 5 AND v.age < 8"
    every = "v.importance >= 1"
    return [
        Case(
            "ages 5-7, a place, frustration > 7",
            {"age": (5, 7), "place": place(3), **frustrated, "order": "-frustration"},
            f"{young} AND v.place_tag = ?",
            "s.value DESC",
            (tag,),
            _SCORE,
        ),
        Case("ages 5-7 by age", {"age": "5..7", "order": "age"}, young, "v.age", ()),
        Case(
            "frustration > 7, most first",
            {**frustrated, "order": "-frustration"},
            "1",
            "s.value DESC",
            (),
            _SCORE,
        ),
        Case(
            "400 days, lived, important",
            {"absolute_day": (1000, 1400), "layer": "direct", "importance": ">=6", "order": "-importance"},
            "v.absolute_day BETWEEN 1000 AND 1400 AND v.layer = 'direct' AND v.importance >= 6",
            "v.importance DESC",
            (),
        ),
        Case(
            "a kind of event, sure, by day",
            {"category": "category 3", "confidence": ">=8", "order": "day"},
            "e.category_tag = ? AND v.confidence >= 8",
            "v.at",
            (category,),
            _EVENT,
        ),
        Case(
            "all, by importance",
            {"importance": "1..", "order": "-importance"},
            every,
            "v.importance DESC",
            (),
        ),
        Case("text, ages 5-7", {"age": (5, 7)}, young, "", (), text=True),
        Case("text, a place", {"place": place(3)}, "v.place_tag = ?", "", (tag,), text=True),
        Case("text, all", {"importance": "1.."}, every, "", (), text=True),
    ]


def by_hand(case: Case) -> list[str]:
    """The statement over the memories themselves, and over the copies for search."""
    rest = f"ORDER BY {case.order} LIMIT {_LIMIT}" if case.order else ""
    passes = f"v.status = 'confirmed' AND (v.valid_until IS NULL OR v.valid_until > 0) AND {case.where}"
    over_memories = f"""SELECT {"v.*" if case.order else "v.id"}
        FROM memory_scopes ms JOIN memories v ON v.id = ms.memory_id {case.joins.format(id="v.id")}
        WHERE ms.scope_id = ? AND {passes} {rest}"""
    over_copies = f"""SELECT {"m.*" if case.order else "v.memory_id"}
        FROM memory_scopes v {"JOIN memories m ON m.id = v.memory_id" if case.order else ""}
        {case.joins.format(id="v.memory_id")} WHERE v.scope_id = ? AND {passes} {rest}"""
    return [over_memories, over_copies]


async def compare(memories: int) -> dict[str, Any]:
    """Medians of both sides for a character with so many memories."""
    talk, embedder = Talk(), TableEmbedder()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.db"
        async with _opened(file, embedder) as omoide:
            scope = await live(omoide, "hana", embedder, talk, memories=memories)
            await omoide.run(omoide.store.database.scrub)
            row = omoide.store.meet(None, "hana")
            with omoide.store.read(row) as unit:
                category = omoide.store.events(unit.connection).category_tag("category 3")
            question = talk.question(1, 1)
            embedder.asked = question.vector
            connection = sqlite3.connect(file)
            connection.execute("PRAGMA cache_size=-16000")
            connection.execute("PRAGMA temp_store=MEMORY")
            found = []
            for case in cases(place_tag(row, place(3)), category):
                text = question.text if case.text else None
                found.append(await _measure(scope, case, text, connection, row.id))
            connection.close()
    bars = PUBLISHED_MS.get(memories, (None, None))
    for figures in found:
        figures["bar_ms"] = FACTOR * figures["plain_ms"] + PLUS_MS
        figures["published_ms"] = bars[1 if figures["hybrid"] else 0]
        figures["met"] = figures["omoide_ms"] <= min(
            bar for bar in (figures["bar_ms"], figures["published_ms"]) if bar is not None
        )
    return {"memories": memories, "searches": found}


def _opened(file: Path, embedder: TableEmbedder) -> AbstractAsyncContextManager[Omoide]:
    """An engine that does nothing by itself."""
    return Omoide.open(file, embedder=embedder, master_key_file=file.with_name("key"), worker=False)


async def _measure(
    scope: Scope, case: Case, text: str | None, connection: sqlite3.Connection, number: int
) -> dict[str, Any]:
    hands = by_hand(case)
    tries = [min(_by_hand(connection, hand, case, number)[0] for _ in range(_WARM)) for hand in hands]
    faster = hands[tries.index(min(tries))]
    ours: list[float] = []
    theirs: list[float] = []
    count = 0
    for _ in range(_WARM + ROUNDS):
        began = time.perf_counter()
        count = len(await scope.search(text, **case.filters))
        ours.append((time.perf_counter() - began) * 1000)
        took, found = _by_hand(connection, faster, case, number)
        theirs.append(took)
        if found != count:
            msg = f"both sides should find the same for {case.name!r}, got {count} and {found}"
            raise RuntimeError(msg)
    return {
        "search": case.name,
        "hybrid": case.text,
        "found": count,
        "omoide_ms": statistics.median(ours[_WARM:]),
        "plain_ms": statistics.median(theirs[_WARM:]),
    }


def _by_hand(connection: sqlite3.Connection, statement: str, case: Case, number: int) -> tuple[float, int]:
    """Milliseconds, and how many rows were brought."""
    began = time.perf_counter()
    rows = connection.execute(statement, (number, *case.values)).fetchall()
    if case.text:
        chosen = [row[0] for row in rows[:_LIMIT]]
        marks = ",".join("?" * len(chosen))
        rows = connection.execute(f"SELECT * FROM memories WHERE id IN ({marks})", chosen).fetchall()
    return (time.perf_counter() - began) * 1000, len(rows)


async def weigh(memories: int, characters: Sequence[str]) -> dict[str, Any]:
    """Megabytes that so many memories of some characters take, by what they are for."""
    talk, embedder = Talk(), TableEmbedder()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.db"
        async with _opened(file, embedder) as omoide:
            for character in characters:
                await live(omoide, character, embedder, talk, memories=memories // len(characters))
            await omoide.run(omoide.store.database.scrub)
        parts = _megabytes(file)
    return {"memories": memories, "characters": len(characters), "mb": parts}


def _megabytes(file: Path) -> dict[str, float]:
    tables = {table: group for group, members in _GROUPS.items() for table in members}
    found = dict.fromkeys((*_GROUPS, "rest"), 0.0)
    connection = sqlite3.connect(file)
    rows = connection.execute(
        "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_master USING (name) GROUP BY tbl_name"
    ).fetchall()
    connection.close()
    for table, size in rows:
        found[tables.get(table, "rest")] += size / 1e6
    return found


def _table(figures: dict[str, Any]) -> str:
    lines = []
    for size in figures["sizes"]:
        lines.append(f"\n{size['memories']:,} memories of one character; medians in milliseconds")
        lines.append(f"  {'':38}{'omoide':>9}{'plain SQL':>11}{'bar':>9}{'published':>11}  found")
        for one in size["searches"]:
            published = "-" if one["published_ms"] is None else f"{one['published_ms']:.0f}"
            kept = "" if one["met"] else "  over"
            lines.append(
                f"  {one['search']:38}{one['omoide_ms']:9.2f}{one['plain_ms']:11.2f}{one['bar_ms']:9.2f}"
                f"{published:>11}{one['found']:7}{kept}"
            )
    for weight in figures["bytes"]:
        parts = ", ".join(f"{name.replace('_', ' ')} {size:.1f}" for name, size in weight["mb"].items())
        lines.append(f"\n{weight['memories']:,} memories of {weight['characters']} characters in MB: {parts}")
    if figures["bytes"]:
        lines.append("published for 55,845: 31 MB, and 170 MB of vectors; it counts three characters thrice")
    return "\n".join(lines)


async def _figures(sizes: Sequence[int], *, weights: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"sizes": [], "bytes": []}
    for size in sizes:
        print(f"{size} memories", file=sys.stderr)
        found["sizes"].append(await compare(size))
    if weights:
        sisters = ("hana", "rin", "mio")
        for memories in (PUBLISHED_MEMORIES // SISTERS, PUBLISHED_MEMORIES):
            print(f"bytes of {memories} memories", file=sys.stderr)
            found["bytes"].append(await weigh(memories, sisters))
    return found


def main() -> None:
    """Measure, and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--memories", default="1000,10000,100000", help="sizes, apart by commas")
    parser.add_argument("--no-bytes", action="store_true", help="leave out what memories weigh")
    given = parser.parse_args()
    sizes = [int(size) for size in given.memories.split(",")]
    figures = asyncio.run(_figures(sizes, weights=not given.no_bytes))
    print(json.dumps(figures) if given.json else _table(figures))


if __name__ == "__main__":
    main()
