"""The keyring: every owner's data key, wrapped by the master key, apart from the store (ruling 26).

A backup of the store does not hold it. So erasing an owner from the keyring shuts what was sealed for them in
every backup of the store too, as long as the copies of the keyring with a lower epoch are destroyed.

It lies in a file, or in a row of a database that several machines reach, and is written whole for each new
owner, so that a crash leaves the old one or the new one. That takes as long as the disk needs, and less than
one millisecond of work for each 1,000 owners; nothing waits for it but the first words of somebody new.

Its content is JSON. The body holds the store's id, the epoch, the fingerprint of the master key, the key of
the owners' tags, and the data keys; a check over the body makes damage an error rather than a lost key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omoide.errors import InvalidInput, KeyMissing, KeyWrong, Tampered
from omoide.stores.keys.masterkey import MasterKey
from omoide.stores.keys.places import FilePlace
from omoide.stores.sealing import KEY_BYTES, Blinder, Sealer

if TYPE_CHECKING:
    from collections.abc import Callable

    from omoide.stores.keys.places import Place, Stamp

__all__ = ["Keyring", "MasterKey"]

_FORMAT = "omoide-keyring-1"
_TAG_ROW = "tags"


class Keyring:
    """The data keys of one store. Threads and processes may share them; each sees the others' changes."""

    def __init__(self, place: Place, *, store_id: str, ring: _Ring) -> None:
        self._place = place
        self._store_id = store_id
        self._ring = ring
        self._turn = threading.RLock()

    @classmethod
    def open(cls, place: Path | Place, master: MasterKey, *, store_id: str, create: bool) -> Keyring:
        """Open the keyring of a store.

        Args:
            place: its file, or where else it lies.
            master: the key that it is wrapped under.
            store_id: the id of the store that it belongs to.
            create: make a new one if there is none. Say so for a new store only: what an existing store holds
                does not open with new keys.

        Raises:
            KeyMissing: there is none, and `create` is false.
            KeyWrong: it is wrapped under another master key, or belongs to another store.
            Tampered: it is damaged. Nothing was changed.
            StoreError: it cannot be read or written.
        """
        if isinstance(place, Path):
            place = FilePlace(place)
        vault = _Vault(master, store_id=store_id, name=place.name)
        try:
            if create:
                place.begin(vault.write(_new_ring(vault)))
            return cls(place, store_id=store_id, ring=_load(place, vault))
        except BaseException:
            place.close()
            raise

    @property
    def store_id(self) -> str:
        """The id of the store that it belongs to."""
        return self._store_id

    @property
    def name(self) -> str:
        """Where it lies, as it is shown."""
        return self._place.name

    @property
    def epoch(self) -> int:
        """How many owners were erased so far; a copy of the keyring with a lower epoch must be destroyed."""
        return self._current().epoch

    def data_key(self, owner: str, *, create: bool) -> bytes:
        """The data key of an owner, 32 bytes.

        Ask anew for every transaction rather than keeping it: another process may have erased the owner.

        Args:
            owner: tenant, kind and name, such as ``/user:minjun``; only a keyed tag of it is kept.
            create: make a key if the owner has none.

        Raises:
            InvalidInput: the owner is empty.
            KeyMissing: the owner has no key, and `create` is false; or the keyring is gone.
            KeyWrong: another process rotated the master key.
            Tampered: the keyring is damaged.
            StoreError: it cannot be read or written.
        """
        ring = self._current()
        known = ring.open_keys.get(owner)
        if known is not None:
            return known
        if not owner:
            msg = f"an owner has a name, got {owner!r}"
            raise InvalidInput(msg)
        if ring.tag(owner) not in ring.wrapped:
            ring = self._with_key(owner) if create else self._reload()
        return ring.key_of(owner)

    def data_keys(self) -> Callable[[str], bytes]:
        """The data keys as they are now, for one transaction that needs many; raises as `data_key` does."""
        return self._current().key_of

    def close(self) -> None:
        """Let go of the place."""
        self._place.close()

    def forget(self, owner: str) -> bool:
        """Destroy an owner's key; what it sealed stays shut, also in backups of the store.

        Returns:
            False if the owner had no key.

        Raises:
            KeyMissing, KeyWrong, Tampered, StoreError: as for `data_key`.
        """
        with self._place.locked():
            ring = self._reload()
            tag = ring.tag(owner)
            if tag not in ring.wrapped:
                return False
            rest = {other: key for other, key in ring.wrapped.items() if other != tag}
            self._store(replace(ring, epoch=ring.epoch + 1, wrapped=rest), overwrite_old=True)
        return True

    def rotate(self, new: MasterKey) -> None:
        """Wrap everything under a new master key, in one step; the data keys stay as they are.

        Other processes that hold the old key get `KeyWrong` from then on, until they load the new one.

        Raises:
            KeyMissing, KeyWrong, Tampered, StoreError: as for `data_key`; the old master key still fits.
        """
        with self._place.locked():
            ring = self._reload()
            vault = _Vault(new, store_id=self._store_id, name=self._place.name)
            wrapped = {tag: vault.wrap(tag, ring.vault.unwrap(tag, key)) for tag, key in ring.wrapped.items()}
            self._store(replace(ring, vault=vault, wrapped=wrapped), overwrite_old=True)

    def _current(self) -> _Ring:
        ring = self._ring
        stamp = self._place.stamp()
        return ring if stamp is not None and stamp == ring.stamp else self._reload()

    def _reload(self) -> _Ring:
        with self._turn:
            self._ring = ring = _load(self._place, self._ring.vault)
            return ring

    def _with_key(self, owner: str) -> _Ring:
        with self._place.locked():
            ring = self._current()
            tag = ring.tag(owner)
            if tag in ring.wrapped:
                return ring
            key = ring.vault.wrap(tag, os.urandom(KEY_BYTES))
            return self._store(replace(ring, wrapped={**ring.wrapped, tag: key}), overwrite_old=False)

    def _store(self, ring: _Ring, *, overwrite_old: bool) -> _Ring:
        with self._turn:  # no other thread reads the new version with the old master key
            stamp = self._place.replace(ring.vault.write(ring), overwrite_old=overwrite_old)
            self._ring = ring = replace(ring, stamp=stamp, open_keys={})
            return ring


