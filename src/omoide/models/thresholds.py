"""Which similarities mean something, by model family (H12, H13).

A threshold belongs to one embedding space: carried over to another model it blanks the memory, or
merges what differs.
"""

from __future__ import annotations

from typing import Final

from omoide.domain.embedding import Thresholds
from omoide.models.prefixes import is_e5

E5: Final = Thresholds(same=0.99, relevant=0.75, alike=0.92)
"""The e5 family squeezes all cosines into about 0.7 to 1.

Measured with multilingual-e5-small in four bits. Of Korean and Japanese sentence pairs from 0.99 on, three
quarters mean fully the same and nine tenths nearly so; at 0.95 only one third does, for a negation or
another number hardly moves the cosine. No threshold reaches nine tenths in both languages and
still finds anything, so that it is best joined with a comparison of the words.
Of the memories that answer a question about nine in ten lie above 0.78, in English companion chat three
quarters; but so do most others in Korean and Japanese. So 0.75 only keeps out what is hopeless, and is no
judge; where talk with a character is searched, the gate judges.
Of pairs of the cues' memories (tests/cases/cues) from 0.92 on, a third have a person or a place in common; of
those below 0.90 one in twenty, which is chance.
"""


def thresholds_for(model: str) -> Thresholds:
    """The thresholds of the model's family; the published ones for a family that was not measured."""
    return E5 if is_e5(model) else Thresholds()
