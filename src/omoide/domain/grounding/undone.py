"""What did not come about, though a claim says that it did: nearly, forgotten, only thought of, failed (H11).

One list of forms in each language. Each is applied to what stands with it in one clause: "nearly got hit"
speaks against "was hit", and not against "has a car". A claim that tells the form itself stands.
"""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.claims import content
from omoide.domain.grounding.ended import told_as_past
from omoide.domain.grounding.polarity import does_ko, supposes
from omoide.domain.grounding.wording import Heard

_ALMOST_EN: Final = regex.compile(
    r"(?i)\b(?:nearly|almost|(?:was|were)\s+(?:about|going|supposed|meant)\s+to|came\s+close\s+to|(?:should|could)\s+have"
    r"|(?:did\s+not|didn['’]?t)\s+(?:manage|get)\s+to|failed\s+to|forgot\s+(?:to|about|my|the))\s+(?P<what>[^,.;!?]+)"
)
_THOUGHT_EN: Final = regex.compile(
    r"(?i)\b(?:(?:thinking|dreaming)\s+(?:about|of)|considering|debating|contemplating|tempted\s+to|(?:i|we)\s+(?:might|may)|^\W*(?:might|maybe)|talk(?:ing|ed)\s+about|wondering\s+(?:if|whether)"
    r"|(?:can['’]?t|haven['’]?t)\s+decided?\s+(?:if|whether)|not\s+sure\s+(?:if|whether)|(?:toying|playing)\s+with)\s+"
    r"(?:(?:i|we)\s+should\s+|the\s+(?:idea|thought)\s+of\s+|maybe\s+|perhaps\s+)*(?P<what>[^,.;!?]+)"
)
_KO: Final = regex.compile(
    r"(?P<verb>\p{Hangul}{1,20})(?:\s?뻔\s?(?:했|하)|(?:(?<=[까지])|(?<=까)\s?)\s?(?:말까\s?)?(?:고민|생각\s?중|싶|망설|하는\s?중)"
    r"|\s(?:거|것|걸|것을|거를)\s?(?:깜빡|까먹|잊))"
)
_JA: Final = regex.compile(
    r"(?P<verb>[\p{Han}\p{Katakana}ー]{1,20}\p{Hiragana}{0,2}?|\p{Hiragana}{2,3}?)"
    r"(?:そうにな(?:っ|り)|(?:る|う|く|む|す)ところだった|かけた|(?:し)?よう(?:か|と)(?:な)?(?:迷|悩|考|検討)"
    r"|(?:る|う|く|む|す|ぶ)?(?:の)?(?:を)?忘れ[たてち])"
)
_UNDECIDED: Final = regex.compile(
    r"까\s?말까|지\s?말지|\p{Hangul}지\s(?:아직\s|잘\s)*(?:모르|못\s?정|안\s?정|고민)|까\s?싶|자는\s?(?:얘기|말|이야기)"
    r"|かどうか.{0,8}(?:決め|迷|悩|わから|分から|考え)|[おこそとのほもよろぼごぞ]うか(?:って|と|なって|な)?.{0,6}(?:話|迷|悩|考|検討|相談)"
)
_RESOLVED: Final = regex.compile(r"결국|그래서|했다가|하다가|기로|결정했|決めた|ことに(?:し|な)|結局")
_TRIED_EN: Final = regex.compile(r"(?i)\b(?:tried|trying|attempt(?:ed|ing))\s+(?:to\s+)?(?P<what>[^,.;!?]+)")
_TRIED_KO: Final = regex.compile(r"(?P<verb>\p{Hangul}+)\s?봤는데")
_IN_VAIN: Final = regex.compile(
    r"(?i)\b(?:still|no\s+luck|in\s+vain|nothing|couldn['’]t|didn['’]t|doesn['’]t|won['’]t|failed|not)\b|아직|안\s|못|실패|소용|그대로"
)
_TELLS: Final = regex.compile(
    r"(?i)\b(?:might|maybe|tr(?:ied|ies|ying)|talk\w*|nearly|almost|supposed|meant|about\s+to|going\s+to|consider\w*|debat\w*|contemplat\w*|tempt\w*|decid\w*|forg[eo]t\w*"
    r"|fail\w*|unsure|sure|wonder\w*)\b|뻔|고민|망설|모르|시도|노력|깜빡|까먹|잊|そうにな|ところだった|かけた|迷|悩|検討|忘"
)
_DENIES: Final = regex.compile(
    r"(?i)\b(?:not|no|never|without|cannot)\b|n['’]t\b|않|(?<!\p{Hangul})[안못](?:\s|하|했)|없|ない|なかった|ません|不|没|沒"
)
_LIGHT: Final = content("get got have had having be been being just")
_FAILED: Final = (
    r"\b(?:did\s*n['’]?o?t|never|could\s*n['’]?o?t|was\s*n['’]?o?t|have\s*n['’]t|not)\s+(?:\p{L}+\s)?(?:pass|ma[kd]e\s+it"
    r"|get\s+(?:in|it|the|accepted)|accept\p{L}*|gotten\s+in|chosen|hired|selected)\b"
    r"|\b(?:fail\w*|flunk\w*|bombed|blew|reject(?:ed|ion)|turned\s+(?:me\s+)?down)\b"
    r"|떨어[졌지진]|미끄러|낙방|물\s?먹었|불합격|탈락|(?:안|못)\s?(?:됐|되|붙|뽑)|망[했쳤]"
    r"|落ち|落第|不合格|(?:だめ|ダメ|駄目)だっ|(?:受か|通|受から|選ばれ|採用され)ら?な(?:かっ|い)|没考上"
)
_PASSED: Final = (
    r"\b(?:pass(?:ed|es)|aced|accepted|hired|admitted|got\s+in(?:to)?|got\s+the\s+job)\b"
    r"|붙었|붙은|(?<!불)합격|통과|뽑[혔힌]|[을를]\s땄|受か[っりる]|(?<!不)合格|考上|採用され(?!な)|内定"
)
_LOST: Final = r"\b(?:lost|beaten|did\s*n['’]?o?t\s+win)\b|졌[어다지네]|패배|負け|输了"
_WON: Final = r"\bw(?:on|ins)\b|이겼|우승|승리|勝っ|勝ち|優勝|赢了"
_OUTCOMES: Final = tuple(
    (regex.compile(f"(?i){fail}"), regex.compile(f"(?i){win}"))
    for fail, win in ((_FAILED, _PASSED), (_LOST, _WON))
)


