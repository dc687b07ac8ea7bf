"""One recall out of two: of the talk with a user, and of the character's own past (K4).

Nothing else is read: a character alone is a scope of its own, which no user's is a part of (K1).
"""

from __future__ import annotations

from typing import Final

from omoide.recall.found import Found

_SHARE: Final = 3
"""Of so many memories one may be of the character's own past; of more where talk leaves room."""


def merged(talk: Found, past: Found | None, *, limit: int) -> Found:
    """Both in one list, each in its own order, evenly mixed, so that a budget cuts the least of either.

    Args:
        talk: what comes of the talk with the user.
        past: what comes of the character's own past; None where it has none.
        limit: memories at most, of both together.
    """
    if past is None or not (past.memories or past.degraded):
        return talk
    own = past.memories[: max(limit // _SHARE, limit - len(talk.memories))]
    kept = talk.memories[: limit - len(own)]
    placed = [((place + 0.5) / len(these), one) for these in (kept, own) for place, one in enumerate(these)]
    return Found(
        memories=tuple(one for _, one in sorted(placed, key=lambda pair: pair[0])),
        twins={**talk.twins, **past.twins},
        degraded=(*talk.degraded, *past.degraded),
    )
