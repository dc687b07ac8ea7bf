"""Keyrings of other stores that a master key opens: they must have the new key before the old one goes."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omoide.errors import OmoideError
from omoide.stores.keys.copies import note_of
from omoide.stores.keys.database_place import DatabasePlace
from omoide.stores.keys.places import FilePlace
from omoide.stores.postgres.database import is_postgres, postgres_url, shown_url
from omoide.stores.postgres.schema import likely_url
from omoide.stores.sqlite import sqlite_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.config import Settings
    from omoide.stores.keys.copies import RingNote
    from omoide.stores.keys.places import Place

_SUFFIX = ".keyring"


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherKeyring:
    """A keyring that does not open with the new master key yet.

    Attributes:
        keyring: where it lies.
        store: the id of its store, as it says.
        command: what gives it the new key. Where it cannot be told which store it belongs to, the command has
            ``…`` in place of what is not known.
        sure: whether the store was seen, so that it is no copy of a keyring.
    """

    keyring: str
    store: str
    command: str
    sure: bool


def kept_key(target: Path, fingerprint: str) -> Path:
    """The file beside a key file where a key that was there before is kept."""
    return target if target.suffix == f".{fingerprint}" else target.with_name(f"{target.name}.{fingerprint}")


def again(*, old: Path | None, new: Path, store: str, keyring: str | None = None) -> str:
    """The command that gives another store a key that is there already.

    Args:
        old: the file of its present key; None where that comes from the environment or a command.
        new: the file of the new one.
        store: a path or a URL.
        keyring: where the keyring lies, if not where it is looked for by default.
    """
    given = {"OMOIDE_MASTER_KEY_FILE": old, "OMOIDE_KEYRING": keyring}
    named = [f"{name}={shlex.quote(str(value))}" for name, value in given.items() if value is not None]
    return " ".join((*named, "omoide key rotate --store", shlex.quote(store), "--new", shlex.quote(str(new))))


def folders_of(settings: Settings) -> list[Path]:
    """Where keyrings of other stores are looked for: beside the key, the store, and the own keyring."""
    found = [settings.master_key_file.expanduser().parent]
    if not is_postgres(settings.store):
        found.append(sqlite_path(settings.store).parent)
    given = settings.keyring
    if given is not None and not is_postgres(str(given)):
        found.append(Path(given).expanduser().parent)
    default = type(settings).model_fields["store"].get_default(call_default_factory=True)
    found.append(Path(default).parent)
    return list(dict.fromkeys(folder.resolve() for folder in found))


def other_keyrings(
    settings: Settings, own: Place, *, old: str, new: str, left: Path | None, file: Path
) -> list[OtherKeyring]:
    """Keyrings that need the old master key, or one that was kept beside it at an earlier rotation.

    Args:
        settings: of the store that has the new key.
        own: its keyring.
        old: the fingerprint of the old key.
        new: that of the new one.
        left: the file of the old one; None where it is in no file.
        file: that of the new one.
    """
    target = settings.master_key_file.expanduser()
    target = target.with_name(target.name.removesuffix(f".{old}"))
    found = []
    for place, note in _notes(settings, own):
        kept = left if note.master == old else kept_key(target, note.master)
        if note.master == new or (note.master != old and not (kept and kept.exists())):
            continue
        store, sure = _store_of(place, settings)
        given = _needed(place, settings, beside=kept or target, sure=sure)
        command = again(old=kept, new=file, store=store, keyring=given)
        found.append(OtherKeyring(keyring=place.name, store=note.store, command=command, sure=sure))
    return found


def _notes(settings: Settings, own: Place) -> Iterator[tuple[Place, RingNote]]:
    """All keyrings but the own one, with what they say of themselves; what is none is passed over."""
    for folder in folders_of(settings):
        try:
            paths = sorted(folder.glob(f"*{_SUFFIX}"))
        except OSError:
            continue
        for path in paths:
            beside = FilePlace(path)
            if beside.name != own.name:
                yield from _read(beside)
    if isinstance(own, DatabasePlace):
        for store in _rows(own):
            place = DatabasePlace(str(settings.keyring), store_id=store)
            try:
                yield from _read(place)
            finally:
                place.close()


def _read(place: Place) -> Iterator[tuple[Place, RingNote]]:
    try:
        note = note_of(place)
    except (OmoideError, OSError):
        return
    yield place, note


def _store_of(place: Place, settings: Settings) -> tuple[str, bool]:
    """The store of a keyring, and whether it was seen."""
    if not isinstance(place, FilePlace):
        return "…", False
    name = place.path.name.removesuffix(_SUFFIX)
    beside = place.path.with_name(name)
    if beside.is_file():
        return str(beside), True
    if is_postgres(settings.store):
        return shown_url(likely_url(postgres_url(settings.store), name)), False
    return f"postgresql+psycopg://…/{name}", False


def _rows(own: DatabasePlace) -> list[str]:
    try:
        return own.others()
    except OmoideError:  # the rotation is done; nothing about it failed
        return []


def _needed(place: Place, settings: Settings, *, beside: Path, sure: bool) -> str | None:
    """Where the keyring lies, where a command would not look for it by itself."""
    if not isinstance(place, FilePlace):
        return None
    found = sure or place.path.parent == beside.resolve().parent
    return None if settings.keyring is None and found else place.name
