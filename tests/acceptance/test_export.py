"""Export and import: everything comes back, and what was forgotten or corrected stays so."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from opening import NOW, opened
from recalling import texts

from omoide import Message, Noted, Origin, Role, Scope, Status
from omoide.errors import ImportFailed
from omoide.retain.transfer import load
from omoide.testing import FixedClock, WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CAT, CAT_RIGHT = "우리 고양이 이름은 감사예요", "민준의 고양이 이름은 감자다"
SECRET, SHIP, TEA = "I once stole a boat", "A boat? Really?", "My favourite tea is oolong"
TALK = ((CAT, "귀엽다!"), (SECRET, SHIP), (TEA, "Mine too."), ("I moved to Oslo", "Brr!"))


def said(talk: Sequence[tuple[str, str]] = TALK, **given: Any) -> list[Message]:
    """A talk as its client shows it."""
    roles = (Role.USER, Role.CHARACTER)
    return [
        Message(role=role, text=text, **given)
        for exchange in talk
        for role, text in zip(roles, exchange, strict=True)
    ]


async def the(scope: Scope, words: str) -> str:
    """The id of the one memory that tells of this."""
    (found,) = [memory.id for memory in await scope.memories() if words in memory.text]
    return found


async def told(scope: Scope) -> list[str]:
    """What is remembered, in an order of its own."""
    return sorted(memory.text for memory in await scope.memories())


def rows(lines: Sequence[str]) -> list[dict[str, Any]]:
    """The lines that are messages."""
    return [row for row in map(json.loads, lines) if "role" in row]


def without_ids(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Messages without what each store gives anew."""
    return [{k: v for k, v in row.items() if k not in ("id", "external_id")} for row in rows(lines)]


async def corrected_and_forgotten(scope: Scope, clock: FixedClock) -> None:
    """Talk, correct one thing, and forget another."""
    for user, reply in TALK:
        clock.advance(timedelta(minutes=1))
        await scope.observe(user=user, reply=reply, session="s1")
    clock.advance(timedelta(minutes=1))
    await scope.correct(await the(scope, CAT), CAT_RIGHT)
    await scope.forget(await the(scope, SECRET))


@pytest.fixture
async def carried(tmp_path: Path) -> Any:
    """A scope with a correction and a gap, and the same out of its export."""
    (tmp_path / "there").mkdir()
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as here, opened(tmp_path / "there", clock=clock) as there:
        scopes = [one.scope(user="minjun", character="haru") for one in (here, there)]
        await corrected_and_forgotten(scopes[0], clock)
        clock.advance(timedelta(days=1))
        await scopes[1].restore_export(load(await scopes[0].export()))
        yield scopes


@pytest.mark.proves("K12")
async def test_an_export_of_an_import_is_the_same_again(carried: list[Scope], tmp_path: Path) -> None:
    (tmp_path / "third").mkdir()
    async with opened(tmp_path / "third") as omoide:
        third = omoide.scope(user="minjun", character="haru")
        await third.restore_export(load(await carried[1].export()))
        scopes = [*carried, third]
        exports = [without_ids(await scope.export()) for scope in scopes]
        assert exports == [exports[0]] * 3
        assert [await told(scope) for scope in scopes] == [await told(carried[0])] * 3
    assert len(exports[0]) == 8


async def test_corrected_words_are_exported_and_forgotten_ones_leave_a_mark(carried: list[Scope]) -> None:
    lines = await carried[0].export()
    assert SECRET not in "\n".join(lines)
    assert SHIP not in "\n".join(lines)
    here = rows(lines)
    assert [row.get("text") for row in here] == [
        *(CAT, "귀엽다!", None, None, TEA, "Mine too.", "I moved to Oslo", "Brr!")
    ]
    assert [row.get("suppressed") for row in here] == [True] * 4 + [None] * 4
    assert set(here[2]) == {"session", "role", "speaker", "at", "id", "suppressed"}


