"""What a caller gives, made ready for the log: cleaned, with who said it and a hash to know it again by."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omoide.domain.model import Message, Role
from omoide.domain.text import clean, composed, is_blank, language
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from omoide.domain.affect import Feeling
    from omoide.domain.redaction import Redaction
    from omoide.stores.unit import Unit


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """Messages in order, each with its speaker's number and the hash of its content."""

    messages: tuple[Message, ...]
    speakers: tuple[int, ...]
    hashes: tuple[bytes, ...]

    @classmethod
    def read(cls, unit: Unit, messages: Sequence[Message]) -> Given:
        """Look up who speaks, and make those known who are new."""
        return cls(
            messages=tuple(messages),
            speakers=tuple(_speakers(unit, messages)),
            hashes=tuple(content(unit, message) for message in messages),
        )


def worth_keeping(said: Sequence[Message], *, redact: Redaction) -> list[Message]:
    """What is spoken by somebody, and has something visible in it, without what is never kept."""
    cleaned = [_cleaned(message, redact) for message in said if message.role is not Role.SYSTEM]
    return [message for message in cleaned if not is_blank(message.text)]


def content(unit: Unit, message: Message) -> bytes:
    """The keyed hash of what was said, by whom, and how much of it was heard."""
    speaker = message.speaker if message.speaker not in (unit.scope.user, unit.scope.character) else ""
    heard = "" if message.heard is None else f"\x1f{message.heard}"
    return unit.scope.blinder.tag(
        f"{message.role.value}\x1f{speaker}\x1f{message.text}{heard}", purpose="content"
    )


def note_language(unit: Unit, said: Sequence[Message]) -> None:
    """Note what language people speak in a scope that is new."""
    if unit.described()[0] is None and said:
        spoken = next((message for message in said if message.role is Role.USER), said[0])
        unit.describe(language=language(spoken.text))


def _cleaned(message: Message, redact: Redaction) -> Message:
    text, speaker = redact(clean(message.text)), composed(message.speaker)
    name = None if message.name is None else clean(message.name)
    heard = None if message.heard is None or message.heard >= len(text) else message.heard
    if (text, speaker, name, heard) == (message.text, message.speaker, message.name, message.heard):
        return message
    return replace(message, text=text, speaker=speaker, name=name, heard=heard)


def _speakers(unit: Unit, said: Sequence[Message]) -> list[int]:
    known: dict[tuple[str, Role, str | None], int] = {}
    for message in said:
        key = (message.speaker, message.role, message.name)
        if key not in known:
            known[key] = unit.people.resolve(
                message.speaker or _own_name(unit, message.role),
                role=message.role,
                name=message.name,
                now=unit.now,
            )
    return [known[message.speaker, message.role, message.name] for message in said]


def _own_name(unit: Unit, role: Role) -> str:
    own = unit.scope.user if role is Role.USER else unit.scope.character
    if own is None:
        msg = f"the scope of {unit.scope.character!r} alone has no user; name the speaker of each message"
        raise InvalidInput(msg)
    return own


def exchange_of(
    user: str | None,
    reply: str | None,
    *,
    at: datetime | None = None,
    messages: Sequence[Message] = (),
    feeling: Feeling | None = None,
) -> list[Message]:
    """What a caller hands over, as messages: what a user said and the answer to it, or any messages.

    Raises:
        InvalidInput: neither, or both.
    """
    if messages and (user is not None or reply is not None or feeling is not None):
        msg = "give user and reply, or messages with feelings of their own, not both"
        raise InvalidInput(msg)
    if messages:
        return list(messages)
    if user is None and reply is None:
        msg = "an exchange needs words: give user, reply, or messages"
        raise InvalidInput(msg)
    said = []
    if user is not None:
        said.append(Message(role=Role.USER, text=user, at=at, feeling=feeling))
    if reply is not None:
        said.append(Message(role=Role.CHARACTER, text=reply, at=at))
    return said
