"""Extracted memories follow the log: what loses its evidence rests, and comes back with it (P16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.grounding.claims import same
from omoide.domain.model import Kind, Status
from omoide.retain.episodes import Derived

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omoide.domain.records import Standing
    from omoide.stores.unit import Unit

    Index = Callable[[Unit, Sequence[int]], None]

_HELD = (Status.CONFIRMED, Status.REPLACED, Status.FADED)


def follow(unit: Unit, *, gone: Sequence[int] = (), back: Sequence[int] = (), index: Index) -> Derived:
    """Bring extracted memories, and the relationship, in line with a change of the log.

    A memory whose evidence is gone rests; where only a part of it is gone, the rest is read again. What it
    had taken the place of holds again meanwhile. One whose evidence is all there again comes back. Feelings
    follow by themselves, for they are read with their message.

    Args:
        unit: the transaction, in which the log has changed already.
        gone: messages that somebody took back; those that a session still shows are left alone.
        back: messages that are there again, or that are settled now.
        index: makes memories findable by words.

    Returns:
        What rests now that did not before, and what holds again.
    """
    touched = unit.extracted.resting_on([*gone, *back])
    unit.relationships.follow([*gone, *back])
    standing = unit.memories.standing(touched) if touched else []
    said = unit.extracted.still_said({message for one in standing for message in one.evidence})
    lost = [one for one in standing if one.status in _HELD and not said.issuperset(one.evidence)]
    found = [one for one in standing if one.status is Status.SUPPRESSED and said.issuperset(one.evidence)]
    following = _Following(unit, index)
    for one in lost:
        following.rest(one, said)
    revived = [one.id for one in found if following.come_back(one)]
    return Derived(revived=tuple(revived), suppressed=tuple(one.id for one in lost))


class _Following:
    def __init__(self, unit: Unit, index: Index) -> None:
        self._unit = unit
        self._index = index
        self._silent: set[int] | None = None

    def rest(self, one: Standing, said: set[int]) -> None:
        """Let a memory rest, let what it had replaced hold again, and have what is left of it read again."""
        self._unit.extracted.suppress(one.id)
        self._unit.removal.unindex([one.id])
        self._unit.memories.stamp([one.id], change=self._unit.change())
        if one.status is not Status.REPLACED:
            self._bring_back_replaced(one.id)
        left = [message for message in one.evidence if message in said]
        if left:
            self._unit.windows.uncover(dict.fromkeys(left))

    def come_back(self, one: Standing) -> bool:
        """Let a memory hold again, unless it was forgotten, was read anew meanwhile, or has a successor."""
        unit = self._unit
        if self._silent is None:
            self._silent = unit.removal.suppressed()
        if self._silent.intersection(one.evidence) or self._is_there_anew(one):
            return False
        successor = unit.extracted.successor(one.id)
        if successor is not None and successor[1] in _HELD:
            unit.extracted.replace(one.id, by=successor[0], at=successor[2])
        else:
            unit.extracted.revive(one.id)
            self._replace_again(one.id)
        unit.memories.stamp([one.id], change=unit.change())
        self._index(unit, [one.id])
        return True

    def _bring_back_replaced(self, number: int) -> None:
        for old, status in self._unit.extracted.replaced_by(number):
            if status is Status.REPLACED:
                self._unit.extracted.revive(old)
                self._unit.memories.stamp([old], change=self._unit.change())
                self._index(self._unit, [old])
            elif status is Status.SUPPRESSED:
                self._bring_back_replaced(old)

    def _replace_again(self, number: int) -> None:
        at = self._unit.extracted.position(number)
        for old, status in self._unit.extracted.replaced_by(number):
            if status is Status.CONFIRMED:
                self._unit.extracted.replace(old, by=number, at=at)
                self._unit.memories.stamp([old], change=self._unit.change())
            elif status is Status.SUPPRESSED:
                self._replace_again(old)

    def _is_there_anew(self, one: Standing) -> bool:
        """Whether what a memory says was drawn again from what was left of its evidence."""
        unit = self._unit
        rivals = [
            rival
            for rival in unit.memories.standing(unit.extracted.resting_on(one.evidence))
            if rival.id != one.id and rival.kind is one.kind and rival.status in _HELD
        ]
        numbers = [one.id, *(rival.id for rival in rivals)]
        if len(numbers) == 1 or one.kind is Kind.SUMMARY:
            return bool(rivals)
        opened = unit.memories.open(numbers, names=unit.people.names(), sessions={}, shut=set())
        texts = {found.number: (found.memory.subject, found.memory.text) for found in opened}
        if one.id not in texts:
            return False
        subject, text = texts.pop(one.id)
        return any(whose == subject and same(text, other) for whose, other in texts.values())
