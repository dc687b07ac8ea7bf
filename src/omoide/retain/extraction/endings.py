"""What a plan's end says later on: "Is back" tells nothing without what was planned (H14).

A model is asked for a text that lasts. Where it leaves out most of what the plan was, the plan's own words
stand behind it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from omoide.domain.grounding.claims import likeness
from omoide.domain.model import Kind, PlanState
from omoide.retain.extraction.reconcile import Act

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omoide.domain.text import Language
    from omoide.retain.extraction.reconcile import Decision

_TELLS = 0.5
"""The share of a plan's content above which its end tells what was planned."""

_MOVED_TELLS = 0.2
"""The same for a plan with another day: its new words are a plan of their own, unless they say nothing."""

_PLANNED: Final[dict[Language, str]] = {
    "ko": "{end} (계획: {plan})",
    "ja": "{end}（予定：{plan}）",
    "zh": "{end}（原计划：{plan}）",
    "en": "{end} (planned: {plan})",
}


def lasting(decisions: Iterable[Decision], *, language: Language) -> list[Decision]:
    """The decisions, with each plan's end or new day in words that tell what was planned."""
    return [_lasting(decision, language) for decision in decisions]


def _lasting(decision: Decision, language: Language) -> Decision:
    item, of = decision.item, decision.of
    if decision.act is not Act.REPLACE or item.intent is None or of is None or of.kind is not Kind.PLAN:
        return decision
    plans = [one for one in (of, *decision.also) if one.kind is Kind.PLAN]
    of = next((one for one in plans if item.about and one.subject == item.about.number), of)
    enough = _MOVED_TELLS if item.intent.state is PlanState.OPEN else _TELLS
    if likeness(of.text, [item.text]) > enough:
        return decision
    end, plan = (_plain(text, language) for text in (item.text, of.text))
    return replace(decision, item=replace(item, text=_PLANNED[language].format(end=end, plan=plan)))


def _plain(text: str, language: Language) -> str:
    """A text without its full stop; of one that was made here, what was planned."""
    before, _, after = _PLANNED[language].partition("{plan}")
    mark = before.removeprefix("{end}")
    planned = text.rsplit(mark, 1)[-1].removesuffix(after) if mark in text else text
    return planned.strip().rstrip(".。")
