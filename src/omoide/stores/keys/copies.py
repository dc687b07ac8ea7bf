"""Copies of a keyring, made without the master key: who makes backups need not be able to read them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omoide.errors import InvalidInput, Tampered

if TYPE_CHECKING:
    from omoide.stores.keys.places import Place


@dataclass(frozen=True, kw_only=True, slots=True)
class RingNote:
    """What a keyring says of itself. It is proved only by the master key.

    Attributes:
        store: the id of the store whose data keys it holds.
        master: the fingerprint of the master key that it needs.
        epoch: how many owners were erased from it so far.
        owners: the keyed tags of those whose keys it holds.
    """

    store: str
    master: str
    epoch: int
    owners: frozenset[str] = field(repr=False)


def note_of(place: Place) -> RingNote:
    """Read what a keyring says of itself.

    Raises:
        KeyMissing: there is none.
        Tampered: it is no keyring, or was cut off.
        StoreError: it cannot be read.
    """
    content, _ = place.read()
    return _noted(content, place.name)


def copy_keyring(source: Place, target: Place, *, replace: bool) -> None:
    """Copy a keyring, whole or not at all.

    Args:
        source: where it lies.
        target: where to.
        replace: whether an earlier copy of the same keyring may lie there, whose bytes are overwritten then.

    Raises:
        InvalidInput: what lies there may not be replaced: it is no earlier copy, or has keys that this lacks.
        KeyMissing, Tampered, StoreError: as for `note_of`.
    """
    content, _ = source.read()
    note = _noted(content, source.name)
    target.begin(content)  # where there is none
    with target.locked():
        there, _ = target.read()
        if there != content:
            if not (replace and _is_earlier(_noted(there, target.name), note)):
                msg = (
                    f"the keyring {target.name!r} is not replaced: it is no earlier copy, or none "
                    "may be; choose another name, or move it away"
                )
                raise InvalidInput(msg)
            target.replace(content, overwrite_old=True)


def _is_earlier(there: RingNote, note: RingNote) -> bool:
    """Whether nothing is lost with it but what was erased."""
    if there.store != note.store:
        return False
    return there.epoch < note.epoch or (there.epoch == note.epoch and there.owners <= note.owners)


def _noted(content: bytes, name: str) -> RingNote:
    try:
        body = json.loads(content)["body"]
        return RingNote(
            store=str(body["store"]),
            master=str(body["master"]),
            epoch=int(body["epoch"]),
            owners=frozenset(body["keys"]),
        )
    except (ValueError, KeyError, TypeError):
        msg = f"{name!r} is no keyring, or was cut off; take another copy of it"
        raise Tampered(msg) from None
