"""Messages from which nothing may be remembered, out of one store and into another (ruling 3).

What was forgotten leaves a log as a mark: who spoke, when and in which place, without words. In another log
the mark stands in that place, and a message that a client shows there is taken as the one that was forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from omoide.domain.alignment import Alignment, align
from omoide.domain.instants import SAME_TIME, to_micros
from omoide.domain.model import Status
from omoide.retain.carried import names_of
from omoide.retain.given import is_mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.records import Logged
    from omoide.retain.given import Given
    from omoide.stores.unit import Unit


@dataclass(frozen=True, kw_only=True, slots=True)
class Silence:
    """What an export says of messages from which nothing may be remembered, by their ids in the file.

    Attributes:
        messages: all of them; those without words are marks.
        held: for each rule-made memory that holds nevertheless, the messages that it rests on.
    """

    messages: frozenset[str] = frozenset()
    held: frozenset[tuple[str, ...]] = frozenset()

    def keep(self, unit: Unit, added: Sequence[Logged], made: Sequence[int]) -> None:
        """Suppress what came, and let memories that were just made of it stay behind their correction."""
        if not self.messages:
            return
        standing = unit.memories.standing(made)
        rests = {message for one in standing for message in one.evidence}
        names = names_of(unit, rests.union(message.id for message in added))
        silent = {message.id for message in added if names[message.id] in self.messages}
        unit.removal.suppress(sorted(silent))
        corrected = [
            one.id
            for one in standing
            if silent.intersection(one.evidence)
            and tuple(names[message] for message in one.evidence) not in self.held
        ]
        unit.memories.move(corrected, Status.REPLACED, change=unit.change())


NONE = Silence()
"""For what is no export."""


def suppress_marks(unit: Unit, added: Sequence[Logged]) -> None:
    """Let nothing be remembered of what came without words."""
    marks = [message.id for message in added if is_mark(message.hash)]
    if marks:
        unit.removal.suppress(marks)


def aligned(path: Sequence[Logged], given: Given) -> Alignment:
    """Align a log with what its client shows, which may be in the place of marks what they stand for."""
    hashes = [message.hash for message in path]
    alignment = align(hashes, given.hashes)
    known = _recognised(path, given, alignment) if any(map(is_mark, hashes)) else {}
    for place, shown in known.items():
        hashes[place] = given.hashes[shown]
    return align(hashes, given.hashes) if known else alignment


def learn(unit: Unit, path: Sequence[Logged], given: Given, alignment: Alignment) -> None:
    """Keep what the marks were recognised by, so that they are the next time wherever they are shown."""
    for step in alignment.steps:
        if step.logged is not None and step.shown is not None and is_mark(path[step.logged].hash):
            unit.log.learn(path[step.logged].id, given.hashes[step.shown])


def _recognised(path: Sequence[Logged], given: Given, alignment: Alignment) -> dict[int, int]:
    """The marks of a path, each with the place of what the client shows for it.

    Between the same neighbours, who speaks decides, and the time where both know it. Where nothing is common
    to both, only the time can tell.
    """
    pairs = [(s.logged, s.shown) for s in alignment.steps if s.logged is not None and s.shown is not None]
    found: dict[int, int] = {}
    for before, after in pairwise([(-1, -1), *pairs, (len(path), len(given.messages))]):
        places, shown = range(before[0] + 1, after[0]), range(before[1] + 1, after[1])
        if pairs and before[0] < 0:  # the beginning may be cut off: from its end on
            places, shown = places[::-1], shown[::-1]
        for one in shown:
            fits = (n for n, place in enumerate(places) if _same(path[place], given, one, near=bool(pairs)))
            at = next(fits, None)
            if at is not None:
                found[places[at]] = one
                places = places[at + 1 :]
    return found


def _same(logged: Logged, given: Given, shown: int, *, near: bool) -> bool:
    message = given.messages[shown]
    if not is_mark(logged.hash) or (logged.role, logged.speaker) != (message.role, given.speakers[shown]):
        return False
    if logged.at is None or message.at is None:
        return near
    return abs(logged.at - to_micros(message.at)) <= SAME_TIME
