"""Reading what one extraction looks at: the window's messages, its people, and what is known and near."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC
from typing import TYPE_CHECKING, get_args

import numpy as np

from omoide.domain.due import Due
from omoide.domain.instants import NO_TIME, from_micros, zone_of
from omoide.domain.model import Kind, MessageState, Origin, Role
from omoide.domain.text import Language, fold, language
from omoide.retain.episodes import heard, is_said
from omoide.retain.extraction.select import select
from omoide.retain.extraction.shorten import shortened
from omoide.retain.extraction.view import Known, Line, View
from omoide.stores.index.scope_index import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from omoide.domain.model import Plan
    from omoide.domain.records import Opened, Person
    from omoide.domain.windows import Window
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Recalling, Store
    from omoide.stores.unit import Unit

_OPENED = 160
"""Known items whose words are compared."""

_COMPARED = (Kind.FACT, Kind.STATEMENT, Kind.PLAN, Kind.GUIDANCE)
_STANDING = (MessageState.SETTLED, MessageState.HIDDEN)


@dataclass(frozen=True, slots=True)
class Nearby:
    """What is known and may bear on a window: all that was compared, with vectors where there are any."""

    known: tuple[Known, ...] = ()
    vectors: Mapping[int, NDArray[np.float32]] = field(default_factory=dict)


def read_view(unit: Unit, window: Window, *, zone: str) -> View:
    """The messages of a window that may be remembered, and who speaks in them.

    Args:
        unit: where to read.
        window: which messages.
        zone: of users that told none.
    """
    told, own_zone = unit.described()
    people = unit.people.all()
    silent = unit.removal.suppressed()
    nicknames = unit.people.nicknames()
    lines = _lines(unit, window.messages, people, zone=own_zone or zone, silent=silent)
    context = _lines(unit, window.context, people, zone=own_zone or zone, silent=silent)
    return View(
        lines=tuple(replace(line, m=m) for m, line in enumerate(shortened(lines), 1)),
        context=tuple(context),
        language=_language(told, lines, context),
        now=from_micros(unit.now).astimezone(zone_of(own_zone or zone)),
        user=_own(people, unit.scope.user),
        character=_own(people, unit.scope.character),
        names={number: person.name for number, person in people.items()},
        nicknames={fold(name): person for person, name, _ in nicknames},
        called={one: tuple(name for whose, name, _ in nicknames if whose == one) for one, _, _ in nicknames},
        relationship=unit.relationships.current(),
    )


def nearby(
    store: Store, scope: ScopeRow, view: View, vectors: NDArray[np.float32] | None
) -> tuple[View, Nearby]:
    """The view with the known items that are nearest to what is said, and all that were compared.

    Args:
        store: where they are.
        scope: whose they are.
        view: what is said.
        vectors: of the messages; None without an embedder.
    """
    with store.recalling(scope) as now:
        rows, nearness = _candidates(now, vectors)
        numbers = [int(number) for number in now.snapshot.rows["number"][rows]]
        opened = now.unit.memories.open(numbers, names=now.names, sessions={}, shut=set())
        standing = {one.id: one.evidence for one in now.unit.memories.standing(numbers)}
        subjects = dict(zip(numbers, now.snapshot.rows["subject"][rows].tolist(), strict=True))
        known = [_known(now.unit, one, standing.get(one.number, ()), subjects[one.number]) for one in opened]
        kept = _vectors(now, rows)
    near = dict(zip(numbers, nearness.tolist(), strict=True))
    shown = replace(view, known=tuple(_keyed(select(known, view, near=near))))
    by_number = {one.number: one for one in shown.known}
    return shown, Nearby(tuple(by_number.get(one.number, one) for one in known), kept)


def _lines(
    unit: Unit, numbers: Sequence[int], people: Mapping[int, Person], *, zone: str, silent: set[int]
) -> list[Line]:
    texts = unit.texts.open(number for number in numbers if number not in silent)
    found = []
    for message in unit.log.of(numbers):
        text = heard(message, texts.get(message.id, ""))
        if message.state in _STANDING and text.strip() and is_said(message.role, text):
            found.append(
                Line(
                    m=0,
                    number=message.id,
                    role=message.role,
                    speaker=message.speaker,
                    name=people[message.speaker].name if message.speaker in people else "?",
                    text=text,
                    at=None if message.at is None else _local(message.at, message.zone, zone),
                    position=message.position,
                )
            )
    return found


def _local(at: int, own: str | None, zone: str) -> datetime:
    """In the zone that the message was said in; UTC tells nothing of where its speaker lives."""
    said = from_micros(at, own)
    return said.astimezone(zone_of(zone)) if own in (None, "UTC", "+00:00") or said.tzinfo is UTC else said


def _language(told: str | None, lines: Sequence[Line], context: Sequence[Line]) -> Language:
    """The language of what users say; few Han are Japanese where kana stand in a name or near by."""
    said = " ".join(line.text for line in lines if line.role is Role.USER)
    default: Language = next((one for one in get_args(Language) if one == told), "en")
    found = language(said, default=default)
    near = " ".join(words for line in (*context, *lines) for words in (line.name, line.text))
    return language(said, default="ja") if found == "zh" and language(near) == "ja" else found


def _own(people: Mapping[int, Person], external: str | None) -> int | None:
    return next((number for number, person in people.items() if person.id == external), None)


def _candidates(
    now: Recalling, vectors: NDArray[np.float32] | None
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Rows of what may be confirmed or replaced, and how near each is to the nearest message."""
    rows = now.snapshot.rows
    able = rows["alive"] & np.isin(rows["kind"], [KINDS.index(kind) for kind in _COMPARED])
    able &= (rows["valid_until"] == NO_TIME) | (rows["valid_until"] > now.unit.now)
    found = np.flatnonzero(able)
    cosines = np.zeros(len(found), dtype=np.float32)
    if vectors is not None and len(vectors) and len(found):
        known = np.nan_to_num(now.vectors(found))
        if known.shape[1] == vectors.shape[1]:
            cosines = _nearness(known, vectors)
    order = np.lexsort((-rows["position"][found], -cosines))[:_OPENED]
    return found[order], cosines[order]


