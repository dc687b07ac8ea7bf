"""Scopes: who owns memories, found by blinded names, shown by sealed ones.

A scope that is to be erased is shut: its row keeps its number, by which its rows are deleted, and gives away
its id and its place among the names. So nobody finds it, and its user may have another.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, or_, select, update
from uuid_utils import UUID, uuid7

from omoide.errors import KeyMissing, Tampered
from omoide.stores.chunks import chunks
from omoide.stores.fixed import Fixed
from omoide.stores.sealing import KEY_BYTES, Blinder, Sealer, derive
from omoide.stores.tables import scopes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection, Row, Select

    from omoide.stores.keys.keyring import Keyring

_STORE = "store"
"""The owner of the key that blinds what is looked up before a scope is known."""

_EVENTS = "events"
"""The owner of the key that seals events."""

_SHUT = b"shut:"
"""What the user's tag of a scope begins with that is shut; its character's tag is the id that it had."""


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


@dataclass(frozen=True, kw_only=True, slots=True)
class ShutScope:
    """A scope that is to be erased.

    Attributes:
        row: it as it was, with keys that open nothing.
        user_tag: the blinded name of its user.
    """

    row: ScopeRow
    user_tag: bytes


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
        (opened,) = self._opened_or_none([row])
        if opened is None:
            raise KeyMissing(_no_key(user, character))
        return self._remember(opened)

    def create(self, connection: Connection, user: str | None, character: str, *, now: int) -> ScopeRow:
        """The scope of these two, made if they have never met.

        Raises:
            KeyMissing: there are scopes of the user that no key opens, and no erasure has shut them.
        """
        found = self.find(connection, user, character)
        if found is not None:
            return found
        uid, user_tag, character_tag = new_uid(), self._tag(user, "user"), self._tag(character, "character")
        if user is not None and self._unkeyed(connection, user_tag):
            raise KeyMissing(_no_key(user, character))
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
        """Every scope of one user that is not shut, oldest first; not opened, so that it needs no key."""
        rows = connection.execute(self._where(scopes.c.user_tag == self._tag(user, "user")))
        return [self._closed(row.id, row.uid) for row in rows]

    def unopened(self, connection: Connection) -> list[ScopeRow]:
        """The scopes of users that no key opens and that are not shut, oldest first; damage is left out."""
        rows = connection.execute(self._where(scopes.c.user_tag != b"", ~_is_shut())).all()
        keys = self._keyring.data_keys({self._owner_of(row) for row in rows})
        return [self._closed(row.id, row.uid) for row in rows if _sealed(row, keys.get(self._owner_of(row)))]

    def shut(self, connection: Connection, scope: ScopeRow) -> None:
        """Shut a scope, within a transaction that writes what belongs to the store."""
        mine = (scopes.c.id == scope.id, scopes.c.uid == scope.uid)
        tag = connection.execute(select(scopes.c.user_tag).where(*mine)).scalar_one()
        values = {"uid": new_uid(), "user_tag": _SHUT + tag, "character_tag": scope.uid}
        values["extracted"] = scopes.c.revision  # nothing of it is to be read any more
        connection.execute(update(scopes).where(*mine).values(values))

    def shut_ones(self, connection: Connection, *, user: str | None = None) -> list[ShutScope]:
        """The scopes of a user, or of everybody, that are shut: erasures that are not finished."""
        whose = _is_shut() if user is None else scopes.c.user_tag == _SHUT + self._tag(user, "user")
        return [
            ShutScope(row=self._closed(row.id, row.character_tag), user_tag=row.user_tag.removeprefix(_SHUT))
            for row in connection.execute(self._where(whose))
        ]

    def is_still_shut(self, connection: Connection, shut: ShutScope) -> bool:
        """Whether nobody has erased it since, and given its number away."""
        row, tag = shut.row, _SHUT + shut.user_tag
        query = self._where(
            scopes.c.id == row.id, scopes.c.user_tag == tag, scopes.c.character_tag == row.uid
        )
        return connection.execute(query).first() is not None

    def forget(self, scope: ScopeRow) -> None:
        """Drop an opened scope, after its rows are gone."""
        for names, row in list(self._open.items()):
            if row.uid == scope.uid:
                self._open.pop(names, None)

    def event_keys(self) -> EventKeys:
        """The keys of the events, which belong to no scope."""
        key = self._keyring.data_key(f"{self.tenant}\x1f{_EVENTS}", create=True)
        return EventKeys(
            tenant=self.tenant,
            sealer=Sealer(key),
            blinder=Blinder(derive(key, "blind events")),
            characters=self._blinder,
        )

    def destroy_key(self, connection: Connection, user_tag: bytes) -> bool:
        """Destroy the data key of a user all of whose scopes are shut, by their blinded name.

        What it sealed stays shut for ever, also in old backups. It is done within a transaction that writes
        what belongs to the store, as scopes are made; for where a scope is not shut, its user has come back,
        and the key is a new one.

        Returns:
            Whether there was one.
        """
        if connection.execute(self._where(scopes.c.user_tag == user_tag)).first() is not None:
            return False
        return self._keyring.forget(self._owner(user_tag, b""))

    def _unkeyed(self, connection: Connection, user_tag: bytes) -> bool:
        """Whether a user has scopes, and no key; a key that an erasure left is destroyed first."""
        if connection.execute(self._where(scopes.c.user_tag == user_tag)).first() is not None:
            owner = self._owner(user_tag, b"")
            return owner not in self._keyring.data_keys([owner])
        if connection.execute(self._where(scopes.c.user_tag == _SHUT + user_tag)).first() is not None:
            self.destroy_key(connection, user_tag)
        return False

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

    def _where(self, *chosen: ColumnElement[bool]) -> Select[Any]:
        return select(scopes).where(scopes.c.tenant == self.tenant, *chosen).order_by(scopes.c.id)

    def _opened(self, row: Row[Any], key: bytes) -> ScopeRow | None:
        """A scope under the key of its owner; None where it was sealed under one that was destroyed."""
        sealer, user = Sealer(key), None
        try:
            if row.user_sealed is not None:
                user = sealer.open_text(row.user_sealed, row=row.uid + b"user")
            character = sealer.open_text(row.character_sealed, row=row.uid + b"character")
        except Tampered:
            if _sealed(row, key):
                return None
            raise
        return self._row(row.id, row.uid, user, character, key)

    def _closed(self, number: int, uid: bytes) -> ScopeRow:
        """A scope of which nothing can be opened."""
        return self._row(number, uid, "", "", os.urandom(KEY_BYTES))

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


def _is_shut() -> ColumnElement[bool]:
    return func.substr(scopes.c.user_tag, 1, len(_SHUT)) == _SHUT


def _sealed(row: Row[Any], key: bytes | None) -> bool:
    """Whether no key opens the scope of a user: it has none, or another one since they came back.

    Where only one of both names does not open, it is damaged.
    """
    if key is None:
        return True
    sealer = Sealer(key)
    names = ((row.user_sealed, b"user"), (row.character_sealed, b"character"))
    return row.user_sealed is not None and not any(
        _opens(sealer, sealed, row=row.uid + column) for sealed, column in names
    )


def _opens(sealer: Sealer, sealed: bytes, *, row: bytes) -> bool:
    try:
        sealer.open(sealed, row=row)
    except Tampered:
        return False
    return True


def _no_key(user: str | None, character: str) -> str:
    """What is said where a scope is there, and no key opens it."""
    if user is None:
        return (
            f"no key opens the past of {character!r}: the keyring is older than the store; put its newest "
            "copy there"
        )
    return (
        f"no key opens what there is of {user!r}: an older backup was restored after they were erased, or "
        "the keyring is older than the store. Put the keyring's newest copy there if you have one; if they "
        f"were erased, `omoide erase {shlex.quote(user)}` deletes what is left, and they may begin anew"
    )
