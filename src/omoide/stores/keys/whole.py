"""Data keys that are read and written whole, in a file: as simple as can be, up to some 10,000 owners.

A crash leaves the old file or the new one, a copy of it is a plain copy, and what is erased is overwritten.
That takes as long as the disk needs, and a millisecond or two of work for each 1,000 owners; nothing waits
for it but the first words of somebody new.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from omoide.errors import Tampered
from omoide.stores.sealing import KEY_BYTES, Blinder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omoide.stores.keys.content import Body
    from omoide.stores.keys.places import FilePlace, Stamp
    from omoide.stores.keys.vault import Vault


class WholeKeys:
    """The data keys in a file, as it was read last; it is read again once it has changed."""

    def __init__(self, place: FilePlace, vault: Vault) -> None:
        self._place = place
        self._ring = _load(place, vault)
        self._turn = threading.RLock()

    @property
    def epoch(self) -> int:
        """How many owners were erased."""
        return self._current().body.epoch

    def of(self, owners: Iterable[str]) -> dict[str, bytes]:
        """The keys of those who have one."""
        ring = self._current()
        found = {owner: ring.key_of(owner) for owner in owners}
        return {owner: key for owner, key in found.items() if key is not None}

    def make(self, owner: str) -> bytes:
        """The key of an owner, made if there is none."""
        with self._place.locked():
            ring = self._current()
            known = ring.key_of(owner)
            if known is not None:
                return known
            key, tag = os.urandom(KEY_BYTES), ring.tag(owner)
            self._store(ring, {**ring.keys, tag: ring.vault.wrap(tag, key)})
            return key

    def forget(self, owner: str) -> bool:
        """Destroy an owner's key; False if there was none."""
        with self._place.locked():
            ring = self._reload()
            tag = ring.tag(owner)
            if tag not in ring.keys:
                return False
            rest = {other: key for other, key in ring.keys.items() if other != tag}
            self._store(ring, rest, erased=1)
        return True

    def rotate(self, new: Vault) -> None:
        """Wrap everything under a new master key."""
        with self._place.locked():
            ring = self._reload()
            body = ring.vault.rewrapped(ring.body, new=new)
            self._write(replace(ring, vault=new, body=body), overwrite_old=True)

    def _current(self) -> _Ring:
        ring = self._ring
        stamp = self._place.stamp()
        return ring if stamp is not None and stamp == ring.stamp else self._reload()

    def _reload(self) -> _Ring:
        with self._turn:
            self._ring = ring = _load(self._place, self._ring.vault)
            return ring

    def _store(self, ring: _Ring, keys: dict[str, str], *, erased: int = 0) -> None:
        body = replace(ring.body, keys=keys, epoch=ring.body.epoch + erased)
        self._write(replace(ring, body=body), overwrite_old=bool(erased))

    def _write(self, ring: _Ring, *, overwrite_old: bool) -> None:
        # A copy out of a database becomes a file as all releases read it.
        body = replace(ring.body, total=None)
        with self._turn:  # no other thread reads the new version with the old master key
            stamp = self._place.replace(ring.vault.write(body), overwrite_old=overwrite_old)
            self._ring = replace(ring, body=body, stamp=stamp, opened={})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Ring:
    """One version of the file, with the keys that were unwrapped from it so far."""

    vault: Vault
    body: Body
    tag_key: bytes = field(repr=False)
    stamp: Stamp
    opened: dict[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def keys(self) -> dict[str, str]:
        return self.body.keys or {}

    def tag(self, owner: str) -> str:
        return Blinder(self.tag_key).tag(owner, purpose="owner").hex()

    def key_of(self, owner: str) -> bytes | None:
        known = self.opened.get(owner)
        if known is not None:
            return known
        tag = self.tag(owner)
        wrapped = self.keys.get(tag)
        if wrapped is None:
            return None
        return self.opened.setdefault(owner, self.vault.unwrap(tag, wrapped))


def _load(place: FilePlace, vault: Vault) -> _Ring:
    while True:
        content, stamp = place.version()
        try:
            body = vault.entire(content)
            return _Ring(vault=vault, body=body, tag_key=vault.tag_key(body), stamp=stamp)
        except Tampered:
            # A version that was replaced while we read it may have been overwritten; its successor is whole.
            if place.version()[1] == stamp:
                raise
