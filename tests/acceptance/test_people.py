"""The people of a scope: kept apart by their ids, renamed, and made one where two are the same."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from command_line import CommandLine, refused
from opening import NOW, opened

from omoide import Filter, Message, Role
from omoide.errors import InvalidInput, UnknownPerson

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from omoide import Recall, Scope

ROOM = ("--user", "room", "--character", "haru")


def said(speaker: str, text: str, *, name: str | None = None, minute: int = 0) -> Message:
    at = NOW + timedelta(minutes=minute)
    return Message(role=Role.USER, text=text, speaker=speaker, name=name, at=at)


GROUPS = {
    "ko": (
        [("u7", "하린", "나 새우 알레르기 있어"), ("u9", "준", "난 새우 없으면 못 살아")],
        "누가 새우 알레르기 있어? 새우 없으면 못 사는 건 누구?",
    ),
    "ja": (
        [("u7", "葵", "私は海老アレルギーがあるの"), ("u9", "蓮", "海老がないと生きていけない")],
        "海老アレルギーがあるのは誰？海老がないと生きていけないのは？",
    ),
    "en": (
        [("u7", "Nora", "I am allergic to shrimp"), ("u9", "Theo", "I could not live without shrimp")],
        "Shall we eat shrimp?",
    ),
    "zh": (
        [("u7", "小雨", "我对虾过敏"), ("u9", "阿远", "没有虾我活不下去")],
        "谁对虾过敏？谁没有虾活不下去？",
    ),
}


async def talked(scope: Scope, people: Sequence[tuple[str, str, str]]) -> None:
    messages = [
        said(speaker, text, name=name, minute=minute) for minute, (speaker, name, text) in enumerate(people)
    ]
    await scope.observe(messages=messages, session="s1")
    await scope.vectorise()


def speakers(recall: Recall) -> set[str]:
    return {quote.speaker for found in recall.memories for quote in found.memory.evidence}


@pytest.mark.proves("F04")
@pytest.mark.parametrize("language", GROUPS)
async def test_what_two_people_say_in_a_group_stays_with_each_of_them(tmp_path: Path, language: str) -> None:
    people, asked = GROUPS[language]
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="room", character="haru")
        await talked(scope, people)
        whole = await scope.recall(asked)
        for speaker, name, text in people:
            assert f"{name}: {text}" in whole.block
            own = await scope.recall(asked, filter=Filter(people=frozenset({speaker})))
            assert speakers(own) == {name}
            assert text in own.block


@pytest.mark.proves("F04")
async def test_people_are_listed_with_id_and_name(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="room", character="haru")
        await talked(scope, GROUPS["ko"][0])
        assert [(one.id, one.name, one.role) for one in await scope.people()] == [
            ("u7", "하린", Role.USER),
            ("u9", "준", Role.USER),
        ]


@pytest.mark.parametrize("who", ["u7", "하린"])
async def test_a_new_name_holds_in_what_was_said_before_and_against_what_messages_bring(
    tmp_path: Path, who: str
) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="room", character="haru")
        await talked(scope, GROUPS["ko"][0])
        assert "하린: 나 새우" in (await scope.recall("새우 알레르기 누구?")).block
        assert (await scope.rename_person(who, " 하린이 ")).name == "하린이"
        for _ in range(2):
            block = (await scope.recall("새우 알레르기 누구?")).block
            assert "하린이: 나 새우 알레르기 있어" in block
            assert "하린: " not in block
            await scope.observe(messages=[said("u7", "나 기타 배워", name="하린", minute=9)], session="s2")
        assert (await scope.rename_person("u7", "하린")).name == "하린"
    async with opened(tmp_path) as omoide:
        again = omoide.scope(user="room", character="haru")
        assert [one.name for one in await again.people()] == ["하린", "준"]


async def test_names_that_messages_bring_still_change_by_themselves(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="room", character="haru")
        for minute, name in enumerate(("하린", "린", "하린")):
            text = f"나 {minute + 2}번째 기타를 샀어"
            await scope.observe(messages=[said("u7", text, name=name, minute=minute)], session="s1")
            assert [one.name for one in await scope.people()] == [name]


async def test_two_who_are_the_same_become_one(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="room", character="haru")
        other = omoide.scope(user="elsewhere", character="haru")
        people = [*GROUPS["ko"][0], ("u8", "하린(폰)", "나 망고 알레르기도 있어")]
        for one in (scope, other):
            await talked(one, people)
        before = {memory.id: memory for memory in await scope.memories()}
        await scope.recall("알레르기 뭐 있어?")

        kept = await scope.merge_people("하린", "u8")

        assert (kept.id, kept.name) == ("u7", "하린")
        assert [one.id for one in await scope.people()] == ["u7", "u9"]
        found = await scope.recall("알레르기 뭐 있어?", filter=Filter(people=frozenset({"u7"})))
        assert speakers(found) == {"하린"}
        assert "나 새우 알레르기 있어" in found.block
        assert "나 망고 알레르기도 있어" in found.block
        by_old_id = await scope.recall("알레르기 뭐 있어?", filter=Filter(people=frozenset({"u8"})))
        assert by_old_id.block == found.block
        for memory in await scope.memories():
            was = before.pop(memory.id)
            assert [(quote.message, quote.quote) for quote in memory.evidence] == [
                (quote.message, quote.quote) for quote in was.evidence
            ]
        assert not before
        assert [one.id for one in await other.people()] == ["u7", "u9", "u8"]
        assert "하린(폰)" in speakers(await other.recall("망고 알레르기 있어?"))


async def test_what_a_merged_person_says_later_is_the_kept_ones(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="room", character="haru")
        people = [
            ("a", "지우", "나 수영 배워"),
            ("b", "지우2", "나 등산도 해"),
            ("c", "지우3", "나 요가도 해"),
        ]
        await talked(scope, people)
        await scope.merge_people("b", "c")
        await scope.merge_people("a", "b")
        later = [said(who, f"나 {who} 시험에 붙었어", name=f"새 {who}", minute=5) for who in "bc"]
        await scope.observe(messages=later, session="s2")
        assert [(one.id, one.name) for one in await scope.people()] == [("a", "지우")]
        assert speakers(await scope.recall("시험에 붙었어?")) == {"지우"}
        assert (await scope.sync(later, session="s2")).added == 0


@pytest.mark.parametrize(
    ("keep", "other", "told"),
    [
        ("u7", "하린", "already"),
        ("u7", "haru", "keep 'haru'"),
        ("u7", "room", "keep 'room'"),
        ("haru", "u7", "cannot be one"),
    ],
)
async def test_who_cannot_be_one_is_refused(tmp_path: Path, keep: str, other: str, told: str) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="room", character="haru")
        await scope.observe(user="안녕, 다들 모였네", reply="반가워요", session="s1")
        await talked(scope, GROUPS["ko"][0])
        with pytest.raises(InvalidInput, match=told):
            await scope.merge_people(keep, other)
        assert len(await scope.people()) == 4


async def test_an_unknown_person_is_an_error_that_shows_near_ones(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="room", character="haru")
        await talked(scope, [("u7", "Katharina", "I play chess"), ("u9", "준", "나 바둑 둬")])
        with pytest.raises(UnknownPerson, match="'Katharina'"):
            await scope.rename_person("Katarina", "Kat")
        with pytest.raises(UnknownPerson, match=r"known: .*'준'"):
            await scope.merge_people("u7", "소라")
        with pytest.raises(InvalidInput):
            await scope.rename_person("u7", " \u200b")


async def test_a_name_that_several_have_needs_an_id(tmp_path: Path) -> None:
    async with opened(tmp_path) as omoide:
        scope = omoide.scope(user="room", character="haru")
        await talked(scope, [("u7", "민준", "나 체스 둬"), ("u9", "민준", "나 바둑 둬")])
        with pytest.raises(InvalidInput, match="'u7', 'u9'"):
            await scope.rename_person("민준", "큰 민준")
        await scope.rename_person("u7", "큰 민준")
        assert (await scope.rename_person("민준", "작은 민준")).id == "u9"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    line = CommandLine(tmp_path, monkeypatch, capsys)
    messages = [
        {"role": "user", "speaker": who, "name": name, "text": text, "session": "s1"}
        for who, name, text in [*GROUPS["ko"][0], ("u8", "하린(폰)", "나 망고 알레르기도 있어")]
    ]
    line("import", line.file("room.jsonl", *messages), *ROOM)
    return line


def test_people_are_listed_renamed_and_merged_from_the_command_line(room):
    assert [one["id"] for one in room("people", "list", "--json").json] == ["u7", "u9", "u8"]
    assert room("people", "list").out.splitlines()[0].split("\t") == ["id", "name", "role"]
    renamed = room("people", "rename", "하린", "린", "--json").json
    assert renamed == {"id": "u7", "name": "린", "role": "user"}
    assert "--yes" in refused(room("people", "merge", "u7", "u8", status=2))
    assert room("people", "merge", "u7", "u8", "--yes", "--json").json["id"] == "u7"
    assert "린: 나 망고 알레르기도 있어" in room("recall", "망고 알레르기 있어?").out
    assert len(room("people", "list", "--json").json) == 2


def test_an_unknown_person_on_the_command_line_is_one_clear_line(room):
    assert "'하린(폰)'" in refused(room("people", "rename", "하린폰", "린", status=1))
