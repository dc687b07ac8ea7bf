"""Benchmarks that are told to stop leave nothing running: servers, replicas and sides end with them."""

from __future__ import annotations

import multiprocessing
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


def heed_signals() -> None:
    """Let SIGTERM end this process as an error does, so that all it has begun is ended in its own way."""
    signal.signal(signal.SIGTERM, _leave)


def _leave(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # once is enough
    raise SystemExit(128 + number)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Heed no signal before something has begun whole, for what has half begun would be left running."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def children_ended() -> Iterator[None]:
    """End the processes of a pool where this one ends before they are done."""
    try:
        yield
    except BaseException:
        for child in multiprocessing.active_children():
            child.terminate()
        raise
