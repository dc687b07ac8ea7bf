"""Errors as the server describes them to programs: which statuses calls answer with, and in what shape."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel


class FaultView(BaseModel):
    """What went wrong; the last two are always null, as clients of OpenAI know them."""

    message: str
    type: str
    param: None = None
    code: None = None


class ErrorView(BaseModel):
    """An error, in the one shape of all."""

    error: FaultView


_MEANINGS: Final = {
    400: "A key or token of ours stands in the address or body.",
    401: "A key is needed, or the key or token does not hold.",
    403: "The key does not reach this, or a page of this origin may not call.",
    404: "There is nothing of that name.",
    409: "Something else has taken its place; or a message is being answered: then there is `Retry-After`.",
    413: "The body is too large.",
    421: "The server does not go by that name.",
    422: "Something in the request does not do; the message tells what.",
    429: "Too many requests a minute; the header `Retry-After` tells how many seconds to wait.",
    500: "The store cannot be used, or a fault of the server's own.",
    501: "The server lacks an extra that this needs.",
    502: "The model, or the upstream, gives no answer.",
    503: "Not at the moment; try again.",
    504: "The upstream is silent for too long.",
}
_OF_THE_DOOR: Final = (403, 413, 421, 500, 503)
_OF_KEYS: Final = (401, 422, 429)


def door(*more: int) -> dict[int | str, dict[str, Any]]:
    """What any call may be answered with, and besides."""
    return {status: _described(status) for status in sorted({*_OF_THE_DOOR, *more})}


def keyed(*more: int) -> dict[int | str, dict[str, Any]]:
    """What a call behind a key may be answered with, and besides."""
    return door(*_OF_KEYS, *more)


def _described(status: int) -> dict[str, Any]:
    return {"model": ErrorView, "description": _MEANINGS[status]}
