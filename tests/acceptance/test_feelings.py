"""What a user felt is kept with what was said, and one recall brings it along."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from opening import NOW, opened

from omoide import Feeling, Message, Role
from omoide.errors import InvalidInput
from omoide.retain.transfer import load
from omoide.testing import FixedClock

if TYPE_CHECKING:
    from pathlib import Path

LANGUAGES = [
    ("ko", "오늘 야근해서 너무 힘들었어, 택배도 못 받았어", "택배 못 받은 날 기억나?"),
    ("ja", "今日は残業でへとへと、荷物も受け取れなかった", "荷物を受け取れなかった日、覚えてる？"),
    ("en", "Worked late and missed my parcel, exhausted", "Remember the day I missed my parcel?"),
]


@pytest.mark.proves("H19")
@pytest.mark.proves("H20")
@pytest.mark.parametrize(("language", "said", "asked"), LANGUAGES)
async def test_one_recall_brings_memories_and_the_hard_days_of_late(
    tmp_path: Path, language: str, said: str, asked: str
) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        await scope.observe(said, "…", session="s", feeling=Feeling(emotion="tired", intensity=0.8))
        clock.advance(timedelta(days=2))
        recall = await scope.recall(asked)

    assert recall.memories, language
    assert recall.feelings is not None
    assert recall.feelings.counts == {"tired": 1}
    assert NOW.date().isoformat() in recall.block.splitlines()[2]


async def test_feelings_older_than_a_week_and_those_taken_back_count_no_more(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        await scope.observe("old tale of the lighthouse", "oh", feeling=Feeling(emotion="sad", intensity=0.9))
        clock.advance(timedelta(days=8))
        first = await scope.observe(
            "the lighthouse again", "oh", feeling=Feeling(emotion="happy", intensity=0.5)
        )
        taken = await scope.observe("a storm at sea", "oh", feeling=Feeling(emotion="angry", intensity=0.5))
        await scope.rewind(first.messages[-1])
        recall = await scope.recall("the lighthouse?")

    assert taken.added == 2
    assert recall.feelings is not None
    assert recall.feelings.counts == {"happy": 1}


async def test_laughter_is_no_memory_but_its_feeling_is_noted(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="u", character="c")
        await scope.observe("the ferry to Jeju was late", "oh")
        recorded = await scope.observe("haha", "hehe", feeling=Feeling(emotion="playful", intensity=0.6))
        recall = await scope.recall("the ferry?")

    assert recorded.made == 0
    assert recall.feelings is not None
    assert recall.feelings.dominant == "playful"


async def test_without_records_feelings_are_unknown(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="u", character="c")
        await scope.observe("the ferry to Jeju was late", "oh")

        assert (await scope.recall("the ferry?")).feelings is None


async def test_a_feeling_beside_a_list_of_messages_is_refused(tmp_path: Path) -> None:
    from omoide import Message, Role

    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="u", character="c")
        with pytest.raises(InvalidInput, match="not both"):
            await scope.observe(
                messages=[Message(role=Role.USER, text="hi there")],
                feeling=Feeling(emotion="calm", intensity=0),
            )


@pytest.mark.proves("H7")
async def test_what_a_user_felt_weighs_in_the_episode_and_outlives_a_swipe_an_edit_and_a_move(
    tmp_path: Path,
) -> None:
    clock, felt = FixedClock(NOW), Feeling(emotion="sad", intensity=1.0)
    async with opened(tmp_path, clock=clock) as omoide:
        scope, moved = (omoide.scope(user=user, character="c") for user in ("u", "v"))
        said = Message(role=Role.USER, text="I went out", feeling=felt)
        await scope.observe(messages=[said, Message(role=Role.CHARACTER, text="Where to?")], session="s")
        assert [memory.importance for memory in await scope.memories()] == [5.0]
        shown = [replace(said, feeling=None), Message(role=Role.CHARACTER, text="Far?")]
        await scope.sync(shown, session="s", live=False)
        assert [memory.importance for memory in await scope.memories()] == [5.0]
        assert (await scope.memories())[0].text.endswith("Far?")
        await moved.restore_export(load(await scope.export()))
        assert [memory.importance for memory in await moved.memories()] == [5.0]
        await scope.sync([replace(shown[0], text="I went away"), shown[1]], session="s", live=False)
        assert [memory.importance for memory in await scope.memories()] == [3.0]
        await scope.sync([said, shown[1]], session="s", live=False)
        assert [memory.importance for memory in await scope.memories()] == [5.0]


@pytest.mark.proves("H7")
async def test_what_the_character_felt_weighs_nothing_and_a_conversation_shown_brings_feelings(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="u", character="c")
        said = Message(role=Role.USER, text="I went out")
        sad = Feeling(emotion="sad", intensity=1.0)
        reply = Message(role=Role.CHARACTER, text="Where to?", feeling=sad)
        await scope.sync([said, reply], session="s", live=False)
        assert [memory.importance for memory in await scope.memories()] == [3.0]
        await scope.sync([replace(said, feeling=sad), reply], session="s", live=False)
        assert [memory.importance for memory in await scope.memories()] == [5.0]
