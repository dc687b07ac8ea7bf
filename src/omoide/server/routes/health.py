"""Is the process alive, can it work, and what has it done: for whoever looks after it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel
from sqlalchemy import update

from omoide.domain.chat import Task
from omoide.engine import Engine
from omoide.errors import MissingExtra, ModelError, StoreError
from omoide.server.doors import AnyEngine, doors_of
from omoide.stores.backlog import Backlog, backlog
from omoide.stores.store import Store
from omoide.stores.tables import meta

router = APIRouter(tags=["health"])


class AliveView(BaseModel):
    """The process answers."""

    status: str = "alive"


class ReadyView(BaseModel):
    """Whether the server can do its work; only the store makes it unready.

    Attributes:
        ready: whether memories can be read and written.
        store: ``ok``, or the kind of error.
        embedder: ``ok``, ``none`` where there is none, or ``resting`` after failures: recalls go by words.
        model: of chats: ``ok``, ``none`` where none is set, or the kind of error.
        windows: parts of conversations that wait to be read by a model, or are being read.
        failed: those of them that failed before.
        behind: memories of so many users and characters are not up to date yet.
    """

    ready: bool
    store: str
    embedder: str
    model: str
    windows: int | None
    failed: int | None
    behind: int | None


@router.get("/health")
async def health() -> AliveView:
    """Whether the process answers."""
    return AliveView()


@router.get("/ready", responses={503: {"model": ReadyView}})
async def ready(request: Request, response: Response) -> ReadyView:
    """Whether the server can do its work. It tells states and numbers, and nothing that anybody said."""
    engine = doors_of(request).engine
    waits: Backlog | None = None
    store = "ok"
    try:
        waits = await engine.run(lambda: _touched(engine.store))
    except StoreError as error:
        store = type(error).__name__
        response.status_code = 503
    return ReadyView(
        ready=waits is not None,
        store=store,
        embedder=_embedder(engine),
        model=await _model(engine),
        windows=None if waits is None else waits.windows,
        failed=None if waits is None else waits.failed,
        behind=None if waits is None else waits.scopes,
    )


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request, engine: AnyEngine) -> Response:
    """What was counted and measured, in the text format of Prometheus."""
    shown = await engine.run(doors_of(request).metrics.shown)
    return Response(shown, media_type="text/plain; version=0.0.4; charset=utf-8")


def _touched(store: Store) -> Backlog:
    """What waits, once the store has been written to and read."""
    with store.database.write() as connection:
        connection.execute(update(meta).where(meta.c.key == "store").values(value=meta.c.value))
    with store.database.read() as connection:
        return backlog(connection)


def _embedder(engine: Engine) -> str:
    if engine.embedder is None:
        return "none"
    return "resting" if engine.circuit.rests else "ok"


async def _model(engine: Engine) -> str:
    try:
        model = await engine.models.model(Task.CHAT)
    except (ModelError, MissingExtra, StoreError) as error:
        return type(error).__name__
    return "none" if model is None else "ok"
