"""The quick rule that decides whether a turn is worth storing, and how much it weighs (H7)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain.backchannel import backchannel
from omoide.domain.salience import chinese, english, japanese, korean
from omoide.domain.salience.signal import Rules, Signal
from omoide.domain.text import count_graphemes, fold, is_blank
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Salience", "Signal", "score"]

# Hundredths, because sums of 0.15 in binary fractions miss the values that gates compare with.
_LOW = 5
_BASE = 30
_PER_KIND = 15
_PER_INTENSITY = 20
_LONG = 10
_LONG_FROM = 51
_STORED_FROM = 0.3

_HANGUL = re.compile("[가-힣]")
_KANA = re.compile("[ぁ-ヺ]")
_HAN = re.compile("[㐀-鿿]")
_LATIN = re.compile("[a-z]{2}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Salience:
    """How much a turn is worth keeping.

    Attributes:
        score: from 0 to 1.
        signals: the kinds of signal that fired.
        low: whether the user's message says nothing of its own, such as laughter or a nod.
    """

    score: float
    signals: frozenset[Signal]
    low: bool

    @property
    def stored(self) -> bool:
        """Whether the turn becomes an episode: all but the low ones do (ruling 11)."""
        return self.score >= _STORED_FROM

    @property
    def importance(self) -> float:
        """The score on the scale of memories, from 1 to 10, not rounded (ruling 7)."""
        return max(1.0, self.score * 10)


def score(user_text: str, reply: str, *, intensity: float = 0.0) -> Salience:
    """Weigh a turn by the signals in the user's text and the reply together.

    A message of the user that is blank or only shows that somebody listens is low, whatever the reply says.

    Args:
        user_text: what the user said.
        reply: what the character answered; empty if it has not.
        intensity: how strong the feeling of the turn is, from 0 to 1.

    Raises:
        InvalidInput: the intensity is outside 0 to 1.
    """
    if not 0.0 <= intensity <= 1.0:
        message = f"intensity {intensity!r} is outside 0 to 1"
        raise InvalidInput(message)
    if is_blank(user_text) or backchannel(user_text):
        return Salience(score=_LOW / 100, signals=frozenset(), low=True)
    signals = _signals(fold(user_text))
    if reply:
        signals |= _signals(fold(reply))
    hundredths = _BASE + _PER_KIND * len(signals) + _PER_INTENSITY * intensity
    if len(user_text) >= _LONG_FROM and count_graphemes(user_text.strip()) >= _LONG_FROM:
        hundredths += _LONG
    return Salience(score=min(hundredths, 100) / 100, signals=signals, low=False)


def _signals(folded: str) -> frozenset[Signal]:
    return frozenset(
        signal for rules in _rules(folded) for signal, pattern in rules.items() if pattern.search(folded)
    )


def _rules(folded: str) -> Iterator[Rules]:
    """The rules of the languages whose letters a text holds. Han without kana may be Chinese or Japanese."""
    if _HANGUL.search(folded):
        yield korean.RULES
    kana = _KANA.search(folded)
    han = _HAN.search(folded)
    if kana or han:
        yield japanese.RULES
    if han and not kana:
        yield chinese.RULES
    if _LATIN.search(folded):
        yield english.RULES
