"""Qdrant's errors in our words: what is wrong, where, and nothing of what was sent."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import grpc
import httpx
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from omoide.errors import IndexUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

_REFUSED: Final = "refuses the key; see qdrant_key"
_REFUSALS: Final = (401, 403, grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)
_OF_ANOTHER: Final = "answers with something that is not Qdrant's"
_IN_PROCESS: Final = (OSError, RuntimeError, ValueError, sqlite3.Error)
"""What Qdrant in the process raises."""


class IndexMissing(IndexUnavailable):
    """The collection is not there."""


class InUse(RuntimeError):
    """Another process has the folder open."""


@contextmanager
def our_errors(address: str, *, seconds: int) -> Iterator[None]:
    """Turn Qdrant's errors into ours.

    Args:
        address: where it is, as it is shown.
        seconds: how long it has for an answer.
    """
    try:
        yield
    except (ApiException, QdrantException, grpc.RpcError) as error:
        kind = IndexMissing if _code(error) in (404, grpc.StatusCode.NOT_FOUND) else IndexUnavailable
        msg = f"Qdrant at {address!r} {_reason(error, seconds)}"
        raise kind(msg) from error
    except _IN_PROCESS as error:
        if "://" in address:  # what it sent could not be read
            msg = f"Qdrant at {address!r} {_OF_ANOTHER}"
            raise IndexUnavailable(msg) from error
        kind = IndexMissing if "not found" in str(error) else IndexUnavailable
        reason = (
            "another process uses it" if isinstance(error, InUse) else f"it raised {type(error).__name__}"
        )
        msg = f"Qdrant in {address!r} cannot be used: {reason}"
        raise kind(msg) from error


def _code(error: Exception) -> int | grpc.StatusCode | None:
    if isinstance(error, UnexpectedResponse):
        return error.status_code
    return error.code() if isinstance(error, grpc.Call) else None


def _reason(error: Exception, seconds: int) -> str:
    code = _code(error)
    source = error.source if isinstance(error, ResponseHandlingException) else None
    if code in _REFUSALS:
        return _REFUSED
    if isinstance(source, httpx.TimeoutException) or code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return f"did not answer in {seconds} seconds"
    if isinstance(source, httpx.HTTPError | OSError) or code is grpc.StatusCode.UNAVAILABLE:
        return "cannot be reached"
    if source is not None:
        return _OF_ANOTHER
    return "takes no more requests now" if code is None else f"answers {getattr(code, 'name', code)}"
