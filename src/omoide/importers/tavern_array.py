"""Chats of TavernAI in 2022: one JSON array of ``Name: text`` strings, without dates.

The file is named after the moment at which the chat began, in epoch milliseconds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from omoide.domain.model import Role
from omoide.importers.reading import Found
from omoide.importers.shapes import items

if TYPE_CHECKING:
    from omoide.importers.reading import Reading

_LINE = re.compile(r"([^:\n]{1,100}):[^\S\n]?(.*)", re.DOTALL)
_USER = "You"
_STEM_OF_MILLISECONDS = re.compile(r"\d{13}", re.ASCII)


def recognises(value: object) -> bool:
    """Whether a JSON value is an array of strings, the first of which begins with a name."""
    lines = items(value)
    return all(isinstance(line, str) for line in lines) and any(
        _LINE.fullmatch(str(line)) for line in lines[:1]
    )


def read(value: object, reading: Reading) -> Found:
    """Read a chat; it begins with the character's greeting, so whoever else speaks is the person."""
    said = [match for line in items(value) if (match := _split(line, reading))]
    if not said:
        return Found()
    character = next((match[1] for match in said if match[1] != _USER), None)
    began = reading.stem if _STEM_OF_MILLISECONDS.fullmatch(reading.stem) else None
    messages = [
        reading.message(
            role=Role.CHARACTER if match[1] == character else Role.USER,
            text=match[2],
            name=match[1],
            date=began if number == 0 else None,
        )
        for number, match in enumerate(said)
    ]
    return Found(conversations=reading.conversation(messages, group=False))


def _split(line: object, reading: Reading) -> re.Match[str] | None:
    match = _LINE.fullmatch(line) if isinstance(line, str) else None
    if match is None:
        reading.tally.unreadable("messages")
    return match
