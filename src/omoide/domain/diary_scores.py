"""What a diary memory scores where its author gives nothing: a rule in four languages (K2, ruling 18)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from omoide.domain import salience
from omoide.domain.diary import BASIC_SCORES, HIGHEST_SCORE
from omoide.domain.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from omoide.domain.diary import Diary

_NAMED: Final = 6.5
"""What a feeling scores that the author names as the emotion."""

_FIRST: Final = 3.0
"""What a feeling scores that only the words speak of."""

_MORE: Final = 1.0
_MOST_WORDS: Final = 3
_OF_JOY: Final = 0.4
"""How much of a hard feeling is taken from joy."""

_WORDS: Final[dict[str, str]] = {
    "joy": r"""
        \b(?:happ(?:y|ier|iest|ily|iness)|joy(?:ful|ous|fully)?|glad|delight(?:ed)?|cheerful|excit(?:ed|ement)
          |proud|fun|laugh(?:ed|ing|ter)?|smil(?:ed|ing|e)|relieved|thrilled|love[ds]?)\b
        | 기[쁘뻐뻤쁨]|행복|즐거|즐겁|신[나났난]|설레|설렜|웃[었으음]|뿌듯|반가|반갑|좋았|다행
        | 嬉し|うれし|楽し|たのし|幸せ|しあわせ|喜[びばんぶん]|笑[っいう顔]|わくわく|ワクワク|誇らし|ほっとし
        | 高兴|高興|开心|開心|快乐|快樂|幸福|喜悦|欢喜|微笑|自豪
    """,
    "sadness": r"""
        \b(?:sad(?:ly|ness|der)?|sorrow(?:ful)?|grie(?:f|ved)|cried|crying|cry|tears?|weep(?:ing)?|wept|lonely
          |loneliness|heartbroken|miserable|mourn(?:ed|ing)?)\b
        | 슬[프퍼펐픔]|눈물|울[었음고며]|울어|외로|외롭|쓸쓸|서러|서럽|서운|그리[웠워움]
        | 悲し|かなし|哀し|泣[いくきけ]|涙|寂し|さびし|淋し|切な|せつな
        | 悲伤|悲傷|难过|難過|伤心|傷心|哭|眼泪|眼淚|孤独|孤獨|寂寞
    """,
    "anxiety": r"""
        \b(?:anxi(?:ous|ety|ously)|afraid|scared|fear(?:ful|ed|s)?|worr(?:y|ied|ies|ying)|nervous(?:ly|ness)?
          |dread(?:ed)?|panic(?:ked)?|uneasy|terrified|frightened|trembl(?:ed|ing|e))\b
        | 불안|무서|무섭|두려|두렵|걱정|초조|긴장|겁[이을났나]|떨[렸려리]
        | 不安|怖[いくかが]|こわ[いくか]|恐[いくれろ]|心配|緊張|震え|どきどき|ドキドキ|焦[っりる]
        | 害怕|担心|擔心|紧张|恐惧|恐懼|焦虑|焦慮|发抖
    """,
    "frustration": r"""
        \b(?:frustrat(?:ed|ion|ing)|angry|anger|furious|annoy(?:ed|ing)|irritat(?:ed|ing)|resent(?:ed|ment|ful)?
          |bitter(?:ly|ness)?|mad|rage|fed\sup|unfair|helpless|humiliated|jealous(?:y)?)\b
        | 답답|짜증|화[가났내를]|분[했하해통노]|억울|속상|좌절|약[이올]올?라|질투|못마땅
        | 悔し|くやし|腹[がを]立|怒[りっる]|苛立|いらいら|イライラ|むかつ|ムカつ|もどかし|不満|理不尽|嫉妬
        | 生气|生氣|愤怒|憤怒|沮丧|沮喪|烦躁|煩躁|委屈|不公|嫉妒|懊恼
    """,
}
PATTERNS: Final = {name: re.compile(words, re.VERBOSE) for name, words in _WORDS.items()}
"""The words that tell of each feeling."""


def scores_of(diary: Diary, own: Iterable[str]) -> tuple[dict[str, float], tuple[str, ...]]:
    """Every score of a diary memory, and the names of those that nobody gave.

    Args:
        diary: the memory.
        own: the scores that the character has beside the basic ones.
    """
    names = tuple(dict.fromkeys((*BASIC_SCORES, *own)))
    plain = {name: _plain(name) for name in names}
    worked_out = {**plain, **diary.scores} if diary.scores else _read(diary, names)
    return worked_out, tuple(name for name in names if name not in diary.scores)


def importance_of(text: str, scores: Mapping[str, float]) -> float:
    """How much a memory weighs by what it speaks of and how strongly it was felt, 1 to 10 (K8)."""
    felt = [abs(value - _plain(name)) / (HIGHEST_SCORE - _plain(name)) for name, value in scores.items()]
    return salience.score(text, "", intensity=min(1.0, max(felt, default=0.0))).importance


def _plain(name: str) -> float:
    return BASIC_SCORES.get(name, 0.0)


def _read(diary: Diary, names: Iterable[str]) -> dict[str, float]:
    named = fold(diary.emotion or "")
    words = fold("\n".join(filter(None, (diary.text, diary.thought, diary.action))))
    felt = {name: _strength(name, named, words) for name in names}
    hard = max(value for name, value in felt.items() if name != "joy")
    joy = BASIC_SCORES["joy"] + felt["joy"] / 2 - hard * _OF_JOY
    return {**felt, "joy": round(min(max(joy, 0.0), HIGHEST_SCORE), 3)}


def _strength(name: str, named: str, words: str) -> float:
    """How strongly a feeling shows, 0 to 10."""
    pattern = PATTERNS.get(name) or re.compile(re.escape(fold(name)))
    found = min(len(pattern.findall(words)), _MOST_WORDS)
    if pattern.search(named):
        return min(_NAMED + _MORE * found, HIGHEST_SCORE)
    return _FIRST + _MORE * (found - 1) if found else 0.0
