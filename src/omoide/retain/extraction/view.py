"""What one extraction looks at: the window's messages, who speaks, and what is known already."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omoide.domain.grounding.introduced import introduces
from omoide.domain.grounding.relatives import relative, same_relative
from omoide.domain.model import Role
from omoide.domain.text import fold

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from omoide.domain.due import Due
    from omoide.domain.model import Kind, PlanState
    from omoide.domain.relationship import Relationship
    from omoide.domain.text import Language


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One message of the window.

    Attributes:
        m: the short number that it is cited by, from 1; 0 for what only helps to understand.
        number: its number in the store.
        role: whether a user or a character says it.
        speaker: who says it, by number.
        name: what they are called now.
        text: as much of the words as was heard, and as a reading can hold.
        at: when, aware, in the speaker's zone; None where unknown.
        position: its place in the log.
        resumes: where its end begins in the text, after what was left out of the middle.
        skipped: how much further that is in the message.
    """

    m: int
    number: int
    role: Role
    speaker: int
    name: str
    text: str
    at: datetime | None
    position: int
    resumes: int = 0
    skipped: int = 0

    def place(self, at: int) -> int:
        """Where in the message a place in the text is."""
        return at + self.skipped if at >= self.resumes else at


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """Something that is known already, and shown to the model under a short id such as f1.

    Attributes:
        key: the short id.
        number: the memory's number in the store.
        kind: a fact, a statement, a plan or guidance.
        text: its words.
        subject: whom it is about, by number.
        name: what they are called.
        rests: the messages that it rests on.
        position: its place in the log.
        held: written by hand, come from a file, or pinned: a model may confirm it, and never replaces it.
        state, due: of a plan; the day, as exactly as it is known.
        since, until: when it began and ceases to be so, where that is known.
    """

    key: str
    number: int
    kind: Kind
    text: str
    subject: int | None
    name: str
    rests: frozenset[int]
    position: int
    held: bool = False
    state: PlanState | None = None
    due: Due | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Someone:
    """A person: by number where the scope knows them, by name where they are new."""

    number: int | None
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """All that one extraction looks at.

    Attributes:
        lines: the messages to be read, in order; those from which nothing may be remembered are left out.
        context: the messages before them.
        language: of the conversation.
        now: aware, in the user's zone.
        user, character: the scope's own two, by number; None while one has not spoken.
        names: what everybody is called now, by number.
        nicknames: other names of people, by folded name.
        called: the same names as they are written, by whose they are.
        relationship: as it stands.
        known: what is nearest to what is said, with short ids.
    """

    lines: tuple[Line, ...]
    context: tuple[Line, ...]
    language: Language
    now: datetime
    user: int | None
    character: int | None
    names: Mapping[int, str]
    nicknames: Mapping[str, int]
    relationship: Relationship | None
    known: tuple[Known, ...] = ()
    called: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def line(self, m: int) -> Line | None:
        """The message of a short number."""
        return self.lines[m - 1] if 0 < m <= len(self.lines) else None

    def name(self, person: int | None, default: str) -> str:
        """What somebody is called, or a word for them where they have not spoken."""
        return default if person is None else self.names.get(person, default)

    def who(self, name: str) -> Someone | None:
        """The person that a name means; None for no name at all.

        The user's mother is one person, whether she is called "Mum", "mother" or "Tomas's mother".
        """
        folded = fold(name)
        if not folded:
            return None
        own = self._own(folded)
        if own is not None:
            return Someone(number=own, name=self.names.get(own, name))
        known = [number for number, called in self.names.items() if fold(called) == folded]
        number = known[0] if known else self.nicknames.get(folded)
        if number is None:
            number = self.introduced(name)
        word = None if number is not None else self._users_relative(name)
        if word is not None:
            name, number = word, self._known_relative(word)
        return Someone(number=number, name=name.strip() if number is None else self.names.get(number, name))

    def names_of(self, person: int | None) -> frozenset[str]:
        """All that somebody who is known is called."""
        nicknames = [name for name, number in self.nicknames.items() if number == person]
        return frozenset() if person is None else frozenset({*nicknames, self.name(person, "")} - {""})

    def introduced(self, name: str) -> int | None:
        """The user who says that a name is theirs."""
        called = (line for line in (*self.context, *self.lines) if line.role is Role.USER)
        return next((line.speaker for line in called if introduces(line.text, name.strip())), None)

    def is_user(self, person: Someone) -> bool:
        """Whether a person speaks here as a user."""
        return person.number is not None and (
            person.number == self.user
            or any(line.speaker == person.number and line.role is Role.USER for line in self.lines)
        )

    def is_character(self, person: Someone) -> bool:
        """Whether a person speaks here as a character."""
        return person.number is not None and (
            person.number == self.character
            or any(line.speaker == person.number and line.role is Role.CHARACTER for line in self.lines)
        )

    def _users_relative(self, name: str) -> str | None:
        """The word for a relative in a name that is made of it, where they are the user's."""
        found = relative(name)
        if found is None or found.whose is None:
            return None if found is None else found.word
        whose = None if relative(found.whose) else self.who(found.whose)  # a mother's mother is another's
        return found.word if whose is not None and self.is_user(whose) else None

    def _known_relative(self, word: str) -> int | None:
        """Somebody known who is the same relative of the user."""
        for number, called in self.names.items():
            known = None if number in (self.user, self.character) else self._users_relative(called)
            if known is not None and same_relative(known, word):
                return number
        return None

    def _own(self, folded: str) -> int | None:
        speakers = {line.speaker for line in self.lines if line.role is Role.USER}
        if folded in _USER and len(speakers | ({self.user} - {None})) == 1:
            return self.user if self.user is not None else speakers.pop()
        return self.character if folded in _CHARACTER else None


_USER = frozenset(
    {
        "user",
        "the user",
        "me",
        "i",
        "사용자",
        "유저",
        "나",
        "ユーザー",
        "ユーザ",
        "利用者",
        "私",
        "用户",
        "使用者",
        "我",
    }
)
_CHARACTER = frozenset(
    {"character", "the character", "you", "캐릭터", "너", "キャラクター", "キャラ", "角色", "你"}
)
