"""What a claim adds of its own: details, trades and quotes that nothing which was said bears out (F02).

A claim may be put in other words, but hardly in words of which most were never heard: "has an orange tabby
cat" says more than "I adopted a cat". Words that stand in any claim ("works", 좋아) bear out nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from omoide.domain.grounding.claims import content
from omoide.domain.grounding.wording import Heard
from omoide.domain.text import fold, letters, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST = 0.5
"""The share of a claim's own content that may be unheard."""

_MOST_OF_A_WISH = 0.75
"""The same of guidance, where its person asked for something: a wish is told in words of one's own."""

_ANYWHERE: Final = content(
    """
    work live like love have own play want need feel know think start plan goes come take make give keep call
    named asks tell told said says prefer enjoy hate become been find often sometimes always now currently
    recently very really much many more most also when where while after before because which would could
    together again old aged turned age trouble able time year month week day people person someone something
    thing place job new good than rather instead being ones anything everything
    좋아한다 싫어한다 일한다 일하고 다닌다 다니고 산다 살고 있다 없다 한다 했다 하고 하는 않는다 못한다
    걸려 걸린다 걸리는 제일 가장 세상
    말해 주기 주길 주는 준다 주었 줬다 달라 달라고 대신 전혀 절대 아예 거의 전에 줄을
    모른다 이어진다 날이 한다고 것이다
    되었다 된다 먹는다 먹고 키운다 가지고 생각한다 여긴다 느낀다 원한다 원하 바란다 바라 말했다 지금 요즘
    최근 아주 매우 무척 정말 자주 항상 사람 때문 정도 기준 무렵 부터 까지 함께 혼자 싶어 싶다 예정 처음 다시
    働 住 好 大好 嫌 言 思 聞 見 行 来 考 決 話 持 挙 食 飲 使 始 年 月 日 時 時点 今 人 自分 少 多 前 後
    最近 現在 予定 开始 喜欢 现在 觉得
    """
)
_TELLING: Final = content(
    """
    answer reply request promise greeting greeted first game telling talking confiding confidence report
    reported message short long light lightly mixed words response thanks apology sorry laughing joking
    comfort question test trick order ending secret news then
    답변 응답 선호
    부탁 대답 답하 답을 인사 이야기 약속 제안 알려 전하 전했 들려 나누 털어 고백 사과 위로 축하 웃으며 농담
    가정 말로 말에 짧은 짧게 가벼 섞는 섞어 섞인 메시지 문장 화해 상담
    묻자 물음 전함 알리
    返事 返答 返信
    初対 対面 報告 頼 伝 打 明 答 断 応 謝 礼 笑 励 慰 結果 様子 挨拶 自己 己紹 紹介 相談 約束 一言 会話 短
    混 口調 丁寧 寧語 命令
    """
)
"""Words that tell how something was said, of which whoever tells of a talk needs some of their own."""

_DATE = regex.compile(r"\d{1,9}\s?(?:년|월|일|年|月|日)\p{Hangul}?|\d{4}-\d{2}(?:-\d{2})?\p{Hangul}*")
_MONTH = regex.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\s\d+"
    r"|\b\d+\s(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
)
_PARTICLE = r"(?:(?<=\p{Hangul})(?:이?랑|에게서?|한테서?|께서?|하고|[이가을를은는의와과도씨])(?!\p{Hangul}))?"
_WORD_KO = regex.compile(r"\p{Hangul}+")
_TRADES = (
    regex.compile(
        r"(?i)\b(?:works?|worked|working|employed)\s+as\s+(?:(?:an?|the)\s+)?(?:[\p{L}-]+\s+){0,3}?"
        r"(?P<trade>\p{Latin}{3})\p{Latin}*(?=\s+(?:at|in|for|with|and|of|from|since|on)\b|\W*$|[,.;(])"
    ),
    regex.compile(
        r"(?i)\b(?:is|was|became)\s+an?\s+(?:[\p{L}-]+\s+){0,3}?(?!owner|lover|member|her)"
        r"(?P<trade>\p{Latin}{3})\p{Latin}*(?:er|or|ist|cian|nurse)(?=\s+(?:at|in|for|and|of|from)\b|\W*$|[,.;(])"
    ),
    regex.compile(
        r"(?<!\p{Hangul})(?!남자|여자|혼자)(?P<trade>\p{Hangul}{2})\p{Hangul}{0,4}?"
        r"(?<=자|사|원|생|관|작가|화가|전문가|사업가|가수|교수|선수)(?<!주의자)(?:이?다(?!\p{Hangul})|로\s?(?:일|근무|활동))"
    ),
    regex.compile(r"(?P<trade>[\p{Katakana}ー]{2,20}|\p{Han}{2,20})として(?:働|勤)"),
    regex.compile(r"(?P<trade>[\p{Katakana}ー]{2,20}(?<=ニア|ナー|ター|マー|マン))(?:だ|です|である)?。?$"),
    regex.compile(r"(?P<trade>\p{Han}{2,20}(?<=師|士|者|員|官|医))(?:だ|です|である)。?$"),
)


