"""Memories by hand: remember, correct, pin, forget, restore — everywhere at once, and surviving a replay."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from omoide.domain.instants import to_micros
from omoide.domain.model import Kind, Origin, Status
from omoide.domain.text import clean, is_blank
from omoide.errors import InvalidInput, UnknownMemory
from omoide.retain.accounts import Accounts
from omoide.retain.carried import restore
from omoide.retain.drafting import draft_of, is_known
from omoide.retain.extraction.follow import follow
from omoide.retain.links import link
from omoide.retain.noted import Noted
from omoide.stores.events import hand_over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.model import Memory
    from omoide.domain.records import Draft, Opened, Standing
    from omoide.domain.redaction import Redaction
    from omoide.retain.episodes import Episodes
    from omoide.retain.past import Author
    from omoide.retain.transfer import Export
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

UNDO = timedelta(days=30)
"""How long what was forgotten can be restored."""


class Curator:
    """Changes single memories of a scope, each call in one transaction.

    Args:
        store: where they are.
        episodes: makes them found by words.
        redact: takes out what is never kept.
        author: knows how a memory follows its event.
    """

    def __init__(self, store: Store, episodes: Episodes, *, redact: Redaction, author: Author) -> None:
        self._store = store
        self._episodes = episodes
        self._redact = redact
        self._author = author

    def remember(self, scope: ScopeRow, notes: Sequence[Noted]) -> list[str]:
        """Write memories by hand; returns their ids, without those that were there already."""
        with self._store.write(scope) as unit:
            accounts = Accounts(unit, self._store)
            drafts = [self._draft(unit, note, accounts) for note in notes if not is_known(unit, note)]
            if not drafts:
                return []
            numbers = unit.memories.add(drafts, change=unit.change())
            accounts.settle(drafts, numbers)
            self._episodes.index(unit, numbers)
            link(unit, drafts, numbers)
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
            draft = self._corrected(unit, old, clean(text), Accounts(unit, self._store))
            (number,) = unit.memories.add([draft], change=unit.change())
            self._episodes.index(unit, [number])
            link(unit, [draft], [number])
            unit.memories.move([standing.id], Status.REPLACED, change=unit.change(), replaced_by=number)
            hand_over(unit.connection, standing.id, number)
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
            return self.forget_in(unit, memories)

    def forget_in(self, unit: Unit, memories: Sequence[str]) -> int:
        """The same within a transaction that is open already."""
        standing = [self._standing(unit, memory, *_FORGETTABLE) for memory in dict.fromkeys(memories)]
        numbers = [found.id for found in standing]
        unit.memories.move(numbers, Status.FORGOTTEN, change=unit.change())
        unit.removal.unindex(numbers)
        silenced = [message for found in standing for message in found.evidence]
        unit.removal.suppress(silenced)
        unit.relationships.take_back(silenced, withdrawn=False)
        for found in standing:
            self._take_along(unit, found, Status.REPLACED, Status.FORGOTTEN)
        return len(numbers)

    def restore(self, scope: ScopeRow, memory: str) -> None:
        """Bring a forgotten or faded memory back; one of an event that was moved tells of it as it is now.

        Raises:
            InvalidInput: it is neither, its author has written another under the same id since, or it says
                otherwise than its event does now.
        """
        with self._store.write(scope) as unit:
            standing = self._standing(unit, memory, Status.FORGOTTEN, Status.FADED)
            if standing.kind is Kind.DIARY:
                told = self._open(unit, [standing.id])[0].memory
                _refuse_second(unit, told, standing.id)
                Accounts(unit, self._store).reclaim(told, standing.id)
            unit.memories.move([standing.id], Status.CONFIRMED, change=unit.change())
            unit.removal.allow(standing.evidence)
            self._episodes.index(unit, [standing.id])
            self._take_along(unit, standing, Status.FORGOTTEN, Status.REPLACED)
            self._episodes.follow(unit, standing)
            follow(unit, gone=standing.evidence, index=self._episodes.index)
            if standing.status is Status.FADED:
                # It counts as recalled just now, or the next cycle would let it fade again.
                mark = unit.scope.blinder.tag(f"restored {unit.now}", purpose="exchange")
                unit.rehearsals.note([standing.id], exchange=mark)
            if standing.kind is Kind.DIARY:
                self._author.follow_back(unit, standing.id)

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

    def mark(self, scope: ScopeRow, export: Export) -> int:
        """Set the marks of an export on rule-made memories by their messages, and write what it carries.

        Returns:
            How many memories were marked.
        """
        with self._store.write(scope) as unit:
            count = 0
            for evidence, held in export.marks.items():
                for standing in _resting_on(unit, evidence):
                    unit.memories.set_pinned(standing.id, "pinned" in held, change=unit.change())
                    if "faded" in held:
                        unit.memories.move([standing.id], Status.FADED, change=unit.change())
                    count += 1
            for evidence, by in export.replaced.items():
                for standing in _resting_on(unit, evidence):
                    if standing.status is Status.REPLACED and not unit.extracted.successor(standing.id):
                        new = unit.memories.external(by)
                        unit.memories.move(
                            [standing.id], Status.REPLACED, change=unit.change(), replaced_by=new
                        )
            self._episodes.weigh(unit, restore(unit, export.carried))
        return count

    def _take_along(self, unit: Unit, memory: Standing, now: Status, then: Status) -> None:
        """Let what a memory said before it was corrected by hand go or come with it."""
        former = unit.extracted.replaced_by(memory.id) if memory.origin is Origin.AUTHORED else []
        for old in unit.memories.standing([number for number, status in former if status is now]):
            unit.memories.move([old.id], then, change=unit.change(), replaced_by=memory.id)
            if then is Status.FORGOTTEN:
                unit.removal.unindex([old.id])
            else:
                self._episodes.index(unit, [old.id])
            self._take_along(unit, old, now, then)

    def _draft(self, unit: Unit, note: Noted, accounts: Accounts) -> Draft:
        event = accounts.join(note.event, note.past)
        return draft_of(unit, note, redact=self._redact, event=event)

    def _corrected(self, unit: Unit, old: Opened, text: str, accounts: Accounts) -> Draft:
        memory = old.memory
        kind = Kind.FACT if memory.kind is Kind.EPISODE else memory.kind
        note = Noted(
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
            scores=memory.scores,
            involved=memory.involved if memory.past else (),
            day=memory.day,
            emotion=memory.emotion,
            action=memory.action,
            thought=memory.thought,
            event=memory.event,
            observations=memory.observations,
            derived=memory.derived,
            external_id=memory.external_id,
        )
        draft = draft_of(unit, note, redact=self._redact, event=accounts.number(memory.event))
        return replace(
            draft,
            at=memory.at,
            position=unit.now if memory.at is None or not memory.past else to_micros(memory.at),
        )

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


def _resting_on(unit: Unit, evidence: Sequence[str]) -> list[Standing]:
    """The rule-made memories that rest on just these messages, which an export calls so."""
    found = [unit.log.find_external(message) for message in evidence]
    numbers = tuple(pair[0].id for pair in found if pair is not None)
    return [one for one in unit.memories.resting_on(numbers) if one.evidence == numbers]


def _id_of(unit: Unit, name: str | None) -> str | None:
    """The stable id of the person who is called so."""
    return next((person.id for person in unit.people.all().values() if person.name == name), None)


_FORGETTABLE = (Status.CONFIRMED, Status.FADED, Status.REPLACED, Status.CANDIDATE, Status.SUPPRESSED)


def _refuse_second(unit: Unit, memory: Memory, number: int) -> None:
    """See that no other memory stands under the id that its author gave it."""
    named = None if memory.external_id is None else unit.memories.external(memory.external_id)
    if named is None or named == number:
        return
    (other,) = unit.memories.standing([named])
    if other.status is Status.CONFIRMED:
        msg = f"another memory is called {memory.external_id!r} by now; forget that one first"
        raise InvalidInput(msg)
