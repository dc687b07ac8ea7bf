"""Our errors as answers: a status, and a body in the shape that clients of OpenAI know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from omoide.errors import (
    EmbedderError,
    Forbidden,
    ImportFailed,
    IndexUnavailable,
    InvalidInput,
    KeyWrong,
    MissingExtra,
    ModelError,
    NotFound,
    OmoideError,
    StoreBusy,
    StoreConflict,
    StoreError,
    StoreLost,
    Superseded,
    TokenRefused,
    UnknownScope,
)

if TYPE_CHECKING:
    from fastapi import FastAPI, Request

_STATUS: tuple[tuple[type[OmoideError], int], ...] = (
    (InvalidInput, 422),
    (ImportFailed, 422),
    (NotFound, 404),
    (TokenRefused, 401),
    (Forbidden, 403),
    (Superseded, 409),
    (StoreBusy, 503),
    (StoreConflict, 503),
    (StoreLost, 503),
    (StoreError, 500),
    (KeyWrong, 503),  # the master key was rotated, and this process has the old one
    (IndexUnavailable, 503),
    (EmbedderError, 503),
    (ModelError, 502),
    (MissingExtra, 501),
)


def status_of(error: OmoideError) -> int:
    """The status that an error is answered with."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def answer(status: int, kind: str, message: str) -> JSONResponse:
    """An error as an answer."""
    body = {"error": {"message": message, "type": kind, "param": None, "code": None}}
    headers = {"retry-after": "1"} if status == 503 else None
    return JSONResponse(body, status_code=status, headers=headers)


def handle(app: FastAPI) -> None:
    """Answer errors wherever they come up, always in the same shape, and never with words of a request."""

    @app.exception_handler(OmoideError)
    async def _ours(request: Request, error: OmoideError) -> JSONResponse:
        del request
        message = str(error)
        if isinstance(error, UnknownScope):  # whose message names others that are near
            message = "this character has no memory of this user yet"
        return answer(status_of(error), type(error).__name__, message)

    @app.exception_handler(RequestValidationError)
    async def _misshapen(request: Request, error: RequestValidationError) -> JSONResponse:
        del request
        problems = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        return answer(422, "InvalidInput", "; ".join(problems))

    @app.exception_handler(HTTPException)
    async def _refused(request: Request, error: HTTPException) -> JSONResponse:
        del request
        refused = answer(error.status_code, "refused", str(error.detail))
        refused.headers.update(error.headers or {})
        return refused
