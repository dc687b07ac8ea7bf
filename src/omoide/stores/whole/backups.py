"""Backups: one SQLite file that is a store itself, whichever database it came from, and can become either.

A backup is one moment of the store, taken while others write. It holds rows only, so bytes that were deleted
before are not in it; and it does not hold the keyring, without which none of its words open (ruling 26).
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from omoide.errors import InvalidInput, StoreCorrupt, StoreError
from omoide.stores.database import refuse_later
from omoide.stores.keys.private_file import our_errors
from omoide.stores.marks import unmark
from omoide.stores.sqlite import SqliteDatabase, sqlite_errors
from omoide.stores.whole.copying import copy_rows, copy_store, store_id, truncate
from omoide.stores.whole.extents import MARK, Content, count_rows, extents, unhurried, unseen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.stores.database import Database
    from omoide.stores.whole.extents import Progress, Step

_OFTEN: Final = 20_000
"""Steps of SQLite's machine after which it is asked how far it is."""

_WAIT: Final = 15.0
"""Seconds that a restore waits for a writer."""

_PAGES: Final = 250
"""Pages that are restored at a time; in one transaction all the same."""


def back_up(database: Database, file: Path, *, progress: Progress) -> Content:
    """Write a backup: the whole file, or none. It blocks, and nobody who reads or writes waits for it.

    Args:
        database: of the store.
        file: which must not be there yet; only its owner may read it.
        progress: told how far it is.

    Raises:
        InvalidInput: there is a file of that name.
        StoreError: there is no store, or the file cannot be written.
    """
    if file.exists():
        msg = f"there is a file {str(file)!r} already, and no backup is overwritten; choose another name"
        raise InvalidInput(msg)
    with database.read() as connection:
        refuse_later(connection, name=database.name)
        if store_id(connection, name=database.name) is None:
            msg = f"there is nothing to back up: {database.name!r} holds no store yet"
            raise StoreError(msg)
    with _part_of(file) as part:
        if isinstance(database, SqliteDatabase):
            source = Path(database.name)
            with progress("backing up", source.stat().st_size) as step:
                _condense(source, part, step=step)
        else:
            _carry_over(database, part, progress)
        taken = _checked(part)
        with our_errors(file):
            _keep(part)
            part.rename(file)
    return taken


def restore(file: Path, database: Database, *, replace: bool, progress: Progress) -> Content:
    """Make a backup the content of a store, as a whole or not at all. It blocks.

    Args:
        file: a backup, or a store in SQLite of this release or an earlier one; it is left as it is.
        database: where to; nobody may use it meanwhile, for what is in memory would be of another time.
        replace: whether rows that are there may be removed.
        progress: told how far it is.

    Raises:
        InvalidInput: there is no such file.
        StoreNewer: a later release wrote it.
        StoreError: it is no store or damaged, or the database is not empty.
    """
    store_of(file)
    if not replace:
        refuse_filled(database)
    with _part_of(_unpacked(database)) as part:
        _condense(file, part, step=unseen)
        origin = _current(part, file)
        try:
            return _made_whole(origin, part, database, progress)
        finally:
            origin.close()


def refuse_filled(database: Database) -> None:
    """Refuse to restore where something is.

    Raises:
        StoreError: the database is not empty.
    """
    with database.read() as connection:
        filled = count_rows(connection) > 0
    if filled:
        msg = (
            f"the store {database.name!r} is not empty, and nothing was restored; choose another place, "
            "or give --replace, which removes what it holds"
        )
        raise StoreError(msg)


def store_of(file: Path) -> str:
    """The id of the store that a backup holds.

    Raises:
        InvalidInput: there is no such file.
        StoreCorrupt: it is no whole store.
    """
    if not file.is_file():
        msg = f"there is no backup {str(file)!r}"
        raise InvalidInput(msg)
    with sqlite_errors(str(file)), closing(_reading(file)) as connection:
        tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE name IN ('meta', 'scopes')")
        known = "SELECT key, value FROM meta WHERE key IN ('store', ?)"
        found = dict(connection.execute(known, (MARK,)).fetchall()) if tables.fetchone() == (2,) else {}
    if "store" not in found or MARK in found:
        msg = f"{str(file)!r} is no backup: it holds no store, or a part of one"
        raise StoreCorrupt(msg)
    return str(found["store"])


def may_hold_store(file: Path) -> bool:
    """Whether a file holds a store, or cannot tell: whoever opens it then finds out why.

    One that is empty, or has tables that nobody has written to, holds none.
    """
    if not file.is_file():
        return file.exists()
    try:
        with closing(_reading(file)) as connection:
            if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                return False
            known = "SELECT 1 FROM meta WHERE key IN ('store', ?)"
            return connection.execute(known, (MARK,)).fetchone() is not None
    except sqlite3.Error:
        return True


