"""What a file holds, before anybody asks which program wrote it: JSON lines, or one JSON value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.errors import ImportFailed, UnsafeFile
from omoide.importers import containers, safe

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omoide.importers.reading import Tally
    from omoide.importers.safe import Limits
    from omoide.importers.shapes import Fields

_LINES_LOOKED_AT = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class Lines:
    """A file of JSON lines; `first` are the objects among its first lines."""

    first: tuple[Fields, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Value:
    """A file that is one JSON value, or that carries one; None where there is no trace of JSON."""

    value: object


def load(path: Path, *, limits: Limits) -> Lines | Value:
    """Find out what a file holds; a file of lines is only begun.

    Raises:
        ImportFailed: it cannot be read, or is neither.
        UnsafeFile: it goes beyond the limits.
    """
    head = safe.read_head(path, limits=limits)
    if containers.is_container(head):
        return Value(value=_card(path, limits=limits))
    first = _first_values(path, limits=limits)
    if len(first) > 1 and isinstance(first[0], dict):
        return Lines(first=_objects(first))
    try:
        value = safe.parse_json(safe.read_bytes(path, limits=limits), name=path.name, limits=limits)
    except UnsafeFile:
        raise
    except ImportFailed:
        if objects := _objects(first):
            return Lines(first=objects)
        if _is_no_json(head):
            return Value(value=None)
        raise
    return Value(value=value)


def json_lines(path: Path, *, tally: Tally, limits: Limits) -> Iterator[tuple[int, Fields]]:
    """Yield the objects of a file of JSON lines with their line numbers; count lines that are none."""
    for number, line in safe.lines(path, limits=limits):
        if not line.strip():
            continue
        value = _line_value(line, path, number, limits=limits)
        if isinstance(value, dict):
            yield number, value
        else:
            tally.unreadable("lines", line=number)


def _line_value(line: bytes, path: Path, number: int, *, limits: Limits) -> object:
    try:
        return safe.parse_json(line, name=path.name, limits=limits, line=number)
    except UnsafeFile:
        raise
    except ImportFailed:
        return None


def _card(path: Path, *, limits: Limits) -> object:
    card = containers.card_in(safe.read_bytes(path, limits=limits), name=path.name, limits=limits)
    return safe.parse_json(card, name=path.name, limits=limits)


def _first_values(path: Path, *, limits: Limits) -> list[object]:
    """Return the values of the first lines, None for what is no JSON; stop before a line that is too long."""
    values: list[object] = []
    try:
        for number, line in safe.lines(path, limits=limits):
            if line.strip():
                values.append(_line_value(line, path, number, limits=limits))
            if len(values) == _LINES_LOOKED_AT:
                break
    except ImportFailed:
        # A file that is one value may have lines of any length; one of lines fails again when it is read.
        return values
    return values


def _is_no_json(head: bytes) -> bool:
    without_mark = head.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")
    return not without_mark.startswith((b"{", b"["))


def _objects(values: list[object]) -> tuple[Fields, ...]:
    return tuple(value for value in values if isinstance(value, dict))
