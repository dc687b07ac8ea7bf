from __future__ import annotations

import base64
import json
import os
import struct
from typing import TYPE_CHECKING

import pytest
from import_files import SEOUL, SIGNATURE, archive, as_json, as_lines, card_chunk, chunk, parsed, png, written

from omoide.errors import ImportFailed, UnknownFormat, UnsafeFile
from omoide.importers import FORMATS, Limits, parse, sniff
from omoide.importers.safe import parse_json

if TYPE_CHECKING:
    from pathlib import Path

_CARD = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Rin", "description": "d"}}
_LINES = as_lines({"role": "user", "text": "다녀왔어"}, {"role": "character", "text": "어서 와"})


def _deep(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def _failure(path: Path, **arguments: Limits | str) -> ImportFailed:
    with pytest.raises(ImportFailed) as failure:
        parse(path, zone=SEOUL, **arguments)
    return failure.value


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", ImportFailed),
        (b"\xef\xbb\xbf", UnknownFormat),
        (b" \n\n ", UnknownFormat),
        (b"\0" * 5000, UnknownFormat),
        (b"just words\nand more", UnknownFormat),
        (b"15/01/2024, 10:30 - Ann: hello", UnknownFormat),
        (bytes(range(256)) * 4, UnknownFormat),
        (b"{}", UnknownFormat),
        (b"[]", UnknownFormat),
        (b"null", UnknownFormat),
        (b'{"messages": [], "type": "personal_chat"}', UnknownFormat),
        (b'{"mapping": ', ImportFailed),
        (b'{"mapping": {"a": "\xff"}}', ImportFailed),
        (b'{"a": 1' + b"0" * 5000 + b"}", ImportFailed),
        (_deep(10_000), UnsafeFile),
        (b'{"role": "user", "text": "a"}\n{"x": ' + _deep(10_000) + b"}", UnsafeFile),
        (b"[" * 10_000, UnsafeFile),
        (b'{"a":' * 10_000, UnsafeFile),
        (b'["\\"[", ' + b"[" * 100, UnsafeFile),
        (SIGNATURE, ImportFailed),
        (png(), UnknownFormat),
        (png(card_chunk(_CARD))[:-20], ImportFailed),
        (png(chunk(b"tEXt", b"chara\0" + b"A")), ImportFailed),
        (png(chunk(b"tEXt", b"chara\0" + base64.b64encode(b"not json"))), ImportFailed),
        (png(chunk(b"tEXt", b"chara\0" + base64.b64encode(_deep(10_000)))), UnsafeFile),
        (png(card_chunk(["no card"])), UnknownFormat),
        (SIGNATURE + struct.pack(">I", 2**32 - 1) + b"tEXt", UnsafeFile),
        (SIGNATURE + struct.pack(">I", 5000) + b"tEXtchara\0", ImportFailed),
        (b"\xff\xd8\xff\xe0 only a photograph", UnknownFormat),
        (archive({"other.json": b"{}"}), UnknownFormat),
        (archive({"card.json": as_json(_CARD)})[:-30], ImportFailed),
        (archive({"card.json": b"[" * 10_000}), UnsafeFile),
        (archive({"card.json": as_json(_CARD), "../outside": b"x"}), UnsafeFile),
        (archive({"card.json": as_json(_CARD), "/etc/passwd": b"x"}), UnsafeFile),
        (archive({"card.json": as_json(_CARD), "a\\..\\b": b"x"}), UnsafeFile),
        (archive({"card.json": as_json(_CARD), "C:\\b": b"x"}), UnsafeFile),
        (archive({"card.json": b" " * 5_000_000}), UnsafeFile),
        (archive({f"{number}": b"" for number in range(4100)}), UnsafeFile),
    ],
)
def test_a_hostile_or_strange_file_is_refused(
    tmp_path: Path, content: bytes, error: type[ImportFailed]
) -> None:
    failure = _failure(written(tmp_path, "file.bin", content))
    assert type(failure) is error
    assert "file.bin" in str(failure)


def test_a_damaged_card_is_refused(tmp_path: Path) -> None:
    picture = png(card_chunk(_CARD))
    flipped = bytearray(picture)
    flipped[picture.index(b"chara\0") + 8] ^= 1
    assert "checksum" in str(_failure(written(tmp_path, "card.png", bytes(flipped))))


