"""A made-up life to search in: diary memories with every value that a search can ask for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from omoide.domain.event import Event
from omoide.domain.layer import Layer
from omoide.domain.model import Kind, Origin, Past
from omoide.domain.partial_date import PartialDate
from omoide.domain.records import Draft

if TYPE_CHECKING:
    from benchmarks.latency_omoide import TableEmbedder
    from benchmarks.talk import Said, Talk
    from omoide import Omoide, Scope
    from omoide.stores.unit import Unit

BIRTH = datetime(1999, 4, 2, 12, tzinfo=UTC)
YEARS = 20
PLACES = 50
CATEGORIES = 10
EVENTS = 200
FEELINGS = ("joy", "sadness", "anxiety", "frustration")
_LAYERS = ((Layer.DIRECT, 8.0, 10.0), (Layer.HEARD, 5.0, 8.0), (Layer.INFERRED, 3.0, 6.0))
_AT_ONCE = 5_000


def place(number: int) -> str:
    """The name of a place."""
    return f"place {number}"


async def live(
    omoide: Omoide, character: str, embedder: TableEmbedder, talk: Talk, *, memories: int
) -> Scope:
    """Give a character so many memories, with terms and vectors; three in ten tell of an event."""
    scope = omoide.scope(character=character)
    await omoide.add_events([_event(number, character) for number in range(EVENTS)])
    row = omoide.store.meet(None, character)
    language = sum(character.encode())
    for start in range(0, memories, _AT_ONCE):
        numbers = range(start, min(start + _AT_ONCE, memories))
        said = [talk.message(language, number) for number in numbers]
        embedder.show(said)
        with omoide.store.write(row) as unit:
            events = {
                number: omoide.store.events(unit.connection).find(f"{character} {number}")
                for number in range(EVENTS)
            }
            known = {number: found[0] for number, found in events.items() if found is not None}
            drafts = [
                _draft(unit, one, number, known, character) for one, number in zip(said, numbers, strict=True)
            ]
            made = unit.memories.add(drafts, change=unit.change())
            omoide.episodes.index(unit, made)
        await scope.vectorise()
    return scope


def _event(number: int, character: str) -> Event:
    return Event(
        name=f"{character} {number}",
        participants=(character,),
        category=f"category {number % CATEGORIES}",
        day=PartialDate(year=BIRTH.year + number % YEARS),
    )


def _draft(unit: Unit, said: Said, number: int, events: dict[int, int], character: str) -> Draft:
    dice = np.random.default_rng((number, len(character)))
    layer, low, high = _LAYERS[int(dice.choice(3, p=(0.7, 0.2, 0.1)))]
    day = int(dice.integers(YEARS * 365))
    lived = layer is Layer.DIRECT
    event = int(dice.integers(EVENTS)) if dice.random() < 0.3 else None
    half = len(said.text) // 2
    return Draft(
        kind=Kind.DIARY,
        origin=Origin.AUTHORED,
        importance=float(np.round(dice.uniform(1, 10), 1)),
        position=unit.now,
        text=said.text,
        at=BIRTH + timedelta(days=day),
        past=Past(
            layer=layer,
            confidence=float(np.round(dice.uniform(low, high), 1)),
            source=None if lived else "sister",
            basis=None if lived else said.text[:half],
            age=day / 365.25 if lived else None,
            absolute_day=day if lived else None,
        ),
        place=place(int(dice.integers(PLACES))),
        scores=tuple((name, float(np.round(dice.uniform(0, 10), 1))) for name in FEELINGS),
        emotion="joy",
        action=said.text[:half],
        thought=said.text[half:],
        event=None if event is None else events[event],
        event_name=None if event is None else f"{character} {event}",
    )
