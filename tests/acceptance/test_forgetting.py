"""Forgetting, restoring, correcting, pinning and fading: everywhere at once, and for as long as was said."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from opening import NOW, opened
from recalling import texts

from omoide import Kind, Message, Noted, Role, Status
from omoide.errors import InvalidInput, UnknownMemory
from omoide.stores.tables import messages
from omoide.testing import FixedClock

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omoide import Memory, Scope

CAT, CAT_ASKED = "우리 고양이 이름은 감자예요", "고양이 이름 기억나?"
DAY = timedelta(days=1)
THREE_WAYS = ["conversation", "calendar", "none"]


async def one_memory(scope: Scope, text: str = CAT) -> Memory:
    """Say one thing, and give back the memory of it."""
    await scope.observe(user=text, reply="그렇구나!", session="s1")
    await scope.vectorise()
    return (await scope.memories())[0]


async def reinforced(scope: Scope, memory: str) -> int:
    """How often a memory was recalled into an exchange, as the store counts it."""
    engine = scope._engine
    await engine._finish_tasks()
    row = engine.store.scope(scope.user, scope.character)
    assert row is not None
    with engine.store.read(row) as unit:
        (number,) = [found.number for found in _opened(unit) if found.memory.id == memory]
        return unit.rehearsals.counts([number]).get(number, (0, 0))[0]


def _opened(unit: object) -> Sequence[object]:
    memories = unit.memories
    return memories.open(memories.numbers(statuses=tuple(Status)), names={}, sessions={})


@pytest.mark.proves("F10")
async def test_forgotten_is_gone_from_every_way_of_reading_at_once(tmp_path: Path) -> None:
    """The user deletes, and the character still knows."""
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        assert (await scope.recall(CAT_ASKED)).memories
        assert await scope.forget(memory.id) == 1
        for asked in (CAT_ASKED, "감자", CAT):
            for way in ("standard", "published"):
                recall = await scope.recall(asked, fusion=way)
                assert (recall.block, recall.memories) == ("", ())
        assert (await scope.recall(CAT_ASKED, as_of=NOW + DAY)).memories == ()
        assert await scope.memories() == []
        assert [found.id for found in await scope.memories(statuses=[Status.FORGOTTEN])] == [memory.id]


async def test_forgotten_has_no_terms_and_no_vector_on_disk(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        await scope.forget(memory.id)
        row = omoide.store.scope("minjun", "haru")
        assert row is not None
        with omoide.store.read(row) as unit:
            assert omoide.store.embedding is not None
            assert unit.postings.read(identity=omoide.store.analyser) == []
            assert unit.vectors(omoide.store.embedding).members() == set()


async def test_what_is_forgotten_while_its_vector_is_made_gets_none(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.observe(user=CAT, reply="귀엽다", session="s1")
        await scope.forget((await scope.memories())[0].id)
        await omoide._finish_tasks()
        row = omoide.store.scope("minjun", "haru")
        assert row is not None
        with omoide.store.read(row) as unit:
            assert omoide.store.embedding is not None
            assert unit.vectors(omoide.store.embedding).members() == set()


@pytest.mark.proves("F18")
async def test_forgetting_one_of_many_leaves_the_others(tmp_path: Path) -> None:
    """Deleting one thing must touch exactly one."""
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        fruits = ("사과", "포도", "수박", "참외", "딸기")
        made = await scope.remember_all([Noted(text=f"민준은 {fruit} 주스를 좋아한다") for fruit in fruits])
        await scope.vectorise()
        await scope.forget(made[2])
        for fruit in fruits:
            found = await scope.recall(f"{fruit} 어때?")
            assert (fruit in found.block) is (fruit != "수박")


async def test_the_same_memory_named_twice_is_forgotten_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        assert await scope.forget(memory.id, memory.id) == 1


async def test_two_memories_on_the_same_message_can_be_forgotten_together(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        said = Message(role=Role.USER, text=CAT, at=NOW)
        for reply in ("귀엽다", "예쁘다"):
            shown = [said, Message(role=Role.CHARACTER, text=reply, at=NOW)]
            await scope.sync(shown, session="s1", live=False)
        both = await scope.memories(statuses=[Status.CONFIRMED, Status.SUPPRESSED])
        assert len(both) == 2
        assert await scope.forget(*[memory.id for memory in both]) == 2
        assert (await scope.recall(CAT_ASKED)).block == ""


async def test_forgetting_nobody_knows_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        for wrong in ("nonsense", "01a22b5f-2169-7762-be22-22587aa6fbb9"):
            with pytest.raises(UnknownMemory, match="no memory has the id"):
                await scope.forget(memory.id, wrong)
        assert len(await scope.memories()) == 1


async def test_the_memory_of_another_scope_cannot_be_forgotten(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        memory = await one_memory(omoide.scope(user="minjun", character="haru"))
        other = omoide.scope(user="seoyeon", character="haru")
        await other.observe(user="저는 강아지를 좋아해요", reply="저도요", session="s1")
        for attempt in (other.forget(memory.id), other.correct(memory.id, "x"), other.pin(memory.id)):
            with pytest.raises(UnknownMemory):
                await attempt


@pytest.mark.proves("F70")
async def test_a_conversation_shown_again_does_not_bring_back_what_was_forgotten(tmp_path: Path) -> None:
    """A later run over the old messages must not bring it back."""
    shown = [
        Message(role=Role.USER, text=CAT, at=NOW),
        Message(role=Role.CHARACTER, text="귀엽다", at=NOW),
        Message(role=Role.USER, text="저는 등산을 좋아해요", at=NOW),
        Message(role=Role.CHARACTER, text="어느 산이요?", at=NOW),
    ]
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.sync(shown, session="s1", live=False)
        (cat,) = [memory for memory in await scope.memories() if "감자" in memory.text]
        await scope.forget(cat.id)
        for session in ("s1", "s2", None):
            await scope.sync(shown, session=session, live=False)
            assert [memory.evidence[0].quote for memory in await scope.memories()] == ["저는 등산을 좋아해요"]
        await scope.purge(now=True)
        for session in ("s1", "s3"):
            await scope.sync(shown, session=session, live=False)
            assert (await scope.recall(CAT_ASKED)).block == ""


async def test_another_reply_to_what_was_forgotten_does_not_bring_it_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        said = Message(role=Role.USER, text=CAT, at=NOW)
        await scope.sync(
            [said, Message(role=Role.CHARACTER, text="귀엽다", at=NOW)], session="s1", live=False
        )
        await scope.forget((await scope.memories())[0].id)
        await scope.sync(
            [said, Message(role=Role.CHARACTER, text="예뻐라", at=NOW)], session="s1", live=False
        )
        assert await scope.memories() == []


async def test_what_was_forgotten_can_be_restored_within_thirty_days(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        await scope.forget(memory.id)
        clock.advance(29 * DAY)
        assert await scope.purge() == 0
        await scope.restore(memory.id)
        recall = await scope.recall(CAT_ASKED)
        assert texts(recall) == [memory.text]
        assert recall.memories[0].why.meaning is not None
        assert recall.memories[0].why.words is not None


async def test_a_restored_memory_can_be_made_again_from_its_conversation(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        said = Message(role=Role.USER, text=CAT, at=NOW)
        await scope.sync(
            [said, Message(role=Role.CHARACTER, text="귀엽다", at=NOW)], session="s1", live=False
        )
        memory = (await scope.memories())[0]
        await scope.forget(memory.id)
        await scope.restore(memory.id)
        await scope.sync(
            [said, Message(role=Role.CHARACTER, text="예뻐라", at=NOW)], session="s1", live=False
        )
        assert [found.evidence[1].quote for found in await scope.memories()] == ["예뻐라"]


async def test_after_the_purge_nothing_can_be_restored(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        await scope.forget(memory.id)
        clock.advance(30 * DAY)
        assert await scope.purge() == 1
        assert await scope.purge() == 0
        with pytest.raises(UnknownMemory):
            await scope.restore(memory.id)
        assert await scope.memories(statuses=tuple(Status)) == []


async def test_only_what_is_forgotten_or_faded_can_be_restored(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        with pytest.raises(InvalidInput, match="confirmed"):
            await scope.restore(memory.id)


async def test_a_correction_is_recalled_in_place_of_what_it_corrects(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        old = await one_memory(scope)
        clock.advance(10 * DAY)
        new = await scope.correct(old.id, "민준의 고양이 이름은 고구마다")
        await scope.vectorise()
        assert [memory.id for memory in await scope.memories()] == [new]
        recall = await scope.recall(CAT_ASKED)
        assert "고구마" in recall.block
        assert "감자" not in recall.prompt
        assert texts(await scope.recall("감자")) == []


async def test_before_the_correction_the_old_words_held(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        old = await one_memory(scope)
        clock.advance(10 * DAY)
        await scope.correct(old.id, "민준의 고양이 이름은 고구마다")
        clock.advance(DAY)
        assert texts(await scope.recall(CAT_ASKED, as_of=NOW + 5 * DAY)) == [old.text]
        assert texts(await scope.recall(CAT_ASKED, as_of=NOW + 11 * DAY)) == ["민준의 고양이 이름은 고구마다"]
        assert (await scope.recall(CAT_ASKED, as_of=NOW - DAY)).memories == ()


async def test_a_corrected_conversation_does_not_bring_the_old_words_back(tmp_path: Path) -> None:
    shown = [Message(role=Role.USER, text=CAT, at=NOW), Message(role=Role.CHARACTER, text="귀엽다", at=NOW)]
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.sync(shown, session="s1", live=False)
        await scope.correct((await scope.memories())[0].id, "민준의 고양이 이름은 고구마다")
        await scope.sync(shown, session="s1", live=False)
        await scope.sync(shown, session="s2", live=False)
        assert [memory.text for memory in await scope.memories()] == ["민준의 고양이 이름은 고구마다"]


async def test_a_correction_needs_words_and_a_memory_that_holds(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        with pytest.raises(InvalidInput, match="needs words"):
            await scope.correct(memory.id, "\u200b")
        await scope.correct(memory.id, "민준의 고양이 이름은 고구마다")
        with pytest.raises(InvalidInput, match="replaced"):
            await scope.correct(memory.id, "민준의 고양이 이름은 호박이다")


async def test_a_memory_by_hand_is_recalled_and_survives_a_rewind(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        recorded = await scope.observe(user="안녕하세요 반갑습니다", reply="반가워요", session="s1")
        await scope.remember("민준은 갑각류 알레르기가 있다", importance=9)
        await scope.rewind(recorded.messages[0], session="s1")
        recall = await scope.recall("갑각류 먹어도 돼?")
        assert texts(recall)[0] == "민준은 갑각류 알레르기가 있다"


async def test_a_memory_with_a_known_external_id_is_not_written_twice(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        note = Noted(text="민준은 왼손잡이다", external_id="n1")
        assert len(await scope.remember_all([note])) == 1
        assert await scope.remember_all([note]) == []
        assert len(await scope.memories()) == 1


@pytest.mark.proves("H16")
@pytest.mark.parametrize("forgetting", THREE_WAYS)
async def test_pinned_memories_never_fade(tmp_path: Path, forgetting: str) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock, forgetting=forgetting) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        await scope.pin(memory.id)
        for number in range(30):
            clock.advance(DAY)
            await scope.observe(user=f"오늘은 {number}번째 산책을 했어요", reply="좋네요", session="s2")
        clock.advance(1000 * DAY)
        assert (await scope.prune()).faded >= 0
        recall = await scope.recall(CAT_ASKED)
        assert recall.memories[0].memory.id == memory.id
        assert recall.memories[0].why.decay == 1.0
        assert (await scope.show(memory.id)).pinned


@pytest.mark.proves("H16")
async def test_unpinned_memories_fade_again(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock, forgetting="calendar") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        await scope.pin(memory.id)
        clock.advance(1000 * DAY)
        assert (await scope.prune()).faded == 0
        await scope.unpin(memory.id)
        assert (await scope.prune()).faded == 1


@pytest.mark.proves("H16")
async def test_a_cycle_reports_what_it_kept_and_what_faded_and_the_faded_can_be_restored(
    tmp_path: Path,
) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock, forgetting="calendar") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        notes = [
            Noted(text=f"{name} 좋아한다", importance=worth)
            for name, worth in (("별자리", 1), ("달무리", 10))
        ]
        faint, strong = await scope.remember_all(notes)
        clock.advance(20 * DAY)  # exp(-20 / 4) = 0.007, exp(-20 / 13) = 0.21
        done = await scope.prune()
        assert (done.kept, done.faded) == (1, 1)
        assert [memory.id for memory in await scope.memories()] == [strong]
        assert texts(await scope.recall("별자리 좋아해?")) == []
        await scope.restore(faint)
        assert {memory.id for memory in await scope.memories()} == {faint, strong}
        assert "별자리" in (await scope.recall("별자리 좋아해?")).block
        assert (await scope.prune()).faded == 0


@pytest.mark.proves("H16")
async def test_kinds_that_last_are_not_pruned(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock, forgetting="calendar") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.remember("달 왕국에는 왕이 없다", kind=Kind.WORLD, importance=1)
        await scope.remember("코드로 설명하면 좋아한다", kind=Kind.GUIDANCE, importance=1)
        clock.advance(1000 * DAY)
        done = await scope.prune()
        assert (done.kept, done.faded) == (2, 0)


@pytest.mark.proves("H16")
async def test_a_cycle_opens_no_words(tmp_path: Path) -> None:
    """It reads numbers only, so that what cannot be opened fades like everything else."""
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock, forgetting="calendar") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await one_memory(scope)
        with omoide.store.database.write() as connection:
            connection.execute(messages.update().values(text_sealed=b"shut"))
        clock.advance(1000 * DAY)
        done = await scope.prune()
        assert (done.kept, done.faded) == (0, 1)


async def test_showing_one_memory_opens_that_one_only(tmp_path: Path) -> None:
    async with opened(tmp_path, embedder="none") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        made = await scope.remember_all([Noted(text=f"{number}번 등대를 봤다") for number in range(2_000)])
        began = time.perf_counter()
        assert len(await scope.memories()) == 2_000
        listing, began = time.perf_counter() - began, time.perf_counter()
        assert (await scope.show(made[7])).text == "7번 등대를 봤다"
        assert time.perf_counter() - began < listing / 3
        for unknown in (made[7][:-1] + "g", "7", ""):
            with pytest.raises(UnknownMemory):
                await scope.show(unknown)


@pytest.mark.parametrize("forgetting", ["conversation", "none"])
async def test_a_cycle_fades_nothing_where_the_calendar_does_not_count(
    tmp_path: Path, forgetting: str
) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock, forgetting=forgetting) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        clock.advance(1000 * DAY)
        done = await scope.prune()
        assert (done.kept, done.faded) == (1, 0)
        assert [kept.id for kept in await scope.memories()] == [memory.id]


@pytest.mark.proves("H10")
@pytest.mark.proves("H16")
async def test_what_was_recalled_outlasts_what_was_not_and_a_cycle_leaves_that_so(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock, forgetting="calendar") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        notes = [Noted(text=text, importance=2) for text in ("펭귄 인형을 모은다", "등대 그림을 그린다")]
        penguin, _ = await scope.remember_all(notes)
        await scope.vectorise()
        clock.advance(10 * DAY)
        await scope.recall("펭귄 인형 귀엽지?", session="s1", limit=1)
        assert await reinforced(scope, penguin) == 1
        clock.advance(6 * DAY)
        await scope.prune()
        # exp(-6 / 7) = 0.42 for the one recalled six days ago, exp(-16 / 5) = 0.04 for the other.
        assert [memory.id for memory in await scope.memories()] == [penguin]
        assert await reinforced(scope, penguin) == 1
        clock.advance(14 * DAY)
        assert (await scope.prune()).faded == 0  # exp(-20 / 7) = 0.06
        clock.advance(2 * DAY)
        assert (await scope.prune()).faded == 1  # exp(-22 / 7) = 0.04


@pytest.mark.proves("H10")
async def test_a_recall_into_a_chat_reinforces_once_an_exchange(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        for _ in range(3):  # the same message again is a swipe
            await scope.recall(CAT_ASKED, session="s2")
        assert await reinforced(scope, memory.id) == 1
        await scope.recall("고양이는 잘 지내?", session="s2")
        assert await reinforced(scope, memory.id) == 2


@pytest.mark.proves("H10")
async def test_tools_and_questions_about_the_past_reinforce_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        await scope.recall(CAT_ASKED)
        await scope.recall(CAT_ASKED, session="s2", as_of=NOW + DAY)
        await scope.recall(CAT_ASKED, session="s2", as_of=NOW + DAY, rehearse=True)
        await scope.recall(CAT_ASKED, session="s2", rehearse=False)
        await scope.memories()
        await scope.show(memory.id)
        await scope.prune()
        assert await reinforced(scope, memory.id) == 0
        await scope.recall(CAT_ASKED, rehearse=True)
        assert await reinforced(scope, memory.id) == 1


@pytest.mark.proves("P10")
async def test_who_returns_after_years_is_not_forgotten(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        clock.advance(900 * DAY)
        recall = await scope.recall(CAT_ASKED)
        assert texts(recall) == [memory.text]
        assert recall.memories[0].why.decay == 1.0


@pytest.mark.proves("P10")
@pytest.mark.parametrize(("later", "factor"), [(0, 1.0), (5, 2 ** (-1 / 40)), (200, 0.5), (1000, 0.3)])
async def test_memories_fade_by_how_much_the_user_has_said_since(
    tmp_path: Path, later: int, factor: float
) -> None:
    """The distance is the user's settled messages since, divided by five; 40 of it halve (ruling 8)."""
    async with opened(tmp_path, embedder="none") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        talk = [Message(role=Role.USER, text=f"{number}번 버스가 왔어요", at=NOW) for number in range(later)]
        if talk:
            await scope.observe(messages=talk, session="s1")
        recall = await scope.recall(CAT)
        (found,) = [one for one in recall.memories if one.memory.id == memory.id]
        assert found.why.decay == pytest.approx(factor, abs=1e-6)


@pytest.mark.proves("P10")
async def test_an_old_conversation_imported_late_does_not_age_newer_ones(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        memory = await one_memory(scope)
        old = [
            Message(role=Role.USER, text=f"{number}번 버스가 왔어요", at=NOW - 300 * DAY)
            for number in range(200)
        ]
        await scope.sync(old, session="import", live=False)
        recall = await scope.recall(CAT_ASKED)
        (found,) = [one for one in recall.memories if one.memory.id == memory.id]
        assert found.why.decay == 1.0


@pytest.mark.proves("P16")
async def test_a_rewind_takes_back_the_memories_of_what_it_removes(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        first = await scope.observe(user="저는 등산을 좋아해요", reply="어느 산이요?", session="s1")
        await scope.observe(user=CAT, reply="귀엽다", session="s1")
        await scope.rewind(first.messages[1], session="s1")
        assert (await scope.recall(CAT_ASKED)).block == ""
        assert "등산" in (await scope.recall("등산 좋아해요?")).block


async def test_off_the_record_leaves_no_trace(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.observe(user=CAT, reply="귀엽다", session="s1", off_record=True)
        assert await omoide.scopes() == []
