"""Whether an answer declines what was proposed, be it politely: "tricky", 土曜はちょっと…, 좀…."""

from __future__ import annotations

from typing import Final

import regex

_PARTS: Final = regex.compile(
    r"(?i)[,.!?~;、。！？…，；\n]+|(?<!\s)\s+(?:but|though)\s|(?<=けど|けれど|[るだい]が)(?=\P{Hiragana})|(?<=데|지만|니까|고)\s+"
)
_DECLINES: Final = regex.compile(
    r"(?i)\b(?:tricky|difficult|tough|no\s+good|not\s+(?:great|good|ideal|free|around|possible|up\s+for|sure\s+i\s+can)"
    r"|busy|booked|swamped|snowed\s+under|away|unavailable|rain\s?check|(?:some|an)other\s+time|next\s+time|i['’]?ll\s+pass"
    r"|can(?:['’]?t|not)|won['’]?t|unable|i['’]?d\s+rather\s+not|have\s+(?:other\s+)?plans|already\s+have|something\s+on"
    r"|(?:doesn|don|won)['’]?t\s+(?:really\s+)?(?:work|think\s+(?:so|i\s+can))|i['’]?m\s+afraid\s+not)\b"
    # ko
    r"|(?:은|는|엔|에는|날)\s?(?:좀|조금)\s*[ㅠㅜㅎㅋ]*$|(?:좀|조금)\s?(?:그래|그렇|그런|어려|힘들|곤란|바쁘|바빠|무리|애매)"
    r"|(?:어려울|힘들|안\s?될|못\s?(?:갈|할|볼))\s?(?:것|거|듯)|(?<!\p{Hangul})못\s?(?:가|갈|해|할|볼|봐)|선약|약속이?\s?있"
    r"|(?:시간|여유)이?\s?(?:안|없)|다음에\s?(?:하|보|가|갈|볼)|다음\s?기회|바빠|바쁜|사양|패스|무리(?:야|일|다|예)"
    # ja
    r"|ちょっと(?:ね|な[あぁ]?|です)?\s*$|ちょっと(?:無理|難し|むずかし|厳し|きつ|都合)|都合が|難しい|むずかしい|厳しい|無理|きつい"
    r"|(?:行け|いけ|空いて|あいて|でき)(?:ない|そうに)|予定が(?:ある|あっ|入っ)|用事|先約|遠慮|(?:やめ|止め)と|また(?:今度|の機会|次)|パス"
    # zh
    r"|不太?(?:方便|行)|有事|有约|没[有]?[空时]|没時間|下次|改天|算了|不了|去不了|恐怕"
)
_SUITS: Final = regex.compile(
    r"(?i)\b(?:works|fine|good|great|okay|ok|suits|perfect|could\s+do|can\s+do|i\s+can|how\s+about|what\s+about|instead|free"
    r"|let['’]?s|sure)\b|괜찮|좋아|좋은|가능|어때|어떨까|되는|될\s?것|돼|갈게|가자|大丈夫|いい[よね]?|空いてる|行ける|いける"
    r"|行く|なら|どう|可以|没问题|行吗|怎么样"
)


def put_off(offer: str, answer: str, *, when: str = "") -> bool:
    """Whether an answer declines what was proposed, and takes nothing else in its place.

    Of "Saturday's tricky but Sunday works" only a plan for Saturday is declined. Words of the proposal itself
    that the answer says again decline nothing ("another time?", "another time!").

    Args:
        offer: the proposal.
        answer: to it.
        when: the words for the day of a plan.
    """
    if _DECLINES.fullmatch(when.strip()):
        return False  # "some other time" is when it is to be
    parts = [part for part in _PARTS.split(answer) if part.strip()]
    found = [(part, _DECLINES.search(part)) for part in parts]
    declined = [
        part for part, no in found if no is not None and no.group().casefold() not in offer.casefold()
    ]
    suits = [part for part in parts if part not in declined and _SUITS.search(part)]
    of_that_day = bool(when.strip()) and _holds(when, declined) and not _holds(when, suits)
    return bool(declined) and (not suits or of_that_day)


def _holds(when: str, parts: list[str]) -> bool:
    return any(when.casefold() in part.casefold() for part in parts)
