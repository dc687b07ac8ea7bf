"""Messages that ask to be told of something: "tell me about the ducks", and what that something is.

The form is that of a request that any machine could meet, as a tale of dragons is. What a memory holds of the
matter decides (ruling 35).
"""

from __future__ import annotations

import re
from unicodedata import normalize

_FORMS = (
    r"""
      ^\W*(?:(?:hey|so|well|please|and|ok(?:ay)?)\b\W*)*(?:(?:can|could|would|will)\syou\s(?:please\s)?)?
        (?:tell\sme|talk\sto\sme|i(?:\swant|\swould\slike|['’]d\slike)\sto\shear)
        (?:\s(?:more|again|all|everything|something|(?:a|the|that|another|some)\s(?:story|stories|tales?)))?
        \s(?:about|of)\s(?P<matter>.+?)(?:\s(?:please|again|once\smore))?\W*$
    """,
    r"""
      ^(?P<matter>.+?)
        (?:에\s?(?:대해서?|대한|관해서?|관한)(?:\s?(?:것|거|얘기|이야기))?(?:를|을|도)?\s*(?:좀|더|다시|한\s?번|또)?\s*(?:말(?:을)?\s?해|얘기\s?해|이야기\s?해|알려|들려|해)
          |\s*(?:얘기|이야기)(?:를|도|나)?\s*(?:좀|더|다시|한\s?번|또|하나만?)?\s*(?:해|들려|말해))
        \s?(?:줘요?|줄래요?|줄\s?수\s?있\w*|주라|주세요|주실래요|봐요?)\W*$
    """,
    r"""
      ^(?P<matter>.+?)(?:に(?:つい|関し)て(?:の?(?:話|お話|こと))?|の(?:こと|事|話|お話|思い出))(?:を|も|って|は)?[、\s]?
        (?:もっと|もう一度|もう一回|また|少し|ちょっと)?(?:して|話して|語って|教えて|おしえて|聞かせて|きかせて|聞きたい)
        (?:ください|下さい|くれる|くれない|くれ|ほしい|欲しい|よ|ね|な)*\W*$
    """,
    r"""
      ^\W*(?:那|再)?你?(?:能|可以)?(?:再)?(?:给我|跟我|和我)?(?:再)?(?:讲|说|聊|谈){1,2}(?:一(?:讲|说|聊|谈|下|个)|个)?(?:关于|有关)?
        (?P<matter>.+?)的(?:事情|事儿|事|故事|经历)(?:吧|呗|呀|好吗|听听)?\W*$
    """,
)
_TALES = [re.compile(form, re.IGNORECASE | re.VERBOSE | re.DOTALL) for form in _FORMS]

# Kinds of tale, and what only points: no matter that a memory could hold.
_ANYTHING = re.compile(
    r"""
      (?:it|this|that|them|something|anything|you|yourself|your\sday|the\s(?:weather|news))
    | (?:(?:재미\s?있는|재밌는|재미난|웃긴|웃기는|무서운|슬픈|감동적인|신기한|신나는|짧은|긴|옛날|아무|다른|새로운|좋은|귀여운|따뜻한
        |네|니|너|너의|당신|그|그거|이거)\s*)+
    | (?:(?:面白い|おもしろい|怖い|こわい|笑える|悲しい|楽しい|不思議な|短い|長い|昔|何か|なにか|別|他|ほか|あなた|君|きみ|自分|それ|これ)の?)+
    | (?:一?个)?(?:有趣|搞笑|恐怖|好笑|可怕|感人|好听|童话|以前|过去|你|你自己|自己|它|这个|那个)
    """,
    re.IGNORECASE | re.VERBOSE,
)


def told_of(message: str) -> str | None:
    """What a message asks to be told of; None if it does not ask so, or for any tale at all."""
    text = " ".join(normalize("NFKC", message).split())  # the forms look for white space from many places
    for form in _TALES:
        found = form.match(text)
        if found is not None:
            matter = found["matter"].strip()
            return None if _ANYTHING.fullmatch(matter) else matter
    return None
