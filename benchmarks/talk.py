"""Talk made up for measuring speed: natural in its lengths and word frequencies, the same on every machine.

Words are drawn from invented vocabularies of Korean, Japanese and English shape by Zipf's law. Vectors are
sums of random word vectors around a common direction, as those of real models are; so texts that share words
are near.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

DIMENSIONS = 384
WORDS = 4_000
"""Words of one language."""

_HANGUL = [chr(code) for code in range(0xAC00, 0xD7A4, 53)]
_KANJI = [chr(code) for code in range(0x4E00, 0x6E00, 31)]
_KANA = [chr(code) for code in range(0x3042, 0x3094)]
_LATIN = [
    consonant + vowel for consonant in "bcdfghjklmnprstvwyz" for vowel in ("a", "e", "i", "o", "u", "ea")
]
_SPACE = (" ", "", " ")


@dataclass(frozen=True, slots=True)
class Said:
    """A text and its vector, of shape (DIMENSIONS,) and length 1."""

    text: str
    vector: NDArray[np.float32]


class Talk:
    """Makes the messages of any number of scopes; a scope speaks one language."""

    def __init__(self, seed: int = 7) -> None:
        dice = np.random.default_rng(seed)
        self._words = [
            _vocabulary(dice, _HANGUL, (1, 4)),
            _vocabulary(dice, _KANJI + _KANA, (1, 4)),
            _vocabulary(dice, _LATIN, (1, 4)),
        ]
        self._vectors = dice.standard_normal((3, WORDS, DIMENSIONS), dtype=np.float32)
        self._common = dice.standard_normal(DIMENSIONS, dtype=np.float32) * np.float32(0.7)
        chances = 1.0 / np.arange(2, WORDS + 2)
        self._edges = np.cumsum(chances / chances.sum())
        self._weights = (1.0 / np.sqrt(chances / chances[-1] + 1)).astype(np.float32)

    def message(self, scope: int, number: int) -> Said:
        """What is said in a scope as its n-th message: 8 to 25 words."""
        return self._said(scope % 3, self._drawn(scope, number))

    def question(self, scope: int, number: int) -> Said:
        """A message that half repeats the n-th one of the scope."""
        words = self._drawn(scope, number)
        dice = np.random.default_rng((scope, number, 1))
        kept = words[dice.random(len(words)) < 0.5]
        return self._said(scope % 3, np.concatenate((kept, self._zipf(dice, 8))))

    def _drawn(self, scope: int, number: int) -> NDArray[np.int64]:
        dice = np.random.default_rng((scope, number))
        return self._zipf(dice, int(dice.integers(8, 26)))

    def _zipf(self, dice: Generator, count: int) -> NDArray[np.int64]:
        return np.minimum(np.searchsorted(self._edges, dice.random(count)), WORDS - 1)

    def _said(self, language: int, words: NDArray[np.int64]) -> Said:
        text = _SPACE[language].join(self._words[language][word] for word in words)
        vector = self._weights[words] @ self._vectors[language, words]
        vector = vector / np.linalg.norm(vector) + self._common / np.linalg.norm(self._common)
        return Said(text, (vector / np.linalg.norm(vector)).astype(np.float32))


def _vocabulary(dice: Generator, syllables: list[str], lengths: tuple[int, int]) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < WORDS:
        count = int(dice.integers(*lengths))
        found["".join(syllables[place] for place in dice.integers(len(syllables), size=count))] = None
    return list(found)
