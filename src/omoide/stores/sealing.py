"""Sealing of words, and blinding of what must be found by equality (P7, rulings 23 to 25).

Sealed bytes are a nonce of 12 bytes, the AES-256-GCM ciphertext and its tag of 16 bytes: 28 bytes more than
the plain ones. The row's identity is authenticated with them, so sealed bytes cannot be moved to another row.
Blinding is a keyed hash: equal words are equal numbers under one key, and unrelated ones under another.
"""

from __future__ import annotations

import hashlib
import os
import struct
from functools import lru_cache
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from omoide.domain.text import composed
from omoide.errors import InvalidInput, Tampered

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KEY_BYTES = 32
"""The length of every key."""

_NONCE_BYTES = 12
_TAG_BYTES = 16
_CACHED_TERMS = 512
"""Terms that a Blinder, which belongs to one scope, remembers: some 100 KB, for there may be many scopes."""


def derive(key: bytes, purpose: str) -> bytes:
    """Make a key of 32 bytes for one purpose from another key (HKDF-SHA256).

    Keys of different purposes tell nothing of each other, nor of the key that they were made from.

    Raises:
        InvalidInput: the key has not 32 bytes.
    """
    _check_key(key)
    info = b"omoide\x00" + _utf8(purpose)
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(key)


class Sealer:
    """Seals and opens bytes under one data key.

    Nonces are random, so one key is good for some 2**32 sealings; a key belongs to one user or character.

    Raises:
        InvalidInput: the data key has not 32 bytes.
    """

    __slots__ = ("_cipher",)

    def __init__(self, data_key: bytes) -> None:
        _check_key(data_key)
        self._cipher = AESGCM(data_key)

    def seal(self, plain: bytes, *, row: bytes) -> bytes:
        """Seal bytes for one place: `row` is the identity of the row, and of the column if it has several."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, row)

    def open(self, sealed: bytes, *, row: bytes) -> bytes:
        """Give back what `seal` was given for the same row.

        Raises:
            Tampered: a bit was changed, the bytes come from another row, or another key sealed them.
        """
        if len(sealed) < _NONCE_BYTES + _TAG_BYTES:
            msg = f"{len(sealed)} sealed bytes in row {row.hex()!r} are too few: restore a backup"
            raise Tampered(msg)
        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], row)
        except InvalidTag:
            msg = (
                f"{len(sealed)} sealed bytes do not open in row {row.hex()!r}: they were changed, moved from "
                "another row, or sealed under a key that was erased; restore a backup, or erase the row"
            )
            raise Tampered(msg) from None

    def seal_text(self, text: str, *, row: bytes) -> bytes:
        """Seal text as UTF-8.

        Raises:
            InvalidInput: the text has a lone surrogate, which is no character.
        """
        return self.seal(_utf8(text), row=row)

    def open_text(self, sealed: bytes, *, row: bytes) -> str:
        """Give back what `seal_text` was given for the same row.

        Raises:
            Tampered: as for `open`, or what was sealed is no text.
        """
        try:
            return self.open(sealed, row=row).decode()
        except UnicodeDecodeError:
            msg = f"what is sealed in row {row.hex()!r} is no text; the row was written by something else"
            raise Tampered(msg) from None


class Blinder:
    """Blinds words and names under one key, so that they can be found but not read.

    Raises:
        InvalidInput: the blinding key has not 32 bytes.
    """

    __slots__ = ("_tags", "_terms")

    def __init__(self, blinding_key: bytes) -> None:
        _check_key(blinding_key)
        terms = hashlib.blake2b(key=blinding_key, digest_size=8, person=b"omoide term")
        self._tags = hashlib.blake2b(key=blinding_key, digest_size=16, person=b"omoide tag")

        @lru_cache(maxsize=_CACHED_TERMS)
        def blinded(term: str) -> bytes:
            state = terms.copy()
            state.update(_utf8(term))
            return state.digest()

        self._terms = blinded

    def blind(self, term: str) -> int:
        """Blind a term of the keyword index, as it is after analysis: a signed number of 64 bits.

        Raises:
            InvalidInput: the term has a lone surrogate.
        """
        return int.from_bytes(self._terms(term), "big", signed=True)

    def blind_each(self, terms: Sequence[str]) -> tuple[int, ...]:
        """Blind the terms of a query, each as `blind` does.

        Raises:
            InvalidInput: a term has a lone surrogate.
        """
        return struct.unpack(f">{len(terms)}q", b"".join(map(self._terms, terms)))

    def blind_all(self, terms: Iterable[str]) -> bytes:
        """Blind many terms: the numbers that `blind` gives, eight bytes each, the highest first.

        Raises:
            InvalidInput: a term has a lone surrogate.
        """
        every = list(terms)
        blinded = {term: self._terms(term) for term in set(every)}
        return b"".join(map(blinded.__getitem__, every))

    def tag(self, value: str, *, purpose: str) -> bytes:
        """Blind a name, an id or a content for look-ups by equality: 16 bytes.

        Args:
            value: what is looked up; it may be empty. Composed and decomposed Unicode is the same.
            purpose: what it is, such as ``user`` or ``session``; equal values of two purposes differ.

        Raises:
            InvalidInput: the value or the purpose has a lone surrogate.
        """
        name = _utf8(purpose)
        state = self._tags.copy()
        state.update(len(name).to_bytes(4, "big") + name + _utf8(composed(value)))
        return state.digest()


def _check_key(key: bytes) -> None:
    if len(key) != KEY_BYTES:
        msg = f"a key has {KEY_BYTES} bytes, got {len(key)}; take it from the keyring or from `derive`"
        raise InvalidInput(msg)


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        msg = (
            f"text has a lone surrogate at position {error.start} of {len(text)}; clean it before storing it"
        )
    raise InvalidInput(msg)
