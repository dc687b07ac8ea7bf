"""Whether a text is told in the first person, and whether it claims to know another's mind (K5, K10).

Cheap rules behind a judge: they refuse what nobody can call a memory of one's own, and leave to the judge
what only a reader can tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.text import fold, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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

_KNOWING: Final[dict[Language, str]] = {
    "ko": r"(?:{names})(?:은|는|이|가|도|의|이는|이가|이의)\s?"
    r"(?:(?:마음\s?)?속(?:으로|에서)\s?[^.!?\n]{{0,30}}(?:생각|느끼|느꼈|바라|바랐|원하|원했)"
    r"|(?:마음|속마음|생각|본심)(?:을|은|이)\s?(?:나는\s?)?(?:다\s?)?(?:안다|알고\s?있|알았|읽|훤히))",
    "ja": r"(?:{names})(?:は|が|も|の)[^。！？\n]{{0,4}}"
    r"(?:(?:心の中|心のなか|内心|胸の内)(?:で|では)?[^。！？\n]{{0,30}}(?:思っ|感じ|願っ|考え)"
    r"|(?:心|気持ち|考え|本心|胸の内)(?:は|が|を)[^。！？\n]{{0,6}}(?:わかる|分かる|わかって|分かって|知って|見え))",
    "zh": r"(?:{names})(?:(?:在)?(?:心里|内心|心中)[^。！？\n]{{0,12}}(?:想|觉得|希望|感到)"
    r"|的(?:心思|想法|内心)[^。！？\n]{{0,6}}(?:我都?知道|我清楚|一清二楚))",
    "en": r"\b(?:{names})(?:['’]s)?\s(?:"
    r"(?:secretly|inwardly|privately|deep\sdown|in\s(?:her|his|their)\s(?:heart|mind|head))\s"
    r"[^.!?\n]{{0,20}}?(?:thought|thinks|felt|feels|wanted|wants|wished|wishes|hoped|hated|loved|knew)"
    r"|(?:thought|felt|wished)\b(?!\s(?:aloud|out\sloud|like)\b))",
}
"""A person's mind told as a fact: `{names}` are those of others."""

_READING: Final[dict[Language, str]] = {
    "ko": r"(?:마음|생각|속마음|본심)을\s?(?:읽을\s수\s있|읽었|읽는다|꿰뚫)",
    "ja": r"(?:心|考え|気持ち)(?:の中)?(?:を|が)(?:読めた|読める|読んだ|読み取った)"
    r"|(?:心|考え)(?:の中)?(?:が|は)(?:全部|すべて|手に取るように)見え",
    "zh": r"(?:读懂|看穿|看透|读出)了?[^。！？\n]{0,6}(?:的心|心思|内心|想法)"
    r"|我(?:完全|确切)?知道[^。！？\n]{0,8}在想什么",
    "en": r"\b(?:read|reads|reading)\s(?:\w+['’]s|her|his|their)\s(?:mind|minds|thoughts|heart)\b"
    r"|\bi\s(?:know|knew)\s(?:exactly\s)?what\s(?!i\b)[\w\s]{1,24}?\s(?:was|were|is|are)\s"
    r"(?:thinking|feeling)",
}
"""Reading minds, by whatever name."""

_HEDGES: Final[dict[Language, regex.Pattern[str]]] = {
    "ko": regex.compile(
        r"것\s?같|듯|아마|보였|보인다|모르|몰랐|지도|싶었|(?:다고|라고|자고)\s?(?:말|했)|읽을\s수는?\s없|읽지\s못"
    ),
    "ja": regex.compile(
        r"よう(?:だ|に|な)|みたい|らし(?:い|か)|そう(?:だ|に|な)|かもしれ|たぶん|きっと|だろう|と言っ|って言|気がし"
        r"|(?:わから|分から|読め|見え)な"
    ),
    "zh": regex.compile(
        r"好像|似乎|也许|可能|大概|看起来|仿佛|恐怕|说|不知道|(?:不能|无法|没法)(?:知道|读|看)"
    ),
    "en": regex.compile(
        r"\b(?:seem(?:ed|s)?|perhaps|maybe|might|probably|looked|as\sif|said|says|told|must\shave"
        r"|i\s(?:think|guess|guessed|suppose|imagine|imagined|believe|wonder|wondered)"
        r"|(?:can|could|did|do)(?:\snot|n['’]t)\s(?:know|read|tell|see)|cannot\s(?:know|read|tell|see))\b"
    ),
}
"""What makes a guess or a report of it, or says that it cannot be known."""

_SOMEBODY: Final[dict[Language, str]] = {
    "ko": "그녀|언니|동생|누나|오빠|형",
    "ja": "彼女|彼|姉|妹|兄|弟",
    "zh": "她|他|姐姐|妹妹|哥哥|弟弟",
    "en": "she|he|they",
}
"""Others without their names."""


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


def claims_of_minds(text: str, language: Language, *, others: Iterable[str]) -> list[str]:
    """The sentences of a text that tell what goes on in another's mind as if it were seen.

    A sentence that says it is a guess, a report, or just what cannot be known, is none of them.

    Args:
        text: a memory.
        language: of the text.
        others: what the others are called.
    """
    names = "|".join([*(regex.escape(fold(name)) for name in others if fold(name)), _SOMEBODY[language]])
    claim = regex.compile(f"{_KNOWING[language].format(names=names)}|{_READING[language]}")
    hedge = _HEDGES[language]
    told = ((sentence.strip(), fold(sentence)) for sentence in sentences(text))
    return [sentence for sentence, folded in told if claim.search(folded) and not hedge.search(folded)]
