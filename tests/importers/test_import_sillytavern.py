from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from import_files import SEOUL, as_json, as_lines, parsed, written

from omoide.domain.model import Role
from omoide.errors import ImportFailed
from omoide.importers import parse, sniff

if TYPE_CHECKING:
    from pathlib import Path

    from omoide.domain.imported import Conversation
    from omoide.domain.model import Message

_HEADERS = {
    "milliseconds": {"user_name": "지우", "character_name": "Rin", "create_date": 1673181146000},
    "metadata": {
        "user_name": "지우",
        "character_name": "Rin",
        "create_date": "2024-07-12@01h31m37s",
        "chat_metadata": {"integrity": "7d1f", "tainted": True},
    },
    "unused": {"chat_metadata": {"integrity": "7d1f"}, "user_name": "unused", "character_name": "unused"},
}


def _said(text: str, *, user: bool = False, name: str | None = None, **more: object) -> dict[str, object]:
    return {
        "name": name or ("지우" if user else "Rin"),
        "is_user": user,
        "is_system": False,
        "mes": text,
        **more,
    }


def _chat(folder: Path, *lines: object, hidden: bool = True) -> Conversation:
    (conversation,) = parsed(folder, "chat.jsonl", as_lines(*lines), hidden=hidden).conversations
    return conversation


def _message(folder: Path, line: object) -> Message:
    (message,) = _chat(folder, _HEADERS["unused"], line).messages
    return message


@pytest.mark.parametrize("generation", [*_HEADERS, None])
def test_a_chat_of_every_generation_is_read(tmp_path: Path, generation: str | None) -> None:
    header = [_HEADERS[generation]] if generation else []
    chat = _chat(tmp_path, *header, _said("어서 와."), _said("나 왔어!", user=True))

    assert [(message.role, message.name, message.text) for message in chat.messages] == [
        (Role.CHARACTER, "Rin", "어서 와."),
        (Role.USER, "지우", "나 왔어!"),
    ]
    assert (chat.session, chat.user_name, chat.character_names) == ("chat", "지우", ("Rin",))
    assert not chat.group
    assert {message.speaker for message in chat.messages} == {""}


def test_the_name_in_an_unused_header_is_no_name(tmp_path: Path) -> None:
    assert _chat(tmp_path, _HEADERS["unused"], _said("안녕")).user_name is None


def test_a_file_of_a_single_message_is_a_chat(tmp_path: Path) -> None:
    assert sniff(written(tmp_path, "one.txt", as_json(_said("hello")))) == "sillytavern"
    assert _chat(tmp_path, _said("hello")).messages[0].text == "hello"


@pytest.mark.proves("F21")
def test_local_dates_get_the_zone_and_the_raw_date_is_kept(tmp_path: Path) -> None:
    message = _message(tmp_path, _said("hi", send_date="June 19, 2023 2:20pm"))
    assert message.at == datetime(2023, 6, 19, 5, 20, tzinfo=UTC)
    assert message.raw_date == "June 19, 2023 2:20pm"


@pytest.mark.parametrize("date", ["", None, "long ago"])
def test_a_missing_or_strange_date_is_unknown(tmp_path: Path, date: str | None) -> None:
    message = _message(tmp_path, _said("hi", send_date=date))
    assert message.at is None
    assert message.raw_date == (date or None)


def test_lines_keep_their_order_when_dates_go_backwards(tmp_path: Path) -> None:
    chat = _chat(
        tmp_path,
        _said("second day", send_date="2024-07-13@10h00m00s"),
        _said("first day", send_date="2024-07-12@10h00m00s"),
    )
    assert [message.text for message in chat.messages] == ["second day", "first day"]


@pytest.mark.proves("F21")
def test_many_messages_within_seconds_are_undated(tmp_path: Path) -> None:
    lines = [_said(f"line {number}", send_date=1728345600000 + number) for number in range(12)]
    result = parsed(tmp_path, "chat.jsonl", as_lines(*lines))
    assert {message.at for message in result.conversations[0].messages} == {None}
    assert result.conversations[0].messages[3].raw_date == "1728345600003"
    assert any("undated" in note for note in result.notes)


def test_a_short_quick_chat_keeps_its_dates(tmp_path: Path) -> None:
    lines = [_said(f"line {number}", send_date=1728345600000 + number * 1000) for number in range(4)]
    assert all(message.at for message in _chat(tmp_path, *lines).messages)


