"""Whatever a client does, log and memories are what a replay of what survives would give."""

import asyncio
import tempfile
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from omoide import Omoide
from omoide.domain.exchanges import Spoken, remembered
from omoide.domain.model import Message, Origin, Role
from omoide.testing import FixedClock, WordEmbedder
from postgres import place

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
SLOW = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

REPEATED = ("ㅋㅋ", "ok", "응", "다녀왔어", "I'm home")
GREETING = "어서 와, 오늘은 무슨 얘기 할까?"


@dataclass(frozen=True)
class Said:
    """A message of the model: `number` tells equal words apart."""

    number: int
    role: Role
    text: str
    hidden: bool = False

    @property
    def message(self) -> Message:
        return Message(role=self.role, text=self.text, hidden=self.hidden)


@dataclass(eq=False)
class Chat:
    """A conversation as its client holds it, with what the client has cut off no longer shown.

    Two chats that show the same words are still two. A branch began after the message of number `began`.
    """

    said: list[Said] = field(default_factory=list)
    cut: int = 0
    began: int = 0


@dataclass(frozen=True)
class Action:
    what: str
    chat: int
    place: int
    text: int


ACTIONS = (
    "talk",
    "talk",
    "talk",
    "repeat",
    "observe",
    "edit",
    "edit first",
    "swipe",
    "swipe back",
    "delete",
    "insert",
    "insert",
    "delete by id",
    "rewind",
    "rewind by id",
    "branch",
    "cut",
    "hide",
    "again",
    "blank",
    "import",
    "question",
)

actions = st.lists(
    st.builds(
        Action,
        what=st.sampled_from(ACTIONS),
        chat=st.integers(0, 3),
        place=st.integers(0, 30),
        text=st.integers(0, 30),
    ),
    min_size=4,
    max_size=14,
)


