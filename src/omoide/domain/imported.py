"""What an import file holds beside messages: characters, the worlds they live in, and whole conversations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omoide.domain.model import Message


@dataclass(frozen=True, kw_only=True, slots=True)
class Character:
    """Who a character is, as a card or a profile says.

    `text` holds the described parts under their card names (description, personality, scenario,
    first_mes, mes_example, system_prompt …); `extra` keeps every key that Omoide does not use. One that
    says no name (`named`) is called by its file.
    """

    name: str
    nickname: str | None = None
    text: dict[str, str] = field(default_factory=dict)
    extra: dict[str, object] = field(default_factory=dict)
    named: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class WorldEntry:
    """One entry of a lorebook: a thing that is always true in a character's world."""

    text: str
    keys: tuple[str, ...] = ()
    name: str | None = None
    constant: bool = False
    external_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """One session as an import file holds it, in the order in which it was said.

    Attributes:
        session: the file's own name for the session, stable over imports of the same file.
        messages: what was said.
        user_name: the display name of the person, where the file knows it.
        character_names: the characters that take part; more than one in a group.
        group: whether several people or several characters speak.
        parent: the session that this one branched off, where the file says so.
    """

    session: str
    messages: tuple[Message, ...]
    user_name: str | None = None
    character_names: tuple[str, ...] = ()
    group: bool = False
    parent: str | None = None
