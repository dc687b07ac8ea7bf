"""What the master key does for a keyring: wraps its keys, and proves what it says."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from omoide.errors import KeyWrong, Tampered
from omoide.stores.keys.content import Body, damaged, parsed, proof_of, total_of, written
from omoide.stores.sealing import KEY_BYTES, Sealer

if TYPE_CHECKING:
    from omoide.stores.keys.masterkey import MasterKey

_TAG_ROW = "tags"


class Vault:
    """Reads and writes the content of one store's keyring under one master key.

    Attributes:
        store_id: the id of the store.
        name: where the keyring lies, as it is shown.
    """

    def __init__(self, master: MasterKey, *, store_id: str, name: str) -> None:
        self._sealer = Sealer(master.derive("wrapping of data keys"))
        self._check_key = master.derive("check of the keyring")
        self._fingerprint = master.fingerprint
        self.store_id = store_id
        self.name = name

    def fresh(self) -> Body:
        """What a new keyring says."""
        tags = self.wrap(_TAG_ROW, os.urandom(KEY_BYTES))
        return Body(store=self.store_id, master=self._fingerprint, epoch=0, tags=tags, keys={})

    def wrap(self, tag: str, key: bytes) -> str:
        """Wrap the data key of an owner."""
        return base64.b64encode(self._sealer.seal(key, row=self._row(tag))).decode()

    def unwrap(self, tag: str, wrapped: str) -> bytes:
        """Open what `wrap` gave for the same owner.

        Raises:
            Tampered: it was changed, or is another owner's.
        """
        try:
            return self._sealer.open(base64.b64decode(wrapped), row=self._row(tag))
        except binascii.Error:
            raise Tampered(damaged(self.name)) from None

    def tag_key(self, body: Body) -> bytes:
        """The key of the owners' tags."""
        return self.unwrap(_TAG_ROW, body.tags)

    def rewrapped(self, body: Body, *, new: Vault) -> Body:
        """The same data keys under another master key."""
        keys = {tag: new.wrap(tag, self.unwrap(tag, key)) for tag, key in (body.keys or {}).items()}
        total = None if body.total is None else total_of(keys)
        tags = new.wrap(_TAG_ROW, self.tag_key(body))
        return replace(body, master=new._fingerprint, tags=tags, keys=keys, total=total)

    def write(self, body: Body) -> bytes:
        """The content that says it, with its proof."""
        proof = proof_of(body)
        return written(proof, check=self._check(proof))

    def read(self, content: bytes) -> Body:
        """What a content says, once it is proved.

        Raises:
            KeyWrong: it is wrapped under another master key, or belongs to another store.
            Tampered: it is damaged.
        """
        found = parsed(content, name=self.name)
        self._refuse_strangers(found.body)
        if not hmac.compare_digest(self._check(found.proof).encode(), found.check.encode()):
            raise Tampered(damaged(self.name))
        return found.body

    def entire(self, content: bytes) -> Body:
        """As `read`, and refuses the head of a keyring in a database, whose keys are not with it."""
        body = self.read(content)
        if body.keys is None:
            raise Tampered(damaged(self.name))
        return body

    def _refuse_strangers(self, body: Body) -> None:
        if body.master != self._fingerprint:
            msg = (
                f"the keyring {self.name!r} needs the master key of fingerprint {body.master!r}, "
                f"got {self._fingerprint!r}; give that key (`omoide key import`). Nothing was changed"
            )
            raise KeyWrong(msg)
        if body.store != self.store_id:
            owner = f"store {body.store!r}, not to {self.store_id!r}"
            msg = f"the keyring {self.name!r} belongs to {owner}; give this store its own (OMOIDE_KEYRING)"
            raise KeyWrong(msg)

    def _check(self, proof: bytes) -> str:
        return hashlib.blake2b(proof, key=self._check_key, digest_size=16).hexdigest()

    def _row(self, tag: str) -> bytes:
        return json.dumps([self.store_id, tag]).encode()
