"""The people of a scope: found by blinded ids, shown by the sealed names that hold now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, delete, insert, or_, select, update

from omoide.domain.model import Role
from omoide.domain.records import Person
from omoide.stores.fixed import Fixed
from omoide.stores.scopes import new_uid
from omoide.stores.tables import (
    feelings,
    memories,
    memory_people,
    messages,
    names,
    observations,
    people,
    plans,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

    from omoide.stores.scopes import ScopeRow

_OWN_NAME = and_(
    names.c.valid_until.is_(None), or_(names.c.used_by.is_(None), names.c.used_by == names.c.person_id)
)
"""What somebody is called by everybody; what others alone call them is a nickname."""

_NAMES = Fixed(
    select(people.c.id, names.c.uid, names.c.name_sealed)
    .join(names, names.c.person_id == people.c.id)
    .where(people.c.scope_id == bindparam("scope"), people.c.merged_into.is_(None), _OWN_NAME)
    .order_by(people.c.id)
)
_NICKNAMES = Fixed(
    select(people.c.id, names.c.uid, names.c.name_sealed, names.c.used_by)
    .join(names, names.c.person_id == people.c.id)
    .where(
        people.c.scope_id == bindparam("scope"),
        people.c.merged_into.is_(None),
        names.c.valid_until.is_(None),
        names.c.used_by.is_not(None),
        names.c.used_by != names.c.person_id,
    )
    .order_by(names.c.id)
)
_EVERYBODY = Fixed(
    select(
        people.c.id, people.c.uid, people.c.external_sealed, people.c.role, names.c.uid, names.c.name_sealed
    )
    .join(names, names.c.person_id == people.c.id)
    .where(people.c.scope_id == bindparam("scope"), people.c.merged_into.is_(None), _OWN_NAME)
    .order_by(people.c.id)
)
_WHO = (
    messages.c.speaker_id,
    memories.c.subject_id,
    feelings.c.subject_id,
    plans.c.person_id,
    observations.c.person_id,
)
"""Where a person is meant."""

_PERSON = Fixed(
    select(people.c.id, people.c.merged_into).where(
        people.c.scope_id == bindparam("scope"), people.c.tag == bindparam("tag")
    )
)


class People:
    """The people of one scope, within one transaction."""

    def __init__(self, connection: Connection, scope: ScopeRow) -> None:
        self._connection = connection
        self._scope = scope

    def resolve(self, external: str, *, role: Role, name: str | None, now: int) -> int:
        """The number of the person with this stable id, who is made, or named anew, where needed.

        A person who was merged into another resolves to the other, who keeps their own name.
        """
        scope = self._scope
        tag = scope.blinder.tag(external, purpose="person")
        found = _PERSON.run(self._connection, {"scope": scope.id, "tag": tag})
        if not found:
            person = self._create(external, tag, role)
        else:
            number, merged_into = found[0]
            if merged_into is not None:
                return int(merged_into)
            person = number
        if not found or name:
            self.name(person, name or external, now=now)
        return person

    def name(self, person: int, name: str, *, now: int, by_hand: bool = False) -> None:
        """Let this be the person's name from now on; the one before stays known with its end.

        A name given by hand stands against those that messages bring, which go on bringing the old one. It is
        told by `used_by`, where the person themself stands.
        """
        tag = self._scope.blinder.tag(name, purpose="name")
        of_one = select(names).where(names.c.person_id == person).order_by(names.c.id)
        rows = self._connection.execute(of_one).all()
        own = (row for row in rows if row.used_by in (None, person))
        current = next((row for row in own if row.valid_until is None), None)
        if current is not None and not by_hand and (current.tag == tag or current.used_by == person):
            return
        chosen = {"valid_until": None, "used_by": person if by_hand else None}
        of_person = update(names).where(names.c.person_id == person)
        self._connection.execute(of_person.where(_OWN_NAME).values(valid_until=now))
        if any(row.tag == tag for row in rows):
            self._connection.execute(of_person.where(names.c.tag == tag).values(chosen))
            return
        uid = new_uid()
        self._connection.execute(
            insert(names).values(
                tenant=self._scope.tenant,
                uid=uid,
                person_id=person,
                tag=tag,
                name_sealed=self._scope.sealer.seal_text(name, row=uid),
                valid_from=now if rows else None,
                **chosen,
            )
        )

    def nickname(self, person: int, called: str, *, by: int, now: int) -> bool:
        """Note what somebody alone calls a person; whether that is news."""
        tag = self._scope.blinder.tag(called, purpose="name")
        known = select(names.c.id, names.c.valid_until).where(names.c.person_id == person, names.c.tag == tag)
        row = self._connection.execute(known).first()
        if row is not None and row.valid_until is None:
            return False
        if row is not None:
            again = update(names).where(names.c.id == row.id)
            self._connection.execute(again.values(valid_until=None, used_by=by))
            return True
        uid = new_uid()
        self._connection.execute(
            insert(names).values(
                tenant=self._scope.tenant,
                uid=uid,
                person_id=person,
                tag=tag,
                name_sealed=self._scope.sealer.seal_text(called, row=uid),
                used_by=by,
                valid_from=now,
            )
        )
        return True

    def nicknames(self) -> list[tuple[int, str, int]]:
        """What people are called by others: whose each name is, the name, and who uses it."""
        opened = self._scope.sealer.open_text
        rows = _NICKNAMES.run(self._connection, {"scope": self._scope.id})
        return [(person, opened(name, row=uid), by) for person, uid, name, by in rows]

    def sealed(self) -> list[tuple[Any, ...]]:
        """Everybody as they lie in the store, for `open`; equal as long as nobody changes."""
        return _EVERYBODY.run(self._connection, {"scope": self._scope.id})

    def all(self) -> dict[int, Person]:
        """Everybody by number, each with the name that holds now."""
        return self.open(self.sealed())

    def open(self, sealed: Iterable[tuple[Any, ...]]) -> dict[int, Person]:
        """What `sealed` gave, by number."""
        opened = self._scope.sealer.open_text
        return {
            number: Person(id=opened(external, row=uid), role=Role(role), name=opened(name, row=name_uid))
            for number, uid, external, role, name_uid, name in sealed
        }

    def names(self) -> dict[int, str]:
        """The name that holds now of everybody, by number."""
        opened = self._scope.sealer.open_text
        return {
            number: opened(name, row=uid)
            for number, uid, name in _NAMES.run(self._connection, {"scope": self._scope.id})
        }

    def find(self, externals: Iterable[str]) -> list[int]:
        """The numbers of the people with these stable ids; unknown ones are left out."""
        tags = [self._scope.blinder.tag(external, purpose="person") for external in externals]
        query = select(people.c.id, people.c.merged_into).where(
            people.c.scope_id == self._scope.id, people.c.tag.in_(tags)
        )
        return [
            row.id if row.merged_into is None else row.merged_into
            for row in self._connection.execute(query.order_by(people.c.id))
        ]

    def merge(self, person: int, into: int) -> None:
        """Let one person be another from now on, and in all that was said so far."""
        for column in _WHO:
            self._connection.execute(update(column.table).where(column == person).values({column: into}))
        for table in (memory_people, told):  # where both stand, one is enough
            other = select(table.c.memory_id).where(table.c.person_id == into)
            of_person = table.c.person_id == person
            self._connection.execute(delete(table).where(of_person, table.c.memory_id.in_(other)))
            self._connection.execute(update(table).where(of_person).values(person_id=into))
        both = or_(people.c.id == person, people.c.merged_into == person)
        self._connection.execute(update(people).where(both).values(merged_into=into))

    def _create(self, external: str, tag: bytes, role: Role) -> int:
        uid = new_uid()
        made = self._connection.execute(
            insert(people)
            .values(
                tenant=self._scope.tenant,
                uid=uid,
                scope_id=self._scope.id,
                tag=tag,
                external_sealed=self._scope.sealer.seal_text(external, row=uid),
                role=role.value,
            )
            .returning(people.c.id)
        )
        return int(made.scalar_one())
