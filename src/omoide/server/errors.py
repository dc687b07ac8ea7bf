"""Our errors as answers: a status, and a body in the shape that clients of OpenAI know.

What an error says of the operator's machines (addresses, paths, roles, models, fingerprints of keys) is for
the log, for admin keys, and for who sits at the machine. Others are told the kind, and what they can do.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from omoide.errors import (
    BeingAnswered,
    EmbedderError,
    ErasureUnfinished,
    Forbidden,
    ImportFailed,
    IndexUnavailable,
    InvalidInput,
    KeyWrong,
    MissingExtra,
    ModelError,
    NotFound,
    OmoideError,
    SealError,
    StoreBusy,
    StoreConflict,
    StoreError,
    StoreFull,
    StoreLost,
    StoreUncertain,
    Superseded,
    TokenRefused,
    UnknownScope,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fastapi import FastAPI, Request

_log = logging.getLogger("omoide")

_STATUS: tuple[tuple[type[OmoideError], int], ...] = (
    (BeingAnswered, 409),
    (InvalidInput, 422),
    (ImportFailed, 422),
    (NotFound, 404),
    (TokenRefused, 401),
    (Forbidden, 403),
    (Superseded, 409),
    (StoreBusy, 503),
    (StoreConflict, 503),
    (StoreLost, 503),
    (ErasureUnfinished, 503),
    (StoreError, 500),
    (KeyWrong, 503),  # the master key was rotated, and this process has the old one
    (IndexUnavailable, 503),
    (EmbedderError, 503),
    (ModelError, 502),
    (MissingExtra, 501),
)

_UNCHANGED: Final = "the store cannot be used at the moment, and nothing was changed; try again"
_PLAIN: Final[tuple[tuple[type[OmoideError], str], ...]] = (
    (StoreUncertain, "the store was lost while it wrote; look whether it is there before you send it again"),
    (StoreFull, "the store cannot be written at the moment; try again later"),
    (StoreBusy, _UNCHANGED),
    (StoreConflict, _UNCHANGED),
    (StoreLost, _UNCHANGED),
    (StoreError, "the store cannot be used at the moment; try again later"),
    (SealError, "this memory cannot be opened at the moment; try again later"),
    (IndexUnavailable, "vectors cannot be compared at the moment; try again"),
    (EmbedderError, "vectors cannot be made at the moment; try again"),
    (ModelError, "the model gives no answer at the moment; try again"),
    (MissingExtra, "this server cannot do that; whoever runs it finds in its log what is missing"),
)
"""Errors of what the server stands on, and what of them is for everybody."""

_LACKING: Final = "something of memory does not work at the moment; this goes on without it"


def status_of(error: OmoideError) -> int:
    """The status that an error is answered with."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def told(error: OmoideError, *, causes: bool) -> str:
    """What a caller is told of an error; what is not for everybody goes into the log.

    Args:
        error: which.
        causes: whether the caller may see what the server stands on, as `Access.sees_causes` has it.
    """
    if isinstance(error, UnknownScope):  # whose message names others that are near
        return "this character has no memory of this user yet"
    plain = next((plain for kind, plain in _PLAIN if isinstance(error, kind)), None)
    if plain is None:
        return str(error)
    _log.warning("a request failed: %s: %s", type(error).__name__, error)
    return str(error) if causes else plain


def lacking(degraded: Sequence[str], *, causes: bool) -> list[str]:
    """The same of what did not work in a recall or a search, which went on without it."""
    if degraded:
        _log.warning("a recall lacked something: %s", "; ".join(degraded))
    return list(degraded) if causes or not degraded else [_LACKING]


def answer(status: int, kind: str, message: str) -> JSONResponse:
    """An error as an answer."""
    body = {"error": {"message": message, "type": kind, "param": None, "code": None}}
    headers = {"retry-after": "1"} if status == 503 or kind == BeingAnswered.__name__ else None
    return JSONResponse(body, status_code=status, headers=headers)


def _misfit(found: Mapping[str, object]) -> str:
    """Why a value does not do."""
    if found["type"] == "string_too_short" and not found["input"]:
        return "it is empty; write something there, or leave it out where it may be"
    return str(found["msg"])


def handle(app: FastAPI) -> None:
    """Answer errors wherever they come up, always in the same shape, and never with words of a request."""

    @app.exception_handler(OmoideError)
    async def _ours(request: Request, error: OmoideError) -> JSONResponse:
        causes = getattr(request.state, "sees_causes", False)  # unknown while it is not known who calls
        return answer(status_of(error), type(error).__name__, told(error, causes=causes))

    @app.exception_handler(RequestValidationError)
    async def _misshapen(request: Request, error: RequestValidationError) -> JSONResponse:
        del request
        problems = (f"{'.'.join(map(str, one['loc']))}: {_misfit(one)}" for one in error.errors())
        return answer(422, "InvalidInput", "; ".join(problems))

    @app.exception_handler(HTTPException)
    async def _refused(request: Request, error: HTTPException) -> JSONResponse:
        del request
        refused = answer(error.status_code, "refused", str(error.detail))
        refused.headers.update(error.headers or {})
        return refused
