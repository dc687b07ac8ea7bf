"""Which feelings are alike, and which one a few words tell of, in four languages (K8)."""

from __future__ import annotations

import re
from typing import Final

from omoide.domain.diary_scores import PATTERNS
from omoide.domain.text import fold

_TIREDNESS: Final = re.compile(
    r"""
        \b(?:tired(?:ness)?|exhaust(?:ed|ing|ion)|worn\sout|drained|knackered|shattered|wiped\sout|sleepy
          |burn(?:ed|t)?\sout|no\senergy|fatigued?|dead\son\smy\sfeet|keep\smy\seyes\sopen)\b
        | 피곤|피로|지[쳐쳤친치]|녹초|기진맥진|졸[려리렸]|힘이\s?없|기운이?\s?없|잠이?\s?부족
        | 疲れ|疲労|くたくた|クタクタ|へとへと|ヘトヘト|ぐったり|だるい|だるく|しんど|眠[いくす]|寝不足|バテ
        | 累[了死坏]|好累|很累|太累|疲惫|疲憊|疲倦|困死|没力气|沒力氣
    """,
    re.VERBOSE,
)

KINDS: Final[dict[str, frozenset[str]]] = {
    "tiredness": frozenset({"tiredness", "tired"}),
    "sadness": frozenset({"sadness", "sad"}),
    "anxiety": frozenset({"anxiety", "nervous", "concerned"}),
    "frustration": frozenset({"frustration", "angry"}),
    "joy": frozenset({"joy", "happy", "excited", "playful"}),
}
"""The names of scores and emotions that are one kind of feeling; hard ones before joy."""

FELT_FROM: Final = 6.0
"""A score from which a memory is one of that feeling, 0 to 10."""

STRONG_FROM: Final = 0.5
"""How strong a feeling is at least that colours a memory, 0 to 1."""

_KIND_OF: Final = {name: kind for kind, names in KINDS.items() for name in names}
_WORDS: Final = {"tiredness": _TIREDNESS, **PATTERNS}


def kind_of(name: str) -> str:
    """The kind of feeling that an emotion or a score is of; one that is of none is a kind of its own."""
    return _KIND_OF.get(name, name)


def names_of(kind: str) -> frozenset[str]:
    """Every name under which a kind of feeling is kept."""
    return KINDS.get(kind, frozenset({kind}))


def told(text: str) -> str | None:
    """The kind of feeling that words tell of; None where they tell of none."""
    folded = fold(text)
    return next((kind for kind in KINDS if _WORDS[kind].search(folded)), None)
