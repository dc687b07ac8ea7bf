"""The keys of a store: where its keyring lies, which master key opens it, and how another takes its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import insert
from uuid_utils import uuid7

from omoide.addresses import check_file
from omoide.errors import InvalidInput, KeyWrong, OmoideError
from omoide.other_keyrings import again, kept_key, other_keyrings
from omoide.stores.keys.copies import copy_keyring, note_of
from omoide.stores.keys.database_place import DatabasePlace
from omoide.stores.keys.keyring import Keyring, MasterKey
from omoide.stores.keys.places import FilePlace
from omoide.stores.postgres.database import is_postgres, postgres_url, shown_url
from omoide.stores.postgres.schema import short_name
from omoide.stores.sqlite import sqlite_path
from omoide.stores.tables import meta
from omoide.stores.whole.copying import store_id

if TYPE_CHECKING:
    from omoide.config import Settings
    from omoide.other_keyrings import OtherKeyring
    from omoide.stores.database import Database


@dataclass(frozen=True, kw_only=True, slots=True)
class Rotated:
    """A master key in place of another.

    Attributes:
        old: the fingerprint of the one that was in use.
        new: that of the one in use from now on.
        file: where the new one lies.
        left: the file of the old one, to destroy once no store needs it; None where it is in no file.
        keyring: where the keyring lies; copies of it from before open with the old key.
        others: keyrings that still need the old key, or one that was kept at an earlier rotation.
    """

    old: str
    new: str
    file: Path
    left: Path | None
    keyring: str
    others: tuple[OtherKeyring, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Carried:
    """A keyring copied to another place.

    Attributes:
        source: where it lies.
        target: where its copy lies.
        epoch: how many owners were erased from it so far.
    """

    source: str
    target: str
    epoch: int


def keyring_place(settings: Settings, *, store: str) -> FilePlace | DatabasePlace:
    """Where the keyring of a store lies: in a file beside it or beside the master key, or where it is set.

    Args:
        settings: of the store.
        store: its id.

    Raises:
        InvalidInput: it is set to the store's own database, or to what is neither a file nor a database.
    """
    given = settings.keyring
    if given is not None and is_postgres(str(given)):
        if is_postgres(settings.store) and _database(str(given)) == _database(settings.store):
            msg = "the keyring lies apart from what it opens; name another database than the store's"
            raise InvalidInput(msg)
        return DatabasePlace(str(given), store_id=store)
    if given is None:
        return FilePlace(_file(settings))
    return FilePlace(Path(check_file(str(given), what="keyring", such="haru.keyring")).expanduser())


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
    try:
        return Keyring.open(keyring_place(settings, store=store), master, store_id=store, create=create)
    except KeyWrong as error:
        raise KeyWrong(f"{error}{_way_out(settings, store)}") from None


def _way_out(settings: Settings, store: str) -> str:
    """How to give the store the key in use, where its own was left beside that at a rotation."""
    place = keyring_place(settings, store=store)
    try:
        wanted = note_of(place).master
    except OmoideError:
        return ""
    finally:
        place.close()
    target = settings.master_key_file.expanduser()
    kept = kept_key(target, wanted)
    if not _in_file(settings) or kept == target or not kept.exists():
        return ""
    name = settings.store
    shown = shown_url(postgres_url(name)) if is_postgres(name) else name
    command = again(old=kept, new=target, store=shown)
    return f". Another store was given a new key; give it to this store too: {command}"


def rotate(settings: Settings, database: Database, *, new: Path | None = None) -> Rotated:
    """Put a new master key in place of the one in use; the data keys, and all that is stored, stay the same.

    Where the old one lies in a file, the new one takes its place, and the old one is left beside it, for
    other stores may need it. Where the file of the old one is such a file that was left, it stays as it is. A
    crash leaves both keys on the disk.

    Args:
        settings: of the store.
        database: the store's.
        new: the file of the new key, which is made there if there is none; beside the old one by default, or
            the one that the old one was left beside.

    Raises:
        InvalidInput: the new key is the old one, or nothing says where a new one goes.
        KeyMissing, KeyWrong, Tampered, SealError, StoreError: the old key still fits.
    """
    target, old = settings.master_key_file.expanduser(), master_key(settings)
    if new is None and not _in_file(settings):
        msg = "the master key comes from the environment or a command; say by --new where the new one goes"
        raise InvalidInput(msg)
    left = kept_key(target, old.fingerprint) if _in_file(settings) else None
    stays = left is None or left == target  # the new key takes the place of none
    if new is not None:
        fresh = new.expanduser()
    else:
        fresh = target.with_suffix("") if stays else target.with_name(f"{target.name}.new")
    store = _store_id(database) or ""
    place = keyring_place(settings, store=store)
    keyring = _opened(settings, old, store, create=False)
    try:
        key = (
            MasterKey.load(env=None, command=None, file=fresh) if fresh.exists() else MasterKey.create(fresh)
        )
        if key.fingerprint == old.fingerprint:
            msg = f"{str(fresh)!r} holds the key that is in use already; nothing was changed"
            raise InvalidInput(msg)
        if left is not None and not left.exists():
            old.save(left)
        keyring.rotate(key)
        if not stays:
            key.put(target)
            if new is None:
                fresh.unlink()
        file = fresh if stays else target
        others = other_keyrings(
            settings, place, old=old.fingerprint, new=key.fingerprint, left=left, file=file
        )
    finally:
        keyring.close()
        place.close()
    return Rotated(
        old=old.fingerprint,
        new=key.fingerprint,
        file=file,
        left=left,
        keyring=keyring.name,
        others=tuple(others),
    )


def carry(settings: Settings, database: Database, *, to: str) -> Carried:
    """Copy the keyring of a store to where it is to lie from then on; needs no master key.

    What another process adds to it meanwhile is not in the copy, so nobody may use the store until the
    setting `keyring` says the new place. An earlier copy that lies there is brought up to date.

    Args:
        settings: of the store, which name the old place.
        database: the store's.
        to: a path, or the URL of a database, as the setting takes it.

    Raises:
        InvalidInput: it lies there already, or another keyring does.
        KeyMissing, KeyWrong, Tampered, StoreError: it cannot be read or written; the old one stays.
    """
    store = _store_id(database) or ""
    source = keyring_place(settings, store=store)
    target = keyring_place(settings.model_copy(update={"keyring": to}), store=store)
    try:
        if source.name == target.name:
            msg = f"the keyring lies in {source.name!r} already; name another place"
            raise InvalidInput(msg)
        copy_keyring(source, target, replace=True)
        return Carried(source=source.name, target=target.name, epoch=note_of(target).epoch)
    finally:
        source.close()
        target.close()


def _in_file(settings: Settings) -> bool:
    return settings.master_key is None and settings.master_key_command is None


def _file(settings: Settings) -> Path:
    if is_postgres(settings.store):
        beside = settings.master_key_file.expanduser()
        return beside.with_name(f"{short_name(postgres_url(settings.store))}.keyring")
    path = sqlite_path(settings.store)
    return path.with_name(path.name + ".keyring")


def _store_id(database: Database) -> str | None:
    with database.of("").read() as connection:
        return store_id(connection, name=database.name)


def _database(location: str) -> tuple[object, ...]:
    url = postgres_url(location)
    return url.host, url.port, url.database, url.query.get("host")
