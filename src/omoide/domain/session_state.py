"""How a character stands in a session: its emotion, how close it feels, what was talked about (H1, H4, H5).

All of it follows from what the log still shows: the emotions that were noted with the character's replies,
how warm the exchanges were, and the user's words. So nothing has to be restored when a conversation is taken
back (ruling 6), and an imported past counts too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from omoide.domain.affect import Feeling
from omoide.domain.salience import Signal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WARM_EMOTIONS: Final = frozenset({"happy", "excited", "playful", "shy"})
"""What a character feels in exchanges that bring it closer to a user."""

WARMTH: Final = "warmth"
"""The score of an exchange under which its warm words are counted."""

WARM_WORDS: Final = 1.0
"""What an exchange counts in which somebody gives thanks, loves or misses."""

WARM_FEELING: Final = 0.25
"""What an exchange counts in which the character feels a warm emotion."""

TOPICS: Final = 8
"""Topics that are kept; older ones go."""

_MOST_A_DAY: Final = 3.0
"""Warmth that counts in one day: nobody becomes close in an hour."""

_CLOSE: Final = 50.0
"""Warmth after which some two thirds of all closeness is reached."""

_HIGHEST: Final = 10.0
_FIRST_INTENSITY: Final = 0.5
_DEEPER: Final = 0.15


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionState:
    """How a character stands in a session.

    Attributes:
        emotion: what it feels, one of `EMOTIONS`.
        intensity: how strongly, 0 to 1.
        intimacy: how close it is to the user, over all their sessions, from 0 to 10, not rounded.
        topics: what the user talked of lately, the newest first.
    """

    emotion: str = "calm"
    intensity: float = _FIRST_INTENSITY
    intimacy: float = 0.0
    topics: tuple[str, ...] = ()

    @property
    def feeling(self) -> Feeling:
        """The emotion and its strength, as they are noted with a reply."""
        return Feeling(emotion=self.emotion, intensity=self.intensity)

    def moved(self, emotion: str | None) -> SessionState:
        """The state after a reply with this emotion; None leaves it as it was.

        An emotion that is new begins in the middle, one that goes on deepens.
        """
        if emotion is None:
            return self
        if emotion != self.emotion:
            return replace(self, emotion=emotion, intensity=_FIRST_INTENSITY)
        return replace(self, intensity=min(1.0, self.intensity + _DEEPER))


def warmth(signals: Iterable[Signal], *, emotion: str) -> float:
    """How warm an exchange was, by what was said in it and what the character felt."""
    words = WARM_WORDS if Signal.WARMTH in signals else 0.0
    return words + (WARM_FEELING if emotion in WARM_EMOTIONS else 0.0)


def intimacy(days: Mapping[int, float]) -> float:
    """How close a character is to a user, from 0 to 10, by the warmth of each day.

    It grows with every warm exchange, by ever less and never by more than some 0.6 in a day.
    """
    warm = sum(min(day, _MOST_A_DAY) for day in days.values())
    return _HIGHEST * (1.0 - math.exp(-warm / _CLOSE))


def topics(said: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """What was talked of lately, the newest first.

    Args:
        said: the content words of the user's last messages, the oldest message first.
    """
    newest_first = (word for words in reversed(said) for word in words)
    return tuple(dict.fromkeys(newest_first))[:TOPICS]
