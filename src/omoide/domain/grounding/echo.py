"""What a nod agrees to: a question or a proposal, never what somebody else asserted (F03, F19)."""

from __future__ import annotations

import regex

from omoide.domain.backchannel import backchannel
from omoide.domain.text import sentences

_ASKS = regex.compile(
    r"[?？][^\p{L}\p{N}]*$|(?:까|까요|나요|가요|니|냐|을래|ㄹ래|할래|볼래|갈래)[\s.~!]*$"
    r"|(?:ます|です|でしょう|ません|だろう)か[。\s]*$|かな[。\s]*$|[吗嗎呢][。\s]*$"
)
_ASSERTS = regex.compile(r"잖아|잖니|거든|じゃん|じゃない(?:か|の)?[?？]|(?i:\bbecause\b|\bsince\s+you\b)")
"""What a question mark makes no question: "you hate it, don't you know"."""

_PROPOSES = regex.compile(
    r"(?i)\b(?:let['’]?s|shall\s+we|how\s+about|why\s+don['’]?t\s+we|we\s+(?:could|should|can|will)|see\s+you|deal"
    r"|promise|meet\s+(?:me|at|on)|wanna|fancy|up\s+for|(?:would|do)\s+you\s+(?:like|want)\s+to|i['’]ll|i\s+will)\b"
    r"|\p{Hangul}자(?=[\s,.!~?]|$)|기로|약속|을게|[할갈볼줄올둘살]게|만나|(?:을|[할갈볼올])(?:래|까)요?[?？]"
    r"|ましょう|[おこそとのほもろよ]う(?:よ|ね|か)?(?:[。、！!?？\s]|$)|約束|(?:ない|ません)か?[?？]|待ってる|一起|吧"
)


def asks(text: str) -> str:
    """The sentences of a message that ask something; empty where it only asserts."""
    asked = (one for one in sentences(text) if _ASKS.search(one.strip()) and not _ASSERTS.search(one))
    return "".join(asked)


def proposes(text: str) -> bool:
    """Whether a message proposes, promises or agrees on something that is to be done."""
    return _PROPOSES.search(text) is not None


def only_nods(text: str) -> bool:
    """Whether a message is laughter or an acknowledgement, and tells nothing by itself."""
    return backchannel(text) is not None
