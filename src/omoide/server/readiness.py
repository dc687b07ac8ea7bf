"""Whether the server can do its work: looked at anew once a second at most, however many ask."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from pydantic import BaseModel
from sqlalchemy import update

from omoide.domain.chat import Task
from omoide.errors import LeasesUnavailable, MissingExtra, ModelError, SealError, StoreError
from omoide.stores.tables import meta

if TYPE_CHECKING:
    from collections.abc import Callable

    from omoide.engine import Engine
    from omoide.server.waiting import Waiting

_FRESH: Final = 1.0
"""Seconds for which a look counts: whoever asks needs no key, and a look writes to the disk."""


_PATIENCE: Final = 3.0
"""Seconds that the store has to answer, and so have the lease server and the count of what waits."""

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
        extraction: as `model`; also ``off``, ``TokensSpent`` while what a day may cost is spent, and
            ``LeasesUnavailable`` while the lease server cannot be asked.
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
        self._store = _Asked(self._touched)
        self._leases = _Asked(engine.leases.check)
        self._waiting = _Asked(waiting.count)

    async def look(self) -> ReadyView:
        """How things are."""
        async with self._lock:
            if self._seen is None or time.monotonic() - self._seen[0] > _FRESH:
                self._seen = time.monotonic(), await self._look()
            return self._seen[1]

    async def _look(self) -> ReadyView:
        store, waits, leases = await asyncio.gather(
            _told(self._store), _told(self._waiting), _told(self._leases)
        )
        if store == "ok" and waits not in ("ok", "slow"):
            store = waits
        ready = store == "ok"
        counted = self._waiting.last if ready else None
        return ReadyView(
            ready=ready,
            store=store,
            embedder=self._embedder(),
            vectors="behind" if self._engine.store.index.behind else "ok",
            model=await self._model(Task.CHAT) if ready else "unknown",
            extraction=await self._extraction(leases) if ready else "unknown",
            windows=None if counted is None else counted.windows,
            failed=None if counted is None else counted.failed,
            behind=None if counted is None else counted.scopes,
        )

    def _touched(self) -> None:
        """Write to the store, and open its keyring."""
        database = self._engine.store.database
        self._engine.store.keyring.data_keys(())
        with database.of("").write() as connection:  # the store's id is no tenant's
            connection.execute(update(meta).where(meta.c.key == "store").values(value=meta.c.value))

    def _embedder(self) -> str:
        if self._engine.embedder is None:
            return "none"
        return "resting" if self._engine.meaning.circuit.rests else "ok"

    async def _extraction(self, leases: str) -> str:
        if self._engine.settings.extraction == "off":
            return "off"
        model = await self._model(Task.EXTRACTION)
        if model != "ok":
            return model
        return LeasesUnavailable.__name__ if leases == "slow" else leases

    async def _model(self, task: Task) -> str:
        try:
            model = await self._engine.models.model(task)
        except (ModelError, MissingExtra, StoreError) as error:
            return type(error).__name__
        return "none" if model is None else "ok"


class _Asked(Generic[T]):
    """A question that blocks, asked in a thread; one that takes too long is waited for by the next who asks.

    It is asked once: whoever asks wants to know how things are, not how they may become.

    Attributes:
        last: the answer that came last.
    """

    def __init__(self, ask: Callable[[], T]) -> None:
        self.last: T | None = None
        self._ask = ask
        self._asking: asyncio.Task[T] | None = None

    async def answer(self) -> T:
        """The answer, or the error that it ended with.

        Raises:
            TimeoutError: it did not come in time.
        """
        if self._asking is None:
            self._asking = asyncio.create_task(asyncio.to_thread(self._ask))
            self._asking.add_done_callback(lambda asked: asked.cancelled() or asked.exception())
        done, _ = await asyncio.wait({self._asking}, timeout=_PATIENCE)
        if not done:
            raise TimeoutError
        asked, self._asking = self._asking, None
        self.last = asked.result()
        return self.last


async def _told(asked: _Asked[Any]) -> str:
    """``ok``, ``slow``, or the kind of error."""
    try:
        await asked.answer()
    except TimeoutError:
        return "slow"
    except (StoreError, SealError) as error:  # as after another master key took the place of this one's
        return type(error).__name__
    return "ok"
