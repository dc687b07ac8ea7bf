"""How a query is put: what only asks, whom it asks about, and whether it asks at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from omoide.recall.anaphora import vagueness
from omoide.recall.tales import told_of

About = Literal["user", "character"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrasing:
    """How a message is put.

    Attributes:
        asks: whether it asks something; else it tells something.
        about: whom it is about: the user who says it, the character, or neither alone.
        tale: what it asks to be told of; None if it does not ask so, or for any tale at all.
    """

    asks: bool
    about: About | None
    tale: str | None


# What stands around the matter itself when people ask for a memory.
_FRAMES = re.compile(
    r"""
      ^\W*(?:(?:hey|so|well|um+|oh|ok(?:ay)?|please|by\ the\ way|btw)\b\W*)*
       (?:(?:do|did|can|could|would)\ (?:you|u)\ (?:still\ |even\ )?(?:remember|recall|know|tell\ me)
          |(?:remind|tell)\ me(?:\ again)?|remember|i\ was\ wondering|what\ was\ it\ again|guess\ what)\b
       (?:\ (?:if|that|about|whether))?\W*
    | (?<!\W)\W*\b(?:do\ you\ (?:still\ )?remember(?:\ (?:it|that))?|remember|you\ know)\W*$
    | ^\W*(?:저기|있잖아|그런데|근데|혹시|참|야)[\s,]+
    | (?<!\W)\W*(?:기억\s?(?:나|해|하니|하지|나니|나지|나요|하세요|하고\s?있어|나세요|해요)
          |말해\s?줘|알려\s?줘|알아|알고\s?있어)\W*$
    | ^\W*(?:(?:ねえ|ねぇ|あのさ|そういえば|ところで)[、,\s]*|あの[、,\s]+)
    | (?:のことを|のこと|ことを|のを|を|は|って|の)?
       (?:覚え|おぼえ)て(?:い?る|い?ます|い?ない)?(?:の|か|かな|よね)?\W*$
    | (?<!\W)\W*(?:教えて|おしえて)(?:ください|くれる|ね|よ)?\W*$
    | ^\W*(?:对了|那个|话说|喂)[，,\s]*
    | ^\W*你?(?:还)?(?:记得|知道)
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What each frame holds, in small letters: most messages hold none of it, and need no closer look.
_FRAMED = re.compile(
    "remember|recall|know|tell me|remind me|wondering|what was it again|guess what"
    "|저기|있잖아|그런데|근데|혹시|참|야|기억|말해|알려|알아|알고"
    "|ねえ|ねぇ|あの|そういえば|ところで|覚え|おぼえ|教え|おしえ|对了|那个|话说|喂|记得|知道"
)
_SAYS_SOMETHING = re.compile(r"[^\W_]{2}")

# What people say when they part, besides words that name nothing anyway.
_PARTING = re.compile(
    r"""
      \b(?:(?:good)?bye|until|till|ttyl|cya|good\ ?night|sleep\ (?:well|tight)|take\ care|later|soon
        |thanks|thank\ you|cheers|catch|meet|chat|speak|back)\b
    | (?<![가-힣])(?:안녕(?:히)?|잘\s?(?:자|가|있어|지내|쉬어)|계세요|가세요|푹\s?쉬어|고마워
        |수고(?:했어|하셨어|하세)?|바이|봬|뵐게|뵙겠습니다|만나|연락할게|(?:보|만나|얘기하|이야기하|연락하)자)요?(?![가-힣])
    | じゃあ?|さよう?なら|バイバイ|ばいばい|おやすみ|お疲れ(?:様|さま)?|ありがとう|よろしく
        |会(?:おう|いましょう)|話(?:そう|しましょう)
    | 再[见見]|拜拜|晚安|[谢謝]{2}|聊
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LETTER = re.compile(r"[^\W_]")

_FIRST = re.compile(
    r"\b(?:I|I['’]\w+|me|my|mine|myself)\b"
    r"|(?<![가-힣])(?:나(?:는|도|를|의|한테|에게|랑)?|난|내|내가|제|제가|저(?:는|도|를|의|한테|에게|랑))(?![가-힣])"
    r"|私|わたし|僕|ぼく(?!た)|俺|おれ(?!る)|あたし|我"
)
_SECOND = re.compile(
    r"\b(?:you|you['’]\w+|your|yours|yourself|ur|u)\b"
    r"|(?<![가-힣])(?:(?:너|너희|당신)(?:는|도|를|을|은|의|한테|에게|랑|이)?|넌|널|네가|니|니가)(?![가-힣])"
    r"|あなた|きみ|君(?!が代)|お前|你|您",
    re.IGNORECASE,
)

# A mark, a word or an ending that asks; people often leave the mark out.
_ASKS = re.compile(
    r"""
      [?？]
    | ^\W*(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|was|were|can|could|would
       |have|has|had|remember|remind\ me|tell\ me)\b
    | (?<![가-힣])(?:누구|누가|언제|어디|뭐|뭘|무엇|무슨|어느|어떤|어떻게|어땠|왜|몇|얼마)
    | (?:나요|까요|습니까|는지|은지|던가|더라|였지|었지|았지|했지|기억나|기억해)\W*$
    | (?:誰|だれ|いつ|どこ|何|なに)(?!か|も|へ|でも|年)|なん(?:だ|で|の)|どう(?!も|か|せ|ぞ)
    | どの|どれ|どんな|なぜ|いくつ
    | (?:か|かな|かしら|だっけ|たっけ|覚えてる|おぼえてる|は)[。．.…\s]*$
    | ^\W*你?(?:还|還)?(?:记得|記得)
    | (?:谁|什么|什麼|哪[里裡儿个個]?|怎么|怎麼|怎样|多少|为何)(?!都|也)|吗|嗎|呢\W*$
    """,
    re.IGNORECASE | re.VERBOSE,
)


def phrased(message: str) -> Phrasing:
    """Read how a message is put.

    Phrases that only ask aside, first-person words alone mean the user, second-person words the character.
    """
    tale = told_of(message)
    matter = _unframed(tale or message)
    first, second = _FIRST.search(matter) is not None, _SECOND.search(matter) is not None
    about: About | None = None if first == second else "user" if first else "character"
    return Phrasing(asks=asks(message), about=about, tale=tale)


def asks(message: str) -> bool:
    """Whether a message asks something, told by its form; else it tells something."""
    return _ASKS.search(message) is not None


def says_nothing(rest: str) -> bool:
    """Whether what is left of a message without its times and frames names nothing: it asks, or it parts."""
    bare = _PARTING.sub(" ", rest)
    return _LETTER.search(bare) is None or vagueness(bare) is not None


def cut_frame(query: str) -> str:
    """The query without phrases such as "do you remember"; the query itself if nothing else is left."""
    return _unframed(told_of(query) or query)


def _unframed(matter: str) -> str:
    framed = _FRAMED.search(matter.casefold()) is not None
    rest = (_FRAMES.sub("", matter) if framed else matter).strip()
    return rest if _SAYS_SOMETHING.search(rest) else matter
