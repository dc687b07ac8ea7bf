"""Whether the server can do its work: looked at anew once a second at most, however many ask."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from pydantic import BaseModel
from sqlalchemy import false, literal, select, union_all, update

from omoide.domain.chat import Task
from omoide.errors import LeasesUnavailable, MissingExtra, ModelError, SealError, StoreError
from omoide.stores.tables import meta, metadata

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from omoide.engine import Engine
    from omoide.server.waiting import Waiting

_FRESH: Final = 1.0
"""Seconds for which a look counts: whoever asks needs no key, and a look writes to the disk."""


_PATIENCE: Final = 3.0
"""Seconds that all that is asked has to answer, side by side: the store, the lease server, the models."""

_EVERY_TABLE: Final = union_all(
    *(select(literal(1)).select_from(table).where(false()) for table in metadata.sorted_tables)
)
"""Finds nothing, and not even that while a table is locked, gone, or not for this role to read."""

T = TypeVar("T")


class ReadyView(BaseModel):
    """Whether the server can do its work; only the store makes it unready.

    Attributes:
        ready: whether memories can be read and written.
        store: ``ok``, ``slow``, or the kind of error.
        embedder: ``ok``, ``none`` where there is none, or ``resting`` after failures: recalls go by words.
        vectors: ``ok``, or ``behind`` while an index apart from the store lacks something that the store has.
        model: of chats: ``ok``, ``none`` where none is set, ``unknown`` while the store is in trouble, or the
            kind of error.
        extraction: as `model`; also ``off``, ``LeasesUnavailable`` while the lease server cannot be asked,
            or else ``TokensSpent`` while what a day may cost is spent.
        windows: parts of conversations that wait to be read by a model, or are being read, in all tenants
            that the server serves; None, as what follows, where they could not be counted yet.
        failed: those of them that failed before.
        behind: in how many scopes something is still to be read.
    """

    ready: bool
    store: str
    embedder: str
    vectors: str
    model: str
    extraction: str
    windows: int | None
    failed: int | None
    behind: int | None


class Readiness:
    """Looks at the engine when somebody asks.

    Args:
        engine: the server's own.
        waiting: what waits in all tenants.
    """

    def __init__(self, engine: Engine, waiting: Waiting) -> None:
        self._engine = engine
        self._lock = asyncio.Lock()
        self._seen: tuple[float, ReadyView] | None = None
        self._store = _Asked(partial(asyncio.to_thread, self._touched))
        self._leases = _Asked(partial(asyncio.to_thread, engine.leases.check))
        self._waiting = _Asked(partial(asyncio.to_thread, waiting.count))
        self._chat = _Asked(partial(self._model, Task.CHAT))
        self._reader = _Asked(partial(self._model, Task.EXTRACTION))

    async def look(self) -> ReadyView:
        """How things are."""
        async with self._lock:
            if self._seen is None or time.monotonic() - self._seen[0] > _FRESH:
                found = await self._look()
                self._seen = time.monotonic(), found  # so that those who waited meanwhile share it
            return self._seen[1]

    async def _look(self) -> ReadyView:
        asked: tuple[_Asked[Any], ...] = (self._store, self._waiting, self._leases, self._chat, self._reader)
        store, waits, leases, chat, reader = await asyncio.gather(*map(_told, asked))
        if store == "ok" and waits not in ("ok", "slow"):
            store = waits
        ready = store == "ok"
        counted = self._waiting.last if ready else None
        return ReadyView(
            ready=ready,
            store=store,
            embedder=self._embedder(),
            vectors="behind" if self._engine.store.index.behind else "ok",
            model=chat if ready else "unknown",
            extraction=self._extraction(leases, reader) if ready else "unknown",
            windows=None if counted is None else counted.windows,
            failed=None if counted is None else counted.failed,
            behind=None if counted is None else counted.scopes,
        )

    def _touched(self) -> None:
        """Open the keyring, reach every table that a recall may need, and write to the store."""
        database = self._engine.store.database
        self._engine.store.keyring.data_keys(())
        with database.of("").write() as connection:  # the store's id is no tenant's
            connection.execute(_EVERY_TABLE)
            connection.execute(update(meta).where(meta.c.key == "store").values(value=meta.c.value))

    def _embedder(self) -> str:
        if self._engine.embedder is None:
            return "none"
        return "resting" if self._engine.meaning.circuit.rests else "ok"

    def _extraction(self, leases: str, model: str) -> str:
        if self._engine.settings.extraction == "off":
            return "off"
        if model == "none" or leases == "ok":
            return model
        return LeasesUnavailable.__name__ if leases == "slow" else leases

    async def _model(self, task: Task) -> str:
        """``none``, where the task has no model."""
        return "none" if await self._engine.models.model(task) is None else "ok"


class _Asked(Generic[T]):
    """A question that is asked one at a time, however long its answer takes.

    An answer that comes after its time tells how things were: whoever asks next waits for it, and asks anew.

    Attributes:
        last: the answer that came last.
    """

    def __init__(self, ask: Callable[[], Awaitable[T]]) -> None:
        self.last: T | None = None
        self._ask = ask
        self._asking: asyncio.Future[T] | None = None

    async def answer(self) -> T:
        """The answer, or the error that it ended with.

        Raises:
            TimeoutError: it did not come in time.
        """
        async with asyncio.timeout(_PATIENCE):
            if self._asking is not None:
                await asyncio.wait({self._asking})
            self._asking = asyncio.ensure_future(self._ask())
            self._asking.add_done_callback(lambda asked: asked.cancelled() or asked.exception())
            await asyncio.wait({self._asking})
        asked, self._asking = self._asking, None
        self.last = asked.result()
        return self.last


async def _told(asked: _Asked[Any]) -> str:
    """What it says, ``ok`` where that is no word, ``slow``, or the kind of error."""
    try:
        answer = await asked.answer()
    except TimeoutError:
        return "slow"
    except (
        StoreError,
        SealError,
        ModelError,
        MissingExtra,
    ) as error:  # as after a rotation of the master key
        return type(error).__name__
    return answer if isinstance(answer, str) else "ok"
