"""A large store on PostgreSQL: recalls, writes and vector searches in scopes of very different sizes.

    python -m benchmarks.postgres --memories 1000000 --scopes 1000 --folder run [--json]
    python -m benchmarks.postgres --store postgresql+psycopg://role@host/database --folder run [--json]

Beside it, in the same database and with the same messages and vectors, stands what is published: one table
with text, tsvector and vector, a GIN and one graph (HNSW) over all scopes, asked by one statement.

Without a store a server is started from a wheel, over data in the folder. The folder also keeps the keys.
Filling goes on where an earlier run stopped, and is left out where it is done; without a folder nothing is
kept. Vectors are made beforehand; embedding is never timed. Times are milliseconds: medians as waited for
(`p50`, `p95`), and means of the CPU of this process (`cpu`) and of the server's processes (`server`), which a
busy machine disturbs less. `recall@20` of a search is the share of the true nearest 20 of the scope, by the
vectors in full precision.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from benchmarks import postgres_plain
from benchmarks.arguments import parser_of
from benchmarks.ending import children_ended, heed_signals
from benchmarks.postgres_engine import EngineSide
from benchmarks.postgres_measure import Place, measure
from benchmarks.postgres_server import WHEEL, serving
from benchmarks.postgres_shape import CLASSES, Shape
from benchmarks.postgres_sizes import settle, table_bytes
from benchmarks.talk import Talk

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

    from benchmarks.postgres_shape import Turn

T = TypeVar("T")

DATABASE = "omoide_scale"
TELLING = 30.0
"""Seconds between lines that tell how far a process has come."""

NO_GRAPH = "the plain table has no graph: its rows are more than --no-hnsw-above allows"


async def _prepare(place: Place) -> None:
    async with EngineSide.open(place.store, place.folder, vectors="pgvector"):
        pass


async def _fill(place: Place, shape: Shape, scopes: list[int]) -> int:
    talk = Talk()
    async with EngineSide.open(place.store, place.folder, vectors="pgvector") as side:
        await side.complete(talk, scopes)
        turns = shape.turns(scopes, done={scope: side.held(scope) for scope in scopes})
        return await side.fill(talk, _telling(turns))


def fill_engine(place: Place, shape: Shape, scopes: list[int]) -> int:
    """Fill some scopes of the engine's; how many messages came."""
    return asyncio.run(_fill(place, shape, scopes))


def fill_plain(place: Place, shape: Shape, scopes: list[int]) -> int:
    """Fill some scopes of the plain table; how many messages came."""
    return postgres_plain.fill(place.store, Talk(), _telling(shape.turns(scopes, done={})))


def _telling(turns: Iterable[Turn]) -> Iterator[Turn]:
    """The same turns; how far a process has come is told now and then."""
    came, began = 0, time.perf_counter()
    told = began
    for turn in turns:
        yield turn
        came += turn.end - turn.start
        if time.perf_counter() - told > TELLING:
            told = time.perf_counter()
            _tell(f"{came:,} messages, {came / (told - began):,.0f} a second in this process")


def side_by_side(function: Callable[[list[int]], int], shape: Shape, *, processes: int) -> dict[str, float]:
    """Fill parts of the scopes in processes of their own; what that took."""
    began = time.perf_counter()
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawn) as pool, children_ended():
        count = sum(pool.map(function, shape.parts(processes)))
    seconds = time.perf_counter() - began
    return {"messages": count, "seconds": round(seconds, 1), "per_s": round(count / seconds, 1)}


