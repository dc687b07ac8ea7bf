"""Importing files: what goes into which scope, and putting it there so that a second time changes nothing.

Each conversation is one transaction, handed over whole as a client's view of it: an import that was killed is
completed by running it again, and what is there already is recognised.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from omoide.domain.exchanges import Spoken, exchanges
from omoide.domain.model import Kind, Origin, Role
from omoide.errors import InvalidInput
from omoide.retain.noted import Noted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from omoide.domain.imported import Conversation, WorldEntry
    from omoide.domain.model import Message
    from omoide.engine import Engine
    from omoide.importers import Parsed
    from omoide.retain.transfer import Export

_WORLD_IMPORTANCE = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Whose:
    """Whose memory an import goes into, where somebody says so.

    Attributes:
        user: the user; empty for a character alone, None where nobody was named.
        character: the character; None where none was named.
    """

    user: str | None = None
    character: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """One conversation on its way into one scope."""

    user: str | None
    character: str
    session: str
    messages: tuple[Message, ...]

    @property
    def exchanges(self) -> int:
        """How many exchanges it holds."""
        numbers: dict[tuple[Role, str], int] = {}
        spoken = [
            Spoken(
                speaker=numbers.setdefault((message.role, message.speaker), len(numbers)), role=message.role
            )
            for message in self.messages
            if message.role is not Role.SYSTEM
        ]
        return len(exchanges(spoken))


@dataclass(frozen=True, kw_only=True, slots=True)
class Lore:
    """Entries of a lorebook on their way into one scope."""

    user: str | None
    character: str
    entries: tuple[WorldEntry, ...]

    def notes(self) -> list[Noted]:
        """The entries as memories; the same words twice are one."""
        return [
            Noted(
                text=text,
                kind=Kind.WORLD,
                origin=Origin.IMPORTED,
                external_id=f"world:{blake2b(text.encode(), digest_size=16).hexdigest()}",
                keys=entry.keys,
                pinned=entry.constant,
                importance=_WORLD_IMPORTANCE,
            )
            for entry in self.entries
            for text in [self._filled(entry.text)]
        ]

    def _filled(self, text: str) -> str:
        """Put the names where the book leaves a place for them."""
        text = text.replace("{{char}}", self.character)
        return text if self.user is None else text.replace("{{user}}", self.user)


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What an import will do."""

    talks: tuple[Talk, ...]
    lore: tuple[Lore, ...]
    exports: tuple[Export, ...] = ()

    @property
    def messages(self) -> int:
        """How many messages will be handed over."""
        talked = sum(len(talk.messages) for talk in self.talks)
        return talked + sum(len(said) for export in self.exports for said in export.sessions.values())

    @property
    def scopes(self) -> list[tuple[str | None, str]]:
        """Every scope that gets something, in order."""
        parts: tuple[Talk | Lore | Export, ...] = (*self.talks, *self.lore, *self.exports)
        return list(dict.fromkeys((part.user, part.character) for part in parts))


@dataclass(kw_only=True, slots=True)
class Summary:
    """What an import did."""

    messages: int = 0
    withdrawn: int = 0
    exchanges: int = 0
    memories: int = 0
    world: int = 0
    blank: int = 0
    sessions: Counter[str] = field(default_factory=Counter)


def as_it_is(name: str) -> str:
    """A name where no characters are known that have an id besides."""
    return name


def plan(
    files: Sequence[tuple[Path, Parsed]],
    whose: Whose,
    *,
    exports: Sequence[Export] = (),
    called: Callable[[str], str] = as_it_is,
) -> Plan:
    """Decide what goes where: names that are given count, then those in the files.

    Args:
        files: what was read.
        whose: names that are given.
        exports: our own, which go back where they came from.
        called: the name under which a character remembers that is meant by its name or its id.

    Raises:
        InvalidInput: whose memory something is, neither says.
    """
    talks: list[Talk] = []
    for path, parsed in files:
        for conversation in parsed.conversations:
            talks += _talks(conversation, whose, path, called=called)
    lore = [_lore(path, parsed, whose, talks, called=called) for path, parsed in files if parsed.world]
    return Plan(talks=tuple(talks), lore=tuple(lore), exports=tuple(exports))


async def carry_out(engine: Engine, planned: Plan, summary: Summary, *, step: Callable[[int], None]) -> None:
    """Write what was planned; vectors are made afterwards."""
    for talk in planned.talks:
        scope = engine.scope(user=talk.user, character=talk.character)
        recorded = await scope.sync(talk.messages, session=talk.session, live=False)
        summary.messages += recorded.added
        summary.withdrawn += recorded.withdrawn
        summary.memories += recorded.made
        summary.blank += recorded.blank
        summary.exchanges += talk.exchanges
        summary.sessions[talk.session] += recorded.added
        step(len(talk.messages))
    for lore in planned.lore:
        scope = engine.scope(user=lore.user, character=lore.character)
        made = await scope.remember_all(_once(lore.notes()))
        summary.world += len(made)
        summary.memories += len(made)
    for export in planned.exports:
        scope = engine.scope(user=export.user, character=export.character)
        recorded = await scope.restore_export(export)
        summary.messages += recorded.added
        summary.memories += recorded.made
        step(sum(len(messages) for messages in export.sessions.values()))


def _once(notes: Iterable[Noted]) -> list[Noted]:
    return list({note.external_id: note for note in notes}.values())


def _talks(
    conversation: Conversation, whose: Whose, path: Path, *, called: Callable[[str], str]
) -> list[Talk]:
    characters = (whose.character,) if whose.character else conversation.character_names
    if not characters:
        msg = f"{path.name!r} does not say who the character is; name one (--character)"
        raise InvalidInput(msg)
    user = conversation.user_name if whose.user is None else whose.user or None
    if user is None and any(_needs_user(message) for message in conversation.messages):
        msg = f"{path.name!r} does not say who the user is; name one (--user)"
        raise InvalidInput(msg)
    return [
        Talk(
            user=user,
            character=called(character),
            session=conversation.session,
            messages=tuple(_own(message, character) for message in conversation.messages),
        )
        for character in characters
    ]


def _needs_user(message: Message) -> bool:
    return message.role is Role.USER and not message.speaker


def _own(message: Message, character: str) -> Message:
    """In a group, what the scope's own character said is its own; the others keep their ids."""
    if message.role is Role.CHARACTER and message.name == character:
        return replace(message, speaker="")
    return message


def _lore(
    path: Path, parsed: Parsed, whose: Whose, talks: Sequence[Talk], *, called: Callable[[str], str]
) -> Lore:
    named = [character.name for character in parsed.characters] or [talk.character for talk in talks]
    characters = set(map(called, [whose.character] if whose.character else named))
    if len(characters) != 1:
        msg = f"whose world {path.name!r} describes is not clear; name one (--character)"
        raise InvalidInput(msg)
    [character] = characters
    users = {talk.user for talk in talks if talk.character == character}
    user = whose.user or None if whose.user is not None else users.pop() if len(users) == 1 else None
    return Lore(user=user, character=character, entries=parsed.world)
