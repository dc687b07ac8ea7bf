"""Whether words are framed as untrue, wished for or bound to a condition, and claimed as so (H11).

It looks at the whole sentence, however little of it is quoted: "It's not true that I smoke",
강아지 키우고 싶다, 宝くじが当たったら沖縄に住む. A claim that says so itself stands.
"""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.claims import content, negative
from omoide.domain.grounding.ended import told_as_past
from omoide.domain.grounding.polarity import begins_like, does_ko, is_past_ko, supposes, syllable

_BEFORE_IT: Final = regex.compile(
    r"(?i)\b(?:(?:not|n['’]t|never)\s+(?:\p{L}+\s+)?(?:true|real|right|the\s+case)\s+that|(?:a\s+)?(?:lie|myth|rumou?r|joke)\s+that"
    r"|(?:joking|kidding|lying|lied|pretend\w*|messing)\s+(?:\p{L}+\s+){0,2}?(?:when|that|about|if)"
    r"|(?:no\s?one|nobody)\s+(?:would|could|can|will|ever)\s+(?:ever\s+)?(?:say|think|believe|call|guess|claim)"
    r"|(?:wouldn['’]?t|would\s+never|never)\s+(?:say|said|claim(?:ed)?)\b|doubt\s+(?:that\s+)?(?=i\b))"
    r"\s*(?P<rest>.+)"
)
_BEHIND_IT: Final = regex.compile(
    r"(?:다는|라는|다고\s한|라고\s한)\s?(?:건|것은|거|말은|소문은)\s?(?:다\s)?(?:거짓말|농담|뻥|장난|사실이?\s?아니|헛소문)"
    r"|(?:というのは|ってのは|っていうのは|って言ったのは|とか)(?:全部)?(?:嘘|うそ|冗談|デマ)"
    r"|(?:是|都是)(?:假的|骗人|开玩笑|谣言)"
)
_BELIEVED: Final = regex.compile(
    r"(?i)\b(?:thinks?|believes?|assumes?|reckons?|figures?)\s(?P<en>[^.!?]{1,80}?)(?:\bbut\b|[,;–—-])\s*(?:but\s)?i(?:['’]m|\sam)\s(?:\p{L}+ly\s)?not\b"
    r"|(?<=\p{Hangul})\s줄\s?(?:알|아|안)[^.!?]{0,40}?(?:아니|아닌|틀렸|오해|착각)"
    r"|(?P<ja>[^。！？]{1,60})(?:と|って)(?:思|勘違い|誤解)[^。！？]{0,8}?(?:けど|が|のに)[^。！？]{0,6}?(?:違(?!う\p{Han})|そうじゃ|じゃない)"
)
"""What others believe of the speaker, who says that it is not so."""

_TAKEN_BACK: Final = regex.compile(
    r"(?i)(?:^|[,;.!?~…、。！？w]|(?<=けど|けれど|んだ|た(?:の|こと)|て|これ|それ|あれ)|는데|지만)\W{0,4}"
    r"(?:(?:haha|lol|nah|no|ok|but|ㅋ+|아니|근데|사실은?|全部|あれ|これ|それ|でも|は|w)\W{0,4}){0,4}"
    r"(?:jk\b|j/k\b|(?:(?:just|only|i['’]m|i\swas)\s)*(?:kidding|joking)\b(?!\s+(?:with|when|that|around))|(?:total|complete|big\s(?:fat)?|a|that['’]s\sa|that\swas\sa"
    r"|(?:which|that|it)\swas\sa(?:\stotal)?)\s?(?:lie|joke)\b"
    r"|(?:사실\s?)?아님(?!\p{Hangul})|사실\s?아니|(?:다\s)?(?:농담|뻥|구라|장난|거짓말)(?:이야|야|임|이고|이지|인데|이에요|입니다|이었|ㅋ|\s*(?:[.!~,]|$))"
    r"|(?:冗談|嘘|うそ|ウソ)(?:だよ|だけど|だった|です|だから|なんだ|ね|w|笑|\s*(?:[。！!、,]|$))|なんちゃって|なんてね|开玩笑的)"
)
"""What takes back the words ahead of it."""

