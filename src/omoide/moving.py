"""A whole store to another place: backups of it, back from them, and between SQLite and PostgreSQL.

All of it blocks, and none of it needs the master key, which stays where it is.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.bootstrap import open_database
from omoide.errors import InvalidInput, KeyMissing, KeyWrong, StoreError
from omoide.keychain import keyring_place
from omoide.stores.database import refuse_later
from omoide.stores.keys.copies import copy_keyring, note_of
from omoide.stores.keys.places import FilePlace
from omoide.stores.postgres.database import is_postgres, postgres_url, shown_url
from omoide.stores.postgres.peek import may_hold_store
from omoide.stores.sqlite import sqlite_path
from omoide.stores.whole import backups
from omoide.stores.whole.copying import copy_store
from omoide.stores.whole.extents import count_rows, unhurried, unseen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omoide.config import Settings
    from omoide.stores.database import Database
    from omoide.stores.keys.copies import RingNote
    from omoide.stores.keys.places import Place
    from omoide.stores.whole.extents import Content, Extents, Progress, Step


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """What a backup, a restore or a copy did.

    Attributes:
        source: where the rows came from; a URL without its password.
        target: where they are now.
        store: the store's id, which stays the same.
        extents: what each table holds, in both places.
        keyring: where the keyring belongs without which nothing opens there.
        epoch: how many owners were erased from the keyring that lies there; None where none lies there.
    """

    source: str
    target: str
    store: str
    extents: Extents
    keyring: str
    epoch: int | None


@contextmanager
def unwatched(_label: str, _total: int) -> Iterator[Step]:
    """Progress that nobody watches."""
    yield unseen


def backup(
    settings: Settings, file: Path, *, keyring: Path | None = None, progress: Progress = unwatched
) -> Moved:
    """Write one moment of a store to a file, while others write to it.

    Args:
        settings: of the store.
        file: which must not be there; a SQLite file that is a store itself.
        keyring: where a copy of the keyring goes, which may replace an earlier one. Keep it apart from the
            file: whoever has both and the master key reads everything, and erased users come back with it.
        progress: told how far it is.

    Raises:
        InvalidInput: a file is in the way.
        StoreError: there is no store, or a file cannot be written.
        KeyMissing, KeyWrong, Tampered: a keyring was asked for, and there is none that fits.
    """
    with _opened(settings) as database:
        content = backups.back_up(database, file, progress=progress)
        with _ring(settings, content.store) as own:
            if keyring is None:
                return _moved(database.name, str(file), content, own)
            copied = FilePlace(keyring)
            _refuse_other(note_of(own), own, content.store)
            copy_keyring(own, copied, replace=True)
            return _moved(database.name, str(file), content, copied)


def restore(
    settings: Settings,
    file: Path,
    *,
    replace: bool = False,
    keyring: Path | None = None,
    progress: Progress = unwatched,
) -> Moved:
    """Make a backup the content of a store: all of it or nothing.

    Nobody may use the store meanwhile. Users whose keys are gone from the keyring stay erased.

    Args:
        settings: of the store that is to hold it.
        file: a backup of this release or an earlier one.
        replace: whether what the store holds may be removed.
        keyring: a copy of the keyring to put back, where none lies.
        progress: told how far it is.

    Raises:
        InvalidInput: there is no such file, or a keyring lies there.
        StoreError: it is no backup, or the store is not empty; nothing was changed.
        KeyMissing, KeyWrong, Tampered: the keyring is another store's, or damaged.
    """
    store = backups.store_of(file)
    with _ring(settings, store) as own, _made(settings) as database:
        copied = None if keyring is None else FilePlace(keyring)
        note = _noted(own) if copied is None else note_of(copied)
        if note is not None:
            _refuse_other(note, copied or own, store)
        if not replace:
            backups.refuse_filled(database)
        with _put(copied, own):
            content = backups.restore(file, database, replace=replace, progress=progress)
        return _moved(str(file), database.name, content, own)


def copy(
    source: Settings, target: Settings, *, keyring: bool = False, progress: Progress = unwatched
) -> Moved:
    """Copy every row of a store into an empty database, or finish such a copy; both are compared at the end.

    What is written to the source meanwhile is not in it.

    Args:
        source: the settings of the store.
        target: those of the copy.
        keyring: whether the keyring is copied to where the copy's is looked for.
        progress: told how far it is.

    Raises:
        InvalidInput: both are the same, or a keyring lies there.
        StoreError: there is no store, or the target is not empty and no copy of it.
        KeyMissing, Tampered: there is no keyring that could be copied.
    """
    if _place(source) == _place(target):
        msg = f"a store is copied to another place, got {source.store!r} twice"
        raise InvalidInput(msg)
    with _opened(source) as origin, _opened(target, make=True) as made, origin.read() as connection:
        unhurried(connection)
        with progress("copying", 2 * count_rows(connection)) as step:
            content = copy_store(connection, made, name=origin.name, step=step)
        with _ring(source, content.store) as ring, _ring(target, content.store) as place:
            if keyring and ring.name != place.name:
                copy_keyring(ring, place, replace=True)
            return _moved(origin.name, made.name, content, place)


@contextmanager
def _opened(settings: Settings, *, make: bool = False) -> Iterator[Database]:
    if not make and is_postgres(settings.store) and not may_hold_store(settings.store):
        name = shown_url(postgres_url(settings.store))
        msg = f"there is no store in {name!r}; name one by --store or OMOIDE_STORE"
        raise StoreError(msg)
    if not make and not is_postgres(settings.store):
        path = sqlite_path(settings.store)
        if not path.exists():
            msg = f"there is no store {str(path)!r}; name one by --store or OMOIDE_STORE"
            raise StoreError(msg)
    database = open_database(settings)
    try:
        with database.read() as connection:
            refuse_later(connection, name=database.name)
        yield database
    finally:
        database.close()


@contextmanager
def _made(settings: Settings) -> Iterator[Database]:
    """The database; where it is a file that was not there, it goes again if the work fails."""
    path = None if is_postgres(settings.store) else sqlite_path(settings.store).resolve()
    fresh = path is not None and not path.exists()
    try:
        with _opened(settings, make=True) as database:
            yield database
    except BaseException:
        if path is not None and fresh:
            backups.remove(path)
        raise


@contextmanager
def _ring(settings: Settings, store: str) -> Iterator[Place]:
    place = keyring_place(settings, store=store)
    try:
        yield place
    finally:
        place.close()


@contextmanager
def _put(copied: Place | None, own: Place) -> Iterator[None]:
    """A copy of a keyring where none lies, if there is a copy; it goes again if the work fails."""
    fresh = copied is not None and _noted(own) is None
    if copied is not None:
        copy_keyring(copied, own, replace=False)
    try:
        yield
    except BaseException:
        if fresh:
            own.remove()
        raise


def _place(settings: Settings) -> str:
    store = settings.store
    return store if is_postgres(store) else str(sqlite_path(store).resolve())


def _moved(source: str, target: str, content: Content, keyring: Place) -> Moved:
    note = _noted(keyring)
    return Moved(
        source=source,
        target=target,
        store=content.store,
        extents=content.extents,
        keyring=keyring.name,
        epoch=None if note is None else note.epoch,
    )


def _noted(keyring: Place) -> RingNote | None:
    try:
        return note_of(keyring)
    except KeyMissing:
        return None


def _refuse_other(note: RingNote, keyring: Place, store: str) -> None:
    if note.store != store:
        msg = (
            f"the keyring {keyring.name!r} belongs to store {note.store!r}, and this is {store!r}; "
            "nothing was changed. Put this store's own there, or name its place by OMOIDE_KEYRING"
        )
        raise KeyWrong(msg)
