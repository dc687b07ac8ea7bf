"""Extracted memories follow the log: what loses its evidence rests, and comes back with it (P16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.model import Status
from omoide.retain.episodes import Derived

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from omoide.domain.records import Standing
    from omoide.stores.unit import Unit

    Index = Callable[[Unit, Sequence[int]], None]

_HELD = (Status.CONFIRMED, Status.REPLACED, Status.FADED)


def follow(unit: Unit, *, gone: Sequence[int] = (), back: Sequence[int] = (), index: Index) -> Derived:
    """Bring extracted memories, and the relationship, in line with a change of the log.

    A memory whose evidence is gone rests; where only a part of it is gone, the rest is read again. What it
    had taken the place of holds again meanwhile. What comes back holds again as it did, if nothing was drawn
    from the talk since; otherwise it is read again, for nobody has held the two against each other. Feelings
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
    unit.relationships.take_back(gone, withdrawn=True)
    unit.relationships.follow([*gone, *back])
    standing = unit.memories.standing(touched) if touched else []
    said = unit.extracted.still_said({message for one in standing for message in one.evidence})
    lost = [one for one in standing if one.status in _HELD and not said.issuperset(one.evidence)]
    resting = [one for one in standing if one.status is Status.SUPPRESSED]
    found = [one for one in resting if said.issuperset(one.evidence)]
    if found and unit.extracted.changed_since([one.id for one in found]):
        found = []
    following = _Following(unit, index)
    following.rest(lost, said)
    revived = following.come_back(found)
    left = {message for one in resting if one not in found for message in one.evidence}
    following.read_again(left & said & set(back))
    return Derived(revived=tuple(revived), suppressed=tuple(one.id for one in lost))


class _Following:
    def __init__(self, unit: Unit, index: Index) -> None:
        self._unit = unit
        self._index = index

    def rest(self, lost: Sequence[Standing], said: set[int]) -> None:
        """Let memories rest, let what they had replaced hold again, and have what is left read again."""
        self._suppress([one.id for one in lost])
        for one in lost:
            self._pass_on(one.id, at=self._replaced_at(one.id))
            self.read_again(message for message in one.evidence if message in said)

    def come_back(self, found: Sequence[Standing]) -> list[int]:
        """Let memories hold again as they did, besides those that were forgotten by hand; returns which."""
        silent = self._unit.removal.suppressed() if found else set()
        back = [one.id for one in found if not silent.intersection(one.evidence)]
        for number in back:
            self._revive(number)
        for number in back:
            at = self._replaced_at(number)
            if at is not None:
                self._unit.extracted.retire(number, at=at)
            self._pass_on(number, at=self._unit.extracted.position(number))
        return back

    def read_again(self, messages: Iterable[int]) -> None:
        """Let messages be read once more."""
        again = dict.fromkeys(messages)
        if again:
            self._unit.windows.uncover(again)

    def _replaced_at(self, number: int) -> int | None:
        """Since when another memory holds in the place of one; None where nothing does now."""
        above = self._unit.extracted.successor(number)
        while above is not None and above[1] not in _HELD:
            above = self._unit.extracted.successor(above[0])
        return None if above is None else self._unit.extracted.position(above[0])

    def _pass_on(self, number: int, *, at: int | None) -> None:
        """Let what a memory has taken the place of hold again, or be replaced as of then.

        What was read after the memory, and found out of date beside it, was not held against anything else:
        it is read again.
        """
        for old, status in self._unit.extracted.replaced_by(number):
            if status is Status.SUPPRESSED:
                self._pass_on(old, at=at)
            elif status is Status.CONFIRMED and at is not None:
                self._unit.extracted.retire(old, at=at)
                self._stamp([old])
            elif status is Status.REPLACED and at is None and old > number:
                self._suppress([old])
                self.read_again(message for message, _, _ in self._unit.extracted.rests(old))
                self._pass_on(old, at=None)
            elif status is Status.REPLACED and at is None:
                self._revive(old)

    def _suppress(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._unit.extracted.suppress(number)
        self._unit.removal.unindex(numbers)
        self._stamp(numbers)

    def _revive(self, number: int) -> None:
        self._unit.extracted.revive(number)
        self._index(self._unit, [number])
        self._stamp([number])

    def _stamp(self, numbers: Sequence[int]) -> None:
        if numbers:
            self._unit.memories.stamp(numbers, change=self._unit.change())
