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
    r"(?i)\b(?:(?:thinking|dreaming)\s+(?:about|of)|considering|debating|contemplating|tempted\s+to|wondering\s+(?:if|whether)"
    r"|(?:can['’]?t|haven['’]?t)\s+decided?\s+(?:if|whether)|not\s+sure\s+(?:if|whether)|toying\s+with)\s+"
    r"(?:(?:i|we)\s+should\s+)?(?P<what>[^,.;!?]+)"
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
_TELLS: Final = regex.compile(
    r"(?i)\b(?:nearly|almost|supposed|meant|about\s+to|going\s+to|consider\w*|debat\w*|contemplat\w*|tempt\w*|decid\w*|forg[eo]t\w*"
    r"|fail\w*|unsure|sure|wonder\w*)\b|뻔|고민|망설|깜빡|까먹|잊|そうにな|ところだった|かけた|迷|悩|検討|忘"
)
_DENIES: Final = regex.compile(
    r"(?i)\b(?:not|no|never|without|cannot)\b|n['’]t\b|않|(?<!\p{Hangul})[안못](?:\s|하|했)|없|ない|なかった|ません|不|没|沒"
)
_LIGHT: Final = content("get got have had having be been being just")
_OUTCOMES: Final = tuple(
    (regex.compile(f"(?i){one}"), regex.compile(f"(?i){other}"))
    for one, other in (
        (
            r"\b(?:fail\w*|flunk\w*|reject(?:ed|ion))\b|\bturned\s+(?:me\s+)?down\b|떨어[졌지진]|불합격|탈락|落ち|落第|不合格|没考上",
            r"\b(?:pass(?:ed|es)|aced|accepted|got\s+in(?:to)?)\b|붙었|붙은|(?<!불)합격|통과|受か|(?<!不)合格|考上",
        ),
        (
            r"\b(?:lost|beaten)\b|졌[어다지네]|패배|負け|输了",
            r"\bw(?:on|ins)\b|이겼|우승|승리|勝っ|勝ち|優勝|赢了",
        ),
    )
)


def undone(claim: str, clause: str) -> bool:
    """Whether a clause says that what a claim tells as done did not come about, or came out otherwise.

    Args:
        claim: what a memory would say.
        clause: of what was said.
    """
    if _DENIES.search(claim):
        return False
    outcomes = (pair for each in _OUTCOMES for pair in (each, each[::-1]))
    if any(_out(one, other, claim, clause) for one, other in outcomes):
        return True
    if _TELLS.search(claim):
        return False
    almost = _ALMOST_EN.search(clause)
    if almost is not None and told_as_past(claim):
        return _does_en(almost["what"], claim)
    if supposes(claim):
        return False
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
    if _DENIES.search(clause):
        return False
    told = one.search(clause) is not None and other.search(clause) is None
    return told and other.search(claim) is not None and one.search(claim) is None


def _does_en(what: str, claim: str) -> bool:
    """Whether a claim does what stands behind a form: its first word of content."""
    words = (content(word) - _LIGHT for word in regex.findall(r"[\p{Latin}'’]+", what))
    return any(piece in Heard([claim]) for piece in next(filter(None, words), frozenset()))
