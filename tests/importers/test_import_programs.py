from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from import_files import SEOUL, as_json, parsed

from omoide.domain.model import Role

if TYPE_CHECKING:
    from pathlib import Path

    from omoide.domain.imported import Conversation


def _said(conversation: Conversation) -> list[tuple[Role, str]]:
    return [(message.role, message.text) for message in conversation.messages]


def _node(parent: str | None, role: str, text: object, **more: object) -> dict[str, object]:
    content = {"content_type": "text", "parts": text if isinstance(text, list) else [text]}
    return {"parent": parent, "message": {"author": {"role": role}, "content": content, **more}}


def test_chatgpt_is_read_along_the_path_to_the_current_node(tmp_path: Path) -> None:
    conversation = {
        "id": "c-1",
        "current_node": "d",
        "mapping": {
            "root": {"parent": None, "message": None},
            "sys": _node("root", "system", "be nice"),
            "hid": _node("sys", "user", "profile", metadata={"is_visually_hidden_from_conversation": True}),
            "a": _node(
                "hid", "user", ["봐 봐", {"content_type": "image_asset_pointer"}], create_time=1700000000.5
            ),
            "tool": _node("a", "assistant", "search()", recipient="browser"),
            "res": _node("tool", "tool", "result"),
            "b": _node("res", "assistant", "예쁘다", recipient="all", id="m-b"),
            "b2": _node("res", "assistant", "another answer"),
            "d": _node("b", "user", [{"content_type": "audio_transcription", "text": "고마워"}]),
        },
    }
    result = parsed(tmp_path, "conversations.json", as_json([conversation]))
    (found,) = result.conversations
    assert result.format == "chatgpt"
    assert found.session == "c-1"
    assert _said(found) == [(Role.USER, "봐 봐"), (Role.CHARACTER, "예쁘다"), (Role.USER, "고마워")]
    assert found.messages[0].at == datetime(2023, 11, 14, 22, 13, 20, 500000, tzinfo=UTC)
    assert [message.external_id for message in found.messages] == ["a", "m-b", "d"]
    assert result.notes == ("system, tool and hidden messages, skipped: 4",)


@pytest.mark.parametrize(("times", "answer"), [((None, None), "second"), ((1700000900, 1700000100), "first")])
def test_chatgpt_without_a_current_node_ends_at_the_last_leaf(
    tmp_path: Path, times: tuple[object, object], answer: str
) -> None:
    mapping = {
        "a": _node(None, "user", "hi"),
        "b": _node("a", "assistant", "first", create_time=times[0]),
        "c": _node("a", "assistant", "second", create_time=times[1]),
    }
    (found,) = parsed(tmp_path, "export.json", as_json({"mapping": mapping})).conversations
    assert _said(found)[-1] == (Role.CHARACTER, answer)
    assert found.session == "export#1"


def test_a_tree_that_bites_its_tail_ends(tmp_path: Path) -> None:
    mapping = {"a": _node("b", "user", "hi"), "b": _node("a", "assistant", "ho")}
    (found,) = parsed(tmp_path, "x.json", as_json([{"mapping": mapping, "current_node": "b"}])).conversations
    assert _said(found) == [(Role.USER, "hi"), (Role.CHARACTER, "ho")]


@pytest.mark.proves("F95")
def test_an_open_llm_vtuber_history_holds_what_was_heard(tmp_path: Path) -> None:
    history = [
        {"role": "metadata", "timestamp": "2025-03-01T10:00:00"},
        {"role": "human", "timestamp": "2025-03-01T10:00:05", "content": "비밀이 뭐야?", "name": "지우"},
        {"role": "ai", "timestamp": "2025-03-01T10:00:09", "content": "그게 뭐냐면...", "name": "Rin"},
        {"role": "system", "timestamp": "2025-03-01T10:00:10", "content": "[Interrupted by user]"},
        {"role": "human", "timestamp": "2025-03-01T10:00:10", "content": 5},
    ]
    result = parsed(tmp_path, "2025-03-01_10-00-00_ab12.json", as_json(history))
    (found,) = result.conversations
    assert result.format == "open-llm-vtuber"
    assert _said(found) == [(Role.USER, "비밀이 뭐야?"), (Role.CHARACTER, "그게 뭐냐면...")]
    assert found.messages[0].at == datetime(2025, 3, 1, 10, 0, 5, tzinfo=SEOUL)
    assert (found.user_name, found.character_names) == ("지우", ("Rin",))
    assert len(result.notes) == 2


