"""Which shared event a memory tells of, and whose account of it that is (K6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omoide.domain.layer import Layer
from omoide.domain.model import Status
from omoide.errors import InvalidInput
from omoide.stores.events import Presence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.event import Event
    from omoide.domain.model import Memory, Past
    from omoide.domain.records import Draft
    from omoide.stores.events import Events
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

STANDING = (Status.CONFIRMED, Status.CANDIDATE, Status.FADED)
"""Accounts beside which there is no room for another."""


class Accounts:
    """Joins one scope's memories with events, within one transaction."""

    def __init__(self, unit: Unit, store: Store) -> None:
        self._unit = unit
        self._store = store
        self._known: dict[str, tuple[int, Event] | None] = {}
        self._claimed: set[int] = set()

    def find(self, name: str) -> tuple[int, Event] | None:
        """The event of a name, with its number."""
        if name not in self._known:
            self._known[name] = self._store.events(self._unit.connection).find(name)
        return self._known[name]

    def number(self, name: str | None) -> int | None:
        """The number of the event of a name; None where there is none."""
        found = None if name is None else self.find(name)
        return None if found is None else found[0]

    def join(self, name: str | None, past: Past | None, *, instead_of: int | None = None) -> int | None:
        """The number of the event that a memory names; None where it names none that the store knows.

        Args:
            name: what the memory calls it.
            past: how the character knows of it; what it lived through is its one account of the event.
            instead_of: the number of the memory in whose place this one comes.

        Raises:
            InvalidInput: the scope is of a user; or a lived memory is of an event that the character was not
                at, or has told of already.
        """
        if name is None or past is None:
            return None
        if self._unit.scope.user is not None:
            msg = f"events belong to the past of a character alone, got event={name!r}; leave the user out"
            raise InvalidInput(msg)
        number = self.number(name)
        if number is not None and past.layer is Layer.DIRECT:
            self._claim(name, number, instead_of)
        return number

    def settle(self, drafts: Sequence[Draft], numbers: Sequence[int]) -> None:
        """Note the accounts among memories that were just written."""
        events = self._store.events(self._unit.connection) if self._claimed else None
        for draft, number in zip(drafts, numbers, strict=True):
            if events is None or draft.event is None or draft.past is None:
                continue
            if draft.past.layer is Layer.DIRECT:
                self._settle_one(events, draft.event, draft.past, number)

    def reclaim(self, memory: Memory, number: int) -> None:
        """Let a memory that comes back be the account that it was, unless another took its place.

        Raises:
            InvalidInput: another did.
        """
        event = self.join(memory.event, memory.past, instead_of=number)
        if event is not None and event in self._claimed and memory.past is not None:
            self._settle_one(self._store.events(self._unit.connection), event, memory.past, number)

    def _settle_one(self, events: Events, event: int, past: Past, number: int) -> None:
        character = self._unit.scope.character
        before = events.presence(event, character) or Presence()
        placed = past.absolute_day is not None
        told = Presence(
            age=past.age if placed else before.age,
            absolute_day=past.absolute_day if placed else before.absolute_day,
            memory=number,
        )
        events.put(event, character, told)

    def _claim(self, name: str, number: int, instead_of: int | None) -> None:
        character = self._unit.scope.character
        presence = self._store.events(self._unit.connection).presence(number, character)
        if presence is None:
            msg = (
                f"{character!r} was not at the event {name!r}; make it a heard or an inferred memory, "
                "or add the character to those who were there"
            )
            raise InvalidInput(msg)
        if number in self._claimed or self._is_told(presence.memory, instead_of):
            msg = f"{character!r} has told of the event {name!r} already; a second account is refused"
            raise InvalidInput(msg)
        self._claimed.add(number)

    def _is_told(self, memory: int | None, instead_of: int | None) -> bool:
        if memory is None or memory == instead_of:
            return False
        return any(found.status in STANDING for found in self._unit.memories.standing([memory]))
