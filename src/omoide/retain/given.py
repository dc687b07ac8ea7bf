"""What a caller gives, made ready for the log: cleaned, with who said it and a hash to know it again by."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omoide.domain.kinds import check_kind
from omoide.domain.model import Message, Role
from omoide.domain.text import clean, composed, is_blank, language
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from omoide.domain.affect import Feeling
    from omoide.domain.records import Logged
    from omoide.domain.redaction import Redaction
    from omoide.stores.unit import Unit


_MARK = b"mark:"
"""What the hash of a message begins with whose words the log has never known."""


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


def worth_keeping(
    said: Sequence[Message], *, redact: Redaction, marks: Collection[str] = ()
) -> list[Message]:
    """What is spoken by somebody, and has something visible in it, without what is never kept.

    `marks` are the ids of messages that are kept without words too.
    """
    for message in said:
        check_kind(message, Message, name="a message", needed=True)
    cleaned = [_cleaned(message, redact) for message in said if message.role is not Role.SYSTEM]
    return [one for one in cleaned if not is_blank(one.text) or (not one.text and one.external_id in marks)]


def content(unit: Unit, message: Message) -> bytes:
    """The keyed hash of what was said, by whom, and how much of it was heard.

    A mark has that of the message of its id, or one that no words have.
    """
    if not message.text and message.external_id is not None:
        found = unit.log.called(message.external_id)
        return _MARK + unit.log.external_tag(message.external_id) if found is None else found[0].hash
    speaker = message.speaker if message.speaker not in (unit.scope.user, unit.scope.character) else ""
    heard = "" if message.heard is None else f"\x1f{message.heard}"
    return unit.scope.blinder.tag(
        f"{message.role.value}\x1f{speaker}\x1f{message.text}{heard}", purpose="content"
    )


def is_mark(content: bytes) -> bool:
    """Whether this hash is of a message whose words the log has never known."""
    return content.startswith(_MARK)


def known_by_id(unit: Unit, message: Message, session: int | None) -> tuple[Logged, int] | None:
    """The message in the log that is this one by its source's id, and the session that it was said in.

    Where a source gave several messages one id, that of the session comes first.

    Raises:
        InvalidInput: the id belongs to other words.
    """
    external = message.external_id
    found = [] if external is None else unit.log.every_external(external)
    own = content(unit, message)
    same = [one for one in found if one[0].hash == own or is_mark(one[0].hash)]
    if found and not same:
        msg = f"the id {external!r} belongs to another message; give each message its own"
        raise InvalidInput(msg)
    return max(same, key=lambda one: one[1] == session, default=None)


def note_felt(unit: Unit, said: Iterable[tuple[Message, Logged]]) -> list[int]:
    """Note what was felt, whether or not the words are worth keeping (H17); returns where it is news."""
    felt = [(message.feeling, logged) for message, logged in said if message.feeling is not None]
    known = unit.felt.known([logged.id for _, logged in felt]) if felt else set()
    new = [(feeling, logged) for feeling, logged in felt if (logged.id, logged.speaker) not in known]
    for feeling, logged in new:
        unit.felt.add(
            feeling,
            person=logged.speaker,
            message=logged.id,
            at=unit.now if logged.at is None else logged.at,
            zone=logged.zone,
        )
    return [logged.id for _, logged in new]


def note_language(unit: Unit, said: Sequence[Message]) -> None:
    """Note what language people speak in a scope that is new."""
    worded = [message for message in said if message.text]
    if worded and unit.described()[0] is None:
        spoken = next((message for message in worded if message.role is Role.USER), worded[0])
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
