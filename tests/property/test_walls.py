"""No way of reading shows a character what another remembers, feels or guesses (K1, ruling 19)."""

import asyncio
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omoide import Filter, Kind, Omoide, Past, Scope, Status
from omoide.domain.diary import Diary
from omoide.domain.event import Event
from omoide.domain.layer import Layer
from omoide.domain.observation import Observation
from omoide.domain.partial_date import PartialDate
from omoide.errors import InvalidInput, UnknownMemory
from omoide.testing import FixedClock, WordEmbedder
from postgres import place

NOW = datetime(2026, 6, 10, 3, tzinfo=UTC)
SISTERS = ("Sora", "Rin", "하루")
MARKS = {"Sora": "quagga", "Rin": "okapi", "하루": "두루미새"}
"""A word for each that only her own past holds."""

EVENTS = ("The flood", "夏祭り")
TOPICS = ("the river came at night", "우리는 불꽃놀이를 보았다", "祭りで迷子になった")
QUESTIONS = (
    *TOPICS,
    *MARKS.values(),
    *SISTERS,
    *EVENTS,
    "what was she thinking then?",
    "그때 언니는 무슨 생각을 했어?",
)
SLOW = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@dataclass(frozen=True)
class Told:
    """A memory that somebody writes."""

    whose: str
    topic: str
    layer: Layer
    event: str | None
    of: str
    status: Status

    @property
    def diary(self) -> Diary:
        mark = MARKS[self.whose]
        confidence = {Layer.DIRECT: 9.0, Layer.HEARD: 6.0, Layer.INFERRED: 4.0}[self.layer]
        seen = Observation(
            person=self.of, behaviour=f"{mark} ran", feeling=f"{mark} afraid", basis=f"{mark} shook"
        )
        return Diary(
            text=f"{self.topic} {mark}",
            past=Past(layer=self.layer, confidence=confidence, source=f"{mark} aunt", basis=f"{mark} letter"),
            day=PartialDate(year=2011),
            emotion=f"{mark} fear",
            action=f"{mark} hid",
            thought=f"{mark} why",
            place=f"{mark} lane",
            people=(self.of, f"{mark} friend"),
            event=self.event,
            observations=() if self.of == self.whose else (seen,),
        )


told = st.builds(
    Told,
    whose=st.sampled_from(SISTERS),
    topic=st.sampled_from(TOPICS),
    layer=st.sampled_from(Layer),
    event=st.none() | st.sampled_from(EVENTS),
    of=st.sampled_from(SISTERS),
    status=st.sampled_from([Status.CONFIRMED, Status.CONFIRMED, Status.CANDIDATE]),
)


@pytest.mark.proves("K1", "K5", "K6")
@SLOW
@given(st.lists(told, min_size=2, max_size=10), st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=3))
def test_nothing_crosses_from_one_character_to_another(pasts: list[Told], questions: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_try_to_cross(Path(folder), pasts, questions))


async def _try_to_cross(folder: Path, pasts: list[Told], questions: list[str]) -> None:
    opened = Omoide.open(
        place(folder), embedder=WordEmbedder(), master_key_file=folder / "key", clock=FixedClock(NOW)
    )
    async with opened as omoide:
        await omoide.add_events([Event(name=name, participants=SISTERS) for name in EVENTS])
        for one in pasts:
            with suppress(InvalidInput):  # a second account of an event
                await omoide.scope(character=one.whose).write([one.diary], status=one.status)
        for whose in SISTERS:
            for user in (None, "minjun"):
                scope = omoide.scope(user=user, character=whose)
                await scope.remember(f"{TOPICS[0]} {MARKS[whose]}", kind=Kind.FACT)
        ids = {whose: await _ids(omoide.scope(character=whose)) for whose in SISTERS}
        for whose in SISTERS:
            own = omoide.scope(character=whose)
            chat = omoide.scope(user="minjun", character=whose)
            others = [mark for sister, mark in MARKS.items() if sister != whose]
            for scope in (own, chat):
                shown = [await _everything(scope, questions), "\n".join(await scope.export())]
                assert all(MARKS[whose] in text for text in shown)
                for mark in others:
                    assert not any(mark in text for text in shown)
                for other in SISTERS:
                    if other != whose:
                        await _refused(scope, ids[other])


async def _ids(scope: Scope) -> list[str]:
    return [memory.id for memory in await scope.memories(statuses=Status)]


async def _everything(scope: Scope, questions: list[str]) -> str:
    """Whatever a scope shows on any way of reading."""
    shown: list[Any] = [await scope.memories(statuses=Status), await scope.people()]
    places = [Filter(place=f"{mark} lane") for mark in MARKS.values()]
    for question, narrowed in product(questions, (Filter(), Filter(people=SISTERS), *places)):
        if narrowed in places and question is not questions[0]:
            continue
        found = await scope.recall(question, filter=narrowed, limit=50, budget=4_000)
        shown += [found.prompt, [(one.memory, one.why) for one in found.memories]]
    for question in questions:
        shown.append(await scope.search(question))
    for name in EVENTS:
        shown.append(await scope.search(event=name))
    for name in SISTERS:
        shown.append(await scope.search(people=(name,)))
    shown.append(await scope.search(age=(0, 99)))
    return repr(shown)


async def _refused(scope: Scope, ids: list[str]) -> None:
    for memory in ids[:3]:
        for reach in (scope.show, scope.pin, scope.unpin, scope.forget, scope.restore):
            with pytest.raises(UnknownMemory):
                await reach(memory)
        with pytest.raises(UnknownMemory):
            await scope.correct(memory, "mine now")
