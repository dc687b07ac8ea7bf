"""Channels of Discord, as DiscordChatExporter writes them.

Many people speak, and their names change, so `author.id` is the speaker. Bots count as persons: which of
them is a character, if any, only the caller knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.model import Role
from omoide.importers.reading import Found
from omoide.importers.shapes import fields, items, label, text_of

if TYPE_CHECKING:
    from omoide.domain.model import Message
    from omoide.importers.reading import Reading

_TALK = {"Default", "Reply"}


def recognises(value: object) -> bool:
    """Whether a JSON value is such an export."""
    export = fields(value)
    return isinstance(export.get("channel"), dict) and isinstance(export.get("messages"), list)


def read(value: object, reading: Reading) -> Found:
    """Read one channel."""
    export = fields(value)
    messages = [_message(item, reading) for item in items(export.get("messages"))]
    session = label(fields(export.get("channel")).get("id"))
    return Found(conversations=reading.conversation(messages, session=session, group=True))


def _message(item: object, reading: Reading) -> Message | None:
    message = fields(item)
    author = fields(message.get("author"))
    if text_of(message.get("type")) not in _TALK:
        reading.tally.add("notices of the channel, skipped")
        return None
    if label(author.get("id")) is None or not isinstance(message.get("content"), str):
        reading.tally.unreadable("messages")
        return None
    return reading.message(
        role=Role.USER,
        text=text_of(message["content"]),
        date=message.get("timestamp"),
        speaker=author.get("id"),
        name=label(author.get("nickname")) or author.get("name"),
        external_id=message.get("id"),
    )
