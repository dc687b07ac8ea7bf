"""What tests of the server share: an engine in a folder, and a client that calls its application."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2

from omoide import Omoide
from omoide.server.app import create_app

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

WHOSE = {"user": "민준", "character": "하루"}


@asynccontextmanager
async def serving(
    folder: Path, *, local: bool = True, key: str | None = None, **given: Any
) -> AsyncIterator[tuple[Omoide, httpx2.AsyncClient]]:
    """An engine, and a client of the server around it."""
    usual = {"embedder": "none", "master_key_file": folder / "key", "api_keys": folder / "keys.json"}
    async with Omoide.open(folder / "x.db", **{**usual, **given}) as omoide:
        app = create_app(omoide, local=local)
        headers = {} if key is None else {"authorization": f"Bearer {key}"}
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(
                transport=httpx2.ASGITransport(app=app), base_url="http://127.0.0.1", headers=headers
            ) as client,
        ):
            yield omoide, client
