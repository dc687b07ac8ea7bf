"""Addresses of servers as people give them: none that holds a secret is taken, or else none is ever shown.

The address of a model's server lies in the store in the open, and stands in lists, logs and errors. So it may
hold neither user, password nor key: these are settings of their own. Databases and Redis have their password
in the URL, by custom; it is left out wherever such a URL is shown.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote, urlsplit

from omoide.errors import InvalidInput

_URL: Final = re.compile(r".*://|[a-z][a-z0-9+.-]+:/|postgres\w*(\+\w+)?:", re.IGNORECASE)
"""How a URL begins, also one with a slash too few; a drive has one letter."""

_REST: Final = re.compile(r"(?s)([?#]).*")
_PASSWORD: Final = re.compile(r"(?s)^([a-z][a-z0-9+.-]*://[^:/?#@]*):.*@", re.IGNORECASE)
_QUERY: Final = re.compile(r"([?&][^=&#]*(?:pass|pwd|key|token|secret|auth)[^=&#]*=)[^&#]*", re.IGNORECASE)


def check_server(address: str, *, key: str) -> str:
    """See that the address of a server holds no secret, and nothing that could be one; returns the address.

    An ``@`` is refused wherever it stands, and however often it is percent-encoded: where a password holds a
    ``/``, it looks like part of the path. So it is with ``?`` and ``#``.

    Args:
        address: such as ``http://127.0.0.1:11434/v1``.
        key: where the server's key is given instead.

    Raises:
        InvalidInput: it holds one; the message repeats nothing of it.
    """
    plain = _decoded(address)
    if "@" in plain:
        msg = f"an address holds no user and no password; write it without them and give a key by {key}"
        raise InvalidInput(msg)
    if "?" in plain or "#" in plain:
        msg = f"an address ends before '?' and '#'; write it without what follows, and give a key by {key}"
        raise InvalidInput(msg)
    return address


def check_file(path: str, *, what: str, such: str) -> str:
    """See that what is to be a file, or else a database on PostgreSQL, is no other URL; returns the path.

    Args:
        path: as it was given, where it is no URL of PostgreSQL.
        what: lies there, as the message calls it.
        such: a path that could be meant.

    Raises:
        InvalidInput: it begins like a URL; the message shows no password.
    """
    scheme = _URL.match(path)
    if scheme is not None:
        got = shown(path) if "://" in path else f"{scheme[0]}…"  # which may go on with a password
        msg = (
            f"a {what} is a file or a database on PostgreSQL, got {got!r}; give a path such as {such!r}, "
            "or postgresql+psycopg://role:password@host/database"
        )
        raise InvalidInput(msg)
    return path


def check_http(address: str) -> str:
    """See that an address is one of a server by HTTP; returns it.

    Raises:
        InvalidInput: it has no host, or a port that is none.
    """
    try:
        parts = urlsplit(address)
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        whole = False
    if not whole:
        msg = f"a server is written http://HOST:PORT or https://HOST, got {address!r}"
        raise InvalidInput(msg)
    return address


def _decoded(address: str) -> str:
    """An address without percent-encoding, which may be encoded itself."""
    while (plain := unquote(address)) != address:
        address = plain
    return address


def shown(address: str, *, server: bool = False) -> str:
    """An address as it may be shown: with ``***`` in place of a password, or of a key in its query.

    Args:
        address: a URL; anything else stays as it is.
        server: whether it is what `check_server` looks at, so that all is hidden that it refuses.
    """
    if server:
        address = _decoded(address)
        end = address.rpartition("@")[2]
        told = _REST.sub(r"\1***", end)
        return told if end == address else f"***@{told}"
    return _QUERY.sub(r"\1***", _PASSWORD.sub(r"\1:***@", address)) if "://" in address else address
