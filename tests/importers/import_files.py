"""Builders of the files that the importers read."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
import zlib
from datetime import timedelta, timezone
from typing import TYPE_CHECKING

from omoide.importers import parse

if TYPE_CHECKING:
    from pathlib import Path

    from omoide.importers import Parsed

SEOUL = timezone(timedelta(hours=9))
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def as_lines(*values: object) -> bytes:
    return b"\n".join(as_json(value) for value in values)


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def card_chunk(card: object, keyword: bytes = b"chara") -> bytes:
    return chunk(b"tEXt", keyword + b"\0" + base64.b64encode(as_json(card)))


def png(*chunks: bytes) -> bytes:
    picture = chunk(b"IDAT", zlib.compress(b"\0\0"))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return SIGNATURE + header + picture + b"".join(chunks) + chunk(b"IEND", b"")


def archive(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return packed.getvalue()


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def parsed(folder: Path, name: str, content: bytes, *, hidden: bool = True) -> Parsed:
    return parse(written(folder, name, content), zone=SEOUL, hidden=hidden)
