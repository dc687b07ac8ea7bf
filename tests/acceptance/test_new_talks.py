"""A new talk that begins like an old one deletes nothing, and an edit replaces what it edits."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from opening import NOW, opened

from omoide import Message, Role
from omoide.testing import FixedClock

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omoide.scope import Scope

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
GREETING = "*waves at you from the pier*"


def talk(*texts: str, greeting: str = "") -> list[Message]:
    """What user and character say by turns, behind a greeting of the character where there is one."""
    said = [
        Message(role=(Role.USER, Role.CHARACTER)[place % 2], text=text) for place, text in enumerate(texts)
    ]
    return [Message(role=Role.CHARACTER, text=greeting), *said] if greeting else said


async def grow(
    scope: Scope, clock: FixedClock, said: Sequence[Message], *, session: str | None = None
) -> None:
    """Show a conversation exchange by exchange."""
    for end in range(2 + len(said) % 2, len(said) + 1, 2):
        clock.advance(MINUTE)
        await scope.sync(said[:end], session=session)


async def asked(scope: Scope, clock: FixedClock) -> list[str]:
    """What people are remembered to have said, once all of it is settled."""
    clock.advance(timedelta(hours=1))
    await scope.recall("what was it?")
    quoted = [quote for memory in await scope.memories() for quote in memory.evidence]
    return sorted(quote.quote for quote in quoted if quote.role is Role.USER)


@pytest.mark.proves("P16")
@pytest.mark.parametrize("pause", [MINUTE, timedelta(minutes=11), DAY])
@pytest.mark.parametrize("greeting", ["", GREETING])
@pytest.mark.parametrize(
    ("opening", "first", "second"),
    [
        (("hi", "Hello! How are you?"), "I am allergic to peanuts.", "My mom is ill."),
        (("안녕", "안녕하세요! 잘 지냈어요?"), "나 땅콩 알레르기 있어", "엄마가 아프셔"),
        (("こんにちは", "こんにちは、元気？"), "ピーナッツアレルギーなんだ", "母が入院した"),
        (("你好", "你好呀！"), "我对花生过敏", "妈妈生病了"),
    ],
)
async def test_a_new_talk_that_opens_with_the_same_exchange_deletes_nothing(
    tmp_path: Path, pause: timedelta, greeting: str, opening: tuple[str, str], first: str, second: str
) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        await grow(scope, clock, talk(*opening, first, "Oh.", greeting=greeting))
        clock.advance(pause)
        await grow(scope, clock, talk(*opening, second, "Oh no.", greeting=greeting))
        assert {first, second} <= set(await asked(scope, clock))


async def test_a_new_talk_shown_whole_within_a_minute_deletes_nothing(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        await scope.sync(talk("hi", "Hello!", "I love jazz", "Nice."))
        recorded = await scope.sync(talk("hi", "Hello!", "My mom is ill.", "Oh no."))
        assert recorded.withdrawn == 0
        assert await asked(scope, clock) == ["I love jazz", "My mom is ill.", "hi"]


@pytest.mark.parametrize("pause", [MINUTE, DAY])
async def test_an_edit_of_the_newest_words_replaces_them_however_late(
    tmp_path: Path, pause: timedelta
) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        await grow(scope, clock, talk("hi", "Hello!", "I am allergic to peanuts.", "Noted."))
        clock.advance(pause)
        await scope.sync(talk("hi", "Hello!", "I am allergic to walnuts.", "I see."))
        assert await asked(scope, clock) == ["I am allergic to walnuts.", "hi"]


async def test_in_a_longer_talk_the_newest_words_may_become_any_others_while_they_are_fresh(
    tmp_path: Path,
) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        begun = ("hi", "Hello!", "I bake bread", "Yum!")
        await grow(scope, clock, talk(*begun, "My dog is called Rex", "Aw."))
        await scope.sync(talk(*begun, "We moved to Oslo", "Cold!"))
        assert await asked(scope, clock) == ["I bake bread", "We moved to Oslo", "hi"]


@pytest.mark.parametrize(
    ("first", "edited"),
    [
        ("lol", "lol that was a funny film about dogs"),
        ("응", "응 그 영화 진짜 재밌었어"),
        ("え", "え、あの映画もう見たの"),
    ],
)
async def test_laughter_and_nods_that_grow_are_edits(tmp_path: Path, first: str, edited: str) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        await scope.sync(talk(first, "Ha!", greeting=GREETING))
        assert (await scope.sync(talk(edited, "Oh?", greeting=GREETING))).withdrawn == 2
        assert await asked(scope, clock) == [edited]


FRUIT = tuple(text for n in range(8) for text in (f"I love fruit number {n}", f"reply {n}"))


@pytest.mark.proves("P16")
@pytest.mark.parametrize("edited", ["I hate fruit number 4 now", "Nothing of that is true"])
async def test_behind_a_cut_an_edit_of_the_first_message_shown_replaces_it(
    tmp_path: Path, edited: str
) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        await grow(scope, clock, talk(*FRUIT), session="s")
        await scope.sync(talk(edited, *FRUIT[9:], "I love last", "k"), session="s")
        assert await asked(scope, clock) == sorted(
            [edited, "I love last", *(text for text in FRUIT[::2] if text != FRUIT[8])]
        )
        await scope.sync(talk(*FRUIT[8:], "I love last", "k"), session="s")
        assert await asked(scope, clock) == sorted(["I love last", *FRUIT[::2]])


async def test_behind_a_cut_what_a_program_puts_in_front_replaces_nothing(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        await grow(scope, clock, talk(*FRUIT), session="s")
        shown = talk("[Summary: they talk about fruit]", *FRUIT[9:], "I love last", "k")
        assert (await scope.sync(shown, session="s")).withdrawn == 0
        assert set(FRUIT[::2]) <= set(await asked(scope, clock))


async def test_behind_a_cut_an_unnamed_client_opens_a_branch_with_its_edit(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    async with opened(tmp_path, clock=clock) as omoide:
        scope = omoide.scope(user="u", character="c")
        await grow(scope, clock, talk(*FRUIT))
        edited = talk("I hate fruit number 4 now", *FRUIT[9:], "I love last", "k")
        assert (await scope.sync(edited)).withdrawn == 0
        quoted = [[q.quote for q in memory.evidence] for memory in await scope.memories()]
        assert ["I love fruit number 4", "reply 4"] in quoted
        assert ["I hate fruit number 4 now", "reply 4"] in quoted
