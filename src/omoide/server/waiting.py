"""What waits to be read by a model in all tenants that a server serves: counted anew as its cost allows."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

from omoide.stores.backlog import Backlog, whole_backlog
from omoide.stores.tenants import known_tenants

if TYPE_CHECKING:
    from omoide.stores.store import Store

_FRESH: Final = 1.0
"""Seconds for which a count holds at least."""

_SHARE: Final = 20.0
"""A count holds for so many times as long as it took: with thousands of tenants it takes a while."""


class Waiting:
    """Counts for all tenants that the store knows, opened here or not; or for the only one that is served.

    Args:
        store: the server's own. Where its tenant has a name, no other one is served.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._seen: tuple[float, Backlog] | None = None

    def count(self) -> Backlog:
        """What waits, as it was a moment ago. It blocks.

        Raises:
            StoreError: the store cannot be read.
        """
        with self._lock:
            begun = time.monotonic()
            if self._seen is not None and begun < self._seen[0]:
                return self._seen[1]
            found = whole_backlog(self._store.database, self._tenants())
            ended = time.monotonic()
            self._seen = ended + max(_FRESH, _SHARE * (ended - begun)), found
            return found

    def _tenants(self) -> list[str]:
        own = self._store.tenant
        return [own] if own else known_tenants(self._store.database)
