from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from import_files import archive, as_json, card_chunk, chunk, parsed, png

from omoide.domain.imported import Character, WorldEntry

if TYPE_CHECKING:
    from pathlib import Path

_BOOK = {
    "name": "港町",
    "entries": [
        {
            "id": 1,
            "keys": ["灯台", " harbour ", ""],
            "content": "The lighthouse has been dark for years.",
            "enabled": True,
        },
        {
            "keys": ["cat"],
            "content": "{{char}} feeds the cat.{{// mood }}",
            "constant": True,
            "comment": "The cat",
        },
        {"keys": ["off"], "content": "never", "enabled": False},
        {"keys": ["blank"], "content": "@@depth 4\n \n"},
    ],
}
_V2 = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "name": "old copy",
    "fav": False,
    "data": {
        "name": "美波",
        "description": "A harbour pilot. {{comment: for authors}}",
        "personality": "",
        "scenario": "Rain in {{user}}'s town",
        "first_mes": "おかえり。",
        "mes_example": "<START>",
        "system_prompt": "Stay kind.",
        "creator_notes": "not for prompts",
        "tags": ["sea"],
        "extensions": {"depth": {"x": [1, 2]}},
        "character_book": _BOOK,
    },
}
_V3 = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {"name": "Minami", "nickname": "Nami", "description": "newer", "group_only_greetings": []},
}
_WORLD = (
    WorldEntry(text="The lighthouse has been dark for years.", keys=("灯台", "harbour"), external_id="1"),
    WorldEntry(text="{{char}} feeds the cat.", keys=("cat",), name="The cat", constant=True, external_id="1"),
)


def _character(folder: Path, name: str, content: bytes) -> Character:
    (character,) = parsed(folder, name, content).characters
    return character


def test_a_flat_card_is_read(tmp_path: Path) -> None:
    card = {
        "name": "소라",
        "description": "등대지기",
        "personality": "calm",
        "first_mes": "왔구나",
        "chat": "1",
    }
    character = _character(tmp_path, "sora.json", as_json(card))
    assert character == Character(
        name="소라",
        text={"description": "등대지기", "personality": "calm", "first_mes": "왔구나"},
        extra={"chat": "1"},
    )


def test_a_card_with_old_field_names_is_read(tmp_path: Path) -> None:
    card = {"char_name": "Sora", "char_persona": "keeper", "world_scenario": "sea", "char_greeting": "hi"}
    character = _character(tmp_path, "sora.json", as_json(card))
    assert character.text == {"description": "keeper", "scenario": "sea", "first_mes": "hi"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("card.json", as_json(_V2)),
        ("card.png", png(card_chunk(_V2))),
        ("card.png", png(card_chunk(_V2, keyword=b"Chara"))),
        ("card.charx", archive({"assets/icon.png": b"x", "card.json": as_json(_V2)})),
        ("card.jpg", b"\xff\xd8\xff\xe0 picture \xff\xd9" + archive({"card.json": as_json(_V2)})),
    ],
)
def test_a_card_is_found_in_every_container(tmp_path: Path, name: str, content: bytes) -> None:
    result = parsed(tmp_path, name, content)
    (character,) = result.characters
    assert result.format == "card"
    assert character.name == "美波"
    assert character.text == {
        "description": "A harbour pilot.",
        "scenario": "Rain in {{user}}'s town",
        "first_mes": "おかえり。",
        "mes_example": "<START>",
        "system_prompt": "Stay kind.",
    }
    assert result.notes == (
        "lorebook entries that are switched off, skipped: 1",
        "lorebook entries without text, skipped: 1",
    )
    assert result.world == _WORLD


def test_unused_keys_of_a_card_are_kept(tmp_path: Path) -> None:
    extra = _character(tmp_path, "card.json", as_json(_V2)).extra
    assert extra == {
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "fav": False,
        "creator_notes": "not for prompts",
        "tags": ["sea"],
        "extensions": {"depth": {"x": [1, 2]}},
    }


@pytest.mark.parametrize(
    "chunks",
    [
        (card_chunk(_V2), card_chunk(_V3, b"ccv3")),
        (card_chunk(_V3, b"ccv3"), card_chunk(_V2)),
        (card_chunk(_V3, b"CCV3"), card_chunk(_V2, b"ccv3"), chunk(b"tEXt", b"Software\0x")),
    ],
)
def test_the_newer_and_the_first_card_of_a_picture_counts(tmp_path: Path, chunks: tuple[bytes, ...]) -> None:
    character = _character(tmp_path, "card.png", png(*chunks))
    assert (character.name, character.nickname) == ("Minami", "Nami")


def test_a_card_of_a_later_version_is_read_with_a_note(tmp_path: Path) -> None:
    result = parsed(tmp_path, "card.json", as_json({**_V3, "spec": "chara_card_v4", "spec_version": "4.0"}))
    assert result.characters[0].name == "Minami"
    assert len(result.notes) == 1


def test_a_card_without_a_name_gets_that_of_the_file(tmp_path: Path) -> None:
    result = parsed(tmp_path, "rin.json", as_json({**_V3, "data": {"name": " ", "description": "d"}}))
    assert result.characters[0].name == "rin"
    assert len(result.notes) == 1


@pytest.mark.parametrize("wrap", [lambda book: book, lambda book: {"spec": "lorebook_v3", "data": book}])
def test_a_book_with_a_list_of_entries_is_read(tmp_path: Path, wrap) -> None:
    result = parsed(tmp_path, "book.json", as_json(wrap(_BOOK)))
    assert result.format == "lorebook"
    assert result.world == _WORLD


def test_a_world_file_keeps_its_entries_by_number(tmp_path: Path) -> None:
    book = {
        "entries": {
            "0": {
                "uid": 0,
                "key": ["등대"],
                "keysecondary": ["밤"],
                "comment": "",
                "content": "등대는 꺼져 있다.",
            },
            "7": {
                "key": "배, boat",
                "content": "배는 낡았다.",
                "constant": True,
                "disable": False,
                "order": 5,
            },
            "8": {"uid": 8, "key": ["x"], "content": "x", "disable": True},
            "9": "broken",
        }
    }
    result = parsed(tmp_path, "world.json", as_json(book))
    assert result.world == (
        WorldEntry(text="등대는 꺼져 있다.", keys=("등대",), external_id="0"),
        WorldEntry(text="배는 낡았다.", keys=("배", "boat"), constant=True, external_id="7"),
    )
    assert len(result.notes) == 2


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("@@depth 4\n@@role system\nThe sea is cold.", "The sea is cold."),
        ("\n@@activate\r\nThe sea\n@@ is cold.", "The sea\n@@ is cold."),
        ("The sea{{// {{user}} reads this }} is cold.", "The sea is cold."),
        ("{{hidden_key:tide}}The {{COMMENT: x}}sea of {{char}}", "The sea of {{char}}"),
        ("{{// never closed", "{{// never closed"),
        ("{{random:a,b}} {{user}}", "{{random:a,b}} {{user}}"),
    ],
)
def test_decorators_and_comments_are_dropped_and_other_macros_stay(
    tmp_path: Path, content: str, text: str
) -> None:
    result = parsed(tmp_path, "book.json", as_json({"entries": [{"keys": ["sea"], "content": content}]}))
    assert [entry.text for entry in result.world] == [text]
