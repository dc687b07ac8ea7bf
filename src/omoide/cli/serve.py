"""`omoide serve`: chat, memory and the proxy over HTTP, until it is told to stop."""

from __future__ import annotations

import asyncio
import json as jsonlib
import signal
import socket
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.cli import show
from omoide.cli.logs import LogFormat, noting
from omoide.cli.options import Character, Json, Store, User, Where
from omoide.cli.running import chosen_settings, with_store
from omoide.errors import InvalidInput, MissingExtra, OmoideError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import uvicorn
    from fastapi import FastAPI

    from omoide.bootstrap import Omoide
    from omoide.config import Settings

_GRACE = 10
"""Seconds that requests under way have when the server is told to stop."""

app = typer.Typer()


@app.command(rich_help_panel="Talk")
def serve(
    *,
    host: Annotated[
        str | None, typer.Option("--host", metavar="ADDRESS", help="Where to listen; loopback needs no key.")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", help="The port; 0 takes a free one.")
    ] = None,
    upstream: Annotated[
        str | None,
        typer.Option("--upstream", metavar="URL", help="The model server that the proxy hands on to."),
    ] = None,
    user: User = None,
    character: Character = None,
    log_format: LogFormat = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Serve chat, memory and an OpenAI-compatible proxy over HTTP.

    --user and --character are whom a proxied request means that names nobody.
    """
    given = {
        "store": store,
        "host": host,
        "port": port,
        "upstream": upstream,
        "proxy_user": user or None,
        "proxy_character": character,
        "log_format": log_format,
    }
    settings = _settings(chosen_settings(**given))
    local = _is_loopback(settings.host)
    if not local:
        _refuse_open_door(settings)

    async def work(omoide: Omoide) -> None:
        await _served(omoide, listener, local=local, json=json)

    from omoide import tracing

    with tracing.exporting(), _listening(settings) as listener:
        with_store(Where(store=store), work, make=True, works=True, settings=settings)


async def _served(omoide: Omoide, listener: socket.socket, *, local: bool, json: bool) -> None:
    try:
        import uvicorn

        from omoide.server.app import create_app
    except ImportError as error:
        msg = f"the server needs the extra 'server' ({error.name} is missing); pip install 'omoide[server]'"
        raise MissingExtra(msg) from error

    await _load_models(omoide)
    server = uvicorn.Server(_config(create_app(omoide, local=local)))
    _announce(omoide.settings, listener, json=json)
    with noting(omoide.settings), _no_death_by_signal():
        await server.serve(sockets=[listener])


async def _load_models(omoide: Omoide) -> None:
    """Load what extraction speaks to models with: that would hold up the recall of the first turn."""
    from omoide.domain.chat import Task
    from omoide.models.chat import load

    settings = omoide.settings
    if settings.worker and settings.extraction != "off":
        with suppress(OmoideError):  # who needs the model tells of it
            if await omoide.models.model(Task.EXTRACTION) is None and settings.upstream is not None:
                await asyncio.to_thread(load)


def _config(served: FastAPI) -> uvicorn.Config:
    import uvicorn

    return uvicorn.Config(
        served,
        log_config=None,
        access_log=False,  # it would show paths, which hold names
        server_header=False,
        proxy_headers=False,  # whose identity headers count is our own setting
        timeout_graceful_shutdown=_GRACE,
        lifespan="on",
    )


def _settings(given: dict[str, Any]) -> Settings:
    from omoide.config import Settings

    return Settings.read(**given)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _refuse_open_door(settings: Settings) -> None:
    """Refuse to listen where others can reach it as long as nobody needs a key.

    Raises:
        InvalidInput: there is no key.
    """
    from omoide.server.access import ApiKeys

    if not ApiKeys(settings.api_keys.expanduser()):
        msg = (
            f"at {settings.host!r} everybody could read what was said; make a key first "
            "(omoide api-key add NAME), or listen on 127.0.0.1"
        )
        raise InvalidInput(msg)


@contextmanager
def _listening(settings: Settings) -> Iterator[socket.socket]:
    """A socket that listens already, so that who reads the address can call at once.

    Raises:
        InvalidInput: it cannot listen there.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family)
    except OSError as error:
        msg = f"the server cannot listen at {settings.host!r}, port {settings.port!r}: {error.strerror}"
        raise InvalidInput(f"{msg}; choose another by --host and --port") from error
    with listener:
        yield listener


def _announce(settings: Settings, listener: socket.socket, *, json: bool) -> None:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    url = f"http://{host}:{listener.getsockname()[1]}"
    proxy = None if settings.upstream is None else f"{url}/v1"
    line = f"Omoide listens at {url}"
    if proxy is not None:
        line += f"; the base URL for programs that speak like OpenAI is {proxy}"
    show.raw(f"{jsonlib.dumps({'url': url, 'proxy': proxy}) if json else line}\n")
    show.piece("")


@contextmanager
def _no_death_by_signal() -> Iterator[None]:
    """Let the engine close after the server, which raises the signal that stopped it once more."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
