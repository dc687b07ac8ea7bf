"""Who takes part in a discussion, each with what it alone remembers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omoide.domain.session_state import SessionState
from omoide.domain.text import cut_tokens, fold
from omoide.prompts.rules import Between, standing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omoide.characters import Sheet
    from omoide.domain.text import Language
    from omoide.engine import Engine

_MEMORIES: Final = 8
_BUDGET: Final = 700
"""Memories and tokens of what a character recalls for one call."""

_PERSONA: Final = 2_000
"""Tokens of what a character is told about itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Player:
    """One who takes part.

    Attributes:
        sheet: who it is.
        company: the others, in their order.
    """

    sheet: Sheet
    company: tuple[Sheet, ...]

    @property
    def others(self) -> tuple[str, ...]:
        """What the others are called."""
        return tuple(other.called for other in self.company)

    def known(self, name: str) -> str | None:
        """The name by which memories know one of the others; None if nobody of them is called so."""
        wanted = fold(name)
        named = (other.name for other in self.company if wanted in (fold(other.called), fold(other.name)))
        return next(named, None)

    @property
    def language(self) -> Language:
        """What it speaks."""
        return self.sheet.profile.language

    @property
    def between(self) -> str:
        """The others, as they stand in a sentence."""
        return ("、" if self.language in ("ja", "zh") else ", ").join(self.others)

    @property
    def persona(self) -> str:
        """What it is told about itself."""
        return cut_tokens(self.sheet.prompt(self.between, SessionState()), _PERSONA)

    async def recalls(self, engine: Engine, about: str) -> str:
        """What comes to its own mind: its own past and nothing of anybody else's (K1); it may be nothing."""
        scope = engine.scope(character=self.sheet.name)
        recall = await scope.recall(about, limit=_MEMORIES, budget=_BUDGET, rehearse=False)
        return recall.block

    async def remembers(self, engine: Engine, about: str) -> str:
        """The same, after the rules on what may be said of memories (P20, P21)."""
        rules = standing(self.language, Between(characters=1 + len(self.company)))
        return "\n\n".join(part for part in (rules, await self.recalls(engine, about)) if part)


def cast(sheets: Iterable[Sheet]) -> dict[str, Player]:
    """Those who take part, by id."""
    sheets = list(sheets)
    return {
        sheet.id: Player(sheet=sheet, company=tuple(other for other in sheets if other is not sheet))
        for sheet in sheets
    }
