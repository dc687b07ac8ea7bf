"""Whose fact a clause tells that names somebody: "My friend Mia hates football", 민지는 (F31).

A relative or friend without a name is read by `kin`. Here it is a name, or a word for somebody whose words
are passed on: "My boss says he plays golf". No list holds all names, so a word counts as one by what stands
around it, by being known as one, or by being among the commonest. What is no subject stays the speaker's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from omoide.domain.grounding.kin import (
    AHEAD,
    KIN_EN,
    KIN_JA,
    KIN_KO,
    WITH_THEM_JA,
    WITH_THEM_KO,
    Owner,
    describes_a_noun,
    goes_on,
    hearsay,
    speaks_of_self,
)
from omoide.domain.text import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_EN = regex.compile(
    rf"""{AHEAD}(?:(?:my|our)\s+(?:\p{{L}}+\s){{0,2}}?)?(?P<kin>{KIN_EN})?(?(kin),?(?:\s|(?!\p{{L}})))
    (?P<name>(?-i:\p{{Lu}}\p{{Ll}}+)(?!\p{{L}}))?(?:\s(?-i:\p{{Lu}}\p{{Ll}}+))?
    (?P<from>\s(?:from|at|in)\s(?:my\s|the\s|our\s)?(?:work|school|class|college|uni\p{{L}}*|office|church|gym|club
      |team|accounting|sales|hr|dorm|next\s+door|upstairs|downstairs)(?!\p{{L}}))?(?P<rest>\s.*|(?<=\s).*)""",
    regex.VERBOSE | regex.IGNORECASE | regex.DOTALL,
)
_REPORTS_EN = regex.compile(
    r"(?i)\s*(?:\p{L}+ly\s|just\s|also\s|once\s)?(?:says?|said|told\s+(?:me|us)|tells\s+(?:me|us)|mentioned|swears)\b"
    r"(?:\s+to\s+(?:me|us))?(?:\s+that)?(?:\s+(?P<they>he|she|they)(?=['’\s])(?P<inner>.*))?",
    regex.DOTALL,
)
_HUMAN_EN = regex.compile(
    r"(?i)\s*(?:(?:also|really|just|never|always|only|absolutely|still|even)\s+)*(?:loves|hates|likes|plays|lives|works\s+(?:as|at|in|for)"
    r"|wants|thinks|prefers|collects|speaks|studies|teaches|drinks|eats|smokes|drives|owns|enjoys|dislikes|adores"
    r"|knows|believes|worries|can['’]?t\s+stand"
    r"|(?:is|was)\s+(?:(?:a|an)\s+)?(?:vegan|vegetarian|allergic|pregnant|married|single|divorced|left-handed))\b"
)
_NO_NAME_EN_WORDS = """
    i you he she it we they this that these those there here who what someone somebody everyone
    everybody nobody anyone people mine yours work school life love music today tomorrow yesterday
    tonight also still just really only now then even always never maybe perhaps sometimes often
    again already soon lately monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december korean japanese
    english chinese god
"""
_NO_NAME_EN = frozenset(_NO_NAME_EN_WORDS.split())
_GIVEN_EN_WORDS = """
    tom mia mina jisoo minji john james mike michael david daniel chris alex ben max jack emma
    olivia anna sarah sara laura lisa lucy julia kate emily amy anne alice maria peter paul mark
    luke adam leo lena nina hana yuna yuki sakura kenta haruto aoi jiho minho jimin suji hyejin
    robert richard thomas william george henry oliver ethan noah liam sophie sophia chloe grace ella
    rachel rebecca jessica jennifer ashley megan kevin brian eric ryan jason tim joe sam bob bill
    nick matt andy tony steve greg carl karen linda susan nancy
    mum mom mummy mommy dad daddy grandma grandpa granny grandad granddad nana auntie uncle
"""
_GIVEN_EN = frozenset(_GIVEN_EN_WORDS.split())
_KO = regex.compile(
    rf"""{AHEAD}(?:(?:우리|내|제|나의|저의|같은\s반|옆집|옆자리|회사|직장|학교|동네|팀)\s?)*
    (?:(?P<kin>{KIN_KO})(?:인)?\s)?
    (?P<name>\p{{Hangul}}{{1,4}}?)(?P<title>\s?(?:씨|쌤|선생님|선배|언니|오빠|누나|형|과장님?|대리님?|팀장님?|부장님?))?
    (?P<mark>이는|이가|이도|이|은|는|도|가)?[\s,]+(?P<rest>.+)""",
    regex.VERBOSE | regex.DOTALL,
)
_GIVEN_KO_WORDS = """
    민지 지수 지아 서아 유나 지우 민수 철수 영희 지호 준호 민호 현수 영수 지혜 수아 연우 시우 정우
    태우 진우 현우 서우 윤아 윤서 민서 지유 미나 세나 예나 도희 수지 혜리 유미 영미 은비 수미 현아
    채아 서연 지연 수연 하준 도윤 민준 서준 지훈 예준 시윤 지민 수민 정민 현준 유진 수진 혜진 하은
    지은 예은 소연 은지 재민 승현 동현 성민 준영 다은 나연
