"""Memories of the factory in the store: candidates, which nothing recalls, until they are confirmed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Final

from omoide.domain.diary import BASIC_SCORES, Diary
from omoide.domain.event import Event
from omoide.domain.instants import from_micros, zone_of
from omoide.domain.layer import Layer
from omoide.domain.model import Kind, Origin, Past, Status
from omoide.domain.observation import Observation
from omoide.domain.partial_date import PartialDate
from omoide.domain.text import fold, is_blank
from omoide.errors import InvalidInput, UnknownMemory
from omoide.retain.accounts import STANDING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date, datetime

    from omoide.domain.diary import Life
    from omoide.engine import Engine
    from omoide.factory.answers import DiaryAnswer, Seen
    from omoide.factory.cast import Player
    from omoide.stores.events import Events
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.unit import Unit

CATEGORY: Final = "discussion"
"""The category of the events that discussions are."""

_SURE: Final = 9.0
"""Confidence of what was lived through and written down at once, of 8 to 10."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """A discussion as the shared event that its memories tell of (K6).

    Attributes:
        job: the discussion's id, by which its event is told from others of the same name.
        topic: what it was about; the event is called so, unless another is.
        lives: those who took part, by name, with what is known of their lives.
    """

    job: str
    topic: str
    lives: Mapping[str, Life]

    @property
    def mark(self) -> str:
        """What stands in the description of the event."""
        return f"discussion {self.job}"

    def names(self, today: date) -> Iterator[str]:
        """What the event may be called, the best name first."""
        yield self.topic
        yield f"{self.topic} ({today.isoformat()})"
        yield from (f"{self.topic} ({today.isoformat()}, {number})" for number in count(2))

    def as_event(self, name: str, today: date) -> Event:
        """The event; without a day where somebody is not born yet."""
        born = all(life.birthday is None or life.birthday <= today for life in self.lives.values())
        return Event(
            name=name,
            participants=tuple(self.lives),
            day=PartialDate(year=today.year, month=today.month, day=today.day) if born else None,
            category=CATEGORY,
            description=f"{self.topic}\n\n{self.mark}",
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """A memory that was written: its id, and the name of the event that it tells of, if any."""

    memory: str
    event: str | None


class Keeper:
    """Writes memories of discussions, and decides about them.

    Args:
        engine: where they go.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def candidate(self, player: Player, written: DiaryAnswer, *, name: str, talk: Talk) -> Kept:
        """Write a memory that nothing recalls yet, as an account of the talk where the settings say so.

        The same name changes the same memory.
        """
        engine = self._engine
        today = from_micros(engine.store.now()).astimezone(zone_of(engine.settings.zone))
        diary = diary_of(written, player, name=name, today=today)

        def write() -> Kept:
            row = engine.store.meet(None, player.sheet.name)
            event = self._event(row, diary, talk, today.date()) if engine.settings.discussion_events else None
            told = diary if event is None else replace(diary, event=event.name, day=event.day or diary.day)
            (made,) = engine.author.write(
                row, [told], life=player.sheet.profile, origin=Origin.FACTORY, status=Status.CANDIDATE
            )
            return Kept(memory=made, event=told.event)

        return await engine.run(write)

    async def repeats(self, player: Player, text: str) -> bool:
        """Whether the character remembers just these words already, be it confirmed or waiting."""
        store = self._engine.store

        def look() -> bool:
            row = store.scope(None, player.sheet.name)
            if row is None:
                return False
            with store.database.read() as connection:
                unit = store.unit(connection, row)
                numbers = unit.memories.numbers(kinds=[Kind.DIARY], statuses=STANDING)
                held = unit.memories.open(numbers, names=store.names(unit), sessions={}, shut=set())
            return fold(text) in (fold(one.memory.text) for one in held)

        return await self._engine.read(look)

    def _event(self, row: ScopeRow, diary: Diary, talk: Talk, today: date) -> Event | None:
        """The event of a talk, made where it is not there; None where this can be no account of it."""
        store = self._engine.store
        with store.database.write() as connection:
            rows = store.events(connection)
            for name in talk.names(today):
                found = rows.find(name)
                if found is None:
                    made = talk.as_event(name, today)
                    self._engine.author.shared.put_in(connection, [made], lives=talk.lives)
                    return made
                if talk.mark in found[1].description:  # else it is another that is called so
                    return found[1] if _is_free(rows, found[0], store.unit(connection, row), diary) else None
        return None

    async def confirm(self, character: str, memory: str) -> None:
        """Let a candidate be recalled from now on; one that may be already is left as it is.

        Raises:
            UnknownMemory: the character has none of that id.
            InvalidInput: it was rejected, or is no candidate any more.
        """
        row = await self._engine.run(lambda: self._move(character, memory, Status.CONFIRMED))
        self._engine.vectorise_soon(row)

    async def reject(self, character: str, memory: str, *, job: str) -> bool:
        """Let a candidate never be recalled; raises as `confirm` does.

        Returns:
            Whether the event of its talk went with it, for nobody tells of it any more.
        """

        def move() -> bool:
            return self._leave(self._move(character, memory, Status.REJECTED), memory, f"discussion {job}")

        return await self._engine.run(move)

    def _leave(self, row: ScopeRow, memory: str, mark: str) -> bool:
        """Take the event of a talk away where no memory tells of it; one that an author made stays."""
        store = self._engine.store
        with store.database.write() as connection:
            rows, number = store.events(connection), store.unit(connection, row).memories.called(memory)
            event = None if number is None else rows.told_by(number)
            if event is None or mark not in rows.of([event])[event].description:
                return False
            telling = [one for numbers in rows.telling(event).values() for one in numbers]
            if rows.with_status(telling, STANDING):
                return False
            rows.remove(event)
        return True

    def _move(self, character: str, memory: str, status: Status) -> ScopeRow:
        store = self._engine.store
        row = store.scope(None, character)
        if row is None:
            raise UnknownMemory(_nowhere(memory))
        with store.write(row) as unit:
            number = unit.memories.called(memory)
            if number is None:
                raise UnknownMemory(_nowhere(memory))
            now = unit.memories.standing([number])[0].status
            if now is status:
                return row
            if now is not Status.CANDIDATE:
                msg = f"the memory {memory!r} is {now.value}; only a candidate can be {status.value}"
                raise InvalidInput(msg)
            unit.memories.move([number], status, change=unit.change())
            if status is Status.CONFIRMED:
                self._engine.episodes.index(unit, [number])
        return row


