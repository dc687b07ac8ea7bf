"""Whose fact a clause tells that begins with a name on no list: 혜림은 축구를 싫어해, 葵は数学が嫌い (F31).

A word counts as a name where the claim leaves it out though it is what the clause is about, where the rest
says what only a person does or is and lacks nothing, and where it is no common word. In "점심은 김밥을 먹어"
it is a common word, and of "축구는 싫어해" the claim keeps it. Here too: names that the talk uses as such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from omoide.domain.grounding.claims import likeness
from omoide.domain.grounding.common_words import EN, JA, KO, ZH
from omoide.domain.grounding.kin import AHEAD, KIN_JA, KIN_KO, describes_a_noun, goes_on, speaks_of_self
from omoide.domain.grounding.others import GIVEN_SHAPE_KO
from omoide.domain.text import letters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_KO = regex.compile(
    rf"{AHEAD}(?P<name>\p{{Hangul}}{{2,4}}?)(?P<mark>이는|이가|이도|은|는|이|가|도)[\s,]+(?P<rest>.+)",
    regex.DOTALL,
)
_NO_NAME_KO = regex.compile(
    rf"{KIN_KO}|.*(?:에게|한테|하고|까지|부터|처럼|보다|마다|밖에|라고|다고|며|지만|는데|[해아어와가에라자]서|[에로고면때만기게집방층댁])|.*들"
)
_SURNAME_KO = (
    "[김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우민나지엄채원천방공현함변염"
    "추도석선설마길연위표명기왕금옥육맹모]"
)
_FULL_NAME_KO = regex.compile(rf"{_SURNAME_KO}(?:{GIVEN_SHAPE_KO.pattern})")
_SYLLABLES = 2
"""Of most given names."""

_JOB_KO = (
    r"(?:간호사|의사|교사|변호사|약사|요리사|강사|디자이너|개발자|기자|엔지니어|프로그래머|가수|배우|작가|학생|대학생"
    r"|대학원생|고등학생|중학생|선생님|선생|교수|회사원|직장인|공무원|군인|백수|주부|채식주의자|비건|왼손잡이|오른손잡이"
    r"|외동|외동딸|외동아들|막내|맏이|쌍둥이)"
)
_ONLY_A_PERSON_KO = regex.compile(
    rf"""
      (?:을|를|도)\s(?:\p{{Hangul}}+\s)?(?:안\s|못\s)?(?:키[우워웠]|길[러렀]|배[우워웠]|싫어|무서워)
    | (?:걸|거|것|을|를)\s(?:안\s|못\s)(?:먹|마[셔시신])
    | \p{{Hangul}}(?:에서)\s(?:\p{{Hangul}}+\s)?(?:일하|일[해했한]|근무|알바|자랐|태어)
    | \p{{Hangul}}에(?:서)?\s(?:\p{{Hangul}}+\s)?(?:살아|살고|산[다대]|다[니녀녔]|사신|사셔)
    | (?:^|\s){_JOB_KO}(?:이?야|이?래|이?라|이?에요|예요|입니다|이?다|이?고|인데|였|이었)
    | \p{{Hangul}}\s알레르기(?:가|도)?\s?(?:있|심)
    | (?:^|\s)(?:퇴사|퇴직|이직|입사|이사|결혼|이혼|약혼|출산|임신|입원|퇴원|졸업|입학|합격|취직|취업|승진
        |은퇴|휴직|휴학|유학|이민|전학)(?:을|를)?\s?[해했하한갔가간]
    | 잠을?\s(?:\p{{Hangul}}+\s)?(?:안|못|잘)\s?[자잤잔]
    | 에서\s\p{{Hangul}}+[을를]\s(?:해|한대|하고|운영|열|차렸)
    | (?:아빠|엄마|아버지|어머니|부모)가\s?[되된됐]
    | (?:목소리|키|성격|겁|말수|손재주|눈물|욕심)[이가]\s(?:\p{{Hangul}}+\s)?(?:크|커|큰|작|많|없|좋|급|적)
    """,
    regex.VERBOSE,
)
"""What only a person does or is; of what has no shape of a name, only that tells one."""

_DOES_KO = regex.compile(r"(?:을|를|걸|거|것)\s(?:\p{Hangul}+\s){0,2}?\p{Hangul}+")
"""An object, and what is done to it: all that one does has room for one who does it only."""

_FOR_A_REASON_KO = regex.compile(r"(?:[아어해여와돼파려라]서|니까|려고|느라|면|길래|때문에|바람에)\s")
"""What goes before may have a subject of its own: 사정이 생겨서 이사했어."""

_JA = regex.compile(
    rf"{AHEAD}(?P<name>\p{{Han}}{{1,3}}|\p{{Hiragana}}{{2,4}}?|[\p{{Katakana}}ー]{{2,3}})(?P<mark>は|が|も)(?P<rest>.+)",
    regex.DOTALL,
)
_NO_NAME_JA = regex.compile(
    rf"{KIN_JA}|[おご].+|[そこあど][のれう].*|.*(?:から|まで|だけ|こと|[のにでとてをがはも])"
)
_JOB_JA = (
    r"(?:看護師|医者|医師|教師|先生|弁護士|薬剤師|美容師|保育士|デザイナー|エンジニア|プログラマー|記者|歌手|俳優|作家"
    r"|学生|大学生|大学院生|高校生|中学生|教授|会社員|公務員|無職|主婦|主夫|ベジタリアン|ヴィーガン|菜食主義者?|左利き|右利き"
    r"|一人っ子|末っ子|双子|長女|次女|長男|次男)"
)
_ONLY_A_PERSON_JA = regex.compile(
    rf"""
      を.{{0,4}}?(?:飼|習|飲|食べ|弾|辞め|やめ|勉強|練習|考え|探|始め|教え|集め|書|描|読|聴|見て|して|やって|作)
    | が\s?(?:大|とても|すごく|一番|大の)?\s?(?:好き|嫌い|苦手|得意|怖い|弱い|強い|上手|下手)
    | が.{{0,3}}?(?:食べられ|飲めな|できな|気に入)
    | [にへ].{{0,3}}?(?:住[んむ]|通[っう]|勤め|引っ越|転勤|転職|留学|嫁)
    | で.{{0,3}}?(?:働[いくか]|勤務|バイト|育っ|生まれ)
    | (?:^|[、\sの]){_JOB_JA}(?:$|だ|で|なん|らし|って|\W|に)
    | アレルギー | (?:父親|母親|パパ|ママ|父|母)にな | 語が.{{0,3}}?(?:話せ|でき|わか) | 夢を見
    | (?:^|[、\sの])(?:怖がり|寂しがり|人見知り|負けず嫌い|せっかち|おしゃべり|甘えん坊|泣き虫)
    | (?:声|背|気|口|性格|頭)が.{{0,3}}?(?:大き|小さ|高|低|短|弱|悪|良|い[いく]|軽)
    | 遅刻|寝坊|夜更かし|早起き
    | 結婚|離婚|妊娠|出産|入院|退院|退職|就職|転職|卒業|合格|昇進|引退|休職|失業|会社を
    | 眠れな|眠れて|走[っる]て?|泳いで|働いて
    """,
    regex.VERBOSE,
)
_GIVEN_SHAPE_JA = regex.compile(
    r"\p{Han}{1,2}[子美香菜奈恵代絵莉里咲希紀那沙紗輝樹貴介郎斗翔央尋平彦雄吾哉弥佑祐衣依太也之乃夫真音花華葉人]"
    r"|\p{Han}{1,2}[田村山川本井野原島藤崎木沢口谷岡橋塚尾瀬浦森池畑浜越沼下上]"
    r"|[葵陸蓮湊樹翔陽凛結奏楓遥翼薫忍光誠隆茜蛍渚律朔岳岸堀谷辻関]"
)
_SURE_SHAPE_JA = regex.compile(
    r"\p{Han}{1,2}[美香菜奈恵絵莉沙紗輝樹郎斗翔哉弥佑祐雄彦也之乃希田村崎藤沢]|\p{Han}子"
)
"""Of a name so plain that whatever is told is told of somebody."""

_NO_NAME_ZH = regex.compile(
    r"[你您我他她它那这哪谁有是在也只最更还再必须过不没去来上下目才正的了着和跟与就都很]"
)
_FELT_JA = regex.compile(r"\s*(?:.{0,3}(?:好き|嫌い|苦手)|に?(?:ある|いる)|どこ|何)")

_ZH = regex.compile(
    rf"{AHEAD}(?P<name>\p{{Han}}{{2,3}}?)(?P<rest>(?:也|都|很|最|还|一直|从来|最近|已经)*"
    r"(?:不?喜欢|讨厌|害怕|不吃|不喝|不能吃|不会|爱吃|爱喝|对.{1,6}过敏|在.{1,8}(?:上班|工作|读书|上学)|住在|养了|正?在?学"
    r"|是(?:护士|医生|老师|律师|学生|大学生|研究生|左撇子|素食)|搬到|辞职|结婚|离婚|怀孕|毕业|睡不).*)",
    regex.DOTALL,
)
_ONLY_A_PERSON_EN = regex.compile(
    r"(?i)\s*(?:\p{L}+ly\s|just\s|also\s|still\s|never\s)*(?:"
    r"(?!is|was|has|had)(?:\p{L}+(?:s|ed)|quit|broke|lost|left|took|got|hurt|found|made|sold|met|cut)\s(?:\p{L}+\s)?"
    r"(?:her|his|their)\b"
    r"|(?:can['’]?t|cannot|won['’]t|doesn['’]?t|does\s+not|never)\s+(?:eat|drink|stand|sleep|drive|swim|smoke|like)"
    r"|(?:moved|flew|went|emigrated)\s+(?:to|back)|got\s+(?:a\s+)?(?:new\s+)?(?:job|married|engaged|divorced|promoted|fired)"
    r"|(?:is|was|['’]s)\s+(?:learning|studying|training\s+(?:for|to)|living|working|moving\s+(?:to|in|out)|flying"
    r"|getting\s+(?:married|divorced)|marrying|expecting|visiting|graduating|retiring|(?:a|an)\s+(?:nurse|doctor"
    r"|teacher|lawyer|student|engineer|developer|designer|writer|singer|chef|pilot))"
    r"|has\s+(?:(?:a|an|one|two|three|four|some)\s+)?(?:\p{L}+\s)?(?:cats?|dogs?|kids?|children|sons?|daughters?|sisters?"
    r"|brothers?|twins)|(?:will\s+|wants\s+to\s+|plans\s+to\s+)(?:marry|graduate|fly|visit|move)"
    r"|is\s+(?:scared|afraid|terrified|tired\s+of)|became\s+an?|runs\s+an?|goes\s+\p{L}+ing|speaks|hurt\s|starts?\s+(?:work|school|uni\p{L}*|college|a\s+new)|sleeps?\b|never\s+sleeps)"
)
_EN = regex.compile(
    rf"{AHEAD}(?P<name>(?-i:\p{{Lu}}\p{{Ll}}{{2,}}))(?:\s(?:from|at|in)\s(?:my|our|the)\s\p{{L}}+)?(?P<rest>(?:\s|['’]s\s).*)",
    regex.DOTALL,
)
_PAIR_EN = regex.compile(
    rf"{AHEAD}(?P<name>(?-i:\p{{Lu}}\p{{Ll}}+)\sand\s(?-i:\p{{Lu}}\p{{Ll}}+))\s(?:are|were|have|had|both|will|got|moved)\s.+",
    regex.DOTALL,
)
_OF_ONE_EN = regex.compile(
    r"(?i)\s*(?:['’]s|is|was|has|had|does|doesn['’]t|quit|got|went|\p{L}{2,}s|\p{L}{2,}ed)\b"
)
_TITLED = regex.compile(
    r"(?<!\p{Hangul})(?P<name>\p{Hangul}{2,3}?)(?:\s?씨|\s(?:언니|오빠|누나|형|선배|쌤|과장님?|대리님?|팀장님?))"
    r"(?=이?[랑가는를도네의한]|은|을|와|과|하고|\P{L}|$)"
    r"|(?P<name>\p{Han}{1,3}|(?<!\p{Hiragana})\p{Hiragana}{2,4}|[\p{Katakana}ー]{2,8})(?:さん|ちゃん|くん|君|先輩)"
)
"""Words with a title behind them: names, unless they are words for somebody."""

_KIN = regex.compile(rf"{KIN_KO}|{KIN_JA}")
_MET = regex.compile(
    r"(?<!\p{Hangul})(?P<name>\p{Hangul}{2,3}?)(?:한테|에게|께)(?=서|\P{L}|$)"
    r"|(?<!\p{Hangul})(?P<name>\p{Hangul}{2,3}?)이?랑\s(?:같이\s|둘이\s)?(?:밥|통화|만났|만나|얘기|싸웠|놀|영화)"
    rf"|(?:^|[.!?]\s)(?P<name>{GIVEN_SHAPE_KO.pattern})(?:아|야)[,!~]"
    r"|\b(?:with|call(?:ed)?|told|tell|text(?:ed)?|met|meet|saw|visited|miss|phoned|asked"
    r"|(?:talk(?:ed)?|spoke|wrote|letter|wrote\s+back|lied|listen(?:ed)?)\s+to)\s+(?P<name>\p{Lu}\p{Ll}{2,})(?!\p{L})"
)
"""What somebody speaks to, or meets: names, unless they are common words."""

_SOMEBODY = regex.compile(
    rf"{KIN_KO}|{KIN_JA}|.*(?:사람|고객|손님|강아지|고양이|아기|들|たく|[屋員師者長生家主])|[客皆猫犬子赤奥].*|患者"
    r"|[おご].*|みな|みんな"
)
"""Words for people or animals that are no names, though used like them."""


def used_as_names(texts: Iterable[str]) -> frozenset[str]:
    """Words that a talk itself uses as names of people: 바다 씨, こはるちゃん, "lunch with Zofia"."""
    whole = " \n".join(texts)
    titled = {match["name"] for match in _TITLED.finditer(whole) if not _KIN.fullmatch(match.group())}
    met = {match["name"] for match in _MET.finditer(whole)}
    found = {*titled, *(name for name in met if name not in KO and name.lower() not in EN)}
    return frozenset(name for name in found if not _SOMEBODY.fullmatch(name))


def unlisted(clause: str, claim: str, *, ahead: Sequence[str] = ()) -> str | None:
    """The name on no list that is the subject of a clause, and that a claim drawn from it leaves out.

    Args:
        clause: of what somebody said.
        claim: what a memory would say of the speaker.
        ahead: the clauses of the message that stand ahead of it, in order.
    """
    found = (_unlisted_ko(clause), _unlisted_ja(clause), _unlisted_zh(clause), _unlisted_en(clause, claim))
    for name in found:
        if name is not None and not _keeps(claim, name):
            return name
    if ahead and not speaks_of_self(clause) and goes_on(ahead[-1], clause):
        return unlisted(ahead[-1], claim, ahead=ahead[:-1])
    return None


def _keeps(claim: str, name: str) -> bool:
    """Whether a claim speaks of what is called so, and not as its subject."""
    held, called = letters(claim), letters(name)
    return called in held and not held.startswith(called)


def _unlisted_ko(clause: str) -> str | None:
    found = _KO.match(clause)
    if found is None or speaks_of_self(found["rest"]):
        return None
    name, mark, rest = found["name"], found["mark"], found["rest"]
    whole = f"{name}이" if len(mark) > 1 else name
    if whole in KO or _NO_NAME_KO.fullmatch(name) or describes_a_noun(rest):
        return None
    if GIVEN_SHAPE_KO.fullmatch(name) or _FULL_NAME_KO.fullmatch(name) or len(mark) > 1:
        return name if _ONLY_A_PERSON_KO.search(rest) or _DOES_KO.search(rest) else None
    strict = len(name) == _SYLLABLES and _FOR_A_REASON_KO.search(rest) is None
    return name if strict and _ONLY_A_PERSON_KO.search(rest) else None


def _unlisted_ja(clause: str) -> str | None:
    found = _JA.match(clause)
    if found is None or speaks_of_self(found["rest"]):
        return None
    name, rest = str(found["name"]), found["rest"]
    if name in JA or _NO_NAME_JA.fullmatch(name):
        return None
    han = regex.fullmatch(r"\p{Han}+", name) is not None
    if _SURE_SHAPE_JA.fullmatch(name) and not _FELT_JA.match(rest):
        return name
    return name if _ONLY_A_PERSON_JA.search(rest) and (not han or _GIVEN_SHAPE_JA.fullmatch(name)) else None


def _unlisted_zh(clause: str) -> str | None:
    if regex.search(r"[\p{Hiragana}\p{Katakana}\p{Hangul}]", clause):
        return None
    found = _ZH.match(clause)
    if (
        found is None
        or found["name"] in ZH
        or _NO_NAME_ZH.search(found["name"])
        or speaks_of_self(found.group())
    ):
        return None
    return str(found["name"])


def _unlisted_en(clause: str, claim: str) -> str | None:
    two = _PAIR_EN.match(clause)
    if two is not None and not speaks_of_self(clause) and EN.isdisjoint(two["name"].lower().split()[::2]):
        return str(two["name"])
    found = _EN.match(clause)
    if found is None or speaks_of_self(found["rest"]):
        return None
    name = found["name"]
    if name.lower() in EN or name.endswith(("ly", "ing", "ed")):
        return None
    if name.endswith("s") and not _OF_ONE_EN.match(found["rest"]):  # "Doctors can't drink on call"
        return None
    all_of_it = _OF_ONE_EN.match(found["rest"]) and likeness(claim, [found["rest"]]) == 1
    return name if all_of_it or _ONLY_A_PERSON_EN.match(found["rest"]) else None
