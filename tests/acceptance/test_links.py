"""One memory leads to another: links, a character's own past in its chats, mood, and rehearsal (K8)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from opening import NOW, opened
from recalling import texts

from omoide import Filter, Kind, Layer, Past
from omoide.domain.affect import Feeling
from omoide.domain.diary import Diary
from omoide.domain.event import Event
from omoide.domain.links import MOST, LinkKind
from omoide.recall.result import Slot
from omoide.retain.noted import Noted
from omoide.testing import FixedClock

if TYPE_CHECKING:
    from pathlib import Path

    from omoide import Omoide, Recall, Recalled, Scope

DIRECT = Past(layer=Layer.DIRECT, confidence=9)
TOLD = Past(layer=Layer.HEARD, confidence=7, source="Rin")
FILLER = (
    "oats",
    "gloves",
    "tulips",
    "chess",
    "paint",
    "soup",
    "trains",
    "maps",
    "clay",
    "lamps",
    "kites",
    "honey",
)
LONG_AGO = NOW - timedelta(days=90)


def by_link(recall: Recall) -> list[Recalled]:
    return [one for one in recall.memories if one.why.links]


async def filled(scope: Scope, *notes: Noted, like: str = "Need room:") -> list[str]:
    """Notes among many others, which nothing ties to them."""
    others = [Noted(text=f"{like} {word}", importance=2) for word in FILLER]
    dated = [
        replace(note, at=LONG_AGO + day * timedelta(days=1)) for day, note in enumerate([*notes, *others])
    ]
    made = await scope.remember_all(dated)
    await scope.vectorise()
    return made[: len(notes)]


CUES = [
    ("오늘도 너무 피곤해.", "민아는 회의 시간에 졸았다.", "서윤이가 3월에 태어났다.", "서윤"),
    ("今日もくたくた。", "美奈は会議で居眠りをした。", "陽菜が三月に生まれた。", "陽菜"),
    ("I'm exhausted again.", "Mina dozed off at her desk.", "Wren was born in March.", "Wren"),
    ("我又累死了。", "米娜在会上睡着了。", "小宝三月出生了。", "小宝"),
]


@pytest.mark.proves("K8")
@pytest.mark.parametrize(("cue", "near", "cause", "person"), CUES)
async def test_a_cue_leads_over_a_feeling_to_its_cause(
    tmp_path: Path, cue: str, near: str, cause: str, person: str
) -> None:
    async with opened(tmp_path, slots=0) as omoide:
        scope = omoide.scope(user="Mina", character="Haru")
        ids = await filled(
            scope,
            Noted(text=cause, involved=(person,), importance=9),
            Noted(text=near, involved=(person,), scores={"tired": 8}, importance=4),
            like=cue,
        )
        recall = await scope.recall(cue, limit=9)
    found = next(one for one in recall.memories if one.memory.id == ids[0])
    assert found.why.slot is Slot.LINK
    assert [(led.kind, led.memory) for led in found.why.links] == [
        (LinkKind.PERSON, ids[1]),
        (LinkKind.FEELING, None),
    ]
    assert all(0 < led.weight <= 1 for led in found.why.links)


@pytest.mark.proves("K8")
async def test_without_links_nothing_is_led_to(tmp_path: Path) -> None:
    async with opened(tmp_path, links=False) as omoide:
        scope = omoide.scope(user="Mina", character="Haru")
        cue, near, cause, person = CUES[2]
        await filled(
            scope,
            Noted(text=cause, involved=(person,), importance=9),
            Noted(text=near, involved=(person,), scores={"tired": 8}),
            like=cue,
        )
        assert not by_link(await scope.recall(cue))


async def _sora(omoide: Omoide) -> Scope:
    await omoide.add_events([Event(name="The flood", participants=("Sora", "Rin"), place="Mill Lane")])
    scope = omoide.scope(character="Sora")
    letters = "Grandmother's letters were gone for ever."
    await scope.write(
        [
            Diary(text="I carried the lantern up to the attic.", past=DIRECT, event="The flood"),
            Diary(text=letters, past=TOLD, event="The flood", importance=9),
            Diary(text="A heron stood on our wall.", past=DIRECT, place="Mill Lane", importance=8),
            *(Diary(text=f"I carried that {word}.", past=DIRECT, importance=2) for word in FILLER),
        ]
    )
    await scope.vectorise()
    return scope


@pytest.mark.proves("K8")
async def test_one_memory_of_an_event_leads_to_the_others_and_to_its_place(tmp_path: Path) -> None:
    async with opened(tmp_path, slots=0) as omoide:
        scope = await _sora(omoide)
        recall = await scope.recall("I carried that lantern again.")
    kinds = {one.memory.text: one.why.links[0].kind for one in by_link(recall)}
    assert kinds["Grandmother's letters were gone for ever."] is LinkKind.EVENT
    assert kinds["A heron stood on our wall."] is LinkKind.PLACE


async def test_what_was_said_next_in_a_session_is_led_to(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="Mina", character="Haru")
        await filled(scope, like="Forks, I felt")
        sad = Feeling(emotion="sad", intensity=0.8)
        await scope.observe("Forks scraped, nobody spoke over lunch.", "Oh?", session="lunch", feeling=sad)
        await scope.observe("Our daughter will not be christened, that is why.", "Ah.", session="lunch")
        await scope.vectorise()
        recall = await scope.recall("Forks scraped, I felt lonely.", limit=6)
    ways = [[led.kind for led in one.why.links] for one in by_link(recall) if "christened" in one.memory.text]
    assert ways == [[LinkKind.FOLLOWS, LinkKind.FEELING]]


async def test_what_is_forgotten_is_led_to_no_more(tmp_path: Path) -> None:
    async with opened(tmp_path, slots=0) as omoide:
        scope = await _sora(omoide)
        cue = "I carried that lantern again."
        (found,) = [one for one in by_link(await scope.recall(cue)) if "letters" in one.memory.text]
        await scope.forget(found.memory.id)
        assert not any("letters" in text for text in texts(await scope.recall(cue)))
        await scope.purge(now=True)
        row = omoide.store.scope(None, "Sora")
        assert row is not None
        with omoide.store.read(row) as unit:
            numbers = unit.memories.numbers(kinds=[Kind.DIARY])
            ends = {link.end for link in unit.links.of(numbers)}
        assert ends <= set(numbers)


async def test_what_many_share_leads_by_few_links(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(character="Sora")
        await scope.write(
            [
                Diary(text=f"Rin laughed about {place}.", past=DIRECT, people=("Rin",), place="Yard")
                for place in range(60)
            ]
        )
        row = omoide.store.scope(None, "Sora")
        assert row is not None
        with omoide.store.read(row) as unit:
            numbers = unit.memories.numbers()
            of_each = [len(unit.links.of([number])) for number in numbers]
    assert max(of_each) <= 2 * MOST
    assert sum(of_each) <= 2 * MOST * len(numbers)


async def test_links_in_a_circle_end(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(character="Sora")
        await scope.write(
            [
                Diary(text=f"The {word} stood by the well.", past=DIRECT, place="Well", people=("Rin", "Emi"))
                for word in FILLER[:4]
            ]
        )
        await scope.vectorise()
        recall = await scope.recall("oats by the well, I said.", limit=4)
    ids = [one.memory.id for one in recall.memories]
    assert len(ids) == len(set(ids)) <= 4


@pytest.mark.proves("K1")
async def test_links_never_leave_their_scope(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await omoide.add_events([Event(name="The flood", participants=("Sora", "Rin"))])
        for name, text in (("Sora", "I held the lantern."), ("Rin", "I wept in secret.")):
            scope = omoide.scope(character=name)
            await scope.write([Diary(text=text, past=DIRECT, event="The flood", place="Mill Lane")])
        recall = await omoide.scope(character="Sora").recall("I held a lantern.")
        row = omoide.store.scope(None, "Sora")
        assert row is not None
        with omoide.store.read(row) as unit:
            assert not unit.links.of(unit.memories.numbers())
    assert texts(recall) == ["I held the lantern."]


@pytest.mark.proves("K4")
async def test_a_chat_reaches_the_characters_own_past(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await (await _sora(omoide)).vectorise()
        scope = omoide.scope(user="Mina", character="Sora")
        await scope.observe("I bought a brass lantern at the market.", "How pretty.", session="s")
        await scope.vectorise()
        recall = await scope.recall("Do you remember carrying a lantern to the attic?")
        budget = await scope.recall("Do you remember carrying a lantern to the attic?", budget=60)
        few = await scope.recall("Do you remember carrying a lantern to the attic?", limit=3)
    own = [one for one in recall.memories if one.own]
    assert "I carried the lantern up to the attic." in [one.memory.text for one in own]
    assert any("brass lantern" in text for text in texts(recall))
    assert "attic" in recall.block
    assert len(recall.memories) <= 12
    assert budget.in_block < recall.in_block
    assert len(few.memories) == 3


async def test_whoever_has_never_met_a_character_finds_its_past_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await _sora(omoide)
        recall = await omoide.scope(user="Nobody", character="Sora").recall(
            "Do you remember the lantern, the attic?"
        )
        off = await omoide.scope(user="Nobody", character="Emi").recall("Do you remember the lantern?")
    assert any("lantern" in text for text in texts(recall))
    assert not off.memories


@pytest.mark.proves("K1")
async def test_a_chat_reaches_no_other_past_and_no_other_users_talk(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await _sora(omoide)
        await omoide.scope(user="Emi", character="Sora").observe(
            "My lantern is secret.", "I see.", session="e"
        )
        await omoide.scope(character="Rin").write([Diary(text="I broke the lantern in secret.", past=DIRECT)])
        scope = omoide.scope(user="Mina", character="Sora")
        await scope.observe("I like my lantern.", "Nice.", session="m")
        recall = await scope.recall("Do you remember the secret lantern?")
    assert not any("secret" in text for text in texts(recall))


async def test_the_own_past_can_be_left_out(tmp_path: Path) -> None:
    async with opened(tmp_path, own_past=False) as omoide:
        await _sora(omoide)
        scope = omoide.scope(user="Mina", character="Sora")
        await scope.observe("I like my lantern.", "Nice.", session="m")
        recall = await scope.recall("Do you remember the lantern?")
    assert not any(one.own for one in recall.memories)


async def test_a_past_written_after_the_first_look_is_seen(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="Mina", character="Sora")
        await scope.observe("I like my lantern.", "Nice.", session="m")
        question = "Do you remember carrying a lantern to the attic?"
        before = await scope.recall(question)
        await _sora(omoide)
        after = await scope.recall(question)
    assert not any(one.own for one in before.memories)
    assert any(one.own for one in after.memories)


async def test_a_filter_holds_over_the_own_past_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        await _sora(omoide)
        scope = omoide.scope(user="Mina", character="Sora")
        await scope.observe("I like my lantern.", "Nice.", session="m")
        only = Filter(kinds=frozenset({Kind.EPISODE}))
        recall = await scope.recall("Do you remember the lantern?", filter=only)
    assert not any(one.own for one in recall.memories)


SAME = "We walked to the harbour before dawn"


async def _harbours(omoide: Omoide) -> Scope:
    scope = omoide.scope(character="Sora")
    await scope.write(
        [
            Diary(text=f"{SAME}, quietly.", past=DIRECT, scores={"sadness": 9}),
            Diary(text=f"{SAME}, slowly.", past=DIRECT, scores={"joy": 9}),
            *(Diary(text=f"I counted {word} before school.", past=DIRECT) for word in FILLER),
        ]
    )
    await scope.vectorise()
    return scope


@pytest.mark.proves("K8")
async def test_a_mood_favours_memories_of_a_like_feeling(tmp_path: Path) -> None:
    first: dict[str, Any] = {}
    async with opened(tmp_path, mood=True) as omoide:
        scope = await _harbours(omoide)
        for emotion in ("sad", "happy"):
            feeling = Feeling(emotion=emotion, intensity=0.9)
            recall = await scope.recall(f"{SAME}.", feeling=feeling)
            first[emotion] = recall.memories[0]
    assert "quietly" in first["sad"].memory.text
    assert "slowly" in first["happy"].memory.text
    assert (first["sad"].why.mood, first["happy"].why.mood) == ("sadness", "joy")


async def test_no_mood_favours_anything_by_default(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = await _harbours(omoide)
        sad = await scope.recall(f"{SAME}.", feeling=Feeling(emotion="sad", intensity=0.9))
        plain = await scope.recall(f"{SAME}.")
    assert texts(sad) == texts(plain)
    assert not any(one.why.mood for one in sad.memories)


@pytest.mark.proves("K8")
@pytest.mark.parametrize("chats", [False, True])
async def test_a_diary_that_is_recalled_often_stays(tmp_path: Path, *, chats: bool) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, forgetting="calendar", clock=clock) as omoide:
        own = omoide.scope(character="Sora")
        await own.write(
            [
                Diary(text="I hid a lantern under the stairs.", past=DIRECT, importance=2),
                Diary(text="I painted the gate blue.", past=DIRECT, importance=2),
            ]
        )
        await own.vectorise()
        scope = omoide.scope(user="Mina", character="Sora") if chats else own
        if chats:
            await scope.observe("I like maps.", "Nice.", session="first")
        for turn in range(6):
            clock.advance(timedelta(days=3))
            recall = await scope.recall(
                "Do you remember the lantern under the stairs?",
                session=f"s{turn}",
                filter=Filter(kinds=frozenset({Kind.DIARY})),
                limit=1,
            )
            assert texts(recall) == ["I hid a lantern under the stairs."]
            await omoide._finish_tasks()
        faded = await own.recall("Do you remember the lantern? And the gate painted blue?", rehearse=False)
        decay = {one.memory.text: one.why.decay for one in faded.memories}
    assert decay["I hid a lantern under the stairs."] > 0.7
    assert "I painted the gate blue." not in decay
