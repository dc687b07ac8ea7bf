"""What a recall gives back: the words for the prompt, and the reason for each memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omoide.domain.affect import Feelings
    from omoide.domain.links import LinkKind
    from omoide.domain.model import Memory
    from omoide.recall.widen import Reason


class Slot(StrEnum):
    """How a memory came in: it was searched for, or a place was held for it.

    That is for its importance, for the time that the message asks about, for a plan's near day, for how
    the user likes to be answered, or for what leads to it. One that shares a place was found too, and says
    with the one that takes the place one thing: what was said, and what was drawn from it.
    """

    SEARCH = "search"
    IMPORTANCE = "importance"
    TIME = "time"
    PLAN = "plan"
    GUIDANCE = "guidance"
    LINK = "link"
    SHARED = "shared"


ON_TOP = frozenset({Slot.SHARED, Slot.PLAN, Slot.GUIDANCE})
"""What comes on top of the memories that were asked for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """Where a memory stood in one list: its rank from 0, and its score there."""

    rank: int
    score: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Led:
    """A step on the way to a memory that others lead to (K8).

    Attributes:
        kind: what ties the two.
        memory: the id of the memory that leads on; None where the message's own feeling does.
        weight: how strongly, 0 to 1.
    """

    kind: LinkKind
    memory: str | None
    weight: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Why:
    """Why a memory was recalled.

    Attributes:
        meaning: its place by cosine; None without a vector.
        words: its place by BM25; None if it shares no term.
        decay: the factor of fading, 1 for what has not faded.
        score: the fused score that ranked it, decay included.
        slot: how it came in.
        links: the way to it from what was found, the last step first; empty where nothing leads to it.
        mood: the kind of feeling that favoured it; None where none did.
    """

    meaning: Hit | None
    words: Hit | None
    decay: float
    score: float
    slot: Slot
    links: tuple[Led, ...] = ()
    mood: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    """A memory and the reason for it; its evidence is best first.

    Of memories that say the same only the best one comes. Behind its own evidence stands that of the others:
    the other occasions on which it was said.

    `in_block` tells whether the budget left room for it, `own` whether it is of the character's own past
    rather than of the talk with the user.
    """

    memory: Memory
    why: Why
    in_block: bool = True
    own: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Recall:
    """The result of a recall.

    Attributes:
        query: what was searched for, after widening; empty where nothing was.
        reason: what kind of message it was.
        standing: fixed rules and what changes seldom; put it where the prompt's cache survives.
        block: this turn's memories, fenced as data; empty when nothing fits.
        memories: what was recalled, best first, then what came along (see `Slot`); also what the budget
            left out of the block.
        feelings: of the user over the last days; None where nothing is known (H18, H19).
        degraded: what did not work, in a few words each; never words of a conversation.
        timing_ms: milliseconds by phase, and in `total`.
    """

    query: str
    reason: Reason
    standing: str
    block: str
    memories: tuple[Recalled, ...] = ()
    feelings: Feelings | None = None
    degraded: tuple[str, ...] = ()
    timing_ms: dict[str, float] = field(default_factory=dict)

    @property
    def in_block(self) -> int:
        """How many memories stand in the block."""
        return sum(recalled.in_block for recalled in self.memories)

    @property
    def prompt(self) -> str:
        """Standing and block together, for a prompt with one place for both."""
        return "\n\n".join(part for part in (self.standing, self.block) if part)
