"""Everything of a scope as plain lines, out and in again (K12).

A line is one JSON object: first a header, then each message of each session in order, then the memories that
the messages alone would not bring back: those written by hand or imported, and the marks on the others.
Forgotten memories, and the words that they rest on, are left out; where such words stood, a mark tells that
somebody spoke there.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.domain.instants import from_micros
from omoide.domain.layer import Layer
from omoide.domain.model import (
    Category,
    Detail,
    Kind,
    Message,
    MessageState,
    Mode,
    Origin,
    Past,
    Plan,
    PlanState,
    Role,
    Status,
)
from omoide.domain.partial_date import Precision
from omoide.errors import ImportFailed
from omoide.retain.carried import Carried, carried_lines, moment, names_of, read_line
from omoide.retain.noted import Noted
from omoide.retain.silence import Silence
from omoide.retain.told import diary_row, event_row, read_diary, read_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from omoide.domain.event import Event
    from omoide.domain.model import Memory
    from omoide.domain.records import Opened
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

FORMAT = "omoide-export/1"
"""What the header of such a file says."""

_KEPT = (Status.CONFIRMED, Status.FADED, Status.REPLACED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Export:
    """A file read back: conversations to be shown to the log, memories to be written, marks to be set.

    Attributes:
        user, character: whose scope it was.
        sessions: messages by session, in order.
        notes: memories written by hand.
        marks: for the messages that a rule-made memory rests on, by their ids in the file, its marks.
        replaced: for those of a rule-made memory that was corrected, the memory that holds in its place.
        silent: messages from which nothing may be remembered, by their ids in the file.
        carried: the relationship, feelings, nicknames, and what was read.
        events: the shared events that its memories tell of.
    """

    user: str | None
    character: str
    sessions: dict[str, list[Message]] = field(default_factory=dict)
    notes: list[Noted] = field(default_factory=list)
    marks: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)
    replaced: dict[tuple[str, ...], str] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    carried: Carried = field(default_factory=Carried)
    events: list[Event] = field(default_factory=list)

    @property
    def silence(self) -> Silence:
        """From which messages nothing may be remembered, and which memories of them hold nevertheless."""
        return Silence(messages=frozenset(self.silent), held=frozenset(self.marks))


def dump(store: Store, scope: ScopeRow, *, described: bool = True) -> Iterator[str]:
    """The lines of a scope's export; `described` is whether events come with what is for authors alone."""
    with store.read(scope) as unit:
        language, zone = unit.described()
        yield _line(format=FORMAT, user=scope.user, character=scope.character, language=language, zone=zone)
        silent, unspeakable = unit.removal.suppressed(), unit.removal.unspeakable()
        yield from _messages(unit, silent, unspeakable)
        opened = unit.memories.open(
            unit.memories.numbers(statuses=_KEPT), names=store.names(unit), sessions={}
        )
        for name in dict.fromkeys(found.memory.event for found in reversed(opened) if found.memory.event):
            event = store.events(unit.connection).find(name)
            if event is not None:
                told = event[1] if described else replace(event[1], description="")
                yield _line(event=event_row(told))
        called = {found.number: found.memory.external_id or found.memory.id for found in opened}
        for found in reversed(opened):
            if found.memory.origin is Origin.RULE:
                yield from _marks(unit, found, silent, unspeakable, called)
            elif found.memory.status is not Status.REPLACED:
                yield _memory(unit, found)
        for row in carried_lines(unit, unspeakable):
            yield _line(**row)


def load(lines: Iterable[str]) -> Export:
    """Read what `dump` wrote.

    Raises:
        ImportFailed: it is something else, or a line is broken; the message says which.
    """
    export: Export | None = None
    sessions: dict[str, list[Message]] = defaultdict(list)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if export is None:
                export = _header(row)
            elif "memory" in row:
                _read_memory(row["memory"], export)
            elif "event" in row:
                export.events.append(read_event(row["event"]))
            elif not read_line(row, export.carried):
                message = _read_message(row)
                sessions[row["session"]].append(message)
                if row.get("suppressed") and message.external_id is not None:
                    export.silent.add(message.external_id)
        except (KeyError, TypeError, ValueError) as error:
            msg = f"line {number} is no line of an Omoide export: {type(error).__name__}; export it again"
            raise ImportFailed(msg) from error
    if export is None:
        msg = "the file is empty; `omoide export` writes one that is not"
        raise ImportFailed(msg)
    export.sessions.update(sessions)
    return export


def _line(**values: object) -> str:
    return json.dumps({key: value for key, value in values.items() if value is not None}, ensure_ascii=False)


def _messages(unit: Unit, silent: set[int], unspeakable: set[int]) -> Iterator[str]:
    people = unit.people.all()
    for number, session in unit.sessions.names().items():
        path = unit.log.path(number)
        texts = unit.texts.open(message.id for message in path if message.id not in unspeakable)
        details = unit.texts.details(message.id for message in path)
        for message in path:
            speaker, told = people[message.speaker], message.id in texts
            uid, external, raw_date = details[message.id]
            yield _line(
                session=session,
                role=message.role.value,
                speaker=speaker.id,
                name=speaker.name if told and speaker.name != speaker.id else None,
                text=texts.get(message.id),
                at=None if message.at is None else from_micros(message.at, message.zone).isoformat(),
                id=uid,
                external_id=external,
                raw_date=raw_date if told else None,
                hidden=True if message.state is MessageState.HIDDEN else None,
                heard=message.heard if told else None,
                suppressed=True if message.id in silent else None,
            )


