"""Wishes on how to be answered that turn round what was asked: long for short, jokes for no jokes (H28)."""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.claims import content
from omoide.domain.grounding.wording import Heard

_REFUSED: Final = regex.compile(
    r"""
      (?i:(?:\b(?:do\s+not|never|stop|quit|avoid|no(?:\s+more)?|skip|spare\s+me|enough(?:\s+with)?|without|drop)\b
        |\b(?:don|won|shouldn|needn|can)['’]?t\b)(?P<en>[^,;!?]+))
    | (?P<ko>[^,!?]{1,80}?)(?:지\s?(?:는\s|좀\s)?(?:마|말)
        |은?\s?(?:금지|그만|사양|필요\s?없|싫|됐어|안\s?(?:돼|해도)))
    | (?P<ja>[^、!?]{1,80}?)(?:ないで|んといて
        |(?:は|を|とか)?(?:やめ|いら(?:ない|ん)|要らない|不要|結構|禁止|勘弁|控え|なしで))
    | (?:不要|别|別)(?P<zh>[^，！？]+)
    """,
    regex.VERBOSE,
)
_NO_REFUSAL: Final = regex.compile(
    r"(?i)\b(?:don['’]?t|do\s+not|never)\s+(?:forget|hesitate|hold\s+back|worry|stop|be\s+(?:afraid|shy|scared)|let|you|just|only"
    r"|mind)\b|잊지|주저\s?말|주저하지|망설이지|멈추지|걱정|그만두지|忘れないで|遠慮し?ない|ためらわない|やめないで|心配しないで"
)
_WISHING: Final = content(
    """
    want like prefer wish hope ask request enjoy love need call name more often
    바란다 바라 원한다 원하 좋겠 좋아 주기를 주면 달라 한다 하기 해주 해 주 ほしい 欲し 好 望 求 希望
    """
)
_MANNERS: Final = tuple(
    (kind, wanted, regex.compile(words, regex.IGNORECASE | regex.VERBOSE))
    for kind, *sides in (
        (
            "length",
            r"""\b(?:short\w* | brief\w* | concise\w* | succinct\w* | terse | to\s+the\s+point
            | tl;?dr | one[-\s]liners?)\b | 짧 | 간단 | 간결 | 요점 | 한\s?줄 | 短 | 簡潔 | 簡単に
            | 一言 | 简短 | 简洁""",
            r"""\b(?:long(?!\s+(?:day|week|time|ago)\b)\w* | length(?:y|s)? | detail(?:s|ed)? | elaborate
            | essays? | rambl\w+ | walls?\s+of\s+text | verbose | wordy)\b | 길게 | 길어 | 긴\s
            | 장황 | 장문 | 자세 | 상세 | 長 | くどくど | 詳し | 詳細 | 详细""",
        ),
        (
            "form",
            r"\b(?:casual\w*|informal\w*|banmal|chatty)\b|반말|말\s?[놓놔]|편하게|タメ口|ため口|タメ語|くだけ|随意",
            r"\b(?:(?<!in)formal\w*|polite\w*|honorifics?)\b|존댓말|존대|높임말|격식|敬語|丁寧|礼貌|正式",
        ),
        (
            "fun",
            r"""\b(?:jok(?:e|es|ing|ey) | humou?r\w* | funny | playful\w* | teas(?:e|es|ing) | banter
            | silly)\b | 농담 | 장난 | 유머 | 개그 | 冗談 | ふざけ | ユーモア | ボケ | いじ[っりる]
            | 玩笑 | 幽默""",
            r"\b(?:serious\w*|earnest\w*)\b|진지|真面目|まじめ|真剣|认真|严肃",
        ),
        (
            "advice",
            r"""\b(?:advi[cs]e\w* | tips? | solutions? | fix(?:es|ing|ed)? | lectur\w+)\b
            | 조언 | 충고 | 해결책 | 훈수 | 잔소리 | アドバイス | 助言 | 説教 | 建议""",
            r"\b(?:listen\w*|sympath\w+|empath\w+)\b|들어|공감|聞い(?!た)|聴い|共感|倾听|听我",
        ),
        (
            "comfort",
            r"\b(?:cheer\w*|comfort\w*|pep\s+talks?|consol\w+)\b|위로|격려|慰め|励ま|安慰|鼓励",
            r"""\b(?:company | (?:sit|sits|sitting|stay|be|being)\s+(?:here\s+|quiet\w*\s+)?
            (?:with|by) | silence)\b | 곁에 | 옆에 | そば | 寄り添 | 陪""",
        ),
        (
            "frankness",
            r"\b(?:blunt|honest|straight|direct|frank)\w*\b|솔직|직설|돌직구|率直|はっきり|ストレート|直说",
            r"\b(?:sugar-?coat|beat\w*\s+around|soften)\w*\b|돌려\s?말|에둘러|オブラート|遠回し|委婉",
        ),
        ("pace", r"\bslow\w*\b|천천히|느리게|ゆっくり|慢", r"\b(?:fast|quick)\w*\b|빨리|빠르게|速く|早く|快"),
        ("emoji", r"\b(?:emojis?|emoticons?)\b|이모티콘|이모지|絵文字|顔文字|スタンプ|表情"),
        (
            "questions",
            r"""\bquestions?\b | \bask(?:s|ed|ing)?\s+(?:me|stuff|so|any|her|him|back)\b
            | 질문 | 캐묻 | 되묻 | 묻지 | 質問 | 聞き返 | 聞かないで | 提问""",
        ),
    )
    for wanted, words in zip((True, False), sides, strict=False)
)
"""Ways of answering: of each kind the words for it, and those for its opposite."""

