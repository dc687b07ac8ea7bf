"""What the present emotion favours: memories of a feeling like it, a little (K8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from omoide.domain.feeling_kinds import KINDS, STRONG_FROM, kind_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from omoide.domain.affect import Feeling
    from omoide.recall.question import Question
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Recalling, Store

FAVOUR: Final = 0.5
"""What a feeling like the present one adds at its strongest, in standard deviations of the fused score."""


@dataclass(frozen=True, slots=True)
class Mood:
    """Which rows the present emotion favours, by how much, and the kind of feeling."""

    kind: str
    rows: NDArray[np.bool_]
    favour: float


def felt_now(store: Store, scope: ScopeRow, question: Question) -> Question:
    """The question with what the character feels in its session, unless that is given or does not count."""
    if not question.mood or question.feeling is not None or question.session is None:
        return question
    with store.read(scope) as unit:
        session = unit.sessions.find(question.session)
        feeling = None if session is None else unit.states.feeling(session.id)
    return replace(question, feeling=feeling)


def favoured(now: Recalling, feeling: Feeling | None) -> Mood | None:
    """The memories of a scope that felt like a present emotion; None for none, and for a weak or calm one."""
    kind = None if feeling is None else kind_of(feeling.emotion)
    if feeling is None or kind not in KINDS or feeling.intensity < STRONG_FROM:
        return None
    rows = np.isin(now.snapshot.rows["number"], now.unit.links.felt(kind))
    return Mood(kind, rows, FAVOUR * feeling.intensity) if rows.any() else None
