"""The read path: widen, look up, choose, fit the budget, render (design section 6). It never calls an LLM.

It runs in two steps, so that the query can be embedded in between: `prepare` reads what the message means in
its session, `find` does the rest. Both block; the engine runs them off its loop.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from unicodedata import normalize
from uuid import UUID

import numpy as np

from omoide.domain.affect import DAYS
from omoide.domain.instants import from_micros, zone_of
from omoide.domain.model import Role
from omoide.domain.text import fold, is_blank, language
from omoide.domain.times import resolve
from omoide.errors import SealError, StoreError, UnknownScope
from omoide.prompts.rules import standing
from omoide.recall.associate import with_linked
from omoide.recall.between import between, felt_lately
from omoide.recall.choose import Choice, Fusion, Lists, Policy, choose
from omoide.recall.evidence import times_of, with_twins
from omoide.recall.filters import readable
from omoide.recall.found import Found, opened
from omoide.recall.fuse import DEFAULT_WEIGHTS
from omoide.recall.lists import lists
from omoide.recall.merge import merged
from omoide.recall.mood import favoured, felt_now
from omoide.recall.names import cut_names, named
from omoide.recall.nearest import InProcess
from omoide.recall.phrasing import asked, asks, cut_frame
from omoide.recall.render import Frame, block
from omoide.recall.requests import is_request
from omoide.recall.result import Recall
from omoide.recall.unasked import with_unasked
from omoide.recall.widen import Query, widen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from omoide.domain.embedding import Thresholds
    from omoide.domain.text import Language
    from omoide.recall.nearest import VectorIndex
    from omoide.recall.question import Question
    from omoide.recall.watch import Watch
    from omoide.stores.index import Snapshot
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Recalling, Store
    from omoide.stores.vectors import Block
    from omoide.words.analyse import Analyser

_COMPLETE = ("plain", "laughter", "blank")
"""Kinds of message that earlier ones add nothing to."""

FRESH = 32
"""Memories that a recall has embedded first, so that what was just said is found (ruling 2)."""

_IN_PROCESS = InProcess()
_PREVIOUS = 6
"""Earlier messages of the user that are looked at to widen a short one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """A question as far as it can be read before anything is embedded.

    Attributes:
        query: what to search for, and whether to.
        matter: what the query is about: without names of people and without phrases that only ask.
        timed: whether it speaks of any time.
        language: of the scope, or of the message in a new one.
        zone: the user's zone, where it is known.
        glanced: the names that a glance cut, which may be behind the store; None after a proper look.
        missing: the numbers of the newest memories that still lack a vector, `FRESH` at most.
        unembedded: the words of these, by number, to be embedded first.
        unsettled: whether words have been quiet for long enough to be settled first.
    """

    query: Query
    matter: str
    timed: bool
    language: Language
    zone: str | None
    glanced: Sequence[str] | None = None
    missing: tuple[int, ...] = ()
    unembedded: Mapping[int, str] = field(default_factory=dict)
    unsettled: bool = False


