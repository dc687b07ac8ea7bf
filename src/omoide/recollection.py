"""A recall from end to end: at once or in threads, and the question is embedded in between."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from omoide.errors import StoreError
from omoide.recall.prepared import Prepared
from omoide.recall.watch import Watch
from omoide.stores.database import NotAtHand
from omoide.stores.patience import noted

if TYPE_CHECKING:
    from collections.abc import Callable

    from omoide.meaning import Meaning
    from omoide.recall.question import Question
    from omoide.recall.recall import Recaller
    from omoide.recall.result import Recall
    from omoide.retain.embed import Run
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store

T = TypeVar("T")

_FOR_MEANING: Final = 2 / 3
"""The part of a recall's time that is the embedder's; the rest is for looking up."""

_BRIEF: Final = 0.01
"""Seconds that looking up may hold up the event loop; where it took longer, threads do it for a while."""

_WHILE: Final = 1.0
"""Seconds of that while."""

_SETTLED_WITHIN: Final = 0.75
"""Seconds that a recall waits for what has to be written first."""


class Recollection:
    """Answers questions.

    Args:
        store: where the memories are.
        recaller: looks them up.
        meaning: embeds questions.
        settle: settles what of a scope has been quiet for long enough.
        own_past: whether a chat reaches the character's own past.
        read: runs what only reads in a thread.
        run: runs what may write in a thread.
    """

    def __init__(
        self,
        store: Store,
        recaller: Recaller,
        meaning: Meaning,
        *,
        settle: Callable[[ScopeRow], object],
        own_past: bool,
        read: Run,
        run: Run,
    ) -> None:
        self._store = store
        self._recaller = recaller
        self._meaning = meaning
        self._settle = settle
        self._own_past = own_past
        self._read = read
        self._run = run
        self._threads_until = 0.0

    async def recall(self, scope: ScopeRow, question: Question, *, within: float | None = None) -> Recall:
        """The whole read path. An embedder that fails or is slow costs the meaning, never the recall."""
        watch = Watch()
        until = None if within is None else time.monotonic() + within * _FOR_MEANING
        recall: Recall | Prepared | None = self._recaller.glance(scope, question)
        if recall is None:
            recall = await self._looked_up(lambda: self._prepare(scope, question))
        degraded: tuple[str, ...] = ()
        while isinstance(recall, Prepared):  # a second time where a glance was not enough
            recall, degraded = await self._found(scope, question, recall, watch, until=until)
        spent = {**watch.spent, "total": sum(watch.spent.values())}
        return replace(recall, degraded=(*recall.degraded, *degraded), timing_ms=spent)

    async def past(self, character: str) -> ScopeRow | None:
        """The scope of a character alone, where chats reach it."""
        return await self._read(lambda: self._past(character))

    def _past(self, character: str) -> ScopeRow | None:
        return self._store.past_of(character) if self._own_past else None

    async def _found(
        self, scope: ScopeRow, question: Question, prepared: Prepared, watch: Watch, *, until: float | None
    ) -> tuple[Recall | Prepared, tuple[str, ...]]:
        """Do what has to be done first, embed the question, and look it up."""
        degraded: tuple[str, ...] = ()
        if prepared.unsettled:
            degraded = await self._settled(scope)
            prepared = await self._read(lambda: self._prepare(scope, question))
        watch.lap("prepare")
        vector, fresh = None, None
        if prepared.query.search:
            within = None if until is None else max(until - time.monotonic(), 0.0)
            vector, fresh, lacking = await self._meaning.embedded(
                scope, prepared.matter, prepared.unembedded, within=within
            )
            degraded += lacking
        watch.lap("embed")
        embedder = self._meaning.embedder
        thresholds = None if embedder is None or vector is None else embedder.thresholds

        def find() -> Recall | Prepared:
            found = self._recaller.find(
                scope,
                question,
                prepared,
                vector=vector,
                fresh=fresh,
                thresholds=thresholds,
                watch=watch,
                own=None if scope.user is None else self._past(scope.character),
            )
            return self._with_words(scope, found) if isinstance(found, Prepared) else found

        found = await self._looked_up(find)
        watch.lap("hand over")
        return found, degraded

    async def _looked_up(self, look: Callable[[], T]) -> T:
        """What somebody finds who looks: at once, where all is at hand; otherwise a thread does it.

        In a scope that is in memory that takes a millisecond, of which the way to a thread and back would be
        a seventh part.
        """
        begun = time.monotonic()
        database = self._store.database
        if not database.local or begun < self._threads_until:
            return await self._read(look)
        with suppress(NotAtHand):
            try:
                with database.at_once():
                    return database.again(look)
            finally:
                ended = time.monotonic()
                if ended - begun > _BRIEF:
                    self._threads_until = ended + _WHILE
        return await self._read(look)

    async def _settled(self, scope: ScopeRow) -> tuple[str, ...]:
        """Settle what has been quiet; a recall does without where nobody can write now. What did not work."""
        settling = asyncio.ensure_future(self._run(lambda: self._settle(scope)))
        settling.add_done_callback(noted)
        await asyncio.wait({settling}, timeout=_SETTLED_WITHIN)
        if not settling.done():
            return ("what was said last cannot be written yet",)  # it will be, as soon as that is possible
        try:
            settling.result()
        except StoreError as error:
            return (str(error),)
        return ()

    def _prepare(self, scope: ScopeRow, question: Question) -> Prepared:
        return self._with_words(scope, self._recaller.prepare(scope, question))

    def _with_words(self, scope: ScopeRow, prepared: Prepared) -> Prepared:
        """A question with the words that have to be embedded first."""
        if not prepared.missing or self._meaning.embedder is None or self._meaning.circuit.rests:
            return prepared
        return replace(prepared, unembedded=self._meaning.vectoriser.words(scope, prepared.missing))
