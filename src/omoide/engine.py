"""The engine: what the library, the command line and every later door call (design section 7)."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from omoide.domain.circuit import Circuit
from omoide.domain.decay import Forgetting
from omoide.domain.redaction import Redaction
from omoide.domain.text import clean, composed, is_blank
from omoide.errors import EmbedderError, InvalidInput, SealError, StoreError, UnknownScope
from omoide.recall.prepared import FRESH, Prepared
from omoide.recall.recall import Recaller
from omoide.recall.search import Searcher
from omoide.recall.state import StateReader
from omoide.recall.watch import Watch
from omoide.retain.curate import Curator
from omoide.retain.embed import DocumentEmbedder, Vectoriser, check_vectors, embeddable
from omoide.retain.episodes import Episodes
from omoide.retain.extraction.extract import Extractor
from omoide.retain.fade import Fader
from omoide.retain.past import Author
from omoide.retain.people import Acquaintances
from omoide.retain.record import Recorder
from omoide.retain.worker import Worker
from omoide.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from omoide.config import Settings
    from omoide.domain.chat import ChatModels
    from omoide.domain.diary import Life
    from omoide.domain.event import Event, EventSides
    from omoide.prompts.templates import Templates
    from omoide.recall.question import Question
    from omoide.recall.result import Recall
    from omoide.retain.worker import Leases
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.vectors import Block
    from omoide.words.analyse import Analyser

T = TypeVar("T")
_log = logging.getLogger("omoide")

_THREADS = 4
_SOON = 0.25
"""Seconds after which vectors are written that nobody asked for: a burst of messages is written together."""

_CLOSE_WITHIN = 5.0
"""Seconds that closing waits for what is under way."""


class Embedder(DocumentEmbedder, Protocol):
    """Turns memories and queries into vectors of one space."""

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """A vector of shape (dimensions,), L2-normalised; raises `EmbedderError`."""

    async def aclose(self) -> None:
        """Let go of what it holds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Erased:
    """What an erasure took away; the user's key is gone with it, for ever."""

    scopes: int
    memories: int
    messages: int
    key_destroyed: bool
    scrubbed: bool


