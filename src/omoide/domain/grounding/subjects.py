"""Whether a clause has another subject than its speaker, by grammar: 윗집 사람이, 隣の人が, "the guy" (H12).

Relatives and names are read by `kin`, `others` and `unlisted`. Here nothing needs a name: a word for somebody
in the subject's place, a verb in the third person, an honorific (nobody honours themself), and what is told
of somebody in front of the word for them: 소주 세 병 마신 사람. What is not understood stays the speaker's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.grounding.claims import likeness
from omoide.domain.grounding.common_words import EN
from omoide.domain.grounding.kin import (
    AHEAD,
    KIN_EN,
    KIN_JA,
    KIN_KO,
    ends_in_nieun,
    names_somebody,
    passes_on,
    speaks_of_self,
)
from omoide.domain.text import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_A: Final = r"(?:the|my|our|this|that|some|an?|one|no|every|another|his|her|their|each)"
_SOMEBODY_EN: Final = (
    rf"(?:(?:gentle|police|fire|sales)?(?:wo)?man|guy|girl|boy|bloke|dude|lady|lad|chap|fella|person|someone|somebody"
    r"|hero(?:ine)?|protagonist|character|landlord|landlady|(?:house|team|class|school|work)?mate|buddy|pal|crush"
    r"|doctor|nurse|tenant|lodger|intern|tutor|lecturer|professor|supervisor|client|customer|student|singer|actor"
    rf"|\p{{L}}{{3,}}(?:ician|ologist)|dentist|therapist|barista|{KIN_EN})"
)
_SUBJECT_EN: Final = regex.compile(
    rf"(?i){AHEAD}(?:{_A}\s+(?:\p{{L}}[\p{{L}}'’-]*\s){{0,2}}?(?P<who>{_SOMEBODY_EN})|(?P<who>someone|somebody|no\s?one|nobody))"
    r"(?!\p{L}|['’])(?P<rest>\s.+)"
)
_THIRD: Final = regex.compile(r"(?i)^(?P<verb>is|was|has|(?!always|sometimes)\p{L}{2,}s)\s+(?P<next>\p{L}+)")
_SAME_VERB: Final = {"is": r"(?:\b(?:is|was)|['’]s)", "was": r"\bwas", "has": r"(?:\bhas|['’]s\s+got)"}
_ANOTHER_EN: Final = regex.compile(
    rf"(?i)^{AHEAD}(?:in\s+[^,]{{1,20}}?\s)?(?:{_A}\s+\p{{L}}|he\b|she\b|someone\b|somebody\b|no\s?one\b|nobody\b)"
    r"|\b(?:someone|somebody|people|guy|man|woman|girl|boy|friend|person)\s+(?:who|that)\s+$"
)
_APPOSED_EN: Final = regex.compile(rf"(?i){AHEAD}{_A}\s+(?:\p{{L}}+\s)?{_SOMEBODY_EN}[^,]{{0,20}},\s*$")
_BY_NAME_EN: Final = regex.compile(rf"{AHEAD}(?P<name>\p{{Lu}}\p{{Ll}}{{2,}})\s")
_OF_SELF_EN: Final = regex.compile(
    rf"(?i)^{AHEAD}i\s*(?:['’]m|am)\s|\b(?:me|i)\s+(?:who\s+|that\s+)?$|(?<!\bno\s?one\s.{{0,20}}|\bnobody\s.{{0,20}})"
    r"\b(?:famil\w+|household|name|type|job|diet|sign|religion|background|accent|age|style|birthday|house|home|place"
    r"|flat|apartment|car|garden|room|kitchen|half|side)\s*$"
)
"""What makes a third person one's own: "I'm the one who cooks", "my diet is vegan", "our flat has a bath"."""