def alone(function: Callable[[], T]) -> T:
    """Run something in a process of its own, which heeds the environment from its start."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool, children_ended():
        return pool.submit(function).result()


def run(place: Place, shape: Shape, given: argparse.Namespace) -> dict[str, Any]:
    """Fill what is not filled, and measure."""
    memories = sum(shape.sizes)
    plain_graph = given.no_hnsw_above is None or memories <= given.no_hnsw_above
    asyncio.run(_prepare(place))
    _tell("filling the engine's store")
    filled = side_by_side(partial(fill_engine, place, shape), shape, processes=given.processes)
    figures: dict[str, Any] = {"memories": memories, "scopes": given.scopes, "fill": filled}
    _tell(f"filled with {filled['messages']:,} messages in {filled['seconds']} s; filling the plain table")
    if postgres_plain.begin(place.store, memories=memories):
        figures["plain_fill"] = side_by_side(
            partial(fill_plain, place, shape), shape, processes=given.processes
        )
    _tell("making the plain table's indexes")
    figures["plain"] = postgres_plain.index(place.store, memories=memories, graph=plain_graph)
    settle(place.store)
    figures["bytes_per_memory"] = {
        table: round(size / memories, 1)
        for table, size in table_bytes(place.store).items()
        if size >= memories
    }
    if not plain_graph:
        figures["note"] = NO_GRAPH
    if not given.fill_only:
        _tell("measuring")
        asked = partial(measure, place, shape, graphs=given.graphs, plain_graph=plain_graph)
        figures["classes"] = {
            name: {"scopes": len(shape.classes[name]), "size": shape.size(name), **found}
            for name, found in alone(asked).items()
        }
    return figures


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def _table(figures: dict[str, Any]) -> str:
    lines = [f"{key}: {value}" for key, value in figures.items() if key != "classes"]
    heads = ("recall p50", "p95", "cpu", "server", "cold", "memories", "search p50", "server", "recall@20")
    for name in CLASSES if "classes" in figures else ():
        found = dict(figures["classes"][name])
        lines += ["", f"{name}: {found.pop('scopes')} scopes, most of {found.pop('size'):,} memories"]
        lines += [
            f"| | {' | '.join((*heads, 'write p50', 'cpu', 'server', 'recall, search by'))} |",
            "|---" * 14 + "|",
        ]
        lines += [f"| {side} | {' | '.join(_cells(one))} |" for side, one in found.items()]
    return "\n".join(lines)


def _cells(one: dict[str, Any]) -> list[str]:
    recall, search, write = one["recall_ms"], one["search_ms"], one.get("write_ms", {})
    numbers = [recall["p50"], recall["p95"], recall["cpu"], recall.get("server"), one["cold_ms"]]
    numbers += [one["memories"], search["p50"], search.get("server"), one["search_recall"]]
    numbers += [write.get("p50"), write.get("cpu"), write.get("server")]
    cells = ["-" if number is None else f"{number:,.2f}" for number in numbers]
    ways = ["graph" if by_graph else "scan" for by_graph in one.get("by_graph", {}).values()]
    return [*cells, ", ".join(ways)]


@contextmanager
def _place(given: argparse.Namespace) -> Iterator[tuple[Place, dict[str, str]]]:
    with tempfile.TemporaryDirectory() as passing:
        folder = given.folder or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        with serving(given.store, folder) as server:
            store = server.database(DATABASE) if given.store == WHEEL else given.store
            yield Place(store=store, here=server.here, folder=folder.resolve()), server.settings()


def _arguments() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--memories", type=int, default=1_000_000)
    parser.add_argument("--scopes", type=int, default=1_000)
    parser.add_argument("--store", default=WHEEL, help="the URL of a database, empty or filled by such a run")
    parser.add_argument(
        "--folder", type=Path, help="where keys, and the data of a server of its own, are kept"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="that fill side by side")
    parser.add_argument("--no-hnsw-above", type=int, help="plain rows from which no graph of all is made")
    parser.add_argument("--graphs", type=int, help="also with graphs for scopes of so many memories")
    parser.add_argument("--fill-only", action="store_true", help="fill and index, and measure another time")
    given = parser.parse_args()
    if given.store != WHEEL and given.folder is None:
        parser.error("--store needs a --folder for its keys")
    return given


def main() -> None:
    """Fill, measure, and print."""
    given = _arguments()
    heed_signals()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # for the processes that do the work
    shape = Shape.of(given.memories, given.scopes)
    with _place(given) as (place, settings):
        figures = {"server": settings, **run(place, shape, given)}
    print(json.dumps(figures) if given.json else _table(figures))


if __name__ == "__main__":
    main()
