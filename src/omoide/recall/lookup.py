"""What of one scope comes to mind: which memories may, how each list ranks them, and which are chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from omoide.domain.instants import from_micros, zone_of
from omoide.domain.model import Role
from omoide.domain.times import resolve
from omoide.recall.associate import with_linked
from omoide.recall.choice import Choice, Lists, Policy
from omoide.recall.choose import choose
from omoide.recall.filters import passing, readable
from omoide.recall.fuse import NAMED, Fusion
from omoide.recall.lists import lists
from omoide.recall.mood import favoured
from omoide.recall.names import named
from omoide.recall.phrasing import phrased
from omoide.recall.requests import is_request
from omoide.recall.unasked import planned, with_unasked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from omoide.domain.embedding import Thresholds
    from omoide.recall.phrasing import Phrasing
    from omoide.recall.prepared import Prepared
    from omoide.recall.question import Question
    from omoide.recall.watch import Watch
    from omoide.stores.store import Recalling
    from omoide.words.analyse import Analyser


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question with all that a lookup takes.

    Attributes:
        question: what is asked.
        prepared: what was read out of it.
        vector: of what it is about, shape (dimensions,), L2-normalised; None without an embedder.
        thresholds: similarities that mean something in the embedding space; None without a vector.
        zone: of the user.
        watch: where the time goes.
    """

    question: Question
    prepared: Prepared
    vector: NDArray[np.float32] | None
    thresholds: Thresholds | None
    zone: str
    watch: Watch

    def at(self, now: Recalling) -> int:
        """The moment that is answered for, in microseconds."""
        return now.unit.now if self.question.as_of is None else self.question.as_of

    def moment(self, now: Recalling) -> datetime:
        """The moment that is answered for, in the user's zone."""
        return from_micros(self.at(now)).astimezone(zone_of(self.zone))


class Lookup:
    """Looks questions up, in one scope at a time.

    Args:
        analyser: turns text into terms.
    """

    def __init__(self, analyser: Analyser) -> None:
        self._analyser = analyser

    def choices(self, now: Recalling, asked: Asked) -> list[Choice]:
        """What comes to mind, best first.

        Args:
            now: the scope.
            asked: the question.
        """
        question = asked.question
        put = phrased(asked.prepared.query.text)
        found = self._ranked(now, asked, put)
        policy = _policy(now, asked, put)
        spans = resolve(question.message, now=asked.moment(now)) if asked.prepared.timed else []
        chosen = choose(
            now.snapshot,
            found,
            policy,
            spans=spans,
            planned=planned(now, spans) if spans and question.as_of is None else None,
            rehearsed=now.unit.rehearsals.counts,
            vectors=now.vectors,
            rests=now.unit.memories.rests,
        )
        if question.links and question.fusion is Fusion.STANDARD:
            chosen = _with_linked(now, chosen, found, question, policy)
        if question.as_of is None:
            chosen = with_unasked(now, chosen, found, policy.thresholds, limit=question.limit)
        asked.watch.lap("choose")
        return chosen

    def _ranked(self, now: Recalling, asked: Asked, put: Phrasing) -> Lists:
        """What each list says of each memory."""
        question, text = asked.question, asked.prepared.query.text
        called = set(named(text, list(now.names.values())))
        people = [number for number, name in now.names.items() if name in called]
        person, weight = _meant(now, put, people)
        dialogue = now.unit.scope.user is None or Role.CHARACTER in now.own
        calls_by_name = not set(people) <= set(now.own.values())
        occasion = None if calls_by_name or question.fusion is Fusion.PUBLISHED else asked.prepared.occasion
        return lists(
            now,
            vector=asked.vector,
            terms=self._analyser.query(asked.prepared.matter if occasion is None else occasion),
            blind=now.unit.scope.blinder.blind_each,
            allowed=_allowed(now, question),
            person=person,
            weight=weight,
            calls_by_name=calls_by_name,
            request=dialogue and is_request(text, put),  # in documents people look up all kinds of things
            tale=put.tale is not None,
            only_time=occasion is not None,
            dialogue=dialogue,
            mood=favoured(now, question.feeling) if question.mood else None,
            watch=asked.watch,
        )


def _allowed(now: Recalling, question: Question) -> NDArray[np.bool_]:
    """Memories that may come."""
    allowed = readable(now.snapshot, now=now.unit.now, as_of=question.as_of)
    allowed = allowed & passing(now, question.filter)
    shown = _shown(now, question)
    if shown:
        allowed &= ~np.isin(now.snapshot.rows["number"], shown)
    return allowed


def _shown(now: Recalling, question: Question) -> list[int]:
    """Memories whose evidence the prompt still shows word for word (ruling 4), by number."""
    session = None if question.session is None else now.unit.sessions.find(question.session)
    since = None if session is None else now.unit.log.shown_since(session.id, turns=question.turns)
    return [] if session is None or since is None else now.unit.memories.shown(session.id, since=since)


def _meant(now: Recalling, put: Phrasing, people: Sequence[int]) -> tuple[int | None, float]:
    """The one person that a query names; or, with half the weight, the one that its "I" or "you" means."""
    if people:
        return (people[0] if len(people) == 1 else None), NAMED
    return (None if put.about is None else now.own.get(Role(put.about))), NAMED / 2


def _policy(now: Recalling, asked: Asked, put: Phrasing) -> Policy:
    question = asked.question
    return Policy(
        fusion=question.fusion,
        forgetting=question.forgetting,
        asks=put.asks,
        limit=question.limit,
        slots=question.slots,
        thresholds=None if now.trouble else asked.thresholds,  # as without an embedder
        now=now.unit.now,
    )


def _with_linked(
    now: Recalling, chosen: list[Choice], found: Lists, question: Question, policy: Policy
) -> list[Choice]:
    return with_linked(
        now,
        chosen,
        found,
        message=question.message,
        limit=question.limit,
        asks=policy.asks,
        same=None if policy.thresholds is None else policy.thresholds.same,
    )
