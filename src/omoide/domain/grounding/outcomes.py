"""How something went, told without naming it: "failed again", 바람맞았어, 採用だって (H12, H14).

A plan whose day has come is seldom named again by who tells how it went. What a claim says of its end has
to
be of the kind that was told: nobody passed who says that they failed.
"""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.claims import content

_KINDS: Final = {
    kind: regex.compile(words, regex.IGNORECASE | regex.VERBOSE)
    for kind, words in {
        "won": r"""(?<!n['’]t\s|\bnot\s|\bnever\s)\b(?:pass(?:ed|es)? | got\s+(?:it|in|the\s+\p{L}+)
            | hired | accepted | won | aced
            | nailed | made\s+it | succe\p{L}+ | offered
            | (?:gave|given)\s+(?:me|us|her|him|them)\s+the)\b
            | (?<!불)합격 | 붙었 | 붙음 | 뽑[혔힘] | 성공 | 따냈 | 이겼 | 受か[っり] | (?<!不)合格
            | 採用(?!され(?:ず|な)) | 内定
            | 勝っ | 勝ち | うまくいっ | 成功""",
        "lost": r"""\b(?:fail(?:ed|s)? | flunk\p{L}* | reject\p{L}* | turned\s+down | lost
            | (?:did\s?n['’]?t|not|never)\s+(?:pass|get|make)\p{L}*)\b
            | 떨어[졌짐지] | 떨어진 | 불합격 | 탈락 | 실패 | 졌[다어지] | 落ち[たて] | 不合格 | 不採用
            | 失敗 | 負け[たて] | だめだった | ダメだった""",
        "alone": r"""\b(?:stood\s+(?:me|us|her|him)\s+up | stood\s+up | no[-\s]show\p{L}* | ghost(?:ed|s)
            | (?:did\s?n['’]?t|not|never)\s+(?:show|turn|come|appear)\p{L}*)\b
            | 바람\s?맞 | 바람맞 | 안\s?(?:나왔|왔|나타났) | 나오지\s?않 | 오지\s?않 | 잠수 | すっぽか
            | ドタキャン | 来なかった | 来ません | 現れな""",
        "off": r"""\b(?:cancel\p{L}* | called\s+(?:it\s+)?off | is\s+off | it['’]s\s+off | fell\s+through
            | postponed | put\s+off)\b
            | 취소 | 무산 | 미뤄 | 연기 | 中止 | キャンセル | 延期 | 流れ[たて] | なくなっ""",
        "good": r"""(?<!n['’]t\s|\bnot\s)\b(?:nice | great | fun | lovely | good | amazing | brilliant
            | wonderful | perfect | delicious
            | laugh\p{L}* | enjoyed | went\s+(?:really\s+|so\s+|very\s+)?well | a\s+blast)\b
            | 좋았 | 재밌었 | 재미있 | 즐거 | 즐겁 | 웃었 | 웃으며 | 웃었 | 맛있었 | 잘\s?(?:됐|했|봤|끝)
            | 최고였 | 楽しか | 楽しく | 楽しめ
            | 良かった | よかった | 面白か | 笑っ | 美味しか | おいしか | 最高だっ | うまくいっ""",
        "bad": r"""\b(?:awful | terrible | horrible | boring | disaster | nightmare
            | went\s+(?:really\s+|so\s+)?badly | bombed
            | blew\s+it | messed\s+(?:it\s+)?up)\b
            | 최악 | 별로였 | 지루했 | 망했 | 망쳤 | 망친 | 最悪 | つまらなか | 散々 | ひどかっ | やらかし
            | 失敗""",
    }.items()
}
_FELT: Final = {"won": "good", "lost": "bad"}
"""What was won went well; that something went well does not say that it was won."""

_AHEAD: Final = content(
    """
    last night yesterday today this morning afternoon evening just finally again well they gave told said
    have got
    was were went really very much totally absolutely honestly guess what know first time almost even also
    still
    어제 오늘 아까 방금 지난 결국 진짜 정말 완전 너무 드디어 이번 다시 아침 저녁 점심 역시 생각 보다 무사
    다행
    昨日 今日 今朝 昨夜 先日 結局 本当 無事 今回 見事 案外 正直 夜中
    """
)
"""Pieces of words ahead of how something went that name nothing it could be said of."""
_LIGHT: Final = regex.compile(r"\p{Hangul}|\p{Hiragana}+")
_CLAUSE: Final = regex.compile(r"[^,.!?。！？、;\n]+")


def outcomes(text: str) -> frozenset[str]:
    """The kinds of outcome that a text tells."""
    return frozenset(kind for kind, words in _KINDS.items() if words.search(text))


def tells_outcome(claim: str, said: str, plan: str) -> bool:
    """Whether what was said may tell how a plan went, and a claim tells no other outcome.

    Where something else is named ahead of the outcome ("the film was great", of a dinner), it is of that.

    Args:
        claim: how the plan ended.
        said: the sentences that are cited.
        plan: its words.
    """
    of_plan: set[str] = set()
    for clause in _CLAUSE.findall(said):
        found = [(kind, one) for kind, words in _KINDS.items() for one in words.finditer(clause)]
        named = [_named(clause[: one.start()]) - _AHEAD - content(plan) for _, one in found]
        of_plan |= {kind for (kind, _), other in zip(found, named, strict=True) if not other}
        if any(named):  # what follows is of that too
            break
    of_plan |= {_FELT[kind] for kind in of_plan & _FELT.keys()}
    claimed = outcomes(claim)
    return bool(of_plan) and (not claimed or bool(claimed & of_plan))


def _named(text: str) -> frozenset[str]:
    """Pieces of words that can name something, as a syllable of Korean and hiragana alone do not."""
    pieces = content(text)
    return frozenset(one for one in pieces if not _LIGHT.fullmatch(one))
