"""Whether words tell of an end where a claim says that something goes on: 담배 끊었어, "my cat died" (H11).

What somebody gave up they do no more; what they sold, lost or buried they do not have. A claim that itself
tells of the end, or of the past, stands.
"""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.claims import content, negative
from omoide.domain.grounding.ended import told_as_past
from omoide.domain.grounding.wording import Heard

_GAVE_UP_EN: Final = regex.compile(
    r"(?i)\b(?:(?:have\s+|['’]ve\s+)?(?:stopped|quit|quitted|ceased)|(?:gave|given|giving)\s+up(?:\s+on)?"
    r"|(?:am|['’]m)\s+done\s+with|dropped\s+out\s+of|(?:got\s+)?(?:fired|sacked|laid\s+off)\s+from"
    r"|(?:broke|split)\s+up\s+with|resigned\s+from|retired\s+from)\s+(?!(?:at|by|in|to|for|off)\b)(?P<what>[^,.;!?]+)"
)
_LOST_EN: Final = regex.compile(
    r"(?i)\b(?:sold|lost|gave\s+away|got\s+rid\s+of|returned|buried)\s+(?:my|our|the)\s+(?P<what>[^,.;!?]+)"
    r"|\b(?:my|our)\s+(?P<gone>(?:\p{L}+\s+){0,2}?\p{L}+)\s+(?:has\s+|just\s+|sadly\s+)*(?:died|passed\s+away|ran\s+away"
    r"|is\s+(?:dead|gone)|was\s+stolen|went\s+to\s+heaven|crossed\s+the\s+rainbow)\b"
    r"|\bput\s+(?:my|our)\s+(?P<gone>(?:\p{L}+\s+){0,2}?\p{L}+)\s+(?:down|to\s+sleep)\b"
)
_GAVE_UP_KO: Final = regex.compile(
    r"(?P<what>\p{Hangul}{1,10}?)(?:을|를|은|는|도)?\s?(?:이제\s|아예\s|완전히\s)?"
    r"(?:끊었|끊은|그만[뒀두]|관[뒀두]|때려[쳤치]|접었|자퇴|중퇴|퇴사|퇴직|탈퇴|졸업|폐업)"
)
_LOST_KO: Final = regex.compile(
    r"(?P<what>\p{Hangul}{1,10}?)(?:을|를|은|는|도|이|가)?\s?(?:\p{Hangul}{1,8}\s){0,2}?"
    r"(?:팔았|팔아\s?버|잃어\s?버|죽었|죽어\s?버|떠나보냈|무지개\s?다리|하늘나라|세상을?\s떠)"
)
_GAVE_UP_JA: Final = regex.compile(
    r"(?P<what>[\p{Katakana}ー]{2,20}|\p{Han}{1,6}|\p{Hiragana}{2,5}?)[はをも]?(?:もう|完全に)?(?:(?:や|辞|止)め[たてちま]|中退|退学|退職|退会|卒業し)"
)
_LOST_JA: Final = regex.compile(
    r"(?P<what>[\p{Katakana}ー]{2,20}|\p{Han}{1,6})[はをもが]?、?(?:もう|結局|去年|先月|昨日|先週|今朝|この前)?"
    r"(?:売っ[たち]|売りました|手放し|死ん[だじ]|死にま|亡くな[っり]|なくし[たち]|天国[にへ]|虹の橋|旅立っ)"
)
_NOT_NOW: Final = regex.compile(
    r"(?i)\b(?:but|though)?\s*not\s+(?:any\s?more|now|these\s+days|any\s+longer)\b|\b(?:but|though)\s+now\s+i\s+(?:don['’]?t|hate)"
    r"|(?:지금|이제|이젠|요즘)(?:은|는|엔)?\s(?:아니|안\s|안해|못\s|싫|별로)"
    r"|今は(?:違|もう|そう(?:じゃ|で)|嫌|苦手|全然)|もう違う|现在不|现在已经不"
)
_ANOTHER: Final = regex.compile(
    r"(?i)\b(?:another|other|new|still|one\s+of|second)\b|다른|또\s|새로|아직|한\s?마리는|別の|新し|まだ|もう一|还有"
)
_OWNS: Final = regex.compile(
    r"(?i)\b(?:has|have|own(?:s|er)?|keeps?|drives)\b|있|키[우운]|기[르른]|가[지졌]|집사|주인|飼|持|いる|ある|有|养"
)


