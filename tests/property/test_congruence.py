"""Whatever is done to a memory, every store and every index of vectors tells the same of it (H24)."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omoide import Filter, Kind, Message, Omoide, Role, Status
from omoide.testing import FixedClock, WordEmbedder
from postgres import database_for

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omoide import Memory, Recall, Scope

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
EXAMPLES = settings(max_examples=18, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SAME = 1e-3
"""Scores that differ by less may change places."""

USERS, CHARACTERS = ("mina", "준호"), ("haru", "セナ")
TEXTS = (
    "나는 겨울마다 강릉에 가서 파도를 봐",
    "우리 고양이 이름은 두부야",
    "회사에서 발표를 망쳐서 너무 속상했어",
    "다음 주에 이사해, 상자가 벌써 스무 개야",
    "두부가 또 화분을 넘어뜨렸어",
    "祖母の家で蛍をたくさん見た",
    "来月フルートの発表会があるんだ",
    "最近あまり眠れなくて疲れてる",
    "弟が北海道の大学に受かった",
    "蛍の写真を部屋に飾ったよ",
    "My brother repairs old clocks for a living.",
    "I am allergic to walnuts, so no cake for me.",
    "We adopted a greyhound called Pepper last spring.",
    "I passed my driving test at the third try!",
    "Pepper is afraid of thunder.",
    "ㅋㅋㅋ",
    "ok",
)
REPLIES = ("정말? 더 얘기해 줘", "へえ、すごいね", "Tell me more!", "그랬구나, 힘들었겠다")
QUESTIONS = (
    "두부는 요즘 어때?",
    "蛍を見たのはどこだっけ？",
    "Do you remember what I am allergic to?",
    "How is Pepper?",
    "이사 준비는 잘 돼 가?",
    "What did my brother do?",
    "弟の大学はどこ？",
    "지난달에 뭐 했는지 기억나?",
)
DEEDS = (
    "observe",
    "observe",
    "talk",
    "talk",
    "edit",
    "swipe",
    "delete",
    "remember",
    "remember",
    "correct",
    "pin",
    "forget",
    "restore",
    "rewind",
    "reset",
)


@dataclass(frozen=True)
class Deed:
    """Something that is done in a scope."""

    what: str
    user: int
    character: int
    place: int
    text: int


deeds = st.lists(
    st.builds(
        Deed,
        what=st.sampled_from(DEEDS),
        user=st.integers(0, 1),
        character=st.integers(0, 1),
        place=st.integers(0, 20),
        text=st.integers(0, len(TEXTS) - 1),
    ),
    min_size=6,
    max_size=24,
)
questions = st.lists(st.sampled_from(QUESTIONS), min_size=2, max_size=3, unique=True)


@dataclass
class World:
    """One store, and what its clients show; the same things are done to every one."""

    omoide: Omoide
    clock: FixedClock
    shown: dict[tuple[str, str], list[Message]] = field(default_factory=dict)
    known: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def scope(self, deed: Deed, number: int) -> Scope:
        """The scope that is meant, new in each example."""
        return self.omoide.scope(
            user=f"{USERS[deed.user]} {number}", character=f"{CHARACTERS[deed.character]} {number}"
        )

    async def do(self, deed: Deed, number: int) -> None:
        """Do one thing, at a time of its own."""
        self.clock.advance(timedelta(hours=7))
        scope = self.scope(deed, number)
        key = (str(scope.user), scope.character)
        shown, text = self.shown.setdefault(key, []), TEXTS[deed.text]
        reply = REPLIES[deed.text % len(REPLIES)]
        if deed.what == "observe":
            recorded = await scope.observe(user=text, reply=reply, session="beside")
            self.known.setdefault(key, []).extend(recorded.messages)
        elif deed.what == "remember":
            kind = (Kind.FACT, Kind.PLAN, Kind.WORLD)[deed.place % 3]
            await scope.remember(text, kind=kind, importance=1.0 + deed.place % 10)
        elif deed.what in ("talk", "edit", "swipe", "delete"):
            _change(shown, deed, text, reply)
            if shown:
                await scope.sync(shown, session="chat")
        elif deed.what == "rewind":
            if known := self.known.get(key):
                await scope.rewind(known[deed.place % len(known)], session="beside")
                del known[deed.place % len(known) + 1 :]
        elif key in self.known or shown:
            await self._curate(scope, deed, text)

    async def _curate(self, scope: Scope, deed: Deed, text: str) -> None:
        key = (str(scope.user), scope.character)
        if deed.what == "reset":
            await scope.reset()
            self.shown.pop(key, None)
            self.known.pop(key, None)
            return
        status = Status.FORGOTTEN if deed.what == "restore" else Status.CONFIRMED
        memories = await scope.memories(statuses=[status])
        if not memories:
            return
        chosen = memories[deed.place % len(memories)].id
        if deed.what == "correct":
            await scope.correct(chosen, text)
        elif deed.what == "pin":
            await scope.pin(chosen)
        elif deed.what == "forget":
            await scope.forget(chosen)
        elif deed.what == "restore":
            await scope.restore(chosen)


def _change(shown: list[Message], deed: Deed, text: str, reply: str) -> None:
    """Change what a client shows: go on, edit a message, swipe the last reply, or delete a message."""
    place = deed.place % len(shown) if shown else 0
    if deed.what == "talk" or not shown:
        shown += [Message(role=Role.USER, text=text), Message(role=Role.CHARACTER, text=reply)]
    elif deed.what == "edit":
        shown[place] = Message(role=shown[place].role, text=text)
    elif deed.what == "swipe":
        shown[-1] = Message(role=shown[-1].role, text=f"{reply} {text}")
    else:
        del shown[place]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the stores and their keys lie."""
    return tmp_path_factory.mktemp("congruence")


