"""What models answer in the factory: a diary entry, marks with reasons, and what is dangerous in it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

_OutOfTen = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]
_Short = Annotated[str, Field(max_length=2_000)]


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


def _listed(scores: object) -> object:
    """Scores as a list, also where they came as files have them: names with their numbers."""
    if isinstance(scores, Mapping):
        return [{"name": name, "value": value} for name, value in scores.items()]
    return scores


class Felt(_Said):
    """How strongly a feeling was felt."""

    name: Annotated[str, Field(max_length=80)]
    value: _OutOfTen


class Seen(_Said):
    """What was seen of another: behaviour as observed, a feeling as a guess with its basis."""

    person: Annotated[str, Field(max_length=200)]
    behaviour: _Short
    feeling: _Short = ""
    basis: _Short = ""


class DiaryAnswer(_Said):
    """A memory in its character's own words."""

    text: Annotated[str, Field(min_length=1, max_length=4_000)]
    emotion: Annotated[str, Field(max_length=200)] = ""
    action: _Short = ""
    thought: _Short = ""
    scores: Annotated[tuple[Felt, ...], Field(max_length=32), BeforeValidator(_listed)] = ()
    importance: Annotated[float, Field(ge=1, le=10, allow_inf_nan=False)] | None = None
    observations: Annotated[tuple[Seen, ...], Field(max_length=16)] = ()


class Criterion(StrEnum):
    """What a memory is judged on (K10)."""

    FIRST_PERSON = "first_person"
    VOICE = "voice"
    CONSISTENCY = "consistency"
    EMOTIONAL_TRUTH = "emotional_truth"
    OTHER_MINDS = "other_minds"


class Mark(_Said):
    """A score from 0 to 10, and the reason for it."""

    score: _OutOfTen
    reason: _Short = ""


class Marks(_Said):
    """What a judge says of a memory, by criterion."""

    first_person: Mark
    voice: Mark
    consistency: Mark
    emotional_truth: Mark
    other_minds: Mark

    def by(self, criterion: Criterion) -> Mark:
        """The mark by one criterion."""
        mark: Mark = getattr(self, criterion.value)
        return mark

    def below(self, bar: float) -> list[str]:
        """Why it does not pass: a line for each criterion that is below the bar."""
        marks = [(criterion.value, self.by(criterion)) for criterion in Criterion]
        return [
            f"{name}: {mark.score:g} of 10, {bar:g} needed. {mark.reason}".rstrip()
            for name, mark in marks
            if mark.score < bar
        ]


class Danger(StrEnum):
    """What a memory is checked for."""

    MINORS = "minors"
    SEXUAL = "sexual"
    SELF_HARM = "self_harm"
    HATE = "hate"
    VIOLENCE = "violence"
    CRIME = "crime"
    PRIVATE = "private"


THRESHOLDS: Final[dict[Danger, float]] = {
    Danger.MINORS: 1.0,
    Danger.HATE: 3.0,
    Danger.SELF_HARM: 4.0,
    Danger.PRIVATE: 4.0,
    Danger.SEXUAL: 5.0,
    Danger.VIOLENCE: 6.0,
    Danger.CRIME: 6.0,
}
"""Scores from which on a memory is refused, 0 to 10."""


class Dangers(_Said):
    """How much of each danger is in a memory, 0 to 10, and which taboos of the character it touches."""

    minors: _OutOfTen
    sexual: _OutOfTen
    self_harm: _OutOfTen
    hate: _OutOfTen
    violence: _OutOfTen
    crime: _OutOfTen
    private: _OutOfTen
    taboos: Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=32)] = ()
    reason: _Short = ""

    def of(self, danger: Danger) -> float:
        """How much there is of one danger."""
        score: float = getattr(self, danger.value)
        return score
