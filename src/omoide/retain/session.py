"""Which session a conversation belongs to: the one its client names, or the one whose words it shares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TYPE_CHECKING

from omoide.domain.alignment import Alignment, Step, align, keeping_tail, replaced
from omoide.domain.exchanges import exchanges
from omoide.domain.instants import to_micros
from omoide.domain.likeness import overlap
from omoide.domain.model import MessageState, Role
from omoide.domain.records import Logged, Session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.retain.given import Given
    from omoide.stores.unit import Unit

_SAME_TIME = 600_000_000
"""Microseconds that the dates of one message may differ in two sources: ten minutes."""

_NEWEST = 12
"""Messages at a conversation's end by which its session is looked for; the last ones may be new."""

_SPREAD = 12
"""Messages all over a conversation by which its session is looked for."""

_HELD = 4
"""Sessions that are read whole to find the one that a conversation continues."""

_EDITED = 0.4
"""How much an edited message shares with what it was (see `overlap`)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """A session, what it shows, and how the conversation departs from that.

    A branch is a session just begun: the path is another session's, whose messages it shares.
    """

    session: Session
    name: str
    path: Sequence[Logged]
    alignment: Alignment
    branch: bool = False

    @classmethod
    def of(cls, session: Session, name: str, path: Sequence[Logged], hashes: Sequence[bytes]) -> Match:
        """Hold a conversation against a session that is in the log already.

        A greeting that nobody has answered yet may be changed for another one.
        """
        alignment = align([message.hash for message in path], hashes)
        if not alignment.matched and all(message.role is not Role.USER for message in path):
            alignment = replaced(len(path), len(hashes))
        return cls(session=session, name=name, path=path, alignment=alignment)


def named_session(unit: Unit, name: str, given: Given) -> Match:
    """The session of this name; where it is new, what it shares with one that it branched off is shared."""
    found = unit.sessions.find(name)
    if found is not None:
        return Match.of(found, name, unit.log.path(found.id), given.hashes)
    return _new_session(unit, name, given)


def file_session(unit: Unit, name: str, given: Given) -> Match:
    """The session that a file holds: it may be an older copy, or another conversation of the same name.

    A file takes back nothing that the log has after its end. One that would take back more than it shares is
    another conversation, and becomes a session of its own.
    """
    for own in chain([name], (f"{name} ({number})" for number in count(2))):
        found = unit.sessions.find(own)
        if found is None:
            return _new_session(unit, own, given)
        match = Match.of(found, own, unit.log.path(found.id), given.hashes)
        alignment = keeping_tail(match.alignment)
        if len(alignment.withdrawn) <= alignment.matched:
            return replace(match, alignment=alignment)
    raise AssertionError(name)  # the names never end


def _new_session(unit: Unit, name: str, given: Given) -> Match:
    best = _best(unit, given.hashes)
    if best is not None:
        number, path, alignment = best
        common = [step for step in alignment.steps if step.logged is not None and step.shown is not None]
        if _one_conversation(path, given, common):
            session = unit.sessions.start(name, parent=number)
            steps = tuple(step for step in alignment.steps if step.shown is not None)
            kept = replace(alignment, steps=steps)
            return Match(session=session, name=name, path=path, alignment=kept, branch=True)
    return _fresh(unit, given.hashes, name, named=True)


def unnamed_session(unit: Unit, given: Given, *, new_name: str) -> Match:
    """Find the session that a conversation without a name continues; begin one where there is none.

    Only a session's newest exchange may be replaced. A conversation that departs earlier is a branch, and so
    is one that has nothing but a greeting in common.
    """
    best = _best(unit, given.hashes)
    if best is None:
        return _fresh(unit, given.hashes, new_name, named=False)
    number, path, alignment = best
    if alignment.departs is None or (
        _newest_only(path, alignment) and not _begins_anew(unit, given, path, alignment)
    ):
        session = Session(id=number, named=False)
        return Match(session=session, name=unit.sessions.name(number), path=path, alignment=alignment)
    session = unit.sessions.start(new_name, named=False, parent=number)
    return Match(session=session, name=new_name, path=path, alignment=alignment, branch=True)


def _fresh(unit: Unit, hashes: Sequence[bytes], name: str, *, named: bool) -> Match:
    return Match.of(unit.sessions.start(name, named=named), name, [], hashes)


def _best(unit: Unit, hashes: Sequence[bytes]) -> tuple[int, list[Logged], Alignment] | None:
    spread = hashes[:: max(1, len(hashes) // _SPREAD)]
    looked_for = dict.fromkeys((*hashes[:2], *spread, *hashes[-_NEWEST:]))
    held = []
    for number in unit.sessions.with_most_of(looked_for, limit=_HELD):
        path = unit.log.path(number)
        alignment = align([message.hash for message in path], hashes)
        if alignment.matched:
            held.append((alignment.matched, alignment.departs is None, number, path, alignment))
    if not held:
        return None
    _, _, number, path, alignment = max(held, key=lambda found: found[:3])
    return number, path, alignment


def _newest_only(path: Sequence[Logged], alignment: Alignment) -> bool:
    """Whether the conversation is the session's own, but for its newest exchange.

    One message in common is too little to replace what is settled: many a chat begins with the same words.
    """
    spans = exchanges(path)
    if not spans or alignment.departs is None or alignment.departs < spans[-1].start:
        return False
    if any(message.state is MessageState.PROVISIONAL for message in path[spans[-1].start :]):
        return True
    before = path[: alignment.departs]
    return alignment.matched > 1 and any(message.role is Role.USER for message in before)


def _begins_anew(unit: Unit, given: Given, path: Sequence[Logged], alignment: Alignment) -> bool:
    """Whether another talk begins behind the same greeting, and no edit of its first message is shown.

    An edit shares words with what was said, and what nobody answered is nothing that a talk would leave.
    """
    kept = (path[step.logged] for step in alignment.steps if step.logged is not None)
    gone = [path[place] for place in alignment.withdrawn]
    if any(message.role is Role.USER for message in kept) or all(one.role is Role.USER for one in gone):
        return False
    words = unit.texts.open(message.id for message in gone if message.role is Role.USER)
    new = {step.shown for step in alignment.steps if step.logged is None}
    shown = [message for place, message in enumerate(given.messages) if place in new]
    said = "\n".join(message.text for message in shown if message.role is Role.USER)
    return bool(words and said) and overlap("\n".join(words.values()), said) < _EDITED


def _one_conversation(path: Sequence[Logged], given: Given, common: Sequence[Step]) -> bool:
    """Whether what two sources share is the same talk, and not the same greeting on another day."""
    if not any(path[step.logged].role is Role.USER for step in common if step.logged is not None):
        return False
    apart = [
        abs(at - to_micros(date))
        for step in common
        if step.logged is not None
        and step.shown is not None
        and (at := path[step.logged].at) is not None
        and (date := given.messages[step.shown].at) is not None
    ]
    return not apart or sorted(apart)[len(apart) // 2] <= _SAME_TIME
