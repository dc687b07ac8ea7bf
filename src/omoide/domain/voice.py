"""Whether a text is told in the first person (K10).

Cheap rules behind a judge: they refuse what nobody can call a memory of one's own, and leave to the judge
what only a reader can tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.text import Language

_FIRST: Final[dict[Language, regex.Pattern[str]]] = {
    "ko": regex.compile(
        r"(?<![가-힣])(?:나는|난|나도|나만|나를|날|나와|나랑|나의|나한테|나에게|내가|내\s|내겐|내게|제가|저는|전\s"
        r"|저도|저를|제\s|저에게|저한테|우리)"
    ),
    "ja": regex.compile(
        r"私|わたし|わたくし|あたし|あたい|僕|ぼく|ボク|俺|おれ|オレ|うち(?:は|も|が|の)|自分|わし|我々"
    ),
    "zh": regex.compile(r"我|咱"),
    "en": regex.compile(r"\b(?:i|i['’](?:m|d|ve|ll)|me|my|mine|myself|we|us|our|ours)\b"),
}
"""A speaker naming itself."""

_ONESELF: Final = frozenset(
    {
        *("me", "i", "myself", "me myself", "i myself", "self", "oneself", "my own self"),
        *("私", "わたし", "わたくし", "あたし", "あたい", "僕", "ぼく", "ボク", "俺", "おれ", "オレ", "わし"),
        *("自分", "自分自身", "私自身", "僕自身", "俺自身", "本人"),
        *(
            "나",
            "내",
            "내가",
            "나 자신",
            "나자신",
            "내 자신",
            "저",
            "제가",
            "저 자신",
            "자신",
            "자기 자신",
            "본인",
            "스스로",
        ),
        *("我", "我自己", "自己", "本人", "我本人", "咱"),
    }
)
"""Words for oneself that are a whole answer to the question who."""

_IMPLIED: Final[dict[Language, regex.Pattern[str]]] = {
    "ko": regex.compile(r"[가-힣](?:다|네|어|해|야|지)[.!?…\s]*$"),
    "ja": regex.compile(r"(?:[ただういくすつぬるよねな])[。！？!?.…\s]*$"),
    "zh": regex.compile(r"(?!)"),
    "en": regex.compile(r"(?!)"),
}
"""Sentences of a diary whose speaker goes without saying, as Korean and Japanese leave it out."""


def names_itself(who: str) -> bool:
    """Whether a name given for somebody is only a word for the one who speaks, in any language."""
    return fold(who).strip(" .。!?'\"") in _ONESELF


def is_first_person(text: str, language: Language, *, own: Sequence[str] = ()) -> bool:
    """Whether a text is told by the one who lived through it.

    Korean and Japanese diaries leave the speaker out; they count as first person unless the speaker's own
    names stand in it as somebody else's would.

    Args:
        text: a memory.
        language: of the text.
        own: what the speaker is called.
    """
    folded = fold(text)
    if _FIRST[language].search(folded):
        return True
    told_of = any(fold(name) in folded for name in own if name)
    return not told_of and _IMPLIED[language].search(folded) is not None
