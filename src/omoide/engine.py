"""The engine: what the library, the command line and every later door call (design section 7)."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from omoide.domain.decay import Forgetting
from omoide.domain.owners import owner_name
from omoide.domain.redaction import Redaction
from omoide.erasing import erase
from omoide.errors import OmoideError, StoreError
from omoide.lanes import Lanes
from omoide.meaning import Meaning
from omoide.recall.recall import Recaller
from omoide.recall.search import Searcher
from omoide.recall.state import StateReader
from omoide.recollection import Recollection
from omoide.retain.curate import Curator
from omoide.retain.episodes import Episodes
from omoide.retain.extraction.extract import Extractor
from omoide.retain.fade import Fader
from omoide.retain.past import Author
from omoide.retain.people import Acquaintances
from omoide.retain.record import Recorder
from omoide.retain.worker import Worker
from omoide.scope import Scope
from omoide.stores.copies import Verified, catch_up, sweep
from omoide.stores.patience import Patience

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from omoide.config import Settings
    from omoide.domain.chat import ChatModels
    from omoide.domain.diary import Life
    from omoide.domain.event import Event, EventSides
    from omoide.meaning import Embedder
    from omoide.prompts.templates import Templates
    from omoide.recall.question import Question
    from omoide.recall.result import Recall
    from omoide.retain.worker import Leases
    from omoide.stores.erasure import Erased
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.words.analyse import Analyser

T = TypeVar("T")
_log = logging.getLogger("omoide")

_CLOSE_WITHIN = 5.0
"""Seconds that closing waits for what is under way."""


class Engine:
    """Remembers and recalls for any number of scopes on one store.

    All methods are safe to call at the same time from one event loop. Blocking work runs in threads, but
    for a recall that needs no more than a look at what is in memory.

    One that has a host uses its threads, embedder, connections and models, and leaves them open.
    """

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder | None,
        analyser: Analyser,
        settings: Settings,
        models: ChatModels,
        templates: Templates,
        leases: Leases,
        notices: Sequence[str] = (),
        host: Engine | None = None,
    ) -> None:
        quiet = int(settings.quiet_minutes * 60_000_000)
        self.settings = settings
        self.store = store
        self.patience = Patience(store)
        self.embedder = embedder
        self.models = models
        self.templates = templates
        self.leases = leases
        self.notices = tuple(notices)
        episodes = Episodes(store, analyser, terms_only=settings.terms_only)
        self.episodes = episodes
        redact = Redaction(settings.never_keep, secrets=settings.redact)
        self.recorder = Recorder(store, episodes, redact=redact, zone=settings.zone, quiet=quiet)
        self.author = Author(store, episodes, redact=redact, zone=settings.zone)
        self.curator = Curator(store, episodes, redact=redact, author=self.author)
        self.acquaintances = Acquaintances(store)
        self.fader = Fader(store, forgetting=Forgetting(settings.forgetting))
        self.recaller = Recaller(
            store, analyser, zone=settings.zone, quiet=quiet, feelings_days=settings.feelings_days
        )
        self.searcher = Searcher(store, analyser)
        self.state = StateReader(store, zone=settings.zone)
        self._closing = asyncio.Event()
        self.meaning: Meaning = Meaning(
            store,
            embedder,
            seconds=settings.embedder_seconds,
            run=self.run,
            closing=self._closing,
            host=None if host is None else host.meaning,
        )
        self.recollection = Recollection(
            store,
            self.recaller,
            self.meaning,
            settle=self.recorder.settle,
            own_past=settings.own_past,
            read=self.read,
            run=self.run,
        )
        self.extractor = Extractor(
            store,
            templates,
            episodes=episodes,
            redact=redact,
            zone=settings.zone,
            run=self.run,
            embedder=self.meaning.unhurried,
            scorers=models if settings.scoring == "model" else None,
            spent=models.spent,
        )
        self.worker = Worker(store, self.extractor, models, leases, settings=settings, run=self.run)
        self._host = host
        self.lanes: Lanes = Lanes() if host is None else host.lanes
        self._others: set[asyncio.Task[None]] = set()
        self._working: asyncio.Task[None] | None = None

    def start_worker(self) -> None:
        """Extract in this process, until the engine closes."""
        self._working = asyncio.create_task(self.worker.run(self._closing))

    def scope(self, *, user: str | None = None, character: str) -> Scope:
        """One user × one character, or a character alone. Nothing is written until something is said.

        Raises:
            InvalidInput: a blank name, or one with a control character or a line break in it.
        """
        if user is not None:
            user = owner_name(user, what="user")
        return Scope(self, user=user, character=owner_name(character, what="character"))

    async def scopes(self) -> list[Scope]:
        """All scopes of the store, oldest first."""
        rows = await self.read(self.store.all_scopes)
        return [Scope(self, user=row.user, character=row.character) for row in rows]

    async def add_events(
        self, events: Sequence[Event], *, profiles: Mapping[str, Life] | None = None
    ) -> None:
        """Write events that several characters share, all or none; one whose name is known is changed.

        Where one is moved, the days, places and ages that followed from it move along in what tells of it.

        Args:
            events: which.
            profiles: of participants, by name; their ages then are derived from the birthdays.

        Raises:
            InvalidInput: somebody was not born then, is left out who has told of it, or tells of another day.
        """
        for row in await self.run(lambda: self.author.add_events(events, lives=profiles)):
            self.vectorise_soon(row)

    async def events(self) -> list[Event]:
        """Every shared event: the earliest first, those without a day last."""
        return await self.read(self.author.shared.all)

    async def event(self, name: str) -> EventSides:
        """An event with each character's side of it, for authors and tools and no character (K1, K6).

        Raises:
            NotFound: no event is called so.
        """
        return await self.read(lambda: self.author.shared.sides(name))

    async def erase_user(self, user: str) -> Erased:
        """Erase a user for good: every scope, every word, and the key that opens what old backups hold.

        One that something stopped is finished by another call.

        Raises:
            UnknownScope: nobody of that name was ever seen.
            ErasureUnfinished: nothing of theirs is found any more, and rows are left.
            StoreError, SealError: nothing was erased.
        """
        return await erase(self, user)

    async def finish_erasures(self) -> Erased:
        """Erase what erasures have left that something stopped, and what no key opens since a restore.

        Put the newest copy of the keyring there before: what none opens is taken for erased.

        Raises:
            ErasureUnfinished, StoreError, SealError: as for `erase_user`.
        """
        return await erase(self, None)

    async def verify(self, scopes: Sequence[Scope] | None = None) -> Verified:
        """Compare the copies of vectors that an index holds with the store, and repair them.

        Args:
            scopes: whose; all of the tenant where they are left out, and then what is no scope's goes too.

        Raises:
            IndexUnavailable: the index cannot answer now.
        """
        if self.embedder is None:
            return Verified()
        chosen = await self.scopes() if scopes is None else scopes
        found = sum([await scope.verify() for scope in chosen], Verified())
        return found if scopes is not None else replace(found, strays=await self.sweep())

    async def sweep(self) -> int:
        """Have the index of vectors let go of scopes that the store does not know; returns how many it had.

        Raises:
            IndexUnavailable: the index cannot answer now.
        """
        return await self.run(lambda: sweep(self.store))

    async def run(self, function: Callable[[], T]) -> T:
        """Run what may write in a thread, again where the store allows that."""
        again = self.store.database.again
        asked = time.monotonic()
        return await self.lanes.write(lambda: again(function, asked=asked))

    async def read(self, function: Callable[[], T]) -> T:
        """Run what only reads in a thread, where it waits for nobody who writes; again as with `run`."""
        again = self.store.database.again
        return await self.lanes.read(lambda: again(function))

    async def unless_silent(self, function: Callable[[], T]) -> T | None:
        """What the store holds; None where it fails, or keeps silent (F16)."""
        try:
            return await self.patience.spent_on(lambda: self.read(function))
        except StoreError as error:
            _log.error("a turn goes on without the store: %s", error)
        except TimeoutError:
            _log.error("a turn goes on without the store: it gives no answer")
        return None

    async def vectorise(self, scope: ScopeRow, *, limit: int) -> int:
        """Make vectors that are missing; returns how many were made.

        Raises:
            EmbedderError: they cannot be made now.
        """
        return await self.meaning.some(scope, limit=limit)

    def vectorise_soon(self, scope: ScopeRow) -> None:
        """Make the vectors of a scope that are missing, after the caller has gone on."""
        self.meaning.soon(scope)

    def soon(self, work: Coroutine[None, None, None]) -> None:
        """Do something after the caller has gone on, and before the engine closes."""
        task = asyncio.create_task(work)
        self._others.add(task)
        task.add_done_callback(self._others.discard)

    async def recall(
        self, scope: ScopeRow, question: Question, *, rehearse: bool, within: float | None = None
    ) -> Recall:
        """The whole read path. An embedder that fails or is slow costs the meaning, never the recall."""
        recall = await self.recollection.recall(scope, question, within=within)
        if rehearse and recall.memories:
            exchange = f"{question.session}\x1f{question.message}"
            self.soon(self._rehearse(scope, recall, exchange))
        if self.store.index.behind:
            self.soon(self._catch_up())
        return recall

    async def close(self) -> None:
        """Finish what is under way, and close the store."""
        self._closing.set()
        await self._finish_tasks()
        if self._working is not None:
            await asyncio.wait({self._working}, timeout=_CLOSE_WITHIN)
            self._working.cancel()  # what it was reading is read another time
            await asyncio.gather(self._working, return_exceptions=True)
        if self._host is not None:
            if self.models is not self._host.models:
                await self.models.aclose()
            return
        if self.embedder is not None:
            await self.embedder.aclose()
        await self.models.aclose()
        self.lanes.close()
        self.store.close()

    async def _finish_tasks(self) -> None:
        tasks = {*self.meaning.tasks, *self._others}
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_CLOSE_WITHIN)
            for task in late:
                task.cancel()  # vectors that are missing are made another time
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _rehearse(self, scope: ScopeRow, recall: Recall, exchange: str) -> None:
        await self.run(lambda: self.recaller.rehearse(scope, recall, exchange=exchange))

    async def _catch_up(self) -> None:
        """Let the index of vectors come nearer to the store, after it was told of being behind."""
        try:
            await self.run(lambda: catch_up(self.store))
        except OmoideError as error:
            _log.warning("copies of vectors wait: %s", error)
