"""The worker of a whole store: it reads what was said to any tenant's characters, some tenants at a time."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from omoide.errors import OmoideError
from omoide.stores.tenants import known_tenants
from omoide.stores.windows import behind

if TYPE_CHECKING:
    from collections.abc import Callable

    from omoide.bootstrap import Omoide
    from omoide.retain.worker import WindowRun

_log = logging.getLogger("omoide")

_AT_ONCE: Final = 4
"""Tenants that are read at the same time, so that one with much to read does not keep all others waiting."""

_LOOK_EVERY: Final = 30.0
"""Seconds between two looks at a tenant, and at who is one."""


class Crew:
    """Reads for every tenant that a store knows, over engines beside one.

    Args:
        host: the engine of the tenant without a name, whose worker is not running.
    """

    def __init__(self, host: Omoide) -> None:
        self._host = host
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def tenants(self) -> list[str]:
        """Every tenant that the store knows."""
        return await self._host.run(lambda: known_tenants(self._host.store.database))

    async def once(self) -> list[WindowRun]:
        """Read everything that is due for all tenants, and say how it went."""
        return [run for tenant in await self.tenants() for run in await self._look(tenant)]

    async def run(self, stop: asyncio.Event, *, told: Callable[[WindowRun], None]) -> None:
        """Work until told to stop; what is under way is finished or left for the next start."""
        working: dict[str, asyncio.Task[None]] = {}
        try:
            while not stop.is_set():
                with suppress(OmoideError):  # each tenant's own look tells of it
                    for tenant in await self.tenants():
                        if tenant not in working:
                            working[tenant] = asyncio.create_task(self._work(tenant, stop, told))
                await _rest(stop)
            await asyncio.gather(*working.values())
        finally:
            for task in working.values():
                task.cancel()
            await asyncio.gather(*working.values(), return_exceptions=True)

    async def _work(self, tenant: str, stop: asyncio.Event, told: Callable[[WindowRun], None]) -> None:
        while not stop.is_set():
            try:
                async with self._slots:
                    for run in await self._look(tenant):
                        told(run)
            except OmoideError as error:
                _log.warning("extraction of a tenant waits: %s", error)
            await _rest(stop)

    async def _look(self, tenant: str) -> list[WindowRun]:
        """Read what is due for one tenant; most looks find nothing, and cost one question."""
        host = self._host
        if not await host.run(lambda: self._behind(tenant)):
            return []
        if tenant == host.store.tenant:
            return await host.worker.once()
        engine = await asyncio.to_thread(host.beside, tenant)
        try:
            return await engine.worker.once()
        finally:
            await engine.close()

    def _behind(self, tenant: str) -> bool:
        with self._host.store.database.of(tenant).read() as connection:
            return bool(behind(connection, tenant=tenant))


async def _rest(stop: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), _LOOK_EVERY)
