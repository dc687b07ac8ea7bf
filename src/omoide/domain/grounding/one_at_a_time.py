"""States of which a person is in one at a time, whose words need share nothing: "vegan", "eats meat" (F20).

A claim on such a state and a later one on the same state speak of one matter. That alone replaces nothing:
a model has to say so.
"""

from __future__ import annotations

from typing import Final

import regex

_STATES: Final = {
    "home": r"""
      \b(?:lives?|living|resides?|moved)\s+(?:in|to)\b | 에(?:서)?\s?(?:혼자\s)?(?:산다|살고) | 거주 | 이사
    | [にで](?:住|暮ら) | 引っ?越 | 住在 | 搬到
    """,
    "job": r"""
      \b(?:works?|working|employed)\s+(?:at|for|in|as)\b
    | \b(?:job|employer|company|startup|retired|unemployed)\b
    | 일한다 | 일하고 | 근무 | 직장 | 회사 | 스타트업 | 취업 | 취직 | 취준 | 이직 | 퇴사 | 은퇴 | 백수
    | 働 | 勤め | 勤務 | 会社 | ベンチャー | 就職 | 転職 | 退職 | 無職
    | 工作 | 上班 | 公司 | 跳槽 | 辞职 | 退休
    """,
    "schooling": r"""
      \b(?:student|undergraduate|sophomore|freshman|graduated?|dropped\s+out)\b
    | 대학생 | 대학원생 | 고등학생 | 중학생 | (?<!\p{Hangul})학생 | 재학 | 휴학 | 졸업 | 자퇴
    | 大学生 | 大学院生 | 高校生 | 中学生 | (?<!\p{Han})学生 | 在学 | 卒業 | 中退 | 毕业 | 退学
    """,
    "love": r"""
      \b(?:single|dating|seeing\s+somebody|(?:boy|girl)friend|partner|engaged|married|husband|wife)\b
    | \b(?:divorced|widowed|separated|(?:broke|split)\s+up)\b
    | 솔로 | 싱글 | 남자\s?친구 | 여자\s?친구 | 남친 | 여친 | 애인 | 사귄 | 사귀 | 연애 | 약혼
    | 결혼 | 기혼 | 미혼 | 남편 | 아내 | 이혼 | 헤어졌 | 헤어진 | 이별
    | 独身 | フリー | 彼氏 | 彼女[がはと] | 恋人 | 付き合 | 婚約 | 結婚 | 既婚 | 未婚
    | (?<![丈工])夫(?!人) | 妻 | 離婚 | 別れ | 单身 | 男朋友 | 女朋友 | 交往 | 结婚 | 离婚 | 分手
    """,
    "diet": r"""
      \b(?:vegan|vegetarian|pescatarian|omnivore|plant-based|meat)\b | 비건 | 채식 | 육식 | 고기
    | ヴィーガン | ビーガン | ベジタリアン | 菜食 | (?<!筋)肉 | 素食 | 吃素 | 荤
    """,
    "own age": r"""
      ^(?:(?:is|has\s+turned|turned)\s+)\d{1,3}(?:\s+(?:years?\s+old|now|today))?\W*$
    | ^(?:이제\s|올해\s|만\s)?[\p{Hangul}\d]{1,6}\s?(?:살|세)(?:이다|다|가\s?(?:됐|되었)다)\W*$
    | ^(?:今は|今年)?[\p{Han}\d]{1,4}[歳才](?:である|だ|にな(?:った|る))?\W*$
    """,
    "own name": r"""
      ^(?:name\s+is|is\s+(?:called|named)|goes\s+by)\b
    | ^이름[은을이]\s | ^개명 | ^(?:本名|名前)[はを] | ^改名
    """,
}
"""What tells of each state in a claim."""

_TELLS: Final = tuple(regex.compile(words, regex.VERBOSE | regex.IGNORECASE) for words in _STATES.values())


def one_state(one: str, other: str) -> bool:
    """Whether two claims on one person tell of a state of which everybody is in one at a time."""
    return any(tells.search(one) and tells.search(other) for tells in _TELLS)
