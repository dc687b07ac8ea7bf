"""A name is one name, whether a system writes its Hangul and accents whole (NFC) or in parts (NFD)."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine
from opening import opened

from omoide import Filter, Message, Role
from omoide.errors import InvalidInput
from omoide.server.access import Access, ApiKeys
from omoide.server.proxy.identity import named
from omoide.server.tokens import Tokens

if TYPE_CHECKING:
    from pathlib import Path

USER, CHARACTER, FRIEND = "민준", "はるが", "José"
FACT = "저는 감자튀김을 좋아해요"


def whole(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def in_parts(name: str) -> str:
    return unicodedata.normalize("NFD", name)


FORMS = pytest.mark.parametrize(("first", "then"), [(whole, in_parts), (in_parts, whole)])


@FORMS
async def test_two_forms_of_a_name_are_one_owner(tmp_path: Path, first, then) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user=first(USER), character=first(CHARACTER))
        await scope.observe(user=FACT, reply="저도요", session=first("저녁"))
        again = omoide.scope(user=then(USER), character=then(CHARACTER))
        assert FACT in (await again.recall("감자튀김 좋아해?")).prompt
        said = await again.observe(user="부산에 살아요", reply="그렇군요", session=then("저녁"))
        assert {memory.session for memory in await scope.memories()} == {first("저녁")}
        assert said.added == 2
        [only] = await omoide.scopes()
        assert (only.user, only.character) == (whole(USER), whole(CHARACTER))
        erased = await omoide.erase_user(then(USER))
        assert (erased.scopes, erased.memories, erased.key_destroyed) == (1, 2, True)


@FORMS
async def test_two_forms_of_a_speakers_name_are_one_person(tmp_path: Path, first, then) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user=first(USER), character="haru")
        said = [
            Message(role=Role.USER, speaker=first(USER), text="딸기를 샀어요"),
            Message(role=Role.USER, speaker=first(FRIEND), text="포도를 샀어요"),
            Message(role=Role.USER, speaker=then(FRIEND), text="수박을 샀어요"),
            Message(role=Role.USER, speaker=then(USER), text="참외를 샀어요"),
        ]
        await scope.observe(messages=said, session="s1")
        for name, fruits in ((FRIEND, {"포도", "수박"}), (USER, {"딸기", "참외"})):
            narrowed = Filter(people=frozenset({then(name)}))
            found = await scope.recall("딸기 포도 수박 참외 샀어요", filter=narrowed)
            assert {recalled.memory.evidence[0].quote[:2] for recalled in found.memories} == fruits


async def test_a_client_that_writes_names_in_parts_from_now_on_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user=USER, character="haru")
        said = [(FRIEND, "포도를 샀어요"), (USER, "딸기를 샀어요"), (FRIEND, "맛있겠다")]
        for form in (whole, in_parts):
            shown = [Message(role=Role.USER, speaker=form(name), text=text) for name, text in said]
            synced = await scope.sync(shown, session=form("저녁"))
            assert (synced.added, synced.withdrawn) == ((3, 0) if form is whole else (0, 0))


TAKEN = [
    "Kim Minjun",
    "花子\u3000山田",
    "\U0001f469\u200d\U0001f4bb",  # joined emoji
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, with a sign that does not join
    "\u200f\u05d3\u05e0\u05d9",  # Hebrew, with a mark of direction
    "O'Neil (2)",
    "\U0001fae9",
    " 민준 ",
]
REFUSED = ["", "  ", "민준\n", "은\x07하", "a\tb", "\x1b[31m", "a\x85b", "a\u2028b", "a\u2029b", "a\ud800b"]


@pytest.mark.parametrize("name", TAKEN)
async def test_names_of_any_script_are_taken(tmp_path: Path, name: str) -> None:
    async with opened(tmp_path) as omoide:
        await omoide.scope(user=name, character=name).observe(user=FACT, reply="저도요")
        [only] = await omoide.scopes()
        assert (only.user, only.character) == (name, name)
        assert Tokens(omoide.store).issue(user=name, character=name).text
    assert ApiKeys(tmp_path / "keys.json").add(
        Access(label=name, users=frozenset({name}), characters=frozenset({name}))
    )
    assert named(name) == name.strip()


@pytest.mark.parametrize("name", REFUSED)
async def test_a_name_is_one_line_that_can_be_seen_at_every_door(tmp_path: Path, name: str) -> None:
    shown = re.escape(repr(name))
    keys = ApiKeys(tmp_path / "keys.json")
    async with opened(tmp_path) as omoide:
        tokens = Tokens(omoide.store)
        for user, character in ((name, "haru"), (USER, name)):
            with pytest.raises(InvalidInput, match=shown):
                omoide.scope(user=user, character=character)
            with pytest.raises(InvalidInput, match=shown):
                tokens.issue(user=user, character=character)
            with pytest.raises(InvalidInput, match=shown):
                keys.add(Access(label="one", users=frozenset({user}), characters=frozenset({character})))
    with pytest.raises(InvalidInput, match=shown):
        keys.add(Access(label=name))
    assert named(f"x{name}y" if name.strip() else name) is None


@pytest.mark.parametrize("name", ["은\x07하", "a\tb", "a\u2028b"])
def test_the_command_line_says_which_name_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    omoide = CommandLine(tmp_path, monkeypatch, capsys)
    for user, character in ((name, CHARACTER), (USER, name)):
        named = ("--user", user, "--character", character, "--new")
        assert repr(name) in omoide("remember", "바다를 좋아한다", *named, status=2).err
    assert repr(name) in omoide("api-key", "add", "one", "--user", name, status=2).err


@FORMS
def test_the_command_line_takes_either_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], first, then
) -> None:
    omoide = CommandLine(tmp_path, monkeypatch, capsys)
    omoide("remember", "바다를 좋아한다", "--user", first(USER), "--character", first(CHARACTER))
    named = ("--user", then(USER), "--character", then(CHARACTER))
    assert len(omoide("memories", *named, "--json").json) == 1
    assert omoide("erase", then(USER), "--yes", "--json").json["memories"] == 1
