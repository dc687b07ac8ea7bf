"""Which session a conversation belongs to: the one its client names, or the one whose words it shares."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TYPE_CHECKING

from omoide.domain.alignment import Alignment, Step, front_replaced, keeping_tail, replaced
from omoide.domain.exchanges import exchanges
from omoide.domain.instants import SAME_TIME, to_micros
from omoide.domain.likeness import overlap
from omoide.domain.model import MessageState, Role
from omoide.domain.records import Logged, Session
from omoide.retain.silence import aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.model import Message
    from omoide.retain.given import Given
    from omoide.stores.unit import Unit

_NEWEST = 12
"""Messages at a conversation's end by which its session is looked for; the last ones may be new."""

_SPREAD = 12
"""Messages all over a conversation by which its session is looked for."""

_HELD = 4
"""Sessions that are read whole to find the one that a conversation continues."""

_EDITED = 0.4
"""How much an edited message shares with what it was (see `overlap`)."""

_BRACKETS = ("[", "<")
"""How programs begin what they put in by themselves, such as a summary."""


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
    def of(cls, unit: Unit, session: Session, name: str, given: Given, *, live: bool = True) -> Match:
        """Hold a conversation against the session of its name.

        A greeting that nobody has answered yet may be changed for another one.
        """
        path = unit.log.path(session.id)
        alignment = _aligned(unit, path, given, certain=live)
        if not alignment.matched and all(message.role is not Role.USER for message in path):
            alignment = replaced(len(path), len(given.hashes))
        return cls(session=session, name=name, path=path, alignment=alignment)


def named_session(unit: Unit, name: str, given: Given) -> Match:
    """The session of this name; where it is new, what it shares with one that it branched off is shared."""
    found = unit.sessions.find(name)
    if found is not None:
        return Match.of(unit, found, name, given)
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
        match = Match.of(unit, found, own, given, live=False)
        alignment = keeping_tail(match.alignment)
        if len(alignment.withdrawn) <= alignment.matched:
            return replace(match, alignment=alignment)
    raise AssertionError(name)  # the names never end


def _new_session(unit: Unit, name: str, given: Given) -> Match:
    best = _best(unit, given)
    if best is not None:
        number, path, alignment = best
        common = [step for step in alignment.steps if step.logged is not None and step.shown is not None]
        if _one_conversation(path, given, common):
            session = unit.sessions.start(name, parent=number)
            steps = tuple(step for step in alignment.steps if step.shown is not None)
            kept = replace(alignment, steps=steps)
            return Match(session=session, name=name, path=path, alignment=kept, branch=True)
    return _fresh(unit, given, name, named=True)


def unnamed_session(unit: Unit, given: Given, *, new_name: str) -> Match:
    """Find the session that a conversation without a name continues; begin one where there is none.

    Only a session's newest exchange may be replaced. A conversation that departs earlier is a branch, and so
    is one that only begins with the same words.
    """
    best = _best(unit, given)
    if best is None:
        return _fresh(unit, given, new_name, named=False)
    number, path, alignment = best
    if alignment.departs is None or (
        _newest_only(path, alignment) and not _begins_anew(unit, given, path, alignment)
    ):
        session = Session(id=number, named=False)
        return Match(session=session, name=unit.sessions.name(number), path=path, alignment=alignment)
    session = unit.sessions.start(new_name, named=False, parent=number)
    return Match(session=session, name=new_name, path=path, alignment=alignment, branch=True)


def _fresh(unit: Unit, given: Given, name: str, *, named: bool) -> Match:
    return Match.of(unit, unit.sessions.start(name, named=named), name, given)


def _best(unit: Unit, given: Given) -> tuple[int, list[Logged], Alignment] | None:
    hashes = given.hashes
    spread = hashes[:: max(1, len(hashes) // _SPREAD)]
    looked_for = dict.fromkeys((*hashes[:2], *spread, *hashes[-_NEWEST:]))
    held = []
    for number in unit.sessions.with_most_of(looked_for, limit=_HELD):
        path = unit.log.path(number)
        alignment = _aligned(unit, path, given)
        if alignment.matched:
            held.append((alignment.matched, alignment.departs is None, number, path, alignment))
    if not held:
        return None
    _, _, number, path, alignment = max(held, key=lambda found: found[:3])
    return number, path, alignment


def _aligned(unit: Unit, path: Sequence[Logged], given: Given, *, certain: bool = False) -> Alignment:
    """How a conversation departs from a log.

    What stands unknown behind a cut is an edit of what the log has there, if the same roles say words like
    those; in a session that is certain, any words but a program's own, in brackets.
    """
    alignment = aligned(path, given)
    front = alignment.front
    old, new = path[front.start : front.stop], given.messages[: len(front)]
    if not 0 < len(front) <= alignment.matched or [one.role for one in old] != [one.role for one in new]:
        return alignment
    edited = (certain and not any(one.text.lstrip().startswith(_BRACKETS) for one in new)) or _alike(
        unit, old, new
    )
    return front_replaced(alignment) if edited else alignment


def _newest_only(path: Sequence[Logged], alignment: Alignment) -> bool:
    """Whether the conversation is the session's own, but for its newest exchange.

    One exchange in common is the least to replace what is settled: many a chat begins with the same words.
    """
    spans = exchanges(path)
    if not spans or alignment.departs is None or alignment.departs < spans[-1].start:
        return False
    if any(message.state is MessageState.PROVISIONAL for message in path[spans[-1].start :]):
        return True
    return alignment.matched > 1 and len(spans) > 1


def _begins_anew(unit: Unit, given: Given, path: Sequence[Logged], alignment: Alignment) -> bool:
    """Whether another talk begins with the same words, and no edit of the newest exchange is shown.

    An edit shares words with what was said. While that may still be taken back, it need not, where more than
    a first exchange is in common, or nobody has answered yet.
    """
    gone = [path[place] for place in alignment.withdrawn]
    if not any(message.role is Role.USER for message in gone):
        return False
    common = [
        path[step.logged] for step in alignment.steps if step.logged is not None and step.shown is not None
    ]
    if all(message.state is MessageState.PROVISIONAL for message in gone) and (
        sum(message.role is Role.USER for message in common) > 1
        or all(message.role is Role.USER for message in gone)
    ):
        return False
    new = {step.shown for step in alignment.steps if step.logged is None}
    return not _alike(unit, gone, [one for place, one in enumerate(given.messages) if place in new])


def _alike(unit: Unit, old: Sequence[Logged], new: Sequence[Message]) -> bool:
    """Whether words are an edit of others: by what people said, or by the replies where they said nothing."""
    role = Role.USER if any(message.role is Role.USER for message in old) else Role.CHARACTER
    words = unit.texts.open(message.id for message in old if message.role is role)
    said = [message.text for message in new if message.role is role]
    return overlap("\n".join(words.values()), "\n".join(said)) >= _EDITED


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
    return not apart or sorted(apart)[len(apart) // 2] <= SAME_TIME
