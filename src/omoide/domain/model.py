"""The values that every part of the engine speaks in: messages, memories, and who they belong to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from omoide.domain.affect import Feeling
from omoide.domain.instants import check_time
from omoide.domain.kinds import check_kind
from omoide.domain.layer import Layer, check_confidence
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from omoide.domain.observation import Observation
    from omoide.domain.partial_date import PartialDate, Precision


class Role(StrEnum):
    """Who a message comes from. System messages are never memory, and are not kept in the log."""

    USER = "user"
    CHARACTER = "character"
    SYSTEM = "system"


class MessageState(StrEnum):
    """Where a message stands in the log.

    A provisional message may still be swiped or regenerated, so no memory rests on it. A hidden one was
    said, and is remembered, but its client no longer shows it to the model. A withdrawn one was edited,
    deleted or rewound away; withdrawing is soft.
    """

    PROVISIONAL = "provisional"
    SETTLED = "settled"
    HIDDEN = "hidden"
    WITHDRAWN = "withdrawn"


class Kind(StrEnum):
    """What is kept of what was said or lived through."""

    EPISODE = "episode"
    SUMMARY = "summary"
    FACT = "fact"
    PLAN = "plan"
    GUIDANCE = "guidance"
    DIARY = "diary"
    WORLD = "world"
    STATEMENT = "statement"


class Origin(StrEnum):
    """Where a memory came from. Rule-made and extracted ones are derived; the others survive a replay."""

    RULE = "rule"
    EXTRACTED = "extracted"
    AUTHORED = "authored"
    IMPORTED = "imported"
    FACTORY = "factory"


class Status(StrEnum):
    """Whether a memory may be recalled. Only confirmed ones are.

    A suppressed memory lost its evidence to an edit, a swipe or a rewind, and comes back with it. A replaced
    one was corrected; a faded one was pruned; a forgotten one can be restored for 30 days.
    """

    CANDIDATE = "candidate"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    SUPPRESSED = "suppressed"
    REPLACED = "replaced"
    FADED = "faded"
    FORGOTTEN = "forgotten"


class Mode(StrEnum):
    """How a thing was said. Only what was asserted becomes a fact."""

    ASSERTED = "asserted"
    HYPOTHETICAL = "hypothetical"
    JOKE = "joke"
    ROLE_PLAY = "role-play"


class Category(StrEnum):
    """What a fact is about (H11)."""

    PREFERENCE = "preference"
    PERSONAL = "personal"
    EMOTION = "emotion"
    HABIT = "habit"
    GOAL = "goal"
    GENERAL = "general"


class PlanState(StrEnum):
    """Where a plan stands.

    No store says that one has lapsed: it is open there, and by the clock its day is past.
    """

    OPEN = "open"
    DONE = "done"
    DROPPED = "dropped"
    LAPSED = "lapsed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One thing said, as a client or an import file gives it.

    Attributes:
        role: who it comes from.
        text: the words, as typed.
        speaker: the stable id of who said it; empty means the scope's own user or character, by role.
        name: the display name at that time, where it differs from the id.
        at: when it was said, aware; None means unknown, and the order of the log is the truth.
        raw_date: the date as the source wrote it.
        external_id: the source's own id.
        hidden: said, but no longer shown to the model.
        heard: how many characters of the text reached the listener; None means all of it.
        feeling: what its speaker felt, where somebody knows (H17).
    """

    role: Role
    text: str
    speaker: str = ""
    name: str | None = None
    at: datetime | None = None
    raw_date: str | None = None
    external_id: str | None = None
    hidden: bool = False
    heard: int | None = None
    feeling: Feeling | None = None

    def __post_init__(self) -> None:
        check_kind(self.role, Role, name="a message's role", needed=True)
        check_kind(self.text, str, name="a message's text", needed=True)
        check_kind(self.speaker, str, name="a message's speaker", needed=True)
        check_kind(self.name, str, name="a speaker's name")
        check_kind(self.external_id, str, name="a message's id")
        check_kind(self.heard, int, name="what was heard of a message")
        check_kind(self.feeling, Feeling, name="a message's feeling")
        check_time(self.at, name="a message's time")
        if self.heard is not None and self.heard < 0:
            msg = f"heard counts characters from 0 up, got {self.heard!r}"
            raise InvalidInput(msg)


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """How a character knows a thing of its own past: layer, confidence, and what the layer demands (K3).

    Attributes:
        layer: lived, heard or inferred.
        confidence: within the layer's range, see `omoide.domain.layer`.
        source: who told it; needed for a heard memory.
        heard_when: when it was told, in free text.
        basis: what a guess rests on; needed for an inferred memory.
        age: the character's age in years then; only for a lived memory.
        absolute_day: days since the character's birth; only for a lived memory, never negative.
    """

    layer: Layer
    confidence: float
    source: str | None = None
    heard_when: str | None = None
    basis: str | None = None
    age: float | None = None
    absolute_day: int | None = None

    def __post_init__(self) -> None:
        check_confidence(self.confidence, self.layer)
        if self.layer is Layer.HEARD and not (self.source or "").strip():
            msg = f"a heard memory names who told it{_got('source', self.source)}; add a source"
            raise InvalidInput(msg)
        if self.layer is Layer.INFERRED and not (self.basis or "").strip():
            msg = f"an inferred memory names what the guess rests on{_got('basis', self.basis)}; add a basis"
            raise InvalidInput(msg)
        if self.layer is Layer.DIRECT:
            if (self.absolute_day or 0) < 0 or (self.age or 0) < 0:
                given = f"{_got('age', self.age)}{_got('absolute_day', self.absolute_day)}"
                msg = f"nothing can be lived through before birth{given}; make it a heard memory"
                raise InvalidInput(msg)
        elif self.age is not None or self.absolute_day is not None:
            msg = (
                f"only a lived memory has an age or absolute day, got layer={self.layer.value!r}; "
                "leave them out, or make it direct"
            )
            raise InvalidInput(msg)

    def without(self, derived: Collection[str]) -> Past:
        """The same without an age or absolute day that was derived."""
        return replace(
            self,
            age=None if "age" in derived else self.age,
            absolute_day=None if "absolute_day" in derived else self.absolute_day,
        )


