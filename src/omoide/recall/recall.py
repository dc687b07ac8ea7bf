"""The read path: widen, look up, choose, fit the budget, render (design section 6). It never calls an LLM.

It runs in two steps, so that the query can be embedded in between: `prepare` reads what the message means in
its session, `find` does the rest. Both block; the engine runs them off its loop.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import UUID

from omoide.domain.affect import DAYS
from omoide.domain.instants import from_micros
from omoide.domain.text import fold
from omoide.errors import SealError, StoreError, UnknownScope
from omoide.prompts.rules import standing
from omoide.recall.between import between, felt_lately
from omoide.recall.evidence import times_of, with_twins
from omoide.recall.found import Found, as_then, opened
from omoide.recall.lookup import Asked, Lookup
from omoide.recall.merge import merged
from omoide.recall.mood import felt_now
from omoide.recall.prepared import Prepared, glanced, read, unsettled
from omoide.recall.render import Frame, block
from omoide.recall.result import Recall, Recalled, Slot

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from omoide.domain.embedding import Thresholds
    from omoide.recall.question import Question
    from omoide.recall.watch import Watch
    from omoide.stores.index.block import Block
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Recalling, Store
    from omoide.words.analyse import Analyser

_BESIDE = (Slot.PLAN, Slot.GUIDANCE, Slot.IMPORTANCE, Slot.SHARED)
"""How memories come in beside the answers that search and links find."""

_FIRST = 3
"""The best answers, whose turn comes before that of what has a place held for it."""


class Recaller:
    """Answers questions from a store.

    Args:
        store: where memories are.
        analyser: turns text into terms.
        zone: the zone of users that told none.
        quiet: microseconds after which a session's last words are settled.
        feelings_days: days that the summary of feelings looks back.
    """

    def __init__(
        self,
        store: Store,
        analyser: Analyser,
        *,
        zone: str,
        quiet: int,
        feelings_days: int = DAYS,
    ) -> None:
        self._store = store
        self._lookup = Lookup(analyser)
        self._zone = zone
        self._quiet = quiet
        self._feelings_days = feelings_days

    def glance(self, scope: ScopeRow, question: Question) -> Prepared | None:
        """Read a message that says enough by itself, without a look at the store; None where that takes one.

        It does not block. `find` tells if it went by something that has changed.
        """
        known = self._store.known(scope)
        return None if known is None else glanced(known, question, now=from_micros(self._store.now()))

    def prepare(self, scope: ScopeRow, question: Question) -> Prepared:
        """Read what the message means in its session."""
        with self._store.recalling(scope) as now:
            return read(now, question, quiet=self._quiet)

    def find(
        self,
        scope: ScopeRow,
        question: Question,
        prepared: Prepared,
        *,
        vector: NDArray[np.float32] | None,
        fresh: Block | None,
        thresholds: Thresholds | None,
        watch: Watch,
        own: ScopeRow | None = None,
    ) -> Recall | Prepared:
        """Look up, choose and render.

        Args:
            scope: whose memory.
            question: what is asked.
            prepared: what `glance` or `prepare` made of it.
            vector: of the question; None without an embedder.
            fresh: vectors of memories that the store does not hold yet.
            thresholds: similarities that mean something in the embedding space in use.
            watch: where the time goes.
            own: the scope of the character alone, where a chat reaches its past.

        Returns:
            The recall; or, where a glance went by what has changed, or something has to be done first, what
            the store says of the question.
        """
        asked = Asked(
            question=felt_now(self._store, scope, question),
            prepared=prepared,
            vector=vector,
            thresholds=None if vector is None else thresholds,
            zone=prepared.zone or self._zone,
            watch=watch,
        )
        past = self._past(own, asked) if own is not None and prepared.query.search else None
        with self._store.recalling(scope, fresh=fresh) as now:
            watch.lap("refresh")
            if prepared.glanced is not None and self._behind(now, prepared.glanced):
                return read(now, question, quiet=self._quiet, before=prepared)
            empty = _empty(now, asked, own_past=own is not None)
            if not prepared.query.search:
                return empty
            talk = opened(now, self._lookup.choices(now, asked), own=scope.user is None)
            moment = asked.moment(now)
            feelings = felt_lately(now, asked.at(now), moment, days=self._feelings_days)
            watch.lap("open")
        found = merged(talk, past, limit=question.limit)
        if question.as_of is not None:
            found = as_then(found, moment)
        return _rendered(replace(empty, feelings=feelings), found, asked, moment)

    def _behind(self, now: Recalling, names: Sequence[str]) -> bool:
        """Whether a glance may have missed something, or something has to be done first."""
        lacking = now.snapshot.missing > 0 and self._store.embedding is not None
        return lacking or unsettled(now, quiet=self._quiet) or now.common != names

    def _past(self, own: ScopeRow, asked: Asked) -> Found | None:
        """What of the character's own past comes to mind in a chat; its trouble costs the chat nothing."""
        try:
            with self._store.recalling(own) as now:
                found = opened(now, self._lookup.choices(now, asked), own=True)
        except UnknownScope:  # erased meanwhile
            self._store.drop_cache(own)
            return None
        except (StoreError, SealError) as error:
            return Found(degraded=(str(error),))
        asked.watch.lap("past")
        return found

    def rehearse(self, scope: ScopeRow, recall: Recall, *, exchange: str) -> None:
        """Note that these memories went into a chat, also those of the character's own past (H10)."""
        for own in {one.own for one in recall.memories}:
            home = self._store.past_of(scope.character) if own else scope
            if home is not None:
                self._rehearse(
                    home, [UUID(one.memory.id) for one in recall.memories if one.own is own], exchange
                )

    def _rehearse(self, scope: ScopeRow, ids: Sequence[UUID], exchange: str) -> None:
        with self._store.write(scope) as unit:
            numbers = unit.lookups.called(ids)
            if numbers:
                unit.rehearsals.note(numbers, exchange=unit.scope.blinder.tag(exchange, purpose="exchange"))


