"""Which session a conversation belongs to, and what of the log it shares (ruling 1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omoide.domain.alignment import Alignment, Step, align
from omoide.domain.exchanges import Spoken, exchanges
from omoide.domain.instants import from_micros, to_micros
from omoide.domain.model import MessageState, Role
from omoide.domain.records import Entry, Logged, Session
from omoide.retain.place import next_position

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from omoide.domain.model import Message
    from omoide.stores.store import Unit

_SAME_TIME = 600_000_000
"""Microseconds that the dates of one message may differ in two sources: ten minutes."""


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
        """Hold a conversation against a session that is in the log already."""
        alignment = align([message.hash for message in path], hashes)
        return cls(session=session, name=name, path=path, alignment=alignment)

    def entries(
        self,
        shown: Sequence[Message],
        *,
        speakers: Sequence[int],
        hashes: Sequence[bytes],
        now: int,
        zone: tzinfo,
    ) -> list[Entry]:
        """What is new, each at its place: where the message stood that it replaces, or after the one before."""
        entries: list[Entry] = []
        last: int | None = None
        for step in self.alignment.steps:
            if step.logged is not None:
                last = self.path[step.logged].position
            elif step.shown is not None:
                message = self._dated(shown, step.shown, now=now, zone=zone)
                old = None if step.replaces is None else self.path[step.replaces]
                last = next_position(message, after=last, now=now) if old is None else old.position
                entries.append(
                    Entry(
                        message=message,
                        speaker=speakers[step.shown],
                        position=last,
                        hash=hashes[step.shown],
                        state=MessageState.PROVISIONAL,
                        variant=0 if old is None else old.variant + 1,
                    )
                )
        return entries

    def _dated(self, shown: Sequence[Message], place: int, *, now: int, zone: tzinfo) -> Message:
        """What continues a known session without a date is said now; older talk keeps its unknown date."""
        message = shown[place]
        live = message.raw_date is None and (bool(self.path) or place >= len(shown) - 2)
        if message.at is None and live:
            return replace(message, at=from_micros(now).astimezone(zone))
        return message


def unnamed_session(unit: Unit, hashes: Sequence[bytes], *, new_name: str) -> Match:
    """Find the session that a conversation without a name continues; begin one where there is none.

    Only a session's newest exchange may be replaced. A conversation that departs earlier is a branch.
    """
    best = _best(unit, hashes)
    if best is None:
        return _fresh(unit, hashes, new_name, named=False)
    number, path, alignment = best
    name = unit.log.session_names()[number]
    if alignment.departs is None or _newest_only(path, alignment):
        return Match(session=Session(id=number, named=False), name=name, path=path, alignment=alignment)
    session = unit.log.start(new_name, named=False, parent=number)
    return Match(session=session, name=new_name, path=path, alignment=alignment, branch=True)


def shared_session(unit: Unit, name: str, shown: Sequence[Message], hashes: Sequence[bytes]) -> Match:
    """Begin a named session; what it shares with another, such as the one it branched off, is shared."""
    best = _best(unit, hashes)
    if best is not None:
        number, path, alignment = best
        common = [step for step in alignment.steps if step.logged is not None and step.shown is not None]
        if _one_conversation(path, shown, common):
            session = unit.log.start(name, parent=number)
            steps = tuple(step for step in alignment.steps if step.shown is not None)
            kept = replace(alignment, steps=steps)
            return Match(session=session, name=name, path=path, alignment=kept, branch=True)
    return _fresh(unit, hashes, name, named=True)


def _fresh(unit: Unit, hashes: Sequence[bytes], name: str, *, named: bool) -> Match:
    return Match.of(unit.log.start(name, named=named), name, [], hashes)


def _best(unit: Unit, hashes: Sequence[bytes]) -> tuple[int, list[Logged], Alignment] | None:
    candidates: dict[int, None] = {}
    for content in (*hashes[:2], *hashes[-3:]):
        candidates.update(dict.fromkeys(unit.log.sessions_with(content)))
    held = []
    for number in candidates:
        path = unit.log.path(number)
        alignment = align([message.hash for message in path], hashes)
        if alignment.matched:
            held.append((alignment.departs is None, alignment.matched, number, path, alignment))
    if not held:
        return None
    _, _, number, path, alignment = max(held, key=lambda found: found[:3])
    return number, path, alignment


def _newest_only(path: Sequence[Logged], alignment: Alignment) -> bool:
    spans = exchanges([Spoken(speaker=message.speaker, role=message.role) for message in path])
    if not spans or alignment.departs is None or alignment.departs < spans[-1].start:
        return False
    before = path[: alignment.departs]
    provisional = any(message.state is MessageState.PROVISIONAL for message in path[spans[-1].start :])
    return provisional or any(message.role is Role.USER for message in before)


def _one_conversation(path: Sequence[Logged], shown: Sequence[Message], common: Sequence[Step]) -> bool:
    """Whether what two sources share is the same talk, and not the same greeting on another day."""
    if not any(path[step.logged].role is Role.USER for step in common if step.logged is not None):
        return False
    apart = [
        abs(at - to_micros(date))
        for step in common
        if step.logged is not None
        and step.shown is not None
        and (at := path[step.logged].at) is not None
        and (date := shown[step.shown].at) is not None
    ]
    return not apart or sorted(apart)[len(apart) // 2] <= _SAME_TIME