def _got(name: str, value: object) -> str:
    """A value that was given, for a message; nothing where none was."""
    return "" if value is None else f", got {name}={value!r}"


def check_importance(value: float) -> float:
    """Return the importance if it lies within 1 to 10; raise `InvalidInput` otherwise."""
    if not 1.0 <= value <= 10.0:
        msg = f"importance lies between 1 and 10, got {value!r}"
        raise InvalidInput(msg)
    return value


@dataclass(frozen=True, kw_only=True, slots=True)
class Quote:
    """A message that a memory rests on, with the words that matter there.

    Attributes:
        message: the message's id.
        speaker: who said it, by the name that holds now.
        role: in which role.
        quote: the words.
        at: when it was said; None means unknown.
    """

    message: str
    speaker: str
    role: Role
    quote: str
    at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """A promise, an appointment or a wish with a day.

    Attributes:
        who: whose it is, by name.
        due: when, aware; for a day without an hour its beginning in the user's zone. None: nobody said.
        precision: how exactly `due` is known; None without it.
        condition: what has to happen first, in words.
        state: whether it is still open.
    """

    who: str
    due: datetime | None = None
    precision: Precision | None = None
    condition: str | None = None
    state: PlanState = PlanState.OPEN

    def __post_init__(self) -> None:
        check_time(self.due, name="a plan's day")
        if (self.due is None) is not (self.precision is None):
            msg = f"a plan's day needs its precision, got due={self.due!r}, precision={self.precision!r}"
            raise InvalidInput(msg)


@dataclass(frozen=True, kw_only=True, slots=True)
class Detail:
    """Something that somebody said or did, as a summary keeps it (P5): words as they were, or an action."""

    kind: Literal["quote", "action"]
    who: str
    text: str
    context: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """One thing remembered.

    Attributes:
        id: a UUIDv7.
        kind: what it is.
        origin: where it came from.
        status: whether it may be recalled.
        text: its words; for an episode the words of the exchange, a line a message.
        at: when it happened or was said; None means unknown.
        importance: 1 to 10, unrounded.
        evidence: the messages it rests on, in the order said (in a recall: best first).
        confidence: 1 to 10; None where nobody judged it.
        confirmed: how many times it was said.
        pinned: it never fades.
        recorded_at: when the store learned of it.
        session: the session it was said in.
        place: where it happened.
        past: how the character knows it, for a memory of its own past.
        keys: words that call a world entry to mind.
        external_id: its source's own id.
        subject: the name of the person that it is about.
        mode: how it was said.
        category: what a fact is about.
        valid_from, valid_until: when it began and ceased to be so; None means unknown, or still so.
        plan: whose and by when, for a plan.
        details: what was said and done, for a summary.
        involved: names of those who take part in it.
        told: names of those whom the character told it.
        day: when it happened as far as that is known, for a diary memory.
        emotion, action, thought: what the character felt, did and thought, for a diary memory.
        scores: emotion scores by name, 0 to 10, for a diary memory.
        event: the name of the shared event that a diary memory tells of.
        observations: what the character saw of others, for a diary memory.
        derived: fields that the engine worked out where the author gave nothing; ``scores.joy`` for one of
            the scores.
    """

    id: str
    kind: Kind
    origin: Origin
    status: Status
    text: str
    at: datetime | None
    importance: float
    recorded_at: datetime
    evidence: tuple[Quote, ...] = ()
    confidence: float | None = None
    confirmed: int = 1
    pinned: bool = False
    session: str | None = None
    place: str | None = None
    past: Past | None = None
    keys: tuple[str, ...] = ()
    external_id: str | None = None
    subject: str | None = None
    mode: Mode = Mode.ASSERTED
    category: Category | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    plan: Plan | None = None
    details: tuple[Detail, ...] = ()
    involved: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    day: PartialDate | None = None
    emotion: str | None = None
    action: str | None = None
    thought: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict, hash=False)
    event: str | None = None
    observations: tuple[Observation, ...] = ()
    derived: tuple[str, ...] = ()
