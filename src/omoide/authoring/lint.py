"""What is wrong with lives that can be read: voice, layers, dates, contradictions between sisters (K12)."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from omoide.authoring.folder import EVENTS, Placed
from omoide.authoring.problem import Problem
from omoide.authoring.salvage import ANY, salvaged_diary, salvaged_event
from omoide.domain.layer import Layer
from omoide.domain.lifetime import check_over, lived
from omoide.domain.minds import claims_of_behaviour, claims_of_minds
from omoide.domain.text import clean, composed, fold
from omoide.domain.voice import is_first_person
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from omoide.authoring.folder import Life, Lives
    from omoide.authoring.lined import Entry
    from omoide.authoring.problem import Spot
    from omoide.characters import Characters
    from omoide.domain.diary import Diary
    from omoide.domain.event import Event
    from omoide.domain.partial_date import PartialDate

    Told = tuple[Life, Placed[Diary]]


def lint(lives: Lives, *, today: date) -> list[Problem]:
    """Everything that is wrong with a folder, in the order of its files.

    Args:
        lives: what was read of it, with what could not be read.
        today: no lived memory is later.
    """
    others = (*lives.lives, *lives.nameable)
    problems = [*lives.problems, *_twice(lives), *_unborn(others, today=today)]
    events = {event.value.name: event for event in lives.events}
    named: dict[str, PartialDate | None] | None = None  # where nobody can tell which names are wrong
    if lives.broken is not None:
        named = {_text(entry, "name"): None for entry in lives.broken}
        named |= {name: event.value.day for name, event in events.items()}
    told: dict[str, list[Told]] = defaultdict(list)
    for life in lives.lives:
        problems += _circles(life)
        salvaged = [
            Placed(value=diary, spot=one.spot) for one in life.broken if (diary := salvaged_diary(one))
        ]
        for placed in (*life.diaries, *salvaged):
            problems += _memory(life, placed, events=named, others=others, today=today)
        for placed in life.diaries:
            event = events.get(placed.value.event or "")
            if event is not None and placed.value.past.layer is Layer.DIRECT:
                told[event.value.name].append((life, placed))
            elif event is not None:
                problems += _hearsay(event, placed)
    for name, event in events.items():
        problems += [*_event(event, others), *_accounts(event, told[name])]
        problems += _absent(event, told[name], lives.lives)
    for entry in lives.broken or ():
        if (made := salvaged_event(entry)) is not None:
            problems += _event(Placed(value=made, spot=entry.spot), others)
    return sorted(set(problems))


def errors(problems: Iterable[Problem], *, prune: bool = False) -> list[Problem]:
    """Those that keep an import from happening; where it prunes, also files that are not read."""
    return [problem for problem in problems if not problem.advice or (prune and problem.unread)]


def namesakes(lives: Lives, characters: Characters) -> list[Problem]:
    """Lives whose name other characters have: they would share one memory, so they keep an import out (K1).

    One of the same id is the same character, which comes in again.
    """
    return [
        _of_profile(life, f"{life.profile.name!r} is what {other.id!r} is called already; names are unique")
        for life in lives.lives
        if (other := characters.other(life.profile.name, id=life.folder.name)) is not None
    ]


def _memory(
    life: Life,
    placed: Placed[Diary],
    *,
    events: Mapping[str, PartialDate | None] | None,
    others: Iterable[Life],
    today: date,
) -> Iterator[Problem]:
    diary, spot = placed.value, placed.spot
    for found in diary.objections(life.names, life.profile):
        yield spot.problem(found.text, found.field)
    try:
        if diary.past.layer is Layer.DIRECT:
            day = diary.day or (events or {}).get(diary.event or "")  # an account is of its event's day
            lived(day, diary.past, birthday=life.profile.birthday, today=today)
        else:
            check_over(diary.day, today=today)
    except InvalidInput as error:
        yield spot.problem(str(error), "day")
    yield from _named_event(diary.event, spot, events)
    yield from _voice(life, diary, spot)
    yield from _minds(life, diary, spot, others)
    for field in ("source", "basis"):
        if diary.past.layer is Layer.DIRECT and (given := getattr(diary.past, field)) is not None:
            wrong = (
                f"what was lived through needs no {field}, got {given!r}; leave it out, or make the memory "
                f"{Layer.HEARD if field == 'source' else Layer.INFERRED}"
            )
            yield spot.problem(wrong, field, advice=True)


def _unborn(lives: Iterable[Life], *, today: date) -> Iterator[Problem]:
    for life in lives:
        born = life.profile.birthday
        if born is not None and born > today:
            wrong = f"the birthday {born.isoformat()!r} is after {today.isoformat()!r}"
            yield _of_profile(life, f"{wrong}; nothing can be lived through before it", advice=True)


def _text(entry: Entry, field: str) -> str:
    """A field as it is compared; empty where it is none."""
    value = entry.values.get(field)
    return composed(clean(value)).strip() if isinstance(value, str) else ""


def _named_event(
    name: str | None, spot: Spot, events: Mapping[str, PartialDate | None] | None
) -> Iterator[Problem]:
    if name is not None and events is not None and name not in events:
        yield spot.problem(f"no event is called {name!r}; write it into {EVENTS}", "event")


def _circles(life: Life) -> Iterator[Problem]:
    """Memories of which each rests on the next, and the last on the first: nothing holds any of them."""
    placed = {fold(one.value.id): one for one in life.diaries if one.value.id is not None}
    rests = {name: fold(one.value.past.basis or one.value.past.source or "") for name, one in placed.items()}
    for name, one in placed.items():
        way, following = [name], rests[name]
        while following in rests and following not in way:
            way.append(following)
            following = rests[following]
        if following == name and len(way) > 1:
            others = ", ".join(repr(placed[other].value.id) for other in way[1:])
            wrong = f"this rests on {others}, and that on this again; name something that holds by itself"
            yield one.spot.problem(wrong, "basis" if one.value.past.basis is not None else "source")


def _voice(life: Life, diary: Diary, spot: Spot) -> Iterator[Problem]:
    if diary.text != ANY and not is_first_person(diary.text, life.profile.language, own=life.names):
        yield spot.problem("this is not told in the first person", "text", advice=True)


def _minds(life: Life, diary: Diary, spot: Spot, others: Iterable[Life]) -> Iterator[Problem]:
    """Where it tells what goes on in another as if that were to be seen (K5)."""
    language = life.profile.language
    known = {*diary.people, *(name for other in others if other is not life for name in other.names)}
    told = {"text": diary.text, "action": diary.action, "thought": diary.thought}
    for field, text in told.items() if diary.past.layer is not Layer.INFERRED else ():
        for sentence in claims_of_minds(text or "", language, others=sorted(known), own=life.names):
            wrong = f"{sentence!r} tells another's mind as a fact; write it as a guess, or an observation"
            yield spot.problem(wrong, field, advice=True)
    for place, seen in enumerate(diary.observations):
        for sentence in claims_of_behaviour(seen.behaviour, language, person=seen.person):
            wrong = (
                f"{sentence!r} is nothing that is seen of {seen.person!r}; write what they did, and the rest "
                "as feeling, with its basis"
            )
            yield spot.problem(wrong, "observations", place, "behaviour", advice=True)


def _event(event: Placed[Event], lives: Iterable[Life]) -> Iterator[Problem]:
    known = {life.profile.name: life for life in lives}
    for found in event.value.objections():
        yield event.spot.problem(found.text, found.field)
    for place, name in enumerate(event.value.participants):
        if name.startswith(ANY):  # stands in for one that is missing, of which is told elsewhere
            continue
        if name not in known:
            unknown = f"no character of this folder is called {name!r}"
            yield event.spot.problem(unknown, "participants", place, advice=True)
            continue
        birthday, day = known[name].profile.birthday, event.value.day
        if birthday is not None and day is not None and day.end < birthday:
            wrong = f"{name!r} was born on {birthday.isoformat()!r}, after {str(day)!r}"
            yield event.spot.problem(wrong, "participants", place)


def _accounts(event: Placed[Event], told: list[Told]) -> Iterator[Problem]:
    """What is wrong with the accounts of an event: who tells it, how often, and whether they agree."""
    meant, first = event.value, dict[str, "Placed[Diary]"]()
    for life, placed in told:
        name, spot = life.profile.name, placed.spot
        if name not in meant.participants:
            yield spot.problem(
                f"{name!r} did not live through {meant.name!r}; make it heard or inferred, "
                f"or name her in {event.spot}",
                "event",
            )
        before = first.setdefault(name, placed)
        if before is not placed:
            yield spot.problem(
                f"{name!r} tells {meant.name!r} a second time, first in {before.spot}", "event"
            )
        if _different_days(meant, placed.value):
            yield spot.problem(
                f"{meant.name!r} was on {str(meant.day)!r} ({event.spot}), but here on "
                f"{str(placed.value.day)!r}",
                "day",
            )
        if _different_places(meant, placed.value):
            wrong = (
                f"{meant.name!r} was in {meant.place!r} ({event.spot}), but here in {placed.value.place!r}"
            )
            yield spot.problem(wrong, "place")
    yield from _disagreeing(meant, list(first.values()))


def _hearsay(event: Placed[Event], placed: Placed[Diary]) -> Iterator[Problem]:
    """Where one who was told of an event, or guesses, has it otherwise: as people do, or by mistake."""
    meant, diary = event.value, placed.value
    if _different_days(meant, diary):
        wrong = (
            f"{meant.name!r} was on {str(meant.day)!r} ({event.spot}), and is told of as on "
            f"{str(diary.day)!r}"
        )
        yield placed.spot.problem(wrong, "day", advice=True)
    if _different_places(meant, diary):
        wrong = f"{meant.name!r} was in {meant.place!r} ({event.spot}), and is told of as in {diary.place!r}"
        yield placed.spot.problem(wrong, "place", advice=True)


def _absent(event: Placed[Event], told: Iterable[Told], lives: Iterable[Life]) -> Iterator[Problem]:
    """Characters who are seen at an event at which, by its own file, they were not (K5)."""
    meant, known = event.value, {fold(name): life.profile.name for life in lives for name in life.names}
    for _, placed in told:
        for place, seen in enumerate(placed.value.observations):
            name = known.get(fold(seen.person))
            if name is not None and name not in meant.participants:
                wrong = (
                    f"{seen.person!r} was not at {meant.name!r} and cannot be seen there; name {name!r} "
                    f"among its participants in {event.spot}, or tell it in a heard memory"
                )
                yield placed.spot.problem(wrong, "observations", place, "person", advice=True)


def _disagreeing(event: Event, accounts: list[Placed[Diary]]) -> Iterator[Problem]:
    """Where two accounts differ in what the event itself leaves open."""
    for one, other in combinations(accounts, 2):
        fits = not _different_days(event, one.value) and not _different_days(event, other.value)
        if fits and _different_days(one.value, other.value):
            yield other.spot.problem(
                f"{event.name!r} is here on {str(other.value.day)!r}, but on {str(one.value.day)!r} "
                f"in {one.spot}",
                "day",
            )
        if event.place is None and _different_places(one.value, other.value):
            wrong = (
                f"{event.name!r} is here in {other.value.place!r}, but in {one.value.place!r} in {one.spot}"
            )
            yield other.spot.problem(wrong, "place")


def _different_days(one: Event | Diary, other: Diary) -> bool:
    return one.day is not None and other.day is not None and not one.day.overlaps(other.day)


def _different_places(one: Event | Diary, other: Diary) -> bool:
    return one.place is not None and other.place is not None and fold(one.place) != fold(other.place)


def _twice(lives: Lives) -> Iterator[Problem]:
    """What stands there twice: characters, events, ids, and whole memories."""
    seen: dict[tuple[str, ...], str] = {}

    def again(spot: str, *key: str) -> str | None:
        before = seen.setdefault(key, spot)
        return None if before == spot else before

    events = [(event.spot, event.value.name) for event in lives.events]
    events += [(entry.spot, name) for entry in lives.broken or () if (name := _text(entry, "name"))]
    for spot, name in sorted(events, key=_in_file):
        alike = again(f"{name!r} in {spot}", "folded event", fold(name))
        if before := again(str(spot), "event", name):
            yield spot.problem(f"the event {name!r} stands in {before} too", "name")
        elif alike is not None:
            wrong = (
                f"{name!r} differs from {alike} in capitals or width alone; write both alike if one is meant"
            )
            yield spot.problem(wrong, "name", advice=True)
    for life in (*lives.lives, *lives.nameable):
        folder = life.folder.name
        if before := again(folder, "character", fold(life.profile.name)):
            yield _of_profile(life, f"{life.profile.name!r} is the name of {before!r} too; names are unique")
        told = [(one.spot, one.value.id or "", fold(one.value.text)) for one in life.diaries]
        told += [(one.spot, _text(one, "id"), fold(_text(one, "text"))) for one in life.broken]
        for spot, name, text in sorted(told, key=_in_file):
            named = again(str(spot), "id", folder, name) if name else None
            same = again(str(spot), "text", folder, text) if text else None
            if named:
                yield spot.problem(f"the id {name!r} stands in {named} too", "id")
            elif same:
                wrong = f"the same text stands in {same}; keep one of the two, unless both are meant"
                yield spot.problem(wrong, "text", advice=True)


def _in_file(entry: tuple[Spot, *tuple[str, ...]]) -> tuple[str, int]:
    return entry[0].file, entry[0].line


def _of_profile(life: Life, text: str, *, advice: bool = False) -> Problem:
    return Problem(file=f"{life.folder.name}/profile.yaml", line=1, text=text, advice=advice)
