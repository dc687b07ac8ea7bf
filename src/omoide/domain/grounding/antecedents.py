"""Whom a pronoun means where a claim names them itself: of "Bo is gone, he died", Bo (H12).

A pronoun is read as somebody else's. Where the one who was named last is the subject of the claim too, the
claim says whose it is, and nothing is given to the speaker that is another's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

_PRONOUN: Final = regex.compile(
    r"(?i)^\W*(?:(?:and|but|so|then|because|well)\W+)*(?:s?he|it|they)(?:['’]\p{L}+)?\s"
    r"|^\W*(?:걔|얘|쟤|그\s?(?:애|녀석|아이))(?:는|가|도|은)?\s|^\W*(?:(?:あ|こ|そ)の子|あいつ|彼女?)[はもが]"
)
_NAMED: Final = regex.compile(
    r"(?P<name>\p{Lu}\p{Ll}{2,})(?=\s|['’.,!?]|$)|(?:^|(?<=[\s,.!?]))(?P<name>\p{Hangul}{1,6}?)이?(?=[가는도은]\s)"
    r"|(?:^|(?<=[、。！？\s]))(?P<name>[\p{Katakana}ー\p{Han}]{1,8}|\p{Hiragana}{2,6}?)(?=[がはも])"
)
_INTRODUCED: Final = regex.compile(r"(?i:\b(?:called|named|name\s+is|name['’]s)\s+)(?P<name>\p{Lu}\p{L}+)")
_HAS: Final = regex.compile(r"(?i)^\W*(?:\p{L}+\s)?(?:has|have|owns?|got|adopted|keeps?)\b")

_NO_NAMES: Final = frozenset(
    ("the", "my", "our", "this", "that", "yes", "but", "and", "then", "she", "they", "was")
)
_WITH: Final = regex.compile(r"(?i)\b(?:with|to|of|for|like|likes|loves|hates|met|at|and)\s")


def names_whom_it_means(claim: str, clause: str, ahead: Sequence[str]) -> bool:
    """Whether a clause about "him" is of whom a claim names: as its subject, or as what somebody has.

    Args:
        claim: what a memory would say.
        clause: of what was said.
        ahead: the clauses of the message that stand ahead of it, in order.
    """
    if _PRONOUN.match(clause) is None:
        return False
    introduced = _INTRODUCED.search(clause)
    if introduced is not None and _HAS.match(claim):
        return introduced["name"] in claim
    said = [found["name"] for found in _NAMED.finditer(" ".join(ahead))]
    named = [name for name in said if name in claim]
    return bool(named) and _is_first(said[-1] if said[-1] in claim else named[-1], claim, said)


def _is_first(name: str, claim: str, said: Sequence[str]) -> bool:
    """Whether a claim begins with a name, and no other capitalised one was said behind it."""
    later = said[len(said) - said[::-1].index(name) :]
    if any(one[0].isupper() and one.lower() not in _NO_NAMES for one in later):
        return False
    who = regex.escape(name)
    subject = (
        rf"^\W*(?:\p{{Ll}}+\s){{0,3}}?{who}\s|^\W*(?:\p{{Hangul}}+\s)?{who}이?[가는도은]"
        rf"|^[^。、]{{0,8}}?{who}[がはも]"
    )
    return regex.search(subject, claim) is not None and not _WITH.search(claim[: claim.find(name)])
