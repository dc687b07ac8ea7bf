"""Whether a claim makes more of what was said than there was: a habit of once, a deed of advice (H11)."""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.ended import told_as_past
from omoide.domain.grounding.kin import speaks_of_self

_ONCE: Final = regex.compile(
    r"(?i)\b(?<!at\s)once\b(?!\s+(?:an?|every|per|in|upon)\b)|\bone\s+time\b|\b(?:for\s+the|my|was\s+the)\s+first\s+time\b|\bone\s+\p{L}+\s\p{L}+,?\s.{0,12}\bago\b"
    r"|(?<!\p{Hangul})(?:딱\s)?한\s?번(?!\p{Hangul}|\s?더)|(?<!\p{Hangul})처음(?:으로|\s)|一度(?!も|に)|一回(?!も)|(?<!最)初めて"
)
_HABIT: Final = regex.compile(
    r"(?i)\b(?:always|every|regular\p{L}*|often|usually|habit\p{L}*|addict\p{L}*|suffers?|(?:loves?|likes?|enjoys?|adores?)\b)"
    r"|꾸준|자주|항상|매[일주번달]|늘\s|좋아한다|즐긴다|즐겨|장애가|중독|다닌다|続けて|いつも|毎[日週月]|よく|習慣|通って|好き|障害|中毒"
)
_FOND: Final = regex.compile(
    r"(?i)\b(?:lov|lik|ador|enjoy|hook|addict|since|ever\b|every|week)|좋|반[했하]|빠[졌지]|재[밌미]|매[일주]|계속|자주|好|ハマ|はま|楽し|毎|ずっと|から"
)
"""What makes more than once of it."""

_SOMETIMES: Final = regex.compile(
    r"(?i)\b(?:sometimes|occasionally|(?:every\s)?now\s+and\s+(?:then|again)|once\s+in\s+a\s+while|from\s+time\s+to\s+time)\b"
    r"|가끔|때때로|어쩌다|이따금|간혹|たまに|時々|ときどき|時折"
)
_NEVER_OR_ALWAYS: Final = regex.compile(
    r"(?i)\b(?:always|never|every|(?:does|do)(?:n['’]t|\s+not)|cannot)\b|항상|늘\s|매[일번]|절대|전혀|않|(?<!\p{Hangul})안\s|いつも|必ず|毎|絶対|ない"
)
_ADVICE: Final = regex.compile(
    r"(?i)\b(?:you|people|one|everyone|everybody|they|folks|we\s+all|kids|adults)\s+(?:\p{L}+ly\s|just\s|all\s)?(?:should|must|ought|have\s+to|need\s+to|(?:ha|['’])ve\s+got\s+to)\b"
    r"|\b(?:they|people|experts?|doctors?)\s+(?:always\s)?say\b|\bsupposedly\b|\b(?:it['’]s|it\s+is)\s+(?:good|best|healthy|important|better)\s+(?:for\s+\p{L}+\s)?to\b"
    r"|(?<=\p{Hangul})야\s?(?:한다|하는|돼|되|된|좋|할|겠)|(?<=\s)게\s좋[다아대은]|[다라]더라|[다라]던데|[다라]잖아"
    r"|べき|ない(?:と(?:ね|な|いけ|だめ)|とね)|な(?:きゃ|ければ|くちゃ|くては)|(?:た|ない)(?:ほう|方)が(?:いい|良い)|らしい|と(?:か)?(?:言う|いう|言われ)|って(?:言|い)うよね"
)
_ADVISED: Final = regex.compile(
    r"(?i)\b(?:should|must|ought|advi[sc]\p{L}*|recommend\p{L}*|thinks?|believes?|heard|says?|needs?|has\s+to)\b"
    r"|\p{Hangul}야\s?[한하된되]|좋다고|생각|들었|べき|思|なければ|なきゃ|必要|聞い|らしい"
)


def overdone(claim: str, clause: str) -> bool:
    """Whether a claim tells as a habit, or of always or never, what was so once or sometimes.

    Args:
        claim: what a memory would say.
        clause: of what was said.
    """
    if _SOMETIMES.search(clause):
        return _SOMETIMES.search(claim) is None and _NEVER_OR_ALWAYS.search(claim) is not None
    once = _ONCE.search(clause) is not None and _ONCE.search(claim) is None
    return once and not told_as_past(claim) and _HABIT.search(claim) is not None and not _FOND.search(clause)


def advised(claim: str, clause: str) -> bool:
    """Whether a clause says what one should do, or what is said, and a claim that its speaker does it.

    Args:
        claim: what a memory would say.
        clause: of what was said, in which its speaker does not stand.
    """
    advice = _ADVICE.search(clause) is not None and _ADVISED.search(claim) is None
    return advice and not speaks_of_self(clause) and not told_as_past(claim)
