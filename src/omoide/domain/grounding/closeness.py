"""Words of how close two people are: those that anybody may use, and ties that somebody has to name."""

from __future__ import annotations

from enum import StrEnum

import regex

_LOOSE = regex.compile(
    r"""
    \b(?:
        clos(?:e|er|est|eness) | friend(?:s|ly|ship)? | budd(?:y|ies) | acquaint\w* | strangers? | casual\w*
      | polite\w* | (?:in)?formal\w* | warm\w* | playful\w* | teas\w* | jok\w* | honest\w* | open\w*
      | gentl\w* | kind\w* | relaxed | comfortable | respectful | cautious | distant | awkward | caring
      | familiar | becom\w*
      | getting | know | each | other | just | met | first | still | very | more | good | best | grow\w*
      | trust\w* | confid\w* | enough | vent\w* | shar\w* | talk\w* | speak\w* | speech | tone | style
      | chat\w* | emojis? | lots | often | sometimes | sarcas\w* | dry | humou?r\w* | affection\w* | slang
      | with | they | them | feel\w* | together | well | new | early | stage | relationship | between | two
    )\b
    | (?<!\p{Hangul})(?:
        친해 | 친하 | 친한 | 친구 | 친밀 | 가까 | 편한 | 편하 | 편안 | 사이 | 관계 | 마음 | 속마음
      | 털어놓 | 알아가
      | 어색 | 서먹 | 서로 | 믿[는고을] | 신뢰 | 의지 | 좋은 | 제일 | 가장 | 점점 | 점차 | 조금 | 아직
      | 처음 | 만난 | 정도
      | 단계 | 시작 | 이야기 | 나누 | 반말 | 존댓말 | 존대 | 말투 | 다정 | 장난 | 농담 | 솔직 | 부드
      | 따뜻 | 차분 | 이모티콘 | 이모지 | 자주 | 가끔 | 쓰[는며고] | 씀 | 빈정 | 놀리 | 존경 | 화해 | 다투
      | 격의 | 허물 | 주고받 | 잘\s | 더\s | 중(?!\p{Hangul}) | 말(?:로|을|도)?(?!\p{Hangul})
    )\p{Hangul}*
    | (?:
        仲良し | 仲 | 親し | 近づ | 近い | 打ち解け | 打ち明け | 初対面 | 知り合 | 出会 | 友達
      | 友だち | 友人 | 親友 | 信頼 | 尊敬 | 仲直り | 言い合 | 絵文字 | 時々 | からか | ユーモア
      | 悩み | 秘密 | 気軽 | 気さく | 気楽 | 関係 | 距離 | 縮ま | お互い | 互い | 少しずつ | 徐々 | 話(?!題)
      | 会話 | タメ口 | ため口 | 敬語 | 丁寧 | 口調 | 優し | 穏やか | 冗談 | まじり | くだけた
    )\p{Hiragana}*
    | 亲近 | 亲密 | 熟悉 | 朋友 | 好友 | 信任 | 随意 | 礼貌 | 友好 | 刚认识 | 聊天 | 关系 | 口语
    """,
    regex.IGNORECASE | regex.VERBOSE,
)


class Tie(StrEnum):
    """A tie between two people that is more than closeness."""

    MARRIAGE = "marriage"
    LOVE = "love"
    KIN = "kin"
    BONDAGE = "bondage"
    MONEY = "money"


