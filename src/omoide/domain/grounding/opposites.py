"""Wishes on how to be answered that are the opposite of what was asked for: long for short (H28)."""

from __future__ import annotations

from typing import Final

import regex

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
