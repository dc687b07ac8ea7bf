"""Whose fact a clause tells: that of a relative, a friend or another third person, or the speaker's (H12)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING
from unicodedata import normalize

import regex

from omoide.domain.text import sentences

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

KIN_EN = (
    r"(?:(?:step|grand|god|half-?)?(?:sister|brother|mother|father|mom|mum|dad|son|daughter|ma|pa|parents?|child)"
    r"(?:-in-law)?|[mfsb]il|kid|mommy|mummy|daddy|gran(?:ny|nie|nan|d?dad)?|nana?|grandpa|gramps|auntie|grandparents?"
    r"|wife|husband|hubby|partner|girlfriend|boyfriend|[gb]f|fianc[eé]e?|ex|aunt|uncle|cousin|niece|nephew|sis|bro"
    r"|(?:best\ )?friend|(?:best\ )?mate|bestie|roommate|roomie|(?:flat|house)mate|boss|manager"
    r"|colleague|co-?worker"
    r"|neighbou?r|teacher|twin|(?:youngest|eldest|oldest)(?=['’]s\s|\s(?:is|has|was|had|got|can|just)\b))"
)
KIN_KO = (
    r"(?:(?:사촌|친|새|막내|큰|작은)?(?:언니|오빠|누나|여동생|남동생|동생)|친형|매형|형[수님부]님?|형"
    r"|(?:외|친|시|새|큰|작은)?(?:엄마|어머니"
    r"|어머님|아빠|아버지|아버님|할머니|할아버지|삼촌)|장모님?|장인어른|시누이?|올케|처[남제형]|매[제부]|이모부?|고모부?|숙모|조카|사촌|손[자녀]"
    r"|아내|(?:전\s?)?(?:와이프|남편|여자친구|남자친구|여친|남친)|애인|약혼자|집사람|친구|베프|아들|딸|막내|부모님|상사|사수|짝꿍|동기|동료|이웃"
    r"|[팀사과부차]장님|대리님|교수님|팀장|사장|선배|후배|룸메이트|룸메)"
)
KIN_JA = (
    r"(?:お姉さん|お姉ちゃん|お兄ちゃん|兄貴|姉貴|ママ|パパ|お兄さん|お義?母さん|お義?父さん|お?[ばじ]あ(?:ちゃん|さん)|お?じい(?:ちゃん|さん)"
    r"|お[ばじ](?:ちゃん|さん)|[父母]ちゃん|義?(?:母さん|父さん)|義[母父兄姉弟妹]|祖父母|両親|祖母|祖父|姉|兄|妹|弟|母親|父親|母|父"
    r"|元(?:カレ|カノ|彼氏|彼女|夫|妻|旦那|嫁)|妻|夫|旦那|嫁|友達|友人|親友|ママ友|彼氏|恋人|婚約者|相方|息子|娘|末っ子|甥っ子|姪っ子|甥|姪|孫"
    r"|上司|先輩|後輩|同僚|従(?:兄弟|姉妹|兄|弟|姉|妹)|いとこ|叔母|叔父"
    r"|同期|先生|店長|社長|部長|課長|係長|クラスメイト|ルームメイト|同居人|幼なじみ)"
)
KIN_ZH = (
    r"(?:姐姐|妹妹|哥哥|弟弟|妈妈|媽媽|爸爸|母亲|父亲|奶奶|爷爷|外婆|外公|老婆|老公|妻子|丈夫|朋友|闺蜜|女朋友|男朋友|儿子"
    r"|女儿|老板|同事|同学|室友|姐|哥|妈|爸)"
)
AHEAD = (
    r"^\W*(?:(?:so|and|but|well|oh|also|btw|because|since|yeah|yes|no|actually|both|all"
    r"|apparently|turns\s+out|guess\s+what|i?\s*heard(?:\s+that)?|사실|근데|그리고|실은"
    r"|あと|でも|実は|其实|但是)\W+)*"
)
_VERB_EN = (
    r"(?:(?:just|also|still|never|always|finally|recently|already|really)\s)*(?:(?:is|was|has|had|does|did|can|could"
    r"|will|would)(?:n?['’]t)?|can(?:no|['’])t|won['’]t|got|gets|quit|went|came|lost|left|took|broke|met|bought|sold|began"
    r"|fell|made|\p{L}{3,}ed|(?!ha|wa)\p{L}{2,}s\s\p{L}+)\b"
)
_NO_CALL_EN = r"(?!(?:bro|mate|sis|ma|pa|partner|child|friend|teacher)\b)"
"""Words that without "my" are a call, or go with another noun: "partner work"."""

_WHOSE_KO = (
    r"(?:(?:우리|내|제|나의|저의|같은|옆|옆집|옆자리|옆\s?팀|회사|직장|학교|학원|동네|과|팀|반|아는|친한"
    r"|오늘|어제|이번에|요즘)\s?){0,3}?"
)
WITH_THEM_KO = (
    r"(?:\p{Hangul}+\s)?(?:만[나났날]|보[러고]|봤|뵈|뵀|모[시셔]|데리|데려|태[워우]|돌[보봐]|챙[기겨]|도[와왔]|불[러렀]|깨[우워]|기다|그[리립]"
    r"|사랑|닮)|(?:때문|덕분|덕에|집|댁|네|생일|생신|선물|사진|결혼식|같|처럼|말[고론]|대신|만|보다|없|있|생[기겼긴])"
)
"""What goes on behind somebody who is no subject: 여친 만났어, 이모 집에."""

_WHOSE_JA = r"(?:(?:うち|私|僕|俺|わたし|職場|会社|隣の席|隣|同期|バイト先|大学|高校|近所|友達|いとこ)の)*"
WITH_THEM_JA = (
    r"(?![をにとのへでか、。！!？?だなじっさみらん]|から|より|まで|たち|です|達|様|方|側|似|想|思|持|作|付|同士|以外|校|国|性|語|乳|弟|妹|婦|子|入|婿"
    r"|尾|君|人|職|帯|親|迎|待|送|連|会(?!社|議|計)|呼|誘|誕生|プレゼント|家(?!出|を出)|娘|母|父|姪|姉|兄)"
)
"""What stands behind somebody who is no subject, or makes another word: 母校, 妹送ってきた."""

_SUBJECT = regex.compile(
    rf"""{AHEAD}(?:
      (?:my|our)\s+(?:\p{{L}}+\s){{0,2}}?(?P<en>{KIN_EN})(?P<own>['’]s)?
        (?:\s(?P<name>(?-i:\p{{Lu}}\p{{Ll}}+)))?(?!\p{{L}})(?P<en_rest>\s.*)
    | (?:(?:little|big|lil|older|younger|baby)\s|{_NO_CALL_EN})(?P<en>{KIN_EN})(?P<own>['’]s)?(?!\p{{L}})
        (?=\s{_VERB_EN})(?P<en_rest>\s.*)
    | (?P<en_they>he|she)(?:['’]s)?\s(?P<they_rest>.*)
    | {_WHOSE_KO}(?P<ko>{KIN_KO})(?:(?:는|은|도|(?P<ko_doer>가|이))\s|(?P<bare>\s)(?!{WITH_THEM_KO}))
        (?P<ko_rest>.+)
    | (?P<ko_they>걔|그녀|그\s?사람|그\s?애|쟤)(?:는|은|도|가)\s
    | {_WHOSE_JA}(?P<ja>{KIN_JA})(?:は|も|(?P<ja_doer>が)|って(?![言い思])|(?P<bare>){WITH_THEM_JA})
        (?P<ja_rest>.+)
    | (?P<ja_they>彼女|彼|あの人|あいつ)(?:は|も)
    | (?:我|咱)(?:的|们的|家)?(?P<zh>{KIN_ZH})(?P<zh_rest>\p{{Han}}.+)
    | (?P<zh_they>她|他)(?![的们們])
    )""",
    regex.VERBOSE | regex.IGNORECASE | regex.DOTALL,
)
_ALONE_JA = regex.compile(rf"{AHEAD}{_WHOSE_JA}(?P<who>{KIN_JA}|彼女)[、,]\s*")
"""Somebody who stands alone ahead of what is told of them: 旦那、…なんだ."""

_FIRST = regex.compile(
    r"(?<!\p{L})(?:i|i['’](?:m|ve|d|ll)|me|my|mine|we|us|our|난|날|내|내가|제가|(?:나|저)(?:보다|처럼|한테|에게|랑|와|하고|도|는|를|의)?"
    r"|우리|우리는|우리를|나보고|저한테)(?!\p{L})|私|僕|俺|わたし|ぼく|自分|くれ|もら|我|咱|(?:아|어|해|와|여)\s?(?:줘|줬|준|주)",
    regex.IGNORECASE,
)
_PASSES_ON = regex.compile(
    r"\b(?:say|says|said|told|tells|thinks?|thought|born|call|calls|gave|made)\b|태어|낳|生まれ|産|出生|래$|대$|って(?:言|さ)|说",
    regex.IGNORECASE,
)
_HEARSAY = regex.compile(
    r"(?P<verb>\p{Hangul}{1,20})(?:대|냬)(?:요)?\W*$|(?:\p{Hangul}{2}|이)(?<![하가오보자마]|으)래(?:요)?\W*$|(?:거|예정이|계획이)래(?:요)?\W*$"
    r"|[다라]더라\W*$|[다라]던데\W*$|(?:って(?:言って\p{Hiragana}{1,6}|さ)?|だと|らしい(?:よ|わ|ね|んだ)?|[ただるいう]そうだ|[ただるいう]そうです)\W*$"
)
_SETS_TASKS = regex.compile(r"상사|팀장님?|사장님?|선배")
"""Those who say what others have to do: "팀장님이 금요일에 회식한대"."""

_ONE_SELF = regex.compile(r"어릴|어렸|태어|小さい頃|子ども?の?頃|子供の頃|生まれ|幼")
"""What others tell about the speaker, who leaves themself out."""

_CALL = regex.compile(
    rf"(?P<who>{KIN_KO}|{KIN_JA})(?:[!！~〜]|[\s、,].*[?？]\W*$)|(?i:(?P<who>{KIN_EN})),\s.*[?!]\W*$",
    regex.DOTALL,
)
_ADNOMINAL = regex.compile(r"[たるうくいな](?=[\p{Han}\p{Katakana}])|が|は")
_PERSON = regex.compile(
    rf"(?<!\p{{L}})(?:{KIN_EN}s?|famil\w+|siblings?|children|he|she|her|his|they|someone)(?!\p{{L}})"
    rf"|{KIN_KO}|가족|형제|자매|아이|{KIN_JA}|子ども|子供|家族|彼|きょうだい|兄弟|{KIN_ZH}|家人|孩子|她|他",
    regex.IGNORECASE,
)
_KIN = regex.compile(rf"(?i)(?<!\p{{L}}){KIN_EN}(?!\p{{L}})|{KIN_KO}|{KIN_JA}|{KIN_ZH}")
_NAME = regex.compile(r"(?<=\s)\p{Lu}\p{Ll}+")
_WOMAN = (
    r"(?i:(?:step|grand|half-?)?(?:sister|mother|daughter)|ma|mom|mum|mommy|wife|girlfriend|aunt|niece)"
    r"|친언니|언니|누나|여동생|엄마|어머니|할머니|이모|고모|아내|와이프|여자친구|여친|딸"
    r"|お姉さん|お姉ちゃん|姉貴|ママ|お母さん|おばあちゃん|祖母|姉|妹|母さん|母親|母|妻|嫁|娘|叔母"
    r"|姐姐|妹妹|妈妈|媽媽|母亲|奶奶|外婆|老婆|妻子|闺蜜|女朋友|女儿|姐|妈"
)
_MAN = (
    r"(?i:(?:step|grand|half-?)?(?:brother|father|son)|pa|dad|daddy|husband|boyfriend|uncle|nephew)"
    r"|오빠|친형|형|남동생|아빠|아버지|할아버지|삼촌|남편|남자친구|남친|아들"
    r"|お兄さん|お兄ちゃん|兄貴|パパ|お父さん|おじいちゃん|祖父|兄|弟|父さん|父親|父|夫|旦那|彼氏|息子|叔父"
    r"|哥哥|弟弟|爸爸|父亲|爷爷|外公|老公|丈夫|男朋友|儿子|哥|爸"
)
_NEVER = (
    (regex.compile(r"(?i:she)|그녀|彼女|她"), regex.compile(_MAN)),
    (regex.compile(r"(?i:he)|彼|他"), regex.compile(_WOMAN)),
)
"""Pronouns, and whom they never mean."""

_GOING_ON = (
    (
        regex.compile(r"\p{Latin}[,;]?\s+$"),
        regex.compile(
            r"(?i)\W*(?:(?:and|but|so|then|also|never|always|only|really|just)\s+)*(?:\p{Latin}+s|can(?:['’]?t|not)?"
            r"|(?:does|is|has|wo)n['’]t)\b"
        ),
    ),
    (
        regex.compile(r"(?:고|며|면서|이자|(?:인|은|한|운|큰|긴)데)\s*,?\s*$"),
        regex.compile(r"(?!\W*\p{Hangul}+(?:은|는)\s)"),
    ),
    (regex.compile(r"[でてしく]、\s*$"), regex.compile(r"(?![^、]{1,12}?(?:は|も(?!の)))")),
    # Behind a reason whose feeling it is stays open; what is much or little is not felt.
    (
        regex.compile(r"(?:이라서|라서|だから|なので)、?\s*$"),
        regex.compile(
            r"\W*(?:\p{Hangul}+[이가]\s|[^、はも]{1,8}が)\s?(?:\p{Hangul}+\s)?(?:많|적|높|길|바[쁘빠]|늦|多|少な|高|長|遅|忙)"
        ),
    ),
)
"""How a clause ends after which one may leave out whom it is about, and how that one begins."""

_NIEUN = 4
_FINALS = 28


@dataclass(frozen=True, kw_only=True, slots=True)
class Owner:
    """A third person that a clause speaks of: by the name or word used for them, or None for a pronoun."""

    called: str | None


def owner(clause: str, *, ahead: Sequence[str] = (), calls: Collection[str] = ()) -> Owner | None:
    """The third person whose fact a clause tells; None where it may be the speaker's own.

    A clause that goes on without a subject is about whom the one before it is about ("my sister is a nurse,
    hates coffee"), and "she" is the one relative that was named ahead, if nobody else was. Chat leaves the
    particle out: 할머니 당뇨래, 旦那会社辞めた. Hearsay is never of who passes it on.

    It errs towards the speaker: a clause that holds the speaker too, that passes on what somebody said, or
    whose person may belong to another noun ("the soup that mother made is good") is the speaker's.

    Args:
        clause: of what somebody said.
        ahead: the clauses of the message that stand ahead of it, in order.
        calls: words by which somebody is spoken to here.
    """
    found = _SUBJECT.match(clause)
    if found is None:
        return _carried(clause, ahead, calls=calls)
    word = found["en"] or found["ko"] or found["ja"] or found["zh"]
    if found["bare"] is not None and word in calls:
        return None
    names = ("en", "en_they", "ko", "ko_they", "ja", "ja_they", "zh", "zh_they")
    rest = clause[max(found.end(name) for name in names) :]
    if _FIRST.search(rest) or _belongs_to_a_noun(found) or _ONE_SELF.search(rest):
        return None
    if passes_on(rest) and not (hearsay(rest) and not (found["ko_doer"] and _SETS_TASKS.fullmatch(word))):
        return None
    return Owner(called=found["name"] or word or _meant(found, ahead))


def _carried(clause: str, ahead: Sequence[str], *, calls: Collection[str]) -> Owner | None:
    """Whom the clause before is about, where this one goes on from it without a subject of its own."""
    if not ahead or _FIRST.search(clause) or (passes_on(clause) and not hearsay(clause)):
        return None
    alone = _ALONE_JA.fullmatch(ahead[-1])
    if alone is not None and alone["who"] not in calls:
        return Owner(called=None if alone["who"] == "彼女" else alone["who"])
    before = _SUBJECT.match(ahead[-1])
    if before is not None and (before["ko_doer"] or before["ja_doer"]):  # "언니가 와서 기뻤어": no topic
        return None
    return owner(ahead[-1], ahead=ahead[:-1], calls=calls) if goes_on(ahead[-1], clause) else None


def hearsay(clause: str) -> bool:
    """Whether a clause passes on what is so, and no order: 간대, 당뇨래, 辞めたって; not 가래."""
    found = _HEARSAY.search(clause.strip())
    if found is None or found["verb"] is None:
        return found is not None
    verb = found["verb"]
    return ends_in_nieun(verb) or verb.endswith("다") or normalize("NFD", verb).endswith("\u11bb")


def called_so(texts: Iterable[str]) -> frozenset[str]:
    """Words for people by which a talk calls somebody who is spoken to: 언니! or "sis, …?"."""
    found = (_CALL.match(sentence.strip()) for text in texts for sentence in sentences(text))
    return frozenset(one["who"] for one in found if one is not None)


def people_of(text: str) -> frozenset[str]:
    """The words for relatives, friends and colleagues in a text."""
    return frozenset(_KIN.findall(text))


def goes_on(before: str, clause: str) -> bool:
    """Whether a clause may leave out its subject, and be about whom the one before it is about."""
    return any(end.search(before) and start.match(clause) for end, start in _GOING_ON)


def speaks_of_self(text: str) -> bool:
    """Whether words hold their speaker, so that what they tell may be the speaker's own."""
    return _FIRST.search(text) is not None


def passes_on(text: str) -> bool:
    """Whether words pass on what somebody said, or tell of a birth, and so may be of the speaker."""
    return _PASSES_ON.search(text.strip(" .!?~。！？")) is not None


def _meant(found: regex.Match[str], ahead: Sequence[str]) -> str | None:
    """The relative that a pronoun means, where one alone was named ahead, and nobody else."""
    subjects = [one for one in map(_SUBJECT.match, ahead) if one is not None]
    named = [(one["name"], one["en"] or one["ko"] or one["ja"] or one["zh"]) for one in subjects]
    text = " ".join(ahead)
    if len(named) != 1 or not named[0][1] or len(_KIN.findall(text)) != 1:
        return None
    name, word = named[0]
    pronoun = next(filter(None, (found[one] for one in ("en_they", "ko_they", "ja_they", "zh_they"))), "")
    if set(_NAME.findall(text)) - {name} or any(
        who.fullmatch(pronoun) and not_them.fullmatch(word) for who, not_them in _NEVER
    ):
        return None
    return str(name or word)


def names_somebody(claim: str) -> bool:
    """Whether a claim speaks of a relative, a friend or another person itself: "has a sister"."""
    return _PERSON.search(claim) is not None


def _belongs_to_a_noun(found: regex.Match[str]) -> bool:
    if found["own"]:  # "my mom's house is in Leeds", not "my mom's diabetic"
        return regex.search(r"(?i)\b(?:is|are|was|were|has|have|had)\b", found["en_rest"]) is not None
    if found["ko_doer"]:
        return any(ends_in_nieun(word) for word in found["ko_rest"].split()[:-1])
    return bool(found["ja_doer"]) and _ADNOMINAL.search(found["ja_rest"]) is not None


def describes_a_noun(words: str) -> bool:
    """Whether Korean words tell of a noun rather than of whom stands before: 만든 케이크는 맛있어."""
    pairs = pairwise(words.split())
    return any(ends_in_nieun(one) and regex.search(r"(?:은|는|이|가)$", other) for one, other in pairs)


def ends_in_nieun(word: str) -> bool:
    """Whether the last syllable of a Korean word ends in ㄴ, as a verb in the present does ahead of 대."""
    last = ord(word[-1]) - 0xAC00
    return 0 <= last < 11172 and last % _FINALS == _NIEUN
