"""Where a memory of a character's past belongs: its day, place and age, given or worked out (K2, K6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omoide.domain.diary import Diary
from omoide.domain.diary_scores import importance_of, scores_of
from omoide.domain.layer import Layer
from omoide.domain.lifetime import Moment, at_event, born, check_over, lived
from omoide.domain.model import Kind, Status
from omoide.domain.text import clean
from omoide.errors import InvalidInput
from omoide.retain.noted import Noted

if TYPE_CHECKING:
    from datetime import date

    from omoide.domain.diary import Life
    from omoide.domain.event import Event
    from omoide.domain.model import Memory, Origin
    from omoide.domain.redaction import Redaction
    from omoide.stores.events import Presence


@dataclass(frozen=True, kw_only=True, slots=True)
class _Placed:
    """Where a diary belongs, and which of its fields nobody gave."""

    moment: Moment
    place: str | None
    derived: tuple[str, ...]


def note_of(
    diary: Diary, event: Event | None, *, life: Life, today: date, origin: Origin, before: Memory | None
) -> Noted:
    """A diary with all that its author left to be worked out.

    Args:
        diary: as it is written.
        event: the one that it tells of.
        life: whose it is.
        today: no lived memory is later.
        origin: who made it.
        before: the memory that it takes the place of; where no birthday is known, the age that this one has
            stays as long as nothing contradicts it.

    Raises:
        InvalidInput: it cannot have been then.
    """
    placed = _placed(diary, event, birthday=life.birthday, today=today)
    if life.birthday is None and before is not None:
        placed = _still(placed, before)
    scores, plain = scores_of(diary, life.scores)
    derived = [*placed.derived, *(["scores"] if not diary.scores else [f"scores.{name}" for name in plain])]
    if diary.importance is None:
        derived.append("importance")
    return Noted(
        text=diary.text,
        kind=Kind.DIARY,
        importance=importance_of(diary.text, scores) if diary.importance is None else diary.importance,
        past=replace(diary.past, age=placed.moment.age, absolute_day=placed.moment.absolute_day),
        place=placed.place,
        scores=scores,
        origin=origin,
        external_id=diary.id,
        involved=diary.people,
        day=placed.moment.day,
        emotion=diary.emotion,
        action=diary.action,
        thought=diary.thought,
        event=diary.event,
        observations=diary.observations,
        derived=tuple(derived),
    )


def cleaned(diary: Diary, redact: Redaction) -> Diary:
    """A diary without what is never kept."""
    past = diary.past

    def kept(text: str | None) -> str | None:
        return None if text is None else redact(clean(text))

    return replace(
        diary,
        text=redact(clean(diary.text)),
        past=replace(
            past, source=kept(past.source), basis=kept(past.basis), heard_when=kept(past.heard_when)
        ),
        emotion=kept(diary.emotion),
        action=kept(diary.action),
        thought=kept(diary.thought),
        observations=tuple(
            replace(
                seen,
                behaviour=redact(clean(seen.behaviour)),
                feeling=kept(seen.feeling),
                basis=kept(seen.basis),
            )
            for seen in diary.observations
        ),
    )


def unwritten(diary: Diary, before: Memory | None, *, birthday: date | None) -> Diary:
    """A diary without what only repeats an age that was worked out when the birthday was still known."""
    if before is None or birthday is not None or before.past is None:
        return diary
    same = [name for name in ("age", "absolute_day") if _repeats(diary, before, name)]
    repeats_day = "day" in before.derived and diary.day is not None and diary.day == before.day
    return replace(diary, past=diary.past.without(same), day=None if repeats_day else diary.day)


def follow(memory: Memory, event: Event, *, birthday: date | None, today: date) -> Noted | None:
    """A memory as it is after its event was moved; None where nothing of it changes.

    Without a birthday, the one counts that its age was worked out from.

    Raises:
        InvalidInput: its author says otherwise.
    """
    diary, past = Diary.of(memory), memory.past
    if past is None:
        return None
    if birthday is None and "absolute_day" in memory.derived:
        birthday = born(memory.day, past.absolute_day, today=today)
    placed = _placed(diary, event, birthday=birthday, today=today)
    moment = placed.moment
    then = replace(past, age=moment.age, absolute_day=moment.absolute_day)
    if (memory.day, memory.place, past) == (moment.day, placed.place, then):
        return None
    kept = [name for name in memory.derived if name not in ("day", "age", "absolute_day", "place")]
    return Noted(
        text=memory.text,
        kind=Kind.DIARY,
        importance=memory.importance,
        pinned=memory.pinned,
        past=then,
        place=placed.place,
        scores=memory.scores,
        origin=memory.origin,
        external_id=memory.external_id,
        involved=memory.involved,
        day=moment.day,
        emotion=memory.emotion,
        action=memory.action,
        thought=memory.thought,
        event=memory.event,
        observations=memory.observations,
        derived=(*placed.derived, *kept),
    )


def at(event: Event, name: str, birthday: date | None, today: date, presence: Presence) -> Presence:
    """A participant's row with the age and absolute day that the birthday gives.

    Raises:
        InvalidInput: the event was before the birthday.
    """
    if event.day is not None and birthday is not None and event.day.end < birthday:
        msg = (
            f"{name!r} was born on {birthday.isoformat()!r} and cannot have been at the event {event.name!r} "
            f"on {str(event.day)!r}; correct one of them"
        )
        raise InvalidInput(msg)
    placed = at_event(event.day, birthday=birthday, today=today)
    return presence if placed is None else replace(presence, age=placed[0], absolute_day=placed[1])


def is_same(memory: Memory, diary: Diary, note: Noted, status: Status) -> bool:
    """Whether a memory already says just this."""
    told = (memory.past, memory.day, dict(memory.scores), memory.importance, memory.place)
    now = (note.past, note.day, dict(note.scores or {}), note.importance, note.place)
    return memory.status in (status, Status.FADED) and told == now and Diary.of(memory) == diary


def _placed(diary: Diary, event: Event | None, *, birthday: date | None, today: date) -> _Placed:
    moment, place = _moment(diary, event, birthday=birthday, today=today), diary.place
    derived = [*moment.derived]
    if diary.day is None and moment.day is not None and "day" not in derived:
        derived.append("day")
    if place is None and event is not None and event.place and diary.past.layer is Layer.DIRECT:
        place = event.place
        derived.append("place")
    return _Placed(moment=moment, place=place, derived=tuple(derived))


def _moment(diary: Diary, event: Event | None, *, birthday: date | None, today: date) -> Moment:
    told = None if event is None else event.day
    if diary.past.layer is not Layer.DIRECT:
        check_over(diary.day, today=today)
        return Moment(day=diary.day or told, age=None, absolute_day=None)
    if event is not None and diary.day is not None and told is not None and not diary.day.overlaps(told):
        msg = (
            f"day={str(diary.day)!r} is given, but the event {event.name!r} was on {str(told)!r}; "
            "correct one of them"
        )
        raise InvalidInput(msg)
    return lived(diary.day or told, diary.past, birthday=birthday, today=today)


def _repeats(diary: Diary, before: Memory, name: str) -> bool:
    """Whether a diary says of an age just what was worked out."""
    given = getattr(diary.past, name)
    return name in before.derived and given is not None and given == getattr(before.past, name)


def _still(placed: _Placed, before: Memory) -> _Placed:
    """A place in a life with the age that it had, where the day is the same and nobody gives another."""
    moment, past, own = placed.moment, before.past, set(before.derived)
    if past is None or past.layer is not Layer.DIRECT:
        return placed
    day = moment.day
    if (
        day is None
        and "day" in own
        and before.event is None
        and moment.absolute_day in (None, past.absolute_day)
    ):
        day = before.day  # which followed from the absolute day
    if day != before.day:
        return placed
    found = {
        name: getattr(past, name)
        for name in ("age", "absolute_day")
        if name in own and getattr(moment, name) is None
    }
    derived = dict.fromkeys((*placed.derived, *found, *(() if day == moment.day else ("day",))))
    return replace(placed, moment=replace(moment, day=day, **found), derived=tuple(derived))