def undone(claim: str, clause: str, sentence: str = "") -> bool:
    """Whether a clause says that what a claim tells as done did not come about, or came out otherwise.

    Args:
        claim: what a memory would say.
        clause: of what was said.
        sentence: in which the clause stands.
    """
    if _DENIES.search(claim):
        return False
    if any(
        _out(fail, win, claim, sentence or clause)
        or (_DENIES.search(clause) is None and _out(win, fail, claim, clause))
        for fail, win in _OUTCOMES
    ):
        return True
    if _TELLS.search(claim):
        return False
    almost = _ALMOST_EN.search(clause)
    if almost is not None and told_as_past(claim):
        return _does_en(almost["what"], claim)
    if _in_vain(claim, clause, sentence):
        return True
    if supposes(claim):
        return False
    if _UNDECIDED.search(clause):
        return _RESOLVED.search(sentence) is None
    thought = _THOUGHT_EN.search(clause)
    if thought is not None:
        return _does_en(thought["what"], claim)
    found = _KO.search(clause)
    if found is not None:
        again = found["verb"][:2] in clause[found.end() :]  # thought of, and done in the end
        done = told_as_past(claim) and does_ko(clause[: found.start()], found["verb"], claim)
        return done and not again
    verbs = (done["verb"] for done in _JA.finditer(clause, overlapped=True))
    return told_as_past(claim) and any(
        regex.match(r"[\p{Han}\p{Katakana}]|..?", verb)[0] in claim for verb in verbs
    )


def _out(one: regex.Pattern[str], other: regex.Pattern[str], claim: str, clause: str) -> bool:
    """Whether a clause tells only the one outcome, and a claim only the other."""
    told = one.search(clause) is not None and other.search(one.sub(" ", clause)) is None
    return told and other.search(claim) is not None and one.search(claim) is None


def _in_vain(claim: str, clause: str, sentence: str) -> bool:
    """Whether a claim tells as done what was only tried: 고쳐봤는데 아직도 안 나와."""
    if not told_as_past(claim) or _IN_VAIN.search(sentence) is None:
        return False
    english, korean = _TRIED_EN.search(clause), _TRIED_KO.search(clause)
    tried = english is not None and _does_en(english["what"], claim)
    return tried or (korean is not None and does_ko(clause[: korean.start()], korean["verb"], claim))


def _does_en(what: str, claim: str) -> bool:
    """Whether a claim does what stands behind a form: its first word of content."""
    words = (content(word) - _LIGHT for word in regex.findall(r"[\p{Latin}'’]+", what))
    return any(piece in Heard([claim]) for piece in next(filter(None, words), frozenset()))
