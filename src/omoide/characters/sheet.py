"""A character as it is played: who it is, and its system prompt for a user and a moment (H3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain.text import clean
from omoide.prompts.chat import plays
from omoide.prompts.fence import plain_name
from omoide.prompts.sandbox import render

if TYPE_CHECKING:
    from pathlib import Path

    from omoide.characters.profile import Profile
    from omoide.domain.imported import Character
    from omoide.domain.session_state import SessionState

_MACRO = re.compile(r"\{\{\s*(char|user)\s*\}\}|<(bot|char|user)>", re.IGNORECASE)
_ORIGINAL = re.compile(r"\{\{\s*original\s*\}\}", re.IGNORECASE)
_START = re.compile(r"<start>", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """A character as it is played.

    Attributes:
        id: its folder's name.
        profile: who it is.
        folder: where it lies.
        template: its prompt, for one with a template of its own.
        card: what its card says, for one that came as a card.
        sample: whether it comes with Omoide.
    """

    id: str
    profile: Profile
    folder: Path
    template: str | None = None
    card: Character | None = None
    sample: bool = False

    @property
    def name(self) -> str:
        """What memories know it by."""
        return self.profile.name

    @property
    def called(self) -> str:
        """What it calls itself."""
        return self.profile.nickname or self.profile.name

    def greeting(self, user: str) -> str:
        """What it says first; empty where it waits for the user."""
        return self._filled(self.profile.greeting, user)

    def description(self, user: str) -> str:
        """Who it is, for people."""
        return self._filled(self.profile.description, user)

    def prompt(self, user: str, state: SessionState) -> str:
        """Its system prompt.

        Args:
            user: what the user is called.
            state: how the character stands at this moment; only templates make use of it.

        Raises:
            InvalidInput: the template cannot be rendered.
        """
        if self.template is None:
            return self._card_prompt(user)
        profile = self.profile
        values: dict[str, object] = {
            "name": profile.name,
            "user": plain_name(clean(user)),
            "language": profile.language,
            "nickname": self.called,
            "description": profile.description,
            "greeting": profile.greeting,
            "birthday": "" if profile.birthday is None else profile.birthday.isoformat(),
            "emotions": list(profile.emotions),
            "emotion": state.emotion,
            "intensity": state.intensity,
            "intimacy": state.intimacy,
            "topics": list(state.topics),
        }
        return clean(render(self.template, values, name=f"{self.id}/prompt.jinja")).strip()

    def _card_prompt(self, user: str) -> str:
        """What a card says, in the order of chat programs: a stranger's words, never a template."""
        text = {} if self.card is None else self.card.text
        opening = _ORIGINAL.sub("", text.get("system_prompt", "")).strip()
        parts = [
            opening or plays(self.profile.language, character=self.called, user=plain_name(clean(user))),
            self.profile.description,
            text.get("personality", ""),
            text.get("scenario", ""),
            _START.sub("", text.get("mes_example", "")),
            _ORIGINAL.sub("", text.get("post_history_instructions", "")),
        ]
        return "\n\n".join(self._filled(part, user).strip() for part in parts if part.strip())

    def _filled(self, text: str, user: str) -> str:
        """A text with the two macros of cards filled in, once: a name that looks like one stays a name."""

        def name(macro: re.Match[str]) -> str:
            meant = (macro[1] or macro[2]).lower()
            return plain_name(clean(user)) if meant == "user" else self.called

        return _MACRO.sub(name, text)
