"""Whether words are said in a play that was announced: "in our story I'm a pirate", 역할극 하자 (H11).

A play goes on over messages until somebody ends it; what is told of a game or a story counts for its own
sentence alone. A claim that speaks of the play itself stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.text import sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

_BEGINS: Final = regex.compile(
    r"(?i)\blet['’]?s\s+(?:(?:just\s|do\s|have\s)?(?:an?\s|some\s)?(?:role-?\s?play\p{L}*|rp)\b|pretend\b|make\s+believe|play(?:\s+(?:pretend|make.believe"
    r"|house|doctor|a\s+(?:scene|part)|out)|\s*[:—–-]))|\bin\s+(?:our|this|the)\s+(?:story|role-?play|scene|rp)\s*,?\s+(?:i|you)\b"
    r"|\b(?:pretend|imagine)\s+(?:that\s+)?(?:i['’]?\s?a?m|you['’]?\s?a?re|we['’]?\s?a?re)\b"
    r"|(?:역할극|상황극|롤플레이|롤플|역극|놀이)(?:을|를)?\s?(?:하자|할래|해\s?보자|시작|하는\s?거야)|(?:이|우리)\s?(?:이야기|스토리|상황극|역할극)(?:에서|에선|\s?속에서)\s(?:난|나는|내가|너는|넌)"
    r"|(?:ごっこ|ロールプレイ|なりきり|寸劇)(?:遊び)?(?:を|、)?(?:しよう|しよ|やろう|始め|ね)|(?:この|私たちの|俺たちの|僕らの)(?:物語|話|設定|ストーリー)(?:の中)?では?"
    r"|(?:という|って|な)設定(?:で|ね|に)"
)
_ENDS: Final = regex.compile(
    r"(?i)\b(?:end|ending|stop|finish\p{L}*|done|over|enough)\b.{0,20}\b(?:scene|story|play\p{L}*|role-?play\p{L}*|game|pretending|rp|character)\b"
    r"|\b(?:out\s+of\s+character|ooc|back\s+to\s+(?:reality|real\s+life)|for\s+real\s+now|in\s+real\s+life|irl|the\s+end)\b"
    r"|\b(?:actually|really|in\s+reality|just\s+kidding)\b|(?<!\p{Hangul})끝(?!\p{Hangul}*[고에])|그만\s?하자|여기까지|현실|실제|진짜로"
    r"|ここまで|おしまい|終わり|終了|やめよう|現実|リアルで|実際|本当[はの]"
)
_INSIDE: Final = regex.compile(
    r"(?i)\bin\s+(?:my|our|the|this|a)\s+(?:[\p{L}&]+\s){0,2}(?:game|campaign|novel|story|simulation|dream)\b(?!\s+(?:job|i\s+met))"
    r"|\bin\s+(?:d&d|dnd|minecraft|the\s+sims)\b|(?:게임|소설|꿈|만화|이야기)(?:\s?속)?에선?서?\s(?!만[난나]|알게)|(?:ゲーム|物語|小説|夢|漫画|話)の中(?:で|だと)"
)
_OF_PLAY: Final = regex.compile(
    r"(?i)\b(?:role-?play\p{L}*|play(?:s|ed|ing)?|game\p{L}*|story|stories|scene|pretend\p{L}*|character|campaign|novel|dream\p{L}*)\b"
    r"|역할|역극|상황극|롤플|게임|이야기|소설|놀이|꿈|연기|ごっこ|ロールプレイ|なりきり|役|ゲーム|物語|小説|夢|設定"
)


def played(claim: str, before: Iterable[str], sentence: str) -> bool:
    """Whether a sentence is said in a play, of which a claim says nothing.

    Args:
        claim: what a memory would say.
        before: what was said ahead of the sentence, in order.
        sentence: of what was said.
    """
    if _OF_PLAY.search(claim):
        return False
    playing = False
    for one in [*(each for text in before for each in sentences(text)), sentence]:
        playing = _BEGINS.search(one) is not None or (playing and _ENDS.search(one) is None)
    return playing or (_INSIDE.search(sentence) is not None and _ENDS.search(sentence) is None)