class Recaller:
    """Answers questions from a store.

    Args:
        store: where memories are.
        analyser: turns text into terms.
        zone: the zone of users that told none.
        quiet: microseconds after which a session's last words are settled.
        feelings_days: days that the summary of feelings looks back.
        index: compares vectors; in the process, unless another is given.
    """

    def __init__(
        self,
        store: Store,
        analyser: Analyser,
        *,
        zone: str,
        quiet: int,
        feelings_days: int = DAYS,
        index: VectorIndex = _IN_PROCESS,
    ) -> None:
        self._index = index
        self._store = store
        self._analyser = analyser
        self._zone = zone
        self._quiet = quiet
        self._feelings_days = feelings_days

    def glance(self, scope: ScopeRow, question: Question) -> Prepared | None:
        """Read a message that says enough by itself, without a look at the store; None where that takes one.

        It does not block. `find` tells if it went by something that has changed.
        """
        known = self._store.known(scope)
        query = widen(question.message, previous=())
        if known is None or (question.session is not None and query.reason not in _COMPLETE):
            return None
        matter, timed = _matter(query, known.common, from_micros(self._store.now()))
        return Prepared(
            query=query,
            matter=matter,
            timed=timed,
            language=_language(known.language, question.message),
            zone=known.zone,
            glanced=known.common,
        )

    def prepare(self, scope: ScopeRow, question: Question) -> Prepared:
        """Read what the message means in its session."""
        with self._store.recalling(scope) as now:
            return self._prepared(now, question)

    def _behind(self, now: Recalling, names: Sequence[str]) -> bool:
        """Whether a glance may have missed something, or something has to be done first."""
        lacking = now.snapshot.missing > 0 and self._store.embedding is not None
        return lacking or self._unsettled(now) or now.common != names

    def _unsettled(self, now: Recalling) -> bool:
        waiting = now.state.waiting_since
        return waiting is not None and waiting <= now.unit.now - self._quiet

    def _prepared(self, now: Recalling, question: Question, *, read: Prepared | None = None) -> Prepared:
        """What the store says of a question, which a glance may have read rightly before."""
        if read is not None and read.glanced == now.common:
            query, matter, timed = read.query, read.matter, read.timed
        else:
            query = widen(question.message, previous=self._previous(now, question))
            matter, timed = _matter(query, now.common, from_micros(now.unit.now))
        return Prepared(
            query=query,
            matter=matter,
            timed=timed,
            language=_language(now.state.language, question.message),
            zone=now.state.zone,
            missing=_newest_missing(now.snapshot),
            unsettled=self._unsettled(now),
        )

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
        question = felt_now(self._store, scope, question)
        past = None
        if own is not None and prepared.query.search:
            past = self._past(own, question, prepared, vector, thresholds, watch)
        with self._store.recalling(scope, fresh=fresh) as now:
            watch.lap("refresh")
            if prepared.glanced is not None and self._behind(now, prepared.glanced):
                return self._prepared(now, question, read=prepared)
            at = now.unit.now if question.as_of is None else question.as_of
            moment = from_micros(at).astimezone(zone_of(prepared.zone or self._zone))
            empty = Recall(
                query=prepared.query.text if prepared.query.search else "",
                reason=prepared.query.reason,
                standing=standing(
                    prepared.language,
                    between(now, moment, past=question.as_of is not None, own_past=own is not None),
                ),
                block="",
            )
            if not prepared.query.search:
                return empty
            choices = self._choose(now, question, prepared, vector, thresholds, moment, watch)
            talk = opened(now, choices, own=scope.user is None)
            feelings = felt_lately(now, at, moment, days=self._feelings_days)
            watch.lap("open")
        found = merged(talk, past, limit=question.limit)
        text, held = block(
            [one.memory for one in found.memories],
            Frame(language=prepared.language, now=moment, budget=question.budget, brief=question.brief),
            hard_days=() if feelings is None else feelings.hard_days,
            again={memory: times_of(twins) for memory, twins in found.twins.items()},
        )
        watch.lap("render")
        terms = fold(prepared.query.text).split()
        recalled = tuple(
            replace(
                one,
                memory=with_twins(one.memory, found.twins.get(one.memory.id, ()), terms),
                in_block=one.memory.id in held,
            )
            for one in found.memories
        )
        return replace(empty, block=text, memories=recalled, feelings=feelings, degraded=found.degraded)

    def _past(
        self,
        own: ScopeRow,
        question: Question,
        prepared: Prepared,
        vector: NDArray[np.float32] | None,
        thresholds: Thresholds | None,
        watch: Watch,
    ) -> Found | None:
        """What of the character's own past comes to mind in a chat; its trouble costs the chat nothing."""
        try:
            with self._store.recalling(own) as now:
                at = now.unit.now if question.as_of is None else question.as_of
                moment = from_micros(at).astimezone(zone_of(prepared.zone or self._zone))
                choices = self._choose(now, question, prepared, vector, thresholds, moment, watch, chat=True)
                found = opened(now, choices, own=True)
        except UnknownScope:  # erased meanwhile
            self._store.drop_cache(own)
            return None
        except (StoreError, SealError) as error:
            return Found(degraded=(str(error),))
        watch.lap("past")
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
            numbers = [number for one in ids if (number := unit.memories.number(one)) is not None]
            if numbers:
                unit.rehearsals.note(numbers, exchange=unit.scope.blinder.tag(exchange, purpose="exchange"))

    def _previous(self, now: Recalling, question: Question) -> Sequence[str]:
        if question.session is None or widen(question.message, previous=()).reason == "plain":
            return []
        session = now.unit.sessions.find(question.session)
        return [] if session is None else now.unit.texts.last_said(session.id, limit=_PREVIOUS)

    def _choose(
        self,
        now: Recalling,
        question: Question,
        prepared: Prepared,
        vector: NDArray[np.float32] | None,
        thresholds: Thresholds | None,
        moment: datetime,
        watch: Watch,
        *,
        chat: bool = False,
    ) -> list[Choice]:
        snapshot, unit = now.snapshot, now.unit
        allowed = readable(snapshot, now=unit.now, as_of=question.as_of)
        allowed &= question.filter.mask(unit, snapshot)
        allowed &= ~self._shown(now, question)
        called = set(named(prepared.query.text, list(now.names.values())))
        people = [number for number, name in now.names.items() if name in called]
        person, weight = _meant(now, prepared.query.text, people)
        found: Lists = lists(
            snapshot,
            index=self._index,
            vector=vector,
            terms=self._analyser.query(prepared.matter),
            blind=unit.scope.blinder.blind,
            allowed=allowed,
            person=person,
            weight=weight,
            calls_by_name=not set(people) <= set(now.own.values()),
            request=is_request(prepared.query.text),
            dialogue=chat or Role.CHARACTER in now.own,
            mood=favoured(now, question.feeling) if question.mood else None,
            watch=watch,
        )
        policy = Policy(
            fusion=question.fusion,
            forgetting=question.forgetting,
            asks=asks(prepared.query.text),
            limit=question.limit,
            slots=question.slots,
            thresholds=thresholds if vector is not None else None,
            now=unit.now,
        )
        spans = resolve(question.message, now=moment) if prepared.timed else []
        chosen = choose(snapshot, found, policy, spans=spans, rehearsed=unit.rehearsals.counts)
        if question.links and question.fusion is Fusion.STANDARD:
            same = None if policy.thresholds is None else policy.thresholds.same
            chosen = with_linked(
                now,
                chosen,
                found,
                message=question.message,
                limit=question.limit,
                asks=policy.asks,
                same=same,
            )
        if question.as_of is None:
            chosen = with_unasked(now, chosen, found, policy.thresholds, limit=question.limit)
        watch.lap("choose")
        return chosen

    @staticmethod
    def _shown(now: Recalling, question: Question) -> NDArray[np.bool_]:
        """Memories whose evidence the prompt still shows word for word (ruling 4)."""
        rows = now.snapshot.rows
        session = None if question.session is None else now.unit.sessions.find(question.session)
        since = None if session is None else now.unit.log.shown_since(session.id, turns=question.turns)
        if session is None or since is None:
            return np.zeros(len(rows), dtype=np.bool_)
        return np.isin(rows["number"], now.unit.memories.shown(session.id, since=since))