_TIES = {
    Tie.MARRIAGE: r"""
        \b(?:marr(?:y|ied|ies|iage) | spous\w+ | wife | wives | husbands? | newlyweds? | wedd\w+)\b
      | 결혼 | 부부 | 아내 | 남편 | 배우자 | 신혼 | 유부 | 혼인 | 夫婦 | 結婚 | 妻 | 夫(?!人) | 新婚
      | 嫁 | 旦那 | 夫妻 | 结婚 | 老公 | 老婆 | 妻子 | 丈夫
    """,
    Tie.LOVE: r"""
        \b(?:lovers? | in\s+love | boyfriend | girlfriend | dating | romantic\w* | couples? | partners?
           | fianc[ée]+s? | flirt\w* | seduc\w* | engaged | soulmates? | sweethearts?)\b
      | 연인 | 애인 | 사귀 | 사귄 | 커플 | 여자\s?친구 | 남자\s?친구 | 여친 | 남친 | 약혼
      | 恋人 | 付き合っ | 交際 | 彼氏 | カップル | 婚約 | 恋愛 | 情侣 | 男朋友 | 女朋友 | 恋爱
    """,
    Tie.KIN: r"""
        \b(?:famil(?:y|ies) | siblings? | (?:step)?(?:brother|sister|mother|father|daughter|son)s?
           | parents? | mom | mum | dad | cousins? | uncle | aunt | twins? | child(?:ren)? | kids?)\b
      | 가족 | 식구 | 남매 | 형제 | 자매 | 엄마 | 아빠 | 어머니 | 아버지 | 부모 | 모녀 | 부자\s?사이
      | 동생 | 누나 | 오빠 | 언니 | 형아 | 아들 | 사촌 | 쌍둥이
      | 家族 | 兄 | 姉 | 弟 | 妹 | 親子 | 両親 | 母 | 父 | 息子 | 従兄 | いとこ | 双子 | 家人 | 兄弟
      | 姐妹 | 妈妈 | 爸爸
    """,
    Tie.BONDAGE: r"""
        \b(?:slave\w* | servants? | owners? | owned | owns | masters? | property | subordinate)\b
      | 노예 | 하인 | 주인 | 종속 | 소유물 | 奴隷 | 下僕 | しもべ | 主人 | 所有物 | 主従 | 奴隶 | 仆人
    """,
    Tie.MONEY: r"""
        \b(?:money | pays? | paid | payments? | donat\w+ | loans? | debts?)\b
      | (?<!\p{Hangul})돈[을이도만]?(?!\p{Hangul}) | 송금 | 입금 | 후원금
      | お金 | 送金 | 貢[ぐいが] | 给钱 | 转账
    """,
}
_PATTERNS = {tie: regex.compile(words, regex.IGNORECASE | regex.VERBOSE) for tie, words in _TIES.items()}


_CALLING = regex.compile(
    r"""
    \b(?:may|can|should|is|to|be|calls?|called|calling|ask(?:s|ed)?|wants?|by|name|nickname|address(?:e[sd])?
      |agree[ds]?|accept(?:s|ed)?|allow(?:s|ed)?|offer(?:s|ed)?|request(?:s|ed)?|since)\b
    | \d{1,2}\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*(?=\s\d{4}|\W|$)
    | (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\s(?=\d)
    | (?<!\p{Hangul})(?:부[르를름른]|불[러렀]|호칭|이름|별명|라고|이라고|부탁|허락|동의|원[하해했한]|하기로
      |그렇게|서로)\p{Hangul}*
    | (?<=['"’”」』])이?라고
    | 呼[びぶばんっ]\p{Hiragana}*|呼び方|あだ名|頼[まみんむ]\p{Hiragana}*
    | (?:了承|承知|同意|希望)\p{Hiragana}*
    | 称呼|叫做?|同意|要求|答应
    """,
    regex.IGNORECASE | regex.VERBOSE,
)


def without_calling(text: str) -> str:
    """A text without the words that say that, and since when, one calls another so: the form of address."""
    rest: str = _CALLING.sub(" ", text)
    return rest


def without_closeness(text: str) -> str:
    """A text without the words that tell how close and in what tone two people speak, in ko, ja, zh or en."""
    rest: str = _LOOSE.sub(" ", text)
    return rest


def ties(text: str) -> frozenset[Tie]:
    """The ties between people that a text speaks of, whoever has them."""
    return frozenset(tie for tie, words in _PATTERNS.items() if words.search(text) is not None)
