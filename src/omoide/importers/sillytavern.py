"""SillyTavern chats: JSON lines of every generation, of groups, and as Chub exports them.

Lines are messages in the order in which they were said; the first may be a header. Of several swipes only
the chosen one was said. The session's name is the file's stem: `chat_metadata.integrity` looks like a better
one, but branches copy it, so two sessions may bear the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from omoide.domain.model import Role
from omoide.importers.reading import Found
from omoide.importers.shapes import Fields, fields, items, label, text_of, yes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omoide.domain.model import Message
    from omoide.importers.reading import Reading

_HEADER_KEYS = frozenset({"chat_metadata", "user_name", "is_group"})
_UNUSED = "unused"
_SKIPPED = "notices of the program, skipped"
_INTERFACE_NAME = "SillyTavern System"
_NOTICE_TYPES = frozenset({
    "help", "welcome", "welcome_prompt", "group", "empty", "generic", "bookmark_created", "bookmark_back",
    "comment", "slash_commands", "formatting", "hotkeys", "macros", "assistant_note",
})  # fmt: skip


def recognises(line: Fields) -> bool:
    """Whether a line is one of a SillyTavern chat: a message, or the header of any generation."""
    return "mes" in line or ("is_user" in line and "swipes" in line) or _is_header(line)


def read(lines: Iterable[tuple[int, Fields]], reading: Reading) -> Found:
    """Read a chat, line by line."""
    header: Fields = {}
    messages: list[Message | None] = []
    group = False
    for number, line in lines:
        group = group or yes(line.get("is_group"))
        if _is_header(line):
            header = header or line
        elif "mes" in line or "swipes" in line:
            messages.append(_message(line, reading))
        else:
            reading.tally.unreadable("lines", line=number)
    kept = _without_notices([message for message in messages if message is not None], header, reading)
    group = group or _several_characters(kept)
    parent = label(fields(header.get("chat_metadata")).get("main_chat"))
    return Found(
        conversations=reading.conversation(
            _by_avatar(kept) if group else _unnamed_speakers(kept),
            user_name=_name(header.get("user_name")),
            character_name=_name(header.get("character_name")),
            group=group,
            parent=parent.removesuffix(".jsonl") if parent else None,
        )
    )


def _is_header(line: Fields) -> bool:
    return "mes" not in line and not _HEADER_KEYS.isdisjoint(line)


def _name(value: object) -> str | None:
    name = label(value)
    return None if name == _UNUSED else name


def _message(line: Fields, reading: Reading) -> Message | None:
    extra = fields(line.get("extra"))
    hidden = yes(line.get("is_system"))
    if _is_notice(line, extra, hidden=hidden):
        reading.tally.add(_SKIPPED)
        return None
    role = _role(line, extra)
    return reading.message(
        role=role,
        text=_chosen_text(line),
        date=line.get("send_date"),
        speaker=line.get("original_avatar") if role is Role.CHARACTER else None,
        name=line.get("name"),
        hidden=hidden,
    )


def _is_notice(line: Fields, extra: Fields, *, hidden: bool) -> bool:
    if extra.get("isSmallSys") or extra.get("uses_system_ui") or extra.get("type") == "comment":
        return True
    return hidden and (
        text_of(extra.get("type")) in _NOTICE_TYPES
        or bool(extra.get("tool_invocations"))
        or line.get("name") == _INTERFACE_NAME
    )


def _without_notices(messages: list[Message], header: Fields, reading: Reading) -> list[Message]:
    """Leave out what the program said under a name that nobody in the file speaks under, such as ``Note``.

    Where all that characters said is hidden, nothing tells the two apart, and all of it stays.
    """
    heard = {message.name for message in messages if _is_character(message) and not message.hidden}
    if not heard:
        return messages
    characters = heard | {_name(header.get("character_name"))}
    kept = []
    for message in messages:
        if _is_character(message) and not message.speaker and message.name not in characters:
            reading.tally.add(_SKIPPED)
        else:
            kept.append(message)
    return kept


def _role(line: Fields, extra: Fields) -> Role:
    if yes(line.get("is_user")):
        return Role.USER
    return Role.SYSTEM if extra.get("type") == "narrator" else Role.CHARACTER


def _chosen_text(line: Fields) -> str:
    said = _text(line.get("mes"))
    if said:
        return said
    swipes, chosen = items(line.get("swipes")), line.get("swipe_id", 0)
    index = chosen if isinstance(chosen, int) else 0
    return _text(swipes[index]) if 0 <= index < len(swipes) else ""


def _text(value: object) -> str:
    """Return the text; Chub writes it as an object."""
    return text_of(value) or text_of(fields(value).get("message"))


def _several_characters(messages: list[Message]) -> bool:
    avatars = _avatars(messages)
    return len({_key(message, avatars) for message in messages if _is_character(message)}) > 1


def _by_avatar(messages: list[Message]) -> list[Message]:
    """Name the speakers of a group by what stays when a character is renamed: the avatar's file name."""
    avatars = _avatars(messages)
    return [
        replace(message, speaker=_key(message, avatars)) if _is_character(message) else message
        for message in messages
    ]


def _unnamed_speakers(messages: list[Message]) -> list[Message]:
    return [replace(message, speaker="") if message.speaker else message for message in messages]


def _avatars(messages: list[Message]) -> dict[str | None, str]:
    return {message.name: message.speaker for message in messages if message.speaker}


def _key(message: Message, avatars: dict[str | None, str]) -> str:
    return message.speaker or avatars.get(message.name) or message.name or ""


def _is_character(message: Message) -> bool:
    return message.role is Role.CHARACTER
