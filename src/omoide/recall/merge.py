"""One recall out of two: of the talk with a user, and of the character's own past (K4).

Nothing else is read: a character alone is a scope of its own, which no user's is a part of (K1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omoide.recall.found import Found
from omoide.recall.result import ON_TOP, Slot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.recall.result import Recalled

_SHARE: Final = 3
"""Of so many memories one may be of the character's own past; of more where talk leaves room."""


def merged(talk: Found, past: Found | None, *, limit: int) -> Found:
    """Both in one list, each in its own order, evenly mixed, so that a budget cuts the least of either.

    Args:
        talk: what comes of the talk with the user.
        past: what comes of the character's own past; None where it has none.
        limit: memories that were asked for at most, of both together; what came on top stays.
    """
    if past is None or not (past.memories or past.degraded):
        return talk
    places, top = _apart(talk.memories)
    past_places, past_top = _apart(past.memories)
    own = past_places[: max(limit // _SHARE, limit - len(places))]
    kept = _cut(places, room=limit - len(own))
    placed = [((place + 0.5) / len(these), one) for these in (kept, own) for place, one in enumerate(these)]
    return Found(
        memories=(*(one for _, one in sorted(placed, key=lambda pair: pair[0])), *top, *past_top),
        twins={**talk.twins, **past.twins},
        degraded=(*talk.degraded, *past.degraded),
    )


def _apart(memories: Sequence[Recalled]) -> tuple[list[Recalled], list[Recalled]]:
    """What takes a place, and what comes on top."""
    return (
        [one for one in memories if one.why.slot not in ON_TOP],
        [one for one in memories if one.why.slot in ON_TOP],
    )


def _cut(places: Sequence[Recalled], *, room: int) -> list[Recalled]:
    """As many as there is room for; what has a place held for it stays."""
    held = [one for one in places if one.why.slot is Slot.IMPORTANCE]
    searched = [one for one in places if one.why.slot is not Slot.IMPORTANCE]
    return [*searched[: max(0, room - len(held))], *held]
