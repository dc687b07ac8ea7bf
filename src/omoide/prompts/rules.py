"""The rules that stand in every prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.prompts.phrases import PHRASES

if TYPE_CHECKING:
    from omoide.domain.text import Language


def standing(language: Language, *, characters: int = 1) -> str:
    """The rules that hold in every prompt, also with no memory at all (P20, P21)."""
    phrases = PHRASES[language]
    return "\n".join([phrases.honest, *([phrases.absent] if characters > 1 else [])])