def _marks(
    unit: Unit, found: Opened, silent: set[int], unspeakable: set[int], called: Mapping[int, str]
) -> Iterator[str]:
    """What the messages alone would not tell of a memory that is made of them by rule."""
    memory = found.memory
    rests = [message for message, _, _ in unit.extracted.rests(found.number)]
    names = names_of(unit, rests)
    evidence = [names[message] for message in rests]
    if memory.status is Status.REPLACED:
        by = called.get(_holds_now(unit, found.number))
        if by is not None and unspeakable.isdisjoint(rests):
            yield _line(memory={"evidence": evidence, "replaced_by": by})
        return
    marks = [
        mark for mark, held in (("pinned", memory.pinned), ("faded", memory.status is Status.FADED)) if held
    ]
    if marks or not silent.isdisjoint(rests):
        yield _line(memory={"evidence": evidence, "marks": marks})


def _holds_now(unit: Unit, number: int) -> int:
    """What holds in the place of a memory that was corrected, perhaps again and again."""
    successor = unit.extracted.successor(number)
    return number if successor is None else _holds_now(unit, successor[0])


def _memory(unit: Unit, found: Opened) -> str:
    memory = found.memory
    values = {
        "id": memory.external_id or memory.id,
        "kind": memory.kind.value,
        "origin": memory.origin.value,
        "text": memory.text,
        "at": None if memory.at is None else memory.at.isoformat(),
        "importance": memory.importance,
        "confidence": None if memory.past else memory.confidence,
        "pinned": memory.pinned,
        "place": memory.place,
        "keys": list(memory.keys),
        "scores": unit.memories.scores(found.number),
        "past": _past(memory),
        **diary_row(memory),
        **_drawn(unit, found),
    }
    return _line(memory={key: value for key, value in values.items() if value not in (None, [], {}, False)})


def _drawn(unit: Unit, found: Opened) -> dict[str, Any]:
    """What a memory has that was drawn from talk, or planned."""
    memory, plan = found.memory, found.memory.plan
    rests = unit.extracted.rests(found.number)
    names = names_of(unit, [message for message, _, _ in rests])
    about = [one.id for one in unit.people.all().values() if one.name == memory.subject]
    return {
        "about": about[0] if about else None,
        "category": memory.category,
        "mode": None if memory.mode is Mode.ASSERTED else memory.mode,
        "valid_from": None if memory.valid_from is None else memory.valid_from.isoformat(),
        "valid_until": None if memory.valid_until is None else memory.valid_until.isoformat(),
        "plan": None
        if plan is None
        else {**asdict(plan), "due": None if plan.due is None else plan.due.isoformat()},
        "details": [asdict(detail) for detail in memory.details],
        "terms": unit.texts.drawn([found.number]).get(found.number),
        "involved": list(memory.involved),
        "told": list(memory.told),
        "confirmed": memory.confirmed if memory.confirmed > 1 else None,
        "rests": [[names[message], start, end] for message, start, end in rests if message in names],
    }


def _past(memory: Memory) -> dict[str, Any] | None:
    past = memory.past
    return None if past is None else {**asdict(past), "layer": past.layer.value}


def _header(row: dict[str, Any]) -> Export:
    if row.get("format") != FORMAT:
        msg = f"the header says {row.get('format')!r}, not {FORMAT!r}"
        raise ImportFailed(msg)
    return Export(user=row.get("user"), character=row["character"])


def _read_message(row: dict[str, Any]) -> Message:
    return Message(
        role=Role(row["role"]),
        text="" if row.get("suppressed") and "text" not in row else row["text"],
        speaker=row["speaker"],
        name=row.get("name"),
        at=None if row.get("at") is None else datetime.fromisoformat(row["at"]),
        raw_date=row.get("raw_date"),
        external_id=row.get("external_id") or row["id"],
        hidden=bool(row.get("hidden")),
        heard=row.get("heard"),
    )


def _read_memory(row: dict[str, Any], export: Export) -> None:
    if "marks" in row:
        export.marks[tuple(row["evidence"])] = frozenset(row["marks"])
        return
    if "replaced_by" in row:
        export.replaced[tuple(row["evidence"])] = row["replaced_by"]
        return
    past = row.get("past")
    export.notes.append(
        Noted(
            text=row["text"],
            kind=Kind(row["kind"]),
            origin=Origin(row["origin"]),
            at=None if row.get("at") is None else datetime.fromisoformat(row["at"]),
            importance=row["importance"],
            confidence=row.get("confidence"),
            pinned=row.get("pinned", False),
            place=row.get("place"),
            keys=tuple(row.get("keys", ())),
            scores=row.get("scores") or None,
            past=None if past is None else Past(**{**past, "layer": Layer(past["layer"])}),
            external_id=row["id"],
            about=row.get("about"),
            category=None if row.get("category") is None else Category(row["category"]),
            mode=Mode(row.get("mode", Mode.ASSERTED)),
            valid_from=moment(row.get("valid_from")),
            valid_until=moment(row.get("valid_until")),
            plan=None if row.get("plan") is None else _read_plan(row["plan"]),
            details=tuple(Detail(**detail) for detail in row.get("details", ())),
            terms=tuple(row.get("terms", ())),
            involved=tuple(row.get("involved", ())),
            told=tuple(row.get("told", ())),
            confirmed=row.get("confirmed", 1),
            rests=tuple((message, start, end) for message, start, end in row.get("rests", ())),
            **read_diary(row),
        )
    )


def _read_plan(row: dict[str, Any]) -> Plan:
    return Plan(
        who=row["who"],
        due=moment(row["due"]),
        precision=None if row["precision"] is None else Precision(row["precision"]),
        condition=row["condition"],
        state=PlanState(row["state"]),
    )