"""
_GIVEN_KO = frozenset(_GIVEN_KO_WORDS.split())
GIVEN_SHAPE_KO = regex.compile(
    "[민서지도하예수윤은준시현유채주소다태승재영정동성상경혜나선건우규라미세연진희해효보원인종창철형호훈가강기명병석슬찬한혁홍]"
    "[준윤우호현원민서아연은지진희영수경빈율린나라미주혜정선하유재훈석철식규기욱혁환범찬완성태승솜솔슬람숙옥순란림담온안이채별설]"
)
_JA = regex.compile(
    rf"""{AHEAD}(?:(?:うち|私|僕|俺|わたし|職場|会社|クラス|隣の席|隣|同期|大学|バイト先)の)*
    (?:(?P<kin>{KIN_JA})の)?
    (?P<name>\p{{Han}}{{1,4}}|\p{{Hiragana}}{{2,5}}?|[\p{{Katakana}}ー]{{2,8}})
    (?P<title>さん|ちゃん|くん|君|先輩|先生|部長|課長)?
    (?:(?P<mark>は|が|も|って)(?!呼|言|いう)|(?(title)(?<=さん|ちゃん|くん){WITH_THEM_JA}|(?!)))(?P<rest>.*)""",
    regex.VERBOSE | regex.DOTALL,
)
_NO_NAME_JA = regex.compile(
    r"[おご].*|赤|猫|犬|わん|にゃん|たく|皆|みな|みん|客|患者|こと|ため|せい|ところ|ほう|けが|うち|いえ|それ|これ|あれ|ここ"
)
_KIN = regex.compile(rf"{KIN_KO}|{KIN_JA}")
_GIVEN_JA_WORDS = """
    さくら ゆき はるか あおい ひなた みさき かおり けんた たろう はなこ 健太 美咲 太郎 花子 翔太
    大輔 直樹 陽菜 結衣 佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本
    井上 木村 清水 斎藤
"""
_GIVEN_JA = frozenset(_GIVEN_JA_WORDS.split())
_THEIR_KIN = regex.compile(rf"(?i)\b(?:her|his|their)\s(?P<kin>{KIN_EN})(?!\p{{L}})")
_HAS_KIN = regex.compile(rf"(?i)\bhas\s+(?:a|an|one|two|the)?\s*(?:\p{{L}}+\s)?(?P<kin>{KIN_EN})(?!\p{{L}})")
_FELT = regex.compile(
    r"\s*(?:진짜|정말|너무|제일|참|더|가장)?\s*(?:좋|싫|미워|밉|부러|그리|보고\s?싶|무서|필요|걱정|생각나)"
    r"|\s*(?:本当に|とても|すごく|一番|大)?(?:好き|嫌い|苦手|怖い|羨まし|うらやまし|心配|恋しい|欲しい)"
)
"""What the speaker feels about somebody who stands where a subject does: 민지가 좋아, さくらさんが好き."""

_OF_A_NOUN = regex.compile(r".*?[たるう](?=[\p{Han}\p{Katakana}]).*[はが]")
_PET = (
    r"\b(?:dogs?|cats?|pup\w*|kitten\w*|pets?|hamsters?|rabbits?|parrots?)\b"
    r"|강아지|고양이|댕댕|멍멍이|냥이|반려|햄스터|토끼|앵무|犬|猫|ペット|ハムスター|うさぎ|インコ"
)


def somebody(
    clause: str,
    *,
    ahead: Sequence[str] = (),
    people: Collection[str] = (),
    own: Collection[str] = (),
    calls: Collection[str] = (),
) -> Owner | None:
    """The person named as the subject of a clause, or whose words it passes on; None for the speaker's own.

    Args:
        clause: of what somebody said.
        ahead: the clauses of the message that stand ahead of it, in order.
        people: names that are known as such.
        own: names of the speaker.
        calls: words and names by which somebody is spoken to here.
    """
    known, speakers = ({fold(name) for name in names} for names in (people, own))
    found = _named_en(clause, known) or _named_ko(clause, known) or _named_ja(clause, known)
    if found is None and ahead and not speaks_of_self(clause):
        if goes_on(ahead[-1], clause):
            return somebody(ahead[-1], ahead=ahead[:-1], people=people, own=own, calls=calls)
        found = _only_a_name(ahead[-1], clause)
        found = None if found in calls else found
    if found is None or fold(found) in speakers or _is_a_pet(found, [*ahead, clause]):
        return None
    return Owner(called=found)


_SUBJECT = regex.compile(r"\s\p{L}|씨|이?(?:는|가|은|이)|さん|ちゃん|くん|は|が")


def is_subject(name: str, claim: str) -> bool:
    """Whether a claim begins with somebody as its subject, so that it is theirs in its own words."""
    return claim.startswith(name) and _SUBJECT.match(claim, len(name)) is not None


def has_anothers_kin(claim: str, clause: str) -> bool:
    """Whether a claim gives the speaker a relative of somebody else's: "her brother is a pilot"."""
    kin = {fold(found["kin"]) for found in _THEIR_KIN.finditer(clause)}
    had = {fold(found["kin"]) for found in _HAS_KIN.finditer(claim)}
    return bool(kin & had) and not speaks_of_self(clause)