def ceased(claim: str, clause: str, sentence: str) -> bool:
    """Whether something that a claim says goes on came to an end in the words that it rests on.

    Args:
        claim: what a memory would say.
        clause: of what was said.
        sentence: in which the clause stands; what follows in it may take back what the clause says.
    """
    if negative(claim) or told_as_past(claim):
        return False
    if _NOT_NOW.search(sentence[sentence.find(clause) :]) and not _NOT_NOW.search(claim):
        return True
    gave_up = (_GAVE_UP_EN, _GAVE_UP_KO, _GAVE_UP_JA)
    if any(_is_of(claim, found) for one in gave_up for found in one.finditer(clause)):
        return True
    if _OWNS.search(claim) is None or _ANOTHER.search(sentence):
        return False
    lost = (_LOST_EN, _LOST_KO, _LOST_JA)
    return any(_is_of(claim, found) for one in lost for found in one.finditer(sentence, overlapped=True))


_DIED: Final = (
    r"(?:died|dies|is\s+dead|passed\s+away|did(?:\s+not|n['’]t)\s+(?:make\s+it|survive)|put\s+(?:down|to\s+sleep)"
    r"|crossed\s+the\s+rainbow|죽었|죽은|세상을?\s?떠|숨을\s?거|무지개\s?다리|하늘나라|안락사|死ん|死亡|亡くな|天国|虹の橋|旅立|安楽死"
    r"|死了|去世)"
)
_LOST: Final = r"\b(?:lost|buried|put\s+down)\b"
_CALLED: Final = regex.compile(
    r"(?<!^)(?<![.!?]\s)(?<=\s)(?P<name>\p{Lu}\p{L}{2,})"
    r"|(?P<name>\p{Hangul}{1,6}?)이?(?:라는|라고\s?[하부])|(?P<name>[\p{Katakana}ー\p{Han}]{1,8}|\p{Hiragana}{2,6}?)(?:という|と呼)"
    r"|(?:강아지|고양이|반려[견묘]|햄스터|토끼)\s(?P<name>\p{Hangul}{1,6}?)(?=이?[가를는은의와]|에게|한테|랑|\s)"
    r"|(?:愛犬|愛猫|犬|猫|うさぎ|ハムスター|インコ)の(?P<name>[\p{Katakana}ー\p{Han}]{1,8}|\p{Hiragana}{2,6}?)(?=[がをにはとのも]|$)"
)
_CARES: Final = regex.compile(
    r"(?i)\b(?:gives?|feeds?|walks?|takes?|lives?\s+with|shares?|looks?\s+after|cares?\s+for|sleeps?\s+with)\b"
    r"|살고|산다|준다|주고|먹[이인]|놓[는아]|산책|돌[보본]|챙[기긴]|あげ|与え|やって|打っ|散歩|世話|暮ら|住"
)


def called(text: str) -> frozenset[str]:
    """Names that a fact has for somebody or something: "has a cat called Bo", 보리라는 개를 키운다."""
    return frozenset(found["name"] for found in _CALLED.finditer(text))


def dies(name: str, text: str) -> bool:
    """Whether a text tells that whom it names died."""
    who = regex.escape(name)
    return regex.search(rf"(?i){who}[^.!?。]{{0,60}}?{_DIED}|{_LOST}[^.,;]{{0,30}}{who}", text) is not None


def outlived(fact: str, name: str) -> bool:
    """Whether a fact has or looks after somebody of this name, as nobody does who has died."""
    present = not (negative(fact) or told_as_past(fact))
    return present and name in fact and bool(_OWNS.search(fact) or _CARES.search(fact))


def _is_of(claim: str, found: regex.Match[str]) -> bool:
    """Whether a claim is of the thing that came to an end: the first that is named."""
    groups = found.groupdict()
    what = groups["what"] or groups.get("gone") or ""
    words = [word for word in regex.findall(r"[\p{L}ー]+", what) if content(word) or len(word) == 1]
    pieces = content(words[0]) if words else frozenset()
    said = Heard([claim])
    return any(piece in said for piece in pieces) or (bool(words) and not pieces and words[0] in claim)