def _risu(*messages: dict[str, object], **more: object) -> dict[str, object]:
    return {"message": list(messages), "note": "", "name": "Chat 1", **more}


def test_a_risu_chat_is_read_without_comments_and_disabled_messages(tmp_path: Path) -> None:
    chat = _risu(
        {"role": "user", "data": "안녕", "time": 1700000000000, "chatId": "m1"},
        {"role": "char", "data": "wrong", "disabled": True},
        {"role": "char", "data": "note", "isComment": True},
        {"role": "char", "data": "응!", "saying": "char-1", "disabled": False},
    )
    result = parsed(tmp_path, "rin.json", as_json({"type": "risuChat", "ver": 2, "data": chat}))
    (found,) = result.conversations
    assert _said(found) == [(Role.USER, "안녕"), (Role.CHARACTER, "응!")]
    assert found.messages[0].at == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert found.messages[0].external_id == "m1"
    assert (found.session, found.group) == ("rin", False)
    assert result.notes == ("comments and disabled messages, skipped: 2",)


@pytest.mark.proves("F94")
def test_what_a_risu_mark_takes_from_the_model_is_hidden(tmp_path: Path) -> None:
    chat = _risu(
        {"role": "user", "data": "old"},
        {"role": "char", "data": "mark", "disabled": "allBefore"},
        {"role": "user", "data": "new"},
    )
    content = as_json({"type": "risuChat", "data": chat})
    (kept,) = parsed(tmp_path, "rin.json", content).conversations
    (shown,) = parsed(tmp_path, "rin.json", content, hidden=False).conversations
    assert [message.hidden for message in kept.messages] == [True, True, False]
    assert _said(shown) == [(Role.USER, "new")]


def test_all_risu_chats_of_a_character_are_sessions(tmp_path: Path) -> None:
    chats = [
        _risu({"role": "user", "data": "a"}, id="chat-a"),
        _risu({"role": "char", "data": "b", "saying": "c1"}, {"role": "char", "data": "c", "saying": "c2"}),
    ]
    found = parsed(tmp_path, "rin.json", as_json({"type": "risuAllChats", "data": chats})).conversations
    assert [one.session for one in found] == ["chat-a", "rin#2"]
    assert [one.group for one in found] == [False, True]
    assert [message.speaker for message in found[1].messages] == ["c1", "c2"]


def _discord(text: str, *, author: dict[str, object], kind: str = "Default") -> dict[str, object]:
    return {
        "id": "1",
        "type": kind,
        "timestamp": "2024-01-15T10:30:00.123+01:00",
        "content": text,
        "author": author,
    }


def test_everybody_in_a_discord_channel_is_known_by_id(tmp_path: Path) -> None:
    ann = {"id": "111", "name": "ann", "nickname": "앤", "isBot": False}
    bot = {"id": "222", "name": "Echo", "nickname": None, "isBot": True}
    export = {
        "guild": {"id": "9", "name": "g"},
        "channel": {"id": "98", "name": "general"},
        "messages": [
            _discord("안녕", author=ann),
            _discord("joined", author=ann, kind="GuildMemberJoin"),
            _discord("hello", author=bot, kind="Reply"),
            _discord("nobody", author={}),
        ],
    }
    result = parsed(tmp_path, "general.json", as_json(export))
    (found,) = result.conversations
    assert found.group
    assert (found.session, found.user_name) == ("98", None)
    assert [(m.role, m.speaker, m.name, m.text) for m in found.messages] == [
        (Role.USER, "111", "앤", "안녕"),
        (Role.USER, "222", "Echo", "hello"),
    ]
    assert found.messages[0].at == datetime(2024, 1, 15, 9, 30, 0, 123000, tzinfo=UTC)
    assert len(result.notes) == 2


def test_an_array_of_2022_is_read(tmp_path: Path) -> None:
    lines = ["Rin: *waves* It is 10:30 already!\n", "You: 좋은 아침", "Rin:잘 잤어?", "no name"]
    result = parsed(tmp_path, "1671472375920.json", as_json(lines))
    (found,) = result.conversations
    assert result.format == "tavern-array"
    assert _said(found) == [
        (Role.CHARACTER, "*waves* It is 10:30 already!\n"),
        (Role.USER, "좋은 아침"),
        (Role.CHARACTER, "잘 잤어?"),
    ]
    assert [message.at for message in found.messages] == [
        datetime(2022, 12, 19, 17, 52, 55, 920000, tzinfo=UTC), None, None,
    ]  # fmt: skip
    assert (found.user_name, found.character_names) == ("You", ("Rin",))
