"""What choosing takes and gives: what the lists say, how to choose, and what was chosen with its reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.domain.decay import Forgetting
    from omoide.domain.embedding import Thresholds
    from omoide.domain.links import LinkKind
    from omoide.recall.fuse import Fusion
    from omoide.recall.mood import Mood
    from omoide.recall.result import Why

    FloatArray = NDArray[np.float32]
    BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, slots=True)
class Lists:
    """What each list says of each row of the index.

    Attributes:
        meaning: cosine with the message; NaN for a row without a vector, and for all without a query vector.
        words: BM25; 0 for a row that shares no term.
        coverage: the share of the message's terms, weighed by rarity, that the row holds; 0 to 1.
        allowed: rows that may be recalled at all.
        named: rows said by or about the one person that the message names or means; None for nobody.
        named_weight: what that is worth.
        rare: whether some memory holds a term of the message that few others hold.
        calls_by_name: whether the message names somebody whom the scope knows, besides its own two.
        request: whether, in a scope of dialogue, it has the form of a request that no memory bears on.
        tale: whether it asks to be told of something, which a memory may hold.
        only_time: whether it names a time and nothing else, so that terms are those of that time.
        dialogue: whether the scope holds talk with the character or its own past, as gates are fitted for;
            documents and other people's talk are looked things up in, whatever a message is like.
        query: the message's vector, where there is one.
        mood: which rows the present emotion favours; None for none.
    """

    meaning: FloatArray
    words: FloatArray
    coverage: FloatArray
    allowed: BoolArray
    named: BoolArray | None
    named_weight: float
    rare: bool
    calls_by_name: bool
    request: bool
    tale: bool
    only_time: bool
    dialogue: bool
    query: FloatArray | None
    mood: Mood | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """How to choose.

    Attributes:
        fusion: how lists become one.
        forgetting: how memories fade.
        asks: whether the message asks something, rather than tells it.
        limit: how many at most, 1 to 12.
        slots: places held for what is important, 0 to 2.
        thresholds: similarities that mean something in the embedding space in use; None without vectors.
        now: microseconds since 1970, the moment asked about.
    """

    fusion: Fusion
    forgetting: Forgetting
    asks: bool
    limit: int
    slots: int
    thresholds: Thresholds | None
    now: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """A row of the index that was chosen, and why; `twins` are rows that say the same and stay behind it.

    `way` are the steps that led to it, the last one first.
    """

    row: int
    why: Why
    twins: tuple[int, ...] = ()
    way: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """How a memory was led to: by what, from which memory's number, and how strongly from there.

    `start` is None where the message itself leads, by the feeling that it tells of.
    """

    kind: LinkKind
    start: int | None
    weight: float
