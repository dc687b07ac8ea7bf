"""Who takes part in a discussion, each with what it alone remembers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omoide.domain.session_state import SessionState
from omoide.domain.text import cut_tokens, fold
from omoide.prompts.rules import Between, standing
from omoide.recall.names import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omoide.characters import Characters, Sheet
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
        absent: what characters are called that take no part, as far as store and folder know them.
    """

    sheet: Sheet
    company: tuple[Sheet, ...]
    absent: frozenset[str] = frozenset()

    @property
    def own(self) -> tuple[str, ...]:
        """Everything that it is called itself."""
        return (self.sheet.name, self.sheet.called, self.sheet.id)

    @property
    def everyone_else(self) -> set[str]:
        """Everything that others are called, be they there or not."""
        return {
            *self.absent,
            *(name for other in self.company for name in (other.called, other.name, other.id)),
        }

    @property
    def others(self) -> tuple[str, ...]:
        """What the others are called."""
        return tuple(other.called for other in self.company)

    def known(self, name: str) -> str | None:
        """The name by which memories know one of the others, also with an honorific behind it.

        None if nobody of them is called so, or more than one may be.
        """
        wanted = fold(name)
        meant = [one for one in self.company if wanted in (fold(one.called), fold(one.name))]
        alike = meant[:1] or [one for one in self.company if named(name, (one.called, one.name))]
        return alike[0].name if len(alike) == 1 else None

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

    async def recalls(self, engine: Engine, *abouts: str) -> str:
        """What comes to its own mind: its own past and nothing of anybody else's (K1); it may be nothing."""
        scope = engine.scope(character=self.sheet.name)
        recalls = [
            await scope.recall(about, limit=_MEMORIES, budget=_BUDGET, rehearse=False) for about in abouts
        ]
        return _together([recall.block for recall in recalls if recall.block])

    async def remembers(self, engine: Engine, about: str) -> str:
        """The same, after the rules on how memories are told (P20, P21, K4, K5)."""
        rules = standing(self.language, Between(characters=1 + len(self.company), own_past=True))
        return "\n\n".join(part for part in (rules, await self.recalls(engine, about)) if part)


def _together(blocks: Sequence[str]) -> str:
    """Blocks of memories as one, each memory once: as much of it as any of them shows."""
    if not blocks:
        return ""
    every = [line for block in blocks for line in block.splitlines()[:-1]]
    told = [line for line in dict.fromkeys(every) if not any(_goes_on(other, line) for other in every)]
    return "\n".join((*told, blocks[0].splitlines()[-1]))


def _goes_on(line: str, other: str) -> bool:
    return line != other and line.startswith(other)


def cast(sheets: Iterable[Sheet], *, known: Iterable[str] = ()) -> dict[str, Player]:
    """Those who take part, by id; `known` is what characters are called, be they among them or not."""
    sheets = list(sheets)
    taking_part = {fold(name) for one in sheets for name in (one.name, one.called, one.id)}
    absent = frozenset(name for name in known if fold(name) not in taking_part)
    return {
        sheet.id: Player(
            sheet=sheet, company=tuple(other for other in sheets if other is not sheet), absent=absent
        )
        for sheet in sheets
    }


def everybody(engine: Engine, characters: Characters) -> set[str]:
    """What characters are called that the store or a folder knows; those who were at an event among them."""
    store = engine.store
    with store.database.read() as connection:
        there = [name for event in store.events(connection).all() for name in event.participants]
        return {*there, *store.scopes.characters(connection), *characters.callings()}
