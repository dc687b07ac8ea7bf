"""The threads of an engine: a lane for what only reads, and one for what may wait for its turn to write."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_THREADS: Final = 4
"""Threads of each lane."""


class Lanes:
    """Runs blocking functions off the event loop; however many wait to write, who reads waits for none."""

    def __init__(self) -> None:
        self._reading = ThreadPoolExecutor(_THREADS, thread_name_prefix="omoide-read")
        self._writing = ThreadPoolExecutor(_THREADS, thread_name_prefix="omoide-write")

    async def read(self, function: Callable[[], T]) -> T:
        """Run what only reads."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, function)

    async def write(self, function: Callable[[], T]) -> T:
        """Run what may write."""
        return await asyncio.get_running_loop().run_in_executor(self._writing, function)

    def close(self) -> None:
        """Let what was begun end, and take nothing more."""
        for lane in (self._writing, self._reading):
            lane.shutdown(wait=True)
