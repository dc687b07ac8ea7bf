"""Keys and tokens of ours in what a client sends: they never go up, whichever was used, and valid or not."""

from __future__ import annotations

import binascii
import json
import re
from base64 import b64decode
from typing import Final
from urllib.parse import unquote_plus

from omoide.server.access import PREFIX
from omoide.server.tokens import is_token

_KEY: Final = re.compile(rf"(?<![A-Za-z0-9]){PREFIX}[\w-]")
_SIGNED: Final = re.compile(r"(?<![\w-])[\w-]++\.[\w-]++\.[\w-]*+")
_TOKENS_BEGIN: Final = b"eyJ"
_BASIC: Final = re.compile(r"\s*basic\s+(\S+)", re.IGNORECASE)
_FIELDS: Final = ("key", "api_key", "apiKey", "api-key", "token")
"""Fields of a body in which programs send a key."""


def holds_ours(text: str) -> bool:
    """Whether a key or a token of ours stands anywhere in a text, such as the value of a header."""
    if _KEY.search(text) or any(is_token(found[0]) for found in _SIGNED.finditer(text)):
        return True
    basic = _BASIC.match(text)
    return basic is not None and holds_ours(_decoded(basic[1]))


def query_without_ours(query: str) -> str:
    """A query without the parameters that hold a key or a token of ours; the others as they were sent."""
    return "&".join(part for part in query.split("&") if not holds_ours(unquote_plus(part)))


def body_without_ours(content: bytes) -> bytes:
    """A body without the fields for a key that hold one of ours; else the bytes as they came."""
    if PREFIX.encode() not in content and _TOKENS_BEGIN not in content:
        return content
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return content
    ours = [name for name in _FIELDS if isinstance(body, dict) and holds_ours(str(body.get(name)))]
    return json.dumps({name: body[name] for name in body if name not in ours}).encode() if ours else content


def _decoded(text: str) -> str:
    """What a name and a password were joined and packed into, as by a base URL that holds them."""
    try:
        return b64decode(text).decode("latin-1")
    except (binascii.Error, ValueError):
        return ""
