"""Whatever is said, edited, taken back and read in between: what holds is what a replay of the rest gives."""

from __future__ import annotations

import asyncio
import re
import tempfile
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from omoide import Kind, Message, Omoide, Role
from omoide.testing import FixedClock, ScriptedModel
from postgres import place

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from omoide.domain.chat import Turn

pytestmark = pytest.mark.proves("P16", "F20")

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
CLAIMS = (
    (re.compile(r"I moved to (\w+)"), "lives in {}"),
    (re.compile(r"I work at (\w+) now"), "works at {}"),
    (re.compile(r"I own a (\w+)"), "owns a {}"),
)
ONE_AT_A_TIME = ("lives in", "works at")
SAYINGS = (
    *(f"I moved to {town}" for town in ("Leeds", "Bath", "Hull")),
    *(f"I work at {shop} now" for shop in ("Tesco", "Aldi")),
    "I own a kite",
    "what a day",
)


def by_rule(turns: Sequence[Turn]) -> dict[str, Any]:
    """What a model answers that holds one home and one job for true, and whose windows have a summary."""
    asked = turns[-1].text
    known = re.findall(r"^([fp]\d+) \[Sam\] (.+?)(?: \(.*)?$", asked, re.MULTILINE)
    conversation = asked[asked.index("<conversation>") :]
    said = re.findall(r"^\[(\d+)\] .*?Sam: (.+)$", conversation, re.MULTILINE)
    drawn: dict[str, dict[str, Any]] = {}
    for m, words in said:
        for pattern, form in CLAIMS:
            found = pattern.search(words)
            if found is None:
                continue
            text = form.format(found[1])
            kind = next((one for one in ONE_AT_A_TIME if text.startswith(one)), text)
            rivals = [key for key, claim in known if claim.startswith(kind)]
            drawn[kind] = {
                "text": text,
                "about": "Sam",
                "mode": "asserted",
                "category": "personal",
                "relation": "replaces" if rivals else "new",
                "known": " ".join(rivals),
                "evidence": [{"m": int(m), "words": found[0]}],
            }
    summary = " ".join(f"Sam said {words}." for _, words in said)
    return {"summary": summary, "facts": list(drawn.values())}


class Step(NamedTuple):
    what: str
    place: int = 0
    text: int = 0


@dataclass
class Client:
    """What a client shows: exchanges with a number each, so that equal words are told apart."""

    shown: list[tuple[int, str]] = field(default_factory=lambda: [(0, "what a day")])
    before: dict[int, list[str]] = field(default_factory=dict)
    taken: list[tuple[int, tuple[int, str]]] = field(default_factory=list)
    said: int = 0

    @property
    def messages(self) -> list[Message]:
        return [
            Message(role=role, text=text)
            for number, words in self.shown
            for role, text in (
                (Role.USER, f"{words}, letter {number}"),
                (Role.CHARACTER, f"reply {number}"),
            )
        ]

    def do(self, step: Step) -> None:
        at = 1 + step.place % max(1, len(self.shown) - 1)
        if step.what == "say":
            self.said += 1
            self.shown.append((self.said, SAYINGS[step.text % len(SAYINGS)]))
        elif at >= len(self.shown):
            pass
        elif step.what == "edit":
            number, words = self.shown[at]
            self.before.setdefault(number, []).append(words)
            self.shown[at] = (number, SAYINGS[step.text % len(SAYINGS)])
        elif step.what == "edit back":
            number, _ = self.shown[at]
            if self.before.get(number):
                self.shown[at] = (number, self.before[number].pop())
        elif step.what == "delete":
            self.taken.append((at, self.shown.pop(at)))
        elif step.what == "rewind":
            self.taken += [(place, self.shown.pop()) for place in range(len(self.shown) - 1, at - 1, -1)]
        if step.what == "bring back":
            while self.taken:
                at, exchange = self.taken.pop()
                self.shown.insert(min(at, len(self.shown)), exchange)


@asynccontextmanager
async def opened(folder: Path, name: str, clock: FixedClock, window: int) -> AsyncIterator[Omoide]:
    async with Omoide.open(
        place(folder, f"{name}.db"),
        models=ScriptedModel(answers=by_rule),
        embedder="none",
        window=window,
        window_quiet_minutes=5.0,
        worker=False,
        master_key_file=folder / "key",
        clock=clock,
    ) as omoide:
        yield omoide


async def current(omoide: Omoide) -> list[str]:
    scope = omoide.scope(user="Sam", character="Wren")
    return sorted(memory.text for memory in await scope.memories(kinds=[Kind.FACT], limit=200))


async def read(omoide: Omoide, clock: FixedClock, client: Client) -> None:
    """Have everything read that the client shows; what it shows once more later on is settled."""
    clock.advance(timedelta(minutes=45))
    await omoide.scope(user="Sam", character="Wren").sync(client.messages, session="s")
    for _ in range(100):
        if not await omoide.worker.once():
            return
        clock.advance(timedelta(minutes=45))
    msg = "there is always something left to read"
    raise AssertionError(msg)


async def lived(folder: Path, steps: Sequence[Step], window: int) -> tuple[list[str], list[str]]:
    """What holds after all steps, and what holds where only that is said which is left."""
    client, clock = Client(), FixedClock(START)
    async with opened(folder, "lived", clock, window) as omoide:
        scope = omoide.scope(user="Sam", character="Wren")
        for step in steps:
            clock.advance(timedelta(minutes=1))
            client.do(step)
            if step.what == "read":
                await read(omoide, clock, client)
            else:
                await scope.sync(client.messages, session="s")
        await read(omoide, clock, client)
        found = await current(omoide)
    async with opened(folder, "again", clock, window) as omoide:
        await omoide.scope(user="Sam", character="Wren").sync(client.messages, session="s")
        await read(omoide, clock, client)
        return found, await current(omoide)


def said(*places: int) -> list[Step]:
    return [step for text in places for step in (Step("say", text=text), Step("read"))]


steps = st.lists(
    st.builds(
        Step,
        what=st.sampled_from(
            ("say", "say", "say", "edit", "edit back", "delete", "rewind", "bring back", "read", "read")
        ),
        place=st.integers(0, 6),
        text=st.integers(0, len(SAYINGS) - 1),
    ),
    min_size=4,
    max_size=16,
)
SLOW = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
EDIT_AND_BACK = [
    *said(0, 1),
    Step("edit", place=1, text=2),
    Step("read"),
    Step("edit back", place=1),
    Step("read"),
]
TALKED_ON = [
    *said(0, 1),
    Step("edit", place=1, text=6),
    *said(2),
    Step("edit back", place=1),
    Step("read"),
    Step("delete", place=2),
]
FIRST_EDITED = [*said(0, 1), Step("edit", place=0, text=2), Step("read"), Step("delete", place=1)]
ALL_AWAY = [*said(0, 1), Step("rewind"), *said(2), Step("bring back"), Step("read"), Step("delete", place=0)]


@SLOW
@example(steps=EDIT_AND_BACK, window=1)
@example(steps=TALKED_ON, window=1)
@example(steps=FIRST_EDITED, window=1)
@example(steps=ALL_AWAY, window=2)
@given(steps=steps, window=st.sampled_from((1, 2)))
def test_what_holds_is_what_a_replay_of_what_is_left_gives(steps: list[Step], window: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found, replayed = asyncio.run(lived(Path(folder), steps, window))
    assert found == replayed
