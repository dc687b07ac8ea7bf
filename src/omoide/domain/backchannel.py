"""Messages that only show that somebody listens: laughter, crying marks, and bare acknowledgements."""

from __future__ import annotations

import re
from typing import Literal

from omoide.domain.text import fold, is_blank

# What folding would tear apart or lose is named by a word of the same sense first. Jamo come before folding
# because NFKC joins them: "ㅋㅠ" would read 큐.
_LAUGH, _NOD = " lol ", " ok "
_LAUGHING_MARKS = re.compile(
    r"[ㅋㅎㅍㅌㄲㅠㅜㅡ]+|[;；]{2,}|(?<![^\W_])[TtQqㅠㅜ]([_.]*[TtQqㅠㅜ])+(?![^\W_])"
    r"|[😀-😆😂🤣😅😹😭😢😿🥲😥]+"
)
_OTHER_JAMO = re.compile(r"[ㄱ-ㅣ]+")
_STICKER = re.compile(
    r"[\[(<【（「]\s*(?:스티커|이모티콘|sticker|emoji|gif|スタンプ|絵文字|贴纸|貼圖|贴图|表情)[^\])>】）」]*[\])>】）」]",
    re.IGNORECASE,
)

_WORD = re.compile(r"[^\W_]+")
_DRAWN_OUT = re.compile(r"ー|[ぁぃぅぇぉっッ]+(?= |$)|([a-z])\1{2,}")
_ONE_LETTER = re.compile(r"[a-zà-ɏ가-힣ぁ-ヿ]")

_LAUGHTER_WORDS = (
    # ko
    r"[푸으아우]?하{2,}|호{2,}|히{2,}|헤{2,}|흐{2,}|후{2,}|크{2,}|키{2,}|크?큭+|킥+|풉+|풋|앜|엌|흑+|엉엉+|흐엉+|으앙+|우엥+|힝+|히잉|큐+|쿠+"
    # en and what is written in Latin letters everywhere
    r"|lo+l+|l(?:ol)+|lulz?|lmf?ao+|rofl|[bmw]*a?(?:ha)+h?|heh|(?:he){2,}h?|(?:hi){2,}|(?:ho){2,}|tee ?hee"
    r"|xd+|kek|(?:ke){2,}k?|(?:ja){2,}|hh?|q[aq]q?|xswl|23+"
)
_GLUED_LAUGHTER = (
    r"ww?(?![a-z])|笑(?:死我?了?|哭了?)?|草(?:生える)?|泣|爆笑|大草原|[あがわ]?は{2,}|え?へ{2,}|う?ふ{2,}|ひ{2,}|くすくす|ぐすん?"
    r"|[アガワ]?ハ{2,}|エ?ヘ{2,}|ウ?フ{2,}|ヒ{2,}|ワロタ|わろた|しくしく|哈+|呵+|嘻+|嘿{2,}|噗+|呜+|嗚+"
)

_SPACED_NODS = """
    응 웅 엉 어 음 흠 으음 네 넵 넹 넴 넷 옙 옛 예 녜 네네 네에 넵넵 오 아 와 우와 와우 헐 헉 앗 엥 에 으
    캬 오호 아하 오케이 오키 오키도키 오케 콜 굿 굳 대박 그래 그래요 그래그래 그렇구나 그렇구낭 그렇군
    그렇군요 그렇네 그렇네요 그렇지 그쵸 그치 그죠 맞아 맞아요 맞네 맞음 맞습니다 알겠어 알겠어요
    알겠습니다 알았어 알았어요 알써 진짜 진짜요 정말 정말요 레알 아니 아니요 아뇨 아냐 아니야 아니에요
    좋아 좋아요 좋네 좋지 그럼 그럼요 당연하지 물론 물론이지 글쎄 글쎄요 뭐 왜 어머 아이고 이런 저런 몰라
    몰라요 ok okay okey k kk okie oki yes yeah yea yep yup ya ye yh no nope nah sure right alright aight
    fine true same oh ooh ah aha aw aww hm hmm mm mhm uh um er huh uh_huh mm_hmm wow whoa cool nice good
    great really indeed exactly totally absolutely definitely agreed i_see i_know idk got_it i_got_it
    gotcha of_course no_way omg oh_my_god well fair fair_enough makes_sense that_makes_sense sounds_good
    sure_thing for_sure understood noted roger go_on no_problem no_worries np orz otl
"""
_GLUED_NODS = """
    うん ううん うんうん はい はいはい ええ いや いえ いいえ そう そうそう そうなの そうなんだ
    そうなんですか そうなんですね そうですか そうですね そうだね そうだよ そうだよね そうか そっか
    そっかあ なるほど なるほどね なるほどです ふん ふむ ふむふむ へえ ほう ほお おお おけ おっけ おk
    オッケ オケ オーケ オケです りょ りょうかい りょうかいです 了解 了解です 了解しました 承知しました
    わかった わかりました 分かった 分かりました ほんと ほんとに 本当 本当に 本当ですか ほんとですか まじ
    まじか まじで マジ マジか マジで だよね ですよね だね ですね たしかに 確かに うわ わあ やば やばい
    いいね いいですね もちろん どうも あら まあ えっと えと うむ 御意 おう あっそ 別に まあね ね 嗯 嗯嗯
    好 好的 好吧 好呀 好啊 好哒 好嘞 好滴 行 行吧 可以 哦 噢 喔 啊 呀 唉 诶 欸 哇 是 是的 是啊 是吗 是嗎
    对 對 对啊 對啊 对的 對的 没错 沒錯 真的 真的吗 真的嗎 知道了 我知道了 明白 明白了 收到 了解 原来如此
    原來如此 这样啊 這樣啊 这样 原来是这样 当然 當然 不 不是 不要 没有 沒有 不会吧 厉害 厲害 不错 不錯
"""