class World:
    """A store, and beside it the model of what each of its clients shows."""

    def __init__(self, scope, clock):
        self.scope = scope
        self.clock = clock
        self.chats = [Chat(said=[self.say(Role.CHARACTER, GREETING)])]
        self.swiped = {}

    _numbers = 0

    def say(self, role, text):
        self._numbers += 1
        return Said(self._numbers, role, text)

    def fresh(self, role):
        number = self._numbers + 1
        words = ("감자", "부산", "catnip", "夏祭り", "mountain", "피아노", "お弁当")
        word = words[number % len(words)]
        return self.say(role, f"{word}{number} 이야기를 들려줄게 word{number}")

    def name(self, chat):
        return f"chat {self.chats.index(chat)}"

    async def sync(self, chat, *, live=True):
        shown = [said.message for said in chat.said[chat.cut :]]
        if shown:
            await self.scope.sync(shown, session=self.name(chat), live=live)

    async def do(self, action):
        self.clock.advance(timedelta(minutes=1))
        chat = self.chats[action.chat % len(self.chats)]
        await getattr(self, "do_" + action.what.replace(" ", "_"))(chat, action)

    async def do_talk(self, chat, action):
        chat.said += [self.fresh(Role.USER), self.fresh(Role.CHARACTER)]
        await self.sync(chat)

    async def do_question(self, chat, action):
        """The client shows the user's message before there is a reply."""
        chat.said.append(self.fresh(Role.USER))
        await self.sync(chat)

    async def do_repeat(self, chat, action):
        text = REPEATED[action.text % len(REPEATED)]
        if self.left_behind(chat, text):
            return
        chat.said += [self.say(Role.USER, text), self.say(Role.CHARACTER, "응, 듣고 있어")]
        await self.sync(chat)

    async def do_observe(self, chat, action):
        said = [self.fresh(Role.USER), self.fresh(Role.CHARACTER)]
        chat.said += said
        await self.scope.observe(user=said[0].text, reply=said[1].text, session=self.name(chat))

    async def do_edit(self, chat, action):
        """Words that stand behind something the client still shows, so that it is known where they stood."""
        place = self.inside(chat, action)
        if place is not None:
            chat.said[place] = self.fresh(chat.said[place].role)
            await self.sync(chat)

    async def do_edit_first(self, chat, action):
        """Behind a cut the first words that are shown, where those after them stand once."""
        shown = chat.said[chat.cut : chat.cut + 2]
        if chat.cut and len(shown) == 2 and "word" in shown[1].text:
            chat.said[chat.cut] = self.fresh(shown[0].role)
            await self.sync(chat)

    async def do_swipe(self, chat, action):
        if len(chat.said) - chat.cut > 1 and chat.said[-1].role is Role.CHARACTER and len(chat.said) > 2:
            self.swiped[id(chat)] = chat.said[-1], len(chat.said)
            chat.said[-1] = self.fresh(Role.CHARACTER)
            await self.sync(chat)

    async def do_swipe_back(self, chat, action):
        old, length = self.swiped.get(id(chat), (None, 0))
        if old is not None and length == len(chat.said) and chat.said[-1].role is Role.CHARACTER:
            chat.said[-1] = old
            await self.sync(chat)

    async def do_delete(self, chat, action):
        place = self.inside(chat, action)
        if place is not None and self.anchored(chat):
            del chat.said[place]
            await self.sync(chat)

    async def do_insert(self, chat, action):
        place = self.inside(chat, action)
        if place is not None and self.anchored(chat):
            chat.said.insert(place, self.fresh((Role.USER, Role.CHARACTER)[action.text % 2]))
            await self.sync(chat)

    async def do_delete_by_id(self, chat, action):
        place = self.inside(chat, action)
        memory = await self.resting(chat, place)
        if memory is not None:
            quote = next(q for q in memory.evidence if q.quote == chat.said[place].text)
            gone = chat.said[place]
            await self.scope.delete(quote.message)
            for other in self.chats:
                at = next((n for n, s in enumerate(other.said) if s.number == gone.number), None)
                if at is not None:
                    del other.said[at]
                    other.cut = min(other.cut, at)

    async def do_rewind(self, chat, action):
        place = self.inside(chat, action)
        if place is not None and self.anchored(chat) and place > chat.cut + 1:
            del chat.said[place:]
            await self.sync(chat)

    async def do_rewind_by_id(self, chat, action):
        place = self.inside(chat, action)
        memory = await self.resting(chat, place)
        if memory is not None:
            quote = next(q for q in memory.evidence if q.quote == chat.said[place].text)
            await self.scope.rewind(quote.message, session=self.name(chat))
            del chat.said[place + 1 :]
            chat.cut = min(chat.cut, place)

    async def do_branch(self, chat, action):
        place = self.inside(chat, action)
        if place is None or len(self.chats) > 3 or chat.said[1].text in REPEATED:
            return
        said = [*chat.said[: place + 1], self.fresh(Role.USER), self.fresh(Role.CHARACTER)]
        if said[1].role is not Role.USER or self._doubled(said):
            return
        self.chats.append(Chat(said=said, began=self._numbers - 2))
        await self.sync(self.chats[-1])

    async def do_cut(self, chat, action):
        """The context limit: from now on the client shows the end alone, from words on that stand once."""
        cut = min(chat.cut + action.place % 6, len(chat.said) - 3)
        if cut > chat.cut and "word" in chat.said[cut].text:
            chat.cut = cut
            await self.sync(chat)

    async def do_hide(self, chat, action):
        place = self.inside(chat, action)
        if place is not None:
            chat.said[place] = replace(chat.said[place], hidden=True)
            await self.sync(chat)

    async def do_again(self, chat, action):
        await self.sync(chat)

    async def do_import(self, chat, action):
        await self.sync(chat, live=False)

    async def do_blank(self, chat, action):
        blank = Message(role=Role.USER, text=" \u200b\n")
        system = Message(role=Role.SYSTEM, text="be kind")
        shown = [system, *(said.message for said in chat.said[chat.cut :]), blank]
        await self.scope.sync(shown, session=self.name(chat))

    def inside(self, chat, action):
        """A place behind the first message that the client shows."""
        count = len(chat.said) - chat.cut - 1
        return chat.cut + 1 + action.place % count if count > 0 else None

    def anchored(self, chat):
        """Whether the first shown message stands once, so that nothing else can be taken for it."""
        first = chat.said[chat.cut].text
        return sum(said.text == first for said in chat.said) == 1

    def left_behind(self, chat, text):
        """Whether a branch left such words behind as it began: said there now, they may be those again."""
        own = {said.number for said in chat.said}
        others = [said for other in self.chats for said in other.said if said.number not in own]
        return any(said.text == text and said.number <= chat.began for said in others)

    def _doubled(self, said):
        texts = [one.text for one in said]
        return len(set(texts)) < len(texts)

    async def resting(self, chat, place):
        """A live memory that quotes the message, where its words stand once in all chats."""
        if place is None:
            return None
        text = chat.said[place].text
        numbers = {s.number for c in self.chats for s in c.said if s.text == text}
        if len(numbers) != 1:
            return None
        for memory in await self.scope.memories():
            if any(quote.quote == text for quote in memory.evidence):
                return memory
        return None


