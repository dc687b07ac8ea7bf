"""What a keyring says, and how that is written: JSON, whole or as a head whose keys lie in rows.

Two formats. A file that is written whole has a check over everything, the keys too. Where keys lie in rows,
the check is over the head, and the head holds the total of their marks, so that one key is added at the cost
of one, and a key that is lost still shows. Anybody can join head and keys, without the master key.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from omoide.errors import KeyWrong, Tampered

if TYPE_CHECKING:
    from collections.abc import Mapping

WHOLE: Final = "omoide-keyring-1"
APART: Final = "omoide-keyring-2"
"""Releases that do not know of rows refuse it by its name, and leave it alone."""

_BODY, _CHECK, _END = b'{"body":', b',"check":"', b'"}\n'

MARK_BYTES: Final = 7
"""How much of a nonce makes its mark: a number that a database reckons with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Body:
    """What a keyring says.

    Attributes:
        store: the id of the store whose data keys it holds.
        master: the fingerprint of the master key that it needs.
        epoch: how many owners were erased from it so far.
        tags: the wrapped key of the owners' tags.
        total: the sum of the marks of all keys; None where the check is over the keys.
        keys: the wrapped data keys by tag; None in a head, whose keys lie in rows.
    """

    store: str
    master: str
    epoch: int
    tags: str
    total: int | None = None
    keys: dict[str, str] | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Content:
    """A body as it lies there.

    Attributes:
        body: what it says.
        proof: the bytes that the check is over.
        check: of these bytes, under a key that only the master key gives.
    """

    body: Body
    proof: bytes = field(repr=False)
    check: str


def proof_of(body: Body) -> bytes:
    """The bytes that the check of a body is over: in a head all of it."""
    told: dict[str, object] = {
        "format": WHOLE if body.total is None else APART,
        "store": body.store,
        "epoch": body.epoch,
        "master": body.master,
        "tags": body.tags,
    }
    told |= {"keys": body.keys} if body.total is None else {"total": body.total}
    return _canonical(told)


def written(proof: bytes, *, check: str) -> bytes:
    """The content of a place: what is proved, and the check over it."""
    return _BODY + proof + _CHECK + check.encode() + _END


def parsed(content: bytes, *, name: str) -> Content:
    """Read a content, without proof that it is right.

    Raises:
        Tampered: it is no keyring, was cut off, or lacks keys.
        KeyWrong: it has another format.
    """
    try:
        whole = json.loads(content)
        told, check = whole["body"], str(whole["check"])
        form = told["format"]
        if form in {WHOLE, APART}:
            total = None if form == WHOLE else int(told["total"])
            keys = told["keys"] if form == WHOLE else told.get("keys")
            body = Body(
                store=told["store"],
                master=told["master"],
                epoch=int(told["epoch"]),
                tags=told["tags"],
                total=total,
                keys=None if keys is None else dict(keys),
            )
            if total is not None and keys is not None and total_of(keys) != total:
                raise Tampered(damaged(name))
            proof = _as_written(content, check=check)
            if proof is None or (form == APART and keys is not None):
                proof = _canonical({word: told[word] for word in told if form == WHOLE or word != "keys"})
            return Content(body=body, proof=proof, check=check)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Tampered(damaged(name)) from None
    msg = f"{name!r} is no keyring that this release reads: its format is {form!r}"
    raise KeyWrong(msg)


def _as_written(content: bytes, *, check: str) -> bytes | None:
    """The bytes of the body, if nobody laid the content out anew; saves laying it out for the check."""
    proof = content[len(_BODY) : -len(_CHECK) - len(check) - len(_END)]
    return proof if written(proof, check=check) == content else None


def entire(content: bytes, *, name: str) -> Body:
    """What a content says, keys and all; raises as `parsed` does, also for a head without its keys."""
    body = parsed(content, name=name).body
    if body.keys is None:
        raise Tampered(damaged(name))
    return body


def joined(head: bytes, keys: Mapping[str, str]) -> bytes:
    """One content of a head and its keys, which stands for itself in a file."""
    whole = json.loads(head)
    whole["body"]["keys"] = dict(keys)
    return json.dumps(whole, separators=(",", ":")).encode() + b"\n"


def mark(wrapped: str) -> int:
    """A random number that each wrapped key bears: the first bytes of its nonce."""
    return int.from_bytes(base64.b64decode(wrapped[:12])[:MARK_BYTES])


def total_of(keys: Mapping[str, str]) -> int:
    """The sum of the marks: another one as soon as one key is lost, or an old one is back."""
    return sum(map(mark, keys.values()))


def damaged(name: str) -> str:
    """What is said of a keyring that is not whole."""
    return f"the keyring {name!r} is damaged, cut off, or none; restore its newest copy. Nothing was changed"


def _canonical(body: object) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
