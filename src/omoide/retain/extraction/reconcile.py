"""What becomes of each item beside what is known: new, said again, instead of it, or out of date already.

The call to the model decides; likeness only nominates. The order of the log decides which of two that
contradict each other is the later (F98). Nothing here reads or writes a store.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from omoide.domain.grounding.ceased import called, dies, outlived
from omoide.domain.grounding.claims import same
from omoide.domain.grounding.home import moved
from omoide.domain.loose_times import last_day
from omoide.domain.model import Category, Kind, PlanState
from omoide.retain.extraction.bearing import family, speaks_of
from omoide.retain.extraction.grounded import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from omoide.domain.due import Due
    from omoide.retain.extraction.grounded import Item
    from omoide.retain.extraction.view import Known

_LETTERS = 0.6
"""The likeness in letters that two have at least which an embedder takes for the same (H12)."""

_A_PLAN = 0.5
"""The likeness in letters from which what is over was the plan that is known."""


class Act(StrEnum):
    """What is done with an item."""

    ADD = "add"
    CONFIRM = "confirm"
    REPLACE = "replace"
    OUTDATED = "outdated"


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What is done with an item, and what that happens to; `also` is what else it takes the place of."""

    item: Item
    act: Act
    of: Known | None = None
    also: tuple[Known, ...] = ()


def reconcile(
    items: Sequence[Item],
    known: Sequence[Known],
    *,
    alike: Callable[[Item, Known], bool],
) -> tuple[list[Decision], list[Reason]]:
    """Decide on each item.

    Args:
        items: what was drawn from a window.
        known: what is known and near, that which the model was shown included.
        alike: whether an embedder takes an item and something known for the same.

    Returns:
        What is to be done, and the reasons why other items come to nothing.
    """
    decisions: list[Decision] = []
    nothing: list[Reason] = []
    taken: set[int] = set()
    for item in items:
        decision = _decide(item, [one for one in known if one.number not in taken], alike)
        if isinstance(decision, Reason):
            nothing.append(decision)
            continue
        if decision.of is not None:
            taken.update(one.number for one in (decision.of, *decision.also))
        decisions.append(decision)
    return decisions, nothing


def _decide(item: Item, known: Sequence[Known], alike: Callable[[Item, Known], bool]) -> Decision | Reason:
    of = next((one for one in known if item.known is not None and one.number == item.known.number), None)
    relation = item.relation if of is not None else "new"
    if of is None:
        of = next((one for one in known if _says(item, one, alike)), None)
        relation = "new" if of is None else "confirms"
    if item.intent is not None:
        return _plan(item, known, of, relation)
    over = [one for one in _outlived(item, known) if one is not of and one not in item.also]
    if of is None:
        over += [one for one in known if _moved_from(item, one)][:1]
        if not over:
            return Decision(item=item, act=Act.ADD)
        of, relation = over.pop(0), "replaces"
    item = replace(item, also=(*item.also, *over))
    if relation == "replaces" and not same(item.text, of.text):
        return _replacing(item, of)
    return _confirming(item, of)


def _says(item: Item, known: Known, alike: Callable[[Item, Known], bool]) -> bool:
    """Whether something known says of the same person what an item says."""
    if family(item.kind) != family(known.kind) or _subject(item) != known.subject:
        return False
    return same(item.text, known.text) or (alike(item, known) and same(item.text, known.text, least=_LETTERS))


def _moved_from(item: Item, known: Known) -> bool:
    """Whether something known is the home that the same person has moved from."""
    if not item.kind == known.kind == Kind.FACT or _subject(item) != known.subject:
        return False
    return any(moved(known.text, item.text, one.line.text) for one in item.cited)


def _outlived(item: Item, known: Sequence[Known]) -> list[Known]:
    """What is over with a death that an item tells: that somebody has or looks after whom it names."""
    facts = [one for one in known if item.kind == one.kind == Kind.FACT]
    names = {name for one in facts for name in called(one.text)}
    dead = {name for name in names if dies(name, item.text)}
    if item.about is not None and item.about.name in names and dies("", item.text):
        dead.add(item.about.name)
    return [one for one in facts if any(outlived(one.text, name) for name in dead)]


def _plan(item: Item, known: Sequence[Known], of: Known | None, relation: str) -> Decision | Reason:
    """A plan that is over, or has another day, takes the place of the one that was open."""
    intent = item.intent
    if intent is None:
        return Reason.BLANK
    if intent.state is not PlanState.OPEN:
        of = of or next(_open_ones(item, known), None)
        if of is None and item.alone:
            fact = replace(item, kind=Kind.FACT, category=Category.GENERAL, intent=None)
            return Decision(item=fact, act=Act.ADD)
        if of is None or of.state is not PlanState.OPEN:
            return Reason.OVER
        return _replacing(item, of)
    if of is None:
        return Decision(item=item, act=Act.ADD)
    moved = intent.due is not None and of.due is not None and _another_day(intent.due, of.due)
    fuller = intent.due is not None and of.due is None
    if relation == "replaces" or moved or fuller:
        return _replacing(item, of)
    return _confirming(item, of)


def _another_day(to: Due, due: Due) -> bool:
    """Whether a day is another one; one that is known less exactly, and may be the same, is not."""
    same_stretch = to.at <= due.at and due.at.date() <= last_day(to.at.date(), to.precision)
    return not same_stretch


def _open_ones(item: Item, known: Iterable[Known]) -> Iterator[Known]:
    """Open plans that an end may be of: the same person's, much alike, and spoken of in what is cited."""
    plans = (one for one in known if one.state is PlanState.OPEN and _subject(item) == one.subject)
    said = [one.line.text for one in item.cited]
    return (one for one in plans if same(item.text, one.text, least=_A_PLAN) and speaks_of(one, said))


def _replacing(item: Item, of: Known) -> Decision:
    """What was said later holds, whichever of the two is read first; beside what somebody holds on to."""
    said = max(one.line.position for one in item.cited)
    free = [one for one in (of, *item.also) if not one.held]
    if not free:
        return Decision(item=item, act=Act.ADD)
    before = tuple(one for one in free if said >= one.position)
    after = next((one for one in free if said < one.position), None)
    if after is not None:
        return Decision(item=item, act=Act.OUTDATED, of=after, also=before)
    of, *others = before
    if item.intent is not None and item.intent.due is None and of.due is not None:
        item = replace(item, intent=replace(item.intent, inherits=of.due))
    return Decision(item=item, act=Act.REPLACE, of=of, also=tuple(others))


def _confirming(item: Item, of: Known) -> Decision | Reason:
    """Only words that it does not rest on yet make a memory surer (F03)."""
    if all(one.line.number in of.rests for one in item.cited):
        return Reason.KNOWN
    return Decision(item=item, act=Act.CONFIRM, of=of)


def _subject(item: Item) -> int | None:
    return None if item.about is None else item.about.number
