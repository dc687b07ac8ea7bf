"""A session's log brought in line with the conversation as its client now shows it (design section 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from omoide.domain.exchanges import exchanges
from omoide.domain.instants import from_micros, to_micros
from omoide.domain.model import MessageState, Role
from omoide.domain.records import Entry, Logged
from omoide.retain.given import note_felt
from omoide.retain.place import place_all
from omoide.retain.silence import learn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from omoide.domain.alignment import Step
    from omoide.domain.model import Message
    from omoide.retain.given import Given
    from omoide.retain.session import Match
    from omoide.stores.unit import Unit

_Placed = Logged | Entry


@dataclass(frozen=True, kw_only=True, slots=True)
class Brought:
    """What bringing a session in line did to its log.

    Attributes:
        added: messages that are new or back again, in order.
        gone: what the session shows no longer.
        withdrawn: how many of those no session shows any more.
        settled: what is settled now and was not.
        felt: messages at which a feeling is known now that was not.
        stretch: what the session shows now, from the exchange on that the first change touches.
    """

    added: list[Logged]
    gone: list[Logged]
    withdrawn: int
    settled: list[Logged]
    felt: list[int]
    stretch: list[Logged]


def bring(unit: Unit, match: Match, given: Given, *, live: bool, zone: tzinfo) -> Brought:
    """Write what is new, withdraw what is gone, and settle all but the newest exchange.

    Args:
        unit: the transaction.
        match: the session and how the conversation departs from it.
        given: the conversation.
        live: whether the newest exchange may still be swiped, and what is undated was said just now.
        zone: the zone of messages that tell none.
    """
    learn(unit, match.path, given, match.alignment)
    gone = [] if match.branch else [match.path[place] for place in match.alignment.withdrawn]
    withdrawn = unit.log.withdraw(match.session.id, [message.id for message in gone])
    written = _write(unit, match, _Weaver(unit, match, given, live=live, zone=zone).placed())
    spans = exchanges(written)
    open_from = spans[-1].start if spans and live else len(written)
    path = _mark(unit, match, given, written, open_from=open_from)
    shown = zip(match.alignment.steps, path, strict=True)
    felt = note_felt(unit, ((given.messages[s.shown], one) for s, one in shown if s.shown is not None))
    before = {message.id: message for message in match.path}
    return Brought(
        added=[message for message in path if message.id not in before],
        gone=gone,
        withdrawn=len(withdrawn),
        settled=[message for message in path if _settles(before.get(message.id), message)],
        felt=felt,
        stretch=path[_stretch(match, path, gone, spans) :],
    )


def _settles(before: Logged | None, now: Logged) -> bool:
    was_open = before is None or before.state is MessageState.PROVISIONAL
    return was_open and now.state is not MessageState.PROVISIONAL


def _stretch(match: Match, path: Sequence[Logged], gone: Sequence[Logged], spans: Sequence[range]) -> int:
    """The place of the exchange that the first change touches: the one that holds the message before it."""
    if match.branch:
        return 0
    before = {message.id: message.state for message in match.path}
    changed = (place for place, message in enumerate(path) if before.get(message.id) is not message.state)
    first = next(changed, len(path))
    if gone:
        later = (place for place, message in enumerate(path) if message.position > gone[0].position)
        first = min(first, next(later, len(path)))
    # A piece that begins with a character's words is none without those before it.
    starts = (span.start for span in spans if path[span.start].role is Role.USER)
    return max((start for start in starts if start < first), default=0)


class _Weaver:
    """Gives each message of the conversation its place: known ones keep theirs, others stand between them."""

    def __init__(self, unit: Unit, match: Match, given: Given, *, live: bool, zone: tzinfo) -> None:
        self._now = unit.now
        self._match = match
        self._given = given
        self._live = live
        self._zone = zone
        new = {
            given.hashes[s.shown] for s in match.alignment.steps if s.logged is None and s.shown is not None
        }
        self._absent = unit.log.absent(match.session.id, new) if match.path else {}

    def placed(self) -> list[_Placed]:
        """All messages in order, at rising positions."""
        steps = self._match.alignment.steps
        runs = [list(run) for _, run in groupby(steps, key=lambda step: step.logged is None)]
        placed: list[_Placed] = []
        for number, run in enumerate(runs):
            after = placed[-1].position if placed else None
            if run[0].logged is None:
                following = runs[number + 1][0].logged if number + 1 < len(runs) else None
                before = None if following is None else self._match.path[following].position
                placed += self._run(run, after=after, before=before)
            else:
                placed += self._kept(run, after=after)
        return placed

    def _kept(self, run: Sequence[Step], *, after: int | None) -> list[Logged]:
        """Known messages; where those before them left no room, they stand a little later."""
        kept = [self._match.path[step.logged or 0] for step in run]
        if after is None or kept[0].position > after:
            return kept
        moved = []
        for message in kept:
            after = max(message.position, after + 1)
            moved.append(message if message.position == after else replace(message, position=after))
        return moved

    def _run(self, run: Sequence[Step], *, after: int | None, before: int | None) -> list[_Placed]:
        """Messages that the session did not show: those that stood here once come back, others are new."""
        placed: list[_Placed] = []
        waiting: list[Step] = []
        for step in run:
            known = self._known(step, after=after, before=before)
            if known is None:
                waiting.append(step)
                continue
            placed += self._new(waiting, after=after, before=known.position)
            placed.append(known)
            waiting, after = [], known.position
        return placed + self._new(waiting, after=after, before=before)

    def _known(self, step: Step, *, after: int | None, before: int | None) -> Logged | None:
        candidates = self._absent.get(self._given.hashes[step.shown or 0], [])
        for message in candidates:
            low = after is None or message.position > after
            if low and (before is None or message.position < before):
                candidates.remove(message)
                return message
        return None

    def _new(self, run: Sequence[Step], *, after: int | None, before: int | None) -> list[_Placed]:
        messages = [self._dated(step, last=before is None) for step in run]
        dates = [self._date(step, message, before) for step, message in zip(run, messages, strict=True)]
        places = place_all(dates, after=after, before=before, now=self._now)
        return [
            Entry(
                message=message,
                speaker=self._given.speakers[step.shown or 0],
                position=place,
                hash=self._given.hashes[step.shown or 0],
                state=MessageState.PROVISIONAL,
                variant=0 if step.replaces is None else self._match.path[step.replaces].variant + 1,
            )
            for step, message, place in zip(run, messages, places, strict=True)
        ]

    def _date(self, step: Step, message: Message, before: int | None) -> int | None:
        """What the position follows: in the middle, the place of what is replaced."""
        if before is not None and step.replaces is not None:
            return self._match.path[step.replaces].position
        return None if message.at is None else to_micros(message.at)

    def _dated(self, step: Step, *, last: bool) -> Message:
        """An edit keeps the date of what it replaces; what continues a live session is said now."""
        shown = step.shown or 0
        message = self._given.messages[shown]
        if message.at is not None:
            return message
        if not last and step.replaces is not None:
            old = self._match.path[step.replaces]
            return message if old.at is None else replace(message, at=from_micros(old.at, old.zone))
        newest = bool(self._match.path) or shown >= len(self._given.messages) - 2
        if self._live and last and newest and message.raw_date is None:
            return replace(message, at=from_micros(self._now).astimezone(self._zone))
        return message


def _write(unit: Unit, match: Match, placed: Sequence[_Placed]) -> list[Logged]:
    """Let the session show all messages at their places; returns what it shows then."""
    session = match.session.id
    before = {} if match.branch else {message.id: message.position for message in match.path}
    known = [one for one in placed if isinstance(one, Logged)]
    unit.log.show(session, [message for message in known if message.id not in before])
    unit.log.move(session, [m for m in known if before.get(m.id, m.position) != m.position])
    new = iter(unit.log.add(session, [one for one in placed if isinstance(one, Entry)]))
    return [one if isinstance(one, Logged) else next(new) for one in placed]


def _mark(unit: Unit, match: Match, given: Given, path: Sequence[Logged], *, open_from: int) -> list[Logged]:
    """Settle all but the newest exchange, and hide what the client hides."""
    marked: list[Logged] = []
    changed: dict[MessageState, list[int]] = {}
    for place, (step, message) in enumerate(zip(match.alignment.steps, path, strict=True)):
        hidden = None if step.shown is None else given.messages[step.shown].hidden
        state = _state(message, newest=place >= open_from, hidden=hidden)
        if state is not message.state:
            changed.setdefault(state, []).append(message.id)
        marked.append(message if state is message.state else replace(message, state=state))
    for state, numbers in changed.items():
        unit.log.set_state(numbers, state)
    return marked


def _state(message: Logged, *, newest: bool, hidden: bool | None) -> MessageState:
    """The state of a message; whether what the client shows no longer is hidden stays as it was."""
    if newest and message.state in (MessageState.PROVISIONAL, MessageState.WITHDRAWN):
        return MessageState.PROVISIONAL
    if hidden or (hidden is None and message.state is MessageState.HIDDEN):
        return MessageState.HIDDEN
    return MessageState.SETTLED
