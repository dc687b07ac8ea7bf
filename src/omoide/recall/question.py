"""A question to memory as its caller asks it: checked, and with the settings for what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omoide.domain.decay import Forgetting
from omoide.domain.instants import check_time, to_micros
from omoide.domain.query import Search
from omoide.domain.text import clean
from omoide.errors import InvalidInput
from omoide.recall.fuse import Fusion

if TYPE_CHECKING:
    from datetime import datetime

    from omoide.config import Settings
    from omoide.domain.affect import Feeling
    from omoide.recall.filters import Filter

LONGEST: Final = 100_000
"""Characters of one message that are looked at; what a person asks is shorter."""

MOST: Final = 50
"""Memories that one recall may hold."""

LEAST: Final = 50
"""Tokens; a smaller block would hold its frame, and no memory (the setting `budget` begins here too)."""

_EVERY: Final = Search()


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What is asked of a scope's memory.

    Attributes:
        message: what the user just said.
        session: the session it was said in; its newest messages are taken to stand in the prompt already.
        filter: narrows what may come.
        limit: memories at most, 1 to 12.
        budget: tokens of the block at most.
        as_of: a past moment to answer for; None means now.
        fusion, forgetting, slots: how to choose.
        turns: messages of the user that the prompt shows as they were said.
        brief: the short form of the block.
        links: whether what is found leads on to what is tied to it.
        mood: whether memories of a feeling like the present one are favoured.
        feeling: the present one; None where it is not given.
    """

    message: str
    session: str | None
    filter: Search
    limit: int
    budget: int
    as_of: int | None
    fusion: Fusion
    forgetting: Forgetting
    slots: int
    turns: int
    brief: bool
    links: bool = True
    mood: bool = False
    feeling: Feeling | None = None


def question(
    settings: Settings,
    message: str,
    *,
    session: str | None,
    narrowed: Filter | None,
    limit: int | None,
    budget: int | None,
    as_of: datetime | None,
    fusion: Fusion | str | None,
    brief: bool | None,
    feeling: Feeling | None = None,
) -> Question:
    """The question that is meant; None leaves a value to the settings.

    Raises:
        InvalidInput: a number or time out of range, or an unknown fusion.
    """
    limit = settings.memories if limit is None else limit
    budget = settings.budget if budget is None else budget
    if not 1 <= limit <= MOST:
        msg = f"a recall holds 1 to {MOST} memories, got limit={limit!r}"
        raise InvalidInput(msg)
    if budget < LEAST:
        msg = f"a block needs {LEAST} tokens or more to hold a memory, got budget={budget!r}"
        raise InvalidInput(msg)
    check_time(as_of, name="as_of")
    return Question(
        message=clean(message)[:LONGEST],
        session=session,
        filter=_EVERY if narrowed is None else narrowed.search,
        limit=limit,
        budget=budget,
        as_of=None if as_of is None else to_micros(as_of),
        fusion=_fusion(settings.fusion if fusion is None else fusion),
        forgetting=Forgetting(settings.forgetting),
        slots=settings.slots,
        turns=settings.turns,
        brief=settings.brief if brief is None else brief,
        links=settings.links,
        mood=settings.mood,
        feeling=feeling,
    )


def _fusion(name: str) -> Fusion:
    try:
        return Fusion(name)
    except ValueError:
        msg = f"no fusion is called {name!r}; choose from {', '.join(Fusion)}"
        raise InvalidInput(msg) from None
