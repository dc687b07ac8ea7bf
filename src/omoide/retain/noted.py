"""A memory written by hand, as it is handed over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain.diary import Diary, Unwritten
from omoide.domain.instants import check_time
from omoide.domain.layer import Layer, check_confidence
from omoide.domain.model import Category, Detail, Kind, Mode, Origin, Past, Plan, check_importance
from omoide.domain.text import clean, is_blank, unstorable
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from omoide.domain.observation import Observation
    from omoide.domain.partial_date import PartialDate


@dataclass(frozen=True, kw_only=True, slots=True)
class Noted:
    """A memory written by hand, checked.

    Attributes:
        text: its words.
        kind: what it is.
        importance: 1 to 10; None lets the rule of H7 decide.
        at: when it happened; None means now.
        confidence: 1 to 10, or None for 8; a character's past brings its own.
        pinned: whether it never fades.
        past: how the character knows it; needed for a diary memory, and only allowed there.
        place: where it happened.
        keys: words that call a world entry to mind.
        scores: emotion scores by name, 0 to 10.
        about: the stable id of the person that it is about, or whose plan it is; by default the user.
        due: when a plan is due, aware; only for a plan.
        plan: a plan in full, in place of `due`; its `who` counts as `about` does.
        category, mode, valid_from, valid_until: of a fact.
        terms: search terms drawn on purpose.
        details: of a summary; quotes are kept where their words stand in what it rests on.
        involved, told: people by name.
        day, emotion, action, thought, event, observations, derived: of a diary memory, as `Memory` has them.
        confirmed: how many times it was said.
        rests: the messages that it rests on, by their source's ids, each with the stretch that counts.
        origin: by hand, or out of a file.
        external_id: its source's own id; a second one of the same id changes nothing.
    """

    text: str
    kind: Kind = Kind.FACT
    importance: float | None = None
    at: datetime | None = None
    confidence: float | None = None
    pinned: bool = False
    past: Past | None = None
    place: str | None = None
    keys: tuple[str, ...] = ()
    scores: Mapping[str, float] | None = None
    about: str | None = None
    origin: Origin = Origin.AUTHORED
    external_id: str | None = None
    due: datetime | None = None
    plan: Plan | None = None
    category: Category | None = None
    mode: Mode = Mode.ASSERTED
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    terms: tuple[str, ...] = ()
    details: tuple[Detail, ...] = ()
    involved: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    day: PartialDate | None = None
    emotion: str | None = None
    action: str | None = None
    thought: str | None = None
    event: str | None = None
    observations: tuple[Observation, ...] = ()
    derived: tuple[str, ...] = ()
    confirmed: int = 1
    rests: tuple[tuple[str, int, int], ...] = ()

    def __post_init__(self) -> None:
        if is_blank(clean(self.text)):
            msg = f"a memory needs words, got {self.text!r}"
            raise InvalidInput(msg)
        for name, at in (("time", self.at), ("day", self.due), ("end", self.valid_until)):
            check_time(at, name=f"a memory's {name}")
        if self.kind is not Kind.PLAN and (self.due is not None or self.plan is not None):
            msg = f"only a plan is due, got kind={self.kind.value!r}; give kind='plan'"
            raise InvalidInput(msg)
        if self.importance is not None:
            check_importance(self.importance)
        if self.confidence is not None:
            check_confidence(self.confidence)
        if self.kind is Kind.DIARY and self.past is None:
            msg = f"a diary memory says how it is known; give its layer: {', '.join(Layer)}"
            raise InvalidInput(msg)
        if self.kind is not Kind.DIARY and self.past is not None:
            msg = f"only a diary memory has a layer, got kind={self.kind.value!r}; leave the layer out"
            raise InvalidInput(msg)
        if self.kind is not Kind.DIARY and (self.day or self.event or self.observations):
            msg = f"only a diary memory has an event or observations, got kind={self.kind.value!r}"
            raise InvalidInput(msg)
        for name, value in (self.scores or {}).items():
            if is_blank(name) or unstorable(name) is not None:
                msg = f"a score has a name that can be read and stored, got {name!r}"
                raise InvalidInput(msg)
            if not 0.0 <= value <= 10.0:
                msg = f"a score lies between 0 and 10, got {name}={value!r}"
                raise InvalidInput(msg)

    def check(self, character: str, *, now: datetime) -> None:
        """See that this can be written as a memory of a character; what an export holds was so once.

        Raises:
            InvalidInput: it breaks a rule of the character's own past, see `Diary.check`, or is yet to come.
        """
        if self.past is None:
            return
        diary = Diary(
            text=self.text,
            past=self.past,
            id=self.external_id,
            emotion=self.emotion,
            action=self.action,
            thought=self.thought,
            scores=self.scores or {},
            place=self.place,
            people=self.involved,
            event=self.event,
            observations=self.observations,
        )
        diary.check(character, Unwritten(scores=tuple(diary.scores)))
        if self.at is not None and self.at > now:
            msg = (
                f"nothing in the future has happened yet, got {self.at.isoformat()!r}; "
                "leave the time out and say it in the text, or make it a plan"
            )
            raise InvalidInput(msg)
