"""Asking the engine and the plain table the same, in scopes of each class of sizes."""

from __future__ import annotations

import asyncio
import statistics
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import make_url

from benchmarks.latency_timed import Timed, spread
from benchmarks.postgres_engine import AT_ONCE, EngineSide
from benchmarks.postgres_plain import WAYS, PlainSide
from benchmarks.postgres_server import Backends, Server
from benchmarks.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from benchmarks.latency_timed import Took
    from benchmarks.postgres_shape import Shape
    from benchmarks.talk import Said

    AnySide = EngineSide | PlainSide

ASKED = 5
"""Scopes of each class that are asked, at most."""

QUESTIONS = 40
"""Questions to each class."""

WRITES = 20
ROUNDS = 2
"""Sides take turns so often."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where the store lies.

    Attributes:
        store: the URL of its database.
        here: whether the server runs on this machine.
        folder: where its keys lie.
    """

    store: str
    here: bool
    folder: Path

    def backends(self) -> Backends:
        """The processes that serve it."""
        url = make_url(self.store)
        return Backends(Server(url, here=self.here), str(url.database))


@dataclass(slots=True)
class Taken:
    """What was measured of one side in one class of scopes."""

    cold: list[Took] = field(default_factory=list)
    recalls: list[Took] = field(default_factory=list)
    searches: list[Took] = field(default_factory=list)
    writes: list[Took] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    server: dict[str, list[float]] = field(default_factory=dict)
    graph: dict[str, bool] | None = None

    def figures(self) -> dict[str, Any]:
        """As they are printed."""
        found: dict[str, Any] = {}
        for name, times in (("recall", self.recalls), ("search", self.searches), ("write", self.writes)):
            if times:
                found[f"{name}_ms"] = spread(times)
                if self.server.get(name):
                    found[f"{name}_ms"]["server"] = statistics.fmean(self.server[name])
        found["cold_ms"] = statistics.median(wall for wall, _ in self.cold)
        found["search_recall"] = statistics.fmean(self.shares)
        found["memories"] = statistics.fmean(self.counts)
        return found | ({} if self.graph is None else {"by_graph": self.graph})


