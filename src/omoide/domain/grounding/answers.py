"""Whether an answer makes what a question asks a thing that was said: a plain yes does, little else (F03).

A yes or no is told by a closed list in each language. "Maybe" and "why do you ask" say nothing of what was
asked, and a plain no says that it is not so. What an answer says in words of its own needs no question.
"""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.claims import content, negative
from omoide.domain.grounding.echo import asks
from omoide.domain.grounding.kin import speaks_of_self
from omoide.domain.grounding.polarity import turned
from omoide.domain.grounding.wording import Heard
from omoide.domain.text import sentences

_LAUGHTER: Final = r"(?:[ㅋㅎㅠㅜ]+|lo+l|(?:ha)+h?|(?:he)+|笑|w+|草|ふふ|あはは|哈+)"
_YES: Final = (
    # en
    r"yes|yeah|yea|yep|yup|ya|ye|yh|aye|sure|ok|okay|of\s+course|definitely|absolutely|exactly|totally|indeed|correct"
    r"|right|true|certainly|always|i\s+(?:do|am|have|did|was|can|will|would)|(?:that|it)['’]?s\s+(?:right|true|me)|mhm"
    r"|uh\s?huh|guilty|you\s+(?:bet|know\s+it|got\s+it)|me\s+too|same(?:\s+here)?|so\s+do\s+i"
    r"|since|happily|a\s+lot|very|often|all\s+the\s+time|every\s+\p{L}+|for\s+(?:\p{L}+\s+){0,3}?(?:years?|months?|weeks?)"
    # ko
    r"|응+|웅+|어+|엉|ㅇㅇ+|ㅇㅋ|네+|넵+|넹|예|옙|그래(?:요)?|그럼(?:요)?|맞아(?:요)?|맞습니다|맞음|당연하지|당연히|물론(?:이지)?"
    r"|그렇지|그치|그죠|좋아(?:요)?|나도|저도(?:요)?|\S{0,8}(?:년|달)째|매일|맨날|엄청|완전|많이|했[지어죠]|하지|해(?:요)?"
    # ja
    r"|うん(?:うん)?|はい|ええ|おう|そう(?:そう|だよ|です|なの|なんだ|なんです|だね|ですね)?|もちろん|そのとおり|その通り|私も|俺も|僕も"
    r"|いいよ|いいね|了解|\S{0,6}年(?:前から|目|間)|毎日|ずっと|めっちゃ|とても|すごく|かなり"
    # zh
    r"|嗯+|对+(?:啊|的)?|對(?:啊|的)?|是(?:的|啊)?|好(?:的|啊)?|当然|當然|没错|沒錯|我也是"
)
_NO: Final = (
    r"no|nope|nah|never|not\s+(?:really|at\s+all|yet|any\s?more)|no\s+way|i\s+(?:don|haven|didn|wasn|can|won|wouldn)['’]?t"
    r"|i['’]?m\s+not|neither|negative"
    r"|아니(?:요|야|에요|거든|거든요|지)?|아뇨|아냐|ㄴㄴ+|전혀(?:요)?|별로(?:요)?|안\s?\p{Hangul}{1,3}|없어(?:요)?"
    r"|いいえ|いや(?:いや)?|いえ|ううん|違う(?:よ|の)?|違います|ちがう(?:よ)?|全然|まさか|ない(?:よ|です)?"
    r"|不(?:是|会|用)?|没有|沒有|没|哪有"
)
_BEGINS_YES: Final = regex.compile(
    rf"(?i)^\W*(?:{_LAUGHTER}\W+)*(?:(?:oh|ah|well|hmm+|아|음|あ|えっと)[\s,、]+)?(?:{_YES})"
    r"(?![\p{Latin}\p{Hangul}]|(?<=\p{Hiragana})(?![よねな])\p{Hiragana})(?P<yes>[^\n]*)"
)
_BEGINS_NO: Final = regex.compile(
    rf"(?i)^\W*(?:{_LAUGHTER}\W+)*(?:(?:oh|ah|well|um|아|음|あ|えっと)[\s,、]+)?(?:{_NO})(?![\p{{Latin}}\p{{Hangul}}])"
)
_NOT_MEANT: Final = regex.compile(
    rf"(?i)\b(?:as\s+if|yeah[\s,]+right|sure,?\s+(?:jan|whatever)|in\s+your\s+dreams|not\s+really|right\?)"
    rf"|(?:^|[,.!?、。！？\s])(?:{_NO})[\s.!~。！]*$|\bmaybe\b|글쎄|무슨\s?소리|なわけ|まさか"
)
"""What takes a yes back: irony, and a no behind it (응 아니야)."""

