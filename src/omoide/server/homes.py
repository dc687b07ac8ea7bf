"""What a server holds for each of its tenants: an engine, characters, and chats with them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.characters import Characters
from omoide.chat import Chat
from omoide.stores.tenants import known_tenants

if TYPE_CHECKING:
    from omoide.bootstrap import Omoide


@dataclass(frozen=True, kw_only=True, slots=True)
class Home:
    """One tenant's.

    Attributes:
        engine: remembers.
        characters: who can be talked with.
        chat: lets users talk with them.
    """

    engine: Omoide
    characters: Characters
    chat: Chat

    @classmethod
    def of(cls, engine: Omoide) -> Home:
        """The home of an engine's tenant.

        Raises:
            InvalidInput: there is no such folder of characters as the settings name.
        """
        characters = Characters.of(engine.settings)
        return cls(engine=engine, characters=characters, chat=Chat(engine, characters))


class Homes:
    """The homes of a server's tenants, over the connections, keys, embedder and models of one engine.

    A home is made when somebody first asks for it. The one that was asked for longest ago is closed where
    there are too many; whoever is still being answered in it is, for what it stands on stays open.

    Args:
        engine: the server's own. Where its tenant has a name, no other one is served.
    """

    def __init__(self, engine: Omoide) -> None:
        self.own = Home.of(engine)
        self._homes: OrderedDict[str, Home] = OrderedDict()
        self._making = asyncio.Lock()
        self._leaving: set[asyncio.Task[None]] = set()

    @property
    def tenant(self) -> str:
        """The server's own tenant."""
        return self.own.engine.store.tenant

    def serves(self, tenant: str) -> bool:
        """Whether a tenant is served here."""
        return self.tenant in ("", tenant)

    async def knows(self, tenant: str) -> bool:
        """Whether a tenant was ever opened, here or by another process."""
        if tenant == self.tenant or tenant in self._homes:
            return True
        engine = self.own.engine
        return tenant in await engine.read(lambda: known_tenants(engine.store.database))

    async def of(self, tenant: str) -> Home:
        """The home of a tenant that is served.

        Raises:
            StoreError: the store cannot be reached.
        """
        if tenant == self.tenant:
            return self.own
        async with self._making:
            home = self._homes.get(tenant)
            if home is None:
                home = self._homes[tenant] = await asyncio.to_thread(self._made, tenant)
                settings = home.engine.settings
                if settings.worker and settings.extraction != "off":
                    home.engine.start_worker()
            self._homes.move_to_end(tenant)
            while len(self._homes) > self.own.engine.settings.open_tenants:
                self._leave(self._homes.popitem(last=False)[1])
        return home

    def open(self) -> list[Home]:
        """Those that are open now."""
        return [self.own, *self._homes.values()]

    async def close(self) -> None:
        """Close all but the server's own."""
        while self._homes:
            self._leave(self._homes.popitem()[1])
        await asyncio.gather(*self._leaving, return_exceptions=True)

    def _made(self, tenant: str) -> Home:
        return Home.of(self.own.engine.beside(tenant))

    def _leave(self, home: Home) -> None:
        closing = asyncio.create_task(home.engine.close())
        self._leaving.add(closing)
        closing.add_done_callback(self._leaving.discard)
