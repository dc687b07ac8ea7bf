"""Whether a clause tells in the plain past what a claim says is so now: "I lived in Busan" (H11, F20).

Only states, whose past means that they are over; "I bought a car" and "I moved to Busan" say how things are.
Where the clause leaves that open, as with a length of time or "yesterday", the claim stands.
"""

from __future__ import annotations

from unicodedata import normalize

import regex

_STATES_EN = {
    "lived": r"lives?|living",
    "worked": r"works?|working",
    "studied": r"stud(?:y|ies|ying)",
    "taught": r"teach(?:es|ing)?",
    "owned": r"owns?|has|have",
    "rented": r"rents?|renting",
    "attended": r"attends?|attending",
    "belonged": r"belongs?",
    "dated": r"dates?|dating",
    "smoked": r"smok(?:es?|ing)",
    "had": r"has|have|owns?|keeps?",
    "was": r"is|am|are",
    "were": r"is|am|are",
}
_PAST_EN = regex.compile(
    r"(?i)(?<!\p{L})(?:i|we|he|she|they|(?:my|our)\s+\p{L}+)\s+(?:(?:only|just|also|once|always|briefly)\s+)?"
    rf"(?P<verb>{'|'.join(_STATES_EN)})\s+(?P<rest>.+)"
)
_EVENT_EN = regex.compile(
    r"(?i)(?:\p{L}{2,}(?:ed|ing)|been|born|told|given|made|taught|hit|to|better|gone|left|got)\b"
    r"|(?:(?:a|an|my|our|the|another|two|three)\s+)?(?:\p{L}+\s+)?(?:baby|babies|child(?:ren)?|kids?|sons?"
    r"|daughters?|twins?|girl|boy)\b"
)
_OPEN_EN = regex.compile(
    r"(?i)\b(?:still|since|ever|lately|recently|yesterday|today|tonight|last\s+night|this\s+\p{L}+|earlier"
    r"|just\s+now|always)\b"
)
_LIGHT_EN = frozenset(("a", "an", "the", "in", "at", "on", "for", "with", "of", "to", "as", "my", "our"))

_STATES_KO = (
    (r"살았", r"산다|살고\s?있"),
    (r"다녔", r"다닌다|다니고\s?있"),
    (r"(?:일|근무)했", r"(?:일|근무)한다|(?:일|근무)하고\s?있"),
    (r"키웠|길렀", r"키운다|키우고\s?있|기른다|기르고\s?있"),
    (r"피웠", r"피운다|피우고\s?있"),
    (r"사귀었|사귔", r"사귄다|사귀고\s?있|사귀는"),
)
_GOING_ON_KO = regex.compile(r"(?P<verb>\p{Hangul}{1,20}고)\s?있었")
_NOUN_KO = regex.compile(r"(?P<noun>\p{Hangul}{2,20}?)(?:이었|였)(?=[어다지거는습음])")
_OPEN_KO = regex.compile(
    r"아직|지금도|여전히|계속|쭉|내내|평생|오래|부터|째|\d\s?(?:년|개월|달)|[일이삼사오육칠팔구십몇]\s?년"
    r"|오늘|어제|어젯밤|아까|방금|요즘|최근"
)

_GOING_ON_JA = regex.compile(
    r"(?P<verb>[\p{Han}\p{Katakana}ー]\p{Hiragana}{0,3}?[てで])い?(?:た|ました)(?!い)"
)
_NOUN_JA = regex.compile(r"(?P<noun>[\p{Han}\p{Katakana}ー]{2,20})(?:だった|でした)")
_OPEN_JA = regex.compile(r"まだ|今も|今でも|相変わらず|昨日|今日|さっき|今朝|夕べ|昨夜|最近|ずっと前から")


def ended(claim: str, clause: str) -> bool:
    """Whether a clause tells as past, without leaving it open, what a claim says is so.

    Args:
        claim: what a memory would say.
        clause: of what was said.
    """
    return _ended_en(claim, clause) or _ended_ko(claim, clause) or _ended_ja(claim, clause)


def _ended_en(claim: str, clause: str) -> bool:
    found = _PAST_EN.search(clause)
    if found is None or _OPEN_EN.search(clause) or _EVENT_EN.match(found["rest"]):
        return False
    now = regex.compile(rf"(?i)\b(?:{_STATES_EN[found['verb'].lower()]})\b")
    if now.search(claim) is None or now.search(clause):
        return False
    of = next((word for word in _words(found["rest"]) if word not in _LIGHT_EN), "")
    return len(of) > 1 and any(word[:4] == of[:4] for word in _words(claim))


def _words(text: str) -> list[str]:
    return [word.lower() for word in regex.findall(r"[\p{Latin}'’]+", text)]


def _ended_ko(claim: str, clause: str) -> bool:
    if _OPEN_KO.search(clause):
        return False
    for past, now in _STATES_KO:
        if regex.search(rf"(?<!\p{{Hangul}}){past}", clause):
            return regex.search(rf"(?<!\p{{Hangul}})(?:{now})", claim) is not None
    going_on = _GOING_ON_KO.search(clause)
    if going_on is not None:
        return regex.search(rf"{going_on['verb']}\s?있(?!었)", claim) is not None
    noun = _NOUN_KO.search(clause)
    return (
        noun is not None
        and regex.search(rf"{noun['noun']}(?:이다|다|이며|이고)(?!\p{{Hangul}})", claim) is not None
    )


def _ended_ja(claim: str, clause: str) -> bool:
    if _OPEN_JA.search(clause):
        return False
    going_on = _GOING_ON_JA.search(clause)
    if going_on is not None and regex.search(rf"{going_on['verb']}い?(?:る|ます)", claim):
        return True
    noun = _NOUN_JA.search(clause)
    return noun is not None and regex.search(rf"{noun['noun']}(?:だ(?!っ)|である|です)", claim) is not None


_TOLD_PAST = regex.compile(
    r"(?i)^\W*(?:(?-i:\p{Lu}\p{Ll}+)\s)?(?:has\s)?(?:(?:once|also|first|already|only|just|never)\s)?"
    r"(?:was|were|had|did|used\s+to|went|left"
    r"|quit|grew|got|met|took|came|saw|bought|sold|lost|won|broke|gave|found|felt|kept|told|made|wrote|drove|taught"
    r"|sent|began|fell|ran|ate|drank|spent|held|built|hurt|flew|became|chose|knew|threw|wore|spoke|stole|rode|slept|paid|\p{L}{2,}ed)\b"
    r"|(?:た|だった|でした|(?<!な)んだ)[。.!\s]*$|(?:了|过|過)[。.!\s]*$|^\W*(?:曾|以前|从前)"
)
_LAST_KO = regex.compile(r"(?P<stem>\p{Hangul})(?:다|음|습니다|어요|어)[.!\s]*$")


def told_as_past(claim: str) -> bool:
    """Whether a claim itself tells of what is past, and so stays true: 제대했다, "lived in Busan"."""
    last = _LAST_KO.search(claim)
    past_ko = last is not None and "ᆻ" in normalize("NFD", last["stem"]) and last["stem"] not in "있겠"
    return past_ko or _TOLD_PAST.search(claim) is not None
