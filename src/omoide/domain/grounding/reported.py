"""Whose words a quotation is, and whom "everyone but me" leaves out: neither tells of the speaker (H12).

Of 'My boss said "I am allergic to cats"' the allergy is the boss's. What somebody else says with no "I" in it
may well be about the speaker ("you are fired"), and so may what has no teller.
"""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.claims import likeness
from omoide.domain.grounding.kin import KIN_EN, KIN_JA, KIN_KO, Owner, speaks_of_self
from omoide.domain.text import sentences

_QUOTATION: Final = regex.compile(
    r"[\"“”](?P<a>[^\"“”]{1,300})[\"“”]|(?<![\p{L}\p{N}])['‘](?P<b>[^‘]{1,120}?)['’](?![\p{Latin}\p{N}])|[「『](?P<c>[^「『」』]{1,300})[」』]"
    r"|(?<=\b(?:said|says|told\s(?:me|us|her|him)|wrote|texted|texts)):\s*(?P<d>.+)"
    r"|(?<=\b(?:goes|went|(?:was|is|were|are)\s(?:all\s)?like|['’]s\s(?:all\s)?like)),?\s(?P<e>i(?:['’]\p{L}+)?\s.+)"
    r"|(?<=\p{Hangul}[이가은는]\s)(?P<f>(?:나는?|난|내가)\s.{1,200}[어아야해래지게돼워져와려네])(?=\s(?:이러|그러|하[더길면]|하는\s거))",
    regex.IGNORECASE | regex.DOTALL,
)
_SPEAKS_EN: Final = (
    r"(?:said|says|say|told|tells|goes|went|like|wrote|writes|texted|texts|words|replied|answered|yelled|whispered|admitted"
    r"|announced|claims?|claimed|sings?|sang)"
)
_TELLS_EN: Final = regex.compile(
    rf"""(?:(?P<self>\b(?:I|we)\b) | \b(?P<they>he|she|they|her|his|their|someone|somebody|everyone)\b
      | \b(?:my|our|the|her|his|their|this|that|some|an?)\s+(?:\p{{L}}+\s+){{0,2}}?
        (?:(?P<kin>{KIN_EN})(?!\p{{L}})|\p{{L}}+)
      | (?P<name>(?-i:\b\p{{Lu}}\p{{Ll}}+)))
      [^.!?\"“]{{0,30}}?\b{_SPEAKS_EN}\b[^.!?\"“]{{0,30}}$""",
    regex.VERBOSE | regex.IGNORECASE,
)
_SAYS_SELF: Final = regex.compile(rf"(?i)\b(?:i|we)\s+(?:\p{{L}}+\s)?{_SPEAKS_EN}\b")
_TELLS_KO: Final = regex.compile(
    rf"(?<!\p{{Hangul}})(?P<name>{KIN_KO}|\p{{Hangul}}{{1,6}}?)(?:이|가|은|는|께서)\s(?:[^.!?]{{0,12}}\s)?$"
)
_TELLS_JA: Final = regex.compile(
    rf"(?P<name>{KIN_JA}|[\p{{Han}}\p{{Katakana}}ー]{{1,8}}(?:さん|ちゃん|くん)?)(?:は|が)[^。！？]{{0,12}}$"
)
_SAID_BEHIND: Final = regex.compile(
    r"^\s*(?:이?라고|이?라며|이?라는|이?라[더던]|이?래|하고|하[더던길면]|했|한다|고|라면서|이러|그러)\s?"
    r"|^\s*(?:って|と)(?:.{0,4}(?:言|い|話|教|聞|返|書)|\W*$)|^\s*(?:だって|だと|なんて)"
)
_WORK: Final = regex.compile(
    r"(?i)\b(?:lyrics?|song|poem|novel|film|movie|drama|anime|manga|meme)\b|\bline\s+(?:in|from)\b"
    r"|가사|노래|대사|소설|영화|드라마|만화|애니|歌詞|曲|セリフ|台詞|小説|映画|ドラマ|アニメ|漫画|歌词|台词"
)
"""Where words stand that nobody says of themself."""

_ALL_BUT_ME: Final = regex.compile(
    r"(?i)\b(?:except(?:\s+for)?|apart\s+from|other\s+than|besides|but)\s+me\b"
    r"|(?<!\p{Hangul})(?:나|저|나만|저만|나를|저를)\s?(?:빼고|말고|제외하고|제외)|(?:私|俺|僕|わたし|ぼく|自分)(?:以外|を除い)|除了我"
)
_ALL: Final = regex.compile(
    r"(?i)\b(?:every\s?(?:one|body)|all|whole|rest)\b|(?<!\p{Hangul})다(?:들)?(?!\p{Hangul})|모두|전부|みんな|皆|全員|都|大家"
)


def teller(claim: str, text: str, start: int, end: int) -> Owner | None:
    """The third person whose quotation says "I" and holds more of a claim than what stands around it.

    What is quoted from a song or a story is nobody's.

    Args:
        claim: what a memory would say.
        text: a message.
        start: where the stretch of it that is cited begins.
        end: where that ends.
    """
    for found in _QUOTATION.finditer(text):
        inside = next(filter(None, found.groups()))
        around = text[: found.start()], text[found.end() :]
        touched = found.start() < end and start < found.end()
        if not touched or likeness(claim, [inside]) <= likeness(claim, around):
            continue
        if _WORK.search(sentences(around[0])[-1] if around[0].strip() else ""):
            return Owner(called=None)
        if speaks_of_self(inside):
            return _teller(*around)
    return None


def leaves_out_self(sentence: str) -> bool:
    """Whether a sentence tells of everybody but its speaker: "all drive except me", 나 빼고 다 결혼했어."""
    return _ALL_BUT_ME.search(sentence) is not None and _ALL.search(sentence) is not None


def tells_of_all(claim: str) -> bool:
    """Whether a claim itself speaks of everybody, or of the one that is left out."""
    return _ALL.search(claim) is not None or _ALL_BUT_ME.search(claim) is not None


def _teller(before: str, behind: str) -> Owner | None:
    english = _TELLS_EN.search(before)
    if english is not None:
        own = english["self"] or _SAYS_SELF.search(english.group())
        return None if own else Owner(called=english["kin"] or english["name"])
    if _SAID_BEHIND.match(behind) is None:
        return None
    found = _TELLS_KO.search(before) or _TELLS_JA.search(before)
    return None if found is None or speaks_of_self(found["name"]) else Owner(called=found["name"])
