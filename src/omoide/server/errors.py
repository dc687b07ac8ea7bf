"""Our errors as answers: a status, and a body in the shape that clients of OpenAI know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.responses import JSONResponse

from omoide.errors import (
    Forbidden,
    InvalidInput,
    MissingExtra,
    ModelError,
    NotFound,
    OmoideError,
    StoreBusy,
    StoreError,
)

if TYPE_CHECKING:
    from fastapi import FastAPI, Request

_STATUS: tuple[tuple[type[OmoideError], int], ...] = (
    (InvalidInput, 422),
    (NotFound, 404),
    (Forbidden, 403),
    (StoreBusy, 503),
    (StoreError, 500),
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
    """Answer our errors wherever they come up."""

    @app.exception_handler(OmoideError)
    async def _ours(request: Request, error: OmoideError) -> JSONResponse:
        del request
        return answer(status_of(error), type(error).__name__, str(error))
