"""Whether a claim tells as so what its clause tells of former days, or as done what is still ahead (H11).

By tense alone: "as a kid I hated eggs" bears out no "hates eggs", and "we're moving in June" no
"moved". Where a clause says that it goes on ("since", 부터, ずっと), the claim stands.
"""

from __future__ import annotations

from typing import Final
from unicodedata import normalize

import regex

from omoide.domain.grounding.ended import told_as_past
from omoide.domain.grounding.polarity import is_past_ko, syllable
from omoide.domain.grounding.wording import stem

_THEN_EN: Final = regex.compile(
    r"(?i)\bas\s+a\s+(?:little\s|small\s|young\s)?(?:kid|child|boy|girl|teen\p{L}*|student|toddler|baby)\b"
    r"|\b(?:when|while)\s+(?:i|we)\s+(?:was|were|lived)\b|\bback\s+(?:in|then|at|when)\b|\bgrowing\s+up\b|\byears\s+ago\b"
    r"|\bin\s+my\s+(?:\p{L}+\s)?(?:twenties|thirties|forties|teens|youth|childhood|\d0s|last\s\p{L}+|old\s\p{L}+)\b"
    r"|\b(?:in|at)\s+(?:college|uni\p{L}*|(?:\p{L}+\s)?school)\b|\bin\s+those\s+days\b|\buntil\s+(?:last|recently|\d)"
)
_STILL_EN: Final = regex.compile(r"(?i)\b(?:still|since|ever|now(?:adays)?|to\s+this\s+day|these\s+days)\b")
_NOW_EN: Final = regex.compile(
    r"^\W*(?:\p{Lu}\p{Ll}+\s)?(?:(?:also|always|really|usually|often)\s)?(?P<verb>is|\p{L}+s)\s+(?:(?:an?|the|very|in)\s)?(?P<next>\p{L}+)"
)
_HAD_EN: Final = {
    "is": r"\b(?:was|were)",
    "has": r"\bhad",
    "owns": r"\b(?:had|owned)",
    "keeps": r"\b(?:had|kept)",
}

_THEN_KO: Final = regex.compile(
    r"예전|옛날|한때|어릴\s?(?:때|땐|적)|어렸을|꼬[마맹]\p{Hangul}?\s?(?:때|땐)|젊[을었]\p{Hangul}?\s?(?:때|땐)|시절|(?<!\p{Hangul})전에?[는엔]"
    r"|(?:학생|학교|대학|대학교|고등학교|중학교|초등학교|고딩|중딩|군대|군인|신입|신혼|[초중고]등?)\s?(?:때|땐)|(?:직장|회사)\s?다닐\s?(?:때|땐)"
    r"|(?<!\p{Hangul})전\s(?:직장|회사|학교)|(?:작년|재작년|지난달|년\s?전)까지|사[귈길]\s?(?:때|땐)"
)
_TWICE_PAST_KO: Final = regex.compile(normalize("NFD", r"(?<!이)ᆻ었").replace("이", "\u110b\u1175"))
"""쳤었어, 했었어: so once, and no more."""

_STILL_KO: Final = regex.compile(r"부터|이후|이래|아직|지금|여전|계속|쭉|평생|요즘|오늘|어제|아까|방금")
_HAS_KO: Final = regex.compile(r"있다|키[우운]|기[르른]")

_THEN_JA: Final = regex.compile(
    r"(?:(?<!こ)の|[いたる])(?:頃|ころ)|時代|当時|昔|以前|かつて"
    r"|(?:子供|子ども|小さい|学生|大学|高校|中学)の?(?:時|とき)|前の(?:会社|職場|学校|仕事|家)|(?:去年|先月|おととし|一昨年|年前)まで"
)
_STILL_JA: Final = regex.compile(r"から(?!か)|まだ|今も|今でも|ずっと|相変わらず|最近|昨日|今日")
_STATE_JA: Final = regex.compile(
    r"(?P<key>[\p{Han}\p{Katakana}ー]{1,12})\p{Hiragana}{0,3}?(?:かった|だった|[てで]い?た|でした|まし?た|た)"
    r"(?:んだ|んです|もの|よ|ね|な[あぁ]?|の|わ|さ|けど)*\W*$"
)

