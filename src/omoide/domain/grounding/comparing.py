"""Whether a claim turns a comparison round: "coffee over tea", of "I'd take tea over coffee" (H11)."""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.wording import plain

_LESSER: Final = regex.compile(
    r"(?i)\b(?:over|than|instead\s+of)\s+(?:an?\s|the\s|my\s)?(?P<what>\p{Latin}{3,})"
    r"|\bprefer\w*\s+(?:\p{Latin}+\s){1,4}?to\s+(?P<what>\p{Latin}{3,})"
    r"|(?P<what>\p{Hangul}{1,8})보다(?!\p{Hangul})|(?P<what>[\p{Han}\p{Katakana}ー]{1,10})より"
)
_LESS: Final = regex.compile(
    r"(?i)\b(?:less|worse|hat(?:e|es)|not)\b|n['’]t\b|(?<!\p{Hangul})덜|싫|못|않|嫌|苦手|ない|劣"
)


def swapped(claim: str, clause: str) -> bool:
    """Whether a claim puts last of two things the one that a clause puts first."""
    last, said = _LESSER.search(claim), _LESSER.search(clause)
    if last is None or said is None or (_LESS.search(claim) is None) is not (_LESS.search(clause) is None):
        return False
    one, other = plain(last["what"]), plain(said["what"])
    return one != other and one in plain(clause) and other in plain(claim)
