"""Copies of a keyring's file, made without the master key: who makes backups need not be able to read."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omoide.errors import InvalidInput, KeyMissing, Tampered
from omoide.stores import private_file

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class RingNote:
    """What a keyring says of itself. It is proved only by the master key.

    Attributes:
        store: the id of the store whose data keys it holds.
        epoch: how many owners were erased from it so far.
        owners: the keyed tags of those whose keys it holds.
    """

    store: str
    epoch: int
    owners: frozenset[str] = field(repr=False)


def note_of(file: Path) -> RingNote:
    """Read what a keyring says of itself.

    Raises:
        KeyMissing: there is no such file.
        Tampered: it is no keyring, or was cut off.
        StoreError: it cannot be read.
    """
    return _noted(_content(file), file)


def copy_keyring(file: Path, to: Path, *, replace: bool) -> RingNote:
    """Copy a keyring, whole or not at all, for its owner alone.

    Args:
        file: the keyring.
        to: where to.
        replace: whether an earlier copy of the same keyring may lie there, whose bytes are overwritten then.

    Raises:
        InvalidInput: what lies there may not be replaced: it is no earlier copy, or has keys that this lacks.
        KeyMissing, Tampered, StoreError: as for `note_of`.
    """
    content = _content(file)
    note = _noted(content, file)
    private_file.make_folder(to.parent)
    with private_file.locked(to):
        if to.exists():
            _refuse_to_lose(to, note, replace=replace)
        private_file.replace(to, content, overwrite_old=True)
    return note


def _refuse_to_lose(to: Path, note: RingNote, *, replace: bool) -> None:
    """Refuse where keys would be lost, or those of erased users would come back."""
    if replace:
        there = note_of(to)
        if there.store == note.store and (
            there.epoch < note.epoch or (there.epoch == note.epoch and there.owners <= note.owners)
        ):
            return
    msg = (
        f"the file {str(to)!r} is not replaced: it is no earlier copy of this keyring, or none may be; "
        "choose another name, or move it away"
    )
    raise InvalidInput(msg)


def _content(file: Path) -> bytes:
    with private_file.our_errors(file):
        try:
            return file.read_bytes()
        except FileNotFoundError:
            msg = (
                f"the keyring {str(file)!r} is not there; nothing opens without it, put its newest copy back"
            )
            raise KeyMissing(msg) from None


def _noted(content: bytes, file: Path) -> RingNote:
    try:
        body = json.loads(content)["body"]
        return RingNote(store=str(body["store"]), epoch=int(body["epoch"]), owners=frozenset(body["keys"]))
    except (ValueError, KeyError, TypeError):
        msg = f"the file {str(file)!r} is no keyring, or was cut off; take another copy of it"
        raise Tampered(msg) from None
