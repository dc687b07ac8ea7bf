"""Which model does which task, as rows say at this moment (P4), and what that has cost today."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from omoide.domain.chat import BACKGROUND, Task, Usage
from omoide.errors import InvalidInput, ModelUnavailable, StoreError, StoreUncertain, TokensSpent
from omoide.models.chat import ServedModel
from omoide.models.endpoint import Endpoint, RowSettings, from_row, from_settings, key_of
from omoide.stores.patience import Patience
from omoide.stores.tasks import DEFAULT, SpentRows, TaskRow, TaskRows

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from sqlalchemy import Connection

    from omoide.config import Settings
    from omoide.domain.chat import Answer, Turn
    from omoide.stores.store import Store

T = TypeVar("T")
_log = logging.getLogger("omoide")

UNTIL = "midnight (UTC)"
"""When the tokens of a day are there again."""

_KEPT = timedelta(days=31)
"""How long the counts of a day are kept."""


def spent_today(connection: Connection, store: Store) -> int:
    """Tokens that a tenant's work in the background has cost since midnight (UTC), as far as it is noted."""
    return SpentRows(connection, tenant=store.tenant).of(_day(store), *BACKGROUND)


def _day(store: Store, step: timedelta = timedelta()) -> str:
    now = datetime.fromtimestamp(store.now() / 1_000_000, UTC)
    return (now + step).date().isoformat()


class Clients:
    """A client of each endpoint, made when it is first asked for."""

    def __init__(self) -> None:
        self._served: dict[tuple[Endpoint, str | None], ServedModel] = {}
        self._making = asyncio.Lock()

    async def of(self, endpoint: Endpoint, *, key: str | None) -> ServedModel:
        """The client of an endpoint, with an API key for it."""
        async with self._making:
            if (endpoint, key) not in self._served:
                # In a thread, for the first one loads what takes a second to load.
                self._served[endpoint, key] = await asyncio.to_thread(ServedModel, endpoint, key=key)
            return self._served[endpoint, key]

    async def aclose(self) -> None:
        """Close all connections."""
        for served in self._served.values():
            await served.aclose()


