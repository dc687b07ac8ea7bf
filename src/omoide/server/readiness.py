"""Whether the server can do its work: looked at anew once a second at most, however many ask."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel
from sqlalchemy import update

from omoide.domain.chat import Task
from omoide.errors import MissingExtra, ModelError, SealError, StoreError
from omoide.stores.backlog import Backlog, backlog
from omoide.stores.tables import meta

if TYPE_CHECKING:
    from omoide.engine import Engine

_FRESH: Final = 1.0
"""Seconds for which a look counts: whoever asks needs no key, and a look writes to the disk."""


_PATIENCE: Final = 3.0
"""Seconds that the store has to answer."""


class ReadyView(BaseModel):
    """Whether the server can do its work; only the store makes it unready.

    Attributes:
        ready: whether memories can be read and written.
        store: ``ok``, ``slow``, or the kind of error.
        embedder: ``ok``, ``none`` where there is none, or ``resting`` after failures: recalls go by words.
        vectors: ``ok``, or ``behind`` while an index apart from the store lacks something that the store has.
        model: of chats: ``ok``, ``none`` where none is set, ``unknown`` while the store is in trouble, or the
            kind of error.
        extraction: as `model`; also ``off``, and ``TokensSpent`` while what a day may cost is spent.
        windows: parts of conversations that wait to be read by a model, or are being read.
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
    """Looks at the engine when somebody asks."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = asyncio.Lock()
        self._seen: tuple[float, ReadyView] | None = None
        self._looking: asyncio.Task[Backlog] | None = None

    async def look(self) -> ReadyView:
        """How things are."""
        async with self._lock:
            if self._seen is None or time.monotonic() - self._seen[0] > _FRESH:
                self._seen = time.monotonic(), await self._look()
            return self._seen[1]

    async def _look(self) -> ReadyView:
        waits: Backlog | None = None
        store = "ok"
        try:
            waits = await self._waits()
        except TimeoutError:
            store = "slow"
        except (StoreError, SealError) as error:
            store = type(error).__name__
        return ReadyView(
            ready=waits is not None,
            store=store,
            embedder=self._embedder(),
            vectors="behind" if self._engine.store.index.behind else "ok",
            model="unknown" if waits is None else await self._model(Task.CHAT),
            extraction="unknown" if waits is None else await self._extraction(),
            windows=None if waits is None else waits.windows,
            failed=None if waits is None else waits.failed,
            behind=None if waits is None else waits.scopes,
        )

    async def _waits(self) -> Backlog:
        """What waits. It is tried once: whoever asks wants to know how things are, not how they may become.

        Raises:
            TimeoutError: the store did not answer in time; the answer is waited for on the next look.
            StoreError: it cannot be written or read.
            SealError: its keyring does not open, as after another master key took the place of this one's.
        """
        if self._looking is None:
            self._looking = asyncio.create_task(asyncio.to_thread(self._touched))
            self._looking.add_done_callback(lambda looked: looked.cancelled() or looked.exception())
        done, _ = await asyncio.wait({self._looking}, timeout=_PATIENCE)
        if not done:
            raise TimeoutError
        looked, self._looking = self._looking, None
        return looked.result()

    def _touched(self) -> Backlog:
        """What waits, once the store has been written to and read, and its keyring opened."""
        database = self._engine.store.database
        self._engine.store.keyring.data_keys(())
        with database.of("").write() as connection:  # the store's id is no tenant's
            connection.execute(update(meta).where(meta.c.key == "store").values(value=meta.c.value))
        with database.read() as connection:
            return backlog(connection, tenant=self._engine.store.tenant)

    def _embedder(self) -> str:
        if self._engine.embedder is None:
            return "none"
        return "resting" if self._engine.meaning.circuit.rests else "ok"

    async def _extraction(self) -> str:
        return "off" if self._engine.settings.extraction == "off" else await self._model(Task.EXTRACTION)

    async def _model(self, task: Task) -> str:
        try:
            model = await self._engine.models.model(task)
        except (ModelError, MissingExtra, StoreError) as error:
            return type(error).__name__
        return "none" if model is None else "ok"
