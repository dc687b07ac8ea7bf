"""`omoide worker`: reads what was said with a model, in a process of its own."""

from __future__ import annotations

import asyncio
import json as jsonlib
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.cli import show
from omoide.cli.logs import LogFormat, noting
from omoide.cli.options import Json, Store, Tenant, Where
from omoide.cli.running import chosen_settings, tell, with_store
from omoide.errors import InvalidInput, LeasesUnavailable, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omoide.bootstrap import Omoide
    from omoide.config import Settings
    from omoide.crew import Crew
    from omoide.retain.worker import WindowRun, Worker

_GRACE = 10.0
"""Seconds that a window under way has when the worker is told to stop; it is read anew otherwise."""

app = typer.Typer()


@app.command(rich_help_panel="Talk")
def worker(
    *,
    once: Annotated[bool, typer.Option("--once", help="Read what is due now, and end.")] = False,
    log_format: LogFormat = None,
    tenant: Tenant = None,
    store: Store = None,
    json: Json = False,
) -> None:
    """Draw memories from what was said, window after window; a line for each.

    Without --tenant it does so for all tenants of the store. Where it runs, set OMOIDE_WORKER=false for the
    other processes. Several do no harm.
    """

    async def work(omoide: Omoide) -> None:
        from omoide.crew import Crew

        crew = Crew(omoide)
        alone = bool(omoide.store.tenant) or len(await crew.tenants()) == 1
        if alone:
            try:
                await _check_model(omoide)
            except ModelUnavailable as error:
                if once:
                    raise
                tell(f"{error}; it is looked for again")
        try:
            await omoide.run(omoide.leases.check)
        except LeasesUnavailable as error:
            if once:
                raise
            tell(f"{error}; they are looked for again")
        worker = omoide.worker if omoide.store.tenant else crew
        if once:
            await worker.once(told=lambda run: _tell(run, json=json))
        else:
            await _until_stopped(worker, json=json)

    from omoide.stores.postgres.database import is_postgres

    settings = _settings(store=store, log_format=log_format, tenant=tenant)
    with noting(settings):
        # A server of the same deployment may make the store a moment later.
        with_store(Where(store=store), work, make=is_postgres(settings.store), settings=settings)


def _settings(**given: str | None) -> Settings:
    """The settings, without the worker that an engine starts by itself."""
    from omoide.config import Settings

    settings = Settings.read(**chosen_settings(**given), worker=False)
    if settings.extraction == "off":
        msg = "extraction is 'off' in the settings; set it to 'window'"
        raise InvalidInput(msg)
    return settings


async def _check_model(omoide: Omoide) -> None:
    """See that something can be read now.

    Raises:
        ModelUnavailable: no model is set, or none can be asked now.
    """
    from omoide.domain.chat import Task

    if await omoide.models.model(Task.EXTRACTION) is None:
        msg = "no model is set for extraction; set OMOIDE_MODEL, or run `omoide models set`"
        raise ModelUnavailable(msg)


async def _until_stopped(worker: Worker | Crew, *, json: bool) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    with suppress(NotImplementedError):  # Windows, where Ctrl-C interrupts
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
    working = asyncio.create_task(worker.run(stop, told=lambda run: _tell(run, json=json)))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    with suppress(TimeoutError):
        await asyncio.wait_for(working, _GRACE)


def _tell(run: WindowRun, *, json: bool) -> None:
    fields = {
        "tenant": run.scope.tenant,
        "window": run.window,
        "outcome": run.outcome.value,
        "failure": run.failure,
        "kept": dict(run.kept),
        "dropped": dict(run.dropped),
        "tokens": run.usage.tokens,
    }
    kept = _counted(run.kept) or "nothing"
    dropped = f"; not taken over: {_counted(run.dropped)}" if run.dropped else ""
    line = f"window {run.window}: {run.outcome.value}, {run.failure or f'kept {kept}{dropped}'}"
    show.raw(f"{jsonlib.dumps(fields) if json else line}\n")
    show.piece("")


def _counted(items: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in items.items())
