"""The keys of a store: where its keyring lies, which master key opens it, and how another takes its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import insert
from uuid_utils import uuid7

from omoide.errors import InvalidInput
from omoide.stores.copying import store_id
from omoide.stores.keyring import Keyring, MasterKey
from omoide.stores.keyring_places import DatabasePlace, FilePlace
from omoide.stores.postgres import is_postgres, postgres_url
from omoide.stores.sqlite import sqlite_path
from omoide.stores.tables import meta

if TYPE_CHECKING:
    from omoide.config import Settings
    from omoide.stores.database import Database
    from omoide.stores.keyring_places import Place


@dataclass(frozen=True, kw_only=True, slots=True)
class Rotated:
    """A master key in place of another.

    Attributes:
        old: the fingerprint of the one that was in use.
        new: that of the one in use from now on.
        file: where the new one lies.
        left: the file of the old one, which can be destroyed; None where it is in no file.
        keyring: where the keyring lies; copies of it from before open with the old key.
    """

    old: str
    new: str
    file: Path
    left: Path | None
    keyring: str


def keyring_place(settings: Settings, *, store: str) -> Place:
    """Where the keyring of a store lies: in a file beside it or beside the master key, or where it is set.

    Args:
        settings: of the store.
        store: its id.

    Raises:
        InvalidInput: it is set to the store's own database.
    """
    given = settings.keyring
    if given is not None and is_postgres(str(given)):
        if is_postgres(settings.store) and _database(str(given)) == _database(settings.store):
            msg = "the keyring lies apart from what it opens; name another database than the store's"
            raise InvalidInput(msg)
        return DatabasePlace(str(given), store_id=store)
    return FilePlace(_file(settings) if given is None else Path(given).expanduser())


def master_key(settings: Settings) -> MasterKey:
    """The master key that the settings name.

    Raises:
        KeyMissing, KeyWrong, SealError, StoreError: as for `MasterKey.load`.
    """
    given = None if settings.master_key is None else settings.master_key.get_secret_value()
    return MasterKey.load(
        env=given, command=settings.master_key_command, file=settings.master_key_file.expanduser()
    )


def open_keyring(settings: Settings, database: Database) -> tuple[Keyring, bool]:
    """The keyring of a store, made with the store's id and a master key where they are not there yet.

    Returns:
        The keyring, and whether a master key was made.

    Raises:
        KeyMissing, KeyWrong, Tampered, SealError, StoreError: it cannot be opened; nothing was changed.
    """
    known = _store_id(database)
    if known is not None:
        return _opened(settings, master_key(settings), known, create=False), False
    with database.write() as connection:  # where several open an empty store at once, one makes it
        known = store_id(connection, name=database.name)
        fresh = known is None and _in_file(settings) and not settings.master_key_file.expanduser().exists()
        master = MasterKey.create(settings.master_key_file.expanduser()) if fresh else master_key(settings)
        store = known or str(uuid7())
        keyring = _opened(settings, master, store, create=known is None)
        if known is None:
            connection.execute(insert(meta).values(key="store", value=store))
    return keyring, fresh


def _opened(settings: Settings, master: MasterKey, store: str, *, create: bool) -> Keyring:
    return Keyring.open(keyring_place(settings, store=store), master, store_id=store, create=create)


def rotate(settings: Settings, database: Database, *, new: Path | None = None) -> Rotated:
    """Put a new master key in place of the one in use; the data keys, and all that is stored, stay the same.

    Where the old one lies in a file, the new one takes its place, and the old one is left beside it. A crash
    leaves both keys on the disk.

    Args:
        settings: of the store.
        database: the store's.
        new: the file of the new key, which is made there if there is none; beside the old one by default.

    Raises:
        InvalidInput: the new key is the old one, or nothing says where a new one goes.
        KeyMissing, KeyWrong, Tampered, SealError, StoreError: the old key still fits.
    """
    target, old = settings.master_key_file.expanduser(), master_key(settings)
    if new is None and not _in_file(settings):
        msg = "the master key comes from the environment or a command; say by --new where the new one goes"
        raise InvalidInput(msg)
    fresh = target.with_name(f"{target.name}.new") if new is None else new.expanduser()
    key = MasterKey.load(env=None, command=None, file=fresh) if fresh.exists() else MasterKey.create(fresh)
    if key.fingerprint == old.fingerprint:
        msg = f"{str(fresh)!r} holds the key that is in use already; nothing was changed"
        raise InvalidInput(msg)
    store = _store_id(database) or ""
    keyring = Keyring.open(keyring_place(settings, store=store), old, store_id=store, create=False)
    left = target.with_name(f"{target.name}.{old.fingerprint}") if _in_file(settings) else None
    try:
        if left is not None and not left.exists():
            old.save(left)
        keyring.rotate(key)
    finally:
        keyring.close()
    if left is None:
        return Rotated(old=old.fingerprint, new=key.fingerprint, file=fresh, left=None, keyring=keyring.name)
    key.put(target)
    if new is None:
        fresh.unlink()
    return Rotated(old=old.fingerprint, new=key.fingerprint, file=target, left=left, keyring=keyring.name)


def _in_file(settings: Settings) -> bool:
    return settings.master_key is None and settings.master_key_command is None


def _file(settings: Settings) -> Path:
    if is_postgres(settings.store):
        beside = settings.master_key_file.expanduser()
        return beside.with_name(f"{postgres_url(settings.store).database}.keyring")
    path = sqlite_path(settings.store)
    return path.with_name(path.name + ".keyring")


def _store_id(database: Database) -> str | None:
    with database.of("").read() as connection:
        return store_id(connection, name=database.name)


def _database(location: str) -> tuple[object, ...]:
    url = postgres_url(location)
    return url.host, url.port, url.database, url.query.get("host")