def _is_free(rows: Events, event: int, unit: Unit, diary: Diary) -> bool:
    """Whether there is room for a memory as its character's account of an event, or it is that already."""
    there = rows.presence(event, unit.scope.character)
    if there is None:
        return False
    mine = None if diary.id is None else unit.memories.external(diary.id)
    return not rows.with_status([there.memory], STANDING) - {mine}


def diary_of(written: DiaryAnswer, player: Player, *, name: str, today: datetime) -> Diary:
    """A model's diary as a memory of today, without scores and people that the character does not have."""
    profile = player.sheet.profile
    born = profile.birthday is None or profile.birthday <= today.date()
    known = {fold(score): score for score in (*BASIC_SCORES, *profile.scores)}
    return Diary(
        id=name,
        text=written.text,
        past=Past(layer=Layer.DIRECT, confidence=_SURE),
        day=PartialDate(year=today.year, month=today.month, day=today.day) if born else None,
        emotion=_some(written.emotion),
        action=_some(written.action),
        thought=_some(written.thought),
        scores={known[fold(felt.name)]: felt.value for felt in written.scores if fold(felt.name) in known},
        importance=written.importance,
        people=tuple(other.name for other in player.company),
        observations=tuple(
            _observation(seen, person)
            for seen in written.observations
            if (person := player.known(seen.person)) is not None and not is_blank(seen.behaviour)
        ),
    )


def left_out(written: DiaryAnswer, player: Player) -> tuple[str, ...]:
    """What `diary_of` leaves out of a model's diary, a line each."""
    known = {fold(score) for score in (*BASIC_SCORES, *player.sheet.profile.scores)}
    scores = (felt.name for felt in written.scores if fold(felt.name) not in known)
    people = (
        seen.person
        for seen in written.observations
        if player.known(seen.person) is None and not is_blank(seen.behaviour)
    )
    return (
        *(f"left out: {name!r} is no score of this character" for name in dict.fromkeys(scores)),
        *(
            f"left out: what was seen of {name!r}, who is none of the others"
            for name in dict.fromkeys(people)
        ),
    )


def _observation(seen: Seen, person: str) -> Observation:
    guessed = not is_blank(seen.feeling) and not is_blank(seen.basis)
    return Observation(
        person=person,
        behaviour=seen.behaviour,
        feeling=seen.feeling if guessed else None,
        basis=seen.basis if guessed else None,
    )


def _some(text: str) -> str | None:
    return None if is_blank(text) else text


def _nowhere(memory: str) -> str:
    return f"no candidate has the id {memory!r}; `omoide candidates` lists them"