@pytest.mark.proves("H24")
def test_every_store_and_index_tells_the_same(folder: Path) -> None:
    """The stores stay open; each example has users and characters of its own."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        worlds = runner.run(_open(stack, folder))
        count = 0

        @EXAMPLES
        @given(deeds, questions)
        def tell_the_same(done: list[Deed], asked: list[str]) -> None:
            nonlocal count
            count += 1
            runner.run(_compare(worlds, done, asked, count))

        try:
            tell_the_same()
        finally:
            runner.run(stack.aclose())


async def _open(stack: AsyncExitStack, folder: Path) -> dict[str, World]:
    stores: dict[str, dict[str, Any]] = {
        "sqlite": {"store": folder / "x.db"},
        "postgresql": {"store": database_for(folder / "memory.db")},
        "pgvector": {"store": database_for(folder / "pgvector.db"), "vectors": "pgvector"},
        "qdrant": {"store": folder / "q.db", "vectors": "qdrant", "qdrant_url": str(folder / "qdrant")},
    }
    worlds = {}
    for name, given_ in stores.items():
        clock = FixedClock(START)
        opened = Omoide.open(
            embedder=WordEmbedder(),
            master_key_file=folder / f"{name}.key",
            clock=clock,
            worker=False,
            **given_,
        )
        worlds[name] = World(await stack.enter_async_context(opened), clock)
    return worlds


async def _compare(worlds: dict[str, World], done: Sequence[Deed], asked: Sequence[str], number: int) -> None:
    for deed in done:
        for world in worlds.values():
            await world.do(deed, number)
    first, *others = worlds
    for deed in {(deed.user, deed.character): deed for deed in done}.values():
        told = {
            name: [one async for one in _told(world.scope(deed, number), asked)]
            for name, world in worlds.items()
        }
        for name in others:
            for mine, other in zip(told[first], told[name], strict=True):
                _like(mine, other, name)


def _like(mine: Any, other: Any, name: str) -> None:
    """See that two stores tell the same, but for what is as near as makes no difference."""
    if not isinstance(mine, dict):
        assert other == mine, name
        return
    assert len(other) == len(mine), (name, mine, other)
    for here, there in zip(mine, other, strict=True):
        if here != there:
            score = mine.get(there, other[there])
            assert abs(mine[here] - score) < SAME, (name, mine, other)


async def _told(scope: Scope, asked: Sequence[str]) -> Any:
    """What a scope tells: lists of memories, and for a recall their scores too."""
    try:
        memories = await scope.memories(statuses=Status)
    except LookupError:
        yield "unknown"
        return
    yield [(*_key(memory), memory.status, memory.pinned) for memory in memories]
    for question in asked:
        yield _scores(await scope.recall(question, limit=12))
        yield _scores(await scope.recall(question, limit=5, filter=Filter(importance=4.0), rehearse=False))
        yield [_key(memory) for memory in await scope.search(question, limit=50)]
        yield [_key(memory) for memory in await scope.search(question, kinds=("fact", "plan"), limit=3)]
    yield [_key(memory) for memory in await scope.search(importance=">=5", order="-importance,day", limit=50)]
    yield [_key(memory) for memory in await scope.search(since=START + timedelta(days=1), limit=50)]


def _key(memory: Memory) -> tuple[str, str]:
    return memory.text, memory.kind.value


def _scores(recall: Recall) -> dict[tuple[int, str, str], float]:
    """The score of each memory, by its text; equal ones are told apart by their order."""
    assert recall.degraded == ()
    found: dict[tuple[int, str, str], float] = {}
    for one in recall.memories:
        text, kind = _key(one.memory)
        nth = next(place for place in range(50) if (place, text, kind) not in found)
        found[nth, text, kind] = one.why.score
    return found
