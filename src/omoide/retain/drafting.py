"""Notes made ready for the store: people by number, words cut out of the log, an event by its row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain import salience
from omoide.domain.instants import from_micros, to_micros
from omoide.domain.model import Kind, Role
from omoide.domain.partial_date import Precision
from omoide.domain.records import DetailDraft, Draft, PlanDraft
from omoide.domain.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from omoide.domain.observation import Observation
    from omoide.domain.redaction import Redaction
    from omoide.retain.noted import Noted
    from omoide.stores.unit import Unit

_DEFAULT_CONFIDENCE = 8.0


def draft_of(unit: Unit, note: Noted, *, redact: Redaction, event: int | None = None) -> Draft:
    """A note as a memory about to be written; whoever it names and is not known yet is from now on.

    `event` is the number of the event that it names, where the store knows that.
    """
    text = redact(clean(note.text))
    whose = note.plan.who if note.plan is not None else None
    about = note.about or whose or (unit.scope.user if note.kind in (Kind.FACT, Kind.PLAN) else None)
    role = Role.CHARACTER if about == unit.scope.character else Role.USER
    rests = _rests(unit, note)
    subject = None if about is None else unit.people.resolve(about, role=role, name=None, now=unit.now)
    worth = salience.score(text, "").importance if note.importance is None else note.importance
    at = _moment(unit, note)
    needs_confidence = note.past is None and note.kind in (Kind.FACT, Kind.STATEMENT)
    return Draft(
        kind=note.kind,
        origin=note.origin,
        importance=worth,
        position=unit.now if at is None else to_micros(at),
        text=text,
        subject=subject,
        at=at,
        confidence=note.confidence or (_DEFAULT_CONFIDENCE if needs_confidence else None),
        pinned=note.pinned,
        past=note.past,
        place=note.place,
        keys=note.keys,
        scores=tuple((note.scores or {}).items()),
        external_id=note.external_id,
        category=note.category,
        mode=note.mode,
        valid_from=note.valid_from,
        valid_until=note.valid_until,
        plan=_plan(note, subject),
        terms=note.terms,
        involved=_people(unit, note.involved),
        told=_people(unit, note.told),
        confirmed=note.confirmed,
        evidence=rests,
        details=_details(unit, note, rests),
        day=note.day,
        emotion=_redacted(note.emotion, redact),
        action=_redacted(note.action, redact),
        thought=_redacted(note.thought, redact),
        event=event,
        event_name=note.event,
        observations=_observations(unit, note),
        derived=note.derived,
    )


def is_known(unit: Unit, note: Noted) -> bool:
    """Whether the note's own id names a memory that is here: by its source's name, or by the store's own."""
    if note.external_id is None:
        return False
    if unit.memories.external(note.external_id) is not None:
        return True
    return unit.memories.called(note.external_id) is not None


def _moment(unit: Unit, note: Noted) -> datetime | None:
    """When it happened; what is not said of talk is now, and of a character's past unknown."""
    if note.day is not None:
        return note.day.at
    return note.at or (None if note.kind is Kind.DIARY else from_micros(unit.now))


def _redacted(text: str | None, redact: Redaction) -> str | None:
    return None if text is None else redact(clean(text))


def _observations(unit: Unit, note: Noted) -> tuple[tuple[int, Observation], ...]:
    people = _people(unit, [seen.person for seen in note.observations])
    return tuple(zip(people, note.observations, strict=True))


def _plan(note: Noted, person: int | None) -> PlanDraft | None:
    if note.kind is not Kind.PLAN:
        return None
    if note.plan is not None:
        plan = note.plan
        return PlanDraft(
            person=person,
            due=plan.due,
            precision=plan.precision,
            condition=plan.condition,
            state=plan.state,
        )
    if note.due is None:
        return PlanDraft(person=person)
    exact = (note.due.hour, note.due.minute) != (0, 0)
    return PlanDraft(person=person, due=note.due, precision=Precision.MINUTE if exact else Precision.DAY)


def _people(unit: Unit, names: Sequence[str]) -> tuple[int, ...]:
    """The people who are called so; whoever is not known yet is from now on."""
    known = {name: number for number, name in unit.people.names().items()} if names else {}
    return tuple(
        known[name] if name in known else unit.people.resolve(name, role=Role.USER, name=None, now=unit.now)
        for name in names
    )


def _rests(unit: Unit, note: Noted) -> tuple[tuple[int, int, int], ...]:
    found = [(unit.log.find_external(message), start, end) for message, start, end in note.rests]
    return tuple((pair[0].id, start, end) for pair, start, end in found if pair is not None)


def _details(unit: Unit, note: Noted, rests: Sequence[tuple[int, int, int]]) -> tuple[DetailDraft, ...]:
    """Details of a summary, those of quotes by the stretch that holds their words."""
    texts = unit.texts.open({message for message, _, _ in rests}) if note.details else {}
    quoted: dict[str, tuple[int, int]] = {}
    counts: dict[int, int] = {}
    for message, start, end in rests:
        if end > start and message in texts:
            nth = counts[message] = counts.get(message, -1) + 1
            quoted.setdefault(texts[message][start:end], (message, nth))
    drafts = []
    for detail in note.details:
        if detail.kind == "action":
            drafts.append(DetailDraft(who=detail.who, text=detail.text, context=detail.context))
        elif detail.text in quoted:
            message, nth = quoted[detail.text]
            drafts.append(DetailDraft(who=detail.who, context=detail.context, message=message, nth=nth))
    return tuple(drafts)
