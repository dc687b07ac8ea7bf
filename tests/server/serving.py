"""What tests of the server share: an engine in a folder, and a client that calls its application."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import uvicorn

from omoide import Omoide
from omoide.server.app import create_app
from postgres import place

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

WHOSE = {"user": "민준", "character": "하루"}


def _usual(folder: Path) -> dict[str, Any]:
    """Settings of tests; a busy machine is no reason to go on without memory."""
    return {
        "embedder": "none",
        "master_key_file": folder / "key",
        "api_keys": folder / "keys.json",
        "recall_seconds": 30,
    }


@asynccontextmanager
async def serving(
    folder: Path, *, local: bool = True, key: str | None = None, **given: Any
) -> AsyncIterator[tuple[Omoide, httpx2.AsyncClient]]:
    """An engine, and a client of the server around it."""
    usual = _usual(folder)
    async with Omoide.open(place(folder), **{**usual, **given}) as omoide:
        app = create_app(omoide, local=local)
        headers = {} if key is None else {"authorization": f"Bearer {key}"}
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(
                transport=httpx2.ASGITransport(app=app), base_url="http://127.0.0.1", headers=headers
            ) as client,
        ):
            yield omoide, client


@asynccontextmanager
async def listening(
    folder: Path, *, local: bool = True, key: str | None = None, **given: Any
) -> AsyncIterator[tuple[Omoide, str]]:
    """An engine, and the address of a real server around it."""
    usual = _usual(folder)
    async with Omoide.open(place(folder), **{**usual, **given}) as omoide:
        config = uvicorn.Config(create_app(omoide, local=local), port=0, log_config=None, lifespan="on")
        server = uvicorn.Server(config)
        serve = asyncio.create_task(server._serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield omoide, f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            await serve


async def settled(omoide: Omoide) -> None:
    """Wait until what goes on after an answer is done, such as the reply's way into the log."""
    while omoide._others:
        await asyncio.gather(*omoide._others)