@asynccontextmanager
async def opened(folder, clock, name="x"):
    async with Omoide.open(
        place(folder, f"{name}.db"),
        embedder=WordEmbedder(),
        master_key_file=Path(folder) / "key",
        clock=clock,
    ) as omoide:
        yield omoide


def survivors(chats):
    """The exchanges of all chats; what branches share counts once."""
    found = {}
    for chat in chats:
        spoken = [Spoken(speaker=0 if s.role is Role.USER else 1, role=s.role) for s in chat.said]
        for span in remembered(spoken):
            exchange = tuple(chat.said[place] for place in span)
            found[tuple(said.number for said in exchange)] = exchange
    return list(found.values())


def essence(memory):
    """What a replay gives as well: all but ids and times."""
    return (
        memory.kind,
        memory.text,
        round(memory.importance, 6),
        tuple((quote.role, quote.quote) for quote in memory.evidence),
    )


async def replayed(folder, chats):
    """The memories of a fresh store that observed the surviving exchanges."""
    clock = FixedClock(START)
    async with opened(folder, clock, name="fresh") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.observe(user="ㅋㅋ", session="none")
        for number, exchange in enumerate(survivors(chats)):
            clock.advance(timedelta(minutes=1))
            await scope.observe(messages=[said.message for said in exchange], session=f"{number}")
        return Counter(essence(memory) for memory in await scope.memories())


def shown_by_log(omoide, scope):
    store = omoide.store
    row = store.scope(scope.user, scope.character)
    with store.read(row) as unit:
        shown = {}
        for number, name in unit.sessions.names().items():
            path = unit.log.path(number)
            texts = unit.texts.open(message.id for message in path)
            shown[name] = [texts[message.id] for message in path]
    return shown


def index_rows(omoide, scope):
    """Which memories have postings, which have vectors, and which may have them."""
    store = omoide.store
    row = store.scope(scope.user, scope.character)
    with store.read(row) as unit:
        live = unit.memories.numbers()
        identities = [number for number, _ in unit.postings.read(identity=store.analyser)]
        vectors = [
            number
            for block in unit.vectors(store.embedding).read()
            for number in np.asarray(block.members).tolist()
        ]
    return live, identities, vectors


def nearly_same(memory, other):
    """Whether branches tell one exchange in two ways; what is nearly the same is recalled once (F81)."""
    rests, others = ({quote.message for quote in one.evidence} for one in (memory, other))
    return len(rests & others) > len(rests | others) / 2


