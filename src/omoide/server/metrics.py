"""What the server counts and measures, in the format of Prometheus; no name of anybody is ever a label."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, Literal

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from omoide.domain.chat import Usage
from omoide.errors import StoreError
from omoide.models.tasks import spent_today

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from prometheus_client import Metric

    from omoide.domain.chat import Task
    from omoide.engine import Engine
    from omoide.recall.result import Recall
    from omoide.server.waiting import Waiting

_RECALL: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1.0, 5.0)
_REQUEST: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)

Ending = Literal["done", "failed", "left"]
"""How a turn of a chat ended: with a reply, without a whole one, or because the client went away."""


class Metrics:
    """The figures of one server; each application has its own.

    Args:
        engines: those whose spending is read when somebody asks.
        waiting: what waits in all tenants.
    """

    def __init__(self, engines: Callable[[], Sequence[Engine]], waiting: Waiting) -> None:
        self._registry = CollectorRegistry()
        self._recall = Histogram(
            "omoide_recall_seconds",
            "Duration of recalls, by phase and in total.",
            ["phase"],
            buckets=_RECALL,
            registry=self._registry,
        )
        self._recalls = Counter(
            "omoide_recalls",
            "Recalls by what came of them: memories, nothing, nothing looked for, trouble, or too late.",
            ["outcome"],
            registry=self._registry,
        )
        self._upstream = Counter(
            "omoide_upstream_failures",
            "Trouble of the proxy's upstream, by kind.",
            ["kind"],
            registry=self._registry,
        )
        self._turns = Counter(
            "omoide_chat_turns", "Turns of chats by how they ended.", ["ending"], registry=self._registry
        )
        self._requests = Histogram(
            "omoide_http_seconds",
            "Duration of requests until the last byte, by route and status.",
            ["method", "route", "status"],
            buckets=_REQUEST,
            registry=self._registry,
        )
        self._registry.register(_Engines(engines, waiting))

    def recalled(self, recall: Recall) -> None:
        """Count a recall."""
        for phase, milliseconds in recall.timing_ms.items():
            self._recall.labels(phase).observe(milliseconds / 1000)
        self._recalls.labels(_outcome(recall)).inc()

    def missed(self) -> None:
        """Count a recall that a proxied turn did not wait for."""
        self._recalls.labels("late").inc()

    def turned(self, ending: Ending) -> None:
        """Count a turn of a chat."""
        self._turns.labels(ending).inc()

    def upstream_failed(self, kind: str) -> None:
        """Count trouble with the proxy's upstream: a status, or the name of an error."""
        self._upstream.labels(kind).inc()

    def answered(self, method: str, route: str, status: int, *, seconds: float) -> None:
        """Count a request; `route` is the template of its path, never the path."""
        self._requests.labels(method, route, str(status)).observe(seconds)

    def shown(self) -> bytes:
        """All figures as text. It reads the store: call it in a thread."""
        return generate_latest(self._registry)


class _Engines(Collector):
    """What the engines of all tenants that are open know at the moment when somebody asks."""

    def __init__(self, engines: Callable[[], Sequence[Engine]], waiting: Waiting) -> None:
        self._engines = engines
        self._backlog = waiting

    def describe(self) -> Iterator[Metric]:
        """Nothing; the store is not read before somebody asks."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        """Tokens by task, and what waits to be read."""
        yield from self._tokens()
        yield from self._storage()
        yield from self._waiting()

    def _tokens(self) -> Iterator[Metric]:
        found = CounterMetricFamily(
            "omoide_model_tokens",
            "Tokens that this process has spent on chat models, by task.",
            labels=["task", "kind"],
        )
        costs: defaultdict[Task, Usage] = defaultdict(Usage)
        for models in {id(engine.models): engine.models for engine in self._engines()}.values():
            for task, usage in models.costs.items():
                costs[task] += usage
        for task, usage in sorted(costs.items()):
            found.add_metric([task.value, "prompt"], usage.prompt)
            found.add_metric([task.value, "answer"], usage.answer)
        yield found

    def _storage(self) -> Iterator[Metric]:
        """How the database and the index of vectors stand; they are not asked for it."""
        stores = [engine.store for engine in self._engines()]
        databases = {id(store.database): store.database for store in stores}.values()
        yield CounterMetricFamily(
            "omoide_store_again",
            "Transactions that this process did again, since another one or a restart got in the way.",
            value=sum(database.again_count for database in databases),
        )
        pools = [pool for database in databases if (pool := database.connections()) is not None]
        if pools:  # which tenants share
            for name, meaning, value in (
                ("omoide_store_connections", "Connections to the database in use.", pools[0][0]),
                ("omoide_store_connections_limit", "Connections that there may be.", pools[0][1]),
            ):
                yield GaugeMetricFamily(name, meaning, value=value)
        behind = GaugeMetricFamily(
            "omoide_index_behind",
            "Whether the index of vectors may lack something that the store has; by the setting `vectors`.",
            labels=["vectors"],
        )
        if stores:
            late = any(store.index.behind for store in stores)
            behind.add_metric([self._engines()[0].settings.vectors], float(late))
        yield behind

    def _waiting(self) -> Iterator[Metric]:
        engines = self._engines()
        try:
            waits = self._backlog.count()
            capped = sum(_is_capped(engine) for engine in engines)
        except StoreError:  # /ready tells; the other figures are still to be had
            return
        age = 0.0 if waits.oldest is None else (engines[0].store.now() - waits.oldest) / 1_000_000
        for name, meaning, value in (
            ("omoide_extraction_windows", "Windows that wait to be read, or are being read.", waits.windows),
            ("omoide_extraction_windows_failed", "Those of them that failed before.", waits.failed),
            ("omoide_extraction_scopes", "Scopes with something to be read.", waits.scopes),
            ("omoide_extraction_oldest_seconds", "Age of the oldest message to be read; 0: none.", age),
            ("omoide_background_capped", "Open tenants whose tokens of the day are spent.", capped),
        ):
            yield GaugeMetricFamily(name, meaning, value=value)


def _is_capped(engine: Engine) -> bool:
    limit = engine.settings.daily_tokens
    with engine.store.database.read() as connection:
        return 0 < limit <= spent_today(connection, engine.store)


def _outcome(recall: Recall) -> str:
    if recall.degraded:
        return "degraded"
    if recall.memories:
        return "found"
    return "empty" if recall.query else "skipped"
