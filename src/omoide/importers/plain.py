r"""Omoide's own plain form: one JSON object a line, UTF-8.

Only ``role`` and ``text`` are needed::

    {"role": "user", "text": "I moved to Busan.", "at": "2026-03-01T21:00:00+09:00"}
    {"role": "character", "text": "By the sea at last!", "name": "Mina"}

| Key       | Meaning                                                                                  |
|-----------|------------------------------------------------------------------------------------------|
| `role`    | `user` or `character` (also `assistant`); `system` lines are read, and are never memory  |
| `text`    | what was said                                                                            |
| `session` | the conversation that the line belongs to; without it, the file's stem                   |
| `speaker` | the stable id of who said it; without it, the user or the character that imports it      |
| `name`    | the display name at that time                                                            |
| `at`      | when: ISO 8601, or any other form that `omoide.importers.dates` reads                    |
| `id`      | the source's own id of the message                                                       |
| `hidden`  | true: said, but no longer shown to the model                                             |

Other keys are ignored, and so are lines that hold an `event` and no message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.model import Role
from omoide.importers.reading import Found
from omoide.importers.shapes import Fields, label, text_of, yes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omoide.domain.model import Message
    from omoide.importers.reading import Reading

_ROLES = {
    "user": Role.USER,
    "character": Role.CHARACTER,
    "assistant": Role.CHARACTER,
    "system": Role.SYSTEM,
}


def recognises(line: Fields) -> bool:
    """Whether a line is a message in the plain form."""
    return text_of(line.get("role")).lower() in _ROLES and "text" in line


def read(lines: Iterable[tuple[int, Fields]], reading: Reading) -> Found:
    """Read the sessions of a file, in the order in which each begins."""
    sessions: dict[str | None, list[Message | None]] = {}
    for number, line in lines:
        if recognises(line) and isinstance(line["text"], str):
            sessions.setdefault(label(line.get("session")), []).append(_message(line, reading))
        elif "event" in line:
            reading.tally.add("events, skipped", line=number)
        else:
            reading.tally.unreadable("lines", line=number)
    return Found(
        conversations=tuple(
            conversation
            for session, messages in sessions.items()
            for conversation in reading.conversation(messages, session=session)
        )
    )


def _message(line: Fields, reading: Reading) -> Message | None:
    return reading.message(
        role=_ROLES[text_of(line["role"]).lower()],
        text=text_of(line["text"]),
        date=line.get("at"),
        speaker=line.get("speaker"),
        name=line.get("name"),
        external_id=line.get("id"),
        hidden=yes(line.get("hidden")),
    )
