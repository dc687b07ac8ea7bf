"""Ids that a program gives to messages: said again nothing is doubled, and no words are ever lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from opening import opened

from omoide import Message, Role
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from omoide.scope import Scope


@pytest.fixture
async def scope(tmp_path: Path) -> AsyncIterator[Scope]:
    async with opened(tmp_path) as omoide:
        yield omoide.scope(user="u", character="c")


def exchange(said: str, reply: str, *, first: str | None, second: str | None = None) -> list[Message]:
    return [
        Message(role=Role.USER, text=said, external_id=first),
        Message(role=Role.CHARACTER, text=reply, external_id=second),
    ]


async def texts(scope: Scope) -> list[str]:
    return sorted(memory.text for memory in await scope.memories())


async def test_an_id_of_other_words_is_refused_in_whatever_session(scope: Scope) -> None:
    await scope.observe(messages=exchange("I love tea", "ok", first="0", second="1"), session="mon")
    for session in ("mon", "tue"):
        with pytest.raises(InvalidInput, match="'0' belongs to another message"):
            await scope.observe(
                messages=exchange("I am allergic to nuts", "noted", first="0", second="1"), session=session
            )
    assert await texts(scope) == ["u: I love tea\nc: ok"]


async def test_a_reply_without_an_id_joins_no_exchange_but_its_own(scope: Scope) -> None:
    await scope.observe(messages=exchange("I love tea", "ok", first="1"), session="a")
    for session in ("a", "b"):
        with pytest.raises(InvalidInput, match="go on in other words"):
            await scope.observe(messages=exchange("I love tea", "no", first="1"), session=session)
    assert await texts(scope) == ["u: I love tea\nc: ok"]


async def test_what_is_new_behind_what_is_known_is_added(scope: Scope) -> None:
    first = exchange("I love tea", "ok", first="1")
    await scope.observe(messages=first, session="a")
    more = [*first, *exchange("I bake bread", "yum", first="2"), *exchange("I swim", "ok", first=None)]
    assert (await scope.observe(messages=more, session="a")).added == 4
    assert (await scope.observe(messages=more, session="a")).added == 0


async def test_an_exchange_that_two_files_number_alike_is_known_again_in_its_own_words(scope: Scope) -> None:
    chats = {
        "mon": exchange("I love tea", "ok", first="0", second="1"),
        "tue": exchange("I am allergic to nuts", "noted", first="0", second="1"),
    }
    for session, said in chats.items():
        await scope.sync(said, session=session, live=False)
    for session, said in chats.items():
        assert (await scope.observe(messages=said, session=session)).added == 0


async def test_a_hidden_message_stays_hidden(scope: Scope) -> None:
    said = exchange("I love tea", "ok", first="0")
    hidden = Message(role=Role.USER, text="I love peanuts", hidden=True)
    await scope.observe(messages=[*said, hidden], session="a")
    lines = [line for line in await scope.export() if '"hidden": true' in line]
    assert len(lines) == 1
    assert "peanuts" in lines[0]
    assert any("I love peanuts" in text for text in await texts(scope))
