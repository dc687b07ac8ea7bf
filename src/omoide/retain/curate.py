"""Memories by hand: remember, correct, pin, forget, restore — everywhere at once, and surviving a replay."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from omoide.domain import salience
from omoide.domain.instants import check_time, from_micros, to_micros
from omoide.domain.model import (
    Category,
    Detail,
    Kind,
    Mode,
    Origin,
    Past,
    Plan,
    Precision,
    Role,
    Status,
    check_confidence,
    check_importance,
)
from omoide.domain.records import DetailDraft, Draft, PlanDraft
from omoide.domain.text import clean, is_blank
from omoide.errors import InvalidInput, UnknownMemory
from omoide.retain.carried import restore
from omoide.retain.extraction.follow import follow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from omoide.domain.records import Opened, Standing
    from omoide.domain.redaction import Redaction
    from omoide.retain.carried import Carried
    from omoide.retain.episodes import Episodes
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

UNDO = timedelta(days=30)
"""How long what was forgotten can be restored."""

_DEFAULT_CONFIDENCE = 8.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Noted:
    """A memory written by hand, checked.

    Attributes:
        text: its words.
        kind: what it is.
        importance: 1 to 10; None lets the rule of H7 decide.
        at: when it happened; None means now.
        confidence: 1 to 10, or None for 8; a character's past brings its own.
        pinned: whether it never fades.
        past: how the character knows it; needed for a diary memory, and only allowed there.
        place: where it happened.
        keys: words that call a world entry to mind.
        scores: emotion scores by name, 0 to 10.
        about: the stable id of the person that it is about, or whose plan it is; by default the user.
        due: when a plan is due, aware; only for a plan.
        plan: a plan in full, in place of `due`; its `who` counts as `about` does.
        category, mode, valid_from, valid_until: of a fact.
        terms: search terms drawn on purpose.
        details: of a summary; quotes are kept where their words stand in what it rests on.
        involved, told: people by name.
        confirmed: how many times it was said.
        rests: the messages that it rests on, by their source's ids, each with the stretch that counts.
        origin: by hand, or out of a file.
        external_id: its source's own id; a second one of the same id changes nothing.
    """

    text: str
    kind: Kind = Kind.FACT
    importance: float | None = None
    at: datetime | None = None
    confidence: float | None = None
    pinned: bool = False
    past: Past | None = None
    place: str | None = None
    keys: tuple[str, ...] = ()
    scores: Mapping[str, float] | None = None
    about: str | None = None
    origin: Origin = Origin.AUTHORED
    external_id: str | None = None
    due: datetime | None = None
    plan: Plan | None = None
    category: Category | None = None
    mode: Mode = Mode.ASSERTED
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    terms: tuple[str, ...] = ()
    details: tuple[Detail, ...] = ()
    involved: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    confirmed: int = 1
    rests: tuple[tuple[str, int, int], ...] = ()

    def __post_init__(self) -> None:
        if is_blank(clean(self.text)):
            msg = f"a memory needs words, got {self.text!r}"
            raise InvalidInput(msg)
        for name, at in (("time", self.at), ("day", self.due), ("end", self.valid_until)):
            check_time(at, name=f"a memory's {name}")
        if self.kind is not Kind.PLAN and (self.due is not None or self.plan is not None):
            msg = f"only a plan is due, got kind={self.kind.value!r}; give kind='plan'"
            raise InvalidInput(msg)
        if self.importance is not None:
            check_importance(self.importance)
        if self.confidence is not None:
            check_confidence(self.confidence)
        if (self.kind is Kind.DIARY) != (self.past is not None):
            msg = f"a diary memory says how it is known, and no other does; got kind={self.kind.value!r}"
            raise InvalidInput(msg)
        for name, value in (self.scores or {}).items():
            if not 0.0 <= value <= 10.0:
                msg = f"a score lies between 0 and 10, got {name}={value!r}"
                raise InvalidInput(msg)


class Curator:
    """Changes single memories of a scope, each call in one transaction."""

    def __init__(self, store: Store, episodes: Episodes, *, redact: Redaction) -> None:
        self._store = store
        self._episodes = episodes
        self._redact = redact

    def remember(self, scope: ScopeRow, notes: Sequence[Noted]) -> list[str]:
        """Write memories by hand; returns their ids, without those that were there already."""
        with self._store.write(scope) as unit:
            drafts = [self._draft(unit, note) for note in notes if not _is_known(unit, note)]
            if not drafts:
                return []
            numbers = unit.memories.add(drafts, change=unit.change())
            self._episodes.index(unit, numbers)
            return [opened.memory.id for opened in self._open(unit, numbers)]

    def correct(self, scope: ScopeRow, memory: str, text: str) -> str:
        """Let a memory say something else from now on; returns the new one's id.

        What it said before is kept for questions about the past, and is recalled for no other.
        """
        if is_blank(clean(text)):
            msg = f"a correction needs words, got {text!r}; to remove a memory, forget it"
            raise InvalidInput(msg)
        with self._store.write(scope) as unit:
            standing = self._standing(unit, memory, Status.CONFIRMED)
            old = self._open(unit, [standing.id])[0]
            draft = self._corrected(unit, old, clean(text))
            (number,) = unit.memories.add([draft], change=unit.change())
            self._episodes.index(unit, [number])
            unit.memories.move([standing.id], Status.REPLACED, change=unit.change(), replaced_by=number)
            unit.removal.suppress(standing.evidence)
            return self._open(unit, [number])[0].memory.id

    def pin(self, scope: ScopeRow, memory: str, *, pinned: bool = True) -> None:
        """Let a memory never fade, or let it fade again."""
        with self._store.write(scope) as unit:
            standing = self._standing(unit, memory, Status.CONFIRMED)
            unit.memories.set_pinned(standing.id, pinned, change=unit.change())

    def forget(self, scope: ScopeRow, memories: Sequence[str]) -> int:
        """Forget memories: gone from every search at once, to be restored for 30 days."""
        with self._store.write(scope) as unit:
            standing = [self._standing(unit, memory, *_FORGETTABLE) for memory in dict.fromkeys(memories)]
            numbers = [found.id for found in standing]
            unit.memories.move(numbers, Status.FORGOTTEN, change=unit.change())
            unit.removal.unindex(numbers)
            unit.removal.suppress([message for found in standing for message in found.evidence])
            return len(numbers)

    def restore(self, scope: ScopeRow, memory: str) -> None:
        """Bring a forgotten or faded memory back."""
        with self._store.write(scope) as unit:
            standing = self._standing(unit, memory, Status.FORGOTTEN, Status.FADED)
            unit.memories.move([standing.id], Status.CONFIRMED, change=unit.change())
            unit.removal.allow(standing.evidence)
            self._episodes.index(unit, [standing.id])
            self._episodes.follow(unit, standing)
            follow(unit, gone=standing.evidence, index=self._episodes.index)
            if standing.status is Status.FADED:
                # It counts as recalled just now, or the next cycle would let it fade again.
                mark = unit.scope.blinder.tag(f"restored {unit.now}", purpose="exchange")
                unit.rehearsals.note([standing.id], exchange=mark)

    def purge(self, scope: ScopeRow, *, now: bool = False) -> int:
        """Destroy what was forgotten more than 30 days ago, or all that was forgotten; returns how many."""
        with self._store.write(scope) as unit:
            before = unit.now if now else unit.now - int(UNDO.total_seconds() * 1_000_000)
            numbers = unit.memories.numbers(statuses=[Status.FORGOTTEN], before=before)
            if numbers:
                unit.removal.purge(numbers)
                unit.change()
                unit.start_anew()
        return len(numbers)

    def mark(self, scope: ScopeRow, marks: Mapping[tuple[str, ...], frozenset[str]], carried: Carried) -> int:
        """Set the marks of an export on rule-made memories by their messages, and write what it carries.

        Returns:
            How many memories were marked.
        """
        with self._store.write(scope) as unit:
            count = 0
            for evidence, held in marks.items():
                found = [unit.log.find_external(message) for message in evidence]
                numbers = tuple(pair[0].id for pair in found if pair is not None)
                for standing in unit.memories.resting_on(numbers):
                    if standing.evidence == numbers:
                        unit.memories.set_pinned(standing.id, "pinned" in held, change=unit.change())
                        if "faded" in held:
                            unit.memories.move([standing.id], Status.FADED, change=unit.change())
                        count += 1
            restore(unit, carried)
        return count

    def _draft(self, unit: Unit, note: Noted) -> Draft:
        text = self._redact(clean(note.text))
        whose = note.plan.who if note.plan is not None else None
        about = note.about or whose or (unit.scope.user if note.kind in (Kind.FACT, Kind.PLAN) else None)
        role = Role.CHARACTER if about == unit.scope.character else Role.USER
        rests = _rests(unit, note)
        subject = None if about is None else unit.people.resolve(about, role=role, name=None, now=unit.now)
        worth = salience.score(text, "").importance if note.importance is None else note.importance
        needs_confidence = note.past is None and note.kind in (Kind.FACT, Kind.STATEMENT)
        return Draft(
            kind=note.kind,
            origin=note.origin,
            importance=worth,
            position=unit.now if note.at is None else to_micros(note.at),
            text=text,
            subject=subject,
            at=note.at or from_micros(unit.now),
            confidence=note.confidence or (_DEFAULT_CONFIDENCE if needs_confidence else None),
            pinned=note.pinned,
            past=note.past,
            place=note.place,
            keys=note.keys,
            scores=tuple((note.scores or {}).items()),
            external_id=note.external_id,
            category=note.category,
            mode=note.mode,
            valid_from=note.valid_from,
            valid_until=note.valid_until,
            plan=_plan(note, subject),
            terms=note.terms,
            involved=_people(unit, note.involved),
            told=_people(unit, note.told),
            confirmed=note.confirmed,
            evidence=rests,
            details=_details(unit, note, rests),
        )

    def _corrected(self, unit: Unit, old: Opened, text: str) -> Draft:
        memory = old.memory
        kind = Kind.FACT if memory.kind is Kind.EPISODE else memory.kind
        draft = self._draft(
            unit,
            Noted(
                text=text,
                kind=kind,
                importance=memory.importance,
                at=memory.at,
                confidence=None if memory.past else memory.confidence,
                pinned=memory.pinned,
                past=memory.past,
                place=memory.place,
                keys=memory.keys,
                plan=memory.plan,
                category=memory.category,
                about=_id_of(unit, memory.subject),
            ),
        )
        return replace(draft, at=memory.at, position=unit.now)

    def _open(self, unit: Unit, numbers: Sequence[int]) -> list[Opened]:
        return unit.memories.open(numbers, names=self._store.names(unit), sessions={})

    @staticmethod
    def _standing(unit: Unit, memory: str, *statuses: Status) -> Standing:
        number = unit.memories.called(memory)
        standing = None if number is None else unit.memories.standing([number])[0]
        if standing is None:
            msg = f"no memory has the id {memory!r} in this scope; `omoide memories` lists them"
            raise UnknownMemory(msg)
        if standing.status not in statuses:
            wanted = statuses[0].value
            msg = f"the memory {memory!r} is {standing.status.value}; this needs one that is {wanted}"
            raise InvalidInput(msg)
        return standing


def _plan(note: Noted, person: int | None) -> PlanDraft | None:
    if note.kind is not Kind.PLAN:
        return None
    if note.plan is not None:
        plan = note.plan
        return PlanDraft(
            person=person,
            due=plan.due,
            precision=plan.precision,
            condition=plan.condition,
            state=plan.state,
        )
    if note.due is None:
        return PlanDraft(person=person)
    exact = (note.due.hour, note.due.minute) != (0, 0)
    return PlanDraft(person=person, due=note.due, precision=Precision.MINUTE if exact else Precision.DAY)


def _people(unit: Unit, names: Sequence[str]) -> tuple[int, ...]:
    """The people who are called so; whoever is not known yet is from now on."""
    known = {name: number for number, name in unit.people.names().items()} if names else {}
    return tuple(
        known[name] if name in known else unit.people.resolve(name, role=Role.USER, name=None, now=unit.now)
        for name in names
    )


def _rests(unit: Unit, note: Noted) -> tuple[tuple[int, int, int], ...]:
    found = [(unit.log.find_external(message), start, end) for message, start, end in note.rests]
    return tuple((pair[0].id, start, end) for pair, start, end in found if pair is not None)


def _details(unit: Unit, note: Noted, rests: Sequence[tuple[int, int, int]]) -> tuple[DetailDraft, ...]:
    """Details of a summary, those of quotes by the stretch that holds their words."""
    texts = unit.texts.open({message for message, _, _ in rests}) if note.details else {}
    quoted: dict[str, tuple[int, int]] = {}
    counts: dict[int, int] = {}
    for message, start, end in rests:
        if end > start and message in texts:
            nth = counts[message] = counts.get(message, -1) + 1
            quoted.setdefault(texts[message][start:end], (message, nth))
    drafts = []
    for detail in note.details:
        if detail.kind == "action":
            drafts.append(DetailDraft(who=detail.who, text=detail.text, context=detail.context))
        elif detail.text in quoted:
            message, nth = quoted[detail.text]
            drafts.append(DetailDraft(who=detail.who, context=detail.context, message=message, nth=nth))
    return tuple(drafts)


def _id_of(unit: Unit, name: str | None) -> str | None:
    """The stable id of the person who is called so."""
    return next((person.id for person in unit.people.all().values() if person.name == name), None)


_FORGETTABLE = (Status.CONFIRMED, Status.FADED, Status.REPLACED, Status.CANDIDATE, Status.SUPPRESSED)


def _is_known(unit: Unit, note: Noted) -> bool:
    """Whether the note's own id names a memory that is here: by its source's name, or by the store's own."""
    if note.external_id is None:
        return False
    if unit.memories.external(note.external_id) is not None:
        return True
    return unit.memories.called(note.external_id) is not None