_NARRATION: Final = regex.compile(r"\s*\*[^*]+\*")
_OF_JOKES: Final = regex.compile(
    r"(?i)거짓말|농담|뻥|嘘|冗談|\b(?:lie[ds]?|lying|jok\w+|kid(?:ding)?|pretend\w*)\b"
)
_TO_NOTHING: Final = regex.compile(
    r"(?i)\b(?:(?:in)?to|about|of|with|for|at|(?:eat|like|love|own|have|play|drink|collect|speak|know|want)s?)\s+"
    r"(?:nothing|nobody|no\s?one|none)\b(?!\s+(?:more|better|but|like|else|less|except|special|fancy))"
)
_WISH_EN: Final = regex.compile(
    r"(?i)\b(?:i|we|(?:part|half|all)\s+of\s+me)(?:['’]d|\s+would)?\s+(?:(?:really|just|always|so|do|still)\s+)*(?:want(?:ed|s)?|wish|hope|love|like|dream)"
    r"\s+(?P<to>to|of|for)?\s*(?P<rest>.+)"
)
_OWNS_EN: Final = regex.compile(r"(?i)^\W*(?:\p{Lu}\p{L}+\s+)?(?:has|have|owns?|keeps?|got)\b")
_LIKES: Final = regex.compile(r"(?i)(?:i|we)\s+(?:\p{L}+\s+)*?(?:love|like)d?\b")
"""Without "would", what somebody loves or likes is no wish."""

_GOES_ON: Final = regex.compile(r"(?i)\b(?:keep|stay|continue|remain|again)\b|계속|ずっと|続け|继续")
"""What is wished to last is so already."""

_WISH_KO: Final = regex.compile(r"(?P<verb>\p{Hangul}{1,6})고\s?싶")
_WISH_JA: Final = regex.compile(r"(?P<key>\p{Han})\p{Hiragana}{0,7}?たい(?!へん|てい)")
_WISH_ENDS: Final = regex.compile(
    r"\p{Hangul}{0,3}(?:\s(?:진짜|정말))?\W*$|(?:な[あぁ]?|わ|よ|ね|です|んだ|ぞ|の)*\W*$"
)
_DONE_JA: Final = regex.compile(r"(?P<key>\p{Han})\p{Hiragana}{0,3}た[。\s]*$")
_WOULD_EN: Final = regex.compile(
    r"(?i)\b(?:i|we)(?:['’]d|\s+would)\s+(?:(?:kill|die|give\s+\p{L}+)\s+(?:for|to\s+have)\s+(?P<thing>.+)"
    r"|(?!had\b|been\b|better\b|say\b)(?:\p{L}+ly\s)?(?P<does>\p{L}{2,}))"
)
_THEN_EN: Final = regex.compile(r"(?i)\b(?:every|always|back\s+then|used\s+to|as\s+a\s+(?:kid|child))\b")
"""What makes "I'd go" a habit of former days."""
_LATER_KO: Final = regex.compile(
    r"(?:면|거든)\s.{0,80}?(?P<verb>\p{Hangul}+)\s(?:거야|거임|거다|거예요|거에요|건데|생각|계획|예정)"
    r"|면\s.{0,80}?(?P<would>\p{Hangul}+)(?:겠다|겠어|을래|을게)"
)
_CONDITION_JA: Final = regex.compile(r"(?:たら|れば|なら|だら)(?!いい|よかっ|だめ)(?P<rest>.+)")
_CONDITION_EN: Final = regex.compile(r"(?i)\bif\s+i\b|\b(?:when|once)\s+i\s+(?:win|get|have|retire|grow)\b")
_ONCE_EN: Final = regex.compile(
    r"(?i)\b(?:once|if|as\s+soon\s+as)\s+(?:i|we)\s+(?!was|were|had|did|got|re(?:member|call)|think|know|could|\p{L}+ed\b)\p{L}+"
)
_ONCE_KO: Final = regex.compile(
    r"\p{Hangul}(?<!라|냉|화|장|방|측|표|가|당|쫄|아니|그러)면\s[^.!?]{0,60}?\p{Hangul}\W{0,6}$"
)
_ONCE_JA: Final = regex.compile(
    r"(?:たら|だら|れば|なら)(?!いい|よかっ|だめ)[^。]{0,60}?[うくぐすつぬぶむる](?:わ|よ|ね|な|ぞ|かな|つもり|んだ){0,3}\W{0,6}$"
)
"""A condition that is still open, and how the sentence ends that tells what comes of it."""

_WILL_EN: Final = regex.compile(r"(?i)\b(?:i['’]ll|i\s+will|i['’]m\s+(?:going\s+to|gonna)|will)\b")


def unreal(claim: str, clause: str, sentence: str, *, behind: str = "") -> bool:
    """Whether a claim takes for real what its sentence only frames, wishes for or binds to a condition.

    Args:
        claim: what a memory would say.
        clause: of what was said.
        sentence: in which the clause stands.
        behind: the sentence that follows.
    """
    return not supposes(claim) and (
        framed(claim, sentence, clause=clause, behind=behind)
        or (_TO_NOTHING.search(clause) is not None and not negative(claim))
        or _wished(claim, clause)
        or _would(claim, clause)
        or _awaited(claim, clause, sentence)
    )