_I: Final = regex.compile(
    rf"(?i){AHEAD}(?:i(?:['’](?:m|ve|ll|d))?\s|(?:난|전|나는|나도|내가|저는|저도|제가|나|저)[\s,]"
    r"|(?:私|わたし|あたし|僕|ぼく|俺|おれ|うち)(?:[はもが、,\s]|って)|我(?!们))"
)
_OTHERS: Final = regex.compile(
    r"(?i)\b(?:we|us|our|you|your|them|their|him|everyone|everybody|people)\b"
    r"|우리|너|네가|니가|당신|걔|쟤|얘|그\s?(?:애|사람|분|친구)|다들|あなた|君|あいつ|あの(?:人|子)|みんな|你|我们|大家"
)
_SOMEBODY_KO: Final = (
    rf"(?:\p{{Hangul}}+님|[그이저]\s?분|사람|(?:(?<=\s)|[그이저])애|녀석|놈|남자|여자|아저씨|아줌마|아주머니|\p{{Hangul}}*학생"
    rf"|후배|동료|이웃|짝꿍|지인|애인|동기|조카|매니저|코치|선생|의사|강사|교수|주인공?|집주인|알바생|{KIN_KO})"
)
_SUBJECT_KO: Final = regex.compile(
    rf"{AHEAD}(?P<ahead>(?:\p{{Hangul}}+\s){{0,3}}?)(?P<who>{_SOMEBODY_KO})"
    r"(?:(?P<topic>은|는|도)|(?P<doer>이|가|께서)|(?=\s))\s(?P<rest>.+)"
)
_NO_DOING_KO: Final = regex.compile(
    r"(?:됐|되|된|돼|아니|있|없|많|적|생[기겼길]|필요|좋|싫|무서|그[립리]|부러|보고\s?싶|걱정|때문)"
)
_REASON_KO: Final = regex.compile(r"(?:[아어해여와돼파려라]서|니까|려고|느라|면|길래|바람에)\s")
_HONOURS_KO: Final = regex.compile(
    r"(?:(?<![마모쑤부적다역혹즉잠도택접몹일낚무표가감번수동임필당주키고])(?:으?셔|으?셨|으?시(?:는데|고|대|더라|네|지|죠|거든|잖))"
    r"|[하가오]신대|드신|계[시셔신셨])(?=\p{Hangul}{0,4}\W*$)"
)
_SAYS_KO: Final = regex.compile(r"[라다자냐]고\s?하[시셨셔]|말씀하|줬|주[셨셔시]|주신")
_DESCRIBED_KO: Final = regex.compile(
    r"^(?P<inside>.+\p{Hangul})\s(?P<who>사람|애|친구|놈|분|녀석|남자|여자)(?:이|가|은|는|도|을|를|한테|랑|하고|들)(?P<rest>.*)"
)
_SOMEBODY_JA: Final = (
    r"(?:(?<![一二三四五\d何])人|ひと|やつ|奴|(?<=[のなたるい])子|お[じば]さん|男性?|女性?|店員|住人|大家|主人公|ヒロイン|選手|歌手"
    rf"|俳優|管理人|\p{{Han}}(?<![身成延特助細])長|[\p{{Han}}\p{{Katakana}}ー]{{1,6}}さん|{KIN_JA})"
)
_SUBJECT_JA: Final = regex.compile(
    rf"{AHEAD}(?P<ahead>[^、。「はがもを]{{0,12}}?)(?P<who>{_SOMEBODY_JA})(?:は|も|って|(?P<doer>が))(?P<rest>[^、。].*)"
)
_NO_DOING_JA: Final = regex.compile(
    r"(?:いる|いた|いな|多|少な|ほし|欲し|必要|好|大好|嫌|苦手|怖|羨|うらやま|心配|恋し|いい|良)"
)
_ADNOMINAL_JA: Final = regex.compile(r"[たるうくいな](?=[\p{Han}\p{Katakana}])")
_HONOURS_JA: Final = regex.compile(r"いらっしゃ|おっしゃ|召し上が|ご存[じ知]|なさ[るいっ]")
_DESCRIBED_JA: Final = regex.compile(
    r"^(?P<inside>[^「」]+[ただるうくすつぬむぶぐいな])(?P<who>人|ひと|やつ|奴|子|方|男|女)(?:が|も|は|に|を|と|から)(?P<rest>.*)"
)
_TOPIC_SELF: Final = regex.compile(r"(?<!\p{L})(?:나|난|나는|나도|저|저는|전|내가|제가)\s|私は|俺は|僕は")
_MINE_JA: Final = regex.compile(r"(?:うち|私|僕|俺|わたし|自分)の")


def anothers(
    clause: str,
    claim: str,
    *,
    ahead: Sequence[str] = (),
    own: Collection[str] = (),
    planned: bool = False,
) -> bool:
    """Whether the clause that a claim about its speaker rests on has somebody else for its subject.

    Args:
        clause: of what somebody said.
        claim: what a memory would say of the speaker.
        ahead: the clauses of the message that stand ahead of it, in order.
        own: names of the speaker.
        planned: the claim is a plan, which what happens by itself may tell: "the train leaves at six".
    """
    return (
        _another_en(clause, claim, ahead=ahead, own=own, planned=planned)
        or _another_ko(clause, claim)
        or _another_ja(clause, claim)
    )


