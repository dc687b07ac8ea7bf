"""Lives out of a folder into a store: all of them in one transaction, or nothing (K12)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from omoide.domain.diary import Diary
from omoide.domain.model import Kind, Origin, Status
from omoide.domain.text import fold
from omoide.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from omoide.authoring.folder import Life, Lives
    from omoide.domain.event import Event
    from omoide.domain.model import Memory
    from omoide.engine import Engine
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.unit import Unit

HELD: Final = (Status.CONFIRMED, Status.FADED)
"""Memories that count as there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Carried:
    """What an import did to one character's past.

    Attributes:
        character: whose.
        new, changed, same: how many memories came, were replaced, or were as they are in the files.
        missing: the author's ids of memories that the files no longer hold.
        pruned: whether those were forgotten.
        ageless: the author's ids of memories that have no age any more: their day was changed, and the
            profile tells no birthday.
    """

    character: str
    new: int
    changed: int
    same: int
    missing: tuple[str, ...] = ()
    pruned: bool = False
    ageless: tuple[str, ...] = ()


async def carry_in(engine: Engine, lives: Lives, *, prune: bool = False) -> list[Carried]:
    """Bring lives into a store, all of them or none: whatever fails, the store is as it was.

    A second time changes nothing; what was edited takes the place of what was.

    Args:
        engine: with the store.
        lives: without errors, see `lint`.
        prune: whether memories that the files no longer hold are forgotten; those that the character made
            itself (`Origin.FACTORY`) stay.

    Raises:
        InvalidInput: something cannot be, a file is not read and its memories would be pruned, or a whole
            past would be; nothing was written.
        StoreError: it could not be written; nothing was.
    """
    if unread := [str(problem) for problem in lives.problems if prune and problem.unread]:
        msg = f"nothing is pruned while a file is not read: {unread[0]}"
        raise InvalidInput(msg)
    carried, rows = await engine.run(lambda: _Bringing(engine, prune=prune).all(lives))
    for row in rows:
        engine.vectorise_soon(row)
    return carried


def called(memory: Memory) -> str:
    """What an author calls a memory; one that no author named is called by its own id."""
    return memory.external_id or memory.id


def as_written(memory: Memory) -> Diary:
    """What the author wrote, under the name that files call it by."""
    return replace(Diary.of(memory), id=called(memory))


def with_age(memory: Memory) -> Diary:
    """The same with the age that was worked out from the birthday, which no file will tell."""
    diary = as_written(memory)
    day = memory.day if diary.event is None else diary.day
    return replace(diary, past=memory.past or diary.past, day=day)


