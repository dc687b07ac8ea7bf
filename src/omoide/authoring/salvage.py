"""What can be told of an entry that something is wrong with, so that one look tells all of it (K12)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from omoide.authoring.forms import DiaryForm, EventForm, form_of
from omoide.domain.diary import HIGHEST_SCORE, Diary
from omoide.domain.event import Event
from omoide.domain.layer import CONFIDENCE, Layer
from omoide.domain.model import Past
from omoide.domain.partial_date import PartialDate
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from omoide.authoring.lined import Entry

_T = TypeVar("_T", Diary, Event)
_V = TypeVar("_V")

ANY: Final = "?"
"""Stands in for what is missing or cannot be."""


def salvaged_diary(entry: Entry) -> Diary | None:
    """The memory of an entry without what cannot be; None where nothing is left."""
    form, _ = form_of(DiaryForm, entry, needed=("id", "text"))
    if form is None:
        return None
    diary = Diary(text=ANY, past=_past(form))
    fields: dict[str, Any] = {
        "observations": tuple(one for seen in form.observations if (one := _sound(seen.value)) is not None),
        "day": None if form.day is None else _sound(lambda: PartialDate.parse(form.day or "")),
        "scores": {name: value for name, value in form.scores.items() if 0 <= value <= HIGHEST_SCORE},
    }
    for name in ("text", "emotion", "action", "thought", "place", "people", "event"):
        fields[name] = getattr(form, name)
    return _filled(diary, fields)


def salvaged_event(entry: Entry) -> Event | None:
    """The event of an entry without what cannot be; None where nothing is left, or it has no name."""
    form, _ = form_of(EventForm, entry, needed=("name", "participants"))
    if form is None:
        return None
    there = tuple(dict.fromkeys(name.strip() for name in form.participants if name.strip()))
    event = _sound(lambda: Event(name=form.name, participants=there or (ANY,)))
    if event is None:
        return None
    fields = {
        "day": None if form.day is None else _sound(lambda: PartialDate.parse(form.day or "")),
        "place": form.place,
        "category": form.category,
        "description": form.description,
    }
    return _filled(event, fields)


def _past(form: DiaryForm) -> Past:
    sure = _sound(lambda: Past(**_known(form, form.sure)))
    return sure or Past(**_known(form, sum(CONFIDENCE[form.layer]) / 2))


def _known(form: DiaryForm, confidence: float) -> dict[str, Any]:
    """How it is known, with a stand-in for what is missing, and without an age that cannot be."""
    lived = form.layer is Layer.DIRECT
    return {
        "layer": form.layer,
        "confidence": confidence,
        "source": form.source if lived else _or_any(form.source),
        "basis": form.basis if lived else _or_any(form.basis),
        "age": form.age if lived and (form.age or 0) >= 0 else None,
        "absolute_day": form.absolute_day if lived and (form.absolute_day or 0) >= 0 else None,
    }


def _or_any(text: str | None) -> str:
    return text if text is not None and text.strip() else ANY


def _filled(value: _T, fields: Mapping[str, Any]) -> _T:
    """A value with those of the fields that can be."""
    for name, given in fields.items():
        with suppress(InvalidInput):
            value = replace(value, **{name: given})
    return value


def _sound(make: Callable[[], _V]) -> _V | None:
    try:
        return make()
    except InvalidInput:
        return None
