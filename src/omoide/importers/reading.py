"""What the readers of all formats share: what they are told, what they hand back, and what they leave out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from omoide.domain.imported import Conversation
from omoide.domain.model import Message, Role
from omoide.domain.text import clean, is_blank
from omoide.importers import dates
from omoide.importers.shapes import label

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo

    from omoide.domain.imported import Character, WorldEntry

_MANY = 10
_AT_ONCE = timedelta(seconds=10)
_LINES_NAMED = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What a reader found in a file."""

    conversations: tuple[Conversation, ...] = ()
    characters: tuple[Character, ...] = ()
    world: tuple[WorldEntry, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    """A file as values.

    Attributes:
        format: the format's name, one of `FORMATS`.
        conversations: the sessions, each in the order of the file.
        characters: who the cards describe.
        world: the entries of lorebooks, and of the books inside cards.
        notes: what was left out or is uncertain, and how often; never words of a conversation.
    """

    format: str
    conversations: tuple[Conversation, ...] = ()
    characters: tuple[Character, ...] = ()
    world: tuple[WorldEntry, ...] = ()
    notes: tuple[str, ...] = ()


class Tally:
    """Counts what was left out of a file, reason by reason."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lines: dict[str, list[int]] = {}
        self._unreadable = 0

    def add(self, reason: str, *, line: int | None = None) -> None:
        """Count one thing that was left out on purpose, or that is uncertain."""
        self._counts[reason] += 1
        named = self._lines.setdefault(reason, [])
        if line is not None and len(named) < _LINES_NAMED:
            named.append(line)

    def unreadable(self, what: str, *, line: int | None = None) -> None:
        """Count one thing that could not be understood."""
        self._unreadable += 1
        self.add(f"{what} that cannot be read, skipped", line=line)

    @property
    def nothing_read(self) -> bool:
        """Whether all that was counted could not be understood."""
        return self._counts.total() == self._unreadable

    def notes(self) -> tuple[str, ...]:
        """Return one line for each reason, in the order in which they came up."""
        return tuple(self._note(reason, count) for reason, count in self._counts.items())

    def _note(self, reason: str, count: int) -> str:
        named = self._lines[reason]
        if not named:
            return f"{reason}: {count}"
        more = ", …" if count > len(named) else ""
        return f"{reason}: {count} (line {', '.join(map(str, named))}{more})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What a reader is told about the file, and where it counts what it leaves out.

    Attributes:
        stem: the file's name without its ending; names the session where the file has no name for it.
        zone: what dates without a zone are local to.
        hidden: whether messages that the client hid are kept.
        tally: where left-out things are counted.
    """

    stem: str
    zone: tzinfo
    hidden: bool = True
    tally: Tally = field(default_factory=Tally)

    def message(
        self,
        *,
        role: Role,
        text: str,
        date: object = None,
        speaker: object = None,
        name: object = None,
        external_id: object = None,
        hidden: bool = False,
    ) -> Message | None:
        """Return the message, or None (and count it) where it is blank, or hidden and not wanted."""
        if is_blank(text):
            self.tally.add("blank messages, skipped")
            return None
        if hidden and not self.hidden:
            self.tally.add("hidden messages, left out as asked")
            return None
        return Message(
            role=role,
            text=text,
            speaker=label(speaker) or "",
            name=label(name),
            at=dates.read(date, zone=self.zone),
            raw_date=_raw(date),
            external_id=label(external_id),
            hidden=hidden,
        )

    def conversation(
        self,
        messages: Iterable[Message | None],
        *,
        session: str | None = None,
        user_name: str | None = None,
        character_name: str | None = None,
        group: bool | None = None,
        parent: str | None = None,
    ) -> tuple[Conversation, ...]:
        """Return the session in the order given; nothing where no message is left.

        Args:
            messages: what was said; None stands for what was left out.
            session: its name, if the file has one of its own; otherwise the file's stem.
            user_name: the person's name, if known; otherwise the one that most of their messages bear.
            character_name: the character's name, where no message bears one.
            group: whether several take part; None finds it out from the speakers.
            parent: the session that this one branched off.
        """
        kept = self._dated([message for message in messages if message is not None])
        if not kept:
            return ()
        names = {message.name: None for message in kept if message.role is Role.CHARACTER and message.name}
        if not names and character_name:
            names = {character_name: None}
        found = Conversation(
            session=session or label(self.stem) or "import",
            messages=tuple(kept),
            user_name=user_name or _usual_name(kept),
            character_names=tuple(names),
            group=_several_speakers(kept) if group is None else group,
            parent=parent,
        )
        return (found,)

    def _dated(self, messages: list[Message]) -> list[Message]:
        """Take away dates that only say when the file was written: many messages, all at one moment."""
        times = [message.at for message in messages if message.at is not None]
        if len(times) < _MANY or max(times) - min(times) > _AT_ONCE:
            return messages
        self.tally.add("conversations whose dates all lie within seconds, read as undated")
        return [replace(message, at=None) for message in messages]


def _raw(date: object) -> str | None:
    if isinstance(date, bool) or not isinstance(date, str | int | float):
        return None
    return clean(str(date)).strip() or None


def _usual_name(messages: Iterable[Message]) -> str | None:
    """Return the name that most messages of the person bear; None if there are several persons."""
    said = [message for message in messages if message.role is Role.USER]
    if len({message.speaker for message in said}) > 1:
        return None
    names = Counter(message.name for message in said if message.name)
    return names.most_common(1)[0][0] if names else None


def _several_speakers(messages: Iterable[Message]) -> bool:
    speakers = {(message.role, message.speaker) for message in messages if message.role is not Role.SYSTEM}
    return len(speakers) > len({role for role, _ in speakers})