_NOT_AHEAD = regex.compile(
    r"(?i)(?:\b(?:not|never|no(?!\s+wonder)|stop\w*|quit|avoid\w*|skip\w*|spare|without|less|fewer|enough|drop|hates?"
    r"|dislikes?|annoy\w*|too|so\s+(?:many|much)|instead\s+of|rather\s+than|than|over|cut|tired\s+of)\b|n['’]t\b)"
    r"(?:(?!\b(?:but|just|only|instead)\b(?!\s+of))[^,;.!?])*$"
    r"|(?:너무|안|덜)\s\P{P}{0,4}$|(?:あまり|すぎ)\P{P}{0,6}$|(?:不要|别|別|太|少)\p{Han}{0,6}$"
)
_NOT_BEHIND = regex.compile(
    r"""(?i)^は?(?:(?!에는|에선|땐|때)[^,、;.!?。！？は]){0,14}?(?:
      말고 | 지\s?(?:는\s|좀\s)?(?:마|말|않) | 없이 | 없는 | 보다 | 대신 | 금지 | 그만 | 사양 | 필요\s?없
    | 싫 | 별로 | 짜증 | 부담 | 빼 | (?<!\p{Hangul})안\s?(?:해|돼|쓰|했)
    | ない | なく | より | やめ | いらな | 要らな | 不要 | なし | 抜き | 禁止 | 控え | すぎ | 代わり
    | ず(?!っ) | はいい(?:から|$) | しんど | つら | 嫌
    | 苦手 | うざ | \s(?:are|is|get)\s(?:annoying|too|not|exhausting)
    )""",
    regex.VERBOSE,
)
_REQUESTS = regex.compile(
    r"""
      (?i:^\W*(?:(?:and|but|so|ok(?:ay)?|hey|oh|well|also|btw|please|pls|just|now|then|always|next\stime|from\snow\son
          |(?:when|if)\s[^,]{1,60},|for\s[^,]{1,30},)[\s,]+)*
        (?:keep|make|use|talk|speak|answer|reply|respond|write|tell|give|show|call|say|ask|stop|skip|drop|be|don['’]?t
        |do\s+not|never|no(?:\s+more)?|cut|spare|leave|sit|stay|listen|let|try|go\s+easy|explain|send|quit|avoid|less
        |more|enough)\b(?!\s+i\b))
    | (?i:\b(?:please|(?:can|could|would|will)\s+you|i['’]d\s+(?:rather|prefer)|i\s+prefer
        |i(?:['’]d|\s+would)?\s+(?:want|like|need|prefer|rather|love)\s+(?:it\s+if\s+)?your?)\b)
    | [아어해여와워춰려켜봐]\s?(?:줘|주[라세시]|줄래|줄\s?수|달라|주면|주길) | 지\s?(?:는\s|좀\s)?(?:마|말)
    | 말고 | 부탁 | 좋겠 | 바[래라] | 하자 | 놓자 | [아어해]라(?!\p{Hangul}) | 됐고 | 세요 | [가-힣]면\s?돼
    | [てで](?:よ|ね|な|お願い)?\W*$ | [てで](?:くれ|ほしい|欲しい|ください|下さい|もらえ|ちょうだい)
    | ないで | なしで | やめて | お願い | 頼む | いらない | いいから | [がで]いい | 请|不要|别|別
    """,
    regex.VERBOSE,
)
"""How somebody who is spoken to is asked for something."""