@pytest.mark.parametrize(
    ("session", "live", "dated"),
    [("s1", True, False), ("s1", False, True), ("another", False, False), (None, True, True)],
)
async def test_a_client_that_still_shows_it_brings_nothing_back(
    carried: list[Scope], session: str | None, live: bool, dated: bool
) -> None:
    shown = [
        Message(role=one.role, text=one.text, at=NOW + timedelta(minutes=1 + place // 2) if dated else None)
        for place, one in enumerate(said())
    ]
    for scope in carried:
        before = await told(scope)
        for _ in range(2):
            recorded = await scope.sync(shown, session=session, live=live)
            assert (recorded.added, recorded.withdrawn) == (0, 0)
            assert await told(scope) == before


async def test_the_middle_of_a_cut_conversation_is_recognised_too(carried: list[Scope]) -> None:
    for scope in carried[1:]:
        before = await told(scope)
        for begin in (3, 2, 1):
            assert (await scope.sync(said()[begin:], session="s1", live=False)).added == 0
            assert await told(scope) == before


async def test_what_is_new_in_the_place_of_nothing_is_remembered(carried: list[Scope]) -> None:
    new = ("My sister flies planes", "Wow!")
    await carried[1].sync(said((*TALK, new)), session="s1", live=False)
    assert any(new[0] in text for text in await told(carried[1]))


async def test_marks_need_the_same_speaker_and_time(carried: list[Scope]) -> None:
    later = NOW + timedelta(hours=3)
    shown = [
        Message(role=one.role, text=one.text, at=later if 2 <= place < 4 else None)
        for place, one in enumerate(said((*TALK[:1], ("I fell off a horse", "Ouch!"), *TALK[2:])))
    ]
    await carried[1].sync(shown, session="s1", live=False)
    assert any("horse" in text for text in await told(carried[1]))


@pytest.mark.parametrize("dated", [True, False])
async def test_a_session_of_which_all_is_forgotten_is_known_by_its_times(tmp_path: Path, dated: bool) -> None:
    clock = FixedClock(NOW)
    (tmp_path / "there").mkdir()
    shown = said(((SECRET, SHIP),), at=NOW if dated else None)
    async with opened(tmp_path, clock=clock) as here, opened(tmp_path / "there", clock=clock) as there:
        scope, other = (one.scope(user="minjun", character="haru") for one in (here, there))
        await scope.observe(messages=shown, session="s1")
        await scope.forget(await the(scope, SECRET))
        await other.restore_export(load(await scope.export()))
        await other.sync(shown, session="s1", live=False)
        assert bool(await told(other)) is not dated


async def test_a_forgotten_message_is_known_by_the_id_that_its_source_gave_it(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    shown = [replace(one, external_id=f"m{n}") for n, one in enumerate(said(((SECRET, SHIP),)))]
    async with opened(tmp_path) as here, opened(tmp_path / "there") as there:
        scope, other = (one.scope(user="minjun", character="haru") for one in (here, there))
        await scope.observe(messages=shown, session="s1")
        await scope.forget(await the(scope, SECRET))
        await other.restore_export(load(await scope.export()))
        assert (await other.observe(messages=shown, session="s1")).added == 0
        assert await told(other) == []


async def test_reading_an_export_again_changes_nothing(carried: list[Scope]) -> None:
    for source in carried:
        export = await source.export()
        for scope in carried:
            before = await scope.export()
            recorded = await scope.restore_export(load(export))
            assert (recorded.added, recorded.made) == (0, 0)
            assert await scope.export() == before


async def test_an_old_export_does_not_undo_a_correction_made_since(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.observe(user=CAT, reply="귀엽다!", session="s1")
        old = await the(scope, CAT)
        await scope.pin(old)
        export = await scope.export()
        await scope.correct(old, CAT_RIGHT)
        await scope.restore_export(load(export))
        assert await told(scope) == [CAT_RIGHT]


async def test_the_old_words_answer_for_the_past_in_the_new_store_too(carried: list[Scope]) -> None:
    for scope in carried:
        (replaced,) = await scope.memories(statuses=[Status.REPLACED])
        assert CAT in replaced.text
        assert CAT not in "\n".join(texts(await scope.recall("고양이 이름")))


async def test_purged_messages_leave_a_mark_as_well(carried: list[Scope], tmp_path: Path) -> None:
    await carried[0].purge(now=True)
    (tmp_path / "purged").mkdir()
    async with opened(tmp_path / "purged") as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.restore_export(load(await carried[0].export()))
        before = await told(scope)
        await scope.sync(said(), session="s1", live=False)
        assert await told(scope) == before == await told(carried[0])


async def test_forgetting_a_correction_forgets_what_it_corrected(carried: list[Scope]) -> None:
    for scope, count in zip(carried, (4, 3), strict=True):  # the second never had what was forgotten
        again = await scope.correct(await the(scope, CAT_RIGHT), "민준의 고양이는 감자다")
        await scope.forget(again)
        assert CAT not in "\n".join(await scope.export())
        assert await scope.memories(statuses=[Status.REPLACED]) == []
        assert (await scope.recall("고양이 이름", as_of=NOW + timedelta(days=2))).memories == ()
        await scope.restore(again)
        assert len(await scope.memories(statuses=[Status.REPLACED])) == 2
        assert CAT in "\n".join(await scope.export())
        await scope.forget(again)
        assert await scope.purge(now=True) == count
        assert len(await scope.memories(statuses=tuple(Status))) == 2


async def test_hidden_messages_stay_hidden(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    shown = [Message(role=Role.USER, text=TEA, hidden=True), Message(role=Role.CHARACTER, text="Mine too.")]
    async with opened(tmp_path) as here, opened(tmp_path / "there") as there:
        scope, other = (one.scope(user="minjun", character="haru") for one in (here, there))
        await scope.observe(messages=shown, session="observed")
        await scope.sync(shown, session="synced", live=False)
        await other.restore_export(load(await scope.export()))
        for lines in (await scope.export(), await other.export()):
            assert [row.get("hidden") for row in rows(lines)] == [True, None] * 2


async def test_a_message_without_words_that_is_no_mark_is_refused() -> None:
    header = json.dumps({"format": "omoide-export/1", "user": "minjun", "character": "haru"})
    line = json.dumps({"session": "s1", "role": "user", "speaker": "minjun", "id": "1"})
    with pytest.raises(ImportFailed, match="line 2"):
        load([header, line])


@pytest.mark.proves("H21")
async def test_an_embedder_of_ones_own_is_asked_once_for_equal_questions(tmp_path: Path) -> None:
    class Counting(WordEmbedder):
        asked = 0

        async def embed_query(self, text: str) -> Any:
            self.asked += 1
            return await super().embed_query(text)

    embedder = Counting(64)
    async with opened(tmp_path, embedder=embedder) as omoide:
        scope = omoide.scope(user="minjun", character="haru")
        await scope.remember(TEA)
        for _ in range(3):
            await scope.recall("Which tea?")
    assert embedder.asked == 1


@pytest.mark.parametrize("kept", [True, False])
async def test_an_episode_outlives_a_correction_of_what_was_drawn_from_it(tmp_path: Path, kept: bool) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "third").mkdir()
    async with (
        opened(tmp_path) as here,
        opened(tmp_path / "there") as there,
        opened(tmp_path / "third") as third,
    ):
        scopes = [one.scope(user="minjun", character="haru") for one in (here, there, third)]
        shown = said(((TEA, "Mine too."),))
        await scopes[0].observe(messages=[replace(shown[0], external_id="m1"), shown[1]], session="s1")
        rests = (("m1", 3, 16),)
        note = Noted(text="minjun likes oolong", origin=Origin.EXTRACTED, external_id="f1", rests=rests)
        (fact,) = await scopes[0].remember_all([note])
        await (scopes[0].correct(fact, "minjun likes sencha") if kept else scopes[0].forget(fact))
        for source, target in pairwise(scopes):
            await target.restore_export(load(await source.export()))
            await target.sync(shown, session="s1", live=False)
            assert any(TEA in text for text in await told(target)) is kept
            assert [text for text in await told(target) if "minjun likes" in text] == [
                "minjun likes sencha"
            ] * kept
