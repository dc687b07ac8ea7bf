"""Reading an untrusted file: nothing larger, deeper or longer than the limits allow comes in."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.errors import ImportFailed, UnsafeFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

_MIB = 1024 * 1024
_BRACKETS_ONLY = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[^\[\]{}"]++', re.DOTALL)
_HEAD_BYTES = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """How much of an untrusted file is read; what goes beyond raises `UnsafeFile`.

    Attributes:
        file_bytes: the size of a file, and of what is unpacked from one.
        line_bytes: the length of a line, where every line is a JSON value of its own.
        json_depth: how deep lists and objects lie in each other.
        json_values: how many values one JSON text may hold, estimated from its commas and brackets; each
            costs some hundred bytes of memory.
        png_chunk_bytes: the length of one chunk of a picture.
        zip_members: how many files an archive holds.
        zip_bytes: the unpacked size of all of them.
        zip_ratio: how many times larger than packed one of them is.
    """

    file_bytes: int = 256 * _MIB
    line_bytes: int = 16 * _MIB
    json_depth: int = 64
    json_values: int = 20_000_000
    png_chunk_bytes: int = 64 * _MIB
    zip_members: int = 4096
    zip_bytes: int = 1024 * _MIB
    zip_ratio: int = 200


def read_bytes(path: Path, *, limits: Limits) -> bytes:
    """Return the whole file.

    Raises:
        ImportFailed: it is missing, no regular file, empty, or cannot be read.
        UnsafeFile: it is larger than `Limits.file_bytes`.
    """
    with _opened(path, limits=limits) as stream:
        data = _read(stream, path, limits.file_bytes + 1)
    if len(data) > limits.file_bytes:
        raise UnsafeFile(_too_large(path, limits))
    return data


def read_head(path: Path, *, limits: Limits) -> bytes:
    """Return the first bytes of the file, enough to tell its kind; fails as `read_bytes` does."""
    with _opened(path, limits=limits) as stream:
        return _read(stream, path, _HEAD_BYTES)


def lines(path: Path, *, limits: Limits) -> Iterator[tuple[int, bytes]]:
    r"""Yield the lines of a text file with their numbers from 1 up, as UTF-8, one at a time.

    A line ends with ``\n`` only. Bytes that are no UTF-8 are passed on; the reader of the line decides.

    Raises:
        ImportFailed: it is missing, no regular file, empty, or cannot be read.
        UnsafeFile: the file or a line is longer than the limits allow.
    """
    with _utf8_stream(path, limits=limits) as stream:
        number = 0
        while line := _read_line(stream, path, limits.line_bytes + 1):
            number += 1
            if len(line) > limits.line_bytes:
                msg = (
                    f"line {number} of {path.name!r} is longer than {limits.line_bytes} bytes; "
                    "if you trust the file, raise Limits.line_bytes"
                )
                raise UnsafeFile(msg)
            yield number, line


def parse_json(data: bytes, *, name: str, limits: Limits, line: int = 1) -> object:
    """Return the JSON value of bytes in UTF-8 (with or without a byte order mark), UTF-16 or UTF-32.

    Numbers that JSON does not know (NaN, Infinity) become None; raw control characters in strings are kept.

    Args:
        data: the JSON text.
        name: the file's name, for messages.
        limits: how deep it may be.
        line: the number of its first line, for messages.

    Raises:
        ImportFailed: it is no JSON; the message names the line.
        UnsafeFile: it is deeper than `Limits.json_depth`, or holds more than `Limits.json_values`.
    """
    text = _decoded(data, name=name, line=line)
    _check_nesting(text, name=name, limits=limits, line=line)
    try:
        return json.loads(text, strict=False, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        msg = f"{name!r} is no JSON: {error.msg} in line {line + error.lineno - 1}, column {error.colno}"
        raise ImportFailed(msg) from None
    except RecursionError:
        raise UnsafeFile(_too_deep(name, limits, line)) from None
    except ValueError:
        msg = f"{name!r} holds a number with too many digits, in the value that begins in line {line}"
        raise ImportFailed(msg) from None


def _opened(path: Path, *, limits: Limits) -> BinaryIO:
    try:
        # Only a regular file is opened: a pipe would block, and a device may never end.
        if not path.is_file():
            reason = "is a folder; name a file in it" if path.is_dir() else "does not exist or is no file"
            msg = f"{str(path)!r} {reason}"
            raise ImportFailed(msg)
        size = path.stat().st_size
        if size > limits.file_bytes:
            raise UnsafeFile(_too_large(path, limits))
        if size == 0:
            msg = f"{path.name!r} is empty; export it again"
            raise ImportFailed(msg)
        return path.open("rb")
    except (OSError, ValueError) as error:
        raise ImportFailed(_unreadable(path, error)) from error


def _utf8_stream(path: Path, *, limits: Limits) -> BinaryIO:
    stream = _opened(path, limits=limits)
    head = _read(stream, path, _HEAD_BYTES)
    encoding = json.detect_encoding(head)
    if encoding == "utf-8":
        stream.seek(0)
        return stream
    if encoding == "utf-8-sig":
        stream.seek(3)
        return stream
    # Rare, so it is read whole: a line end can only be found after decoding.
    stream.close()
    return io.BytesIO(_decoded(read_bytes(path, limits=limits), name=path.name, line=1).encode())


def _decoded(data: bytes, *, name: str, line: int) -> str:
    encoding = json.detect_encoding(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        number = line + data.count(b"\n", 0, error.start)
        msg = f"line {number} of {name!r} is not written in {encoding.upper()}; save the file as UTF-8"
        raise ImportFailed(msg) from None


def _read(stream: BinaryIO, path: Path, size: int) -> bytes:
    try:
        return stream.read(size)
    except OSError as error:
        raise ImportFailed(_unreadable(path, error)) from error


def _read_line(stream: BinaryIO, path: Path, size: int) -> bytes:
    try:
        return stream.readline(size)
    except OSError as error:
        raise ImportFailed(_unreadable(path, error)) from error


def _check_nesting(text: str, *, name: str, limits: Limits, line: int) -> None:
    opened = text.count("[") + text.count("{")
    if opened + text.count(",") > limits.json_values:
        msg = (
            f"{name!r} holds more than {limits.json_values} JSON values; "
            "split it or, if you trust it, raise Limits.json_values"
        )
        raise UnsafeFile(msg)
    if opened <= limits.json_depth:
        return
    depth = 0
    for bracket in _BRACKETS_ONLY.sub("", text):
        depth += 1 if bracket in "[{" else -1
        if depth > limits.json_depth:
            raise UnsafeFile(_too_deep(name, limits, line))


def _too_deep(name: str, limits: Limits, line: int) -> str:
    return (
        f"{name!r} holds lists or objects more than {limits.json_depth} deep, in the value that begins in "
        f"line {line}; if you trust the file, raise Limits.json_depth"
    )


def _too_large(path: Path, limits: Limits) -> str:
    return (
        f"{path.name!r} is larger than {limits.file_bytes} bytes; split it or, if you trust it, "
        "raise Limits.file_bytes"
    )


def _unreadable(path: Path, error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"{str(path)!r} cannot be read: {reason}"
