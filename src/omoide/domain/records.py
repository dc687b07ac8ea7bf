"""What passes between the rules that decide and the store that keeps: rows, without their keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from omoide.domain.model import (
    Category,
    Kind,
    Memory,
    Message,
    MessageState,
    Mode,
    Origin,
    Past,
    PlanState,
    Role,
    Status,
)

if TYPE_CHECKING:
    from datetime import datetime

    from omoide.domain.observation import Observation
    from omoide.domain.partial_date import PartialDate, Precision


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """One session: its number, and whether its client named it or the engine did."""

    id: int
    named: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Logged:
    """A message as the log has it, without its words."""

    id: int
    role: Role
    speaker: int
    state: MessageState
    position: int
    hash: bytes
    at: int | None
    zone: str | None
    heard: int | None
    variant: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """A message about to be written: the words, who said them, and where they belong."""

    message: Message
    speaker: int
    position: int
    hash: bytes
    state: MessageState
    variant: int = 0
    parent: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """Somebody whom a scope knows: a stable id, a role, and the name that holds now."""

    id: str
    role: Role
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanDraft:
    """A plan about to be written: `person` is the number of whose it is, None where that is unknown."""

    person: int | None
    due: datetime | None = None
    precision: Precision | None = None
    condition: str | None = None
    state: PlanState = PlanState.OPEN


@dataclass(frozen=True, kw_only=True, slots=True)
class DetailDraft:
    """A detail of a summary about to be written.

    An action has its words here. A quote has them in the log alone: it is the `nth` stretch, from 0, that the
    memory cites of the `message`.
    """

    who: str
    text: str = ""
    context: str = ""
    message: int | None = None
    nth: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A memory about to be written.

    `text` is None for an episode, whose words stand in its evidence alone. `position` is its place among
    the scope's messages, which decay and neighbours go by. `evidence` names messages, each with the stretch
    of its words that counts, its end left out; an empty stretch rests on the message and quotes nothing.
    `terms` are search terms drawn on purpose (P7); `involved` and `told` are people by number. Of a diary
    memory, `event` is the number of the event that `event_name` names, where the store knows it; and each
    observation has the number of whom it is of.
    """

    kind: Kind
    origin: Origin
    importance: float
    position: int
    text: str | None = None
    status: Status = Status.CONFIRMED
    session: int | None = None
    subject: int | None = None
    at: datetime | None = None
    confidence: float | None = None
    confirmed: int = 1
    pinned: bool = False
    past: Past | None = None
    place: str | None = None
    keys: tuple[str, ...] = ()
    scores: tuple[tuple[str, float], ...] = ()
    external_id: str | None = None
    evidence: tuple[tuple[int, int, int], ...] = ()
    mode: Mode = Mode.ASSERTED
    category: Category | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    plan: PlanDraft | None = None
    details: tuple[DetailDraft, ...] = ()
    terms: tuple[str, ...] = ()
    involved: tuple[int, ...] = ()
    told: tuple[int, ...] = ()
    day: PartialDate | None = None
    emotion: str | None = None
    action: str | None = None
    thought: str | None = None
    event: int | None = None
    event_name: str | None = None
    observations: tuple[tuple[int, Observation], ...] = ()
    derived: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """A memory as far as deciding about it needs: what it rests on, and where it stands."""

    id: int
    kind: Kind
    origin: Origin
    status: Status
    pinned: bool
    evidence: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Strength:
    """What decides how well a memory is retained; `recorded_at` in microseconds since 1970."""

    id: int
    kind: Kind
    pinned: bool
    importance: float
    confirmed: int
    recorded_at: int


class Opened(NamedTuple):
    """A memory with its words, its number, and the numbers of the messages that it rests on."""

    number: int
    memory: Memory
    messages: tuple[int, ...]
