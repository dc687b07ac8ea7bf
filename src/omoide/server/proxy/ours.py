"""Keys and tokens of ours in what a client sends: they never go up, whichever was used, and valid or not."""

from __future__ import annotations

import binascii
import math
import re
from base64 import urlsafe_b64decode
from typing import Final

from omoide.server.access import BYTES, PREFIX
from omoide.server.tokens import is_token

_KEY: Final = re.compile(rb"%b[\w-]{%d}(?![\w-])" % (PREFIX.encode(), math.ceil(BYTES * 4 / 3)))
_SIGNED: Final = re.compile(rb"(?<![\w-])[\w-]++(?:\.[\w-]++){2,}+")
_TOKENS_BEGIN: Final = b"eyJ"
_ESCAPED: Final = re.compile(rb"(?:%(?:25)*|\\{1,9}(?:u00|x))([0-9a-f]{2})", re.IGNORECASE)
"""An ASCII character as addresses, forms, cookies and JSON may spell it, also one within another."""

_BASIC: Final = re.compile(rb"\bbasic\s+([\w+/-]+)", re.IGNORECASE)


def holds_ours(sent: bytes) -> bool:
    """Whether a key or a token of ours stands anywhere in a part of a request, as it goes over the wire.

    A key is known by its exact shape, for others begin alike, and a token by what it says of itself.
    """
    text = _ESCAPED.sub(lambda found: bytes.fromhex(found[1].decode()), sent.replace(b"\0", b""))
    if _KEY.search(text):
        return True
    if _TOKENS_BEGIN in text and any(_is_signed(found[0]) for found in _SIGNED.finditer(text)):
        return True
    return any(holds_ours(_unpacked(found[1])) for found in _BASIC.finditer(text))


def _is_signed(word: bytes) -> bool:
    begins = word.find(_TOKENS_BEGIN)
    return begins >= 0 and is_token(b".".join(word[begins:].split(b".")[:3]).decode())


def _unpacked(word: bytes) -> bytes:
    """What a name and a password were joined and packed into, as by a base URL that holds them."""
    try:
        return urlsafe_b64decode(word.replace(b"+", b"-").replace(b"/", b"_") + b"==")
    except binascii.Error:
        return b""