def _another_en(
    clause: str, claim: str, *, ahead: Sequence[str], own: Collection[str], planned: bool
) -> bool:
    found = _SUBJECT_EN.match(clause)
    if found is not None and not (speaks_of_self(found["rest"]) or passes_on(found["rest"])):
        suffered = regex.match(r"(?i)(?:was|had|been)\s", claim) is not None  # "the dentist pulled a tooth"
        return found["who"].lower() not in claim.lower() and not suffered
    return not planned and _in_third_person(clause, claim, ahead=ahead, own=own)


def _in_third_person(clause: str, claim: str, *, ahead: Sequence[str], own: Collection[str]) -> bool:
    """Whether a claim says of the speaker, in the third person, what the clause has in the third person."""
    speakers = set(map(fold, own))
    words = [word for word in claim.split() if fold(word) not in speakers]
    claimed = _THIRD.match(" ".join(words))
    if claimed is None:
        return False
    verb = _SAME_VERB.get(claimed["verb"].lower(), rf"\b{claimed['verb']}")
    same = rf"(?i)^(?P<before>.*?)\s*{verb}(?:\s\p{{L}}+){{0,2}}?\s+{claimed['next'][:4]}"
    found = regex.match(same, clause)
    if found is None:
        return False
    before = f"{found['before']} " if found["before"] else ""
    if not before and ahead and _APPOSED_EN.match(ahead[-1]):  # "Ines, my neighbour, collects stamps"
        return True
    named = _BY_NAME_EN.match(before) if claimed["verb"].lower() not in _SAME_VERB else None
    adverb = named is not None and named["name"].endswith("ly")
    if named is not None and not adverb and fold(named["name"]) not in {*speakers, *EN}:
        return True
    return _ANOTHER_EN.search(before) is not None and _OF_SELF_EN.search(before) is None


def _another_ko(clause: str, claim: str) -> bool:
    described = _DESCRIBED_KO.match(clause)
    if described is not None and ends_in_nieun(described["inside"]) and _tells_of(described, claim):
        return True
    found = _SUBJECT_KO.match(clause)
    if found is None or _names(found["who"], claim):
        return False
    rest = found["rest"]
    if _speaks_too(found["ahead"]) or speaks_of_self(rest) or _NO_DOING_KO.match(rest):
        return False
    if _HONOURS_KO.search(rest) and not _SAYS_KO.search(rest):
        return True
    if passes_on(rest) or not (found["topic"] or found["doer"]):
        return False
    of_a_noun = any(ends_in_nieun(word) for word in rest.split()[:-1])
    return not (found["doer"] and (of_a_noun or _REASON_KO.search(rest)))


def _another_ja(clause: str, claim: str) -> bool:
    described = _DESCRIBED_JA.match(clause)
    if described is not None and _tells_of(described, claim):
        return True
    found = _SUBJECT_JA.match(clause)
    if found is None or _names(found["who"], claim):
        return False
    rest = found["rest"]
    if _speaks_too(_MINE_JA.sub("", found["ahead"])) or speaks_of_self(rest) or _NO_DOING_JA.match(rest):
        return False
    if _HONOURS_JA.search(rest):
        return True
    return not (passes_on(rest) or (found["doer"] and _ADNOMINAL_JA.search(rest)))


def _tells_of(described: regex.Match[str], claim: str) -> bool:
    """Whether a claim holds what is told of somebody in front of the word for them, and not that word."""
    inside, rest = described["inside"], described["rest"]
    if speaks_of_self(inside) or _names(described["who"], claim):
        return False
    return likeness(claim, [inside]) > likeness(claim, [rest])


def tells_of_its_speaker(said: str, *, names: Collection[str]) -> bool:
    """Whether a sentence has its speaker for a subject, and speaks of nobody else, these names included."""
    elsewhere = names_somebody(said) or _OTHERS.search(said) is not None
    return _I.match(said) is not None and not elsewhere and not any(_names(name, said) for name in names)


def _names(who: str, claim: str) -> bool:
    return who.removesuffix("님") in claim


def _speaks_too(ahead: str) -> bool:
    return _TOPIC_SELF.search(ahead) is not None