def _named_en(clause: str, known: Collection[str]) -> str | None:
    found = _EN.match(clause)
    if found is None or not (found["kin"] or found["name"]):
        return None
    name, rest = found["name"] or found["kin"], found["rest"]
    reports = _REPORTS_EN.match(rest)
    if fold(name) in _NO_NAME_EN or (fold(name).endswith("ly") and fold(name) not in known):
        return None
    if reports is not None:
        theirs = reports["they"] and not speaks_of_self(reports["inner"])
        return name if theirs else None
    if speaks_of_self(rest) or not name[0].isupper():  # "Mum" is a name, "friend" is none
        return None
    told = _is_a_name(name, known) or found["from"] or _HUMAN_EN.match(rest)
    verbal = regex.match(
        r"(?i)\s*(?:\p{L}+ly\s|also\s|just\s|still\s|never\s)*(?!(?:and|or|to|of|for|it|you)\b)\p{L}", rest
    )
    return name if told and verbal else None


def _is_a_name(name: str, known: Collection[str]) -> bool:
    return fold(name) in known or fold(name) in _GIVEN_EN


def _named_ko(clause: str, known: Collection[str]) -> str | None:
    found = _KO.match(clause)
    if found is None or speaks_of_self(found["rest"]):
        return None
    name, rest, mark = found["name"], found["rest"], found["mark"] or ""
    title = found["title"] or ""
    shaped = GIVEN_SHAPE_KO.fullmatch(name) is not None
    named = fold(name) in known or name in _GIVEN_KO
    if not (named or (shaped and (found["kin"] or len(mark) == 2 or title)) or title.startswith(" ")):
        return None
    called = not mark and clause[: found.start("rest")].rstrip().endswith(",")
    if called or (not mark and (regex.match(WITH_THEM_KO, rest) or not (title or hearsay(rest)))):
        return None
    if _FELT.match(rest) or (mark in ("가", "이", "이가") and describes_a_noun(rest)):
        return None
    return str(name)


def _named_ja(clause: str, known: Collection[str]) -> str | None:
    found = _JA.match(clause)
    if found is None or speaks_of_self(found["rest"]):
        return None
    name, rest, title = found["name"], found["rest"], found["title"]
    if _NO_NAME_JA.fullmatch(name) or _FELT.match(rest) or _KIN.fullmatch(f"{name}{title or ''}"):
        return None
    kin = found["kin"] and regex.fullmatch(r"\p{Hiragana}{2,4}", name)
    if not (fold(name) in known or fold(f"{name}{title}") in known or name in _GIVEN_JA or title or kin):
        return None
    if found["mark"] == "が" and _OF_A_NOUN.match(rest):
        return None
    return str(name)


def _only_a_name(before: str, clause: str) -> str | None:
    """The name that stands alone ahead of what is told of it: 田中くん、…なんだ."""
    korean = r"|\s?씨|쌤" if hearsay(clause) else ""
    found = regex.fullmatch(
        rf"(?:\S{{1,8}}の)?(?P<name>[^\sの]{{1,8}}?)(?:さん|ちゃん|くん|君{korean})[、,]\s*"
        r"|(?:同期|同僚|職場|会社|クラス|隣の席|大学|部活|バイト先|友達|後輩|先輩)の"
        r"(?P<name>[\p{Han}\p{Katakana}ー]{2,6})、\s*",
        before.strip(),
    )
    kin = found is None or _KIN.fullmatch(regex.sub(r".*の|\W+$", "", before.strip()))
    return None if found is None or kin else str(found["name"])


def _is_a_pet(name: str, texts: Sequence[str]) -> bool:
    """Whether a name is said to be that of an animal, just before it or just behind it."""
    called, text = regex.escape(name), " ".join(texts)
    animal = f"(?:{_PET})"
    before = rf"{animal}[^.!?。！？]{{0,10}}?{called}"
    behind = rf"{called}(?:는|은|이는|は)?,?\s?(?:is\s)?(?:(?:my|our|the|a|우리|うちの)\s?)?{animal}"
    return regex.search(rf"(?i){before}|{behind}", text) is not None