class Engine:
    """Remembers and recalls for any number of scopes on one store.

    All methods are safe to call at the same time from one event loop. Blocking work runs in threads.
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
    ) -> None:
        quiet = int(settings.quiet_minutes * 60_000_000)
        self.settings = settings
        self.store = store
        self.embedder = embedder
        self.models = models
        self.templates = templates
        self.notices = tuple(notices)
        episodes = Episodes(store, analyser, terms_only=settings.terms_only)
        self.episodes = episodes
        redact = Redaction(settings.never_keep, secrets=settings.redact)
        self.recorder = Recorder(store, episodes, redact=redact, zone=settings.zone, quiet=quiet)
        self.curator = Curator(store, episodes, redact=redact)
        self.author = Author(store, episodes, redact=redact, zone=settings.zone)
        self.acquaintances = Acquaintances(store)
        self.fader = Fader(store, forgetting=Forgetting(settings.forgetting))
        self.recaller = Recaller(
            store, analyser, zone=settings.zone, quiet=quiet, feelings_days=settings.feelings_days
        )
        self.searcher = Searcher(store, analyser)
        self.state = StateReader(store, zone=settings.zone)
        self.circuit = Circuit("the embedder", clock=time.monotonic)
        self.extractor = Extractor(
            store,
            templates,
            episodes=episodes,
            redact=redact,
            zone=settings.zone,
            run=self.run,
            embedder=embedder,
            scored=settings.scoring == "model",
        )
        self.worker = Worker(store, self.extractor, models, leases, settings=settings, run=self.run)
        self.vectoriser = Vectoriser(store, embedder)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="omoide")
        self._tasks: dict[bytes, asyncio.Task[None]] = {}
        self._closing = asyncio.Event()
        self._others: set[asyncio.Task[None]] = set()
        self._working: asyncio.Task[None] | None = None

    def start_worker(self) -> None:
        """Extract in this process, until the engine closes."""
        self._working = asyncio.create_task(self.worker.run(self._closing))

    def scope(self, *, user: str | None = None, character: str) -> Scope:
        """One user × one character, or a character alone. Nothing is written until something is said.

        Raises:
            InvalidInput: a blank name.
        """
        for what, name in (("user", user), ("character", character)):
            if name is not None and is_blank(clean(name)):
                msg = f"a {what} needs a name, got {name!r}"
                raise InvalidInput(msg)
        return Scope(self, user=None if user is None else composed(user), character=composed(character))

    async def scopes(self) -> list[Scope]:
        """All scopes of the store, oldest first."""
        rows = await self.run(self.store.all_scopes)
        return [Scope(self, user=row.user, character=row.character) for row in rows]

    async def add_events(
        self, events: Sequence[Event], *, profiles: Mapping[str, Life] | None = None
    ) -> None:
        """Write events that several characters share, all or none; one whose name is known is changed.

        Args:
            events: which.
            profiles: of participants, by name; their ages then are derived from the birthdays.

        Raises:
            InvalidInput: somebody was not born then, or is left out who has told of it.
        """
        await self.run(lambda: self.author.add_events(events, lives=profiles))

    async def events(self) -> list[Event]:
        """Every shared event: the earliest first, those without a day last."""
        return await self.run(self.author.events)

    async def event(self, name: str) -> EventSides:
        """An event with each character's side of it, for authors and tools and no character (K1, K6).

        Raises:
            NotFound: no event is called so.
        """
        return await self.run(lambda: self.author.sides(name))

    async def erase_user(self, user: str) -> Erased:
        """Erase a user for good: every scope, every word, and the key that opens what old backups hold.

        Raises:
            UnknownScope: nobody of that name was ever seen.
        """
        erased = await self.run(lambda: self._erase(user))
        _log.info("erased a user: %d scopes, %d memories", erased.scopes, erased.memories)
        return erased

    async def run(self, function: Callable[[], T]) -> T:
        """Run a blocking function in one of the engine's threads, again where the store allows that."""
        again = self.store.database.again
        return await asyncio.get_running_loop().run_in_executor(self._threads, again, function)

    async def vectorise(self, scope: ScopeRow, *, limit: int) -> int:
        """Make vectors that are missing; returns how many were made.

        Raises:
            EmbedderError: they cannot be made now.
        """
        return await self.vectoriser.some(scope, limit=limit, run=self.run)

    def vectorise_soon(self, scope: ScopeRow, *, fresh_only: bool = False) -> None:
        """Make the vectors of a scope that are missing, or only the newest, after the caller has gone on."""
        running = self._tasks.get(scope.uid)
        if self.embedder is None or self.circuit.rests or (running is not None and not running.done()):
            return
        if self._closing.is_set():
            return  # nobody would wait for it; they are made another time
        self._tasks[scope.uid] = asyncio.create_task(self._vectorise_quietly(scope, fresh_only=fresh_only))

    def soon(self, work: Coroutine[None, None, None]) -> None:
        """Do something after the caller has gone on, and before the engine closes."""
        task = asyncio.create_task(work)
        self._others.add(task)
        task.add_done_callback(self._others.discard)

    async def recall(self, scope: ScopeRow, question: Question, *, rehearse: bool) -> Recall:
        """The whole read path. An embedder that fails costs the meaning, never the recall."""
        watch = Watch()
        recall: Recall | Prepared | None = self.recaller.glance(scope, question)
        if recall is None:
            recall = await self.run(lambda: self._prepare(scope, question))
        degraded: tuple[str, ...] = ()
        while isinstance(recall, Prepared):  # a second time where a glance was not enough
            recall, degraded = await self._found(scope, question, recall, watch)
        if rehearse and recall.memories:
            exchange = f"{question.session}\x1f{question.message}"
            self.soon(self._rehearse(scope, recall, exchange))
        spent = {**watch.spent, "total": sum(watch.spent.values())}
        return replace(recall, degraded=(*recall.degraded, *degraded), timing_ms=spent)

    def past_of(self, scope: ScopeRow | Scope) -> ScopeRow | None:
        """The scope of a character alone, where a chat reaches it; it may block."""
        reaches = scope.user is not None and self.settings.own_past
        return self.store.past_of(scope.character) if reaches else None

    async def _found(
        self, scope: ScopeRow, question: Question, prepared: Prepared, watch: Watch
    ) -> tuple[Recall | Prepared, tuple[str, ...]]:
        """Do what has to be done first, embed the question, and look it up."""
        if prepared.unsettled:
            prepared = await self.run(lambda: self._prepare(scope, question, settle=True))
        watch.lap("prepare")
        vector, fresh = None, None
        degraded: tuple[str, ...] = ()
        if prepared.query.search:
            vector, fresh, degraded = await self.embedded(scope, prepared.matter, prepared.unembedded)
        watch.lap("embed")
        thresholds = None if self.embedder is None or vector is None else self.embedder.thresholds

        def find() -> Recall | Prepared:
            found = self.recaller.find(
                scope,
                question,
                prepared,
                vector=vector,
                fresh=fresh,
                thresholds=thresholds,
                watch=watch,
                own=self.past_of(scope),
            )
            return self._with_words(scope, found) if isinstance(found, Prepared) else found

        found = await self.run(find)
        watch.lap("hand over")
        return found, degraded

    def _prepare(self, scope: ScopeRow, question: Question, *, settle: bool = False) -> Prepared:
        if settle:
            self.recorder.settle(scope)
        return self._with_words(scope, self.recaller.prepare(scope, question))

    def _with_words(self, scope: ScopeRow, prepared: Prepared) -> Prepared:
        """A question with the words that have to be embedded first."""
        if not prepared.missing or self.embedder is None or self.circuit.rests:
            return prepared
        return replace(prepared, unembedded=self.vectoriser.words(scope, prepared.missing))

    async def close(self) -> None:
        """Finish what is under way, and close the store."""
        self._closing.set()
        await self._finish_tasks()
        if self._working is not None:
            await asyncio.wait({self._working}, timeout=_CLOSE_WITHIN)
            self._working.cancel()  # what it was reading is read another time
            await asyncio.gather(self._working, return_exceptions=True)
        if self.embedder is not None:
            await self.embedder.aclose()
        await self.models.aclose()
        self._threads.shutdown(wait=True)
        self.store.close()

    async def _finish_tasks(self) -> None:
        tasks = {*self._tasks.values(), *self._others}
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_CLOSE_WITHIN)
            for task in late:
                task.cancel()  # vectors that are missing are made another time
        await asyncio.gather(*tasks, return_exceptions=True)

    async def embedded(
        self, scope: ScopeRow, asked: str, unembedded: Mapping[int, str]
    ) -> tuple[NDArray[np.float32] | None, Block | None, tuple[str, ...]]:
        """The vectors of what is asked, and of the memories that have none yet."""
        if self.embedder is None:
            return None, None, ()
        fresh = None
        if not self.circuit.may_try():
            return None, None, (f"{self.circuit.trouble}; recalled by words alone",)
        try:
            async with asyncio.timeout(self.settings.embedder_seconds):
                if unembedded:
                    fresh = await self.vectoriser.at_once(scope, unembedded, run=self.run)
                    self.vectorise_soon(scope, fresh_only=True)
                vector = await self.embedder.embed_query(embeddable(asked))
            check_vectors(vector[None], count=1, dimensions=self.embedder.identity.dimensions)
        except TimeoutError:
            trouble = f"the embedder took more than {self.settings.embedder_seconds:g} seconds"
        except EmbedderError as error:
            trouble = str(error)
        except (StoreError, SealError):
            raise
        except Exception as error:  # noqa: BLE001 - an embedder of the caller's own may raise anything (F16)
            trouble = f"the embedder failed with {type(error).__name__}"
        else:
            self.circuit.succeeded()
            return vector, fresh, ()
        self._failed(trouble)
        return None, fresh, (f"{trouble}; recalled by words alone",)

    def _failed(self, trouble: str) -> None:
        """Count a failure; where the embedder is left alone then, nothing waits for it in the background."""
        self.circuit.failed(trouble)
        if self.circuit.rests:
            for task in self._tasks.values():
                task.cancel()

    async def _vectorise_quietly(self, scope: ScopeRow, *, fresh_only: bool) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), _SOON)
        try:
            while await self.vectorise(scope, limit=FRESH) and not fresh_only:
                pass
        except EmbedderError as error:
            # They stay to be made, and the next recall or `omoide doctor` tells.
            _log.warning("vectors wait: %s", error)
        except UnknownScope:
            self.vectoriser.forget(scope)
        except Exception as error:  # noqa: BLE001 - as above; nobody waits for this task
            _log.warning("vectors wait: %s", type(error).__name__)

    async def _rehearse(self, scope: ScopeRow, recall: Recall, exchange: str) -> None:
        await self.run(lambda: self.recaller.rehearse(scope, recall, exchange=exchange))

    def _erase(self, user: str) -> Erased:
        with self.store.database.read() as connection:
            rows = self.store.scopes.of_user(connection, user)
        if not rows:
            msg = f"no user is called {user!r}; nothing was erased"
            raise UnknownScope(msg)
        memories = messages = 0
        for row in rows:
            with self.store.write(row) as unit:
                gone = unit.removal.erase()
            memories, messages = memories + gone[0], messages + gone[1]
            self.store.drop_cache(row)
            self.vectoriser.forget(row)
        destroyed = self.store.scopes.destroy_key(user)
        return Erased(
            scopes=len(rows),
            memories=memories,
            messages=messages,
            key_destroyed=destroyed,
            scrubbed=self.store.database.scrub(),
        )