@pytest.mark.proves("F08")
def test_only_the_chosen_swipe_was_said(tmp_path: Path) -> None:
    swipes = ["first try", "second try", "third try"]
    assert _message(tmp_path, _said("second try", swipes=swipes, swipe_id=1)).text == "second try"
    assert _message(tmp_path, _said("", swipes=swipes, swipe_id=2)).text == "third try"
    assert _message(tmp_path, _said("", swipes=swipes)).text == "first try"


@pytest.mark.parametrize("swipe_id", ["1", None, [], 1.5])
def test_without_a_usable_number_the_first_swipe_was_said(tmp_path: Path, swipe_id: object) -> None:
    assert _message(tmp_path, _said("", swipes=["first", "second"], swipe_id=swipe_id)).text == "first"


@pytest.mark.parametrize("swipe_id", [9, -1])
def test_a_swipe_that_is_not_there_was_not_said(tmp_path: Path, swipe_id: int) -> None:
    chat = _chat(tmp_path, _said("real"), _said("", swipes=["first"], swipe_id=swipe_id))
    assert [message.text for message in chat.messages] == ["real"]


def test_text_stays_as_typed(tmp_path: Path) -> None:
    typed = "  *미소* 👩‍👩‍👧 한글\r\n{{user}}  "
    assert _message(tmp_path, _said(typed)).text == typed


def test_chub_writes_text_as_objects(tmp_path: Path) -> None:
    line = _said("", swipes=[{"message": "a"}, {"message": "b"}], swipe_id=1)
    assert _message(tmp_path, {**line, "mes": {"message": "b"}}).text == "b"
    assert _message(tmp_path, {**line, "mes": {}}).text == "b"


@pytest.mark.proves("F94")
def test_hidden_turns_are_kept_as_hidden_or_left_out_as_asked(tmp_path: Path) -> None:
    lines = (_said("old secret", user=True, is_system=True), _said("new"))
    kept = _chat(tmp_path, *lines)
    assert [(message.text, message.hidden) for message in kept.messages] == [
        ("old secret", True),
        ("new", False),
    ]
    assert [message.text for message in _chat(tmp_path, *lines, hidden=False).messages] == ["new"]


@pytest.mark.proves("F94")
def test_a_log_that_is_hidden_as_a_whole_is_no_error(tmp_path: Path) -> None:
    result = parsed(tmp_path, "chat.jsonl", as_lines(_said("a", is_system=True)), hidden=False)
    assert result.conversations == ()
    assert result.notes == ("hidden messages, left out as asked: 1",)


@pytest.mark.proves("F32")
@pytest.mark.parametrize(
    "notice",
    [
        _said("Small note", extra={"isSmallSys": True}),
        _said("Button", is_system=True, extra={"uses_system_ui": True}),
        _said("my remark", extra={"type": "comment"}),
        _said("Commands: …", is_system=True, extra={"type": "help"}),
        _said("Tool calls: weather", is_system=True, extra={"tool_invocations": [{"name": "weather"}]}),
        _said("Welcome", is_system=True, name="SillyTavern System"),
    ],
)
def test_notices_of_the_program_were_not_said(tmp_path: Path, notice: dict[str, object]) -> None:
    result = parsed(tmp_path, "chat.jsonl", as_lines(_said("hi"), notice))
    assert [message.text for message in result.conversations[0].messages] == ["hi"]
    assert result.notes == ("notices of the program, skipped: 1",)


@pytest.mark.parametrize("name", ["System", "Note"])
def test_a_hidden_name_that_nobody_speaks_under_is_the_program(tmp_path: Path, name: str) -> None:
    lines = (_said("old", is_system=True), _said("Chat saved.", name=name, is_system=True), _said("hi"))
    result = parsed(tmp_path, "chat.jsonl", as_lines(*lines), hidden=True)
    (chat,) = result.conversations
    assert [message.text for message in chat.messages] == ["old", "hi"]
    assert (chat.group, chat.character_names) == (False, ("Rin",))
    assert result.notes == ("notices of the program, skipped: 1",)