class _Bringing:
    """Brings lives in, within one transaction over all of them."""

    def __init__(self, engine: Engine, *, prune: bool) -> None:
        self._engine = engine
        self._store = engine.store
        self._prune = prune

    def all(self, lives: Lives) -> tuple[list[Carried], list[ScopeRow]]:
        """What became of each past, and the scopes that were written."""
        profiles = {life.profile.name: life.profile for life in lives.lives}
        events, author = [event.value for event in lives.events], self._engine.author
        with self._store.database.write() as connection:
            known = {event.name: event for event in self._store.events(connection).all()}
            # Whoever is left out of an event stays until their account of it is gone.
            before = [_with_those_before(event, known) for event in events]
            author.shared.put_in(connection, before, lives=profiles)
            carried = [self._life(connection, life) for life in lives.lives]
            author.shared.put_in(connection, events, lives=profiles)
            followed = author.follow_in(connection, events, lives=profiles)  # who is not in the files
        written = [self._store.scope(None, one.character) for one in carried]
        rows = list({row.id: row for row in (*written, *followed) if row is not None}.values())
        for row in rows:
            self._store.index.settle(row)
        return carried, rows

    def _life(self, connection: Connection, life: Life) -> Carried:
        name, now = life.profile.name, self._store.now()
        row = self._store.scopes.find(connection, None, name)
        if row is None and not life.diaries:
            return Carried(character=name, new=0, changed=0, same=0)
        row = row or self._store.scopes.create(connection, None, name, now=now)
        self._store.database.also(connection, scope=row.id)
        return self._past(self._store.unit(connection, row), life)

    def _past(self, unit: Unit, life: Life) -> Carried:
        before = {called(memory): memory for memory in self._held(unit)}
        diaries = [placed.value for placed in life.diaries]
        # What has no id of its author's own is called by that of the store: it is replaced by hand.
        known = {one.id for one in diaries if (held := before.get(one.id or "")) and _says(held, one)}
        rest = [one for one in diaries if one.id not in known]
        gone = self._leave(unit, before, diaries, rest)
        if moved := [one for one in rest if _moves(before.get(one.id or ""), one)]:
            let_go = [replace(one, event=None) for one in moved]
            self._engine.author.write_in(unit, let_go, life=life.profile)
        ids = self._engine.author.write_in(unit, rest, life=life.profile) if rest else []
        new = changed = 0
        for diary, made in zip(rest, ids, strict=True):
            held = before.get(diary.id or "")
            new += held is None
            changed += held is not None and held.id != made
            if held is not None and held.external_id is None:
                self._engine.curator.forget_in(unit, [held.id])
        return Carried(
            character=life.profile.name,
            new=new,
            changed=changed,
            same=len(diaries) - new - changed,
            missing=tuple(map(called, gone)),
            pruned=self._prune and bool(gone),
            ageless=() if life.profile.birthday is not None else self._ageless(unit, before),
        )

    def _leave(
        self, unit: Unit, before: Mapping[str, Memory], diaries: Sequence[Diary], rest: Sequence[Diary]
    ) -> list[Memory]:
        """The memories that the files no longer hold, of which those go that have to."""
        ours = {diary.id for diary in diaries}
        gone = [one for key, one in before.items() if key not in ours and one.origin is not Origin.FACTORY]
        if self._prune and gone and not diaries:
            raise InvalidInput(_all_gone(unit.scope.character, len(gone)))
        # An event has one account of each: one that another id tells now gives way, wished away or not.
        claimed = {one.event for one in rest if one.event is not None}
        leaving = gone if self._prune else [one for one in gone if one.event in claimed]
        if leaving:
            self._engine.curator.forget_in(unit, [memory.id for memory in leaving])
        return gone

    def _ageless(self, unit: Unit, before: Mapping[str, Memory]) -> tuple[str, ...]:
        """What had an age before, and has none now."""
        if not any(_age(memory) for memory in before.values()):
            return ()
        now = {called(memory): memory for memory in self._held(unit)}
        return tuple(
            key for key, one in before.items() if _age(one) and key in now and _age(now[key]) is None
        )

    def _held(self, unit: Unit) -> list[Memory]:
        """A character's own past as it is in the store; what cannot be opened is none of it."""
        numbers = unit.memories.numbers(kinds=[Kind.DIARY], statuses=HELD)
        names = self._store.names(unit)
        return [one.memory for one in unit.memories.open(numbers, names=names, sessions={}, shut=set())]


def _all_gone(character: str, count: int) -> str:
    return (
        f"no memory of {character!r} lies in the folder, and the store holds {count}: a whole past is never "
        "pruned, for its file may be missing or called otherwise. Put it back as diary.yaml or diary/*.md, "
        "import without --prune, or take the past away with `omoide reset --user '' --character`"
    )


def _age(memory: Memory) -> tuple[float | None, int | None] | None:
    past = memory.past
    return None if past is None or past.age is past.absolute_day is None else (past.age, past.absolute_day)


def _moves(memory: Memory | None, diary: Diary) -> bool:
    """Whether an account has to let go of its event first, so that two may change places."""
    return memory is not None and None not in (memory.event, diary.event) and memory.event != diary.event


def _with_those_before(event: Event, known: Mapping[str, Event]) -> Event:
    before = known[event.name].participants if event.name in known else ()
    there = {fold(name) for name in event.participants}
    return replace(
        event, participants=(*event.participants, *(name for name in before if fold(name) not in there))
    )


def _says(memory: Memory, diary: Diary) -> bool:
    """Whether a memory that no author named is as the files have it."""
    return memory.external_id is None and as_written(memory) == diary
