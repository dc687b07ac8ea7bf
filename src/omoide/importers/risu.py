"""RisuAI's exports of one chat (`risuChat`) or of all chats of a character (`risuAllChats`).

A mark can stand on a message that says "nothing up to here goes to the model": those messages were said, and
are hidden. A message that is disabled by itself, and a comment, is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.model import Role
from omoide.importers.reading import Found
from omoide.importers.shapes import Fields, fields, items, label, text_of, yes

if TYPE_CHECKING:
    from omoide.domain.imported import Conversation
    from omoide.domain.model import Message
    from omoide.importers.reading import Reading

_ROLES = {"user": Role.USER, "char": Role.CHARACTER}
_UP_TO_HERE = "allBefore"


def recognises(value: object) -> bool:
    """Whether a JSON value is such an export."""
    return fields(value).get("type") in ("risuChat", "risuAllChats")


def read(value: object, reading: Reading) -> Found:
    """Read the chats of an export."""
    data = fields(value).get("data")
    chats = [data] if isinstance(data, dict) else items(data)
    found: list[Conversation] = []
    for number, item in enumerate(chats, start=1):
        chat = fields(item)
        session = label(chat.get("id")) or (label(f"{reading.stem}#{number}") if len(chats) > 1 else None)
        found += reading.conversation(_messages(chat, reading), session=session)
    return Found(conversations=tuple(found))


def _messages(chat: Fields, reading: Reading) -> list[Message | None]:
    lines = [fields(line) for line in items(chat.get("message"))]
    marks = [place for place, line in enumerate(lines) if line.get("disabled") == _UP_TO_HERE]
    hidden_to = marks[-1] if marks else -1
    group = len({text_of(line.get("saying")) for line in lines if line.get("saying")}) > 1
    return [
        _message(line, reading, group=group, hidden=place <= hidden_to) for place, line in enumerate(lines)
    ]


def _message(line: Fields, reading: Reading, *, group: bool, hidden: bool) -> Message | None:
    if yes(line.get("isComment")) or yes(line.get("disabled")):
        reading.tally.add("comments and disabled messages, skipped")
        return None
    role = _ROLES.get(text_of(line.get("role")))
    if role is None or not isinstance(line.get("data"), str):
        reading.tally.unreadable("messages")
        return None
    return reading.message(
        role=role,
        text=text_of(line["data"]),
        date=line.get("time"),
        speaker=line.get("saying") if group else None,
        name=line.get("name"),
        external_id=line.get("chatId"),
        hidden=hidden,
    )
