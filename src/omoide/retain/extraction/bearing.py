"""Which of the known things that an item names it may confirm or replace (H11, H12, ruling 36).

An id alone proves nothing. Both have to be of one kind and about one person, and what is cited has to speak
of what is known; otherwise the item is a new one, and what is known stays as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from omoide.domain.grounding.claims import content, likeness, supported
from omoide.domain.grounding.number_words import figures
from omoide.domain.grounding.one_at_a_time import one_state
from omoide.domain.grounding.outcomes import tells_outcome
from omoide.domain.grounding.polarity import turned
from omoide.domain.grounding.wording import Heard
from omoide.domain.model import Kind, PlanState
from omoide.domain.text import fold
from omoide.retain.extraction.checks import contrary, denied

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omoide.retain.extraction.grounded import Cited
    from omoide.retain.extraction.view import Known, Line, Someone, View

_BEARS_ON = 0.25
"""The share of the content of something known that an item of another kind has to speak of to replace it."""

_LIGHT = content(
    """
    love like hate enjoy prefer want wish need hope go come make take will
    plan own keep get very much really just some more most than when then also been long anymore now new
    day week month year today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december
    morning evening night time last next
    좋아 싫어 간다 가기 가야 가고 하기 하고 했다 해야 된다 같다 원한 바란 바라 기로 없다 이제 오늘 내일
    어제 아침 저녁 점심 토요 일요 월요 화요 수요 목요 금요 년 월 일 시 시에 정말 너무 行 好 嫌 大好 苦手
    持 欲 望 思 言 今 今日 明日 昨日 前 後 年 月 日 時 予定 喜欢 喜歡 讨厌 討厭 今天 明天 昨天 去 想
"""
)
"""Pieces of words that tell nothing of what is liked, done or planned, or only when."""


_ENDS = content(
    """
    off over out done put called cancelled postponed delayed rescheduled moved finished ended happened went
    came back well fine fun good great nice bad late early yes sadly luckily lucky okay
    passed failed won lost first
    다녀 갔다 왔어 왔다 왔어요 끝났 취소 미뤄 미뤘 연기 못갔 됐어 재밌 좋았 잘 다 결국 안
    붙었 붙음 합격 떨어 한번 번에
    行って 受か 合格 落ち 中止 延期 終わ 済んだ 楽 無事 結局 取消 消了 取消了 结束 回来 完了 改期 推迟
    """
)
"""Pieces of words that tell that something is over or put off, and not what."""

_COMPOUND = re.compile(r"[가-힣]{2}([가-힣]{2})(?<!다)(?=[을를이가은는에의]?(?:[^가-힣]|$))")
"""The last two syllables of a noun of four, with a particle or none behind it."""


def family(kind: Kind) -> Kind:
    """What can confirm or replace each other."""
    return Kind.FACT if kind is Kind.STATEMENT else kind


def speaks_of(known: Known, said: Iterable[str], *, names: Iterable[str] = ()) -> bool:
    """Whether anything of the content of what is known was said; names count for nothing.

    Args:
        known: what is known.
        said: what may speak of it.
        names: of those who speak, and of whom it is about.
    """
    pieces = content(known.text) - content(" ".join([*names, known.name])) - _LIGHT
    heard = Heard(said)
    return any(piece in heard for piece in pieces)


def confirmed(known: Known, kind: Kind, text: str, cites: Sequence[Cited], *, about: Someone | None) -> bool:
    """Whether an item may confirm something known: it speaks of it and its person, and nothing denies it.

    Args:
        known: what the item says that it confirms.
        kind: of the item.
        text: of the item.
        cites: what the item rests on.
        about: whom the item is about.
    """
    if family(known.kind) != family(kind) or not _same_person(known, about):
        return False
    if not speaks_of(known, [text]) or turned(known.text, text) or turned(text, known.text):
        return False
    if known.kind is Kind.PLAN:
        return not denied(known.text, cites)
    return contrary(known.text, cites, ended=False) is None


def replaced(
    known: Known,
    kind: Kind,
    text: str,
    cites: Sequence[Cited],
    view: View,
    *,
    about: Someone | None,
    closing: bool = False,
) -> bool:
    """Whether an item may take the place of something known.

    It is about the same person, unless one of the two speaks of whom the other is about; and what is cited,
    or the question that it answers, speaks of what is known. What somebody puts in words of their own may do
    so too, where it rests on what is cited by itself; the end of a plan may not, for it is told in the words
    of the plan. A plan may also be ended or put off in words that tell of nothing else ("it's off"), or
    told without its name how it went, once its day has come ("she stood me up"). A state
    of which everybody is in one at a time gives way to another one in whatever words ("vegan", "eats meat").

    Args:
        known: what the item says that it replaces.
        kind: of the item.
        text: of the item.
        cites: what the item rests on.
        view: what was said.
        about: whom the item is about.
        closing: the item says what became of a plan.
    """
    if not (_same_person(known, about) or _spoken_of(known, about, text)):
        return False
    heard = [line.text for line in _with_questions([one.line for one in cites], view)]
    names = [view.name(view.user, ""), view.name(view.character, "")]
    if family(known.kind) != family(kind):
        return likeness(known.text, [text, *heard]) >= _BEARS_ON and speaks_of(known, heard, names=names)
    if speaks_of(known, heard, names=names):
        return True
    if known.kind is Kind.PLAN:
        left = content(" ".join(one.line.text for one in cites)) - _LIGHT - _ENDS
        if not left or (closing and left & _heads(known.text)):
            return True  # "all done", "it's off": nothing else is named that they could be said of
        if closing and _has_come(known, cites) and tells_outcome(text, _cited(cites), known.text):
            return True
    told = supported(text, heard, known=names)
    if told and not closing and speaks_of(known, [text], names=names):
        return True
    told = told or bool(figures(text) - figures(known.text))  # of an age the figure alone may be said
    return told and one_state(known.text, text) and _same_person(known, about)


def _has_come(plan: Known, cites: Sequence[Cited]) -> bool:
    """Whether an open plan was due when what is cited was said."""
    at = [one.line.at for one in cites if one.line.at is not None]
    return plan.state is PlanState.OPEN and plan.due is not None and bool(at) and plan.due.at <= max(at)


def _cited(cites: Sequence[Cited]) -> str:
    return "\n".join(one.line.text for one in cites)


def _heads(text: str) -> frozenset[str]:
    """What Korean compounds are called for short: 면허 of 운전면허."""
    return content(" ".join(_COMPOUND.findall(text)))


def _same_person(known: Known, about: Someone | None) -> bool:
    return known.subject == (None if about is None else about.number)


def _spoken_of(known: Known, about: Someone | None, text: str) -> bool:
    """Whether an item speaks of whom something known is about, or the other way round."""
    if about is None:
        return False
    return any(name and fold(name) in fold(of) for name, of in ((known.name, text), (about.name, known.text)))


def _with_questions(lines: Sequence[Line], view: View) -> list[Line]:
    """What was said, and ahead of each message the one that it may answer."""
    ahead = [view.lines[line.m - 2] for line in lines if line.m > 1]
    first = view.context[-1:] if any(line.m == 1 for line in lines) else ()
    return [*first, *ahead, *lines]
