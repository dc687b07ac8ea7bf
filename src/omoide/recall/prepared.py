"""A question, read: what it means in its session, before anything is embedded or looked up."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unicodedata import normalize

import numpy as np

from omoide.domain.instants import from_micros
from omoide.domain.text import is_blank, language
from omoide.domain.times import resolve
from omoide.recall.names import cut_names
from omoide.recall.phrasing import cut_frame, says_nothing
from omoide.recall.widen import Query, widen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from omoide.domain.text import Language
    from omoide.domain.times import Span
    from omoide.recall.question import Question
    from omoide.stores.index.refresh import Known
    from omoide.stores.index.scope_index import Snapshot
    from omoide.stores.store import Recalling

_COMPLETE = ("plain", "laughter", "blank")
"""Kinds of message that earlier ones add nothing to."""

FRESH = 32
"""Memories that a recall has embedded first, so that what was just said is found (ruling 2)."""

_THEN = "그때"
_HANGUL = re.compile("[가-힣]")

_PREVIOUS = 6
"""Earlier messages of the user that are looked at to widen a short one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """A question as far as it can be read before anything is embedded.

    Attributes:
        query: what to search for, and whether to.
        matter: what the query is about: without names of people and without phrases that only ask.
        timed: whether it speaks of any time.
        occasion: the words for its time, where it says nothing else ("What did I do in August?"); without
            those that mean another day tomorrow, as "last week" does. None where it says more.
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
    occasion: str | None
    language: Language
    zone: str | None
    glanced: Sequence[str] | None = None
    missing: tuple[int, ...] = ()
    unembedded: Mapping[int, str] = field(default_factory=dict)
    unsettled: bool = False


def glanced(known: Known, question: Question, *, now: datetime) -> Prepared | None:
    """Read a message that says enough by itself, by what is known of its scope; None if it does not."""
    query = widen(question.message, previous=())
    if question.session is not None and query.reason not in _COMPLETE:
        return None
    matter, timed, occasion = _matter(query, known.common, now)
    return Prepared(
        query=query,
        matter=matter,
        timed=timed,
        occasion=occasion,
        language=_language(known.language, question.message),
        zone=known.zone,
        glanced=known.common,
    )


def read(now: Recalling, question: Question, *, quiet: int, before: Prepared | None = None) -> Prepared:
    """Read a message in its session.

    Args:
        now: the scope.
        question: what is asked.
        quiet: microseconds after which a session's last words are settled.
        before: what a glance made of it, which may be right.
    """
    if before is not None and before.glanced == now.common:
        query, matter, timed, occasion = before.query, before.matter, before.timed, before.occasion
    else:
        query = widen(question.message, previous=_previous(now, question))
        matter, timed, occasion = _matter(query, now.common, from_micros(now.unit.now))
    return Prepared(
        query=query,
        matter=matter,
        timed=timed,
        occasion=occasion,
        language=_language(now.state.language, question.message),
        zone=now.state.zone,
        missing=_newest_missing(now.snapshot),
        unsettled=unsettled(now, quiet=quiet),
    )


def unsettled(now: Recalling, *, quiet: int) -> bool:
    """Whether words have been quiet for long enough to be settled."""
    waiting = now.state.waiting_since
    return waiting is not None and waiting <= now.unit.now - quiet


def _previous(now: Recalling, question: Question) -> Sequence[str]:
    if question.session is None or widen(question.message, previous=()).reason == "plain":
        return []
    session = now.unit.sessions.find(question.session)
    return [] if session is None else now.unit.texts.last_said(session.id, limit=_PREVIOUS)


def _newest_missing(snapshot: Snapshot) -> tuple[int, ...]:
    if not snapshot.missing:
        return ()
    missing = snapshot.rows["number"][snapshot.rows["alive"] & ~snapshot.embedded]
    return tuple(np.sort(missing)[::-1][:FRESH].tolist())


def _matter(query: Query, names: Sequence[str], now: datetime) -> tuple[str, bool, str | None]:
    """What the query is about, without what only says who, how long ago, or that something is asked.

    A date in figures is a word like others: what happened then may name it. The second value tells whether
    the query speaks of any time, the third is that time where it says nothing else.
    """
    text = query.text
    spans = resolve(text, now=now)
    cut = [span for span in spans if span.end <= now and not any(letter.isdigit() for letter in span.phrase)]
    matter = cut_frame(cut_names(_without(text, cut), names))
    occasion = None
    if spans and says_nothing(cut_frame(cut_names(_without(text, spans, then=_THEN), names))):
        occasion = " ".join(span.phrase for span in spans if not span.moves)
    return text if is_blank(matter) else matter, bool(spans), occasion


def _without(text: str, spans: Sequence[Span], *, then: str = " ") -> str:
    """The text without these times; `then` takes the place of Korean ones, for the particles behind them."""
    for span in spans:
        stand_in = then if _HANGUL.match(span.phrase[-1]) else " "
        text = normalize("NFKC", text).replace(span.phrase, stand_in, 1)
    return text


def _language(known: str | None, message: str) -> Language:
    for code in ("ko", "ja", "zh", "en"):
        if known == code:
            return language(message, default=code)
    return language(message)