_SEEN: Final = (
    (
        regex.compile(r"(?i)\b(?:has|have|owns?|keeps?)\s+(?:[\p{L}-]+\s+){0,3}?(?P<thing>\p{Latin}+)\W*$"),
        (
            r"(?i)\b(?:saw|seen|see|spotted|noticed|passed|petted|met|watched)\s+(?:an?|the|some|this|that|two)"
            r"\s+(?:[\p{{L}}-]+\s+){{0,3}}?{thing}\b"
        ),
    ),
    (
        regex.compile(
            r"(?<!\p{Hangul})(?P<thing>\p{Hangul}{2,}?)[을를이가]?\s(?:키[우운]|기[르른]|가지고|있다)"
        ),
        r"(?<!(?:우리|내|제)\s){thing}[을를이가]?\s?(?:\p{{Hangul}}+\s)?(?:봤|보았|마주쳤|구경)",
    ),
    (
        regex.compile(r"(?P<thing>\p{Han}{1,20}|\p{Katakana}{1,20})(?:を(?:飼|持)|がいる)"),
        r"(?<!(?:うち|家|私|俺|僕)の){thing}(?:を|に).{{0,6}}(?:見た|見かけ|見つけ|眺め|会っ|すれ違)",
    ),
)
"""Claims that somebody has something, and how a clause tells that it was only seen."""


def unheard(
    claim: str,
    heard: str,
    *,
    names: Iterable[str] = (),
    telling: bool = False,
    own: Iterable[str] = (),
    loosely: bool = False,
    dated: int = 0,
) -> bool:
    """Whether a claim holds more that nobody spoke of than what somebody did, or gives somebody a trade.

    Args:
        claim: what a memory would say.
        heard: all that was said or is known.
        names: they need not be heard.
        telling: the claim tells of the talk, and may use words for that.
        own: words of the claim that have to be borne out, whatever they are.
        loosely: the claim tells of something that was asked for, and may do so in words of its own.
        dated: how many days and times, that are left out of the claim, were said.
    """
    claim, heard = fold(claim), fold(heard)
    for name in sorted(map(fold, names), key=len, reverse=True):
        claim = regex.sub(rf"{regex.escape(name)}{_PARTICLE}", " ", claim) if len(name) > 1 else claim
    trades = (trade.search(claim) for trade in _TRADES)
    if any(found and not _knows(found["trade"], heard) for found in trades):
        return True
    claim = _MONTH.sub(" ", _DATE.sub(" ", claim))
    general = (_ANYWHERE | _TELLING if telling else _ANYWHERE) - content(" ".join(own))
    units = [unit for unit in content(claim) - general if len(unit) > 1 or not _WORD_KO.match(unit)]
    said = Heard([heard])
    new = [unit for unit in units if unit not in said]
    return len(new) > (len(units) + dated) * (_MOST_OF_A_WISH if loosely else _MOST)


def only_seen(claim: str, clause: str) -> bool:
    """Whether a claim gives somebody what a clause only saw: "has a dog", of "I saw a dog in the park"."""
    for owned, seen in _SEEN:
        found = owned.search(claim)
        if found is not None:
            return regex.search(seen.format(thing=regex.escape(found["thing"])), clause) is not None
    return False


def by_chance(words: str, text: str) -> bool:
    """Whether a quote is no more than a word of any claim, cut out of a sentence that says more: "plays"."""
    units = content(words)
    if not units or not units <= _ANYWHERE or len(words.split()) > 1:
        return False
    quoted = letters(words)
    return all(letters(sentence) != quoted for sentence in sentences(text))


def _knows(trade: str, heard: str) -> bool:
    """Whether a trade was heard of; one in Han letters shares a letter with what was said (会社員, 会社)."""
    if regex.match(r"\p{Han}", trade):
        return any(letter in heard for letter in trade[:2])
    return regex.search(rf"(?<!\p{{Latin}}){regex.escape(trade)}", heard) is not None