def _made_whole(origin: SqliteDatabase, part: Path, database: Database, progress: Progress) -> Content:
    with origin.read() as connection:
        store = store_of(part)
        if isinstance(database, SqliteDatabase):
            held = extents(connection)
            with progress("restoring", part.stat().st_size) as step:
                _overwrite(part, Path(database.name), step=step)
        else:
            rows = count_rows(connection)
            with progress("restoring", rows) as step, database.write() as into:
                unhurried(into)
                truncate(into)
                held = copy_rows(connection, lambda: nullcontext(into), step=step)
    with database.read() as connection:
        if extents(connection) != held:
            msg = f"{database.name!r} differs from the backup; something wrote to it. Restore it again"
            raise StoreCorrupt(msg)
    return Content(store=store, extents=held)


def _condense(source: Path, file: Path, *, step: Step) -> None:
    """Write the rows of a SQLite file to a new one, in one snapshot and without what was deleted."""
    done = 0

    def tell() -> None:
        nonlocal done
        written = file.stat().st_size if file.exists() else 0
        step(written - done)
        done = written

    with sqlite_errors(str(source)), closing(_reading(source)) as reading:
        reading.set_progress_handler(tell, _OFTEN)
        try:
            reading.execute("VACUUM INTO ?", (str(file),))
        except sqlite3.OperationalError as error:  # some damage looks to it like a full disk
            if reading.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                msg = f"{str(source)!r} is damaged, and nothing was changed; take another backup"
                raise StoreCorrupt(msg) from error
            raise
    tell()


def _reading(file: Path) -> sqlite3.Connection:
    """A connection that changes nothing; `SqliteDatabase` would bring the schema up to date."""
    return sqlite3.connect(f"file:{quote(str(file.absolute()))}?mode=ro", uri=True)


def _carry_over(database: Database, file: Path, progress: Progress) -> None:
    made = SqliteDatabase.open(file)
    try:
        with database.read() as connection:
            unhurried(connection)
            with progress("backing up", 2 * count_rows(connection)) as step:
                copy_store(connection, made, name=database.name, step=step)
    finally:
        made.close()


def _checked(file: Path) -> Content:
    made = SqliteDatabase.open(file)
    try:
        damage = made.healthy()
        with made.write() as connection:
            refuse_later(connection, name=made.name)
            unmark(connection)
        with made.read() as connection:
            store = store_id(connection, name=made.name)
            found = extents(connection)
    finally:
        made.close()
    if damage or store is None:
        msg = f"the backup came out damaged ({damage[:1]}); look after the disk, and try again"
        raise StoreCorrupt(msg)
    return Content(store=store, extents=found)


def _overwrite(source: Path, target: Path, *, step: Step) -> None:
    """Make one SQLite file the content of another, also while others have it open."""
    done = 0

    def tell(_status: int, remaining: int, total: int) -> None:
        nonlocal done
        step((total - remaining - done) * page)
        done = total - remaining

    with (
        sqlite_errors(str(target)),
        closing(_reading(source)) as reading,
        closing(sqlite3.connect(target, timeout=_WAIT)) as writing,
    ):
        (page,) = reading.execute("PRAGMA page_size").fetchone()
        reading.backup(writing, pages=_PAGES, progress=tell)


def _keep(file: Path) -> None:
    """One file without a log beside it, which outlives a power cut."""
    with sqlite_errors(str(file)), closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    descriptor = os.open(file, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _part_of(file: Path) -> Iterator[Path]:
    """A file for its owner alone, in the same folder; gone afterwards unless it was given a name."""
    part = file.with_name(f".{file.name}.part")
    remove(part)
    with our_errors(part):
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield part
    finally:
        remove(part)


def remove(file: Path) -> None:
    """Remove a SQLite file, with what lies beside it."""
    for name in (file.name, f"{file.name}-wal", f"{file.name}-shm", f"{file.name}-journal"):
        file.with_name(name).unlink(missing_ok=True)


def _unpacked(database: Database) -> Path:
    """Where a backup is brought up to date: beside the store, if that is a file."""
    if isinstance(database, SqliteDatabase):
        return Path(database.name)
    return Path(tempfile.gettempdir()) / f"omoide-{os.getpid()}.db"


def _current(part: Path, file: Path) -> SqliteDatabase:
    """A copy of a backup with the current schema, of which no index of vectors knows."""
    try:
        made = SqliteDatabase.open(part)
        with made.write() as connection:
            refuse_later(connection, name=str(file))
            unmark(connection)
    except StoreError as error:
        raise type(error)(str(error).replace(str(part), str(file))) from error
    return made
