"""What the server counts and measures, in the format of Prometheus; no name of anybody is ever a label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from omoide.errors import StoreError
from omoide.stores.backlog import backlog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client import Metric

    from omoide.engine import Engine
    from omoide.recall.result import Recall

_RECALL: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1.0, 5.0)
_REQUEST: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)

Ending = Literal["done", "failed", "left"]
"""How a turn of a chat ended: with a reply, without a whole one, or because the client went away."""


class Metrics:
    """The figures of one server; each application has its own.

    Args:
        engine: whose backlog and spending are read when somebody asks.
    """

    def __init__(self, engine: Engine) -> None:
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
            "Recalls by what came of them: memories, nothing, nothing looked for, or trouble.",
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
        self._registry.register(_Engine(engine))

    def recalled(self, recall: Recall) -> None:
        """Count a recall."""
        for phase, milliseconds in recall.timing_ms.items():
            self._recall.labels(phase).observe(milliseconds / 1000)
        self._recalls.labels(_outcome(recall)).inc()

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


class _Engine(Collector):
    """What the engine knows at the moment when somebody asks."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def describe(self) -> Iterator[Metric]:
        """Nothing; the store is not read before somebody asks."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        """Tokens by task, and what waits to be read."""
        yield from self._tokens()
        yield from self._waiting()

    def _tokens(self) -> Iterator[Metric]:
        found = CounterMetricFamily(
            "omoide_model_tokens",
            "Tokens that this process has spent on chat models, by task.",
            labels=["task", "kind"],
        )
        costs = self._engine.models.costs
        for task, usage in sorted(costs.items()):
            found.add_metric([task.value, "prompt"], usage.prompt)
            found.add_metric([task.value, "answer"], usage.answer)
        yield found

    def _waiting(self) -> Iterator[Metric]:
        try:
            with self._engine.store.database.read() as connection:
                waits = backlog(connection, tenant=self._engine.store.tenant)
        except StoreError:  # /ready tells; the other figures are still to be had
            return
        age = 0.0 if waits.oldest is None else (self._engine.store.now() - waits.oldest) / 1_000_000
        for name, meaning, value in (
            ("omoide_extraction_windows", "Windows that wait to be read, or are being read.", waits.windows),
            ("omoide_extraction_windows_failed", "Those of them that failed before.", waits.failed),
            ("omoide_extraction_scopes", "Scopes with something to be read.", waits.scopes),
            ("omoide_extraction_oldest_seconds", "Age of the oldest message to be read; 0: none.", age),
        ):
            yield GaugeMetricFamily(name, meaning, value=value)


def _outcome(recall: Recall) -> str:
    if recall.degraded:
        return "degraded"
    if recall.memories:
        return "found"
    return "empty" if recall.query else "skipped"