@dataclass(frozen=True, kw_only=True, slots=True)
class _Ring:
    """One version of a keyring, with the keys that were unwrapped from it so far."""

    vault: _Vault
    epoch: int
    tag_key: bytes = field(repr=False)
    wrapped: dict[str, str]
    stamp: Stamp | None = None
    open_keys: dict[str, bytes] = field(default_factory=dict, repr=False)

    def tag(self, owner: str) -> str:
        return Blinder(self.tag_key).tag(owner, purpose="owner").hex()

    def key_of(self, owner: str) -> bytes:
        tag = self.tag(owner)
        wrapped = self.wrapped.get(tag)
        if wrapped is None:
            msg = f"{owner!r} has no data key: they were erased, or nothing was ever stored for them"
            raise KeyMissing(msg)
        return self.open_keys.setdefault(owner, self.vault.unwrap(tag, wrapped))


class _Vault:
    """Reads and writes the content under one master key."""

    def __init__(self, master: MasterKey, *, store_id: str, name: str) -> None:
        self._sealer = Sealer(master.derive("wrapping of data keys"))
        self._check_key = master.derive("check of the keyring")
        self._fingerprint = master.fingerprint
        self._store_id = store_id
        self._name = name

    def wrap(self, tag: str, key: bytes) -> str:
        return base64.b64encode(self._sealer.seal(key, row=self._row(tag))).decode()

    def unwrap(self, tag: str, wrapped: str) -> bytes:
        return self._sealer.open(base64.b64decode(wrapped), row=self._row(tag))

    def write(self, ring: _Ring) -> bytes:
        body = {
            "format": _FORMAT,
            "store": self._store_id,
            "epoch": ring.epoch,
            "master": self._fingerprint,
            "tags": self.wrap(_TAG_ROW, ring.tag_key),
            "keys": ring.wrapped,
        }
        content = _canonical(body)
        return b'{"body":' + content + b',"check":"' + self._check(content).encode() + b'"}\n'

    def read(self, content: bytes) -> _Ring:
        try:
            whole = json.loads(content)
            body, check = whole["body"], whole["check"]
            self._refuse_strangers(body)
            if not hmac.compare_digest(self._check(_canonical(body)), check):
                raise Tampered(self._damaged())
            tag_key = self.unwrap(_TAG_ROW, body["tags"])
            return _Ring(vault=self, epoch=body["epoch"], tag_key=tag_key, wrapped=body["keys"])
        except (ValueError, KeyError, TypeError, AttributeError, binascii.Error):
            raise Tampered(self._damaged()) from None

    def _refuse_strangers(self, body: dict[str, Any]) -> None:
        if body["format"] != _FORMAT:
            msg = f"{self._name!r} is no keyring that this release reads: its format is {body['format']!r}"
            raise KeyWrong(msg)
        if body["master"] != self._fingerprint:
            msg = (
                f"the keyring {self._name!r} needs the master key of fingerprint {body['master']!r}, "
                f"got {self._fingerprint!r}; give that key (`omoide key import`). Nothing was changed"
            )
            raise KeyWrong(msg)
        if body["store"] != self._store_id:
            owner = f"store {body['store']!r}, not to {self._store_id!r}"
            msg = f"the keyring {self._name!r} belongs to {owner}; give this store its own"
            raise KeyWrong(msg)

    def _damaged(self) -> str:
        return (
            f"the keyring {self._name!r} is damaged or cut off; restore its newest copy. Nothing was changed"
        )

    def _check(self, content: bytes) -> str:
        return hashlib.blake2b(content, key=self._check_key, digest_size=16).hexdigest()

    def _row(self, tag: str) -> bytes:
        return json.dumps([self._store_id, tag]).encode()


def _canonical(body: dict[str, Any]) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


def _new_ring(vault: _Vault) -> _Ring:
    return _Ring(vault=vault, epoch=0, tag_key=os.urandom(KEY_BYTES), wrapped={})


def _load(place: Place, vault: _Vault) -> _Ring:
    while True:
        content, stamp = place.read()
        try:
            return replace(vault.read(content), stamp=stamp, open_keys={})
        except Tampered:
            # A version that was replaced while we read it may have been overwritten; its successor is whole.
            if place.read()[1] == stamp:
                raise
