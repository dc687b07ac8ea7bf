"""The server as one ASGI application: its parts put together, and what opens and closes around it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import Depends, FastAPI
from fastapi.middleware.cors import CORSMiddleware

from omoide import __version__
from omoide.server.access import ApiKeys
from omoide.server.described import door, keyed
from omoide.server.doors import Doors
from omoide.server.errors import handle
from omoide.server.guard import Guard
from omoide.server.homes import Homes
from omoide.server.limits import Limits
from omoide.server.metrics import Metrics
from omoide.server.observed import Observed
from omoide.server.proxy import routes as proxy
from omoide.server.proxy.conversations import Conversations
from omoide.server.proxy.upstream import connections
from omoide.server.queries import only_known
from omoide.server.readiness import Readiness
from omoide.server.routes import (
    care,
    chat,
    choices,
    events,
    files,
    health,
    jobs,
    memories,
    search,
    state,
    talk,
    tokens,
)
from omoide.server.waiting import Waiting

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from omoide.bootstrap import Omoide

_PARTS = {
    chat: keyed(404, 409, 501, 502),
    talk: keyed(404),
    memories: keyed(404, 409),
    search: keyed(404),
    state: keyed(404),
    files: keyed(404),
    care: keyed(404),
    choices: keyed(404, 501),
    events: keyed(404),
    jobs: keyed(404, 501),
    tokens: keyed(),
}
"""The parts, each with the errors that its calls may answer with."""

_OPEN = {
    health: door(401, 429),
    proxy: keyed(400, 502, 504),  # last, for it hands on whatever no other one knows
}
"""The same of parts whose callers may send parameters that are meant for others."""

_MEGABYTE = 1024 * 1024


def create_app(engine: Omoide, *, local: bool = True) -> FastAPI:
    """The server around an engine that is open already.

    Args:
        engine: whose settings decide about hosts, origins and limits too; where its tenant has no name, the
            keys of every tenant are served, each over an engine beside this one.
        local: whether it listens on loopback only, and may be used without a key.

    Raises:
        InvalidInput: there is no such folder of characters as the settings name.
    """
    settings = engine.settings
    homes = Homes(engine)
    waiting = Waiting(engine.store)
    metrics = Metrics(lambda: [home.engine for home in homes.open()], waiting)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with connections() as app.state.upstream:
            yield
        await homes.close()

    app = FastAPI(
        title="Omoide",
        version=__version__,
        summary="Long-term memory for AI characters.",
        lifespan=lifespan,
        openapi_url="/openapi.json",
        docs_url=None,  # pages that load scripts of strangers, beside everything that was ever said
        redoc_url=None,
    )
    app.state.doors = Doors(
        homes=homes,
        keys=ApiKeys(settings.api_keys.expanduser()),
        open=local,
        metrics=metrics,
        limits=Limits(settings.requests_per_minute),
        readiness=Readiness(engine, waiting),
    )
    app.state.conversations = Conversations()
    handle(app)
    for part, errors in _PARTS.items():
        app.include_router(part.router, dependencies=[Depends(only_known)], responses=errors)
    for part, errors in _OPEN.items():
        app.include_router(part.router, responses=errors)
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
    app.add_middleware(Observed, metrics=metrics)
    return app
