"""Which form a Korean particle has behind a word: by the sound that the word ends in.

What is told of a name by {character}이(가) is a form to be filled in; people write one of the two.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from omoide.domain.text import composed


class Ending(Enum):
    """The sound that a word ends in, as far as a particle minds it."""

    VOWEL = "vowel"
    RIEUL = "rieul"
    CONSONANT = "consonant"


_FINALS: Final = 28
_RIEUL: Final = 8
"""Finals of a syllable of Hangul, none among them, and the number of ㄹ."""

_DIGITS: Final = dict(zip("0123456789", "영일이삼사오육칠팔구", strict=True))
"""How a digit is read at the end of a number; of 10, 100 and so on, what is read ends in a consonant too."""

_LETTERS: Final = {"L": Ending.RIEUL, "R": Ending.RIEUL, "M": Ending.CONSONANT, "N": Ending.CONSONANT}
"""How letters end that are spelled out, such as those of an abbreviation; any other ends in a vowel."""

_SPELLED: Final = re.compile(r"(?<![a-z])[A-Z]{1,20}$|(?<![a-zA-Z])[a-z]$")
_LATIN_RIEUL: Final = re.compile(r"(?i)[a-zà-ɏ]le?$")
_LATIN_CONSONANT: Final = re.compile(r"(?i)(?:[mn]e?|ng|[aeiou](?:ck|([bckpt])\1?))$")
_JAPANESE_N: Final = frozenset("んンﾝ")
_NOT_SPOKEN: Final = re.compile(r"(?<![\W_])[\W_]+$")
"""What stands behind the last letter: brackets, quotes, points."""


def particle(word: str, forms: str) -> str:
    """A word with the form of a particle that fits behind it.

    Words in Latin letters are taken as they are mostly read; the end of what has no known reading counts as a
    vowel.

    Args:
        word: what stands before it.
        forms: the form behind a consonant and that behind a vowel, such as ``이/가``, ``은/는``, ``을/를``,
            ``과/와`` or ``으로/로``.

    Raises:
        ValueError: these are no two forms.
    """
    behind_consonant, behind_vowel = forms.split("/")
    ending = ending_of(word)
    vowel = ending is Ending.VOWEL or (ending is Ending.RIEUL and behind_consonant.startswith("으"))
    return word + (behind_vowel if vowel else behind_consonant)


def ending_of(word: str) -> Ending:
    """The sound that a word ends in, where it is read in Korean."""
    spoken = _NOT_SPOKEN.sub("", composed(word))
    last = _DIGITS.get(spoken[-1:], spoken[-1:])
    syllable = ord(last) - 0xAC00 if last else -1
    if 0 <= syllable < _FINALS * 399:
        final = syllable % _FINALS
        return Ending.RIEUL if final == _RIEUL else Ending.CONSONANT if final else Ending.VOWEL
    if _SPELLED.search(spoken):
        return _LETTERS.get(last.upper(), Ending.VOWEL)
    if _LATIN_RIEUL.search(spoken):
        return Ending.RIEUL
    if last in _JAPANESE_N or _LATIN_CONSONANT.search(spoken):
        return Ending.CONSONANT
    return Ending.VOWEL
