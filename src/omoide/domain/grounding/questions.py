"""Whether words were only asked (F61): a question tells nothing but what it takes for granted."""

from __future__ import annotations

import regex

from omoide.domain.grounding.clauses import clauses, sentences_of

_QUESTION = regex.compile(r"[?？]\W*$|(?:ます|です|でしょう)か[。\s]*$|[吗嗎][。\s]*$")
_OWN = regex.compile(
    r"(?<!\p{L})(?:나|난|내|나는|나도|내가|제가|저|저는|전|우리|i|i'm|i’m|i've|my|me|we|our)(?!\p{L})"
    r"|私|僕|俺|あたし|うち|わたし|ぼく|我|咱",
    regex.IGNORECASE,
)
_TAKES_FOR_GRANTED = regex.compile(
    r"""
      \b(?:why|what|where|which|how|when)\b | \b(?:did|do)\s+you\s+(?:even\s+)?(?:know|remember)\b
    | \bremember\b
    | \b(?:have|did)\s+i\s+(?:ever\s+)?(?:told?|tell|mention(?:ed)?)\b
    | \b(?:can|could|would|will)\s+you\b(?!\s+(?:say|think|call|guess|consider))
    | 왜 | 뭐|무슨|무엇|어떻게|어떤|어디|언제|누구 | 알아|알지|알았|알고 | 기억 | 잖아 | (?:말|얘기)했지
    | 줄래|줄\s?수|주실|주겠|추천
    | なんで|どうして|なぜ|何|なに|どこ|どう|いつ|どれ | 知って|覚えて|言ったよね|話したよね
    | くれ|もらえ|くださ|教えて|おすすめ
    | 为什么|為什麼|怎么|怎麼|什么|什麼|哪 | 知道|记得|記得|告诉过|能不能|可不可以
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
_LEAVES_OPEN = regex.compile(
    r"\b(?:if|whether)\b|\blooks?\s+like\b|는지|인지|은지\s|처럼\s?보|같아\s?보"
    r"|かどうか|ように?見え|に見え|是否|是不是|像不像",
    regex.IGNORECASE,
)
_KNOWN_TO_BOTH = regex.compile(
    r"[のとっ](?:は|を|て)?(?:知って|覚えて)\p{Hiragana}{0,4}?(?:よね|でしょ)|(?:거|것)\s?(?:은\s)?(?:알지|기억하지|알잖아)|다고\s?(?:말)?했(?:지|잖아)"
)
"""A question that only reminds of what it tells: ドイツに来たの知ってるよね？ Nobody has to be named."""

_INVERTED = regex.compile(
    r"^\W*(?:(?:so|and|but|hey|wait|ok|well|lol)\W+)*(?:am|is|are|was|were|do|does|did|have|has|had|can|could"
    r"|should|would|will|may|might|shall)(?:n['’]t)?\s",
    regex.IGNORECASE,
)
_ANSWERABLE = 2
"""Letters from which what stands before the question proper is a clause of its own."""


def only_asks(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text stands in questions alone, and in none that tells of the speaker.

    Of "I'm a vegetarian, is that ok?" the first clause is told; of "Is my name Bob?" nothing is. What a
    question takes for granted ("did you know that I …", "why am I …") is told, if it is the speaker's own.
    """
    touched = sentences_of(text, start, end)
    return bool(touched) and all(_asks(words, start - at, end - at) for at, words in touched)


def _asks(sentence: str, start: int, end: int) -> bool:
    if _QUESTION.search(sentence.strip()) is None:
        return False
    if any(begin < end and start < stop for begin, stop in _told(sentence)):
        return False
    if _KNOWN_TO_BOTH.search(sentence) is not None and _LEAVES_OPEN.search(sentence) is None:
        return False
    granted = _TAKES_FOR_GRANTED.search(sentence) is not None and _LEAVES_OPEN.search(sentence) is None
    return not granted or _OWN.search(sentence) is None


def _told(sentence: str) -> list[tuple[int, int]]:
    """The clauses before the one that asks, that are no questions themselves."""
    return [
        (begin, stop)
        for begin, stop in clauses(sentence)[:-1]
        if _INVERTED.match(sentence[begin:stop]) is None
        and sum(map(str.isalpha, sentence[begin:stop])) > _ANSWERABLE
    ] + [
        (begin, stop)
        for begin, stop in clauses(sentence)[-1:]
        if regex.match(r"(?i)(?:because|since)\b", sentence[begin:stop])
    ]