def acted(text: str, end: int) -> bool:
    """Whether what ends there in a message stands in the narration that begins it: *I draw my sword*."""
    narration = _NARRATION.match(text)
    return narration is not None and end <= narration.end()


def framed(claim: str, sentence: str, *, clause: str = "", behind: str = "") -> bool:
    """Whether what was said calls untrue, a joke or mere talk what a claim says is so.

    Args:
        claim: what a memory would say.
        sentence: of what was said.
        clause: in it, on which the claim rests.
        behind: the sentence that follows.
    """
    if _OF_JOKES.search(claim) or negative(claim):
        return False
    before, believed = _BEFORE_IT.search(sentence), _BELIEVED.search(sentence)
    inside = before["rest"] if before is not None else sentence if _BEHIND_IT.search(sentence) else ""
    if believed is not None:
        inside += next(filter(None, believed.groups()), sentence[: believed.start()])
    after = sentence[sentence.find(clause) + len(clause.rstrip(" ,、")) :] if clause else ""
    taken = _TAKEN_BACK.search(after) or _TAKEN_BACK.search(clause, 2) or _TAKEN_BACK.match(behind)
    return taken is not None or bool(content(inside) & content(claim))


def _wished(claim: str, clause: str) -> bool:
    if _GOES_ON.search(clause):
        return False
    wish = _WISH_EN.search(clause)
    if wish is not None and not (wish["to"] is None and _LIKES.match(wish.group())):
        return begins_like(wish["rest"], claim) and (wish["to"] == "to" or _OWNS_EN.match(claim) is not None)
    korean, japanese = _WISH_KO.search(clause), _WISH_JA.search(clause)
    if _only_wishes(claim, clause, korean or japanese):
        return True
    if korean is not None:
        return does_ko(clause[: korean.start()], korean["verb"], claim)
    if japanese is None or _goes_on_ja(japanese["key"], clause[: japanese.start()]):
        return False
    return _goes_on_ja(japanese["key"], claim)


def _only_wishes(claim: str, clause: str, wish: regex.Match[str] | None) -> bool:
    """Whether a clause ends in a wish, and a claim tells of a deed that nothing ahead of the wish tells."""
    if wish is None or not told_as_past(claim) or _WISH_ENDS.match(clause, wish.end()) is None:
        return False
    before = clause[: wish.start()]
    done = _DONE_JA.search(claim)
    if done is not None:
        return done["key"] not in before
    last = claim.rsplit(maxsplit=1)[-1]
    return not any(syllable(word) == syllable(last) for word in before.split())


def _would(claim: str, clause: str) -> bool:
    """Whether a claim says is done what one only would do: "I'd move to Rome", "I'd kill for a pony"."""
    found = _WOULD_EN.search(clause)
    if found is None or _THEN_EN.search(clause):
        return False
    if found["thing"]:
        return _OWNS_EN.match(claim) is not None and begins_like(found["thing"], claim)
    return begins_like(found["does"], " ".join(claim.split()[:2]))


def _awaited(claim: str, clause: str, sentence: str) -> bool:
    """Whether what is to come on a condition is told as so, or as done."""
    if _CONDITION_EN.search(sentence) and _WILL_EN.search(clause):
        return True
    if told_as_past(claim) and _open_condition(sentence):
        return True
    korean = _LATER_KO.search(sentence)
    if korean is not None and korean.end() > sentence.find(clause):
        verb = "verb" if korean["verb"] else "would"
        return does_ko(sentence[: korean.start(verb)], korean[verb], claim)
    japanese = _CONDITION_JA.search(sentence)
    if japanese is None:
        return False
    keys = regex.findall(r"(\p{Han})\p{Hiragana}?[うくすつぬむるぐぶ](?!\p{Han})", japanese["rest"])
    return any(_goes_on_ja(key, claim) for key in keys)


def _open_condition(sentence: str) -> bool:
    """Whether a sentence tells what comes of something that is not so yet."""
    korean, japanese = _ONCE_KO.search(sentence), _ONCE_JA.search(sentence)
    still = korean is not None and not any(is_past_ko(word) for word in sentence.split()[-2:])
    return still or japanese is not None or _ONCE_EN.search(sentence) is not None


def _goes_on_ja(key: str, claim: str) -> bool:
    """Whether a Japanese claim says that something goes on or was done: 住んでいる, where 住む was said."""
    return regex.search(rf"{key}\p{{Hiragana}}{{0,2}}(?:[てで]い?[るま]|た$|だ$)", claim) is not None
