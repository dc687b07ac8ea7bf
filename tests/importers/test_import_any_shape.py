from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from import_files import SEOUL, archive, as_json, as_lines, card_chunk, png, written

from omoide.errors import OmoideError
from omoide.importers import parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FILES: dict[str, list[Any]] = {
    "sillytavern": [
        {"chat_metadata": {"main_chat": "a"}, "user_name": "u", "character_name": "c"},
        {
            "mes": "",
            "name": "c",
            "is_user": False,
            "is_system": True,
            "original_avatar": "c.png",
            "send_date": "2024-07-12@01h31m37s",
            "swipes": ["a", {"message": "b"}],
            "swipe_id": 1,
            "extra": {"type": "help", "tool_invocations": [], "isSmallSys": False},
        },
        {"mes": {"message": "x"}, "name": "d", "original_avatar": "d.png"},
    ],
    "plain": [
        {
            "session": "s",
            "role": "user",
            "speaker": "u",
            "name": "n",
            "text": "t",
            "at": "2026-03-01",
            "id": "1",
            "hidden": True,
        },
        {"event": "gap"},
    ],
    "chatgpt": [
        {
            "id": "c",
            "current_node": "b",
            "mapping": {
                "a": {"parent": None, "message": None},
                "b": {
                    "parent": "a",
                    "message": {
                        "id": "m",
                        "author": {"role": "user"},
                        "create_time": 1.7e9,
                        "recipient": "all",
                        "metadata": {"is_visually_hidden_from_conversation": False},
                        "content": {"content_type": "text", "parts": ["a", {"text": "b"}]},
                    },
                },
            },
        }
    ],
    "open-llm-vtuber": [
        [
            {"role": "metadata", "timestamp": "2025-03-01T10:00:00"},
            {"role": "human", "timestamp": "2025-03-01T10:00:05", "content": "a", "name": "n"},
        ]
    ],
    "risu": [
        {
            "type": "risuAllChats",
            "data": [
                {
                    "id": "c",
                    "message": [
                        {
                            "role": "char",
                            "data": "a",
                            "time": 1.7e12,
                            "saying": "s",
                            "chatId": "1",
                            "disabled": "allBefore",
                        },
                        {"role": "char", "data": "b", "saying": "t", "isComment": False, "name": "n"},
                    ],
                }
            ],
        }
    ],
    "discord": [
        {
            "channel": {"id": "1"},
            "messages": [
                {
                    "id": "1",
                    "type": "Reply",
                    "timestamp": "2024-01-15T10:30:00+00:00",
                    "content": "a",
                    "author": {"id": "1", "name": "n", "nickname": "m"},
                }
            ],
        }
    ],
    "tavern-array": [["A: b", "You: c"]],
    "lorebook": [
        {"entries": {"0": {"uid": 0, "key": ["a"], "comment": "c", "content": "d", "constant": True}}}
    ],
    "card": [
        {
            "spec": "chara_card_v3",
            "spec_version": "3.0",
            "data": {
                "name": "n",
                "nickname": "m",
                "description": "d",
                "character_book": {"entries": [{"id": 1, "keys": ["a"], "content": "b", "enabled": True}]},
            },
        }
    ],
}
_STRANGE = [None, True, 7, -1.5, 1e300, "", "strange", "\ud800", [], [[]], {}, {"a": [None]}]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    for key in keys:
        yield (*path, key)
        yield from _places(value[key], (*path, key))


def _replaced(value: Any, path: tuple[Any, ...], by: object) -> Any:
    changed = copy.deepcopy(value)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = by
    return changed


def _file(values: list[Any]) -> bytes:
    return "\n".join(json.dumps(value) for value in values).encode()


@pytest.mark.parametrize("name", list(_FILES))
def test_the_file_as_it_should_be_is_read(tmp_path: Path, name: str) -> None:
    assert parse(written(tmp_path, "file", _file(_FILES[name])), zone=SEOUL).format == name


@pytest.mark.parametrize("name", list(_FILES))
def test_a_strange_value_anywhere_is_read_or_refused(tmp_path: Path, name: str) -> None:
    for place in _places(_FILES[name]):
        for strange in _STRANGE:
            path = written(tmp_path, "file", _file(_replaced(_FILES[name], place, strange)))
            for chosen in (None, name):
                try:
                    result = parse(path, zone=SEOUL, format=chosen)
                except OmoideError:
                    continue
                assert all(conversation.messages for conversation in result.conversations)


@pytest.mark.parametrize(
    "original",
    [
        png(card_chunk(_FILES["card"][0])),
        archive({"card.json": as_json(_FILES["card"][0])}),
        as_lines(*_FILES["plain"]),
        as_json(_FILES["discord"][0]),
    ],
    ids=["png", "archive", "lines", "value"],
)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1), change=st.binary(max_size=6), cut=st.booleans())
def test_a_file_with_bytes_changed_is_read_or_refused(
    tmp_path: Path, original: bytes, place: float, change: bytes, cut: bool
) -> None:
    at = int(place * len(original))
    changed = original[:at] + change + (b"" if cut else original[at + len(change) :])
    try:
        parse(written(tmp_path, "file", changed), zone=SEOUL)
    except OmoideError:
        return