_AFTER_ALL: Final = regex.compile(r"[,.!?~、。！？]|\s(?:but|because|so|and)\s|는데\s|지만\s|けど|が、")
_OPEN: Final = regex.compile(
    r"(?i)\b(?:what|which|where|when|who|whose|why|how|or)\b|뭐|무슨|무엇|뭘|어떤|어떻|어디|언제|누구|누가|왜|몇|얼마|아니면"
    r"|何|なに|どこ|どう|どれ|どの|どん|いつ|誰|だれ|なぜ|なんで|いく[つら]|それとも|什么|什麼|哪|谁|誰|怎|几|幾|多少|为什么|还是"
)
_NO_ANSWER: Final = regex.compile(
    r"(?i)[?？]\W*$|\b(?:don['’]?t\s+know|dunno|idk|no\s+idea|not\s+telling|guess|maybe|why\s+do\s+you)\b"
    r"|몰라|모르겠|글쎄|비밀|わから|分から|知らない|秘密|さあ|不知道|不清楚"
)
_HANGUL: Final = regex.compile(r"\p{Hangul}{2,}")
_A_VERB: Final = 2
"""Words of an answer that only says a verb again."""

_PERSONS: Final = frozenset(("you", "your", "why", "what", "ever", "real", "just", "some", "now", "then"))


def answered(text: str, answer: str, *, claim: str, free: bool = False) -> str:
    """What of a message counts as said once it is answered.

    A question counts where a plain yes bears it out, or a plain no a claim that denies it; of several, the
    last. One that leaves open what is so ("where do you live?") is part of any answer that gives one.

    Args:
        text: a message.
        answer: the message that follows it.
        claim: what a memory would say.
        free: the answer says something of its own, so that it may also speak of what the message tells ("me
            too").
    """
    asked = asks(text)
    told = _told(text, answer) if free else ""
    if not asked:
        return told
    last = sentences(asked)[-1]
    if _OPEN.search(last):
        return "" if declines(answer) or _NO_ANSWER.search(answer) else text
    denied = declines(answer) and negative(claim) and not negative(last)
    borne_out = affirms(answer, last) and not turned(claim, last)
    return told + last if denied or borne_out else told


def _told(text: str, answer: str) -> str:
    """What a message tells, if its answer speaks of the speaker without declining."""
    if not speaks_of_self(answer) or declines(answer):
        return ""
    asked = sentences(asks(text))
    return "".join(sentence for sentence in sentences(text) if sentence not in asked)


def affirms(answer: str, question: str) -> bool:
    """Whether an answer is a plain yes to a question, or says again, undenied, what it asks."""
    if _NOT_MEANT.search(answer) or declines(answer):
        return False
    yes = _BEGINS_YES.match(answer)
    if yes is not None:
        return not negative(_AFTER_ALL.split(yes["yes"])[0])
    return not (negative(answer) or _NO_ANSWER.search(answer)) and _says_again(question, answer)


def declines(answer: str) -> bool:
    """Whether an answer begins with a plain no."""
    return _BEGINS_NO.match(answer) is not None


def _says_again(question: str, answer: str) -> bool:
    """Whether an answer holds content of the question, or its Korean verb: 키워? 키우지."""
    asked = Heard([question])
    if any(piece in asked for piece in content(answer) - _PERSONS):
        return True
    verbs = [_HANGUL.findall(text)[-1:] for text in (question, answer)]
    return all(verbs) and verbs[0][0][0] == verbs[1][0][0] and len(answer.split()) <= _A_VERB
