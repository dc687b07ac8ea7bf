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
        self._waits_for: dict[str, str] = {}

    async def tenants(self) -> list[str]:
        """Every tenant that the store knows."""
        return await self._host.run(lambda: known_tenants(self._host.store.database))

    async def once(self, *, told: Callable[[WindowRun], None] = lambda _: None) -> list[WindowRun]:
        """Read everything that is due for all tenants, and say how it went; `told` hears of each window.

        Raises:
            OmoideError: some of it could not be read; `told` has heard of the rest.
        """
        runs: list[WindowRun] = []
        unread: OmoideError | None = None
        for tenant in await self.tenants():
            try:
                runs += await self._look(tenant, told)
            except OmoideError as error:  # which need not concern the others
                unread = error
        if unread is not None:
            raise unread
        return runs

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
                    await self._look(tenant, told)
                self._waits_for.pop(tenant, None)
            except OmoideError as error:
                self._note(tenant, str(error))
            await _rest(stop)

    def _note(self, tenant: str, reason: str) -> None:
        """Tell why a tenant waits: once while it lasts, and once for all that wait for the same."""
        if reason not in self._waits_for.values():
            _log.warning("extraction waits: %s", reason)
        self._waits_for[tenant] = reason

    async def _look(self, tenant: str, told: Callable[[WindowRun], None]) -> list[WindowRun]:
        """Read what is due for one tenant; most looks find nothing, and cost one question."""
        host = self._host
        if not await host.run(lambda: self._behind(tenant)):
            return []
        if tenant == host.store.tenant:
            return await host.worker.once(told=told)
        engine = await asyncio.to_thread(host.beside, tenant)
        try:
            return await engine.worker.once(told=told)
        finally:
            await engine.close()

    def _behind(self, tenant: str) -> bool:
        with self._host.store.database.of(tenant).read() as connection:
            return bool(behind(connection, tenant=tenant))


async def _rest(stop: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), _LOOK_EVERY)
