"""Whether Qdrant is asked at all: not while it fails, and for a recall not before it holds everything."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from omoide.domain.circuit import Circuit
from omoide.errors import IndexForeign, IndexUnavailable
from omoide.stores.qdrant.errors import IndexMissing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omoide.stores.qdrant.points import Points

_log = logging.getLogger("omoide")

FAILURES: Final = 2
REST: Final = 10.0
"""So many failures in a row, and Qdrant is left alone for so many seconds."""


class Reach:
    """One Qdrant as one process sees it.

    Attributes:
        circuit: counts its failures.
        filled: whether the collection is known to hold all vectors of the store but those that are owed.
        behind: whether something may be owed, or be lacking as a whole.
    """

    def __init__(self, points: Points) -> None:
        self._points = points
        self.circuit = Circuit("Qdrant", clock=time.monotonic, failures=FAILURES, rest=REST)
        self._told = ""
        self.filled = False
        self.behind = True

    @property
    def rests(self) -> bool:
        """Whether it is left alone now."""
        return self.circuit.rests

    @contextmanager
    def use(self) -> Iterator[Points]:
        """The collection, unless Qdrant failed so often that it is left alone for a while.

        Raises:
            IndexUnavailable: it did, or fails now.
        """
        if not self.circuit.may_try():
            raise IndexUnavailable(self.circuit.trouble)
        try:
            yield self._points
        except (IndexMissing, IndexForeign):  # it answers; the collection is made again, if it can be
            self.filled, self.behind = False, True
            raise
        except IndexUnavailable as error:
            self.behind = True
            self.circuit.failed(str(error))
            raise
        self.circuit.succeeded()

    @contextmanager
    def answer(self) -> Iterator[Points]:
        """The same for a recall, which needs a collection that holds everything.

        Raises:
            IndexUnavailable: it does not yet, or cannot be used.
        """
        if not self.filled:
            self.behind = True
            if self.circuit.rests:
                raise IndexUnavailable(self.circuit.trouble)
            msg = f"Qdrant at {self._points.collections.address!r} does not hold all vectors yet"
            raise IndexUnavailable(msg)
        with self.use() as points:
            yield points

    def waits(self, error: Exception) -> None:
        """Note, and tell once, why something cannot be done now."""
        self.behind = True
        if str(error) != self._told:
            self._told = str(error)
            _log.warning("copies of vectors wait: %s", error)

    def caught_up(self) -> None:
        """Note that nothing is owed."""
        self.behind, self._told = False, ""
