"""Whether words are framed as untrue, wished for or bound to a condition, and claimed as so (H11).

It looks at the whole sentence, however little of it is quoted: "It's not true that I smoke",
강아지 키우고 싶다, 宝くじが当たったら沖縄に住む. A claim that says so itself stands.
"""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.claims import content, negative
from omoide.domain.grounding.polarity import begins_like, does_ko, supposes

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
_TO_NOTHING: Final = regex.compile(
    r"(?i)\b(?:(?:in)?to|about|of|with|for|at|(?:eat|like|love|own|have|play|drink|collect|speak|know|want)s?)\s+"
    r"(?:nothing|nobody|no\s?one|none)\b(?!\s+(?:more|better|but|like|else|less|except|special|fancy))"
)
_WISH_EN: Final = regex.compile(
    r"(?i)\b(?:i|we)(?:['’]d|\s+would)?\s+(?:(?:really|just|always|so|do|still)\s+)*(?:want(?:ed)?|wish|hope|love|like|dream)"
    r"\s+(?P<to>to|of|for)?\s*(?P<rest>.+)"
)
_OWNS_EN: Final = regex.compile(r"(?i)^\W*(?:\p{Lu}\p{L}+\s+)?(?:has|have|owns?|keeps?|got)\b")
_LIKES: Final = regex.compile(r"(?i)(?:i|we)\s+(?:\p{L}+\s+)*?(?:love|like)d?\b")
"""Without "would", what somebody loves or likes is no wish."""

_GOES_ON: Final = regex.compile(r"(?i)\b(?:keep|stay|continue|remain|again)\b|계속|ずっと|続け|继续")
"""What is wished to last is so already."""

_WISH_KO: Final = regex.compile(r"(?P<verb>\p{Hangul}{1,6})고\s?싶")
_WISH_JA: Final = regex.compile(r"(?P<key>\p{Han}{1,4})\p{Hiragana}{0,3}?たい(?!へん|てい)")
_LATER_KO: Final = regex.compile(
    r"(?:면|거든)\s.*?(?P<verb>\p{Hangul}+)\s(?:거야|거임|거다|거예요|거에요|건데|생각|계획|예정)"
    r"|면\s.*?(?P<would>\p{Hangul}+)(?:겠다|겠어|을래|을게)"
)
_CONDITION_JA: Final = regex.compile(r"(?:たら|れば|なら|だら)(?!いい|よかっ|だめ)(?P<rest>.+)")
_CONDITION_EN: Final = regex.compile(r"(?i)\bif\s+i\b|\b(?:when|once)\s+i\s+(?:win|get|have|retire|grow)\b")
_WILL_EN: Final = regex.compile(r"(?i)\b(?:i['’]ll|i\s+will|i['’]m\s+(?:going\s+to|gonna)|will)\b")


def unreal(claim: str, clause: str, sentence: str) -> bool:
    """Whether a claim takes for real what its sentence only frames, wishes for or binds to a condition.

    Args:
        claim: what a memory would say.
        clause: of what was said.
        sentence: in which the clause stands.
    """
    return not supposes(claim) and (
        framed(claim, sentence)
        or (_TO_NOTHING.search(clause) is not None and not negative(claim))
        or _wished(claim, clause)
        or _awaited(claim, clause, sentence)
    )


def framed(claim: str, sentence: str) -> bool:
    """Whether a sentence calls untrue, a joke or mere talk what a claim says is so."""
    before = _BEFORE_IT.search(sentence)
    inside = before["rest"] if before is not None else sentence if _BEHIND_IT.search(sentence) else ""
    frames = regex.search(r"(?i)거짓말|농담|嘘|冗談|\b(?:lie[ds]?|lying|jok\w+|pretend\w*)\b", claim)
    return bool(content(inside) & content(claim)) and not frames and not negative(claim)


def _wished(claim: str, clause: str) -> bool:
    if _GOES_ON.search(clause):
        return False
    wish = _WISH_EN.search(clause)
    if wish is not None and not (wish["to"] is None and _LIKES.match(wish.group())):
        return begins_like(wish["rest"], claim) and (wish["to"] == "to" or _OWNS_EN.match(claim) is not None)
    korean = _WISH_KO.search(clause)
    if korean is not None:
        return does_ko(clause[: korean.start()], korean["verb"], claim)
    japanese = _WISH_JA.search(clause)
    return japanese is not None and _goes_on_ja(japanese["key"], claim)


def _awaited(claim: str, clause: str, sentence: str) -> bool:
    """Whether what is to come on a condition is told as so, or as done."""
    if _CONDITION_EN.search(sentence) and _WILL_EN.search(clause):
        return True
    korean = _LATER_KO.search(sentence)
    if korean is not None and korean.end() > sentence.find(clause):
        verb = "verb" if korean["verb"] else "would"
        return does_ko(sentence[: korean.start(verb)], korean[verb], claim)
    japanese = _CONDITION_JA.search(sentence)
    if japanese is None:
        return False
    keys = regex.findall(r"(\p{Han}{1,4})\p{Hiragana}?[うくすつぬむるぐぶ](?!\p{Han})", japanese["rest"])
    return any(_goes_on_ja(key, claim) for key in keys)


def _goes_on_ja(key: str, claim: str) -> bool:
    """Whether a Japanese claim says that something goes on or was done: 住んでいる, where 住む was said."""
    return regex.search(rf"{key}\p{{Hiragana}}{{0,2}}(?:[てで]い?[るま]|た$|だ$)", claim) is not None
