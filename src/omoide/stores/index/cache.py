"""The scopes' indexes in memory, as far as there is room: those used longest ago go first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omoide.stores.database import NotAtHand
from omoide.stores.index.refresh import Known

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Cached:
    """What is known of one scope, behind a lock of its own."""

    known: Known = field(default_factory=Known)
    lock: threading.Lock = field(default_factory=threading.Lock)
    held: int = 0

    @contextmanager
    def turn(self, *, waits: bool) -> Iterator[None]:
        """While nobody else uses it.

        Raises:
            NotAtHand: somebody does, and this one does not wait.
        """
        if not self.lock.acquire(blocking=waits):
            raise NotAtHand
        try:
            yield
        finally:
            self.lock.release()


class IndexCache:
    """Indexes of scopes, of all tenants of a process: a scope's id is nobody else's.

    Args:
        room: bytes that they may hold, roughly; one stays however large it is.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._cached: OrderedDict[bytes, Cached] = OrderedDict()
        self._lock = threading.Lock()
        self._held = 0

    def get(self, scope: bytes) -> Cached | None:
        """What is held of a scope; that it was asked for does not count as use."""
        return self._cached.get(scope)

    def used(self, scope: bytes) -> Cached:
        """What is held of a scope, or a new one."""
        with self._lock:
            cached = self._cached.get(scope)
            if cached is None:
                cached = self._cached[scope] = Cached()
            self._cached.move_to_end(scope)
            return cached

    def weigh(self, scope: bytes, cached: Cached) -> None:
        """Count what an index holds by now, and let others go while all hold too much."""
        with self._lock:
            if self._cached.get(scope) is not cached:
                return  # it has gone meanwhile
            held = cached.known.index.nbytes
            self._held += held - cached.held
            cached.held = held
            while self._held > self._room and len(self._cached) > 1:
                _, oldest = self._cached.popitem(last=False)
                self._held -= oldest.held

    def drop(self, scope: bytes) -> None:
        """Forget what is held of a scope."""
        with self._lock:
            dropped = self._cached.pop(scope, None)
            self._held -= 0 if dropped is None else dropped.held