async def check_indexes(omoide, scope, texts_gone):
    await scope.vectorise()
    live, postings, vectors = index_rows(omoide, scope)
    assert sorted(postings) == sorted(live)
    assert sorted(vectors) == sorted(live)
    for memory in await scope.memories():
        words = max((quote.quote for quote in memory.evidence), key=len)
        found = [recalled.memory for recalled in (await scope.recall(words, limit=50)).memories]
        assert any(memory.text == other.text or nearly_same(memory, other) for other in found), words
    for text in texts_gone:
        for recalled in (await scope.recall(text, limit=50)).memories:
            assert text not in recalled.memory.text


async def check(omoide, world, folder):
    # What is newest is settled ten quiet minutes later.
    world.clock.advance(timedelta(minutes=11))
    await world.scope.recall("감자 이야기 word1")
    shown = shown_by_log(omoide, world.scope)
    for chat in world.chats:
        if world.name(chat) in shown:
            assert shown[world.name(chat)] == [said.text for said in chat.said]
    chats = [chat for chat in world.chats if world.name(chat) in shown]
    live = [m for m in await world.scope.memories() if m.origin is Origin.RULE]
    assert Counter(essence(memory) for memory in live) == await replayed(folder, chats)
    return shown


@pytest.mark.proves("H6", "P16")
@SLOW
@given(series=actions)
@example(series=[Action("talk", 0, 0, 0), Action("swipe", 0, 0, 0), Action("swipe back", 0, 0, 0)])
@example(series=[Action("talk", 0, 0, 0), Action("insert", 0, 1, 1), Action("insert", 0, 2, 0)])
@example(
    series=[
        Action("edit", 0, 0, 0),
        Action("branch", 0, 3, 0),
        Action("rewind", 1, 2, 0),
        Action("swipe", 0, 0, 0),
    ]
)
@example(
    series=[
        Action("edit", 0, 0, 0),
        Action("branch", 0, 1, 0),
        Action("rewind", 1, 2, 0),
        Action("talk", 1, 0, 0),
    ]
)
@example(
    series=[
        Action("swipe", 0, 0, 0),
        Action("branch", 0, 1, 0),
        Action("rewind", 1, 2, 0),
        Action("swipe back", 0, 0, 0),
    ]
)
@example(
    series=[
        Action("talk", 0, 0, 0),
        Action("talk", 0, 0, 0),
        Action("cut", 0, 3, 0),
        Action("edit first", 0, 0, 0),
    ]
)
@example(
    series=[
        Action("insert", 0, 0, 0),
        Action("talk", 0, 0, 0),
        Action("delete", 0, 3, 0),
        Action("branch", 0, 2, 0),
    ]
)
@example(
    series=[
        Action("talk", 0, 0, 0),
        Action("branch", 0, 1, 0),
        Action("repeat", 0, 0, 3),
        Action("repeat", 1, 0, 3),
    ]
)
def test_log_and_memories_equal_a_replay_of_what_survives(series):
    async def run():
        clock = FixedClock(START)
        with tempfile.TemporaryDirectory() as folder:
            async with opened(folder, clock) as omoide:
                world = World(omoide.scope(user="minjun", character="haru"), clock)
                await world.do(Action("talk", 0, 0, 0))
                ever = set()
                for action in series:
                    await world.do(action)
                    ever |= {said.text for chat in world.chats for said in chat.said}
                await check(omoide, world, folder)
                now = {said.text for chat in world.chats for said in chat.said}
                gone = sorted(text for text in ever - now if "word" in text)
                await check_indexes(omoide, world.scope, gone)

    asyncio.run(run())


async def marked(world):
    """Pin one memory, forget another and write a third; the words of the first two."""
    memories = [memory for memory in await world.scope.memories() if len(memory.evidence) == 2]
    pinned, forgotten = memories[0], memories[1]
    await world.scope.pin(pinned.id)
    await world.scope.forget(forgotten.id)
    await world.scope.remember("민준은 바다를 좋아한다", pinned=True)
    return [[quote.quote for quote in memory.evidence] for memory in (pinned, forgotten)]


