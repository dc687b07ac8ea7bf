"""Wishes on how to be answered that turn round what was asked: long for short, jokes for no jokes (H28)."""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.claims import content
from omoide.domain.grounding.wording import Heard

_REFUSED: Final = regex.compile(
    r"""
      (?i:(?:\b(?:do\s+not|never|stop|quit|avoid|no(?:\s+more)?|skip|spare\s+me|enough(?:\s+with)?|without|drop)\b
        |\b(?:don|won|shouldn|needn|can)['’]?t\b)(?P<en>[^,;!?]+))
    | (?P<ko>[^,!?]{1,80}?)(?:지\s?(?:는\s|좀\s)?(?:마|말)
        |은?\s?(?:금지|그만|사양|필요\s?없|싫|됐어|안\s?(?:돼|해도)))
    | (?P<ja>[^、!?]{1,80}?)(?:ないで|んといて
        |(?:は|を|とか)?(?:やめ|いら(?:ない|ん)|要らない|不要|結構|禁止|勘弁|控え|なしで))
    | (?:不要|别|別)(?P<zh>[^，！？]+)
    """,
    regex.VERBOSE,
)
_NO_REFUSAL: Final = regex.compile(
    r"(?i)\b(?:don['’]?t|do\s+not|never)\s+(?:forget|hesitate|hold\s+back|worry|stop|be\s+(?:afraid|shy|scared)|let|you|just|only"
    r"|mind)\b|잊지|주저\s?말|주저하지|망설이지|멈추지|걱정|그만두지|忘れないで|遠慮し?ない|ためらわない|やめないで|心配しないで"
)
_WISHING: Final = content(
    """
    want like prefer wish hope ask request enjoy love need call name more often
    바란다 바라 원한다 원하 좋겠 좋아 주기를 주면 달라 한다 하기 해주 해 주 ほしい 欲し 好 望 求 希望
    """
)
_PAIRS: Final = tuple(
    (regex.compile(rf"(?i){one}"), regex.compile(rf"(?i){other}"))
    for one, other in (
        (
            r"\b(?:short\w*|brief\w*|concise\w*)\b|짧|간단|간결|短|手短|簡潔|简短|简洁",
            r"\b(?:long(?!\s+day)\w*|detailed|lengthy|elaborate)\b|길게|긴\s|자세|상세|長|詳し|详细|長",
        ),
        (
            r"\b(?:casual\w*|informal\w*)\b|반말|편하게|タメ口|ため口|くだけ|随意",
            r"\b(?<!in)formal\w*\b|존댓말|존대|격식|敬語|丁寧|礼貌|正式",
        ),
        (r"\b(?:slow\w*)\b|천천히|느리게|ゆっくり|慢", r"\b(?:fast\w*|quick\w*)\b|빨리|빠르게|速く|早く|快"),
    )
)
_TURNS = regex.compile(
    r"(?i)\b(?:not|no|never|less|instead|rather|than|without)\b|n['’]t\b|말고|않|안\s|지\s?마|대신|보다|아니"
    r"|ない|なく|ではなく|より|代わり|やめ|不|别|別"
)

_MILDER = regex.compile(
    r"(?i)\b(?:only|fewer|free\s+of|avoid\w*|stop\w*|refus\w*|hat(?:e|es)|dis\p{L}+|annoy\w*|left|alone)\b"
    r"|그만|싫|금지|없|만\s|뿐|끊|嫌|苦手|だけ|控え|避け|禁止|只|而是"
)


def unwanted(claim: str, clause: str) -> bool:
    """Whether a claim on how to answer somebody wants nothing but what a clause asks not to do.

    All that the claim wants has to stand in what is refused: "don't call me Tommy" is good ground for "wants
    to be called Tom".
    """
    found = _REFUSED.search(clause)
    if found is None or _TURNS.search(claim) or _MILDER.search(claim) or _NO_REFUSAL.search(clause):
        return False
    refused = Heard([next(part for part in found.groups() if part is not None)])
    wanted = {
        piece for piece in content(claim) - _WISHING if len(piece) > 1 or regex.match(r"\p{Han}", piece)
    }
    return bool(wanted) and all(piece in refused for piece in wanted)


def opposite(claim: str, clause: str) -> bool:
    """Whether a claim wants the opposite of what a clause asks for, where neither denies anything."""
    if _TURNS.search(claim) or _TURNS.search(clause):
        return False
    return any(
        _only(one, other, clause) and _only(other, one, claim)
        for pair in _PAIRS
        for one, other in (pair, pair[::-1])
    )


def _only(held: regex.Pattern[str], lacked: regex.Pattern[str], text: str) -> bool:
    return held.search(text) is not None and lacked.search(text) is None