def test_a_log_that_is_hidden_as_a_whole_keeps_its_characters(tmp_path: Path) -> None:
    chat = _chat(tmp_path, _said("a", is_system=True), _said("b", user=True), _said("c", is_system=True))
    assert [message.text for message in chat.messages] == ["a", "b", "c"]


def test_a_narrator_is_no_character(tmp_path: Path) -> None:
    chat = _chat(tmp_path, _said("Rain falls.", name="Narrator", extra={"type": "narrator"}), _said("Cold!"))
    assert [message.role for message in chat.messages] == [Role.SYSTEM, Role.CHARACTER]
    assert chat.character_names == ("Rin",)
    assert not chat.group


def test_speakers_of_a_group_are_known_by_their_avatar(tmp_path: Path) -> None:
    chat = _chat(
        tmp_path,
        {"is_group": True, **_said("I am Rin", original_avatar="rin.png")},
        _said("둘 다 안녕", user=True),
        _said("I am Sora", name="Sora", original_avatar="sora.png"),
        _said("renamed", name="Sora-chan", original_avatar="sora.png"),
        _said("no avatar", name="Sora"),
    )
    assert chat.group
    assert [message.speaker for message in chat.messages] == [
        "rin.png",
        "",
        "sora.png",
        "sora.png",
        "sora.png",
    ]
    assert chat.character_names == ("Rin", "Sora", "Sora-chan")


def test_one_character_with_an_avatar_is_no_group(tmp_path: Path) -> None:
    chat = _chat(tmp_path, _said("a"), _said("b", original_avatar="rin.png"))
    assert not chat.group
    assert {message.speaker for message in chat.messages} == {""}


@pytest.mark.proves("F39")
def test_a_branch_names_its_parent(tmp_path: Path) -> None:
    header = {"chat_metadata": {"main_chat": "Rin - 2024-07-12@01h31m37s.jsonl"}, "user_name": "unused"}
    assert _chat(tmp_path, header, _said("hi")).parent == "Rin - 2024-07-12@01h31m37s"
    assert _chat(tmp_path, _said("hi")).parent is None


def test_broken_lines_are_skipped_and_named(tmp_path: Path) -> None:
    content = b"\n".join([
        as_json(_HEADERS["metadata"]), as_json(_said("one")), b'{"mes": "cut', b"", b"[1]",
        as_json(_said("two")), b'{"mes": "\xb0\xa1"}', as_json({"other": 1}),
    ])  # fmt: skip
    result = parsed(tmp_path, "chat.jsonl", content)
    assert [message.text for message in result.conversations[0].messages] == ["one", "two"]
    assert result.notes == ("lines that cannot be read, skipped: 4 (line 3, 5, 7, 8)",)


def test_a_broken_first_line_does_not_hide_the_format(tmp_path: Path) -> None:
    assert _chat(tmp_path, "no header", _said("hi"), _said("ho")).messages[1].text == "ho"


def test_blank_messages_are_counted(tmp_path: Path) -> None:
    result = parsed(tmp_path, "chat.jsonl", as_lines(_said("hi"), _said(""), _said(" \u200b\n")))
    assert result.notes == ("blank messages, skipped: 2",)


def test_a_header_alone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ImportFailed, match="no message"):
        parse(written(tmp_path, "chat.jsonl", as_json(_HEADERS["metadata"])), zone=SEOUL)


def test_the_character_of_the_header_counts_where_it_said_nothing(tmp_path: Path) -> None:
    assert _chat(tmp_path, _HEADERS["metadata"], _said("거기 있어?", user=True)).character_names == ("Rin",)


def test_a_long_chat_is_read_in_little_time(tmp_path: Path) -> None:
    line = as_json(_said("오늘은 조금 추웠어.", send_date="2024-07-12@01h31m37s")) + b"\n"
    result = parsed(tmp_path, "chat.jsonl", line * 20_000)
    assert len(result.conversations[0].messages) == 20_000


def test_switches_that_are_written_as_numbers_are_read(tmp_path: Path) -> None:
    said = {**_said("내일 시험이야", user=True), "is_user": 1, "is_system": 1}
    conversation = _chat(tmp_path, _HEADERS["unused"], said, {**_said("힘내!"), "is_user": 0, "is_system": 0})
    assert [message.role for message in conversation.messages] == [Role.USER, Role.CHARACTER]
    assert [message.hidden for message in conversation.messages] == [True, False]
