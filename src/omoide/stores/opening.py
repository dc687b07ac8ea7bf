"""Memories with their words: bodies unsealed, and quotes cut from the messages that they rest on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import bindparam, select

from omoide.domain.instants import from_micros
from omoide.domain.layer import Layer
from omoide.domain.model import Category, Detail, Kind, Memory, Mode, Origin, Past, Plan, Quote, Role, Status
from omoide.domain.partial_date import PartialDate
from omoide.domain.records import Opened
from omoide.errors import Tampered
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.observations import Observations
from omoide.stores.plans import Plans
from omoide.stores.scopes import ScopeRow, uid_text
from omoide.stores.tables import evidence, memories, memory_people, messages, scores, told

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import BindParameter, Connection

    from omoide.domain.observation import Observation

# Built once: to build a statement costs more than to run it.
_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_MEMORIES = Fixed(
    select(
        memories.c.id,
        memories.c.uid,
        memories.c.kind,
        memories.c.origin,
        memories.c.status,
        memories.c.session_id,
        memories.c.importance,
        memories.c.confidence,
        memories.c.confirmed,
        memories.c.pinned,
        memories.c.at,
        memories.c.zone,
        memories.c.recorded_at,
        memories.c.body_sealed,
        memories.c.layer,
        memories.c.age,
        memories.c.absolute_day,
        memories.c.subject_id,
        memories.c.mode,
        memories.c.valid_from,
        memories.c.valid_until,
        memories.c.day_precision,
    ).where(memories.c.id.in_(_NUMBERS))
)
_QUOTES = Fixed(
    select(
        evidence.c.memory_id,
        evidence.c.start,
        evidence.c.end,
        messages.c.id,
        messages.c.uid,
        messages.c.speaker_id,
        messages.c.role,
        messages.c.text_sealed,
        messages.c.at,
        messages.c.zone,
    )
    .join(messages, messages.c.id == evidence.c.message_id)
    .where(evidence.c.memory_id.in_(_NUMBERS))
    .order_by(evidence.c.memory_id, evidence.c.place)
)


# A look-up here costs a tenth of what calling an enumeration does.
_KINDS = {str(kind): kind for kind in Kind}
_ORIGINS = {str(origin): origin for origin in Origin}
_STATUSES = {str(status): status for status in Status}
_ROLES = {str(role): role for role in Role}
_MODES = {str(mode): mode for mode in Mode}
_LAYERS = {str(layer): layer for layer in Layer}
_DECODED = json.JSONDecoder().raw_decode  # half of what `json.loads` costs, for text that is ours


_INVOLVED = Fixed(
    select(memory_people.c.memory_id, memory_people.c.person_id)
    .where(memory_people.c.memory_id.in_(_NUMBERS))
    .order_by(memory_people.c.memory_id, memory_people.c.person_id)
)
_TOLD = Fixed(
    select(told.c.memory_id, told.c.person_id)
    .where(told.c.memory_id.in_(_NUMBERS))
    .order_by(told.c.memory_id, told.c.person_id)
)
_SCORES = Fixed(
    select(scores.c.memory_id, scores.c.name, scores.c.value)
    .where(scores.c.memory_id.in_(_NUMBERS))
    .order_by(scores.c.memory_id, scores.c.name)
)


class _Row(NamedTuple):
    """A memory as `_MEMORIES` reads it."""

    id: int
    uid: bytes
    kind: str
    origin: str
    status: str
    session: int | None
    importance: float
    confidence: float | None
    confirmed: int
    pinned: int
    at: int | None
    zone: str | None
    recorded_at: int
    body: bytes | None
    layer: str | None
    age: float | None
    absolute_day: int | None
    subject: int | None
    mode: str
    valid_from: int | None
    valid_until: int | None
    day_precision: str | None


class _Beside(NamedTuple):
    """What only some kinds of memory have, by memory: plans, people by name, and what a diary tells."""

    plans: Mapping[int, Plan]
    involved: Mapping[int, tuple[str, ...]]
    told: Mapping[int, tuple[str, ...]]
    scores: Mapping[int, Mapping[str, float]]
    observations: Mapping[int, tuple[Observation, ...]]


class Opening:
    """Opens memories of one scope, within one transaction.

    Args:
        connection: where they are read.
        scope: whose they are.
        names: the name of each person of the scope.
        sessions: the name of each session; one that is missing is left open.
        shut: where to note the memories whose words cannot be opened, which are left out then (P17).
    """

    def __init__(
        self,
        connection: Connection,
        scope: ScopeRow,
        *,
        names: Mapping[int, str],
        sessions: Mapping[int, str],
        shut: set[int] | None,
    ) -> None:
        self._connection = connection
        self._scope = scope
        self._names = names
        self._sessions = sessions
        self._shut = shut

    def memories(self, numbers: Sequence[int]) -> list[Opened]:
        """The memories in the order asked for, without those that are gone.

        Raises:
            Tampered: words cannot be opened, and `shut` is None.
        """
        quotes = self._quotes(numbers)
        found: dict[int, Opened] = {}
        for chunk in chunks(numbers):
            rows = [_Row._make(row) for row in _MEMORIES.run(self._connection, {"numbers": list(chunk)})]
            beside = self._beside(rows)
            for row in rows:
                said = quotes.get(row.id, [])
                try:
                    memory = self._memory(row, said, beside)
                except Tampered:
                    if self._shut is None:
                        raise
                    self._shut.add(row.id)
                    continue
                found[row.id] = Opened(row.id, memory, tuple([number for number, _ in said]))
        shut = self._shut or ()
        return [found[number] for number in numbers if number in found and number not in shut]

    def _beside(self, rows: Sequence[_Row]) -> _Beside:
        """What only some kinds of memory have; nothing is read for those that have none of it."""
        planned = [row.id for row in rows if row.kind == Kind.PLAN]
        others = [row.id for row in rows if row.kind not in _ALONE]
        diaries = [row.id for row in rows if row.kind == Kind.DIARY]
        seen = Observations(self._connection, self._scope)
        return _Beside(
            plans=Plans(self._connection, self._scope).of(planned, names=self._names) if planned else {},
            involved=self._people(_INVOLVED, others),
            told=self._people(_TOLD, [row.id for row in rows if row.kind == Kind.STATEMENT]),
            scores=self._scores(diaries),
            observations=seen.of(diaries, names=self._names) if diaries else {},
        )

    def _scores(self, numbers: Sequence[int]) -> dict[int, dict[str, float]]:
        found: dict[int, dict[str, float]] = {}
        for number, name, value in _SCORES.run(self._connection, {"numbers": numbers}) if numbers else ():
            found.setdefault(number, {})[name] = value
        return found

    def _people(self, query: Fixed, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        for memory, person in query.run(self._connection, {"numbers": list(numbers)}) if numbers else ():
            if person in self._names:
                found[memory] = (*found.get(memory, ()), self._names[person])
        return found

    def _memory(self, row: _Row, said: Sequence[tuple[int, Quote]], beside: _Beside) -> Memory:
        quotes = tuple([quote for _, quote in said])
        body: dict[str, Any] = {}
        if row.body is not None:
            body, _ = _DECODED(self._scope.sealer.open_text(row.body, row=row.uid))
        text = body.get("text")
        is_diary = row.kind == Kind.DIARY
        diary = body if is_diary else {}
        return Memory(
            id=uid_text(row.uid),
            kind=_KINDS[row.kind],
            origin=_ORIGINS[row.origin],
            status=_STATUSES[row.status],
            text="\n".join([f"{quote.speaker}: {quote.quote}" for quote in quotes]) if text is None else text,
            at=None if row.at is None else from_micros(row.at, row.zone),
            importance=row.importance,
            recorded_at=from_micros(row.recorded_at),
            evidence=quotes,
            confidence=row.confidence,
            confirmed=row.confirmed,
            pinned=bool(row.pinned),
            session=None if row.session is None else self._sessions.get(row.session),
            place=body.get("place"),
            past=_past(row, body),
            keys=tuple(body.get("keys", ())),
            external_id=body.get("external_id"),
            subject=None if row.subject is None else self._names.get(row.subject),
            mode=_MODES[row.mode],
            category=Category(body["category"]) if "category" in body else None,
            valid_from=None if row.valid_from is None else from_micros(row.valid_from, row.zone),
            valid_until=None if row.valid_until is None else from_micros(row.valid_until, row.zone),
            plan=beside.plans.get(row.id),
            details=_details(body.get("details", ()), said),
            involved=beside.involved.get(row.id, ()),
            told=beside.told.get(row.id, ()),
            day=_day(row) if is_diary else None,
            emotion=diary.get("emotion"),
            action=diary.get("action"),
            thought=diary.get("thought"),
            scores=beside.scores.get(row.id, {}),
            event=diary.get("event"),
            observations=beside.observations.get(row.id, ()),
            derived=tuple(diary.get("derived", ())),
        )

    def _quotes(self, numbers: Sequence[int]) -> dict[int, list[tuple[int, Quote]]]:
        opened, names = self._scope.sealer.open_text, self._names
        found: dict[int, list[tuple[int, Quote]]] = {}
        for chunk in chunks(numbers):
            for memory, start, end, number, uid, speaker, role, sealed, at, zone in _QUOTES.run(
                self._connection, {"numbers": list(chunk)}
            ):
                if sealed is None or end == start:
                    continue
                try:
                    words = opened(sealed, row=uid)[start:end]
                except Tampered:
                    if self._shut is None:
                        raise
                    self._shut.add(memory)
                    continue
                quote = Quote(
                    message=uid_text(uid),
                    speaker=names.get(speaker, ""),
                    role=_ROLES[role],
                    quote=words,
                    at=None if at is None else from_micros(at, zone),
                )
                found.setdefault(memory, []).append((number, quote))
        return found


_ALONE = (Kind.EPISODE, Kind.WORLD)
"""Kinds that involve nobody beyond those who speak in them."""


def _day(row: _Row) -> PartialDate | None:
    if row.at is None or row.day_precision is None:
        return None
    return PartialDate.read(row.at, row.day_precision)


def _details(kept: Sequence[Sequence[Any]], said: Sequence[tuple[int, Quote]]) -> tuple[Detail, ...]:
    """Details with their words, those of quotes from the log; one whose words are gone is left out."""
    found = []
    for who, text, context, message, nth in kept:
        if message is None:
            found.append(Detail(kind="action", who=who, text=text, context=context))
            continue
        quotes = [quote for number, quote in said if number == message]
        if nth < len(quotes):
            quote = quotes[nth]
            found.append(Detail(kind="quote", who=quote.speaker or who, text=quote.quote, context=context))
    return tuple(found)


def _past(row: _Row, body: Mapping[str, Any]) -> Past | None:
    if row.layer is None or row.confidence is None:
        return None
    return Past(
        layer=_LAYERS[row.layer],
        confidence=row.confidence,
        source=body.get("source"),
        heard_when=body.get("heard_when"),
        basis=body.get("basis"),
        age=row.age,
        absolute_day=row.absolute_day,
    )
