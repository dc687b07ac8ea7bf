"""Copies of a keyring, made without the master key: who makes backups need not be able to read them."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as other
from typing import TYPE_CHECKING

from omoide.errors import InvalidInput
from omoide.stores.keys.content import entire

if TYPE_CHECKING:
    from omoide.stores.keys.content import Body
    from omoide.stores.keys.places import Place


@dataclass(frozen=True, kw_only=True, slots=True)
class RingNote:
    """What a keyring says of itself. It is proved only by the master key.

    Attributes:
        store: the id of the store whose data keys it holds.
        master: the fingerprint of the master key that it needs.
        epoch: how many owners were erased from it so far.
    """

    store: str
    master: str
    epoch: int


def note_of(place: Place) -> RingNote:
    """Read what a keyring says of itself.

    Raises:
        KeyMissing: there is none.
        KeyWrong: a later release wrote it.
        Tampered: it is no keyring, or was cut off.
        StoreError: it cannot be read.
    """
    body = entire(place.read(), name=place.name)
    return RingNote(store=body.store, master=body.master, epoch=body.epoch)


def copy_keyring(source: Place, target: Place, *, replace: bool) -> None:
    """Copy a keyring, whole or not at all.

    Args:
        source: where it lies.
        target: where to.
        replace: whether an earlier copy of the same keyring may lie there, whose bytes are overwritten then.

    Raises:
        InvalidInput: what lies there may not be replaced: it is no earlier copy, or has keys that this lacks.
        KeyMissing, KeyWrong, Tampered, StoreError: as for `note_of`.
    """
    content = source.read()
    body = entire(content, name=source.name)
    target.begin(content)  # where there is none

    def copied(there: bytes) -> bytes | None:
        known = entire(there, name=target.name)
        if _same(known, body):
            return None
        if not (replace and _is_earlier(known, body)):
            msg = (
                f"the keyring {target.name!r} is not replaced: it is no earlier copy, or none "
                "may be; choose another name, or move it away"
            )
            raise InvalidInput(msg)
        return content

    target.revise(copied)


def _same(there: Body, body: Body) -> bool:
    """Whether both say the same, however their wholeness is proved."""
    return other(there, total=None) == other(body, total=None)


def _is_earlier(there: Body, body: Body) -> bool:
    """Whether nothing is lost with it but what was erased."""
    if there.store != body.store:
        return False
    gone = (there.keys or {}).keys() - (body.keys or {}).keys()
    return there.epoch < body.epoch or (there.epoch == body.epoch and not gone)
