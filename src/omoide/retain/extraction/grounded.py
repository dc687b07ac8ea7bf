"""What is left of an answer once it is held against what was said."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from omoide.domain.model import Category, Kind, Mode, PlanState

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from omoide.domain.affect import Feeling
    from omoide.domain.due import Due
    from omoide.domain.relationship import Relationship
    from omoide.retain.extraction.view import Known, Line, Someone


class Reason(StrEnum):
    """Why an item was dropped, or kept without something that it said: `UNRELATED` and `UNKNOWN_ID`.

    `LONG` counts messages of which only both ends were read.
    """

    UNREAD = "unreadable"
    NO_EVIDENCE = "no evidence"
    NOT_SAID = "not said"
    NOT_ASSERTED = "not asserted"
    CHARACTERS_WORDS = "the character's words"
    ASKED = "only asked"
    TURNED = "turned round"
    ANOTHERS = "somebody else's"
    UNSUPPORTED = "unsupported"
    NOBODY = "about nobody"
    ORDER = "order"
    REFUSAL = "refusal"
    LANGUAGE = "wrong language"
    REPEATED = "repeated"
    KNOWN = "known already"
    OVER = "over already"
    UNRELATED = "unrelated to what it replaces"
    UNKNOWN_ID = "unknown id"
    UNKNOWN_EMOTION = "unknown emotion"
    FORGOTTEN = "forgotten by hand"
    UNLIKELY = "not important enough"
    BLANK = "blank"
    LONG = "message too long to be read whole"


class Dropped(Exception):
    """An item is dropped, for a reason; it is caught and counted where items are gone through."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True, kw_only=True, slots=True)
class Cited:
    """Words of a message: where they begin in it, and where they end."""

    line: Line
    start: int
    end: int

    @property
    def words(self) -> str:
        """The words themselves."""
        return self.line.text[self.start : self.end]


@dataclass(frozen=True, kw_only=True, slots=True)
class Intent:
    """What makes an item a plan: whose, by when, on what condition, and where it stands.

    `inherits` is the day of the plan whose place it takes, where no other day was said.
    """

    who: Someone
    due: Due | None
    condition: str
    state: PlanState
    inherits: Due | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One thing to be remembered, with what it rests on.

    Attributes:
        kind: a fact, a character's statement, a plan or guidance.
        text: its words.
        cited: what it rests on, at least one.
        about: whom it is about; None for guidance.
        category, mode: of a fact.
        importance: 1 to 10, of its own; None where it has no more than any other of its window.
        confidence: 1 to 10.
        since, until: when it began and ceased to be so, where that was said.
        relation: to what is known.
        known: what it confirms or replaces.
        also: what else it replaces.
        intent: of a plan.
        alone: an end of a plan that tells something by itself, should no plan be known that it is the end of.
    """

    kind: Kind
    text: str
    cited: tuple[Cited, ...]
    about: Someone | None = None
    category: Category | None = None
    mode: Mode = Mode.ASSERTED
    importance: float | None = None
    confidence: float = 8.0
    since: datetime | None = None
    until: datetime | None = None
    relation: Literal["new", "confirms", "replaces"] = "new"
    known: Known | None = None
    also: tuple[Known, ...] = ()
    intent: Intent | None = None
    alone: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A detail of the summary: words that were said, or something that somebody did."""

    cited: Cited | None
    who: str
    text: str
    context: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Nickname:
    """What somebody is called besides their name, and by whom."""

    person: Someone
    called: str
    by: Someone | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Mood:
    """What the speaker of a message felt, and what brought it about."""

    line: Line
    feeling: Feeling
    trigger: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Grounded:
    """An answer, held against what was said.

    Attributes:
        summary: of the window; empty where nothing is worth it.
        importance: 1 to 10.
        details: of the summary.
        terms: search terms drawn on purpose.
        involved: who takes part.
        items: facts, statements, plans and guidance.
        nicknames: names of people besides their own.
        moods: what was felt.
        relationship: the new one; None where it stays as it was.
        dropped: how many items were dropped, by reason.
    """

    summary: str
    importance: float
    details: tuple[Told, ...] = ()
    terms: tuple[str, ...] = ()
    involved: tuple[Someone, ...] = ()
    items: tuple[Item, ...] = ()
    nicknames: tuple[Nickname, ...] = ()
    moods: tuple[Mood, ...] = ()
    relationship: Relationship | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)
