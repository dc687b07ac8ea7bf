"""Character cards inside other files: in a text chunk of a PNG, or in a zip archive (CHARX)."""

from __future__ import annotations

import base64
import binascii
import io
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING

from omoide.errors import ImportFailed, UnknownFormat, UnsafeFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.importers.safe import Limits

_PNG = b"\x89PNG\r\n\x1a\n"
_ZIP = b"PK\x03\x04"
_JPEG = b"\xff\xd8\xff"
_ZIP_DIRECTORY_ENTRY = b"PK\x01\x02"
_CARD_FILE = "card.json"
_CARD_KEYWORDS = (b"ccv3", b"chara")
"""Where a picture holds both, the newer one is the whole card."""

_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ARCHIVE_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,  # encrypted
    ValueError,
    OSError,
)

_RATIO_FROM_BYTES = 1024 * 1024
"""Smaller files may be packed as tightly as they like."""


def is_container(head: bytes) -> bool:
    """Whether a file that begins with these 8 bytes is a picture or an archive."""
    return head.startswith((_PNG, _ZIP, _JPEG))


def card_in(data: bytes, *, name: str, limits: Limits) -> bytes:
    """Return the JSON of the card that a PNG, a zip archive, or a JPEG with an archive behind it carries.

    Raises:
        UnknownFormat: it carries no card.
        ImportFailed: it is cut off, damaged or encrypted.
        UnsafeFile: its chunks or members go beyond the limits.
    """
    if data.startswith(_PNG):
        return _card_in_png(data, name=name, limits=limits)
    if data.startswith(_JPEG) and not zipfile.is_zipfile(io.BytesIO(data)):
        raise UnknownFormat(_no_card(name))
    return _card_in_archive(data, name=name, limits=limits)


def _card_in_png(data: bytes, *, name: str, limits: Limits) -> bytes:
    """Return the card of the newest keyword; of several under one keyword the first counts."""
    found: dict[bytes, bytes] = {}
    for kind, content in _chunks(data, name=name, limits=limits):
        keyword, _, value = content.partition(b"\0")
        if kind == b"tEXt" and keyword.lower() in _CARD_KEYWORDS:
            found.setdefault(keyword.lower(), value)
    for keyword in _CARD_KEYWORDS:
        if keyword in found:
            return _from_base64(found[keyword], name=name)
    raise UnknownFormat(_no_card(name))


def _card_in_archive(data: bytes, *, name: str, limits: Limits) -> bytes:
    # The directory is counted before it is read: each entry costs far more memory than bytes.
    if data.count(_ZIP_DIRECTORY_ENTRY) > limits.zip_members:
        msg = f"the archive {name!r} holds more than {limits.zip_members} files"
        raise UnsafeFile(msg)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_members(archive.infolist(), name=name, limits=limits)
            if _CARD_FILE not in archive.namelist():
                msg = f"the archive {name!r} holds no {_CARD_FILE!r}; unpack it and import the file inside"
                raise UnknownFormat(msg)
            if archive.getinfo(_CARD_FILE).compress_type not in _PACKINGS:
                raise ImportFailed(_damaged(name))
            return archive.read(_CARD_FILE)
    except _ARCHIVE_ERRORS:
        raise ImportFailed(_damaged(name)) from None


def _chunks(data: bytes, *, name: str, limits: Limits) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and content of each text chunk; walk over the others."""
    position = len(_PNG)
    while position < len(data):
        header = data[position : position + 8]
        if len(header) < 8:
            raise ImportFailed(_cut_off(name))
        length, kind = struct.unpack(">I4s", header)
        if length > limits.png_chunk_bytes:
            msg = (
                f"the picture {name!r} has a chunk of {length} bytes, more than {limits.png_chunk_bytes}; "
                "if you trust the file, raise Limits.png_chunk_bytes"
            )
            raise UnsafeFile(msg)
        end = position + 8 + length
        if end + 4 > len(data):
            raise ImportFailed(_cut_off(name))
        if kind == b"tEXt":
            _check_sum(data[position + 4 : end], data[end : end + 4], name=name)
            yield kind, data[position + 8 : end]
        if kind == b"IEND":
            return
        position = end + 4
    raise ImportFailed(_cut_off(name))


def _check_sum(content: bytes, expected: bytes, *, name: str) -> None:
    if struct.pack(">I", zlib.crc32(content)) != expected:
        msg = f"a text chunk of the picture {name!r} was damaged (wrong checksum); export it again"
        raise ImportFailed(msg)


def _no_card(name: str) -> str:
    return f"the picture {name!r} carries no character card; export it from the program again"


def _cut_off(name: str) -> str:
    return f"the picture {name!r} is cut off; export or download it again"


def _damaged(name: str) -> str:
    return f"the archive {name!r} is damaged, encrypted or packed in an unknown way; export it again"


def _from_base64(value: bytes, *, name: str) -> bytes:
    try:
        return base64.b64decode(value + b"=" * (-len(value) % 4))
    except binascii.Error:
        msg = f"the card in the picture {name!r} is no Base64; export it again"
        raise ImportFailed(msg) from None


def _check_members(members: list[zipfile.ZipInfo], *, name: str, limits: Limits) -> None:
    if sum(member.file_size for member in members) > limits.zip_bytes:
        msg = f"the archive {name!r} unpacks to more than {limits.zip_bytes} bytes"
        raise UnsafeFile(msg)
    for member in members:
        if _leads_outside(member.filename):
            msg = f"the archive {name!r} names a file outside itself: {member.filename!r}"
            raise UnsafeFile(msg)
        packed = max(member.compress_size, 1)
        if member.file_size > _RATIO_FROM_BYTES and member.file_size > packed * limits.zip_ratio:
            msg = (
                f"{member.filename!r} in the archive {name!r} unpacks to more than {limits.zip_ratio} times "
                "its size"
            )
            raise UnsafeFile(msg)
        if member.filename == _CARD_FILE and member.file_size > limits.file_bytes:
            msg = f"{_CARD_FILE!r} in the archive {name!r} is larger than {limits.file_bytes} bytes"
            raise UnsafeFile(msg)


def _leads_outside(member: str) -> bool:
    path = member.replace("\\", "/")
    return path.startswith("/") or ".." in path.split("/") or path[1:2] == ":"
