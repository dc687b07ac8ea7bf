"""Scopes: who owns memories, found by blinded names, shown by sealed ones."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, or_, select
from uuid_utils import UUID, uuid7

from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.sealing import KEY_BYTES, Blinder, Sealer, derive
from omoide.stores.tables import scopes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row

    from omoide.stores.keys.keyring import Keyring

_STORE = "store"
"""The owner of the key that blinds what is looked up before a scope is known."""

_EVENTS = "events"
"""The owner of the key that seals events."""


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


@dataclass(frozen=True, kw_only=True, slots=True)
class EventKeys:
    """The keys of the store's events: to seal and blind them, and the blinding that scopes are found by."""

    tenant: str
    sealer: Sealer
    blinder: Blinder
    characters: Blinder


_UID = Fixed(select(scopes.c.uid).where(scopes.c.id == bindparam("scope")))


class Scopes:
    """Finds and makes scopes; remembers the ones that it has opened.

    Attributes:
        tenant: whose scopes these are; empty where there is one customer only.
    """

    def __init__(self, keyring: Keyring, *, tenant: str = "") -> None:
        self._keyring = keyring
        self.tenant = tenant
        self._blinder = Blinder(derive(keyring.data_key(_STORE, create=True), self._apart("names")))
        self._open: dict[tuple[str | None, str], ScopeRow] = {}

    def common(self, purpose: str) -> Sealer:
        """Seals what belongs to the tenant rather than to one scope, for one purpose."""
        return Sealer(derive(self._keyring.data_key(_STORE, create=True), self._apart(purpose)))

    def opened(self, user: str | None, character: str) -> ScopeRow | None:
        """The scope of these two as it was found last; it may have been erased since."""
        return self._open.get((user, character))

    def find(self, connection: Connection, user: str | None, character: str) -> ScopeRow | None:
        """The scope of these two, or None if they have never met."""
        known = self.opened(user, character)
        if known is not None and self._still_there(connection, known):
            return known
        query = select(scopes).where(
            scopes.c.tenant == self.tenant,
            scopes.c.user_tag == self._tag(user, "user"),
            scopes.c.character_tag == self._tag(character, "character"),
        )
        row = connection.execute(query).first()
        if row is None:
            return None
        return self._remember(self._opened(row, self._keyring.data_key(self._owner_of(row), create=False)))

    def create(self, connection: Connection, user: str | None, character: str, *, now: int) -> ScopeRow:
        """The scope of these two, made if they have never met."""
        found = self.find(connection, user, character)
        if found is not None:
            return found
        uid, user_tag, character_tag = new_uid(), self._tag(user, "user"), self._tag(character, "character")
        key = self._keyring.data_key(self._owner(user_tag, character_tag), create=True)
        sealer = Sealer(key)
        values = {
            "tenant": self.tenant,
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
        query = select(scopes).where(scopes.c.tenant == self.tenant).order_by(scopes.c.id)
        opened = self._opened_or_none(connection.execute(query).all())
        return [scope for scope in opened if scope is not None]

    def characters(self, connection: Connection) -> set[str]:
        """The characters that anything here is of: those with a past of their own, or a talk with anybody."""
        of_tenant = scopes.c.tenant == self.tenant
        first = select(func.min(scopes.c.id)).where(of_tenant).group_by(scopes.c.character_tag)
        query = select(scopes).where(of_tenant, or_(scopes.c.user_tag == b"", scopes.c.id.in_(first)))
        opened = self._opened_or_none(connection.execute(query).all())
        return {scope.character for scope in opened if scope is not None}

    def with_uids(self, connection: Connection, uids: Sequence[bytes]) -> dict[bytes, ScopeRow]:
        """The tenant's scopes of these uids, without those that are gone or whose user was erased."""
        found = {}
        for chunk in chunks(uids):
            query = select(scopes).where(scopes.c.tenant == self.tenant, scopes.c.uid.in_(chunk))
            for opened in self._opened_or_none(connection.execute(query).all()):
                if opened is not None:
                    found[opened.uid] = opened
        return found

    def of_user(self, connection: Connection, user: str) -> list[ScopeRow]:
        """Every scope of one user, oldest first; one whose key is gone can be erased, and no more."""
        query = select(scopes).where(
            scopes.c.tenant == self.tenant, scopes.c.user_tag == self._tag(user, "user")
        )
        rows = connection.execute(query.order_by(scopes.c.id)).all()
        return [
            opened or self._row(row.id, row.uid, user, "", os.urandom(KEY_BYTES))
            for row, opened in zip(rows, self._opened_or_none(rows), strict=True)
        ]

    def forget(self, scope: ScopeRow) -> None:
        """Drop an opened scope, after its rows are gone."""
        self._open.pop((scope.user, scope.character), None)

    def event_keys(self) -> EventKeys:
        """The keys of the events, which belong to no scope."""
        key = self._keyring.data_key(f"{self.tenant}\x1f{_EVENTS}", create=True)
        return EventKeys(
            tenant=self.tenant,
            sealer=Sealer(key),
            blinder=Blinder(derive(key, "blind events")),
            characters=self._blinder,
        )

    def destroy_key(self, user: str) -> bool:
        """Destroy a user's data key: what it sealed stays shut for ever, also in old backups."""
        return self._keyring.forget(self._owner(self._tag(user, "user"), b""))

    def _apart(self, purpose: str) -> str:
        """A purpose of this tenant's own: one name has other tags in each (ruling 28)."""
        return f"{purpose}\x1f{self.tenant}" if self.tenant else purpose

    def _owner(self, user_tag: bytes, character_tag: bytes) -> str:
        """Whose data key seals a scope: its user's, or the character's where there is none (ruling 26)."""
        kind, tag = ("user", user_tag) if user_tag else ("character", character_tag)
        return f"{self.tenant}\x1f{kind}:{tag.hex()}"

    def _still_there(self, connection: Connection, scope: ScopeRow) -> bool:
        """Another process may have erased it since, and given its number away."""
        return _UID.run(connection, {"scope": scope.id}) == [(scope.uid,)]

    def _tag(self, name: str | None, purpose: str) -> bytes:
        return b"" if name is None else self._blinder.tag(name, purpose=purpose)

    def _owner_of(self, row: Row[Any]) -> str:
        return self._owner(row.user_tag, row.character_tag)

    def _opened(self, row: Row[Any], key: bytes) -> ScopeRow:
        sealer = Sealer(key)
        user = None if row.user_sealed is None else sealer.open_text(row.user_sealed, row=row.uid + b"user")
        character = sealer.open_text(row.character_sealed, row=row.uid + b"character")
        return self._row(row.id, row.uid, user, character, key)

    def _opened_or_none(self, rows: Sequence[Row[Any]]) -> list[ScopeRow | None]:
        owners = [self._owner_of(row) for row in rows]
        keys = self._keyring.data_keys(dict.fromkeys(owners))
        return [
            self._opened(row, keys[owner]) if owner in keys else None
            for row, owner in zip(rows, owners, strict=True)
        ]

    def _row(self, number: int, uid: bytes, user: str | None, character: str, key: bytes) -> ScopeRow:
        return ScopeRow(
            id=number,
            uid=uid,
            tenant=self.tenant,
            user=user,
            character=character,
            sealer=Sealer(key),
            blinder=Blinder(derive(key, f"blind {uid.hex()}")),
        )

    def _remember(self, row: ScopeRow) -> ScopeRow:
        self._open[row.user, row.character] = row
        return row