def _newest_missing(snapshot: Snapshot) -> tuple[int, ...]:
    if not snapshot.missing:
        return ()
    missing = snapshot.rows["number"][snapshot.rows["alive"] & ~snapshot.embedded]
    return tuple(np.sort(missing)[::-1][:FRESH].tolist())


def _matter(query: Query, names: Sequence[str], now: datetime) -> tuple[str, bool]:
    """What the query is about, without what only says who, how long ago, or that something is asked.

    A date in figures is a word like others: what happened then may name it. The second value tells whether
    the query speaks of any time.
    """
    text = query.text
    spans = resolve(text, now=now)
    for span in spans:
        if span.end <= now and not any(character.isdigit() for character in span.phrase):
            text = normalize("NFKC", text).replace(span.phrase, " ", 1)
    matter = cut_frame(cut_names(text, names))
    return query.text if is_blank(matter) else matter, bool(spans)


def _meant(now: Recalling, query: str, people: Sequence[int]) -> tuple[int | None, float]:
    """The one person that a query names; or, with half the weight, the one that its "I" or "you" means."""
    if people:
        return (people[0] if len(people) == 1 else None), DEFAULT_WEIGHTS.named
    whom = asked(query)
    return (None if whom is None else now.own.get(Role(whom))), DEFAULT_WEIGHTS.named / 2


def _language(known: str | None, message: str) -> Language:
    for code in ("ko", "ja", "zh", "en"):
        if known == code:
            return language(message, default=code)
    return language(message)
