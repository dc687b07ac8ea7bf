"""A connection to PostgreSQL that does not wait for ever for a server that keeps silent."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeVar

from psycopg import Connection, OperationalError
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper

if TYPE_CHECKING:
    from typing import Self

    from psycopg.abc import PQGen

_T = TypeVar("_T")

SILENCE = 75.0
"""Seconds without a sign of the server; it ends longer statements itself, so it is not there any more."""


class BoundedConnection(Connection[Any]):
    """Breaks off where the server is silent: a network that drops packets, or a machine that hangs.

    Keepalives find most of these; they do not where something between still answers for the server.

    Attributes:
        silence: seconds that the server may be silent; None for what may take as long as it takes.
    """

    silence: float | None = SILENCE

    @classmethod
    def connect(cls, *given: Any, **more: Any) -> Self:
        """Connect. Whole numbers go as one type, however small, so that a statement is planned once.

        By itself the driver sends each as the smallest type that holds it. Nearly every list of numbers is a
        statement of its own then, and none comes often enough to be prepared.

        ``?prepare_threshold=none`` in an address has none prepared, for poolers that keep them not apart.
        """
        if more.get("prepare_threshold") == "none":
            more["prepare_threshold"] = None
        connection = super().connect(*given, **more)
        for dumper in (Int8Dumper, Int8BinaryDumper):
            connection.adapters.register_dumper(int, dumper)
        return connection

    def wait(self, gen: PQGen[_T], *given: Any, **more: Any) -> _T:
        """Wait for an answer of the server."""
        if self.silence is None:
            return super().wait(gen, *given, **more)
        try:
            return super().wait(_bounded(gen, self.silence), *given, **more)
        except _SilentError:
            self.close()
            raise


class _SilentError(OperationalError):
    pass


def _bounded(gen: PQGen[_T], silence: float) -> PQGen[_T]:
    """The same as a generator of the driver's, which is told each tenth of a second that nothing came."""
    try:
        wanted = next(gen)
        since = time.monotonic()
        while True:
            ready = yield wanted
            if ready:
                since = time.monotonic()
            elif time.monotonic() - since > silence:
                msg = f"the server has been silent for {silence:g} seconds"
                raise _SilentError(msg)
            wanted = gen.send(ready)
    except StopIteration as end:
        answer: _T = end.value
        return answer
