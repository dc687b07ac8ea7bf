"""Words for days that are meant of no one day: "the last Friday of May", mottoes, 今日を生きる (F05).

To put a date in their place would make nonsense of them, or a thing that nobody said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

    from omoide.domain.times import Span

_LAST: Final = re.compile(r"(?i)last\b")
_OF: Final = re.compile(
    r"(?i)\s+(?:of\b(?!\s+course)|in\s+(?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december)\b)"
)
_SAYING: Final = re.compile(
    r"(?i)\b(?:mottos?|mottoes|mantra|proverb|slogan|(?:a|an|the|old|that|favou?rite)\s+saying)\b"
    r"|좌우명|명언|격언|속담|신조|모토|座右の?[銘铭]|ことわざ|諺|谚语|名言|格言|モットー|信条|俗[语語]"
)
_EN_LED: Final = re.compile(
    r"(?i)\b(?:no|an?\s+(?:better|brighter|happier|new|different)|liv(?:e|es|ed|ing)\s+(?:for|in))\s+$"
)
_EN_JUDGED: Final = re.compile(
    r"(?i)\s+(?:(?:will|would|can|could|might|may|has\s+to)\s+be|is|brings|comes)\s+(?:(?:always|only|just)\s+)?"
    r"(?:better|worse|brighter|easier|harder|happier|kinder|different|another|a\s+(?:new|different|better))\b"
    r"|\s+(?:never|always)\s+"
)
_LIVED_IN: Final = re.compile(r"活在$")
_OBJECT: Final = re.compile(r"[을를]|を")
_SPENT: Final = re.compile(
    r"보[내냈낸]|쉬|쉰|쉴|기다|비[우워웠]|過ご|待[ちった]|休[みんむ]|迎え|空け|마지막|끝|기점|最後|もって|境"
)
_ONESELF: Final = re.compile(r"の(?:自分|私|僕|俺)|への|의\s?(?:나(?![가-힣])|나에게|나를|나는|자신)")
_NEAR: Final = 200
"""Letters around a phrase that tell what it means."""

_TOPIC: Final = "[은는이가はが、,]*\\s?"


def undated(span: Span, head: str, tail: str, *, said: datetime) -> bool:
    """Whether a phrase for a time, in a text, dates nothing.

    Args:
        span: the phrase.
        head: what stands ahead of it.
        tail: what stands behind it.
        said: when the text was said.
    """
    head, tail = head[-_NEAR:], tail[:_NEAR]
    if _LAST.match(span.phrase) and _OF.match(tail):
        return True
    if span.end <= said or (span.end - span.start).days > 1:
        return False
    return (
        _SAYING.search(head + tail) is not None
        or _EN_LED.search(head) is not None
        or _EN_JUDGED.match(tail) is not None
        or _LIVED_IN.search(head) is not None
        or _ONESELF.match(tail) is not None
        or (_OBJECT.match(tail) is not None and _SPENT.search(tail) is None)
        or _said_twice(span.phrase, head, tail)
    )


def _said_twice(phrase: str, head: str, tail: str) -> bool:
    """Whether tomorrow is said of tomorrow: 明日は明日の風が吹く."""
    word = re.escape(phrase)
    if phrase.isascii():
        return False
    return re.match(_TOPIC + word, tail) is not None or re.search(word + _TOPIC + "$", head) is not None