@pytest.mark.proves("P16")
@settings(SLOW, max_examples=20)
@given(series=actions)
def test_marks_outlive_whatever_happens_to_the_conversation(series):
    async def run():
        clock = FixedClock(START)
        with tempfile.TemporaryDirectory() as folder:
            async with opened(folder, clock) as omoide:
                world = World(omoide.scope(user="minjun", character="haru"), clock)
                for _ in range(4):
                    await world.do(Action("talk", 0, 0, 0))
                pinned, forgotten = await marked(world)
                for action in series:
                    await world.do(action)
                clock.advance(timedelta(minutes=11))
                await world.scope.recall("감자 이야기 word1")
                live = await world.scope.memories()
                quoted = {quote.quote for memory in live for quote in memory.evidence}
                survives = [[said.text for said in one] for one in survivors(world.chats)]
                assert not quoted & set(forgotten)
                assert any(memory.text == "민준은 바다를 좋아한다" and memory.pinned for memory in live)
                kept = [m for m in live if [quote.quote for quote in m.evidence] == pinned]
                assert [memory.pinned for memory in kept] == [True] * (pinned in survives)

    asyncio.run(run())


unnamed_actions = st.lists(
    st.tuples(
        st.sampled_from(
            ("talk", "talk", "swipe", "edit newest", "new chat", "depart", "cut", "again", "wait")
        ),
        st.integers(0, 3),
        st.integers(0, 9),
    ),
    min_size=3,
    max_size=12,
)


class Unnamed(World):
    """Clients that name no session; what any of them went on from is lasting."""

    def __init__(self, scope, clock):
        super().__init__(scope, clock)
        self.lasting = set()

    async def sync(self, chat, *, live=True):
        spoken = [Spoken(speaker=0 if s.role is Role.USER else 1, role=s.role) for s in chat.said]
        found = [tuple(chat.said[place].text for place in span) for span in remembered(spoken)]
        self.lasting.update(found[:-1])
        await self.scope.sync([said.message for said in chat.said[chat.cut :]], live=live)

    async def step(self, what, number, place):
        self.clock.advance(timedelta(minutes=1))
        chat = self.chats[number % len(self.chats)]
        told = len(chat.said) > 3
        match what:
            case "talk":
                await self.do_talk(chat, None)
            case "swipe" if told:
                chat.said[-1] = self.fresh(Role.CHARACTER)
                await self.sync(chat)
            case "edit newest" if told:
                chat.said[-2:] = [self.fresh(Role.USER), self.fresh(Role.CHARACTER)]
                await self.sync(chat)
            case "new chat":
                said = [chat.said[0], self.fresh(Role.USER), self.fresh(Role.CHARACTER)]
                self.clock.advance(timedelta(minutes=11))
                self.chats.append(Chat(said=said))
                await self.sync(self.chats[-1])
            case "depart" if len(chat.said) > 6:
                end = 3 + place % (len(chat.said) - 6) // 2 * 2
                said = [*chat.said[:end], self.fresh(Role.USER), self.fresh(Role.CHARACTER)]
                self.chats.append(Chat(said=said))
                await self.sync(self.chats[-1])
            case "cut" if told:
                chat.cut = max(chat.cut, min(1 + place, len(chat.said) - 3))
                await self.sync(chat)
            case "again":
                await self.sync(chat)
            case "wait":
                self.clock.advance(timedelta(hours=5))


@settings(SLOW, max_examples=20)
@given(series=unnamed_actions)
def test_clients_that_name_no_session_replace_their_newest_exchange_and_no_other(series):
    async def run():
        clock = FixedClock(START)
        with tempfile.TemporaryDirectory() as folder:
            async with opened(folder, clock) as omoide:
                world = Unnamed(omoide.scope(user="minjun", character="haru"), clock)
                for action in (("talk", 0, 0), *series):
                    await world.step(*action)
                live = await world.scope.memories()
                remembers = Counter(tuple(quote.quote for quote in memory.evidence) for memory in live)
                assert set(remembers.values()) <= {1}
                assert world.lasting <= set(remembers)

    asyncio.run(run())