class TaskModels:
    """`ChatModels` over the rows of a store: a row of the task, else the row ``default``, else the settings.

    Rows are read each time, so that a change holds at once, whoever made it. A client is made once for each
    endpoint. What tasks cost is counted by day in UTC, and written with the next call.

    Args:
        store: has the rows and the clock.
        settings: what holds where rows say nothing.
        clients: those of others, which close them; its own where none are given.
    """

    def __init__(self, store: Store, settings: Settings, *, clients: Clients | None = None) -> None:
        self._store = store
        self._settings = settings
        self._clients = Clients() if clients is None else clients
        self._owns_clients = clients is None
        self._unwritten: defaultdict[tuple[str, Task], int] = defaultdict(int)
        self._seen: tuple[dict[str, TaskRow], int] = ({}, 0)
        self._lock = threading.Lock()
        self._patience = Patience(store)
        self._offered: Endpoint | None = None
        self._offered_key: str | None = None
        self.costs: defaultdict[Task, Usage] = defaultdict(Usage)

    def of(self, store: Store, settings: Settings) -> TaskModels:
        """The models of another tenant's rows, over the same clients, which these close."""
        return TaskModels(store, settings, clients=self._clients)

    async def model(self, task: Task) -> TaskModel | None:
        """The model of a task; None where none is set.

        Raises:
            TokensSpent: work in the background has cost what it may on one day.
            ModelUnavailable: the row is wrong, the key is not there, or the server is left alone for a while.
            MissingExtra: pydantic-ai is not installed.
        """
        rows, spent = await self._looked()
        endpoint = self._endpoint(task, rows)
        if endpoint is None:
            return None
        limit = self._settings.daily_tokens
        if task in BACKGROUND and limit and spent >= limit:
            msg = (
                f"today's {limit} tokens for work in the background are spent, and {task.value} is part of "
                f"it; it goes on after {UNTIL}, or at once with larger daily_tokens"
            )
            raise TokensSpent(msg)
        served = await self._serving(endpoint)
        if served.trouble is not None:
            raise ModelUnavailable(served.trouble)
        return TaskModel(served, task, self)

    def offer(self, model: str, *, key: str | None) -> None:
        """Know of a model that a chat uses on the upstream; it does what nothing else is set for."""
        upstream = self._settings.upstream
        if upstream is None or from_settings(self._settings) is not None:
            return
        own = self._settings.upstream_key
        endpoint = Endpoint(
            model=model,
            url=upstream,
            output=self._settings.model_output,
            seconds=self._settings.model_seconds,
        )
        self._offered, self._offered_key = endpoint, key if own is None else own.get_secret_value()

    def spent(self, task: Task, usage: Usage) -> None:
        """Count what a task has cost; streams and answers that failed count themselves."""
        with self._lock:
            self.costs[task] += usage
            self._unwritten[_day(self._store), task] += usage.tokens

    async def aclose(self) -> None:
        """Write what was counted, and close all connections."""
        await asyncio.to_thread(self._write_spent)
        if self._owns_clients:
            await self._clients.aclose()

    async def _serving(self, endpoint: Endpoint) -> ServedModel:
        offered = endpoint is self._offered
        return await self._clients.of(
            endpoint, key=self._offered_key if offered else key_of(endpoint, self._settings)
        )

    def _endpoint(self, task: Task, rows: dict[str, TaskRow]) -> Endpoint | None:
        row = rows.get(task.value) or rows.get(DEFAULT)
        try:
            if row is None:
                return from_settings(self._settings) or self._offered
            return from_row(row.model, RowSettings.read(row.settings, task=row.task), self._settings)
        except InvalidInput as error:
            raise ModelUnavailable(str(error)) from error

    async def _looked(self) -> tuple[dict[str, TaskRow], int]:
        """What the rows say; where the store cannot be asked what they said last, for talk goes on (F16)."""
        try:
            looking = partial(asyncio.to_thread, self._look)
            self._seen = await self._patience.spent_on(looking)
        except StoreError as error:
            _log.warning("models are those that were known last: %s", error)
        except TimeoutError:
            _log.warning("models are those that were known last: the store gives no answer")
        return self._seen

    def _look(self) -> tuple[dict[str, TaskRow], int]:
        self._write_spent()
        with self._store.database.read() as connection:
            rows = TaskRows(connection, tenant=self._store.tenant).all()
            return rows, spent_today(connection, self._store)

    def _write_spent(self) -> None:
        with self._lock:
            counted = {key: tokens for key, tokens in self._unwritten.items() if tokens}
            self._unwritten.clear()
        try:
            self._count_spent(counted)
        except StoreUncertain:
            raise
        except StoreError:
            with self._lock:
                for key, tokens in counted.items():
                    self._unwritten[key] += tokens
            raise

    def _count_spent(self, counted: Mapping[tuple[str, Task], int]) -> None:
        if counted:
            with self._store.database.write() as connection:
                rows = SpentRows(connection, tenant=self._store.tenant)
                for (day, task), tokens in counted.items():
                    rows.add(day, task.value, tokens)
                rows.forget(before=_day(self._store, -_KEPT))


class TaskModel:
    """A `ChatModel` that counts for its task what its callers cannot."""

    def __init__(self, served: ServedModel, task: Task, models: TaskModels) -> None:
        self._served = served
        self._task = task
        self._models = models

    @property
    def name(self) -> str:
        """The model's name."""
        return self._served.name

    def stream(self, turns: Sequence[Turn]) -> AsyncGenerator[str, None]:
        """The reply, piece by piece; see `ServedModel.stream`."""
        return self._served.stream(turns, count=self._count)

    async def answer(self, turns: Sequence[Turn], form: type[T]) -> Answer[T]:
        """An answer of a given type; see `ServedModel.answer`."""
        return await self._served.answer(turns, form, count=self._count)

    async def aclose(self) -> None:
        """Nothing: other tasks may use the same model."""

    def _count(self, usage: Usage) -> None:
        self._models.spent(self._task, usage)