class Measuring:
    """Asks all sides the same.

    Args:
        shape: of the store.
        talk: what was said.
        backends: the processes of the server.
    """

    def __init__(self, shape: Shape, talk: Talk, backends: Backends) -> None:
        self._shape = shape
        self._talk = talk
        self._backends = backends

    async def measure(self, name: str, sides: list[AnySide]) -> dict[str, Any]:
        """The figures of each side in a class of scopes."""
        members = self._shape.classes[name]
        scopes = list(members[:: max(1, len(members) // ASKED)][:ASKED])
        matrices = {scope: self._vectors(scope, max(side.held(scope) for side in sides)) for scope in scopes}
        dice = np.random.default_rng(len(members))
        asked = [scopes[place % len(scopes)] for place in range(QUESTIONS)]
        questions = [
            (scope, self._talk.question(scope, int(dice.integers(self._shape.sizes[scope]))))
            for scope in asked
        ]
        taken = {side.name: Taken() for side in sides}
        for side in sides:
            await self._cold(side, taken[side.name], dict(questions))
        for part in np.array_split(np.arange(QUESTIONS), ROUNDS):
            for side in sides:
                await self._ask(side, taken[side.name], [questions[place] for place in part], matrices)
        for side in sides:
            if side.writes:
                await self._write(side, taken[side.name], scopes)
        return {side.name: taken[side.name].figures() for side in sides}

    async def _cold(self, side: AnySide, taken: Taken, questions: dict[int, Said]) -> None:
        """The first question to each scope."""
        async with side.asking():
            for scope, question in questions.items():
                with Timed(taken.cold):
                    await side.recall(scope, question)
                await side.search(scope, question)
                if isinstance(side, PlainSide):
                    taken.graph = side.by_graph(scope, question)

    async def _ask(
        self,
        side: AnySide,
        taken: Taken,
        questions: list[tuple[int, Said]],
        matrices: dict[int, NDArray[np.float32]],
    ) -> None:
        found = []
        async with side.asking():
            with self._serving(taken, "recall", len(questions)):
                for scope, question in questions:
                    with Timed(taken.recalls):
                        count = await side.recall(scope, question)
                    taken.counts.append(count)
            with self._serving(taken, "search", len(questions)):
                for scope, question in questions:
                    with Timed(taken.searches):
                        numbers = await side.search(scope, question)
                    found.append(numbers)
        for (scope, question), numbers in zip(questions, found, strict=True):
            nearness = matrices[scope][: side.held(scope)] @ question.vector
            true = np.argsort(-nearness, kind="stable")[:AT_ONCE]
            taken.shares.append(float(np.isin(true, side.places(scope, numbers)).mean()))

    async def _write(self, side: AnySide, taken: Taken, scopes: list[int]) -> None:
        for scope in scopes:  # so that none is timed that has to catch up with another side
            await side.write(scope, self._talk.message(scope, side.held(scope)))
        with self._serving(taken, "write", WRITES):
            for place in range(WRITES):
                scope = scopes[place % len(scopes)]
                said = self._talk.message(scope, side.held(scope))
                with Timed(taken.writes):
                    await side.write(scope, said)

    @contextmanager
    def _serving(self, taken: Taken, what: str, count: int) -> Iterator[None]:
        """Count the server's CPU, as milliseconds of one of so many."""
        self._backends.look()
        before = self._backends.seconds()
        yield
        after = self._backends.seconds()
        if before is not None and after is not None:
            taken.server.setdefault(what, []).append((after - before) / count * 1_000)

    def _vectors(self, scope: int, count: int) -> NDArray[np.float32]:
        return np.stack([self._talk.message(scope, number).vector for number in range(count)])


async def _measure(place: Place, shape: Shape, *, graphs: int | None, plain_graph: bool) -> dict[str, Any]:
    ways = [way for way in WAYS if plain_graph or way.scope_index]
    measuring = Measuring(shape, Talk(), place.backends())
    async with AsyncExitStack() as stack:
        open_engine = partial(EngineSide.open, place.store, place.folder)
        copies = await stack.enter_async_context(open_engine(vectors="pgvector"))
        in_process = await stack.enter_async_context(open_engine(vectors="memory", beside=copies))
        tables = [PlainSide(place.store, way) for way in ways]
        for table in tables:
            stack.callback(table.close)
        sides: list[AnySide] = [copies, in_process, *tables]
        found = {name: await measuring.measure(name, sides) for name in shape.classes}
    if graphs is None:
        return found
    return {
        name: found[name] | more
        for name, more in (await _with_graphs(place, shape, measuring, graphs)).items()
    }


async def _with_graphs(place: Place, shape: Shape, measuring: Measuring, least: int) -> dict[str, Any]:
    """Once more with a graph for each scope of so many memories; they are dropped again."""
    from omoide.stores.pgvector.tuning import Step, tune

    found: dict[str, Any] = {}
    open_engine = partial(EngineSide.open, place.store, place.folder, vectors="pgvector")
    async with open_engine() as side:
        made = list(tune(side.omoide.store, threshold=least))
    seconds = [one.seconds for one in made if one.step is Step.MADE]
    async with open_engine(name="omoide, pgvector with graphs") as side:
        for name in shape.classes:
            own = await measuring.measure(name, [side]) if shape.size(name) >= least else {}
            found[name] = {label: {**figures, "graphs_s": seconds} for label, figures in own.items()}
        list(tune(side.omoide.store, threshold=least, drop=True))
    return found


def measure(place: Place, shape: Shape, *, graphs: int | None, plain_graph: bool) -> dict[str, Any]:
    """The figures of all classes of scopes."""
    return asyncio.run(_measure(place, shape, graphs=graphs, plain_graph=plain_graph))
