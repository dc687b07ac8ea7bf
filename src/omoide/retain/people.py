"""Who is who in a scope: listing its people, renaming one, and making one of two (ruling 38)."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from omoide.domain.text import clean, composed, fold, is_blank
from omoide.errors import InvalidInput, UnknownPerson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omoide.domain.records import Person
    from omoide.stores.scopes import ScopeRow
    from omoide.stores.store import Store
    from omoide.stores.unit import Unit

_LISTED = 8
"""People whom an error names at most."""


class Acquaintances:
    """Looks after the people of scopes, each call in one transaction.

    A person is meant by their stable id, or by the name that holds now.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def everybody(self, scope: ScopeRow) -> list[Person]:
        """The people of a scope, in the order in which they came."""
        with self._store.read(scope) as unit:
            return [person for _, person in sorted(unit.people.all().items())]

    def rename(self, scope: ScopeRow, person: str, name: str) -> Person:
        """Let a person be called so from now on, also in memories; what messages call them counts no more."""
        name = clean(name).strip()
        if is_blank(name):
            msg = f"a person needs a name, got {name!r}"
            raise InvalidInput(msg)
        with self._store.write(scope) as unit:
            number = _meant(unit, person)
            unit.people.name(number, name, now=unit.now, by_hand=True)
            unit.change()
            return unit.people.all()[number]

    def merge(self, scope: ScopeRow, keep: str, other: str) -> Person:
        """Let two be one person, who keeps the first one's id and name; what they said stays as it was.

        Raises:
            UnknownPerson: one is not known.
            InvalidInput: they are one already, or cannot be one.
        """
        with self._store.write(scope) as unit:
            into, gone = _meant(unit, keep), _meant(unit, other)
            everybody = unit.people.all()
            _check_fit(unit, everybody[into], everybody[gone])
            unit.people.merge(gone, into=into)
            unit.change()
            unit.start_anew()  # whom memories are about has changed
            return everybody[into]


def _check_fit(unit: Unit, kept: Person, gone: Person) -> None:
    if kept is gone:
        msg = f"{gone.id!r} is {kept.id!r} already; name two people"
        raise InvalidInput(msg)
    if gone.id in (unit.scope.user, unit.scope.character):
        msg = f"{gone.id!r} is whose memory this is; keep {gone.id!r}, and merge {kept.id!r} into it"
        raise InvalidInput(msg)
    if kept.role is not gone.role:
        msg = f"{kept.id!r} is a {kept.role.value} and {gone.id!r} a {gone.role.value}; they cannot be one"
        raise InvalidInput(msg)


def _meant(unit: Unit, person: str) -> int:
    """The number of the person with this id, or else of the only one with this name."""
    by_id = unit.people.find([composed(person)])
    if by_id:
        return by_id[0]
    everybody = unit.people.all()
    called = [number for number, one in everybody.items() if fold(one.name) == fold(person)]
    if len(called) > 1:
        ids = ", ".join(repr(everybody[number].id) for number in called)
        msg = f"several people are called {person!r}; give one's id: {ids}"
        raise InvalidInput(msg)
    if not called:
        raise UnknownPerson(f"nobody here is called {person!r}{_near(person, everybody)}")
    return called[0]


def _near(person: str, everybody: Mapping[int, Person]) -> str:
    known = list(dict.fromkeys(word for one in everybody.values() for word in (one.name, one.id)))
    found = get_close_matches(person, known, n=3, cutoff=0.5)
    if found:
        return f"; did you mean {' or '.join(map(repr, found))}?"
    return f"; known: {', '.join(map(repr, known[:_LISTED]))}{', …' if len(known) > _LISTED else ''}"
