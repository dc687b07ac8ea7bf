"""One POST to an embedding server, with the retries of P6."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, TypeAlias

import httpx2

from omoide.addresses import check_server
from omoide.errors import EmbedderFailed, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

Sleep: TypeAlias = Callable[[float], Awaitable[None]]

WAITS: Final = (2.0, 4.0, 8.0)
"""Seconds before the second, third and fourth attempt (P6)."""

LONGEST_WAIT: Final = 30.0
"""Seconds; a server that asks for more than this is asked again sooner."""

# Failures that pass by themselves. An answer that comes too late is not among them: a slow server would only
# get slower, and the caller would wait four times the limit.
_PASSING: Final = (httpx2.NetworkError, httpx2.ConnectTimeout, httpx2.RemoteProtocolError)
_SECONDS: Final = re.compile(r"\d{1,9}")


def server_url(url: str, *, key: str) -> httpx2.URL:
    """Read the address of a server.

    Args:
        url: the address.
        key: where a key for it is given.

    Raises:
        InvalidInput: it is no http or https address, or holds a secret, of which the message repeats nothing.
    """
    check_server(url, key=key)
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        raise InvalidInput(f"{url!r} is no address; write it as 'http://localhost:11434'") from None
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        raise InvalidInput(f"{url!r} is no http address; write it as 'http://localhost:11434'")
    return parsed


async def post(
    client: httpx2.AsyncClient, path: str, body: Mapping[str, JsonValue], *, sleep: Sleep
) -> bytes:
    """Send JSON and return the body of the answer.

    Rate limits (429), server errors (5xx) and broken connections are tried again after 2, 4 and 8 seconds, or
    after what ``Retry-After`` says in seconds, at most 30.

    Args:
        client: has the address, the headers and the time limits.
        path: below the client's address.
        body: is never shown in an error, nor is the answer, which may repeat it.
        sleep: waits for so many seconds.

    Raises:
        EmbedderFailed: the last attempt failed, or the first one for good.
    """
    waits = iter(WAITS)
    while True:
        wait = next(waits, None)
        try:
            response = await client.post(path, json=body)
        except httpx2.RequestError as error:
            if wait is None or not isinstance(error, _PASSING):
                raise _no_answer(client, path, error) from error
        else:
            if response.is_success:
                return response.content
            if wait is None or not _passes(response.status_code):
                raise _refused(client, path, response.status_code)
            wait = _asked_wait(response) or wait
        await sleep(wait)


def _passes(status: int) -> bool:
    return status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def _asked_wait(response: httpx2.Response) -> float | None:
    asked = response.headers.get("retry-after", "").strip()
    return min(float(asked), LONGEST_WAIT) if _SECONDS.fullmatch(asked) else None


def _no_answer(client: httpx2.AsyncClient, path: str, error: httpx2.RequestError) -> EmbedderFailed:
    return EmbedderFailed(
        f"{_where(client, path)!r} did not answer ({type(error).__name__}); see whether the server runs, "
        "or raise the time limit"
    )


def _refused(client: httpx2.AsyncClient, path: str, status: int) -> EmbedderFailed:
    return EmbedderFailed(
        f"{_where(client, path)!r} answered with status {status!r}; see that the model is there and the key "
        "is right, and look into the log of the embedder's server"
    )


def _where(client: httpx2.AsyncClient, path: str) -> str:
    return str(client.base_url).rstrip("/") + path
