"""Whether somebody who lived in one place has moved to another: of two homes only the later one holds (F20).

Only where a move is told, in so many words, and where a claim says nothing but where somebody lives. Else two
places may be one within the other.
"""

from __future__ import annotations

import regex

_HOME = regex.compile(
    r"""
      (?i:\W*(?:now\s+|currently\s+)?(?:lives?|living|resides?)\s+in\s+)(?P<en>\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)*)
      (?:\s(?:now|currently))?
    | (?:지금(?:은)?\s|현재\s|이제\s)?(?P<ko>\p{Hangul}{2,})에(?:서)?\s?(?:산다|살고\s?있다|살아요?|거주한다)
    | (?:今は|現在は?)?(?P<ja>[\p{Han}\p{Katakana}ー]{2,})[にで](?:住んで(?:い)?る|住む|暮らしている|暮らす)
    | (?:现在)?(?:住在|住)(?P<zh>\p{Han}{2,})
    """,
    regex.VERBOSE,
)
_MOVED = regex.compile(
    r"(?i)\bmoved\b(?!\s+(?:on|by|in\s+with|out)\b)|\brelocated\b|이사\s?(?:를\s?)?(?:왔|갔|했|온|간|한)"
    r"|引っ?越し?(?:て(?:き|い)?)?(?:た|まし)|引っ?越しし?(?:た|まし)|移り住ん|搬(?:到|来|去|家)\p{Han}*了|搬到"
)
_DWELLING = regex.compile(
    r"집|아파트|원룸|주택|기숙사|도시|시골|근처|家|部屋|マンション|アパート|寮|都会|田舎|近|房|公寓|宿舍|附近"
)


def moved(before: str, now: str, said: str) -> bool:
    """Whether two claims name different homes, and somebody said that they moved to the second.

    Args:
        before: a claim that is known.
        now: another one, on the same person.
        said: what the second rests on.
    """
    old, new = _home(before), _home(now)
    return bool(old and new and old != new) and new in said and _MOVED.search(said) is not None


def _home(claim: str) -> str:
    """The place in which somebody lives, where a claim says no more than that; empty for none."""
    found = _HOME.fullmatch(claim.strip().rstrip(".。"))
    place = "" if found is None else next(name for name in found.groups() if name)
    return "" if _DWELLING.search(place) else place
