"""Relatives, lovers and moves of which a claim speaks, and nobody did (F02): a girlfriend of a gym."""

from __future__ import annotations

import regex

_SHE = r"\b(?:she|her)\b|그녀|彼女|她"
_HE = r"\b(?:he|him|his)\b|彼(?!女)|他(?!の|に|は|人)"
_EITHER = (
    r"\b(?:partner|spouse|ex|fianc[eé]e?|lover|married|marry|wedding|divorc\w+|dat(?:e|es|ed|ing)|in\s+love|crush)\b"
    r"|애인|연인|약혼|결혼|이혼|연애|사귀|썸|소개팅|커플|자기(?=야|랑|한테)"
    r"|恋人|婚約|結婚|離婚|付き合|デート|恋愛|カップル|对象|恋爱|结婚"
)
_PARENT = r"\bparents?\b|\bfolks\b|부모|両親|親(?!友|切|し)|父母|爸妈"
_SIBLING = r"\bsiblings?\b|\btwins?\b|형제|자매|남매|쌍둥이|兄弟|姉妹|きょうだい|双子"
_CHILD = (
    r"\b(?:kids?|child(?:ren)?|bab(?:y|ies)|toddlers?|newborn|pregnan\w+|gave\s+birth)\b"
    r"|아이|아기|애[가들는]|자식|자녀|임신|출산|子供|子ども|赤ちゃん|妊娠|出産|孩子|宝宝|怀孕"
)
_GRAND = r"\bgrandparents?\b|조부모|祖父母"

_AT_HOME = (
    r"\bmov|\brelocat|\bliv(?:e|es|ed|ing)\b|\bsettl|\bnew\s+(?:flat|place|house|home)\b|\bunpack|\bboxes\b|\bkeys\b"
    r"|이주|옮[겼기긴]|살[아았고]|산다|집|자취|짐|입주|移[っり]|住|暮ら|新居|家|入居|搬|房"
)

_GROUPS = tuple(
    (regex.compile(rf"(?i){nouns}"), regex.compile(rf"(?i){nouns}|{others}"))
    for nouns, others in (
        (
            r"\b(?:girlfriends?|gf)\b|여자\s?친구|여친|彼女(?!は|も|の)|ガールフレンド|カノジョ|女朋友",
            rf"{_EITHER}|{_SHE}|\bwife\b|와이프|아내|妻",
        ),
        (
            r"\b(?:boyfriends?|bf)\b|남자\s?친구|남친|彼氏|ボーイフレンド|カレシ|男朋友",
            rf"{_EITHER}|{_HE}|\bhusband\b|남편|夫|旦那",
        ),
        (
            r"\bwi(?:fe|ves)\b|아내|와이프|집사람|마누라|(?<!夫)妻(?!子)|嫁|奥さん|家内|老婆|妻子",
            rf"{_EITHER}|{_SHE}|여보|カミさん|かみさん",
        ),
        (
            r"\bhusbands?\b|\bhubby\b|남편|신랑|(?<!大丈|工)夫(?!婦)|旦那|主人(?!公)|老公|丈夫",
            rf"{_EITHER}|{_HE}|여보|夫婦",
        ),
        (
            r"\b(?:mother|mom|mum|mommy|mama|ma)s?\b|엄마|어머니|어머님|(?<!祖)母(?!国|校)|お母さん|ママ|妈|母亲",
            rf"{_PARENT}|{_SHE}",
        ),
        (
            r"\b(?:father|dad|daddy|papa|pa)s?\b|아빠|아버지|아버님|(?<![祖神])父(?!子丼)|パパ|爸",
            rf"{_PARENT}|{_HE}",
        ),
        (r"\bsisters?\b|\bsis\b|언니|누나|여동생|姉|妹|姐", rf"{_SIBLING}|{_SHE}|동생"),
        (
            r"\bbrothers?\b|\bbro\b|오빠|(?<!\p{Hangul})형(?=이|은|과|의|한|을|\s)|남동생|兄(?!弟)|弟|哥",
            rf"{_SIBLING}|{_HE}|동생|형",
        ),
        (r"\bsons?\b|아들|息子|儿子", rf"{_CHILD}|{_HE}"),
        (r"\bdaughters?\b|(?<!\p{Hangul})딸(?!기|꾹)|娘|女儿", rf"{_CHILD}|{_SHE}"),
        (
            r"\bgrand(?:mother|ma|mom)s?\b|\bgranny\b|할머니|祖母|おばあ|奶奶|外婆",
            rf"{_GRAND}|\bnan[ab]?\b|{_SHE}|ばあ",
        ),
        (r"\bgrand(?:father|pa|dad)s?\b|할아버지|祖父|おじい|爷爷|外公", rf"{_GRAND}|{_HE}|じい"),
        (
            r"\bmoved\s+(?:to|into|from|house|home|out)\b|이사|引っ?越|搬家|搬到",
            _AT_HOME,
        ),
        (r"\b(?:trainer|coach)(?:es|s)?\b|트레이너|코치|トレーナー|コーチ|教练", r"\btrain|피티|\bPT\b"),
    )
)
"""Words in pairs: those that a claim holds, and those any of which speaks of the same."""


def unmentioned(claim: str, said: str) -> bool:
    """Whether a claim speaks of a lover, a relative or a move for which no word stands in what was said."""
    return any(nouns.search(claim) and not mentions.search(said) for nouns, mentions in _GROUPS)
