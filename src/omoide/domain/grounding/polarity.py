"""Whether a claim turns round what was said: a denial, a thing of the past, a supposition (H11, ruling 36).

Cheap rules over one clause at a time. They look at what is denied, not only whether something is: "I can't
eat nuts" speaks against "eats nuts", and not against "is allergic to nuts". What they do not understand,
stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

import regex

from omoide.domain.grounding.wording import stem

if TYPE_CHECKING:
    from collections.abc import Callable

_IDIOMS = regex.compile(
    r"""
      \bnot\s+(?:only|just|always|all|every)
    | \bcan(?:['’]?t|not)\s+(?:wait|help|stop|get\s+enough|live\s+without)
    | \bnever\s+(?:stop|miss|fail)\w* | \bnot\s+bad\b | \bno\s+(?:problem|doubt|worries|wonder|way)\b
    | \b(?:in|for)\s+(?:a\s+)?(?:long\s+time|while|ages|years)\b
    | \bdon['’]?t\s+(?:know|worry|you) | \bwhy\s+(?:not|don['’]?t)\b
    | 안\s?그래도 | 못지\s?않 | 뿐만?\s?아니 | 밖에\s?(?:안|못|없|모르) | 없으면\s?(?:못|안)
    | 없이\s?(?:못|안) | 지\s?않으면\s?안 | 안\s?\S+면\s?안
    | (?:안|못)\s?\p{Hangul}{1,4}면(?!\p{Hangul}) | 지\s?(?:않|못하)으?면(?!\p{Hangul})
    | \b(?:if|when|unless)\s+i\s+(?:don|can|didn)['’]?t\b
    | 얼마\s?안 | 안녕|안전|안심|안경|안내
    | かもしれ(?:ない|ません) | に違いない | 間違いない | (?:仕方|しょうが|しかた)ない | すみません
    | (?:つまら|少|くだら|危|もったい|とんでも|たまら|さりげ|何気|切)ない
    | しか.{0,12}?(?:ない|ません|なかった)
    | な(?:ければ|きゃ|くては|いと).{0,6}(?:ない|ません|いけ|だめ) | じゃない[?？] | (?:ない|ません)か
    | 不错|不過|不过|不但|不仅|不得不|没错
    | 没关系|没想到|差不多|对不起|不好意思|不同|别的|特别|分别|告别|别人|不管|不久|不少
    | 離不開|离不开|不是不|没有不|不能没有
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
_DENIED_EN = regex.compile(
    r"(?:\b(?:not|never|no\s+longer|no|neither|cannot|dont|doesnt|didnt|isnt|cant|hardly|barely|rarely|seldom)\b"
    r"|n['’]t\b)(?P<rest>.*)",
    regex.IGNORECASE | regex.DOTALL,
)
_LEADS_EN = regex.compile(
    r"(?i)\s*(?:(?:going|gonna|planning|able|allowed)\s+(?:to\s+)?"
    r"|think\s+(?:that\s+)?(?:i|we)(?:['’]ll|['’]m\s+going\s+to|\s+will|\s+can|\s+could)?\s+)"
)
"""What stands between a denial and what it denies: "I don't think I'll go", "I'm not going to go"."""

_ADVERBS_EN = (
    *("really", "even", "ever", "actually", "much", "particularly", "very", "so", "too", "longer"),
    *("the", "a", "an", "any"),
)
_LIGHT_EN = frozenset(
    (
        *("have", "has", "had", "having", "own", "owns", "got", "get", "gets", "keep", "keeps"),
        *("be", "am", "is", "are", "been", "do", "does", "did"),
        *("my", "our", "that", "anymore", "in", "at", "of", "for", "to"),
        *_ADVERBS_EN,
    )
)
_OWNS_EN = regex.compile(r"(?i)\b(?:has|have|owns?|keeps?|got)\b")
_HAVE_EN = regex.compile(r"(?i)\b(?:has|have|owns?|keeps?|got|is|are|am|does|do)\b")
_WORD_EN = regex.compile(r"[\p{Latin}'’]+")
_DENIED_KO = regex.compile(
    r"(?<!\p{Hangul})[안못]\s?(?P<after>\p{Hangul}+)"
    r"|(?P<before>\p{Hangul}{1,10}?)(?:지(?:는|를|도)?|질)\s?(?:않|못|마|말)"
)
_LACKED_KO = regex.compile(r"(?P<noun>\p{Hangul}{1,10}?)(?:이|가|은|는|도)?\s?(?:(?P<none>없)|아니)")
_HAVE_KO = regex.compile(r"있|키[우운웠]|기[르른]|가[지졌]")
_IS_KO = regex.compile(r"다\W*$")
_VERBAL_KO = regex.compile(r"(?<!\p{Hangul})\p{Hangul}+(?:다|고|며|지만)(?!\p{Hangul})")
_VOWELS = {"ᅪ": "ᅩ", "ᅯ": "ᅮ", "ᅧ": "ᅵ", "ᅢ": "ᅡ"}
_DENIED_JA = regex.compile(
    r"(?P<key>\p{Han}{1,8}|すき|でき|[\p{Katakana}ー]{2,16})(?P<tail>[\p{Hiragana}]{0,7}?)"
    r"(?:ない|なかった|なく|ません|ず(?!っと))(?!と)"
)
_DENIED_ZH = regex.compile(
    r"(?:不|没有|没|沒有|沒|别|別)(?:太|再|怎么|大|会|想|是|在|敢|爱)*(?P<key>\p{Han}{1,2})"
)
_NEGATIVE = regex.compile(
    r"않|[줄]\s?(?:은\s)?(?:모르|모른|몰[라랐])|거의|(?<!\p{Hangul})[안못](?!\p{Hangul})|(?<!\p{Hangul})[안못](?=[하한할해했되먹가])|없|아니|그만|끊|지\s?말|싫|미워|혐오"
    r"|ない|なかった|なく|ません|(?<=\p{Han}[れえわまかさたらべ])ず|嫌|苦手|(?:や|辞|止)め|だめ|禁止|不|没|沒|别|別|讨厌|討厭|戒"
    r"|(?i:\bnot\b|n['’]t\b|\bno\b|\bnever\b|\bnone\b|\bnothing\b|\bwithout\b|\bdis\p{L}+|\bhat(?:e|es|ed|ing)\b"
    r"|\bstop|\bquit|\bgave\s+up|\bavoid|\brefus|\bcannot\b|\bcant\b|\bdont\b|\bneither\b|\bbarely\b|\bhardly\b|\brarely\b|\bseldom\b|\blittle\b|\bfew\b"
    r"|\bloath|\bdetest|\bdespis|\bformer|\bex-|\bused\s+to\b)"
)
_FOND = regex.compile(
    r"(?i)\b(?:lik(?:e|es|ed|ing)|lov(?:e|es|ed|ing)|ador\w+|enjoy\w*)\b|좋아|사랑|즐[겨기긴]|好き|すき|大好|喜欢|喜歡|爱|愛"
)
_AVERSE = regex.compile(
    r"(?i)\b(?:hat(?:e|es|ed|ing)|dislik\w+|loath\w+|detest\w*|despis\w+|can['’]?t\s+stand)\b|싫|미워|혐오|별로|그닥|그저\s?그래"
    r"|질색|극혐|嫌|苦手|微妙|いまいち|イマイチ|無理|讨厌|討厭"
)
_BAD = regex.compile(r"(?i)\b(?:terrible|awful|horrible|dreadful)\b|끔찍|최악|最悪|ひどい|糟糕|糟透")
_TWICE = regex.compile(
    r"(?i)\bnot\s+(?:like|that|as\s+if|because)\s+i\s+(?:can['’]?t|cannot|don['’]?t|hate|dislike|never|won['’]?t|am\s+not)\b"
    r"|[안못]\s?\p{Hangul}{1,8}\s?(?:거|것|건|게)(?:은|는|이)?\s?(?:아니|아냐|아닌)|지\s?(?:않|못하)는\s?(?:거|것|건|게)(?:은|는|이)?\s?(?:아니|아냐|아닌)"
    r"|ない(?:わけ|の|こと)(?:じゃ|では|も|は)(?:ない|ありません|なく)"
)
_SINCE_WHEN = regex.compile(
    r"(?i)\b(?:since\s+when\s+(?:do|did|am|have)\s+i|who\s+says?\s+(?:that\s+)?i|when\s+did\s+i\s+(?:ever\s+)?say\s+(?:that\s+)?i)\b(?P<what>.+)"
    r"|(?:내가|제가)\s언제\s(?P<what>.{1,60}?)(?:그랬|했|랬)|언제\s(?:내가|제가)\s(?P<what>.{1,60}?)(?:그랬|했|랬)"
    r"|いつ(?:俺|私|僕|あたし|うち)が(?P<what>.{1,60}?)(?:って)?(?:言っ|した)"
)
_USED_EN = regex.compile(
    r"(?i)(?<!\b(?:am|is|are|be|get|got|getting|was|were)\s)(?<!['’](?:m|s|re)\s)\bused\s+to\s+(?P<rest>.*)"
)
_PAST_EN = regex.compile(
    r"(?i)\b(?:used\s+to|former\w*|once|was|were|had|did|until|before|past|no\s+longer|previous\w*|ex-?|left|quit|moved"
    r"|(?<!\b(?:is|are)\s)\p{L}{2,}ed|grew|went)\b"
)
_ONCE_KO = regex.compile(r"예전에|예전엔|옛날에|옛날엔|한때|(?<!\p{Hangul})전에는|(?<!\p{Hangul})전엔")
_SAID_PAST_KO = regex.compile(r"예전|옛날|한때|전에|그만|끊")
_ONCE_JA = regex.compile(r"(?<![名午手直目年月週日駅人以食])前は|以前は|昔は|かつて")
_PAST_JA = regex.compile(r"(?:た|だった)(?:$|[。、がけことの])|以前|昔|元|やめ|前は")
_ONCE_ZH = regex.compile(r"^\W*(?:我|我们)?(?:以前|曾经|曾經|从前|過去|过去)")
_PAST_ZH = regex.compile(r"以前|曾|过|過|了|前")
_SUPPOSED = regex.compile(
    r"""
      \bif\s+i\s+(?:only\s+)?(?:had|were|was|could|won|ever|lived|owned|became|got)\b
    | \b(?:imagine|picture)\s+(?:if|i|me)\b
    | \b(?:i\s+)?wish\s+i\b | \bif\s+only\b | \bwhat\s+if\s+i\b
    | 만약|만일 | (?<!\p{Hangul})(?:내가|나라면|제가)\s.*(?:라면|다면)(?!\p{Hangul})
    | (?:이라|였다|었다|았다|했다|있다|된다|는다)면(?!\p{Hangul})
    | (?:으면|면)\s?(?:좋겠|얼마나|좋을)
    | もし(?!か|も?し) | (?:たら|れば|なら)(?:いい|良い|よかった|のに)
    | (?:だったら|なら|たら|れば).*のに | 如果|要是|假如|假设|假設|但愿
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
_WOULD = regex.compile(r"(?i)\b(?:would|i['’]d)\b")
_IF = regex.compile(r"(?i)\bif\b(?!\s+(?:you\s+(?:ask|want|need|like|must)|i['’]m\s+honest))")
_SUPPOSES = regex.compile(
    r"(?i)\b(?:if|would|wants?|hopes?|wish\w*|dream\w*|when\w*|could|prefers?|imagin\w+|think\w*|plan\w*)\b"
    r"|면|싶|바라|원하|원한|꿈|상상|만약|생각|たら|なら|れば|たい|もし|思|ほしい|欲し|夢|願|考え|如果|要是|想|希望|会(?!.*\p{Hiragana})|會|愿|的话|时|時|打算"
)


def turned(claim: str, clause: str) -> bool:
    """Whether a claim says the contrary of a clause: affirms what it denies, or hates what it likes.

    Args:
        claim: what a memory would say.
        clause: of what was said.
    """
    if _TWICE.search(clause):
        return _NEGATIVE.search(claim) is not None
    plain = _IDIOMS.sub(" ", normalize("NFC", clause))
    if _AVERSE.search(claim) and _FOND.search(plain) and not _NEGATIVE.search(plain):
        return _NEGATIVE.search(_AVERSE.sub(" ", claim)) is None
    if _NEGATIVE.search(claim) is None:
        return any(denies(plain, claim) for denies in _DENIALS) or _only_averse(plain, claim)
    return _denied_only_by_the_claim(claim, plain, clause)


def disclaimed(claim: str, clause: str) -> bool:
    """Whether a clause asks since when what a claim says is so."""
    asked = _SINCE_WHEN.search(clause)
    return asked is not None and (_NEGATIVE.search(asked["what"]) is None) is (
        _NEGATIVE.search(claim) is None
    )


def over(claim: str, clause: str) -> bool:
    """Whether a clause tells what used to be, and a claim says that it is."""
    used = _USED_EN.search(clause)
    if used is not None:
        return _PAST_EN.search(claim) is None and _begins_alike(_content(used["rest"])[:1], claim)
    if _ONCE_KO.search(clause):
        past = _SAID_PAST_KO.search(claim) or any(is_past_ko(word) for word in claim.split())
        verbs = [syllable(word) for word in clause.split() if is_past_ko(word)]
        return not past and any(syllable(word) in verbs for word in _VERBAL_KO.findall(claim))
    if _ONCE_JA.search(clause):
        return regex.search(r"た|だった", clause) is not None and _PAST_JA.search(claim) is None
    return _ONCE_ZH.search(clause) is not None and _PAST_ZH.search(claim) is None


def supposes(claim: str) -> bool:
    """Whether a claim itself says that something is wished, thought of or bound to a condition."""
    return _SUPPOSES.search(claim) is not None


def begins_like(words: str, claim: str) -> bool:
    """Whether an English claim holds what words begin with, however inflected: "a dog", "has a dog"."""
    return _begins_alike(_content(words)[:1], claim)


def does_ko(before: str, verb: str, claim: str) -> bool:
    """Whether a Korean claim says that a verb is done: 키운다 of 키우고 싶다, 이사 갔다 of 이사 갈 거야.

    Of 하다 alone, what is done stands before it.
    """
    if syllable(verb) == syllable("하"):
        done = before.split()[-1:]
        return bool(done) and done[0][:2] in claim
    return any(syllable(word) == syllable(verb) for word in _VERBAL_KO.findall(claim))


def supposed(claim: str, clause: str, sentence: str) -> bool:
    """Whether a clause only supposes, in its sentence, what a claim says is so."""
    if supposes(claim):
        return False
    dense = regex.search(r"[\p{Hangul}\p{Hiragana}\p{Han}]", clause) is not None
    if _SUPPOSED.search(sentence[: sentence.find(clause) + len(clause)] if dense else clause):
        return True
    return _WOULD.search(clause) is not None and _IF.search(sentence) is not None


def _only_averse(clause: str, claim: str) -> bool:
    """Whether a claim likes what a clause hates."""
    bad = _BAD.search(clause) is not None and _BAD.search(claim) is None
    averse = (bad or _AVERSE.search(clause) is not None) and _FOND.search(clause) is None
    return averse and _FOND.search(claim) is not None and _NEGATIVE.search(_AVERSE.sub(" ", clause)) is None


def _denied_only_by_the_claim(claim: str, plain: str, clause: str) -> bool:
    """Whether a claim denies, in the very words of a clause, what that affirms."""
    if plain != clause or _NEGATIVE.search(plain) or _USED_EN.search(clause):
        return False
    return any(denies(claim, plain) for denies in _DENIALS)


def _denied_en(clause: str, claim: str) -> bool:
    found = _DENIED_EN.search(clause)
    if found is None or _DENIED_EN.search(found["rest"]):
        return False
    rest = _LEADS_EN.sub("", found["rest"], count=1) if _LEADS_EN.match(found["rest"]) else found["rest"]
    words = [word.lower() for word in _WORD_EN.findall(rest)]
    if not words or regex.match(r"(?i)\s*(?:that|so|as)\s+(?:much|often)\b", rest):
        return False
    if regex.match(r"(?i)no\s+(?!longer)", found.group()) and _OWNS_EN.search(claim) is None:
        return False
    content = _content(rest)
    if words[0] in _LIGHT_EN and _HAVE_EN.search(claim) is None and words[0] not in _ADVERBS_EN:
        return False
    return _begins_alike(content[:1], claim)


def _denied_ko(clause: str, claim: str) -> bool:
    found = list(_DENIED_KO.finditer(clause))
    lacked = list(_LACKED_KO.finditer(_DENIED_KO.sub(" ", clause)))
    if len(found) + len(lacked) != 1:
        return False
    if lacked:
        noun = lacked[0]["noun"][:2]
        affirms = _HAVE_KO if lacked[0]["none"] else _IS_KO
        return noun in claim and affirms.search(claim) is not None
    verb = found[0]["after"] or found[0]["before"]
    if found[0]["before"] and verb != "하" and verb.endswith("하"):
        return verb[:2] in claim
    return does_ko(clause[: found[0].start()], verb, claim)


def _denied_ja(clause: str, claim: str) -> bool:
    found = list(_DENIED_JA.finditer(clause))
    if len(found) != 1 or found[0]["key"] not in claim:
        return False
    lacks = regex.fullmatch(r"(?:が|は|も|を)?(?:い|あり|し|して(?:い)?)?", found[0]["tail"]) is not None
    particle = found[0]["tail"][:1] in {"が", "は", "も", "を"}
    if particle and not lacks:  # "犬はおらず…", another verb: not this noun is denied
        return False
    return not particle or regex.search(r"いる|ある|飼|する|して|いた|持", claim) is not None


def _denied_zh(clause: str, claim: str) -> bool:
    if regex.search(r"[\p{Hiragana}\p{Katakana}\p{Hangul}]", clause + claim):
        return False
    found = list(_DENIED_ZH.finditer(clause))
    return len(found) == 1 and found[0]["key"] in claim


_DENIALS: tuple[Callable[[str, str], bool], ...] = (_denied_en, _denied_ko, _denied_ja, _denied_zh)


def _content(text: str) -> list[str]:
    words = [word.lower() for word in _WORD_EN.findall(text)]
    return [word for word in words if word not in _LIGHT_EN]


def _begins_alike(words: list[str], claim: str) -> bool:
    """Whether a claim holds one of the words, in any form that begins alike."""
    held = _content(claim)
    return any(stem(word) == stem(one) for word in words for one in held)


def syllable(word: str) -> str:
    """The first syllable of a Korean word without its last consonant, before it is inflected."""
    parts = normalize("NFD", word[:1])
    return parts[:1] + _VOWELS.get(parts[1:2], parts[1:2])


def is_past_ko(word: str) -> bool:
    """Whether a Korean word is in the past: 갔어, 먹었다."""
    return any("ᆻ" in normalize("NFD", one) and one not in "있겠" for one in word)
