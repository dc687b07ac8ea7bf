from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from import_files import as_lines, parsed

from omoide.domain.model import Message, Role

if TYPE_CHECKING:
    from pathlib import Path


def test_role_and_text_are_enough(tmp_path: Path) -> None:
    content = as_lines(
        {"role": "user", "text": "부산으로 이사했어"}, {"role": "assistant", "text": "바다다!"}
    )
    result = parsed(tmp_path, "mina.jsonl", content)
    (conversation,) = result.conversations
    assert result.format == "plain"
    assert conversation.session == "mina"
    assert conversation.messages == (
        Message(role=Role.USER, text="부산으로 이사했어"),
        Message(role=Role.CHARACTER, text="바다다!"),
    )


def test_every_key_is_read_and_unknown_ones_are_ignored(tmp_path: Path) -> None:
    line = {
        "session": "春", "role": "user", "speaker": "u1", "name": "ハル", "text": "ただいま",
        "at": "2026-03-01T21:00:00+09:00", "id": 7, "hidden": True, "user_name": "x",
    }  # fmt: skip
    (conversation,) = parsed(tmp_path, "x.jsonl", as_lines(line)).conversations
    assert conversation.session == "春"
    assert conversation.user_name == "ハル"
    assert conversation.messages == (
        Message(
            role=Role.USER,
            text="ただいま",
            speaker="u1",
            name="ハル",
            at=datetime(2026, 3, 1, 12, tzinfo=UTC),
            raw_date="2026-03-01T21:00:00+09:00",
            external_id="7",
            hidden=True,
        ),
    )


def test_sessions_may_alternate_in_one_file(tmp_path: Path) -> None:
    content = as_lines(
        *(
            {"session": session, "role": "user", "text": text}
            for session, text in [("b", "1"), ("a", "2"), ("b", "3")]
        )
    )
    found = parsed(tmp_path, "x.jsonl", content).conversations
    assert [(one.session, [message.text for message in one.messages]) for one in found] == [
        ("b", ["1", "3"]),
        ("a", ["2"]),
    ]


def test_events_and_unreadable_lines_are_noted(tmp_path: Path) -> None:
    content = as_lines(
        {"event": "gap", "days": 3},
        {"role": "user", "text": "hi"},
        {"role": "robot", "text": "beep"},
        {"role": "user", "text": None},
    )
    result = parsed(tmp_path, "x.jsonl", content)
    assert result.notes == (
        "events, skipped: 1 (line 1)",
        "lines that cannot be read, skipped: 2 (line 3, 4)",
    )


def test_several_speakers_of_a_role_make_a_group(tmp_path: Path) -> None:
    content = as_lines(
        {"role": "user", "text": "hi", "speaker": "u1", "name": "Ann"},
        {"role": "user", "text": "ho", "speaker": "u2", "name": "Ben"},
    )
    (conversation,) = parsed(tmp_path, "x.jsonl", content).conversations
    assert conversation.group
    assert conversation.user_name is None
