"""Histories of Open-LLM-VTuber: a JSON array whose first item describes the history.

Where the person interrupted the character, the file holds what was heard, and a notice that is skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.model import Role
from omoide.importers.reading import Found
from omoide.importers.shapes import fields, items, text_of

if TYPE_CHECKING:
    from omoide.domain.model import Message
    from omoide.importers.reading import Reading

_ROLES = {"human": Role.USER, "ai": Role.CHARACTER}
_INTERRUPTED = "[Interrupted by user]"


def recognises(value: object) -> bool:
    """Whether a JSON value is such a history."""
    first = fields(next(iter(items(value)), None))
    role = text_of(first.get("role"))
    return role == "metadata" or (role in _ROLES and "content" in first)


def read(value: object, reading: Reading) -> Found:
    """Read one history."""
    messages = [_message(item, reading) for item in items(value)]
    return Found(conversations=reading.conversation(messages))


def _message(item: object, reading: Reading) -> Message | None:
    line = fields(item)
    role, content = text_of(line.get("role")), line.get("content")
    if role == "metadata":
        return None
    if role == "system" or content == _INTERRUPTED:
        reading.tally.add("notices of the program, skipped")
        return None
    if role not in _ROLES or not isinstance(content, str):
        reading.tally.unreadable("messages")
        return None
    return reading.message(role=_ROLES[role], text=content, date=line.get("timestamp"), name=line.get("name"))