_TURNS = regex.compile(
    r"(?i)\b(?:not|no|never|less|instead|rather|than|without)\b|n['’]t\b|말고|않|안\s|지\s?마|대신|보다|아니"
    r"|ない|なく|ではなく|より|代わり|やめ|不|别|別"
)

_MILDER = regex.compile(
    r"(?i)\b(?:only|fewer|free\s+of|avoid\w*|stop\w*|refus\w*|hat(?:e|es)|dis\p{L}+|annoy\w*|left|alone)\b"
    r"|그만|싫|금지|없|만\s|뿐|끊|嫌|苦手|だけ|控え|避け|禁止|只|而是"
)


def unwanted(claim: str, clause: str) -> bool:
    """Whether a claim on how to answer somebody wants nothing but what a clause asks not to do.

    All that the claim wants has to stand in what is refused: "don't call me Tommy" is good ground for "wants
    to be called Tom".
    """
    found = _REFUSED.search(clause)
    if found is None or _TURNS.search(claim) or _MILDER.search(claim) or _NO_REFUSAL.search(clause):
        return False
    refused = Heard([next(part for part in found.groups() if part is not None)])
    wanted = {
        piece for piece in content(claim) - _WISHING if len(piece) > 1 or regex.match(r"\p{Han}", piece)
    }
    return bool(wanted) and all(piece in refused for piece in wanted)


def opposite(claim: str, said: str) -> bool:
    """Whether a claim wants answers in the very manner that is the opposite of what was asked for."""
    claimed, asked = manners(claim), manners(said)
    return any(
        (kind, not side) in asked and (kind, side) not in asked
        for kind, side in claimed
        if (kind, not side) not in claimed
    )


def manners(text: str) -> frozenset[tuple[str, bool]]:
    """The ways of answering that a text wants, each as its kind and whether it is the first of the two.

    What it wants left out, or finds too much, stands for the opposite: "no essays" wants what "short" wants.
    """
    return frozenset((kind, wanted) for kind, wanted, _ in _manners(text))


def said_otherwise(claim: str, said: str) -> list[str]:
    """The words of a claim on how to answer that want what was wanted in other words: "brief" of "short"."""
    asked = manners(said)
    return [word for kind, wanted, word in _manners(claim) if (kind, wanted) in asked]


def manner_words(text: str) -> list[str]:
    """The words of a text for ways of answering."""
    return [word for _, _, word in _manners(text)]


def requests(text: str) -> bool:
    """Whether a clause asks whom it speaks to for something: "keep it short", 짧게 해줘, 短く答えて."""
    return _REQUESTS.search(text.strip()) is not None


def _manners(text: str) -> list[tuple[str, bool, str]]:
    return [
        (kind, wanted is not _left_out(text, found), found.group())
        for kind, wanted, words in _MANNERS
        for found in words.finditer(text)
    ]


def _left_out(text: str, found: regex.Match[str]) -> bool:
    return bool(_NOT_AHEAD.search(text[: found.start()]) or _NOT_BEHIND.search(text[found.end() :]))