def _empty(now: Recalling, asked: Asked, *, own_past: bool) -> Recall:
    """A recall without memories: what stands of the two anyway."""
    query = asked.prepared.query
    question = asked.question
    known = between(
        now,
        asked.moment(now),
        session=question.session,
        past=question.as_of is not None,
        own_past=own_past,
    )
    return Recall(
        query=query.text if query.search else "",
        reason=query.reason,
        standing=standing(asked.prepared.language, known),
        block="",
    )


def _rendered(recall: Recall, found: Found, asked: Asked, moment: datetime) -> Recall:
    """A recall with what was found: the block, as far as the budget reaches, and each memory by itself."""
    question, prepared = asked.question, asked.prepared
    text, held = block(
        [one.memory for one in _in_turn(found.memories)],
        Frame(language=prepared.language, now=moment, budget=question.budget, brief=question.brief),
        hard_days=() if recall.feelings is None else recall.feelings.hard_days,
        again={memory: times_of(twins) for memory, twins in found.twins.items()},
    )
    asked.watch.lap("render")
    terms = fold(prepared.query.text).split()
    recalled = tuple(
        [
            Recalled(
                memory=with_twins(one.memory, found.twins.get(one.memory.id, ()), terms),
                why=one.why,
                in_block=one.memory.id in held,
                own=one.own,
            )
            for one in found.memories
        ]
    )
    return replace(recall, block=text, memories=recalled, degraded=found.degraded)


def _in_turn(memories: Sequence[Recalled]) -> list[Recalled]:
    """In the order in which the budget is spent on them.

    The best answer comes first, so that nothing crowds it out; then what comes unasked, the answers next to
    it, what is important, the other answers, and what shares a place with one.
    """
    groups: dict[Slot, list[Recalled]] = {slot: [] for slot in (Slot.SEARCH, *_BESIDE)}
    for one in memories:
        groups[one.why.slot if one.why.slot in _BESIDE else Slot.SEARCH].append(one)
    answers = groups[Slot.SEARCH]
    unasked = [*groups[Slot.PLAN], *groups[Slot.GUIDANCE]]
    important, shared = groups[Slot.IMPORTANCE], groups[Slot.SHARED]
    return [*answers[:1], *unasked, *answers[1:_FIRST], *important, *answers[_FIRST:], *shared]
