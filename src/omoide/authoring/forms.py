"""Entries of an author's files as values, and values as entries: one form both ways (K2, K6, K12)."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from omoide.domain.diary import BASIC_SCORES, Diary
from omoide.domain.event import Event
from omoide.domain.layer import CONFIDENCE, Layer, check_confidence
from omoide.domain.model import Past
from omoide.domain.observation import Observation
from omoide.domain.partial_date import PartialDate
from omoide.domain.text import composed
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic_core import ErrorDetails

    from omoide.authoring.lined import Entry
    from omoide.authoring.problem import Problem

_F = TypeVar("_F", bound=BaseModel)
_T = TypeVar("_T")

_SHOWN: Final = 60
"""Characters of a wrong value that a message shows."""

_NEEDED: Final = {
    "string_type": "a text is needed",
    "tuple_type": "a list is needed, such as [Ada, Bea]",
    "dict_type": "names with their numbers are needed, such as {joy: 7}",
    "model_type": "fields are needed, such as {person: Bea, behaviour: laughed}",
    "float_type": "a number is needed",
    "float_parsing": "a number is needed",
    "int_type": "a whole number is needed",
    "int_parsing": "a whole number is needed",
    "int_from_float": "a whole number is needed",
}
"""What a field of the wrong shape should hold."""

_ANY: Final = "?"
"""Stands in for a text that is missing or wrong, so that the rest can be checked."""

_ANY_PAST: Final = Past(layer=Layer.DIRECT, confidence=9.0)
_GUESS: Final = 4.5
_WEIGHT: Final = 5.0


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ObservationForm(_Form):
    """What was seen of another, as it stands in a file."""

    person: str
    behaviour: str
    feeling: str | None = None
    basis: str | None = None
    confidence: float = _GUESS

    def value(self) -> Observation:
        """The observation; raises `InvalidInput` as it does."""
        return Observation(**self.model_dump())


class DiaryForm(_Form):
    """A memory as it stands in a file. The fields are those of `Diary` and its `Past`, in one list."""

    id: str
    day: str | None = None
    layer: Layer = Layer.DIRECT
    confidence: float | None = None
    source: str | None = None
    heard_when: str | None = None
    basis: str | None = None
    age: float | None = None
    absolute_day: int | None = None
    place: str | None = None
    event: str | None = None
    people: tuple[str, ...] = ()
    emotion: str | None = None
    action: str | None = None
    thought: str | None = None
    scores: dict[str, float] = Field(default_factory=dict)
    importance: float | None = None
    observations: tuple[ObservationForm, ...] = ()
    text: str

    @property
    def sure(self) -> float:
        """How sure the character is; the middle of what the layer allows where the author does not say."""
        return sum(CONFIDENCE[self.layer]) / 2 if self.confidence is None else self.confidence


class EventForm(_Form):
    """A shared event as it stands in a file."""

    name: str
    day: str | None = None
    place: str | None = None
    category: str | None = None
    weight: float = _WEIGHT
    participants: tuple[str, ...]
    description: str = ""


def diary_of(entry: Entry) -> Diary | list[Problem]:
    """The memory that an entry tells, or everything that is wrong with it."""
    form, problems = form_of(DiaryForm, entry, needed=("id", "text"))
    check = _Checks(entry, problems)
    if form is None:
        return check.problems
    day = None if form.day is None else check(lambda: PartialDate.parse(form.day or ""), "day")
    check(lambda: check_confidence(form.sure, form.layer), "confidence")
    seen = [check(one.value, "observations", place) for place, one in enumerate(form.observations)]
    past = _checked_past(form, check)
    for field in ("id", "text", "emotion", "action", "thought", "importance", "place", "people", "event"):
        alone = {"text": _ANY, "past": _ANY_PAST, field: getattr(form, field)}
        check(partial(_made, Diary, alone), field)
    for name, value in form.scores.items():
        alone = {"text": _ANY, "past": _ANY_PAST, "scores": {name: value}}
        check(partial(_made, Diary, alone), "scores", name)
    if past is None or check.problems:
        return check.problems
    made = check(lambda: _diary(form, past, day, tuple(one for one in seen if one is not None)))
    return check.problems if made is None else made


def event_of(entry: Entry) -> Event | list[Problem]:
    """The event that an entry tells of, or everything that is wrong with it."""
    form, problems = form_of(EventForm, entry, needed=("name", "participants"))
    check = _Checks(entry, problems)
    if form is None:
        return check.problems
    day = None if form.day is None else check(lambda: PartialDate.parse(form.day or ""), "day")
    named = check(lambda: Event(name=form.name, participants=(_ANY,)), "name")
    for field in ("place", "category", "weight", "participants"):
        called: dict[str, object] = {"name": _ANY if named is None else form.name, "participants": (_ANY,)}
        missing = field == "participants" and field not in entry.values
        check(partial(_made, Event, called if missing else {**called, field: getattr(form, field)}), field)
    if check.problems:
        return check.problems
    description = form.description.strip("\n")
    made = check(lambda: Event(**{**form.model_dump(), "day": day, "description": description}))
    return check.problems if made is None else made


def diary_fields(diary: Diary) -> dict[str, object]:
    """The entry that tells a memory, without what goes without saying; `diary_of` gives the same memory."""
    past = diary.past
    fields: dict[str, object] = {
        "id": diary.id,
        "day": None if diary.day is None else str(diary.day),
        **asdict(past),
        "layer": past.layer.value,
        "place": diary.place,
        "event": diary.event,
        "people": list(diary.people),
        "emotion": diary.emotion,
        "action": diary.action,
        "thought": diary.thought,
        "scores": _scores(diary),
        "importance": diary.importance,
        "observations": [_seen(one) for one in diary.observations],
        "text": diary.text,
    }
    return _said(fields)


def event_fields(event: Event) -> dict[str, object]:
    """The entry that tells of an event; `event_of` gives the same one."""
    fields: dict[str, object] = {
        "name": event.name,
        "day": None if event.day is None else str(event.day),
        "place": event.place,
        "category": event.category,
        "weight": event.weight,
        "participants": list(event.participants),
        "description": event.description,
    }
    return _said(fields)


class _Checks:
    """Collects what is wrong with an entry, each with its line."""

    def __init__(self, entry: Entry, problems: list[Problem]) -> None:
        self._entry = entry
        self.problems = problems

    def __call__(self, make: Callable[[], _T], *path: str | int) -> _T | None:
        try:
            return make()
        except InvalidInput as error:
            self.problems.append(self._entry.spot.problem(str(error), *path))
            return None


def form_of(kind: type[_F], entry: Entry, *, needed: tuple[str, ...]) -> tuple[_F | None, list[Problem]]:
    """An entry in its form, without what does not fit, and what is wrong with that."""
    values = entry.values
    try:
        return kind.model_validate(values), []
    except ValidationError as error:
        found = error.errors(include_url=False)
    wrong = {one["loc"][0] for one in found}
    fitting = {name: value for name, value in values.items() if name not in wrong}
    fitting |= _sound_parts(values, found)
    wrong -= fitting.keys()
    stand_in = {name: (_ANY,) if name == "participants" else _ANY for name in needed if name in wrong}
    problems = [_wrong(kind, entry, one) for one in found]
    with suppress(ValidationError):
        return kind.model_validate({**fitting, **stand_in}), problems
    return None, problems


def _sound_parts(values: Mapping[str, object], found: Sequence[Any]) -> dict[str, object]:
    """What is left of names with numbers, and of lists; in a list something stands in for each wrong part."""
    wrong: dict[str, set[str | int]] = {}
    for one in found:
        wrong.setdefault(one["loc"][0], set()).add(one["loc"][1] if len(one["loc"]) > 1 else "")
    parts: dict[str, object] = {}
    for field, places in wrong.items():
        whole = values.get(field)
        if isinstance(whole, dict) and "" not in places:
            parts[field] = {name: value for name, value in whole.items() if name not in places}
        elif isinstance(whole, list) and "" not in places:
            parts[field] = [
                _some_part(field, place) if place in places else value for place, value in enumerate(whole)
            ]
    return parts


def _some_part(field: str, place: int) -> object:
    called = f"{_ANY}{place}"
    return {"person": called, "behaviour": _ANY} if field == "observations" else called


def _made(kind: Callable[..., _T], fields: dict[str, object]) -> _T:
    return kind(**fields)


def _checked_past(form: DiaryForm, check: _Checks) -> Past | None:
    """How a memory is known; what it lacks, and an age that cannot be, are told of apart."""
    alike = _with(form, confidence=sum(CONFIDENCE[form.layer]) / 2)
    bare = check(lambda: _past(_with(alike, age=None, absolute_day=None)), "layer")
    whole = _with(alike, source=_or_any(form.source), basis=_or_any(form.basis))
    aged = check(lambda: _past(whole), _about_past(form))
    return None if bare is None or aged is None or check.problems else _past(form)


def _wrong(kind: type[BaseModel], entry: Entry, found: ErrorDetails) -> Problem:
    path, kind_of_wrong = found["loc"], found["type"]
    field = ".".join(map(str, path))
    if kind_of_wrong == "missing":
        return entry.spot.problem(f"{field} is missing; add it", *path)
    if kind_of_wrong == "extra_forbidden":
        known = ", ".join((kind if len(path) == 1 else ObservationForm).model_fields)
        return entry.spot.problem(f"no field is called {field!r}; choose from {known}", *path)
    needed = _NEEDED.get(kind_of_wrong, found["msg"])
    if kind_of_wrong == "enum":
        needed = f"choose from {', '.join(Layer)}"
    return entry.spot.problem(f"{field}: {needed}, got {_shown(found['input'])}", *path)


def _shown(value: object) -> str:
    """A value as it stands in the file, or its beginning."""
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _about_past(form: DiaryForm) -> str:
    """The field that is to blame where the past of a memory cannot be."""
    if form.layer is not Layer.DIRECT:
        return "layer"
    return "absolute_day" if form.age is None else "age"


def _or_any(text: str | None) -> str:
    return text if text is not None and text.strip() else _ANY


def _with(form: DiaryForm, **values: object) -> DiaryForm:
    return form.model_copy(update=values)


def _past(form: DiaryForm) -> Past:
    return Past(
        layer=form.layer,
        confidence=form.sure,
        source=form.source,
        heard_when=form.heard_when,
        basis=form.basis,
        age=form.age,
        absolute_day=form.absolute_day,
    )


def _diary(form: DiaryForm, past: Past, day: PartialDate | None, seen: tuple[Observation, ...]) -> Diary:
    return Diary(
        id=composed(form.id),
        text=form.text.strip("\n"),
        past=past,
        day=day,
        emotion=form.emotion,
        action=form.action,
        thought=form.thought,
        scores=form.scores,
        importance=form.importance,
        place=form.place,
        people=form.people,
        event=form.event,
        observations=seen,
    )


def _scores(diary: Diary) -> dict[str, float]:
    """The basic scores, then those of the character's own, each as its author gave it."""
    order = [*BASIC_SCORES, *sorted(set(diary.scores) - set(BASIC_SCORES))]
    return {name: diary.scores[name] for name in order if name in diary.scores}


def _seen(seen: Observation) -> dict[str, object]:
    fields: dict[str, object] = {
        "person": seen.person,
        "behaviour": seen.behaviour,
        "feeling": seen.feeling,
        "basis": seen.basis,
        "confidence": seen.confidence if seen.feeling is not None or seen.confidence != _GUESS else None,
    }
    return _said(fields)


def _said(fields: dict[str, object]) -> dict[str, object]:
    """The fields that say something; whole numbers as such."""
    said = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    return {name: _plain(value) for name, value in said.items()}


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
