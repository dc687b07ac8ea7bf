"""Find out which program wrote a file, and let the reader of that format read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.errors import ImportFailed, UnknownFormat
from omoide.importers import (
    cards,
    chatgpt,
    content,
    discord,
    lorebooks,
    plain,
    risu,
    sillytavern,
    tavern_array,
    vtuber,
)
from omoide.importers.reading import Found, Parsed, Reading, Tally
from omoide.importers.safe import Limits
from omoide.importers.shapes import Fields, fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import tzinfo
    from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class _LineFormat:
    recognises: Callable[[Fields], bool]
    read: Callable[[Iterable[tuple[int, Fields]], Reading], Found]


@dataclass(frozen=True, kw_only=True, slots=True)
class _ValueFormat:
    recognises: Callable[[object], bool]
    read: Callable[[object, Reading], Found]


_LINE_FORMATS = {
    "plain": _LineFormat(recognises=plain.recognises, read=plain.read),
    "sillytavern": _LineFormat(recognises=sillytavern.recognises, read=sillytavern.read),
}
_VALUE_FORMATS = {
    "chatgpt": _ValueFormat(recognises=chatgpt.recognises, read=chatgpt.read),
    "open-llm-vtuber": _ValueFormat(recognises=vtuber.recognises, read=vtuber.read),
    "risu": _ValueFormat(recognises=risu.recognises, read=risu.read),
    "discord": _ValueFormat(recognises=discord.recognises, read=discord.read),
    "tavern-array": _ValueFormat(recognises=tavern_array.recognises, read=tavern_array.read),
    "lorebook": _ValueFormat(recognises=lorebooks.recognises, read=lorebooks.read),
    "card": _ValueFormat(recognises=cards.recognises, read=cards.read),
}

FORMATS: tuple[str, ...] = (*_LINE_FORMATS, *_VALUE_FORMATS)
"""The names of all formats, as `parse` takes and `sniff` returns them."""

_DEFAULT_LIMITS = Limits()


def parse(
    path: Path,
    *,
    zone: tzinfo,
    hidden: bool = True,
    format: str | None = None,
    limits: Limits = _DEFAULT_LIMITS,
) -> Parsed:
    """Read a file of any known format as values.

    The order of the file is kept, whatever its dates say. Text stays as it was typed. What cannot be read
    is skipped and noted.

    Args:
        path: the file.
        zone: what dates without a zone are local to.
        hidden: whether messages that the client hid from the model are kept, marked as hidden.
        format: one of `FORMATS`; None finds it out by the content.
        limits: how much of an untrusted file is read.

    Raises:
        UnknownFormat: no known program wrote it; the message lists the known formats.
        UnsafeFile: it goes beyond the limits.
        ImportFailed: it cannot be read, or nothing in it can.
    """
    if format is not None and format not in FORMATS:
        raise UnknownFormat(_unknown(f"there is no format {format!r}"))
    loaded = content.load(path, limits=limits)
    name = format or _name_of(loaded, path)
    reading = Reading(stem=path.stem, zone=zone, hidden=hidden, tally=Tally())
    found = _read(name, loaded, path, reading, limits)
    if not (found.conversations or found.characters or found.world) and reading.tally.nothing_read:
        counted = "; ".join(reading.tally.notes()) or "it has no message"
        msg = f"nothing in {path.name!r} could be read as {name!r}: {counted}"
        raise ImportFailed(msg)
    return Parsed(
        format=name,
        conversations=found.conversations,
        characters=found.characters,
        world=found.world,
        notes=reading.tally.notes(),
    )


def sniff(path: Path, *, limits: Limits = _DEFAULT_LIMITS) -> str:
    """Return the name of a file's format, one of `FORMATS`; fails as `parse` does."""
    return _name_of(content.load(path, limits=limits), path)


def _name_of(loaded: content.Lines | content.Value, path: Path) -> str:
    if isinstance(loaded, content.Value):
        for name, value_format in _VALUE_FORMATS.items():
            if value_format.recognises(loaded.value):
                return name
    # A file of one line is a value, and may be a file of lines all the same.
    first = loaded.first if isinstance(loaded, content.Lines) else (fields(loaded.value),)
    for name, line_format in _LINE_FORMATS.items():
        if any(line_format.recognises(line) for line in first):
            return name
    raise UnknownFormat(_unknown(f"no importer knows what {path.name!r} holds"))


def _read(
    name: str, loaded: content.Lines | content.Value, path: Path, reading: Reading, limits: Limits
) -> Found:
    if name in _LINE_FORMATS:
        lines = content.json_lines(path, tally=reading.tally, limits=limits)
        return _LINE_FORMATS[name].read(lines, reading)
    if isinstance(loaded, content.Lines):
        msg = f"{path.name!r} holds JSON lines, and {name!r} is one JSON value; leave the format out"
        raise ImportFailed(msg)
    return _VALUE_FORMATS[name].read(loaded.value, reading)


def _unknown(reason: str) -> str:
    return f"{reason}; known formats: {', '.join(FORMATS)}"
