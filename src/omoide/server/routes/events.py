"""A character's past over HTTP: diaries into it, and the events that several pasts share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter
from pydantic import Field

from omoide.characters import Profile
from omoide.domain.diary import Diary
from omoide.domain.event import Event
from omoide.domain.layer import Layer
from omoide.domain.model import Past
from omoide.domain.observation import Observation
from omoide.domain.partial_date import PartialDate
from omoide.errors import UnknownCharacter
from omoide.event_views import EventSidesView, EventView
from omoide.server.doors import AdminAccess, AnyEngine, AnyHome, WhoseScope
from omoide.server.homes import Home
from omoide.server.routes.bodies import Body, Name, Words
from omoide.views import View

if TYPE_CHECKING:
    from collections.abc import Callable

router = APIRouter(prefix="/api", tags=["past"])

_Short = Annotated[str, Field(max_length=2_000)]


class ObservationBody(Body):
    """What was seen of somebody, and what they seemed to feel."""

    person: Name
    behaviour: _Short
    feeling: _Short | None = None
    basis: _Short | None = None
    confidence: float = 4.5


class DiaryBody(Body):
    """A memory of a character's own past."""

    text: Words
    layer: Layer
    confidence: float
    id: Name | None = None
    source: _Short | None = None
    heard_when: _Short | None = None
    basis: _Short | None = None
    age: float | None = None
    absolute_day: int | None = None
    day: Name | None = None
    emotion: _Short | None = None
    action: _Short | None = None
    thought: _Short | None = None
    scores: dict[str, float] = Field(default_factory=dict)
    importance: float | None = None
    place: Name | None = None
    people: list[Name] = Field(default_factory=list, max_length=100)
    event: Name | None = None
    observations: list[ObservationBody] = Field(default_factory=list, max_length=100)

    def diary(self) -> Diary:
        """The memory."""
        return Diary(
            text=self.text,
            past=Past(
                layer=self.layer,
                confidence=self.confidence,
                source=self.source,
                heard_when=self.heard_when,
                basis=self.basis,
                age=self.age,
                absolute_day=self.absolute_day,
            ),
            day=_day(self.day),
            people=tuple(self.people),
            observations=tuple(Observation(**seen.model_dump()) for seen in self.observations),
            **self.model_dump(include=_PLAIN),
        )


class DiariesBody(Body):
    """Memories of one character's past, to be written all or none."""

    diaries: Annotated[list[DiaryBody], Field(min_length=1, max_length=10_000)]


class EventBody(Body):
    """An event that several characters share."""

    name: Name
    participants: Annotated[list[Name], Field(max_length=1_000)]
    day: Name | None = None
    place: Name | None = None
    category: Name | None = None
    weight: float = 5.0
    description: Words = ""

    def event(self, called: Callable[[str], str]) -> Event:
        """The event, with participants as memories call them."""
        given = self.model_dump(exclude={"day", "participants"})
        return Event(day=_day(self.day), participants=tuple(map(called, self.participants)), **given)


class WrittenView(View):
    """The ids of what was written, in order."""

    ids: list[str]


_PLAIN = {"id", "emotion", "action", "thought", "scores", "importance", "place", "event"}
"""What a body and a diary call the same and hold alike."""


@router.post("/diary", status_code=201)
async def write(home: AnyHome, scope: WhoseScope, body: DiariesBody) -> WrittenView:
    """Write memories of a character's own past; one whose id is known is changed."""
    diaries = [given.diary() for given in body.diaries]
    return WrittenView(ids=await scope.write(diaries, profile=_profile(home, scope.character)))


@router.post("/events", status_code=201)
async def add(home: AnyHome, engine: AnyEngine, access: AdminAccess, body: EventBody) -> EventView:
    """Write a shared event; one whose name is known is changed."""
    del access
    event = body.event(home.characters.called)
    known = {name: _profile(home, name) for name in event.participants}
    profiles = {name: profile for name, profile in known.items() if profile is not None}
    await engine.add_events([event], profiles=profiles)
    return EventView.of(event)


@router.get("/events")
async def events(engine: AnyEngine, access: AdminAccess) -> list[EventView]:
    """Every shared event: the earliest first, those without a day last."""
    del access
    return [EventView.of(event) for event in await engine.events()]


@router.get("/events/{name:path}")
async def event(name: str, engine: AnyEngine, access: AdminAccess) -> EventSidesView:
    """An event with each character's side of it."""
    del access
    return EventSidesView.of(await engine.event(name))


def _profile(home: Home, character: str) -> Profile | None:
    """The profile of a character that has one here."""
    try:
        return home.characters.find(character).profile
    except UnknownCharacter:
        return None


def _day(text: str | None) -> PartialDate | None:
    return None if text is None else PartialDate.parse(text)
