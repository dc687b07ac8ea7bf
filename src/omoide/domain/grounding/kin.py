"""Whose fact a clause tells: that of a relative, a friend or another third person, or the speaker's (H12)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

KIN_EN = (
    r"(?:(?:step|grand|half-?)?(?:sister|brother|mother|father|mom|mum|dad|son|daughter|ma|pa|parents?|child)"
    r"|kid|mommy|daddy|grandparents?|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|ex|aunt|uncle|cousin|niece"
    r"|nephew|friend|best\ friend|bestie|roommate|flatmate|boss|manager|colleague|coworker|co-worker"
    r"|neighbou?r|teacher|twin)"
)
KIN_KO = (
    r"(?:친언니|언니|오빠|누나|친형|형|여동생|남동생|동생|엄마|어머니|아빠|아버지|할머니|할아버지|이모|고모|삼촌"
    r"|사촌|아내|와이프|남편|여자친구|남자친구|여친|남친|친구|아들|딸|부모님|상사|팀장님?|사장님?|선배|후배|룸메이트|룸메)"
)
KIN_JA = (
    r"(?:お姉さん|お姉ちゃん|お兄ちゃん|兄貴|姉貴|ママ|パパ|お兄さん|お母さん|お父さん|おばあちゃん|おじいちゃん"
    r"|祖父母|両親|祖母|祖父|姉|兄|妹|弟|母さん|父さん|母親|父親|母|父"
    r"|妻|夫|旦那|嫁|友達|友人|親友|彼氏|息子|娘|上司|先輩|後輩|同僚|いとこ|叔母|叔父"
    r"|同期|先生|店長|社長|部長|課長|係長|クラスメイト|ルームメイト|幼なじみ)"
)
KIN_ZH = (
    r"(?:姐姐|妹妹|哥哥|弟弟|妈妈|媽媽|爸爸|母亲|父亲|奶奶|爷爷|外婆|外公|老婆|老公|妻子|丈夫|朋友|闺蜜|女朋友|男朋友|儿子"
    r"|女儿|老板|同事|同学|室友|姐|哥|妈|爸)"
)
AHEAD = (
    r"^\W*(?:(?:so|and|but|well|oh|also|btw|because|since|yeah|yes|no|actually|both|all|사실|근데|그리고|실은"
    r"|あと|でも|実は|其实|但是)\W+)*"
)
_SUBJECT = regex.compile(
    rf"""{AHEAD}(?:
      (?:my|our)\s+(?:\p{{L}}+\s){{0,2}}?(?P<en>{KIN_EN})(?P<own>['’]s)?
        (?:\s(?P<name>(?-i:\p{{Lu}}\p{{Ll}}+)))?(?!\p{{L}})(?P<en_rest>\s.*)
    | (?P<en_they>he|she)(?:['’]s)?\s(?P<they_rest>.*)
    | (?:(?:우리|내|제|나의|저의)\s?)?(?P<ko>{KIN_KO})(?:는|은|도|(?P<ko_doer>가|이))\s(?P<ko_rest>.+)
    | (?:우리|내|제)\s(?P<ko_bare>{KIN_KO})\s(?=.+(?:야|예요|에요|입니다|임)\W*$)
    | (?P<ko_they>걔|그녀|그\s?사람|그\s?애|쟤)(?:는|은|도|가)\s
    | (?:(?:うちの|私の|僕の|俺の|わたしの))?(?P<ja>{KIN_JA})(?:は|も|(?P<ja_doer>が))(?P<ja_rest>.+)
    | (?P<ja_they>彼女|彼|あの人|あいつ)(?:は|も)
    | (?:我|咱)(?:的|们的|家)?(?P<zh>{KIN_ZH})(?P<zh_rest>\p{{Han}}.+)
    | (?P<zh_they>她|他)(?![的们們])
    )""",
    regex.VERBOSE | regex.IGNORECASE | regex.DOTALL,
)
_FIRST = regex.compile(
    r"(?<!\p{L})(?:i|i['’](?:m|ve|d|ll)|me|my|mine|we|us|our|난|날|내|내가|제가|(?:나|저)(?:보다|처럼|한테|에게|랑|와|하고|도|는|를|의)?"
    r"|우리|우리는|우리를|나보고|저한테)(?!\p{L})|私|僕|俺|わたし|ぼく|自分|くれ|もら|我|咱|(?:아|어|해|와|여)\s?(?:줘|줬|준|주)",
    regex.IGNORECASE,
)
_PASSES_ON = regex.compile(
    r"\b(?:say|says|said|told|tells|thinks?|thought|born|call|calls|gave|made)\b|태어|낳|生まれ|産|出生|래$|대$|って(?:言|さ)|说",
    regex.IGNORECASE,
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


def owner(clause: str, *, ahead: Sequence[str] = ()) -> Owner | None:
    """The third person whose fact a clause tells; None where it may be the speaker's own.

    A clause that goes on without a subject is about whom the one before it is about ("my sister is a nurse,
    hates coffee"), and "she" is the one relative that was named ahead, if nobody else was.

    It errs towards the speaker: a clause that holds the speaker too, that passes on what somebody said, or
    whose person may belong to another noun ("the soup that mother made is good") is the speaker's.

    Args:
        clause: of what somebody said.
        ahead: the clauses of the message that stand ahead of it, in order.
    """
    found = _SUBJECT.match(clause)
    if found is None:
        return _carried(clause, ahead)
    rest = clause[
        max(
            found.end(name)
            for name in ("en", "en_they", "ko", "ko_they", "ko_bare", "ja", "ja_they", "zh", "zh_they")
        ) :
    ]
    if _FIRST.search(rest) or passes_on(rest) or _belongs_to_a_noun(found):
        return None
    word = found["en"] or found["ko"] or found["ko_bare"] or found["ja"] or found["zh"]
    return Owner(called=found["name"] or word or _meant(found, ahead))


def _carried(clause: str, ahead: Sequence[str]) -> Owner | None:
    """Whom the clause before is about, where this one goes on from it without a subject of its own."""
    if not ahead or _FIRST.search(clause) or passes_on(clause):
        return None
    before = _SUBJECT.match(ahead[-1])
    if before is not None and (before["ko_doer"] or before["ja_doer"]):  # "언니가 와서 기뻤어": no topic
        return None
    return owner(ahead[-1], ahead=ahead[:-1]) if goes_on(ahead[-1], clause) else None


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