def _vectors(now: Recalling, rows: NDArray[np.int64]) -> dict[int, NDArray[np.float32]]:
    embedded = rows[now.snapshot.embedded[rows]]
    numbers = now.snapshot.rows["number"][embedded].tolist()
    return {
        number: vector for number, vector in zip(numbers, now.vectors(embedded), strict=True) if vector.size
    }


def _known(unit: Unit, opened: Opened, rests: Sequence[int], subject: int) -> Known:
    memory, plan = opened.memory, opened.memory.plan
    return Known(
        key="",
        number=opened.number,
        kind=memory.kind,
        text=memory.text,
        subject=None if subject < 0 else subject,
        name=memory.subject or "",
        rests=frozenset(rests),
        position=unit.extracted.position(opened.number),
        held=memory.pinned or memory.origin is not Origin.EXTRACTED,
        state=None if plan is None else plan.state,
        due=None if plan is None else _day(plan),
        since=memory.valid_from,
        until=memory.valid_until,
    )


def _day(plan: Plan) -> Due | None:
    if plan.due is None or plan.precision is None:
        return None
    return Due(at=plan.due, precision=plan.precision)


def _keyed(known: Sequence[Known]) -> list[Known]:
    """Each with a short id: p and a number for a plan, f and a number for all else."""
    counts = {"f": 0, "p": 0}
    keyed = []
    for one in known:
        letter = "p" if one.kind is Kind.PLAN else "f"
        counts[letter] += 1
        keyed.append(replace(one, key=f"{letter}{counts[letter]}"))
    return keyed


def _nearness(known: NDArray[np.float32], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """How near each known item is to the nearest message: 0 on the average, in standard deviations.

    What is near to everything, as short general sentences are, is less near for that.
    """
    if not len(known) or not len(vectors):
        return np.zeros(len(known), dtype=np.float32)
    cosines = (known @ vectors.T).max(axis=1) - known @ known.mean(axis=0)
    made = known.any(axis=1)  # where a vector is not made yet, nobody knows
    spread = float(cosines[made].std()) if made.any() else 0.0
    if not spread:
        return np.zeros(len(known), dtype=np.float32)
    return np.where(made, (cosines - cosines[made].mean()) / spread, 0.0).astype(np.float32)
