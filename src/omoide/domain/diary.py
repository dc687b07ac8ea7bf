"""A memory out of a character's own life, as its author writes it (K2 to K5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from omoide.domain.model import Kind, check_importance
from omoide.domain.objections import MOST, NAME, PROSE, WORDS, Objection, too_long, too_many
from omoide.domain.observation import nothing_in
from omoide.domain.text import clean, composed, fold, is_blank
from omoide.domain.voice import names_itself
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from omoide.domain.model import Memory, Past
    from omoide.domain.observation import Observation
    from omoide.domain.partial_date import PartialDate

BASIC_SCORES: Final[dict[str, float]] = {"joy": 5.0, "sadness": 0.0, "anxiety": 0.0, "frustration": 0.0}
"""The emotion scores that every diary memory has, each with its value where the author says nothing of it."""

HIGHEST_SCORE: Final = 10.0


class Life(Protocol):
    """What has to be known of a character to write its past; `characters.Profile` is one."""

    @property
    def birthday(self) -> date | None:
        """When it was born; its ages and absolute days are derived from that."""

    @property
    def scores(self) -> tuple[str, ...]:
        """Emotion scores of its own, beside the basic ones."""

    @property
    def nickname(self) -> str | None:
        """What it calls itself, where that is not its name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Unwritten:
    """A life of which nothing is known: no birthday, and no scores but the basic ones."""

    birthday: date | None = None
    scores: tuple[str, ...] = ()
    nickname: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Diary:
    """A memory of a character's own past, told in the first person.

    Attributes:
        text: the memory, in the character's voice.
        past: how it knows of it: lived, told or guessed, with confidence, source and basis.
        id: the author's own id; writing the same id again changes the memory.
        day: when it happened; None where only the age, the absolute day or nothing is known.
        emotion, action, thought: what it felt, did and thought.
        scores: emotion scores by name, 0 to 10. Where none is given, they are worked out; where some are, joy
            is 5 and any other 0.
        importance: 1 to 10; worked out where it is None.
        place: where it happened.
        people: who else takes part, in the order of their names.
        event: the name of the shared event that it tells of.
        observations: what it saw of others.

    Raises:
        InvalidInput: no words, a number out of range, or a memory that names itself as its own source.
    """

    text: str
    past: Past
    id: str | None = None
    day: PartialDate | None = None
    emotion: str | None = None
    action: str | None = None
    thought: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict, hash=False)
    importance: float | None = None
    place: str | None = None
    people: tuple[str, ...] = ()
    event: str | None = None
    observations: tuple[Observation, ...] = ()

    def __post_init__(self) -> None:
        if is_blank(clean(self.text)):
            msg = f"a diary memory needs words, got {self.text!r}"
            raise InvalidInput(msg)
        for name in ("id", "emotion", "action", "thought", "place", "event"):
            if nothing_in(getattr(self, name)):
                msg = f"a diary's {name} has something to read in it, got {getattr(self, name)!r}"
                raise InvalidInput(msg)
        if self.importance is not None:
            check_importance(self.importance)
        for name, value in self.scores.items():
            if not 0.0 <= value <= HIGHEST_SCORE:
                msg = f"a score lies between 0 and 10, got {name}={value!r}"
                raise InvalidInput(msg)
        if any(is_blank(name) for name in self.people):
            blank = next(name for name in self.people if is_blank(name))
            msg = f"the people of a diary memory have names, got {blank!r}; leave it out"
            raise InvalidInput(msg)
        if self.id is not None and fold(self.id) in map(fold, _grounds(self.past)):
            msg = f"the memory {self.id!r} names itself as its own source; name who told it, or what shows it"
            raise InvalidInput(msg)
        for name in ("id", "place", "event"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else composed(clean(value)))
        object.__setattr__(
            self, "people", tuple(sorted({composed(clean(name)).strip() for name in self.people}))
        )
        object.__setattr__(self, "event", None if self.event is None else self.event.strip())

    def check(self, character: str, life: Life) -> None:
        """See that this can be the memory of a character.

        Raises:
            InvalidInput: the first of what `objections` finds.
        """
        for found in self.objections([character, life.nickname or character], life):
            raise InvalidInput(found.text)

    def objections(self, names: Sequence[str], life: Life) -> Iterator[Objection]:
        """All that speaks against this as the memory of a character.

        Args:
            names: what the character is called, its name first.
            life: what is known of it.
        """
        own = {fold(name) for name in names}
        for name in self.scores:
            if name not in BASIC_SCORES and name not in life.scores:
                known = ", ".join((*BASIC_SCORES, *life.scores))
                yield Objection(
                    field="scores",
                    text=f"{names[0]!r} has no emotion score called {name!r}; choose from {known}, "
                    "or let its profile define it",
                )
        source = self.past.source
        if source is not None and (fold(source) in own or names_itself(source)):
            yield Objection(
                field="source",
                text=f"nobody hears a thing from themselves, got source={source!r}; name who told it",
            )
        for seen in self.observations:
            if fold(seen.person) in own or names_itself(seen.person):
                yield Objection(
                    field="observations",
                    text=f"an observation is of somebody else, got person={seen.person!r}",
                )
        yield from _too_long(self)

    @classmethod
    def of(cls, memory: Memory) -> Diary:
        """The diary that a memory was written from, without what the engine worked out itself.

        Raises:
            InvalidInput: it is no memory of a character's own past.
        """
        past = memory.past
        if memory.kind is not Kind.DIARY or past is None:
            msg = f"the memory {memory.id!r} is no diary memory, but kind={memory.kind.value!r}"
            raise InvalidInput(msg)
        own = frozenset(memory.derived)
        return cls(
            text=memory.text,
            past=past.without(own),
            id=memory.external_id,
            day=None if "day" in own else memory.day,
            emotion=memory.emotion,
            action=memory.action,
            thought=memory.thought,
            scores={
                name: value
                for name, value in memory.scores.items()
                if own.isdisjoint(("scores", f"scores.{name}"))
            },
            importance=None if "importance" in own else memory.importance,
            place=None if "place" in own else memory.place,
            people=memory.involved,
            event=memory.event,
            observations=memory.observations,
        )


def _too_long(diary: Diary) -> Iterator[Objection]:
    past, seen = diary.past, diary.observations
    names = {"id": diary.id, "place": diary.place, "event": diary.event, "source": past.source}
    words = {"emotion": diary.emotion, "action": diary.action, "thought": diary.thought, "basis": past.basis}
    yield from too_long("text", [diary.text], most=PROSE)
    for name, text in {**names, "heard_when": past.heard_when}.items():
        yield from too_long(name, [text], most=NAME)
    for name, text in words.items():
        yield from too_long(name, [text], most=WORDS)
    yield from too_long("people", diary.people, most=NAME)
    yield from too_long("observations", [one.person for one in seen], most=NAME)
    for one in seen:
        yield from too_long("observations", [one.behaviour, one.feeling, one.basis], most=WORDS)
    for many in ("people", "observations", "scores"):
        yield from too_many(many, len(getattr(diary, many)), most=MOST)


def _grounds(past: Past) -> list[str]:
    return [text for text in (past.source, past.basis) if text is not None]