def test_a_folder_or_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "folder" in str(_failure(tmp_path))
    assert "does not exist" in str(_failure(tmp_path / "missing.jsonl"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_refused_before_it_blocks(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "no file" in str(_failure(tmp_path / "pipe"))


@pytest.mark.parametrize(
    "limits",
    [
        Limits(file_bytes=20),
        Limits(line_bytes=60),
        Limits(json_depth=0),
        Limits(json_values=1),
    ],
)
def test_what_goes_beyond_the_limits_is_refused(tmp_path: Path, limits: Limits) -> None:
    content = _LINES + b"\n" + as_json({"role": "user", "text": "길다 " * 20})
    assert isinstance(_failure(written(tmp_path, "chat.jsonl", content), limits=limits), UnsafeFile)


@pytest.mark.parametrize(
    "limits",
    [Limits(zip_members=1), Limits(zip_bytes=10), Limits(file_bytes=500), Limits(zip_ratio=2)],
)
def test_an_archive_beyond_the_limits_is_refused(tmp_path: Path, limits: Limits) -> None:
    content = archive({"card.json": as_json({**_CARD, "pad": "x" * 2_000_000}), "icon.png": b"x"})
    assert isinstance(_failure(written(tmp_path, "card.charx", content), limits=limits), UnsafeFile)


def test_an_archive_that_lies_about_a_size_is_refused(tmp_path: Path) -> None:
    content = bytearray(archive({"card.json": as_json({**_CARD, "pad": "x" * 100_000})}))
    directory = content.index(b"PK\x01\x02")
    content[directory + 24 : directory + 28] = struct.pack("<I", 50)
    assert type(_failure(written(tmp_path, "card.charx", bytes(content)))) is ImportFailed


def test_a_value_longer_than_a_line_may_be_is_no_line(tmp_path: Path) -> None:
    path = written(tmp_path, "card.json", as_json(_CARD))
    assert parse(path, zone=SEOUL, limits=Limits(line_bytes=20)).characters[0].name == "Rin"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_lines_and_values_are_read_in_every_unicode_encoding(tmp_path: Path, encoding: str) -> None:
    lines = parsed(tmp_path, "chat.jsonl", _LINES.decode().encode(encoding))
    assert [message.text for message in lines.conversations[0].messages] == ["다녀왔어", "어서 와"]
    card = {**_CARD, "data": {"name": "凛", "description": "d"}}
    value = parsed(tmp_path, "card.json", json.dumps(card, indent=2, ensure_ascii=False).encode(encoding))
    assert value.characters[0].name == "凛"


def test_a_file_in_another_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    korean = _LINES.decode().encode("cp949")
    assert "line 1" in str(_failure(written(tmp_path, "chat.jsonl", korean)))
    card = json.dumps({"name": "a", "description": "등대"}, indent=1, ensure_ascii=False).encode("cp949")
    assert "line 3" in str(_failure(written(tmp_path, "card.json", card)))


def test_carriage_returns_end_no_line(tmp_path: Path) -> None:
    content = _LINES.replace(b"\n", b"\r\n") + b"\r\n"
    assert len(parsed(tmp_path, "chat.jsonl", content).conversations[0].messages) == 2


def test_zero_bytes_and_lone_surrogates_do_not_stop_the_import(tmp_path: Path) -> None:
    content = (
        b'{"role": "user", "text": "a\\u0000b\\ud83d", "name": "\\ud83dAnn\\u0000", "id": "\\udfff", '
        b'"session": "s\\ud800", "at": "\\ud800"}\n'
        b'{"role": "user", "text": "raw \x00 and \x01", "name": "Ann"}'
    )
    (conversation,) = parsed(tmp_path, "chat.jsonl", content).conversations[:1]
    (message,) = conversation.messages
    assert message.text == "a\0b\ud83d"
    assert (message.name, message.external_id, message.raw_date, conversation.session) == (
        "Ann",
        None,
        None,
        "s",
    )


def test_the_message_of_an_error_holds_no_words_of_the_file(tmp_path: Path) -> None:
    content = as_json([{"mapping": {}, "title": "my secret"}])[:-1]
    failure = _failure(written(tmp_path, "x.json", content))
    assert "secret" not in str(failure)
    assert failure.__cause__ is None


def test_a_broken_value_is_refused_with_its_line(tmp_path: Path) -> None:
    assert "line 3" in str(_failure(written(tmp_path, "x.json", b'{\n"name": "a",\n"b": }')))


def test_an_unknown_file_is_told_the_known_formats(tmp_path: Path) -> None:
    path = written(tmp_path, "notes.txt", b"dear diary")
    for name in FORMATS:
        assert name in str(_failure(path))
    with pytest.raises(UnknownFormat):
        sniff(path)


def test_a_format_that_does_not_exist_or_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "chat.jsonl", _LINES)
    assert type(_failure(path, format="word")) is UnknownFormat
    for name in FORMATS:
        if name != "plain":
            assert type(_failure(path, format=name)) is ImportFailed
    assert parse(path, zone=SEOUL, format="plain").format == "plain"


def test_a_deep_value_within_the_limits_is_read() -> None:
    text = b'{"a": ' + _deep(60) + b', "b": "' + b"[" * 500 + b'"}'
    assert isinstance(parse_json(text, name="x", limits=Limits()), dict)
