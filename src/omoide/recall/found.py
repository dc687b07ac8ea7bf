"""What was chosen, opened: memories with their reasons, and the other times at which the same was said."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from omoide.domain.model import Status
from omoide.recall.result import Led, Recalled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from omoide.domain.model import Memory
    from omoide.recall.choice import Choice, Step
    from omoide.recall.result import Why
    from omoide.stores.store import Recalling


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """Memories of one scope that come to mind.

    Attributes:
        memories: with the reasons, best first.
        twins: by a memory's id, those that say the same and stay behind it.
        degraded: what did not work, in a few words each.
    """

    memories: tuple[Recalled, ...] = ()
    twins: Mapping[str, Sequence[Memory]] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()


def opened(now: Recalling, choices: Sequence[Choice], *, own: bool = False) -> Found:
    """Open what was chosen.

    Args:
        now: the scope.
        choices: best first.
        own: whether they are of the character's own past.
    """
    numbers = now.snapshot.rows["number"][[choice.row for choice in choices]].tolist()
    chosen = dict(zip(numbers, choices, strict=True))
    twins = _twins(now, chosen)
    reasons = _reasons(now, chosen)
    shut: set[int] = set()
    wanted = [*numbers, *(twin for others in twins.values() for twin in others)]
    found = now.unit.memories.open(wanted, names=now.names, sessions=now.sessions, shut=shut)
    memories = {one.number: one.memory for one in found}
    alike = {number: [memories[twin] for twin in twins[number] if twin in memories] for number in twins}
    lost = f"{len(shut)} memories cannot be opened and were left out; restore a backup"
    return Found(
        memories=tuple(
            [
                Recalled(memory=memories[number], why=reasons[number], own=own)
                for number in numbers
                if number in memories
            ]
        ),
        twins={memories[number].id: alike[number] for number in alike if number in memories},
        degraded=(*((lost,) if shut else ()), *now.trouble, *now.lacking),
    )


def _twins(now: Recalling, chosen: Mapping[int, Choice]) -> dict[int, list[int]]:
    """The memories that say the same as a chosen one, where there are any, by its number."""
    numbers = now.snapshot.rows["number"]
    return {number: numbers[list(choice.twins)].tolist() for number, choice in chosen.items() if choice.twins}


def _reasons(now: Recalling, chosen: Mapping[int, Choice]) -> dict[int, Why]:
    """The reason for each, with the way to it told by memories' ids."""
    starts = {step.start for choice in chosen.values() for step in choice.way if step.start is not None}
    ids = now.unit.memories.ids(sorted(starts)) if starts else {}
    return {
        number: replace(choice.why, links=tuple(_led(step, ids) for step in choice.way))
        if choice.way
        else choice.why
        for number, choice in chosen.items()
    }


def _led(step: Step, ids: Mapping[int, str]) -> Led:
    memory = None if step.start is None else ids.get(step.start)
    return Led(kind=step.kind, memory=memory, weight=step.weight)


def as_then(found: Found, moment: datetime) -> Found:
    """What was found as it stood at a past moment: nobody knew yet what would take its place, or when."""
    return replace(
        found, memories=tuple([replace(one, memory=_then(one.memory, moment)) for one in found.memories])
    )


def _then(memory: Memory, moment: datetime) -> Memory:
    if memory.status is not Status.REPLACED or memory.valid_until is None or memory.valid_until <= moment:
        return memory
    return replace(memory, status=Status.CONFIRMED, valid_until=None)