_FUTURE_EN: Final = regex.compile(
    r"(?i)(?:\b(?:am|is|are)|['’](?:m|s|re))\s+(?:(?:\p{L}+ly|just|so|both|not)\s)*(?:going\s+to|gonna|about\s+to|due\s+to)\b"
    r"|\b(?:will|gonna|wanna|gotta)\b|['’]ll\b|\b(?:plan|hope|intend|need|want|have)(?:n?ing)?\s+to\b"
    r"|(?:(?:\b(?:am|is|are)|['’](?:m|s|re))\s+(?:\p{L}+\s)?\p{L}+ing|\b(?:have|['’]ve\s+got)\s+(?:an?|my|the|our))\b(?=.*\b(?:tomorrow|tonight"
    r"|next|this\s+(?:coming\s)?(?:week\p{L}*|month|year|spring|summer|autumn|fall|winter|\p{L}+day)|soon|(?:mon|tues|wednes|thurs|fri|satur|sun)day|on\s+the\s+\d"
    r"|in\s+(?:january|february|march|april|may|june|july|august|september|october|november|december|\d|an?\s|two|three"
    r"|the\s(?:spring|summer|autumn|fall|winter))))"
    r"|\bgot\s+(?:an?|my|the|our)\b(?=.*\b(?:tomorrow|tonight|next|this\s+coming|soon)\b)"
)
_STATE_EN: Final = regex.compile(r"(?i)\b(?:get(?:ting|s)?|be(?:ing)?)\s+\p{L}+ed\b")
"""A participle that tells of no past: "getting married"."""

_DONE_EN: Final = regex.compile(
    r"(?i)\b(?:been|(?:have|has|['’]ve)\s+(?!got\b|to\b|an?\b|my\b|the\b)\p{L}+)\b"
)
_ARRANGES_EN: Final = regex.compile(
    r"(?i)\b(?:decid|plann|agree|arrang|book|invit|promis|schedul|sign|want|hop|got\s+(?:an?\s|the\s)?(?:job|offer|ticket|interview))"
)
_TO_COME_KO: Final = regex.compile(
    r"려[고구]\s?\p{Hangul}*\W*$|기로\W*$|[\p{Hangul}]\s?(?:거야|거예요|거에요|겁니다|거임|게요?|래요?|예정\p{Hangul}*|계획\p{Hangul}*|생각\p{Hangul}*)\W*$"
)
_SETTLED_KO: Final = regex.compile(r"기로\s?(?:했|정했|결정했|마음\s?먹었)\p{Hangul}*")
_ARRANGED_KO: Final = regex.compile(r"(?P<what>\p{Hangul}{2,})[이가을를]?\s?(?:잡[혔았]|예약[했돼됐])")
_WHEN_KO: Final = regex.compile(
    r"월에|내년|다음|내일|모레|이번\s?(?:주|달)|주말|곧|요일|\d\s?일|(?<!\p{Hangul})(?:봄|여름|가을|겨울)에"
)
"""What makes the present tell of what is to come."""

_GOES_ON_KO: Final = regex.compile(r"(?:서|고|니까|는데|며|면|자|지만|던|한|은|운|중|적|지)\W*$")
_TO_COME_JA: Final = regex.compile(
    r"(?P<key>[\p{Han}\p{Katakana}ー]{1,12})\p{Hiragana}{0,3}?(?:する|[うくぐすつぬぶむる]|ます)"
    r"(?:つもり|予定|こと|だ|です|んだ|んです|の|よ|ね|わ|ぞ|から)*\W*$"
)
_SETTLED_JA: Final = regex.compile(
    r"(?:こと|予定|つもり)に(?:なった|した|なりました|しました|決めた|なってる)"
)
_APPOINTED_JA: Final = regex.compile(
    r"(?:明日|明後日|来[週月年]|今週|今度|今月|次の|[月火水木金土日]曜|\d\s?[月日]).*?(?P<what>[\p{Han}\p{Katakana}ー]{2,})(?:が|は|も)?(?:ある|あります|入って|控えて)"
)
_DID_JA: Final = regex.compile(
    r"(?P<key>[\p{Han}\p{Katakana}ー]{1,12})\p{Hiragana}{0,4}?(?:た|だ|ました)[。\s]*$"
)


