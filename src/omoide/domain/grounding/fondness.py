"""Claims that somebody loves or takes what they never do: "is a meat lover" of "I don't eat meat"."""

from __future__ import annotations

import regex

from omoide.domain.grounding.claims import content

_FOND = regex.compile(
    r"(?i)\b(?:lovers?|fans?|enthusiasts?|fanatics?|fond|addicts?|lov(?:e|es|ing)|lik(?:e|es)|enjoys?|ador\w+|into)\b"
    r"|애호가|마니아|매니아|덕후|좋아|사랑|즐[겨기긴]|愛好|好き|マニア|ファン|大好|爱好|喜欢|迷$"
)
_TAKES = regex.compile(r"(?i)\b(?:eats?|drinks?|smokes?|takes)\b|마[시신셔]|먹는|飲む|飲んで|食べ(?:る|て)")
_NEGATIVE = regex.compile(
    r"(?i)\b(?:not|cannot|no|never|dis\w+|hat(?:e|es)|without)\b|n['’]t\b|않|안\s|못|싫|없|ない|嫌|苦手|不|没"
)
_SHUNNED = regex.compile(
    r"(?i)\b(?:don['’]?t|do\s+not|never|can['’]?t|cannot|won['’]?t)\s+(?:even\s+|really\s+)?"
    r"(?:eat|drink|touch|watch|play|read|have|do|listen\s+to)\s+(?P<en>[\p{L}\s]{2,30})"
    r"|\b(?:wouldn['’]?t|won['’]?t|don['’]?t|can['’]?t|never)\s+(?:ever\s+)?(?:touch|go\s+near|care\s+for)\s+(?P<en>[\p{L}\s]{2,30})"
    r"|\bnot\s+(?:a\s+(?:big\s+)?fan\s+of|into|big\s+on|keen\s+on)\s+(?P<en>[\p{L}\s]{2,30})"
    r"|(?P<ko>\p{Hangul}{1,8}?)(?:는|은|를|을|도)?\s(?:입에도|입도|손도|쳐다도|거들떠도)\s?안\s?(?:대|봐|보|댄)"
    r"|(?P<ja>[\p{Han}\p{Katakana}ー]{1,8})(?:だけ)?(?:は|も)(?:一切|絶対)?(?:口にし|手をつけ)ない"
    r"|(?P<ko>\p{Hangul}{1,8}?)(?:는|은|를|을|도)?\s(?:아예\s|절대\s|전혀\s)?(?:안|못)\s?(?:먹|마[셔시]|봐|보|해|들)"
    r"|(?P<ja>[\p{Han}\p{Katakana}ー]{1,8})(?:は|を|も)(?:一切|全然|まったく)?(?:食べ|飲ま|見|やら|聞か|聴か)(?:られ)?ない"
)


def loves_what_is_shunned(claim: str, clause: str) -> bool:
    """Whether a claim is fond of, or takes, what a clause says its speaker never eats, drinks or does."""
    found = _SHUNNED.search(clause)
    wants = _FOND.search(claim) or _TAKES.search(claim)
    if found is None or not wants or _NEGATIVE.search(claim) or _FOND.search(clause[: found.start()]):
        return False
    noun = found["en"] or found["ko"] or found["ja"]
    held = content(noun) or {noun}
    return bool(held & content(claim)) or noun.strip() in claim
