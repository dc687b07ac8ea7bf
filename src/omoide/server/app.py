"""The server as one ASGI application: its parts put together, and what opens and closes around it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from omoide import __version__
from omoide.server.access import ApiKeys
from omoide.server.doors import Doors
from omoide.server.errors import handle
from omoide.server.guard import Guard
from omoide.server.routes import memories, talk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from omoide.engine import Engine

_MEGABYTE = 1024 * 1024


def create_app(engine: Engine, *, local: bool = True) -> FastAPI:
    """The server around an engine that is open already.

    Args:
        engine: whose settings decide about hosts, origins and limits too.
        local: whether it listens on loopback only, and may be used without a key.
    """
    settings = engine.settings

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        del app
        yield

    app = FastAPI(
        title="Omoide",
        version=__version__,
        summary="Long-term memory for AI characters.",
        lifespan=lifespan,
        openapi_url="/openapi.json",
    )
    app.state.doors = Doors(engine=engine, keys=ApiKeys(settings.api_keys.expanduser()), open=local)
    handle(app)
    for part in (talk, memories):
        app.include_router(part.router)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=settings.allowed_origins,
        allow_methods=["*"],
        allow_headers=["*"],
    )
    app.add_middleware(
        Guard,
        hosts=settings.allowed_hosts,
        origins=settings.allowed_origins,
        local=local,
        most_bytes=int(settings.request_mb * _MEGABYTE),
        at_once=settings.requests_at_once,
    )
    return app