def then_only(claim: str, clause: str) -> bool:
    """Whether a clause tells of former days what a claim says is so now.

    Args:
        claim: what a memory would say.
        clause: of what was said.
    """
    if told_as_past(claim) or _THEN_EN.search(claim) or _THEN_KO.search(claim) or _THEN_JA.search(claim):
        return False
    return _then_en(claim, clause) or _then_ko(claim, clause) or _then_ja(claim, clause)


def still_ahead(claim: str, clause: str) -> bool:
    """Whether a clause tells of what is to come what a claim says was done.

    Args:
        claim: what a memory would say.
        clause: of what was said.
    """
    if not told_as_past(claim):
        return False
    return _ahead_en(claim, clause) or _ahead_ko(claim, clause) or _ahead_ja(claim, clause)


def _then_en(claim: str, clause: str) -> bool:
    now = _NOW_EN.match(claim)
    if now is None or _THEN_EN.search(clause) is None or _STILL_EN.search(clause):
        return False
    had = _HAD_EN.get(now["verb"].lower())
    if had is not None:
        return regex.search(rf"(?i){had}\s+(?:\p{{L}}+\s){{0,2}}?{now['next'][:4]}", clause) is not None
    return any(stem(word) == stem(now["verb"].lower()) for word in _past_en(clause))


def _past_en(clause: str) -> list[str]:
    words = (word.lower() for word in regex.findall(r"\p{L}+", _STATE_EN.sub(" ", clause)))
    return [word for word in words if told_as_past(word)]


def _then_ko(claim: str, clause: str) -> bool:
    then = _THEN_KO.search(clause) or _TWICE_PAST_KO.search(normalize("NFD", clause))
    last = clause.split()[-1:]
    if not then or _STILL_KO.search(clause) or not any(map(is_past_ko, last)):
        return False
    past = last[0]
    if past.startswith("있었"):
        return _HAS_KO.search(claim) is not None
    verbs = regex.findall(r"(?<!\p{Hangul})\p{Hangul}+(?:다|고|며|지만)(?!\p{Hangul})", claim)
    does = "했" in past and past[:2] in claim
    return does or any(syllable(verb) == syllable(past) for verb in verbs)


def _then_ja(claim: str, clause: str) -> bool:
    if _THEN_JA.search(clause) is None or _STILL_JA.search(clause):
        return False
    state = _STATE_JA.search(clause)
    return state is not None and state["key"][-2:] in claim


def _ahead_en(claim: str, clause: str) -> bool:
    if _FUTURE_EN.search(clause) is None or _ARRANGES_EN.search(claim) or _DONE_EN.search(clause):
        return False
    done = _past_en(claim)
    said = {word.lower() for word in regex.findall(r"\p{L}+", clause)}
    return not said.intersection(done[:1]) and not set(_past_en(clause)) - {"got"}


def _ahead_ko(claim: str, clause: str) -> bool:
    *before, done = claim.split()
    if not is_past_ko(done):
        return False
    arranged = _ARRANGED_KO.search(clause)
    if arranged is not None:
        return arranged["what"][:2] in claim and not regex.search(r"잡[혔았]|예약|약속", claim)
    plain = _SETTLED_KO.sub("기로", clause)
    words = plain.split()
    if not words or any(map(is_past_ko, words)):
        return False
    to_come = _TO_COME_KO.search(plain) is not None
    if not to_come and (_GOES_ON_KO.search(words[-1]) or _WHEN_KO.search(plain) is None):
        return False
    said = words[-3:] if to_come else words[-1:]
    verb = f"{before[-1]} {done}" if before and done.startswith("했") else done
    return not regex.search(r"(?:고|기로)\s", verb) and any(syllable(word) == syllable(verb) for word in said)


def _ahead_ja(claim: str, clause: str) -> bool:
    done = _DID_JA.search(claim)
    plain = _SETTLED_JA.sub("予定", clause)
    if done is None or regex.search(r"た(?:[。、!！\s]|よ|ね|の|けど|から|んだ|$)", plain):
        return False
    appointed = _APPOINTED_JA.search(plain)
    if appointed is not None:
        return appointed["what"] in claim
    ahead = _TO_COME_JA.search(plain)
    return ahead is not None and ahead["key"][-1] == done["key"][-1]
