"""Scopes and the people in them: who owns memories, found by blinded names, shown by sealed ones."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, delete, insert, or_, select, update
from uuid_utils import UUID, uuid7

from omoide.domain.model import Role
from omoide.domain.records import Person
from omoide.errors import KeyMissing
from omoide.stores.fixed import Fixed
from omoide.stores.sealing import KEY_BYTES, Blinder, Sealer, derive
from omoide.stores.tables import (
    feelings,
    memories,
    memory_people,
    messages,
    names,
    people,
    plans,
    scopes,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, Row

    from omoide.stores.keyring import Keyring

_STORE = "store"
"""The owner of the key that blinds what is looked up before a scope is known."""


def new_uid() -> bytes:
    """A UUIDv7: unique, and increasing with time (ruling 28)."""
    return uuid7().bytes


def uid_text(uid: bytes) -> str:
    """A UUID as it is written."""
    return str(UUID(bytes=uid))


@dataclass(frozen=True, kw_only=True, slots=True)
class ScopeRow:
    """One scope with the keys that open it.

    Attributes:
        id: the row's number in this database.
        uid: the associated data of what is sealed.
        tenant: the customer it belongs to; empty where there is one only.
        user: the user's id, or None for a character alone.
        character: the character's id.
        sealer: seals and opens its text.
        blinder: blinds its terms, names and ids.
    """

    id: int
    uid: bytes
    tenant: str
    user: str | None
    character: str
    sealer: Sealer
    blinder: Blinder


_UID = Fixed(select(scopes.c.uid).where(scopes.c.id == bindparam("scope")))


class Scopes:
    """Finds and makes scopes; remembers the ones that it has opened."""

    def __init__(self, keyring: Keyring, *, tenant: str = "") -> None:
        self._keyring = keyring
        self._tenant = tenant
        self._blinder = Blinder(derive(keyring.data_key(_STORE, create=True), "names"))
        self._open: dict[tuple[str | None, str], ScopeRow] = {}

    def opened(self, user: str | None, character: str) -> ScopeRow | None:
        """The scope of these two as it was found last; it may have been erased since."""
        return self._open.get((user, character))

    def find(self, connection: Connection, user: str | None, character: str) -> ScopeRow | None:
        """The scope of these two, or None if they have never met."""
        known = self.opened(user, character)
        if known is not None and self._still_there(connection, known):
            return known
        query = select(scopes).where(
            scopes.c.tenant == self._tenant,
            scopes.c.user_tag == self._tag(user, "user"),
            scopes.c.character_tag == self._tag(character, "character"),
        )
        row = connection.execute(query).first()
        return None if row is None else self._remember(self._opened(row))

    def create(self, connection: Connection, user: str | None, character: str, *, now: int) -> ScopeRow:
        """The scope of these two, made if they have never met."""
        found = self.find(connection, user, character)
        if found is not None:
            return found
        uid, user_tag, character_tag = new_uid(), self._tag(user, "user"), self._tag(character, "character")
        key = self._keyring.data_key(self._owner(user_tag, character_tag), create=True)
        sealer = Sealer(key)
        values = {
            "tenant": self._tenant,
            "uid": uid,
            "user_tag": user_tag,
            "character_tag": character_tag,
            "user_sealed": None if user is None else sealer.seal_text(user, row=uid + b"user"),
            "character_sealed": sealer.seal_text(character, row=uid + b"character"),
            "created_at": now,
        }
        number = connection.execute(insert(scopes).values(values).returning(scopes.c.id)).scalar_one()
        # Not remembered: the transaction may still fail, and the next look-up finds the row.
        return self._row(number, uid, user, character, key)

    def all(self, connection: Connection) -> list[ScopeRow]:
        """Every scope of the tenant, oldest first; without those of users who were erased since a backup."""
        query = select(scopes).where(scopes.c.tenant == self._tenant).order_by(scopes.c.id)
        opened = [self._opened_or_none(row) for row in connection.execute(query)]
        return [scope for scope in opened if scope is not None]

    def of_user(self, connection: Connection, user: str) -> list[ScopeRow]:
        """Every scope of one user, oldest first; one whose key is gone can be erased, and no more."""
        query = select(scopes).where(
            scopes.c.tenant == self._tenant, scopes.c.user_tag == self._tag(user, "user")
        )
        rows = connection.execute(query.order_by(scopes.c.id)).all()
        return [
            self._opened_or_none(row) or self._row(row.id, row.uid, user, "", os.urandom(KEY_BYTES))
            for row in rows
        ]

    def forget(self, scope: ScopeRow) -> None:
        """Drop an opened scope, after its rows are gone."""
        self._open.pop((scope.user, scope.character), None)

    def destroy_key(self, user: str) -> bool:
        """Destroy a user's data key: what it sealed stays shut for ever, also in old backups."""
        return self._keyring.forget(self._owner(self._tag(user, "user"), b""))

    def _owner(self, user_tag: bytes, character_tag: bytes) -> str:
        """Whose data key seals a scope: its user's, or the character's where there is none (ruling 26)."""
        kind, tag = ("user", user_tag) if user_tag else ("character", character_tag)
        return f"{self._tenant}\x1f{kind}:{tag.hex()}"

    def _still_there(self, connection: Connection, scope: ScopeRow) -> bool:
        """Another process may have erased it since, and given its number away."""
        return _UID.run(connection, {"scope": scope.id}) == [(scope.uid,)]

    def _tag(self, name: str | None, purpose: str) -> bytes:
        return b"" if name is None else self._blinder.tag(name, purpose=purpose)

    def _opened(self, row: Row[Any]) -> ScopeRow:
        key = self._keyring.data_key(self._owner(row.user_tag, row.character_tag), create=False)
        sealer = Sealer(key)
        user = None if row.user_sealed is None else sealer.open_text(row.user_sealed, row=row.uid + b"user")
        character = sealer.open_text(row.character_sealed, row=row.uid + b"character")
        return self._row(row.id, row.uid, user, character, key)

    def _opened_or_none(self, row: Row[Any]) -> ScopeRow | None:
        try:
            return self._opened(row)
        except KeyMissing:
            return None

    def _row(self, number: int, uid: bytes, user: str | None, character: str, key: bytes) -> ScopeRow:
        return ScopeRow(
            id=number,
            uid=uid,
            tenant=self._tenant,
            user=user,
            character=character,
            sealer=Sealer(key),
            blinder=Blinder(derive(key, f"blind {uid.hex()}")),
        )

    def _remember(self, row: ScopeRow) -> ScopeRow:
        self._open[row.user, row.character] = row
        return row


_OWN_NAME = and_(
    names.c.valid_until.is_(None), or_(names.c.used_by.is_(None), names.c.used_by == names.c.person_id)
)
"""What somebody is called by everybody; what others alone call them is a nickname."""

_NAMES = Fixed(
    select(people.c.id, names.c.uid, names.c.name_sealed)
    .join(names, names.c.person_id == people.c.id)
    .where(people.c.scope_id == bindparam("scope"), people.c.merged_into.is_(None), _OWN_NAME)
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
)
_EVERYBODY = Fixed(
    select(
        people.c.id, people.c.uid, people.c.external_sealed, people.c.role, names.c.uid, names.c.name_sealed
    )
    .join(names, names.c.person_id == people.c.id)
    .where(people.c.scope_id == bindparam("scope"), people.c.merged_into.is_(None), _OWN_NAME)
)
_WHO = (messages.c.speaker_id, memories.c.subject_id, feelings.c.subject_id, plans.c.person_id)
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
        rows = self._connection.execute(select(names).where(names.c.person_id == person)).all()
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
            row.id if row.merged_into is None else row.merged_into for row in self._connection.execute(query)
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