def _said(words: str, *, again: str = "") -> str:
    """A pattern of any of the words; an underscore stands for the space within a phrase."""
    phrases = sorted({word.replace("_", " ") for word in words.split()}, key=len, reverse=True)
    return "|".join(f"(?:{re.escape(phrase)}){again}" for phrase in phrases)


_LAUGHING = rf"(?:{_LAUGHTER_WORDS})(?: |$)|(?:{_GLUED_LAUGHTER}) ?"
# A nod may be said again without a space, as in 네네네, but two different ones may spell a word:
# 오 + 네 = 오네.
_NODDING = rf"(?:{_said(_SPACED_NODS, again='++')})(?: |$)|(?:{_said(_GLUED_NODS)}) ?"
_ONLY_LAUGHTER = re.compile(rf"(?>{_LAUGHING})++")
_ONLY_BACKCHANNEL = re.compile(rf"(?>{_LAUGHING}|{_NODDING})++")

_OF_BACKCHANNEL = "".join(
    sorted(set(re.findall(r"[가-힣ぁ-ヿ一-鿿]", f"{_ONLY_BACKCHANNEL.pattern} {_DRAWN_OUT.pattern}")))
)
# Two letters side by side that neither laughter nor a nod is spelled with. Most messages of ko, ja and zh
# hold some, and need no closer look.
_TELLING_LETTER = f"[가-힣ぁ-ゖァ-ヺ一-鿿](?<![{_OF_BACKCHANNEL}])"
_TELLING = re.compile(_TELLING_LETTER * 2)

Backchannel = Literal["laughter", "acknowledgement"]


def backchannel(text: str) -> Backchannel | None:
    """Tell what a message is that says nothing of its own; None for the others, and for blank ones.

    Laughter is laughter or crying marks alone (H7, ruling 11). An acknowledgement is a nod such as 응, はい,
    ok or 嗯, with or without laughter, and whatever holds no word: one syllable, punctuation, emoji, a
    sticker. How short a message is decides nothing: 이사했어, 母が亡くなった and "I quit." say something.
    """
    if is_blank(text) or _TELLING.search(_STICKER.sub(" ", text)):
        return None
    bare = _bare(text)
    if not bare:
        return "acknowledgement"
    if _ONLY_LAUGHTER.fullmatch(bare):
        return "laughter"
    if _ONE_LETTER.fullmatch(bare) or _ONLY_BACKCHANNEL.fullmatch(bare):
        return "acknowledgement"
    return None


def is_one_word(text: str) -> bool:
    """Whether a message is one syllable that is no known nod: too little to keep, but perhaps a name."""
    bare = _bare(text)
    return bool(bare) and _ONE_LETTER.fullmatch(bare) is not None and not _ONLY_BACKCHANNEL.fullmatch(bare)


def is_laughter(text: str) -> bool:
    """Whether a message is laughter or crying marks alone."""
    return backchannel(text) == "laughter"


def is_acknowledgement(text: str) -> bool:
    """Whether a message is a bare acknowledgement: a nod, one syllable, or no word at all."""
    return backchannel(text) == "acknowledgement"


def _bare(text: str) -> str:
    """The folded words of a text, a space between them, without signs and drawn-out sounds."""
    named = _OTHER_JAMO.sub(_NOD, _LAUGHING_MARKS.sub(_LAUGH, _STICKER.sub(" ", text)))
    return _DRAWN_OUT.sub(r"\1", " ".join(_WORD.findall(fold(named))))
